"""What happens at a table, as numbered events: the log of them is the table. `at` is the time, `by` the id of the person who did it."""

from typing import Any

import msgspec
from msgspec import Struct

from sarai.table.clock import ClockRule


class Happening(Struct, tag=True, omit_defaults=True):
    """Anything that is written to the log."""

    at: float


class Created(Happening):
    """A table was laid; the promise of its dice is public from here on."""

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


class Sat(Happening):
    """Somebody sat down."""

    by: str
    name: str
    seat: int


class Stood(Happening):
    """Somebody stood up before the game began."""

    by: str
    seat: int


class BotAdded(Happening):
    """A bot was given a seat."""

    by: str
    seat: int
    level: str
    name: str


class BotRemoved(Happening):
    """A bot's seat was freed."""

    by: str
    seat: int


class WordGiven(Happening):
    """Somebody added a word to the dice."""

    by: str
    text: str


class StartAsked(Happening):
    """Everybody is ready, but the rules are still being prepared; the game begins when they are."""

    by: str


class Started(Happening):
    """The game began, with the words that go into its dice."""

    by: str
    words: list[str] = []


class Moved(Happening):
    """A move was made, by a person or, with nobody in `by`, by a bot."""

    seat: int
    move: int
    by: str | None = None


class Drawn(Happening):
    """Chance brought an outcome; the counter counts every draw of the table, voided ones too."""

    outcome: int
    counter: int


class TakeBackAsked(Happening):
    """Somebody asked the others for leave to take back the last move."""

    by: str
    seat: int


class TakeBackAnswered(Happening):
    """Somebody answered."""

    by: str
    seat: int
    yes: bool


class TakeBackLapsed(Happening):
    """Nobody answered for so long that the question is closed."""


class TakenBack(Happening):
    """A move was taken back; the events of these numbers did not happen."""

    seat: int
    numbers: list[int]


class Resigned(Happening):
    """Somebody gave up; a bot plays the seat to the end."""

    by: str
    seat: int
    level: str


class SeatLent(Happening):
    """A bot plays a seat until its player returns."""

    by: str
    seat: int
    level: str


class SeatReturned(Happening):
    """A player took the seat back from the bot."""

    by: str
    seat: int


class TimeOver(Happening):
    """A player's time ran out; a bot plays on."""

    seat: int
    level: str


class Chatted(Happening):
    """Somebody said something."""

    by: str
    name: str
    text: str


class Muted(Happening):
    """Somebody does not want to read a guest, or wants to again."""

    by: str
    guest: int
    on: bool


class Ended(Happening):
    """The game is over, and the secret of the dice is told; the reason is the result's, or `abandoned`."""

    secret: str
    reason: str


class Rematched(Happening):
    """A table for the next game was laid."""

    by: str
    table: str


LogEvent = (
    Created
    | Sat
    | Stood
    | BotAdded
    | BotRemoved
    | WordGiven
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
    | Chatted
    | Muted
    | Ended
    | Rematched
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(LogEvent)
encode = msgspec.json.Encoder().encode

# What is told of the table itself among the events of the game; the sentences of a game's own events are in its kit.
TOLD = {
    "taken_back": "{seat} takes back a move.",
    "resigned": "{seat} gives up; a bot plays on.",
    "seat_lent": "A bot plays for {seat}.",
    "seat_returned": "{seat} is back.",
    "time_over": "Time is up for {seat}; a bot plays on.",
    "abandoned": "Everybody has left; the game ends here.",
}


def decode(data: bytes) -> LogEvent:
    """Return the event that was written so."""
    event: LogEvent = _decoder.decode(data)
    return event
