"""A table, made from the events of its log. It is pure: it asks no clock, draws nothing, reads no file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from sarai.core.errors import BadRecord
from sarai.core.events import Event
from sarai.core.registry import game as find
from sarai.core.result import CHANCE, Result
from sarai.table import log
from sarai.table.clock import Clock
from sarai.table.history import Entry, Undone, voided_draws
from sarai.table.seen import Seen, events_for_people, read_step

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.kernels.compile import Array
    from sarai.core.options import Value
    from sarai.core.state import State
    from sarai.table.log import LogEvent

GATHERING, PLAYING, FINISHED = "gathering", "playing", "over"
CHAT_KEPT = 300  # lines
CHAT_LIMIT = 5  # lines that a person may write within …
CHAT_SECONDS = 10.0
LEND_SECONDS = 600.0  # that a seat has been to act, its person away, before others may lend it; without a clock
CALL_OFF_SECONDS = 7 * 86_400.0  # that a seat has been to act before others may end the game; without a clock
LENT_LEVEL = "regular"  # of bots that play for people who resigned or ran out of time


class Seat(Struct):
    """A seat with its person or bot; a bot may also play for the person."""

    person: str | None = None
    name: str = ""
    bot: str | None = None  # the level of the bot that sits there
    lent: str | None = None  # the level of the bot that plays for the person
    resigned: bool = False
    late: bool = False  # the person's time ran out
    lender: str | None = None  # the person who lent the seat; None if the clock did

    @property
    def empty(self) -> bool:
        """Whether the seat is free."""
        return self.person is None and self.bot is None

    @property
    def played_by(self) -> str | None:
        """The level of the bot that plays the seat, None if its person does."""
        return self.bot or self.lent


class Guest(NamedTuple):
    """A person who sat or wrote here; guests are numbered from 0, and others know them by that number."""

    number: int
    person: str
    name: str


class ChatLine(NamedTuple):
    """A line of the chat."""

    number: int
    at: float
    guest: int
    seat: int | None
    name: str
    text: str


NO_SEATS: frozenset[int] = frozenset()


class Step(NamedTuple):
    """A move or a draw that was not taken back; `reveals` if it showed anything that cannot be unseen.

    `by` is the person who moved, None for bots and chance. `choice` is the number of the first step of the choice that
    several seats make at once, the step's own number elsewhere; `choosing` are the seats that still choose after it.
    """

    number: int
    seat: int
    move: int
    reveals: bool
    by: str | None = None
    choice: int = 0
    choosing: frozenset[int] = NO_SEATS


def still_choosing(seat: int, before: State, after: State) -> frozenset[int]:
    """Return the seats that choose at the same time as one that has just done so in secret, and still have to."""
    others = before.to_act
    return NO_SEATS if others == (seat,) else frozenset(others).intersection(after.to_act) - {seat}


class Played(NamedTuple):
    """A move or an outcome that the rules have played: the states before and after it, and their trace."""

    before: State
    after: State
    trace: Array


class Change(NamedTuple):
    """An event that is about to be stored; a move or a draw comes with what playing it gave, so it is played once."""

    event: LogEvent
    played: Played | None = None


class TakeBackRequest(Struct):
    """A seat's question whether it may take back its last move, and the answers so far."""

    seat: int
    number: int
    at: float
    answers: dict[int, bool]


class Table:
    """All that is known at a table, by the events of its log."""

    game: Game
    rules_version: int
    players: int
    options: dict[str, Value]

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0
        self.phase = GATHERING
        self.starting = False  # the players are ready, the rules are not
        self.created = self.changed = 0.0
        self.guests: list[Guest] = []
        self.chat: deque[ChatLine] = deque(maxlen=CHAT_KEPT)
        self.chat_times: dict[str, deque[float]] = {}  # of each person's last lines
        self.muted: dict[str, set[int]] = {}
        self.words: dict[str, str] = {}
        self.dice_words: list[str] = []  # those that went into the dice, in the order of seats
        self.secret: str | None = None
        self.ending: str | None = None
        self.rematch: str | None = None
        self.state: State | None = None
        self.take_back: TakeBackRequest | None = None
        self.denied: set[int] = set()  # numbers of moves that the others did not let their player take back
        self._withdrawn: set[int] = set()  # numbers of moves about which a question was withdrawn
        self.drawn = 0
        self.steps: list[Step] = []
        self.history: list[Entry] = []
        self._places: dict[int, int] = {}  # in the history, by number
        self._last_moves: list[tuple[State, int] | None] = []  # by seat: the state before it, its place in the steps
        self.acted_at: dict[str, float] = {}  # when each person did something here for the last time
        self._time_before: dict[int, float] = {}  # by the number of a move: taking it back gives no time
        self._time_lent: dict[int, tuple[int, float]] = {}  # by seat: the last change for it, the time it had left

    @classmethod
    def fold(cls, id: str, events: Iterable[tuple[int, LogEvent]]) -> Table:
        """Return the table that a log makes."""
        table = cls(id)
        for number, event in events:
            table.apply(number, event)
        return table

    def apply(self, number: int, event: LogEvent, played: Played | None = None) -> None:
        """Apply the next event of the log; a move or a draw that was played from this state is not played again."""
        if number != self.number + 1:
            raise ValueError(f"event {number} cannot follow event {self.number}")
        if isinstance(event, log.Moved):
            self._moved(number, event, played)
        elif isinstance(event, log.Drawn):
            self._drawn(number, event, played)
        else:
            APPLY[type(event)](self, number, event)
        self.number, self.changed = number, event.at
        if (person := getattr(event, "by", None)) is not None:
            self.acted_at[person] = event.at

    def start_state(self) -> State:
        """Return the first state of the table's game, by the version of the rules that it was made for."""
        return self.game.start(self.players, self.options, self.rules_version)

    def record(self, seat: int | None) -> dict[str, Any]:
        """Return the record of a finished game with the proof of its dice; while it runs, what that viewer saw."""
        from sarai.table.record import finished_record, unfinished_record  # they import NumPy

        return finished_record(self) if self.phase == FINISHED else unfinished_record(self, seat)

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat of a person."""
        for number, seat in enumerate(self.seats):
            if person is not None and seat.person == person:
                return number
        return None

    def seen(self, seat: int | None) -> Sequence[Seen]:
        """Return all that a seat (None: a spectator) has seen happen."""
        return self._seen[self.players if seat is None else seat]

    def shown(self, seat: int | None) -> Sequence[Seen]:
        """Return what a seat has seen happen, as people are shown it while the game runs."""
        if self.phase == FINISHED or self.state is None:
            return self.seen(seat)
        return events_for_people(self.seen(seat), self.game.definition, self.options, seat)

    def clocks(self, now: float) -> list[float] | None:
        """Return the seconds that each seat has left; None without a clock, and before the game."""
        return self.clock_state.seconds(now) if self.phase != GATHERING else None

    def chat_for(self, person: str | None) -> list[ChatLine]:
        """Return the chat without the guests that a person has muted."""
        muted = self.muted.get(person or "", set())
        return [line for line in self.chat if line.guest not in muted]

    def guest_of(self, person: str) -> Guest | None:
        """Return the number and name by which others know a person."""
        return next((guest for guest in self.guests if guest.person == person), None)

    @property
    def names(self) -> list[str]:
        """The names of all seats, empty for free ones."""
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
        """How the game ended; None while it goes on, and if it was abandoned or called off."""
        return self.state.result if self.state is not None and self.phase == FINISHED else None

    def is_playing(self, seat: Seat) -> bool:
        """Say whether a person is still in the game on a seat, perhaps away for a while."""
        return seat.person is not None and not seat.resigned and not (seat.late and self.clock.kind == "live")

    def last_change_for(self, seat: int) -> int:
        """Return the number of the last event that changed a seat's decision; a move chosen before it is stale."""
        return self._last_changes[seat]

    def decision_since(self, seat: int) -> float:
        """Return since when a seat has its present decision to make."""
        return self._changed_at[seat]

    def waits_for(self, seat: int) -> bool:
        """Say whether the game waits for the person of a seat."""
        return seat in self.to_act and self.seats[seat].person is not None and not self.seats[seat].played_by

    def overdue(self, now: float) -> list[int]:
        """Return the seats that a game without a clock has waited for so long that others may end it."""
        if self.clock.kind != "none":
            return []
        return [
            seat for seat in self.to_act if now - self._changed_at[seat] >= CALL_OFF_SECONDS and self.waits_for(seat)
        ]

    def last_move(self, seat: int) -> tuple[State, int] | None:
        """Return the state before a seat's last move and its place among the steps."""
        return self._last_moves[seat]

    # --- one function for each kind of event ----------------------------------------------------------------------

    def _created(self, number: int, event: log.Created) -> None:
        self.game, self.rules_version = find(event.game), event.rules_version
        oldest, newest = self.game.oldest_rules_version, self.game.rules_version
        if not oldest <= event.rules_version <= newest:
            raise BadRecord("record_rules_version", found=event.rules_version, known=newest, game=self.game.id)
        self.players, self.options = event.players, event.options
        self.host, self.public, self.clock = event.by, event.public, event.clock
        self.commitment, self.invited, self.rematch_of = event.commitment, event.invited, event.rematch_of
        self.seats = [Seat() for _ in range(event.players)]
        self.clock_state = Clock(event.clock, event.players)
        self.taken_back = [0] * event.players  # by seat: how often it took back a move,
        self.granted = [0] * event.players  # how often of these others had to agree, or would have had to,
        self.voided = [0] * event.players  # how many draws were voided so
        self._seen: list[list[Seen]] = [[] for _ in range(event.players + 1)]
        self._last_changes, self._changed_at = [number] * event.players, [event.at] * event.players
        self.created = event.at
        self._add_guest(event.by, event.name)

    def _add_guest(self, person: str, name: str) -> int:
        for guest in self.guests:
            if guest.person == person:
                self.guests[guest.number] = guest._replace(name=name)
                return guest.number
        self.guests.append(Guest(len(self.guests), person, name))
        return len(self.guests) - 1

    def _sat(self, number: int, event: log.Sat) -> None:
        self._add_guest(event.by, event.name)
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
        self.state = self.start_state()
        self._last_moves = [None] * self.players
        self._changed_at = [event.at] * self.players
        self._run_clocks(event.at)

    def _run_clocks(self, at: float, mover: int | None = None) -> None:
        """Let the clocks of the people run who may act now."""
        if self.clock.kind != "none":
            self.clock_state.turn(at, [seat for seat in self.to_act if not self.seats[seat].played_by], mover)

    def _moved(self, number: int, event: log.Moved, played: Played | None) -> None:
        if (left := self.clock_state.seconds(event.at)) is not None:
            self._time_before[number] = left[event.seat]
        self._step(number, event.at, event.move, event.seat, played, event.by)
        self.take_back = None  # answers were given to another game than this one
        self._run_clocks(event.at, event.seat)

    def _drawn(self, number: int, event: log.Drawn, played: Played | None) -> None:
        self._step(number, event.at, event.outcome, CHANCE, played)
        self.drawn = event.counter + 1
        self._run_clocks(event.at)

    def _step(self, number: int, at: float, move: int, seat: int, played: Played | None, by: str | None = None) -> None:
        """Add a step to the game, played now unless it was already played from this state."""
        before = self.state
        assert before is not None
        if played is None or (played.before is not before and played.before != before):
            played = Played(before, *before.play_traced(move, seat))
        public, private, reveals = read_step(played.trace, self.game.definition)
        shared = [Seen(number, event) for event in public]
        for viewer, seen in enumerate(self._seen):
            seen.extend([Seen(number, event) for event in private[viewer]] if viewer in private else shared)
        if seat != CHANCE:
            self._last_moves[seat] = before, len(self.steps)
        self._places[number] = len(self.history)
        self.history.append((seat, move))
        is_hidden = not reveals and seat != CHANCE
        choosing = still_choosing(seat, before, played.after) if is_hidden else NO_SEATS
        self.steps.append(Step(number, seat, move, reveals, by, self._choice(number, seat), choosing))
        # while several seats choose at once, a hidden choice changes nothing for those still choosing
        for other in range(self.players):
            if other not in choosing:
                self._last_changes[other], self._changed_at[other] = number, at
        self.state = played.after

    def _choice(self, number: int, seat: int) -> int:
        """Return the choice that a step belongs to which is added now: that of the last step if its seat had part."""
        last = self.steps[-1] if self.steps else None
        return last.choice if last is not None and seat in last.choosing else number

    def _take_back_asked(self, number: int, event: log.TakeBackAsked) -> None:
        self.take_back = TakeBackRequest(event.seat, number, event.at, {})

    def _take_back_answered(self, number: int, event: log.TakeBackAnswered) -> None:
        if self.take_back is not None:
            self.take_back.answers[event.seat] = event.yes
            if not event.yes:
                self._deny(withdrawn=event.seat == self.take_back.seat)

    def _take_back_lapsed(self, number: int, event: log.TakeBackLapsed) -> None:
        self._deny()

    def _deny(self, withdrawn: bool = False) -> None:
        """Close the question; unless it was withdrawn, for the first time, the move cannot be taken back any more."""
        last = self._last_moves[self.take_back.seat] if self.take_back is not None else None
        if last is not None:
            move = self.steps[last[1]].number
            kept = self._withdrawn if withdrawn and move not in self._withdrawn else self.denied
            kept.add(move)
        self.take_back = None

    def _taken_back(self, number: int, event: log.TakenBack) -> None:
        undone = set(event.numbers)
        own = max(step.number for step in self.steps if step.number in undone and step.seat == event.seat)
        entry = Undone(event.seat, frozenset(self._places[old] for old in event.numbers))
        self.voided[event.seat] += voided_draws(self.history, entry)
        self.history.append(entry)
        self.taken_back[event.seat] += 1
        self.granted[event.seat] += event.granted or self.take_back is not None
        self.steps = [step for step in self.steps if step.number not in undone]
        self.state = self._replay()
        self.take_back = None
        self._last_changes, self._changed_at = [number] * self.players, [event.at] * self.players
        self._show(number, "taken_back", event.seat)
        self._run_clocks(event.at)
        if (left := self._time_before.get(own)) is not None:
            self.clock_state.limit(event.seat, left)

    def _replay(self) -> State:
        """Return the state that the steps lead to, and note where each seat made its last move."""
        state, steps = self.start_state(), self.steps
        self._last_moves, self.steps = [None] * self.players, []
        for place, step in enumerate(steps):
            if step.seat != CHANCE:
                self._last_moves[step.seat] = state, place
            before, (state, _) = state, state.play_traced(step.move, step.seat)
            is_hidden = not step.reveals and step.seat != CHANCE
            choosing = still_choosing(step.seat, before, state) if is_hidden else NO_SEATS
            self.steps.append(step._replace(choice=self._choice(step.number, step.seat), choosing=choosing))
        return state

    def _resigned(self, number: int, event: log.Resigned) -> None:
        self.seats[event.seat].resigned = True
        self._lent(number, event, "resigned")

    def _seat_lent(self, number: int, event: log.SeatLent) -> None:
        if (left := self.clock_state.seconds(event.at)) is not None:
            self._time_lent[event.seat] = self._last_changes[event.seat], left[event.seat]
        self.seats[event.seat].lender = event.by
        self._lent(number, event, "seat_lent")

    def _time_over(self, number: int, event: log.TimeOver) -> None:
        self.seats[event.seat].late = True
        self.seats[event.seat].lender = None
        self._lent(number, event, "time_over")

    def _lent(self, number: int, event: log.Resigned | log.SeatLent | log.TimeOver, key: str) -> None:
        self.seats[event.seat].lent = event.level
        if self.take_back is not None and (self.take_back.seat == event.seat or not isinstance(event, log.SeatLent)):
            self.take_back = None  # the people whom it was asked are others now
        self._show(number, key, event.seat)
        self._run_clocks(event.at)

    def _seat_returned(self, number: int, event: log.SeatReturned) -> None:
        self.seats[event.seat].lent = None
        self.seats[event.seat].late = False
        self.seats[event.seat].lender = None
        self._changed_at[event.seat] = event.at
        self._show(number, "seat_returned", event.seat)
        self._run_clocks(event.at)
        last_change, left = self._time_lent.pop(event.seat, (0, 0.0))
        if last_change == self._last_changes[event.seat]:  # it has the same decision to make as before
            self.clock_state.limit(event.seat, left)

    def _chatted(self, number: int, event: log.Chatted) -> None:
        guest = self._add_guest(event.by, event.name)
        self.chat.append(ChatLine(number, event.at, guest, self.seat_of(event.by), event.name, event.text))
        self.chat_times.setdefault(event.by, deque(maxlen=CHAT_LIMIT)).append(event.at)

    def _muted(self, number: int, event: log.Muted) -> None:
        muted = self.muted.setdefault(event.by, set())
        (muted.add if event.on else muted.discard)(event.guest)

    def _ended(self, number: int, event: log.Ended) -> None:
        self.phase, self.secret, self.ending, self.take_back = FINISHED, event.secret, event.reason, None
        if event.reason == "abandoned":
            self._show(number, "abandoned")
        self._run_clocks(event.at)

    def _called_off(self, number: int, event: log.CalledOff) -> None:
        self._show(number, "called_off", event.seat)

    def _rematched(self, number: int, event: log.Rematched) -> None:
        self.rematch = event.table

    def _show(self, number: int, key: str, seat: int | None = None) -> None:
        """Let each viewer see something that happened to the table itself."""
        shown = Seen(number, Event(key, {} if seat is None else {"seat": seat}))
        for seen in self._seen:
            seen.append(shown)


APPLY: dict[type, Callable[[Table, int, Any], None]] = {
    log.Created: Table._created,
    log.Sat: Table._sat,
    log.Stood: Table._stood,
    log.BotAdded: Table._bot_added,
    log.BotRemoved: Table._stood,
    log.WordGiven: Table._word_given,
    log.StartAsked: Table._start_asked,
    log.Started: Table._started,
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
    log.CalledOff: Table._called_off,
    log.Ended: Table._ended,
    log.Rematched: Table._rematched,
}
