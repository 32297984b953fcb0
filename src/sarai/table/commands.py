"""What people can ask of a table."""

from typing import Literal

from msgspec import Struct


class Request(Struct, tag=True, forbid_unknown_fields=True):
    """The base of all commands."""


class Sit(Request):
    """Take a seat, the first free one if none is named; a person who already sits changes seats."""

    seat: int | None = None


class Stand(Request):
    """Leave one's seat before the game begins."""


class AddBot(Request):
    """Give a seat to a bot, the first free one if none is named."""

    seat: int | None = None
    level: str = "regular"


class RemoveBot(Request):
    """Free a bot's seat."""

    seat: int


class GiveWord(Request):
    """Add a plain word to the dice, at a table of version 1 of the proof."""

    text: str


class CommitWord(Request):
    """Commit to a word for the dice, or to another one: its SHA-256 (docs/fair-dice.md), 64 hexadecimal digits.

    When the game is to begin the word has to be opened within 15 seconds; until then nobody else should know it.
    """

    digest: str


class OpenWord(Request):
    """Open the word that was committed to; the nonce is 16 to 32 random bytes in hexadecimal."""

    nonce: str
    word: str


class Start(Request):
    """Begin the game."""


class Move(Request):
    """Make a move."""

    move: int


class AskBack(Request):
    """Take back one's last move; the other people are asked if anything came out since, or moves of others go too."""


class AnswerBack(Request):
    """Agree to that, or refuse; `question` is the number of the question, and a yes needs it."""

    yes: bool
    question: int | None = None


class Resign(Request):
    """Give up."""


class AskEnd(Request):
    """Ask whether all people in the game want to end it without a result; it ends when all agree."""


class AnswerEnd(Request):
    """Agree to that, or refuse; `question` is the number of the question, and a yes needs it."""

    yes: bool
    question: int | None = None


class Chat(Request):
    """Write a chat line."""

    text: str


class React(Request):
    """Say something by a symbol with words: `hello`, `well_played`, `thanks`, `laugh`, `oops` or `thinking`."""

    reaction: str


class UseName(Request):
    """Be called by one's present name at a table where one sits; changing the name does that at all running ones."""


class Mute(Request):
    """Stop reading a guest of the table, or read that guest again."""

    guest: int
    on: bool = True


class RemovePerson(Request):
    """As the host, take a person off a seat before the game."""

    seat: int


class Ban(Request):
    """As the host, ban a guest from the table, or allow one to come back; who plays in the running game cannot talk."""

    guest: int
    on: bool = True


class ChangeAccess(Request):
    """As the host, decide whether new people may sit down, whether others may watch, and who may talk."""

    locked: bool | None = None
    watching: bool | None = None
    talk: Literal["all", "players", "off"] | None = None


class PassHost(Request):
    """As the host, make another guest the host."""

    guest: int


class FreeSeat(Request):
    """Free a seat that is kept for a person of the game before: as the host, or as that person."""

    seat: int


class Close(Request):
    """As the host, close the table before the game."""


class Lend(Request):
    """Let a bot play one's seat or, where there is no clock, that of a player who has been away for long."""

    seat: int
    level: str = "regular"


class Return(Request):
    """Take one's seat back from the bot."""


class CallOff(Request):
    """End a game without a clock and without a result: the player of this seat has been to act for seven days."""

    seat: int


class Rematch(Request):
    """Make a table for another game with the same people and bots."""


Command = (
    Sit
    | Stand
    | AddBot
    | RemoveBot
    | GiveWord
    | CommitWord
    | OpenWord
    | Start
    | Move
    | AskBack
    | AnswerBack
    | Resign
    | AskEnd
    | AnswerEnd
    | Chat
    | React
    | UseName
    | Mute
    | RemovePerson
    | Ban
    | ChangeAccess
    | PassHost
    | FreeSeat
    | Close
    | Lend
    | Return
    | CallOff
    | Rematch
)
