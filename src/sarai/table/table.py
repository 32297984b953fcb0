"""A table, folded from its events. It is pure: it asks no clock, draws no lots, reads no file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from sarai.core.errors import BadRecord
from sarai.core.events import Event
from sarai.core.registry import game as find
from sarai.core.result import CHANCE, OVER, Result
from sarai.table import log
from sarai.table.clock import Clock, ClockRule
from sarai.table.playing import played

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value
    from sarai.core.state import State
    from sarai.table.commands import Command
    from sarai.table.log import LogEvent
    from sarai.table.people import Person
    from sarai.table.seen import Seen

GATHERING, PLAYING, FINISHED = "gathering", "playing", "over"
CHAT_KEPT = 300
FLOOD = 5  # lines that may be said within …
FLOOD_SECONDS = 10.0
LENT_LEVEL = "regular"  # who plays for people that resigned or ran out of time


class Seat(Struct):
    """A chair: a person or a bot sits there, and a bot may play for the person."""

    person: str | None = None
    name: str = ""
    bot: str | None = None  # the level of the bot that sits there
    lent: str | None = None  # the level of the bot that plays for the person
    resigned: bool = False
    late: bool = False  # the person's time ran out

    @property
    def empty(self) -> bool:
        """Whether nobody sits there."""
        return self.person is None and self.bot is None

    @property
    def played_by(self) -> str | None:
        """The level of the bot that plays the seat, None if its person does."""
        return self.bot or self.lent


class Guest(NamedTuple):
    """Somebody who sat or spoke here; guests are counted from 0, and others know them by that number."""

    number: int
    person: str
    name: str


class Line(NamedTuple):
    """Something said at the table."""

    number: int
    at: float
    guest: int
    seat: int | None
    name: str
    text: str


class Step(NamedTuple):
    """A move or a draw that stands; `reveals` if anything came out by it."""

    number: int
    seat: int
    move: int
    reveals: bool


class Question(Struct):
    """Whether a seat may take back its last move, and who said what."""

    seat: int
    number: int
    at: float
    answers: dict[int, bool]


class Table:
    """Everything that is known at a table, by the log of its events."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0
        self.phase = GATHERING
        self.starting = False  # everybody is ready, the rules are not
        self.created = self.changed = 0.0
        self.guests: list[Guest] = []
        self.chat: deque[Line] = deque(maxlen=CHAT_KEPT)
        self.muted: dict[str, set[int]] = {}
        self.said: dict[str, deque[float]] = {}
        self.words: dict[str, str] = {}
        self.dice_words: list[str] = []  # those that went into the dice, in the order of seats
        self.secret: str | None = None
        self.ending: str | None = None
        self.rematch: str | None = None
        self.state: State | None = None
        self.take_back: Question | None = None
        self.denied: set[int] = set()  # numbers of moves that others did not let anybody take back
        self.drawn = 0
        self.steps: list[Step] = []
        self.history: list[
            tuple[int, int] | frozenset[int]
        ] = []  # every move and draw, and the places in here of those taken back then
        self._places: dict[int, int] = {}
        self._last: list[tuple[State, int] | None] = []
        self._left_before: dict[
            int, float
        ] = {}  # numbers of moves, and the time their seats had left: taking back gives no time
        self._left_lent: dict[
            int, tuple[int, float]
        ] = {}  # seats that were lent, at which number, and the time they had left

    @classmethod
    def fold(cls, id: str, events: Iterable[tuple[int, LogEvent]]) -> Table:
        """Return the table that a log makes."""
        table = cls(id)
        for number, event in events:
            table.apply(number, event)
        return table

    def apply(self, number: int, event: LogEvent) -> None:
        """Let the next event of the log happen."""
        if number != self.number + 1:
            raise ValueError(f"event {number} cannot follow event {self.number}")
        FOLD[type(event)](self, number, event)
        self.number, self.changed = number, event.at

    def decide(self, command: Command, person: Person, now: float) -> list[LogEvent]:
        """Return the events that a command brings about; Refused, and nothing changes, if it may not be done."""
        from sarai.table.decide import decide

        return decide(self, command, person, now)

    def record(self, seat: int | None) -> dict[str, Any]:
        """Return the record of a finished game, with the proof of its dice; while it runs, what that viewer saw of it."""
        from sarai.table.record import finished, unfinished

        return finished(self) if self.phase == FINISHED else unfinished(self, seat)

    def seat_of(self, person: str | None) -> int | None:
        """Return where somebody sits."""
        return next(
            (number for number, seat in enumerate(self.seats) if person is not None and seat.person == person), None
        )

    def seen(self, seat: int | None) -> Sequence[Seen]:
        """Return all that a seat (None: a spectator) has seen happen."""
        return self._seen[self.players if seat is None else seat]

    def clocks(self, now: float) -> list[float] | None:
        """Return the seconds that each seat has left; None where nobody counts them."""
        return self.clock_state.seconds(now) if self.phase != GATHERING else None

    def chat_for(self, person: str | None) -> list[Line]:
        """Return what was said by those whom somebody has not muted."""
        silent = self.muted.get(person or "", set())
        return [line for line in self.chat if line.guest not in silent]

    def guest_of(self, person: str) -> Guest | None:
        """Return the number and name by which others know somebody."""
        return next((guest for guest in self.guests if guest.person == person), None)

    @property
    def names(self) -> list[str]:
        """The names of all seats, empty where nobody sits."""
        return [seat.name for seat in self.seats]

    @property
    def to_act(self) -> tuple[int, ...]:
        """Every seat that may act now."""
        return self.state.to_act if self.state is not None and self.phase == PLAYING else ()

    @property
    def bots_to_act(self) -> list[int]:
        """Every seat that a bot is to act for now; bots wait while a move may be taken back."""
        return [seat for seat in self.to_act if self.seats[seat].played_by] if self.take_back is None else []

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on, and if it was abandoned."""
        return self.state.result if self.state is not None and self.phase == FINISHED else None

    def is_playing(self, seat: Seat) -> bool:
        """Say whether a person is still in the game on a seat, perhaps away for a while."""
        return seat.person is not None and not seat.resigned and not (seat.late and self.clock.kind == "live")

    def relevant(self, seat: int) -> int:
        """Return the number of the last event that changed what a seat has to decide; a move that was chosen before it is stale."""
        return self._relevant[seat]

    # --- the fold, event by event ---------------------------------------------------------------------------------------------------

    def _created(self, number: int, event: log.Created) -> None:
        self.game: Game = find(event.game)
        if event.rules_version != self.game.rules_version:
            raise BadRecord(
                "record_rules_version", found=event.rules_version, known=self.game.rules_version, game=self.game.id
            )
        self.players = event.players
        self.options: dict[str, Value] = event.options
        self.host, self.public, self.clock = event.by, event.public, event.clock
        self.commitment, self.invited, self.rematch_of = event.commitment, event.invited, event.rematch_of
        self.seats = [Seat() for _ in range(event.players)]
        self.clock_state = Clock(event.clock, event.players)
        self._seen: list[list[Seen]] = [[] for _ in range(event.players + 1)]
        self._relevant = [number] * event.players
        self.created = event.at
        self._meet(event.by, event.name)

    def _meet(self, person: str, name: str) -> int:
        for guest in self.guests:
            if guest.person == person:
                self.guests[guest.number] = guest._replace(name=name)
                return guest.number
        self.guests.append(Guest(len(self.guests), person, name))
        return len(self.guests) - 1

    def _sat(self, number: int, event: log.Sat) -> None:
        self._meet(event.by, event.name)
        self.seats[event.seat] = Seat(person=event.by, name=event.name)
        self.starting = False

    def _stood(self, number: int, event: log.Stood) -> None:
        self.seats[event.seat] = Seat()
        self.starting = False

    def _bot_added(self, number: int, event: log.BotAdded) -> None:
        self.seats[event.seat] = Seat(bot=event.level, name=event.name)

    def _word_given(self, number: int, event: log.WordGiven) -> None:
        self.words[event.by] = event.text

    def _start_asked(self, number: int, event: log.StartAsked) -> None:
        self.starting = True

    def _started(self, number: int, event: log.Started) -> None:
        self.phase, self.starting = PLAYING, False
        self.dice_words = event.words
        self.state = self.game.start(self.players, self.options)
        self._last = [None] * self.players
        self._wind(event.at)

    def _wind(self, at: float, mover: int | None = None) -> None:
        """Let the clocks run of those people who may act now."""
        if self.clock.kind != "none":
            self.clock_state.turn(at, [seat for seat in self.to_act if not self.seats[seat].played_by], mover)

    def _moved(self, number: int, event: log.Moved) -> None:
        if (left := self.clock_state.seconds(event.at)) is not None:
            self._left_before[number] = left[event.seat]
        self._step(number, event.seat, event.move)
        if self.take_back is not None and self.take_back.seat == event.seat:
            self.take_back = None
        self._wind(event.at, event.seat)

    def _drawn(self, number: int, event: log.Drawn) -> None:
        self._step(number, CHANCE, event.outcome)
        self.drawn = event.counter + 1
        self._wind(event.at)

    def _step(self, number: int, seat: int, move: int) -> None:
        """Play a move or an outcome, and let everybody see what they see of it."""
        from sarai.table.seen import Seen, look

        before = self.state
        assert before is not None
        after, trace = played(before, move, seat)
        common, own, reveals = look(trace, self.game.definition)
        shared = [Seen(number, event) for event in common]
        for viewer, seen in enumerate(self._seen):
            seen.extend([Seen(number, event) for event in own[viewer]] if viewer in own else shared)
        if seat != CHANCE:
            self._last[seat] = before, len(self.steps)
        self._places[number] = len(self.history)
        self.history.append((seat, move))
        self.steps.append(Step(number, seat, move, reveals))
        choosing = set() if reveals or seat == CHANCE else {*before.to_act} & {*after.to_act}
        for other in range(self.players):
            if (
                other == seat or other not in choosing
            ):  # while several choose at once, what others choose changes nothing for those still choosing
                self._relevant[other] = number
        self.state = after

    def _take_back_asked(self, number: int, event: log.TakeBackAsked) -> None:
        self.take_back = Question(event.seat, number, event.at, {})

    def _take_back_answered(self, number: int, event: log.TakeBackAnswered) -> None:
        if self.take_back is not None:
            self.take_back.answers[event.seat] = event.yes
            if not event.yes:
                self._deny(withdrawn=event.seat == self.take_back.seat)

    def _take_back_lapsed(self, number: int, event: log.TakeBackLapsed) -> None:
        self._deny()

    def _deny(self, withdrawn: bool = False) -> None:
        """Close the question; unless who asked withdrew it, the move stays."""
        last = self._last[self.take_back.seat] if self.take_back is not None else None
        if last is not None and not withdrawn:
            self.denied.add(self.steps[last[1]].number)
        self.take_back = None

    def _taken_back(self, number: int, event: log.TakenBack) -> None:
        gone = set(event.numbers)
        self.history.append(frozenset(self._places[old] for old in event.numbers))
        self.steps = [step for step in self.steps if step.number not in gone]
        self.state = self.replay(self.steps)
        self.take_back = None
        self._relevant = [number] * self.players
        self._tell(number, "taken_back", event.seat)
        self._wind(event.at)
        if (left := self._left_before.get(event.numbers[0])) is not None:
            self.clock_state.limit(event.seat, left)

    def replay(self, steps: Sequence[Step]) -> State:
        """Return the state that steps from the start on lead to, and remember where each seat made its last move."""
        state = self.game.start(self.players, self.options)
        self._last = [None] * self.players
        for place, step in enumerate(steps):
            if step.seat != CHANCE:
                self._last[step.seat] = state, place
            state, _ = state.play_traced(step.move, step.seat)
        return state

    def last_move(self, seat: int) -> tuple[State, int] | None:
        """Return the state before a seat's last move and its place among the steps."""
        return self._last[seat]

    def _resigned(self, number: int, event: log.Resigned) -> None:
        self.seats[event.seat].resigned = True
        self._lent(number, event, "resigned")

    def _seat_lent(self, number: int, event: log.SeatLent) -> None:
        if (left := self.clock_state.seconds(event.at)) is not None:
            self._left_lent[event.seat] = self._relevant[event.seat], left[event.seat]
        self._lent(number, event, "seat_lent")

    def _time_over(self, number: int, event: log.TimeOver) -> None:
        self.seats[event.seat].late = True
        self._lent(number, event, "time_over")

    def _lent(self, number: int, event: log.Resigned | log.SeatLent | log.TimeOver, key: str) -> None:
        self.seats[event.seat].lent = event.level
        if self.take_back is not None and self.take_back.seat == event.seat:
            self.take_back = None
        self._tell(number, key, event.seat)
        self._wind(event.at)

    def _seat_returned(self, number: int, event: log.SeatReturned) -> None:
        self.seats[event.seat].lent = None
        self.seats[event.seat].late = False
        self._tell(number, "seat_returned", event.seat)
        self._wind(event.at)
        relevant, left = self._left_lent.pop(event.seat, (0, 0.0))
        if relevant == self._relevant[event.seat]:  # the same choice as before is before the seat
            self.clock_state.limit(event.seat, left)

    def _chatted(self, number: int, event: log.Chatted) -> None:
        guest = self._meet(event.by, event.name)
        self.chat.append(Line(number, event.at, guest, self.seat_of(event.by), event.name, event.text))
        self.said.setdefault(event.by, deque(maxlen=FLOOD)).append(event.at)

    def _muted(self, number: int, event: log.Muted) -> None:
        silent = self.muted.setdefault(event.by, set())
        (silent.add if event.on else silent.discard)(event.guest)

    def _ended(self, number: int, event: log.Ended) -> None:
        self.phase, self.secret, self.ending, self.take_back = FINISHED, event.secret, event.reason, None
        if event.reason == "abandoned":
            self._tell(number, "abandoned")
        self._wind(event.at)

    def _rematched(self, number: int, event: log.Rematched) -> None:
        self.rematch = event.table

    def _tell(self, number: int, key: str, seat: int | None = None) -> None:
        """Let everybody see something that happened to the table itself."""
        from sarai.table.seen import Seen

        told = Seen(number, Event(key, {} if seat is None else {"seat": seat}))
        for seen in self._seen:
            seen.append(told)


FOLD: dict[type, Any] = {
    log.Created: Table._created,
    log.Sat: Table._sat,
    log.Stood: Table._stood,
    log.BotAdded: Table._bot_added,
    log.BotRemoved: Table._stood,
    log.WordGiven: Table._word_given,
    log.StartAsked: Table._start_asked,
    log.Started: Table._started,
    log.Moved: Table._moved,
    log.Drawn: Table._drawn,
    log.TakeBackAsked: Table._take_back_asked,
    log.TakeBackAnswered: Table._take_back_answered,
    log.TakeBackLapsed: Table._take_back_lapsed,
    log.TakenBack: Table._taken_back,
    log.Resigned: Table._resigned,
    log.SeatLent: Table._seat_lent,
    log.SeatReturned: Table._seat_returned,
    log.TimeOver: Table._time_over,
    log.Chatted: Table._chatted,
    log.Muted: Table._muted,
    log.Ended: Table._ended,
    log.Rematched: Table._rematched,
}
__all__ = ["CHANCE", "OVER", "ClockRule", "Guest", "Line", "Question", "Seat", "Step", "Table"]
