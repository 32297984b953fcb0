"""The events of a table: numbered and stored, their log is the table. `at` is the time, `by` the id of a person."""

from typing import Any

import msgspec
from msgspec import Struct

from sarai.table.clock import ClockRule
from sarai.table.dice_word_commitments import GivenWord


class TableEvent(Struct, tag=True, omit_defaults=True):
    """The base of all events."""

    at: float


class KeptSeat(Struct):
    """A seat that is kept for a person of the game before."""

    person: str
    name: str


class Created(TableEvent):
    """A table was made; the commitment to the secret of its dice is public from here on."""

    by: str
    name: str
    game: str
    rules_version: int
    players: int
    options: dict[str, str | int]
    public: bool
    clock: ClockRule
    commitment: str
    invited: list[str] = []
    rematch_of: str | None = None
    fairness: int = 1  # the version of the proof of the dice
    kept: dict[int, KeptSeat] = {}  # by seat
    banned: list[str] = []  # from the game before


class Sat(TableEvent):
    """A person took a seat."""

    by: str
    name: str
    seat: int


class Stood(TableEvent):
    """A person left a seat before the game began."""

    by: str
    seat: int


class BotAdded(TableEvent):
    """A bot was given a seat."""

    by: str
    seat: int
    level: str
    name: str


class BotRemoved(TableEvent):
    """A bot's seat was freed."""

    by: str
    seat: int


class WordGiven(TableEvent):
    """A person added a plain word to the dice, at a table of version 1."""

    by: str
    text: str


class WordCommitted(TableEvent):
    """A person published the SHA-256 of a word for the dice, and still keeps the word."""

    by: str
    seat: int
    digest: str


class WordsAsked(TableEvent):
    """The game is to begin: these seats, all that committed, have to open their words now; `by` began the game."""

    by: str
    round: int
    seats: list[int]


class WordOpened(TableEvent):
    """A person opened the word that was committed to."""

    by: str
    seat: int
    nonce: str
    word: str


class WordsFailed(TableEvent):
    """These seats did not open in time and lose their words; the others have to commit to new ones."""

    round: int
    seats: list[int]


class WordsMissing(TableEvent):
    """These seats did not commit to new words in time; the opening goes on without them."""

    round: int
    seats: list[int]


class StartAsked(TableEvent):
    """The players are ready, but the rules are still being compiled; the game begins when they are."""

    by: str


class Started(TableEvent):
    """The game began, with the words that go into its dice: plain ones in version 1, opened ones in version 2."""

    by: str
    words: list[str] = []
    given: list[GivenWord] = []


class Moved(TableEvent):
    """A move was made, by a person or, without `by`, by a bot."""

    seat: int
    move: int
    by: str | None = None
    shown: float = 0.0  # when it had waited and could be seen by others, whose clocks begin then


class Drawn(TableEvent):
    """Chance brought an outcome; the counter counts all draws of the table, voided ones too."""

    outcome: int
    counter: int


class TakeBackAsked(TableEvent):
    """A player asked the others to agree to taking back a move; `told` if it is said what becomes of it."""

    by: str
    seat: int
    told: bool = False  # old logs do not


class TakeBackAnswered(TableEvent):
    """A player agreed or refused; `question` is the number of the event that asked, 0 in old logs."""

    by: str
    seat: int
    yes: bool
    question: int = 0


class TakeBackLapsed(TableEvent):
    """The question was not answered in time and is closed."""


class TakenBack(TableEvent):
    """A move was taken back; the events of these numbers did not happen.

    `granted` if others had to agree, or would have had to if they were still in the game; old logs do not say so.
    `pays` if the time in which others thought about it is taken from the seat's own; in old logs it was theirs.
    """

    seat: int
    numbers: list[int]
    granted: bool = False
    pays: bool = False


class Resigned(TableEvent):
    """A player gave up; a bot of a level plays the seat to the end, or without a level the other of two has won."""

    by: str
    seat: int
    level: str


class SeatLent(TableEvent):
    """A bot plays a seat until its player returns."""

    by: str
    seat: int
    level: str


class SeatReturned(TableEvent):
    """A player took the seat back from the bot; `pays` if the clock ran on for a decision that is still to be made."""

    by: str
    seat: int
    pays: bool = False


class TimeOver(TableEvent):
    """A player's time ran out; a bot plays on."""

    seat: int
    level: str


class Paused(TableEvent):
    """The time from `since` to this event was nobody's: the house was closed, asleep, or without its database."""

    since: float


class Chatted(TableEvent):
    """A person wrote a chat line."""

    by: str
    name: str
    text: str


class Reacted(TableEvent):
    """A person said something by one of the quick reactions."""

    by: str
    name: str
    reaction: str


class Renamed(TableEvent):
    """A person who sits here is called otherwise from now on."""

    by: str
    name: str


class Muted(TableEvent):
    """A person muted a guest, or unmuted one."""

    by: str
    guest: int
    on: bool


class Removed(TableEvent):
    """The host took a person off a seat before the game; the person may not sit down again."""

    by: str
    seat: int


class Banned(TableEvent):
    """The host banned a person, or allowed one to come back who was banned or removed."""

    by: str
    person: str
    on: bool


class AccessChanged(TableEvent):
    """The host decided who may come, watch and talk (`all`, `players` or `off`)."""

    by: str
    locked: bool
    watching: bool
    talk: str


class HostPassed(TableEvent):
    """The host made another person the host."""

    by: str
    person: str


class SeatFreed(TableEvent):
    """A seat is no longer kept for a person of the game before."""

    by: str
    seat: int


class Closed(TableEvent):
    """The host closed the table before the game."""

    by: str


class EndAsked(TableEvent):
    """A player asked the others whether all want to end the game without a result."""

    by: str
    seat: int


class EndAnswered(TableEvent):
    """A player agreed or refused, or withdrew the own question, which has the number of the event that asked."""

    by: str
    seat: int
    yes: bool
    question: int


class EndLapsed(TableEvent):
    """Not everybody answered in time: the game goes on."""


class EndAgreed(TableEvent):
    """All people in the game want to end it without a result."""


class CalledOff(TableEvent):
    """A person ended the game without a result, because another seat had been to act for days."""

    by: str
    seat: int


class Ended(TableEvent):
    """The game is over, the secret of the dice public.

    The reason is the result's, `resigned`, or without a result `abandoned`, `called_off` or `agreed`.
    """

    secret: str
    reason: str


class Rematched(TableEvent):
    """A table for the next game was made."""

    by: str
    table: str


LogEvent = (
    Created
    | Sat
    | Stood
    | BotAdded
    | BotRemoved
    | WordGiven
    | WordCommitted
    | WordsAsked
    | WordOpened
    | WordsFailed
    | WordsMissing
    | StartAsked
    | Started
    | Moved
    | Drawn
    | TakeBackAsked
    | TakeBackAnswered
    | TakeBackLapsed
    | TakenBack
    | Resigned
    | SeatLent
    | SeatReturned
    | TimeOver
    | Paused
    | Chatted
    | Reacted
    | Renamed
    | Muted
    | Removed
    | Banned
    | AccessChanged
    | HostPassed
    | SeatFreed
    | Closed
    | EndAsked
    | EndAnswered
    | EndLapsed
    | EndAgreed
    | CalledOff
    | Ended
    | Rematched
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(LogEvent)
encode = msgspec.json.Encoder().encode

# Sentences for what happens to the table itself; those of a game's own events are in its definition.
TABLE_SENTENCES = {
    "word_lost": "{seat} did not open the word for the dice in time; the others made new ones.",
    "word_missing": "{seat} did not make a new word for the dice in time, and gives none.",
    "taken_back": "{seat} takes back a move.",
    "resigned": "{seat} gives up; a bot plays on.",
    "gave_up": "{seat} gives up.",
    "take_back_asked": "{seat} would like to take back a move.",
    "take_back_refused": "{seat} does not agree: the move stays.",
    "take_back_withdrawn": "{seat} no longer asks to take back a move.",
    "take_back_lapsed": "Not everybody agreed in time: the move stays.",
    "end_asked": "{seat} would like to end the game without a result.",
    "end_wanted": "{seat} agrees to end the game.",
    "end_refused": "{seat} wants to play on.",
    "end_withdrawn": "{seat} no longer asks to end the game.",
    "end_lapsed": "Not everybody agreed in time: the game goes on.",
    "end_agreed": "Everybody wants to stop: the game ends without a result.",
    "seat_lent": "A bot plays for {seat}.",
    "seat_returned": "{seat} is back.",
    "time_over": "Time is up for {seat}; a bot plays on.",
    "paused": "The house was closed for {seconds}; the clocks stood still.",
    "called_off": "{seat} has not moved for seven days; the game ends without a result.",
    "word_lost_you": "You did not open the word for the dice in time; the others made new ones.",
    "word_missing_you": "You did not make a new word for the dice in time, and give none.",
    "taken_back_you": "You take back a move.",
    "resigned_you": "You give up; a bot plays on.",
    "gave_up_you": "You give up.",
    "take_back_asked_you": "You ask to take back a move.",
    "take_back_refused_you": "You do not agree: the move stays.",
    "take_back_withdrawn_you": "You no longer ask to take back a move.",
    "end_asked_you": "You ask to end the game without a result.",
    "end_wanted_you": "You agree to end the game.",
    "end_refused_you": "You want to play on.",
    "end_withdrawn_you": "You no longer ask to end the game.",
    "seat_lent_you": "A bot plays for you.",
    "seat_returned_you": "You are back.",
    "time_over_you": "Your time is up; a bot plays on.",
    "called_off_you": "You have not moved for seven days; the game ends without a result.",
    "abandoned": "Everybody has left; the game ends here.",
}


def decode(data: bytes | msgspec.Raw) -> LogEvent:
    """Return the event that `encode` wrote."""
    event: LogEvent = _decoder.decode(data)
    return event
