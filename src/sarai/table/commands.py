"""What people can ask of a table."""

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
    """Add a word of one's own to the dice."""

    text: str


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


class Chat(Request):
    """Write a chat line."""

    text: str


class Mute(Request):
    """Stop reading a guest of the table, or read that guest again."""

    guest: int
    on: bool = True


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
    | Start
    | Move
    | AskBack
    | AnswerBack
    | Resign
    | Chat
    | Mute
    | Lend
    | Return
    | CallOff
    | Rematch
)
