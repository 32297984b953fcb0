"""Any command may come at any time: what is refused changes nothing, and the log makes the same table again."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from in_memory_table import PEOPLE, Sitting
from sarai.core.kernels.compile import COMPILED
from sarai.core.records import from_json
from sarai.table import commands, log
from sarai.table.clock import ClockRule
from sarai.table.decide import changes
from sarai.table.fairness import check
from sarai.table.refusals import Refused
from sarai.table.table import Table

SEATS = st.integers(-1, 4)
LEVELS = st.sampled_from(["random", "regular", "genius"])
TEXTS = st.sampled_from(["hello", "", "<b>", "a\u202eb", "x" * 400])
BEFORE = st.one_of(
    st.builds(commands.Sit, st.none() | SEATS),
    st.just(commands.Stand()),
    st.builds(commands.AddBot, st.none() | SEATS, LEVELS),
    st.builds(commands.RemoveBot, SEATS),
    st.builds(commands.GiveWord, TEXTS),
    st.just(commands.Start()),
)
PLAYING = st.one_of(
    st.builds(commands.Move, st.integers(-2, 110)),
    st.just(commands.AskBack()),
    st.builds(commands.AnswerBack, st.booleans()),
    st.just(commands.Resign()),
    st.builds(commands.Lend, SEATS, LEVELS),
    st.just(commands.Return()),
)
TALK = st.one_of(
    st.builds(commands.Chat, TEXTS),
    st.builds(commands.Mute, st.integers(-1, 4), st.booleans()),
    st.just(commands.Rematch()),
)
LATER = st.sampled_from([0.0, 1.0, 30.0])


def held(table):
    """Return everything a table holds, as plain text."""
    left_out = ("_last_moves", "game", "state", "clock_state")
    parts = {name: repr(value) for name, value in vars(table).items() if name not in left_out}
    return parts | {
        "state": table.state and table.state.text(),
        "clock": repr(vars(table.clock_state)),
        "back": repr([last and last[1] for last in table._last_moves]),
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
            assert len(self.sitting.entries) > entries

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
            self.sitting.happen(changes(log.TimeOver(self.sitting.now, late, "regular")))

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
