"""A state machine per game: Hypothesis looks for moves, refusals and round trips that break a promise."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import sarai
from sarai.core.kernels.compile import COMPILED
from sarai.testing import option_sets


class Table(RuleBasedStateMachine):
    """A table at which anything may be tried."""

    game: sarai.Game
    state: sarai.State
    record: sarai.Record

    @initialize(data=st.data())
    def start(self, data):
        players = data.draw(st.sampled_from(self.game.players), "players")
        options = data.draw(st.sampled_from(option_sets(self.game, players)), "options")
        self.record = sarai.Record.begin(self.game, players, options)
        self.state = self.record.start()

    @rule(pick=st.integers(0, 10**6), seat=st.integers(0, 9), many=st.integers(1, 12))
    def act(self, pick, seat, many):
        """Whoever may act does, several times, so that games get somewhere; when the game is over nothing happens."""
        for _ in range(many):
            if self.state.actor == sarai.CHANCE:
                outcomes = self.state.chance()
                self.state = self.record.play(self.state, outcomes[pick % len(outcomes)][0])
            elif self.state.actor != sarai.OVER:
                who = self.state.to_act[seat % len(self.state.to_act)]
                moves = self.state.legal(who)
                self.state = self.record.play(self.state, moves[pick % len(moves)], who)
            pick = pick * 31 % 999_983

    @rule(move=st.integers(-5, 1500), seat=st.integers(-3, 11))
    def try_anything(self, move, seat):
        before = self.state.text()
        may = 0 <= seat < self.state.players and move in self.state.legal(seat)
        may |= seat == sarai.CHANCE and move in [outcome for outcome, _ in self.state.chance()]
        try:
            after = self.state.play(move, seat)
        except sarai.Illegal as refused:
            reason = str(refused)
        else:
            reason = None
            assert after.players == self.state.players
        assert may == (reason is None), reason
        assert reason != ""
        assert self.state.text() == before

    @rule(seat=st.none() | st.integers(0, 9), seed=st.integers(0, 2**64))
    def look(self, seat, seed):
        seat = None if seat is None or seat >= self.state.players else seat
        view = self.state.view(seat)
        assert view.sample(seed).view(seat) == view
        assert view.legal() == ([] if seat is None else self.state.legal(seat))
        assert self.game.read_view(view.to_json()) == view

    @rule()
    def write_and_read(self):
        assert self.game.parse(self.state.text()) == self.state

    @invariant()
    def record_agrees(self):
        if hasattr(self, "record"):
            assert (self.record.result is None) == (self.state.actor != sarai.OVER)

    def teardown(self):
        if hasattr(self, "record"):
            assert self.record.check() == self.state


@pytest.mark.parametrize("id", sarai.game_ids())
def test_machine(id):
    machine = type(f"Table_{id}", (Table,), {"game": sarai.game(id)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=40 if COMPILED else 3,
            stateful_step_count=50 if COMPILED else 10,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            derandomize=True,
        ),
    )
