"""A table, made from the events of its log. It is pure: it asks no clock, draws nothing, reads no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sarai.core.errors import BadRecord
from sarai.core.events import Event
from sarai.core.registry import game as find
from sarai.core.resignation import RESIGNED, resigned_result
from sarai.core.result import CHANCE, Result
from sarai.table import event_types
from sarai.table.clock import pause_after
from sarai.table.dice_word_commitments import draw_lines
from sarai.table.dice_words import DiceWords, WordEvent
from sarai.table.end_question import EndEvent
from sarai.table.playthrough import Played, Playthrough
from sarai.table.reactions import ERASED, REACTIONS
from sarai.table.seat import Seat
from sarai.table.table_base import TableContents, TakeBackRequest
from sarai.table.turn_starts import TurnTimes
from sarai.table.visible_events import Seen, StepEvents, events_for_people

if TYPE_CHECKING:
    from sarai.core.state_and_view import State
    from sarai.table.event_types import LogEvent

GATHERING, PLAYING, FINISHED, CLOSED = "gathering", "playing", "over", "closed"
LEND_SECONDS = 600.0  # that a seat has been to act, its person away, before others may lend it; without a clock
CALL_OFF_SECONDS = 7 * 86_400.0  # that a seat has been to act before others may end the game; without a clock
LENT_LEVEL = "regular"  # of bots that play for people who resigned or ran out of time


class Table(TableContents):
    """All that is known at a table, by the events of its log."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.phase = GATHERING

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
        if isinstance(event, event_types.Moved):
            self._moved(number, event, played)
        elif isinstance(event, event_types.Drawn):
            self._drawn(number, event, played)
        else:
            APPLY[type(event)](self, number, event)
            self.last_other = number
        self.number, self.time = number, max(self.time, event.at)
        if not isinstance(event, event_types.Paused):  # nothing happened at the table
            self.changed = event.at
        if (person := getattr(event, "by", None)) is not None:
            self.acted_at[person] = event.at

    def start_state(self) -> State:
        """Return the first state of the table's game, by the version of the rules that it was made for."""
        return self.game.start(self.players, self.options, self.rules_version)

    def lines_of(self, event: event_types.Started) -> list[str]:
        """Return the lines that go into every draw of a game that begins with this event."""
        return event.words if self.dice.version < 2 else draw_lines(event.given)

    def record(self, seat: int | None) -> dict[str, Any]:
        """Return the record of a finished game with the proof of its dice; while it runs, what that viewer saw."""
        from sarai.table.record import prepare_record  # it imports NumPy

        return prepare_record(self, seat)()

    def shown(self, seat: int | None) -> Sequence[Seen]:
        """Return what a seat has seen happen, as people are shown it while the game runs."""
        if self.phase == FINISHED or self.state is None:
            return self.seen(seat)
        return events_for_people(self.seen(seat), self.game.definition, self.options, seat)

    def clocks(self, now: float) -> list[float] | None:
        """Return the seconds that each seat has left; None without a clock, and before the game."""
        return self.clock_state.seconds(now) if self.phase != GATHERING else None

    @property
    def maker(self) -> str:
        """The person who made the table; the host may be another by now."""
        return self.participants[0].person

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
        """How the game ended; None while it goes on, and if it ended without a result."""
        if self.state is None or self.phase != FINISHED:
            return None
        return self.state.result if self.resigned is None else resigned_result(self.state.scores, self.resigned)

    @property
    def resigned(self) -> int | None:
        """The seat of the person who gave up, and lost by that."""
        return next(seat for seat, it in enumerate(self.seats) if it.resigned) if self.ending == RESIGNED else None

    def is_playing(self, seat: Seat) -> bool:
        """Say whether a person is still in the game on a seat, perhaps away for a while."""
        return seat.person is not None and not seat.resigned and not (seat.late and self.clock.kind == "live")

    def waits_for(self, seat: int) -> bool:
        """Say whether the game waits for the person of a seat."""
        return seat in self.to_act and self.seats[seat].person is not None and not self.seats[seat].played_by

    def overdue(self, now: float) -> list[int]:
        """Return the seats that a game without a clock has waited for so long that others may end it."""
        if self.clock.kind != "none":
            return []
        return [
            seat for seat in self.to_act if now - self.decision_since(seat) >= CALL_OFF_SECONDS and self.waits_for(seat)
        ]

    # --- one function for each kind of event ----------------------------------------------------------------------

    def _created(self, number: int, event: event_types.Created) -> None:
        self.game, self.rules_version = find(event.game), event.rules_version
        oldest, newest = self.game.oldest_rules_version, self.game.rules_version
        if not oldest <= event.rules_version <= newest:
            raise BadRecord("record_rules_version", found=event.rules_version, known=newest, game=self.game.id)
        self.players, self.options = event.players, event.options
        self.host, self.public, self.clock = event.by, event.public, event.clock
        self.commitment, self.invited, self.rematch_of = event.commitment, event.invited, event.rematch_of
        self.seats = [Seat() for _ in range(event.players)]
        self.dice = DiceWords(event.fairness)
        self.times = TurnTimes(event.clock, event.players, number, event.at)
        self.taken_back = [0] * event.players  # by seat: how often it took back a move,
        self.granted = [0] * event.players  # how often of these others had to agree, or would have had to,
        self.voided = [0] * event.players  # how many draws were voided so
        self._seen = [[] for _ in range(event.players + 1)]
        self.created = event.at
        self.talk.participants.add(event.by, event.name)
        self.access.kept, self.access.banned = dict(event.kept), set(event.banned)

    def _sat(self, number: int, event: event_types.Sat) -> None:
        self.talk.participants.add(event.by, event.name)
        self.seats[event.seat] = Seat(person=event.by, name=event.name)
        self.dice.drop(event.seat)
        self.access.sat(event.seat, event.by)
        self.starting = False

    def _stood(self, number: int, event: event_types.Stood | event_types.BotRemoved | event_types.Removed) -> None:
        self.seats[event.seat] = Seat()
        self.dice.drop(event.seat)
        self.starting = False

    def _bot_added(self, number: int, event: event_types.BotAdded) -> None:
        self.seats[event.seat] = Seat(bot=event.level, name=event.name)
        self.dice.drop(event.seat)

    def _removed(self, number: int, event: event_types.Removed) -> None:
        if (person := self.seats[event.seat].person) is not None:
            self.access.removed.add(person)
        self._stood(number, event)

    def _banned(self, number: int, event: event_types.Banned) -> None:
        self.access.removed.discard(event.person)
        (self.access.banned.add if event.on else self.access.banned.discard)(event.person)

    def _access_changed(self, number: int, event: event_types.AccessChanged) -> None:
        self.access.locked, self.access.watching, self.access.talk = event.locked, event.watching, event.talk

    def _host_passed(self, number: int, event: event_types.HostPassed) -> None:
        self.host = event.person

    def _seat_freed(self, number: int, event: event_types.SeatFreed) -> None:
        self.access.kept.pop(event.seat, None)

    def _closed(self, number: int, event: event_types.Closed) -> None:
        self.phase, self.starting = CLOSED, False

    def _word_given(self, number: int, event: event_types.WordGiven) -> None:
        self.words[event.by] = event.text

    def _about_words(self, number: int, event: WordEvent) -> None:
        self.starting = self.starting and not isinstance(event, event_types.WordsAsked)
        for key, seat in self.dice.apply(event):
            self._show(number, key, seat)

    def _start_asked(self, number: int, event: event_types.StartAsked) -> None:
        self.starting = True

    def _started(self, number: int, event: event_types.Started) -> None:
        self.phase, self.starting = PLAYING, False
        self.dice_words = self.lines_of(event)
        self.dice.finish()
        self.playthrough = Playthrough(self.start_state(), self.players)
        self.times.begin(event.at)
        self._run_clocks(event.at)

    def _run_clocks(self, at: float, mover: int | None = None, shown: float = 0.0) -> None:
        """Let the clocks of the people run who may act now, from the end of what is being shown."""
        if self.clock.kind != "none":
            people = [seat for seat in self.to_act if not self.seats[seat].played_by]
            self.clock_state.turn(at, people, mover, max(shown, self.show_time.until))

    def _moved(self, number: int, event: event_types.Moved, played: Played | None) -> None:
        self.times.note_move(number, event.seat, event.at)
        self.show_time.begin(max(event.at, event.shown))
        self._step(number, event.at, event.move, event.seat, played, event.by)
        self.take_back = self.refused_by = None  # answers were given to another game than this one
        self.end_questions.refusal = None
        self._run_clocks(event.at, event.seat, event.shown)

    def _drawn(self, number: int, event: event_types.Drawn, played: Played | None) -> None:
        self._step(number, event.at, event.outcome, CHANCE, played)
        self.drawn = event.counter + 1
        self._run_clocks(event.at)

    def _step(self, number: int, at: float, move: int, seat: int, played: Played | None, by: str | None = None) -> None:
        """Add a step to the game and show it to its viewers."""
        assert self.playthrough is not None
        events = self.playthrough.add(number, move, seat, played, by)
        self._show_step(number, events)
        self.show_time.add(self.game, events.public)
        # while several seats choose at once, a hidden choice changes nothing for those still choosing
        self.times.change(number, at, self.playthrough.steps[-1].choosing)

    def _show_step(self, number: int, events: StepEvents) -> None:
        """Let each viewer see what they may see of a step."""
        shared = [Seen(number, event) for event in events.public]
        for viewer, seen in enumerate(self._seen):
            own = events.private.get(viewer)
            seen.extend(shared if own is None else [Seen(number, event) for event in own])

    def _take_back_asked(self, number: int, event: event_types.TakeBackAsked) -> None:
        self.take_back, self.refused_by = TakeBackRequest(event.seat, number, event.at, {}, event.told), None
        self._tell_question(number, "take_back_asked", event.seat)

    def _tell_question(self, number: int, key: str, seat: int | None = None) -> None:
        """Let each viewer see what happens to a question about a move."""
        if self.take_back is not None and self.take_back.told:
            self._show(number, key, seat)

    def _take_back_answered(self, number: int, event: event_types.TakeBackAnswered) -> None:
        if self.take_back is not None:
            self.take_back.answers[event.seat] = event.yes
            if not event.yes:
                is_withdrawn = event.seat == self.take_back.seat
                self._tell_question(number, "take_back_withdrawn" if is_withdrawn else "take_back_refused", event.seat)
                self.refused_by = None if is_withdrawn else (self.take_back.seat, event.seat)
                self._deny(withdrawn=is_withdrawn)

    def _take_back_lapsed(self, number: int, event: event_types.TakeBackLapsed) -> None:
        if self.take_back is not None:
            self.refused_by = self.take_back.seat, None
        self._tell_question(number, "take_back_lapsed")
        self._deny()

    def _deny(self, withdrawn: bool = False) -> None:
        """Close the question; unless it was withdrawn, for the first time, the move cannot be taken back any more."""
        last = self.last_move(self.take_back.seat) if self.take_back is not None else None
        if last is not None:
            move = self.steps[last[1]].number
            kept = self._withdrawn if withdrawn and move not in self._withdrawn else self.denied
            kept.add(move)
        self.take_back = None

    def _taken_back(self, number: int, event: event_types.TakenBack) -> None:
        assert self.playthrough is not None
        undone, later = set(event.numbers), self.steps[self.playthrough.place_of(min(event.numbers)) :]
        own = max(step.number for step in later if step.number in undone and step.seat == event.seat)
        self.voided[event.seat] += self.playthrough.take_back(event.numbers, event.seat)
        self.taken_back[event.seat] += 1
        self.granted[event.seat] += event.granted or self.take_back is not None
        self.take_back = None
        self.show_time.cut(event.at)
        self.times.change(number, event.at)
        self._show(number, "taken_back", event.seat)
        self._run_clocks(event.at)
        self.times.limit_after_take_back(own, event.seat, event.pays)

    def _resigned(self, number: int, event: event_types.Resigned) -> None:
        self.seats[event.seat].resigned = True
        if event.level:
            self._lent(number, event, "resigned")
        else:
            self._show(number, "gave_up", event.seat)

    def _about_end(self, number: int, event: EndEvent) -> None:
        self._show(number, *self.end_questions.apply(number, event))

    def _seat_lent(self, number: int, event: event_types.SeatLent) -> None:
        self.times.note_lent(event.seat, event.at)
        self.seats[event.seat].lender = event.by
        self._lent(number, event, "seat_lent")

    def _time_over(self, number: int, event: event_types.TimeOver) -> None:
        self.times.note_time_over(event.seat)
        self.seats[event.seat].late = True
        self.seats[event.seat].lender = None
        self._lent(number, event, "time_over")

    def _paused(self, number: int, event: event_types.Paused) -> None:
        self.times.pause(event.since, event.at)
        if self.take_back is not None:
            self.take_back.at += pause_after(self.take_back.at, event.since, event.at)
        self.end_questions.pause(event.since, event.at)
        self.dice.asked_at += pause_after(self.dice.asked_at, event.since, event.at)
        if self.clock_state.running:
            self._show(number, "paused", seconds=round(event.at - event.since))

    def _lent(
        self, number: int, event: event_types.Resigned | event_types.SeatLent | event_types.TimeOver, key: str
    ) -> None:
        self.seats[event.seat].lent = event.level
        if self.take_back is not None and (
            self.take_back.seat == event.seat or not isinstance(event, event_types.SeatLent)
        ):
            self.take_back = None  # the people whom it was asked are others now
        if not isinstance(event, event_types.SeatLent):
            self.end_questions.open = None
        self._show(number, key, event.seat)
        self._run_clocks(event.at)

    def _seat_returned(self, number: int, event: event_types.SeatReturned) -> None:
        self.seats[event.seat].lent = None
        self.seats[event.seat].late = False
        self.seats[event.seat].lender = None
        self.times.note_returned(event.seat, event.at)
        self._show(number, "seat_returned", event.seat)
        self._run_clocks(event.at)
        self.times.limit_after_return(event.seat, event.at, event.pays)

    def _chatted(self, number: int, event: event_types.Chatted | event_types.Reacted) -> None:
        seat = self.seat_of(event.by)
        is_lent = seat is not None and self.seats[seat].lent is not None
        reaction = event.reaction if isinstance(event, event_types.Reacted) else None
        text = event.text if isinstance(event, event_types.Chatted) else REACTIONS.get(event.reaction, ERASED).text
        self.talk.add_line(number, event.at, event.by, seat, event.name, text, is_lent, reaction)

    def _renamed(self, number: int, event: event_types.Renamed) -> None:
        self.participants.add(event.by, event.name)
        self.is_renamed |= self.phase == PLAYING
        if (seat := self.seat_of(event.by)) is not None:
            self.seats[seat].name = event.name

    def _muted(self, number: int, event: event_types.Muted) -> None:
        self.talk.mute(event.by, event.guest, event.on)

    def _ended(self, number: int, event: event_types.Ended) -> None:
        self.phase, self.secret, self.ending, self.take_back = FINISHED, event.secret, event.reason, None
        self.end_questions.open = None
        if event.reason == "abandoned":
            self._show(number, "abandoned")
        self._run_clocks(event.at)

    def _called_off(self, number: int, event: event_types.CalledOff) -> None:
        self._show(number, "called_off", event.seat)

    def _rematched(self, number: int, event: event_types.Rematched) -> None:
        self.rematch = event.table

    def _show(self, number: int, key: str, seat: int | None = None, **facts: int) -> None:
        """Let each viewer see something that happened to the table itself."""
        shown = Seen(number, Event(key, {**facts} if seat is None else {"seat": seat, **facts}))
        for seen in self._seen:
            seen.append(shown)


APPLY: dict[type, Callable[[Table, int, Any], None]] = {
    event_types.Created: Table._created,
    event_types.Sat: Table._sat,
    event_types.Stood: Table._stood,
    event_types.BotAdded: Table._bot_added,
    event_types.BotRemoved: Table._stood,
    event_types.WordGiven: Table._word_given,
    event_types.WordCommitted: Table._about_words,
    event_types.WordsAsked: Table._about_words,
    event_types.WordOpened: Table._about_words,
    event_types.WordsFailed: Table._about_words,
    event_types.WordsMissing: Table._about_words,
    event_types.StartAsked: Table._start_asked,
    event_types.Started: Table._started,
    event_types.TakeBackAsked: Table._take_back_asked,
    event_types.TakeBackAnswered: Table._take_back_answered,
    event_types.TakeBackLapsed: Table._take_back_lapsed,
    event_types.TakenBack: Table._taken_back,
    event_types.Resigned: Table._resigned,
    event_types.SeatLent: Table._seat_lent,
    event_types.SeatReturned: Table._seat_returned,
    event_types.TimeOver: Table._time_over,
    event_types.Paused: Table._paused,
    event_types.Chatted: Table._chatted,
    event_types.Reacted: Table._chatted,
    event_types.Renamed: Table._renamed,
    event_types.Muted: Table._muted,
    event_types.Removed: Table._removed,
    event_types.Banned: Table._banned,
    event_types.AccessChanged: Table._access_changed,
    event_types.HostPassed: Table._host_passed,
    event_types.SeatFreed: Table._seat_freed,
    event_types.Closed: Table._closed,
    event_types.EndAsked: Table._about_end,
    event_types.EndAnswered: Table._about_end,
    event_types.EndLapsed: Table._about_end,
    event_types.EndAgreed: Table._about_end,
    event_types.CalledOff: Table._called_off,
    event_types.Ended: Table._ended,
    event_types.Rematched: Table._rematched,
}
