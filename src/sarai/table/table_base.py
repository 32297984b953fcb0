"""What a table holds, and what can be said of it without knowing how far its game is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from sarai.table.access_restrictions import Access
from sarai.table.animation_time import ShowTime
from sarai.table.end_question import EndQuestions
from sarai.table.participants import Participant, Participants
from sarai.table.playthrough import Playthrough, Step
from sarai.table.seat import Seat
from sarai.table.talk import ChatLine, Talk
from sarai.table.turn_starts import TurnTimes
from sarai.table.visible_events import Seen

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value
    from sarai.core.state_and_view import State
    from sarai.table.clock import Clock
    from sarai.table.history_types import Entry


class TakeBackRequest(Struct):
    """A seat's question whether it may take back its last move, and the answers so far."""

    seat: int
    number: int
    at: float
    answers: dict[int, bool]
    told: bool = True  # what becomes of it is said


class TableContents:
    """The parts of a table; events change them."""

    game: Game
    rules_version: int
    players: int
    options: dict[str, Value]
    seats: list[Seat]
    times: TurnTimes
    _seen: list[list[Seen]]

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0
        self.last_other = 0  # the number of the last event that was neither a move nor a draw
        self.starting = False  # the players are ready, the rules are not
        self.created = self.changed = 0.0
        self.time = 0.0  # the latest of its events; later ones are not earlier
        self.talk = Talk()
        self.access = Access()
        self.words: dict[str, str] = {}  # plain ones, by person
        self.dice_words: list[str] = []  # the lines that go into every draw, made of the words in the order of seats
        self.secret: str | None = None
        self.ending: str | None = None
        self.rematch: str | None = None
        self.playthrough: Playthrough | None = None  # once the game has begun
        self.take_back: TakeBackRequest | None = None
        self.refused_by: tuple[int, int | None] | None = None  # whose question was refused last, and by which seat
        self.end_questions = EndQuestions()
        self.denied: set[int] = set()  # numbers of moves that the others did not let their player take back
        self._withdrawn: set[int] = set()  # numbers of moves about which a question was withdrawn
        self.drawn = 0
        self.is_renamed = False  # somebody who plays has chosen another name since the game began
        self.show_time = ShowTime()
        self.acted_at: dict[str, float] = {}  # when each person did something here for the last time

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat of a person."""
        for number, seat in enumerate(self.seats):
            if person is not None and seat.person == person:
                return number
        return None

    def chat_for(self, muted: Collection[int]) -> list[ChatLine]:
        """Return the chat without some participants."""
        return self.talk.lines_without(muted)

    def participant_of(self, person: str) -> Participant | None:
        """Return the number and name by which others know a person."""
        return self.talk.participants.of(person)

    @property
    def participants(self) -> Participants:
        """All who sat or wrote here."""
        return self.talk.participants

    @property
    def chat(self) -> Sequence[ChatLine]:
        """The last lines of the chat."""
        return self.talk.lines

    @property
    def state(self) -> State | None:
        """The state of the game, None before it began."""
        return self.playthrough.state if self.playthrough is not None else None

    @property
    def steps(self) -> Sequence[Step]:
        """The moves and draws that hold."""
        return self.playthrough.steps if self.playthrough is not None else ()

    @property
    def history(self) -> Sequence[Entry]:
        """All moves and draws, and what was taken back when."""
        return self.playthrough.history if self.playthrough is not None else ()

    @property
    def clock_state(self) -> Clock:
        """The time that each seat has left."""
        return self.times.clock

    @property
    def names(self) -> list[str]:
        """The names of all seats, empty for free ones."""
        return [seat.name for seat in self.seats]

    def last_change_for(self, seat: int) -> int:
        """Return the number of the last event that changed a seat's decision; a move chosen before it is stale."""
        return self.times.last_changes[seat]

    def decision_since(self, seat: int) -> float:
        """Return since when a seat has its present decision to make."""
        return self.times.changed_at[seat]

    def last_move(self, seat: int) -> tuple[State, int] | None:
        """Return the state before a seat's last move and its place among the steps."""
        return self.playthrough.last_move(seat) if self.playthrough is not None else None

    def has_moved(self, seat: int) -> bool:
        """Say whether there is a move of a seat that was not taken back."""
        return self.playthrough is not None and self.playthrough.has_moved(seat)

    def seen(self, seat: int | None) -> Sequence[Seen]:
        """Return all that a seat (None: a spectator) has seen happen."""
        return self._seen[self.players if seat is None else seat]
