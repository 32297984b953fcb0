"""What people can ask of a table."""

from typing import Any

import msgspec
from msgspec import Struct


class Request(Struct, tag=True, forbid_unknown_fields=True):
    """Anything that is asked of a table."""


class Sit(Request):
    """Take a seat, any free one if none is named; whoever sits already changes seats."""

    seat: int | None = None


class Stand(Request):
    """Leave one's seat before the game begins."""


class AddBot(Request):
    """Give a seat to a bot, any free one if none is named."""

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
    """Take back one's last move, by everybody's leave if anything came out since."""


class AnswerBack(Request):
    """Give that leave, or refuse it."""

    yes: bool


class Resign(Request):
    """Give up."""


class Chat(Request):
    """Say something."""

    text: str


class Mute(Request):
    """Stop reading a guest of the table, or read them again."""

    guest: int
    on: bool = True


class Lend(Request):
    """Let a bot play one's seat, or the seat of somebody who is away."""

    seat: int
    level: str = "regular"


class Return(Request):
    """Take one's seat back from the bot."""


class Rematch(Request):
    """Lay a table for another game with the same people and bots."""


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
    | Rematch
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Command)


def decode(data: bytes) -> Command:
    """Read a command from JSON, `{"type": "Move", "move": 7}` for one; msgspec.ValidationError or DecodeError if it is none."""
    command: Command = _decoder.decode(data)
    return command
