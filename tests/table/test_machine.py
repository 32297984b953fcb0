"""Any command may come at any time: what is refused changes nothing, and the log makes the same table again."""

from collections import Counter

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from in_memory_table import PEOPLE, SECRET, Sitting
from sarai.core.kernels.compile import COMPILED
from sarai.core.records import from_json
from sarai.table import commands, event_types
from sarai.table.clock import DAY, ClockRule
from sarai.table.decide import changes, decide, is_replaced
from sarai.table.decide_dice_words import end_waiting
from sarai.table.dice_proof import check
from sarai.table.dice_word_commitments import GivenWord
from sarai.table.refusals import Refused
from sarai.table.service.presence import Presence
from sarai.table.service.room import Room
from sarai.table.table import Table
from sarai.table.takeback import is_lapsed

SEATS = st.integers(-1, 4)
LEVELS = st.sampled_from(["random", "regular", "genius"])
TEXTS = st.sampled_from(["hello", "", "<b>", "a\u202eb", "x" * 400])
DIGESTS = st.sampled_from([*(GivenWord(seat, "0a" * 16, "hello").commitment for seat in range(3)), "ab" * 32, "no", ""])
BEFORE = st.one_of(
    st.builds(commands.Sit, st.none() | SEATS),
    st.just(commands.Stand()),
    st.builds(commands.AddBot, st.none() | SEATS, LEVELS),
    st.builds(commands.RemoveBot, SEATS),
    st.builds(commands.GiveWord, TEXTS),
    st.builds(commands.CommitWord, DIGESTS),
    st.builds(commands.OpenWord, st.sampled_from(["0a" * 16, "0b" * 16, "", "x"]), TEXTS),
    st.just(commands.Start()),
)
PLAYING = st.one_of(
    st.builds(commands.Move, st.integers(-2, 110)),
    st.just(commands.AskBack()),
    st.builds(commands.AnswerBack, st.booleans()),
    st.builds(commands.CallOff, SEATS),
    st.just(commands.Resign()),
    st.builds(commands.Lend, SEATS, LEVELS),
    st.just(commands.Return()),
)
TALK = st.one_of(
    st.builds(commands.Chat, TEXTS),
    st.builds(commands.Mute, st.integers(-1, 4), st.booleans()),
    st.just(commands.Rematch()),
)
GUESTS = st.integers(-1, 4)
HOSTING = st.one_of(
    st.builds(commands.RemovePerson, SEATS),
    st.builds(commands.Ban, GUESTS, st.booleans()),
    st.builds(commands.ChangeAccess, st.none() | st.booleans(), st.none() | st.booleans(), st.none() | st.just("off")),
    st.builds(commands.ChangeAccess, st.just(False), st.just(True), st.just("all")),
    st.builds(commands.PassHost, GUESTS),
    st.builds(commands.FreeSeat, SEATS),
    st.just(commands.Close()),
)
LATER = st.sampled_from([0.0, 1.0, 30.0, 700_000.0])


def held(table):
    """Return everything a table holds, as plain text."""
    left_out = ("game", "playthrough", "times")
    parts = {name: repr(value) for name, value in vars(table).items() if name not in left_out}
    return parts | {
        "state": table.state and table.state.text(),
        "steps": repr((table.steps, table.history)),
        "times": repr(vars(table.times) | {"clock": vars(table.clock_state)}),
        "back": repr([last and last[1] for last in map(table.last_move, range(table.players))]),
    }


class Anything(RuleBasedStateMachine):
    """A table of three at which anything is tried."""

    @initialize(
        clock=st.sampled_from([ClockRule(), ClockRule("live", 1, 2), ClockRule("days", days=1)]),
        people=st.integers(0, 3),
    )
    def lay(self, clock, people):
        self.sitting = Sitting(players=3, options={"rounds": 1}, clock=clock)
        if people:
            self.sitting.begin(people)

    @rule(person=st.sampled_from(PEOPLE[:4]), command=BEFORE, later=LATER)
    def gather(self, person, command, later):
        self.ask(person, command, later)

    @rule(person=st.sampled_from(PEOPLE[:4]), command=PLAYING, later=LATER)
    def take_part(self, person, command, later):
        self.ask(person, command, later)

    @rule(person=st.sampled_from(PEOPLE[:4]), command=HOSTING, later=LATER)
    def decide_as_host(self, person, command, later):
        host = self.sitting.table.host
        self.ask(person, command, later)
        changed = self.sitting.entries[-1][1]
        if isinstance(
            changed,
            (
                event_types.Removed,
                event_types.Banned,
                event_types.AccessChanged,
                event_types.HostPassed,
                event_types.Closed,
            ),
        ):
            assert changed.by == host or changed.at < self.sitting.now

    @rule(person=st.sampled_from(PEOPLE[:4]), command=TALK, later=LATER)
    def talk(self, person, command, later):
        self.ask(person, command, later)

    @rule(seat=st.integers(0, 2), answers=st.lists(st.sampled_from([True, True, False]), min_size=2, max_size=2))
    def take_back(self, seat, answers):
        """Somebody wants to take back a move, and the others answer."""
        self.ask(PEOPLE[seat], commands.AskBack(), 0.0)
        for other, yes in zip([other for other in range(3) if other != seat], answers, strict=True):
            self.ask(PEOPLE[other], commands.AnswerBack(yes), 0.0)

    def ask(self, person, command, later):
        before, entries = held(self.sitting.table), len(self.sitting.entries)
        try:
            self.sitting.do(person, command, later)
        except Refused as refused:
            status, reason = refused.status, str(refused)
            assert held(self.sitting.table) == before
            assert len(self.sitting.entries) == entries
            assert status in (403, 404, 409, 422, 429)
            assert reason
        else:
            assert len(self.sitting.entries) > entries or isinstance(command, commands.Mute)

    @rule(pick=st.integers(0, 1000), many=st.integers(1, 12))
    def play(self, pick, many):
        """Bots and people play on, so that games get somewhere."""
        table = self.sitting.table
        for number in range(many):
            if table.phase == "playing":
                seat = table.to_act[(pick + number) % len(table.to_act)]
                moves = table.state.legal(seat)
                try:
                    self.sitting.move(moves[pick % len(moves)], seat)
                except Refused as refused:
                    key = refused.key
                    assert key == "time_over"
                    break

    @rule()
    def time(self):
        """The house looks at the clocks."""
        table = self.sitting.table
        due = table.clock_state.due
        if due is not None and due <= self.sitting.now:
            late = next(seat for seat in sorted(table.clock_state.running) if table.clocks(self.sitting.now)[seat] <= 0)
            self.sitting.happen(changes(event_types.TimeOver(self.sitting.now, late, "regular")))
        if late_words := end_waiting(table, self.sitting.now):
            self.sitting.happen(late_words)

    @invariant()
    def numbers_grow_by_one(self):
        if hasattr(self, "sitting"):
            assert [number for number, _ in self.sitting.entries] == list(range(1, self.sitting.table.number + 1))
            assert self.sitting.table.state is None or self.sitting.table.phase == "over" or self.sitting.table.to_act

    def teardown(self):
        if hasattr(self, "sitting"):
            table = self.sitting.table
            again = Table.fold(table.id, self.sitting.entries)
            assert held(again) == held(table)
            for seat in (None, 0, 2):
                assert again.seen(seat) == table.seen(seat)
                assert again.record(seat) == table.record(seat)
            if table.phase == "over":
                check(from_json(table.record(None)))


def test_anything_may_be_asked():
    run_state_machine_as_test(
        Anything,
        settings=settings(
            max_examples=150 if COMPILED else 10,
            stateful_step_count=40 if COMPILED else 15,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            derandomize=True,
        ),
    )


# --- whose affair it is -----------------------------------------------------------------------------------------------

MINUTE, WEEK = 60.0, 7 * DAY
WHO = st.sampled_from([*PEOPLE[:3], *PEOPLE[:4]])  # the last has no seat
SEAT = st.integers(0, 2)
DOING = st.one_of(
    st.sampled_from([commands.AskBack(), commands.Return(), commands.Return(), commands.Chat("x"), commands.Resign()]),
    st.builds(commands.Lend, SEAT),
    st.builds(commands.Move, st.integers(-1, 110)),
)


HAPPENED = Counter()  # what the machine below came across


class NotTheirs(RuleBasedStateMachine):
    """A table of three, people who come and go, a house that is started anew: nobody decides what is not theirs.

    What happened is judged by the log and by when people were really here, not by what the table made of it.
    """

    @initialize(
        game=st.sampled_from(["sixnimmt", "camelup-2014"]),
        clock=st.sampled_from([*[ClockRule()] * 3, ClockRule("live", 60, 2), ClockRule("days", days=1)]),
        people=st.sampled_from([1, 2, 3, 3, 3]),
    )
    def lay(self, game, clock, people):
        self.sitting = Sitting(game, 3, {"rounds": 1} if game == "sixnimmt" else None, clock).begin(people)
        self.pages = Counter()
        self.here = dict.fromkeys((person.id for person in PEOPLE), self.sitting.now)  # when each was last here
        self.waiting = dict.fromkeys(range(3), self.sitting.now)  # since when each seat has been to act
        self.questions = []
        self.restart()

    @property
    def table(self):
        return self.sitting.table

    @rule()
    def restart(self):
        """The house forgets who is here, and reads the log."""
        self.sitting.table = Table.fold(self.table.id, self.sitting.entries)
        self.room = Room(self.table, SECRET, self.sitting.now)
        self.presence = Presence(lambda: self.sitting.now)
        self.pages.clear()

    @rule(seconds=st.sampled_from([16.0, 10 * MINUTE, DAY, 8 * DAY]), unseen=st.sampled_from([0.0, 5.0, 15.0]))
    def close(self, seconds, unseen):
        """The house is closed, its last heartbeat some seconds before that: no clock and no waiting time goes on."""
        if self.table.phase != "playing":
            return
        before, ages = self.sitting.now, self.ages()
        self.sitting.now += seconds
        self.here = {person: at + seconds for person, at in self.here.items()}
        self.waiting = {seat: at + seconds for seat, at in self.waiting.items()}
        self.sitting.happen(changes(event_types.Paused(self.sitting.now, before - unseen)))
        self.restart()
        for age, old in zip(self.ages(), ages, strict=True):
            assert old - unseen - 0.001 <= age <= old + 0.001, "that time is nobody's"
        HAPPENED["closed"] += 1

    def ages(self):
        """Return how long everything has lasted that ends by itself, or that others may end."""
        table, now = self.table, self.sitting.now
        times = [-left for left in table.clocks(now) or []]
        times += [now - table.decision_since(seat) for seat in range(3)]
        return [*times, *([now - table.take_back.at] if table.take_back is not None else [])]

    @rule(person=WHO)
    def come(self, person):
        """Somebody opens the table's page; whose seat was taken over has it at once, or after a move that came late."""
        self.pages[person.id] += 1
        self.presence.arrive(person.id)
        self.here[person.id] = self.sitting.now
        if is_replaced(self.table, person):
            seat = self.table.seat_of(person.id)
            assert self.ask(person, commands.Return()) or self.is_late(seat)
            assert not self.table.seats[seat].lent or self.is_late(seat)

    def is_late(self, seat):
        """Say, by the log, whether a seat let its days for the move pass that it has still to make."""
        of_seat = [event for _, event in self.sitting.entries if getattr(event, "seat", None) == seat]
        moves = [event for event in of_seat if isinstance(event, event_types.Moved | event_types.TimeOver)]
        return self.table.clock.kind == "days" and bool(moves) and isinstance(moves[-1], event_types.TimeOver)

    @rule(person=WHO)
    def go(self, person):
        if self.pages[person.id]:
            self.pages[person.id] -= 1
            self.presence.leave(person.id)
            self.here[person.id] = self.sitting.now

    @rule(seconds=st.sampled_from([1.0, 30.0, MINUTE + 1, 5 * MINUTE]))
    def wait(self, seconds):
        """Time passes; browsers with a page say that they are still there, and the house looks at its clocks."""
        self.sitting.now += seconds
        for person in +self.pages:
            self.presence.saw(person)
            self.here[person] = self.sitting.now
        table, now = self.table, self.sitting.now
        while (due := table.clock_state.due) is not None and due <= now and table.phase == "playing":
            late = next(seat for seat in sorted(table.clock_state.running) if table.clocks(now)[seat] <= 0)
            self.store(changes(event_types.TimeOver(now, late, "regular")))
        if table.take_back is not None and is_lapsed(table.take_back, now):
            self.store(changes(event_types.TakeBackLapsed(now)))

    @rule(pick=st.integers(0, 1000), many=st.integers(1, 4))
    def play(self, pick, many):
        for number in range(many):
            if self.table.phase == "playing":
                seat = self.table.to_act[(pick + number) % len(self.table.to_act)]
                moves = self.table.state.legal(seat)
                move = moves[pick % len(moves)]
                if self.table.seats[seat].played_by:
                    if seat in self.table.bots_to_act:
                        self.sitting.move(move, seat)
                        self.look()
                else:
                    self.ask(PEOPLE[seat], commands.Move(move))

    @rule(person=WHO, command=DOING)
    def take_part(self, person, command):
        self.ask(person, command)

    @rule(
        person=WHO,
        seat=st.sampled_from([None, None, 0, 1, 2]),
        minutes=st.sampled_from([2, 10, 11, 1440, 7 * 1440, 7 * 1440]),
    )
    def lose_patience(self, person, seat, minutes):
        """Somebody waits for another, and then lends the seat or wants to end the game."""
        self.wait(minutes * MINUTE)
        if seat is None and self.table.to_act:  # the one to whom it matters
            seat = self.table.to_act[0]
            person = PEOPLE[(seat + 1) % 3]
        if seat is not None:
            self.ask(person, commands.Lend(seat) if minutes < 1440 else commands.CallOff(seat))

    @rule(person=WHO, asker=SEAT, yes=st.sampled_from([True, True, False]), back=st.integers(0, 3))
    def answer(self, person, asker, yes, back):
        """Somebody answers a question, perhaps an earlier one."""
        if self.table.take_back is None:
            self.ask(PEOPLE[asker], commands.AskBack())
        question = self.questions[-1 - back] if back < len(self.questions) else None
        before = self.table.take_back
        done = self.ask(person, commands.AnswerBack(yes, question))
        assert not done or (before is not None and (before.number == question or not yes))

    @rule(
        seat=SEAT,
        pick=st.integers(0, 100),
        moves=st.integers(0, 4),
        answers=st.lists(st.sampled_from([True, True, True, False]), min_size=2, max_size=2),
        moves_between=st.booleans(),
    )
    def take_back(self, seat, pick, moves, answers, moves_between):
        """The game goes on for a while, somebody wants to take back a move, and others answer or play on."""
        self.play(pick, moves)
        self.ask(PEOPLE[seat], commands.AskBack())
        for other, yes in zip([other for other in range(3) if other != seat], answers, strict=True):
            if self.table.take_back is not None:
                self.ask(PEOPLE[other], commands.AnswerBack(yes, self.table.take_back.number))
                if moves_between:
                    self.play(pick, 1)

    def ask(self, person, command):
        """Send a command as the house takes it; say whether it was carried out."""
        self.presence.saw(person.id)
        now, table = self.sitting.now, self.table
        self.judged, was_here = list(table.steps), dict(self.here)
        self.here[person.id] = now
        try:
            decided = decide(table, command, person, now)
            if isinstance(command, commands.Lend):
                self.room.require_lendable(command.seat, person.id, self.presence, now)
        except Refused as refused:
            HAPPENED[refused.key] += 1
            return False
        assert table.seat_of(person.id) is not None or isinstance(command, commands.Chat), "who watches changes nothing"
        played_by = [seat.played_by for seat in table.seats]
        for event, _ in decided:
            self.judge(event, person, was_here, decided)
            if isinstance(event, event_types.Moved):
                assert event.by == person.id == table.seats[event.seat].person
                assert not played_by[event.seat] or isinstance(decided[0].event, event_types.SeatReturned)
        self.sitting.happen(decided)
        self.look()
        if isinstance(decided[-1].event, event_types.TakenBack) and len(decided[-1].event.numbers) > 1:
            assert not (table.steps and table.steps[-1].choosing), "nobody chooses again knowing the cards of others"
        return True

    def store(self, decided):
        self.sitting.happen(decided)
        self.look()

    def look(self):
        """Note since when seats have been to act, and which questions there were."""
        for seat in range(3):
            if seat not in self.table.to_act or self.table.seats[seat].played_by:
                self.waiting[seat] = self.sitting.now
        if self.table.take_back is not None and self.table.take_back.number not in self.questions:
            self.questions.append(self.table.take_back.number)

    def judge(self, event, person, was_here, decided):
        """Check that an event that is about to happen is the person's affair, or has everybody's yes."""
        match event:
            case event_types.TakenBack():
                self.judge_undone(event, decided)
            case event_types.SeatLent() if self.table.seats[event.seat].person != person.id:
                HAPPENED["lent by others"] += 1
                owner = self.table.seats[event.seat].person
                assert self.table.clock.kind == "none"
                assert self.sitting.now - max(was_here[owner], self.waiting[event.seat]) >= 10 * MINUTE
            case event_types.CalledOff():
                HAPPENED["called off"] += 1
                assert self.table.clock.kind == "none" and self.table.seats[event.seat].person != person.id
                assert self.sitting.now - self.waiting[event.seat] >= WEEK

    def judge_undone(self, event, decided):
        """Check a take-back: who moved or saw anything has said yes to this question, after all that is undone."""
        seats = self.table.seats
        log_entries = dict(enumerate((event for event, _ in decided), self.table.number + 1))
        log_entries |= dict(self.sitting.entries)
        undone = [step for step in self.judged if step.number in event.numbers]
        others = {step.by for step in undone if step.seat != event.seat and step.by is not None}
        people = [seat for seat in seats if seat.person is not None]
        is_own = all(step.seat == event.seat and not step.reveals for step in undone)
        is_own &= not any(step.reveals or step.seat < 0 for step in self.judged if step.number > event.numbers[0])
        if not is_own and len(people) > 1:
            lost = {entry.seat for entry in log_entries.values() if isinstance(entry, event_types.Resigned)}
            if self.table.clock.kind == "live":
                lost |= {entry.seat for entry in log_entries.values() if isinstance(entry, event_types.TimeOver)}
            others |= {seat.person for number, seat in enumerate(seats) if seat in people and number not in lost}
            others.discard(seats[event.seat].person)
            HAPPENED["granted"] += 1
            assert self.table.granted[event.seat] < 3
        asked = max(
            (number for number, entry in log_entries.items() if isinstance(entry, event_types.TakeBackAsked)), default=0
        )
        agreed = {
            entry.by
            for number, entry in log_entries.items()
            if isinstance(entry, event_types.TakeBackAnswered) and entry.yes and entry.question == asked < number
        }
        if others:
            assert max(step.number for step in self.judged) < asked, "a yes is for what was there when it was asked"
            closed = sum(
                entry.at - max(entry.since, log_entries[asked].at)
                for number, entry in log_entries.items()
                if isinstance(entry, event_types.Paused) and number > asked
            )
            assert self.sitting.now - log_entries[asked].at - closed <= MINUTE + 0.001 and others <= agreed
            HAPPENED["agreed"] += 1
        HAPPENED["taken back"] += 1

    @invariant()
    def count(self):
        HAPPENED["steps"] += 1

    def teardown(self):
        if hasattr(self, "sitting"):
            assert held(Table.fold(self.table.id, self.sitting.entries)) == held(self.table)


def run_not_theirs(examples, steps, **more):
    """Let the machine run; return what it came across."""
    HAPPENED.clear()
    run_state_machine_as_test(
        NotTheirs,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            **more,
        ),
    )
    return HAPPENED


def test_nobody_decides_what_is_not_theirs():
    done = {"taken back", "agreed", "granted", "lent by others", "called off", "closed"}
    refused = {"stale", "not_away", "not_overdue", "clock_decides", "no_take_back"}
    happened = Counter()
    for number in range(10 if COMPILED else 1):
        seed(number)(NotTheirs)
        happened += run_not_theirs(60 if COMPILED else 5, 40 if COMPILED else 15, database=None)
        if number and done | refused <= happened.keys():
            break
    assert not COMPILED or done | refused <= happened.keys(), "all of this was tried"
