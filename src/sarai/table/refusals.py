"""What a table refuses: a reason key, the facts of its sentence, and the HTTP status that fits."""

from sarai.core.errors import Error, register_reasons

UNKNOWN, FORBIDDEN, MISSING, CONFLICT, WRONG, TOO_MANY, NOT_YET, NO_SPACE = 401, 403, 404, 409, 422, 429, 503, 507

SENTENCES: dict[int, dict[str, str]] = {
    UNKNOWN: {
        "session_ended": "This browser was signed out. Give a name, or use a link from a browser that knows you.",
    },
    FORBIDDEN: {
        "not_seated": "You do not sit at this table.",
        "not_host": "Only the host may do that while the host sits here.",
        "host_only": "Only the host of this table may do that.",
        "banned": "The host has banned you from this table.",
        "removed": "The host has taken you off your seat, and has to allow you to sit here again.",
        "table_locked": "The host has locked this table: nobody new can sit down.",
        "no_watchers": "The host lets only players look at this table.",
        "talk_off": "The host has switched off the talk at this table.",
        "talk_players": "At this table only players talk.",
        "talk_taken": "The host does not let you talk at this table.",
        "not_lent": "Your seat is not lent to a bot.",
        "seat_lost": "Your time ran out or you resigned: a bot plays your seat to the end.",
        "not_away": "Others may lend a seat only if it has been to act for ten minutes, its player away all that time.",
        "clock_decides": "With a clock only its player lends a seat; when the time is up a bot plays on by itself.",
        "word_is_lost": "Your word was not opened in time; the dice of this table go without one of yours.",
        "not_overdue": "A game without a clock may be ended when another player has been to act for seven days.",
    },
    MISSING: {
        "no_such_table": "There is no such table.",
        "table_closed": "The host has closed this table.",
        "no_such_person": "Nobody of that name is known here.",
        "bad_token": "This link has been used, or is too old.",
    },
    CONFLICT: {
        "stale": "The game has gone on meanwhile; look again.",
        "seat_taken": "Somebody sits there already.",
        "table_full": "There is no free seat at this table.",
        "seats_empty": "{empty, plural, one {There is # seat without a player.} "
        "other {There are # seats without a player.}}",
        "nobody_seated": "A game needs at least one person at the table.",
        "seat_not_bot": "No bot sits there.",
        "seat_not_person": "Nobody sits there.",
        "seat_kept": "This seat is kept for {name}.",
        "seat_not_kept": "This seat is not kept for anybody.",
        "not_banned": "That person may come and sit here already.",
        "guest_banned": "You have banned that person; allow them to come back first.",
        "already_started": "The game has begun already.",
        "words_opening": "The words for the dice are being opened; the game begins in a moment.",
        "no_opening": "You have no word for the dice to open now.",
        "word_is_plain": "The dice of this table want words that are committed to first.",
        "words_are_plain": "The dice of this table want plain words: it is older than commitments.",
        "not_playing": "The game is not being played.",
        "not_over": "The game is not over yet.",
        "time_over": "Your time is up.",
        "seat_is_lent": "A bot plays your seat; take it back first.",
        "nothing_to_take_back": "There is no move of yours that could be taken back.",
        "take_back_asked": "It has been asked already whether a move may be taken back.",
        "take_back_denied": "The others have not let you take back this move.",
        "no_take_back": "Nobody asks you whether a move may be taken back.",
        "take_backs_used": "{most, plural, one {You cannot take back more than # move in this game.} "
        "other {You cannot take back more than # moves in this game.}}",
        "end_asked": "It has been asked already whether the game should end.",
        "end_not_asked": "Nobody asks you whether the game should end.",
        "end_questions_used": "{most, plural, one {You cannot ask more than once in a game whether it should end.} "
        "other {You cannot ask more than # times in a game whether it should end.}}",
        "rematch_made": "The table for a rematch is {table}.",
        "busy": "Too much happened at this table at once; try again.",
    },
    WRONG: {
        "name_empty": "A name has at least one letter.",
        "name_too_long": "{most, plural, one {A name has at most # letter.} other {A name has at most # letters.}}",
        "name_unprintable": "A name has no invisible characters.",
        "chat_empty": "There is nothing to say.",
        "chat_too_long": "{most, plural, one {A line has at most # letter.} other {A line has at most # letters.}}",
        "chat_unprintable": "A line has no invisible characters.",
        "word_empty": "A word for the dice has at least one letter.",
        "word_too_long": "{most, plural, one {A word for the dice has at most # letter.} "
        "other {A word for the dice has at most # letters.}}",
        "word_unprintable": "A word for the dice has no invisible characters.",
        "unknown_reaction": "There is no reaction ''{reaction}''; there are {reactions}.",
        "bad_digest": "What you commit to a word by is a SHA-256, 64 hexadecimal digits in small letters.",
        "bad_nonce": "What keeps a word hidden is 16 to 32 random bytes, in hexadecimal with small letters.",
        "other_word": "That is not the word that you committed to.",
        "bad_clock": "There is no such clock: {why}.",
        "bad_language": "There is no language ''{language}'' here.",
        "no_such_guest": "Nobody of that number has been at this table.",
        "mute_self": "You cannot mute yourself.",
        "not_yourself": "You cannot do that to yourself.",
    },
    TOO_MANY: {
        "chat_flood": "{seconds, plural, one {That was a lot at once; wait # second.} "
        "other {That was a lot at once; wait # seconds.}}",
        "too_much": "{seconds, plural, one {That was a lot at once; wait # second.} "
        "other {That was a lot at once; wait # seconds.}}",
        "bots_busy": "{most, plural, one {Bots are thinking at # table of yours; wait until they have moved.} "
        "other {Bots are thinking at # tables of yours; wait until they have moved.}}",
    },
    NOT_YET: {
        "warming_up": "The rules of {title} are being prepared: step {done} of {of}.",
        "not_prepared": "The rules of {title} could not be prepared: {why}.",
        "database_busy": "Another program holds the database of this house; try again in a moment.",
        "database_away": "The database of this house does not answer; try again in a moment.",
        "database_moved": "This house has moved to another database; here it can only be read.",
        "database_damaged": "The database of this house is damaged; what can still be read is shown.",
        "table_damaged": "What is stored of this table is damaged; other tables go on.",
        "disk_read_only": "The disk of this house can only be read: nothing new can be kept until that is changed.",
        "disk_fails": "The disk of this house does not work as it should; nothing new can be kept.",
    },
    NO_SPACE: {
        "disk_full": "The disk of this house is full: nothing new can be kept until somebody makes room.",
    },
}
STATUS = {key: status for status, sentences in SENTENCES.items() for key in sentences}
# What will not pass by waiting a moment.
LASTING = frozenset({"database_moved", "database_damaged", "table_damaged", "disk_read_only", "disk_fails"})
STATUS |= {
    "not_your_turn": CONFLICT,
    "game_over": CONFLICT,
    "unknown_game": MISSING,
}

ERRORS = {  # of the server itself, and of records
    "no_database": "The database {url} cannot be opened: {why}.",
    "bot_lost": "A bot could not choose: {why}.",
    "fairness_missing": "This record has no proof of its dice: the game was not played at a table, or is not over.",
    "fairness_form": "The proof of this record's dice cannot be read: {why}.",
    "fairness_commitment": "The secret of the dice is not the one that was promised.",
    "fairness_words": "The words of the dice are not as the protocol wants them: {why}.",
    "fairness_draw": "Draw {number} should have brought {real}, not {found}.",
    "fairness_outcomes": "Draw {number} had other outcomes or chances than the rules give it.",
    "fairness_moves": "The moves of this record and its draws do not go together: {why}.",
}

COMMAND_ERRORS = {  # of `sarai db`, and at the start
    "file_exists": "{path} is there already; --force replaces it.",
    "not_a_house": "{path} is not the database of a house.",
    "same_database": "That is the same database.",
    "database_in_use": "A server uses {path}; stop it first. Several can share a PostgreSQL.",
    "database_not_empty": "That database is not empty; --force replaces what is there.",
    "database_newer": "This database was written by a newer version of Sarai.",
    "database_problems": "There are problems: {count}.",
    "copy_differs": "The copy of {table} is not what it was copied from; nothing was moved.",
}

for sentences in (*SENTENCES.values(), ERRORS):
    register_reasons(sentences)
register_reasons(COMMAND_ERRORS, on_pages=False)


class Refused(Error):
    """A command that a table does not carry out; nothing changed."""

    @property
    def status(self) -> int:
        """The HTTP status of the answer; 422 for a move or a setting that the rules do not allow."""
        return STATUS.get(self.key, WRONG)

    @classmethod
    def because(cls, error: Error) -> "Refused":
        """Return a refusal for the reason of another error."""
        return cls(error.key, **error.facts)
