"""A game without a `policy` module still has every level: tree search that knows nothing but the rules."""

import dataclasses
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import sarai
from sarai.bots import LEVELS, Budget, bot, named_bots
from sarai.bots.named_bots import first_choice
from sarai.core.kernels.compile import COMPILED
from sarai.core.result import CHANCE, OVER

DEFINITION = "from sarai.games.sixnimmt.definition import DEFINITION\n"


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """6 nimmt! as a package from elsewhere that has no policy."""
    folder = tmp_path / "bare_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "definition.py").write_text(DEFINITION)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield dataclasses.replace(sarai.game("sixnimmt"), id="bare", package="bare_game")
    for name in [name for name in sys.modules if name.startswith("bare_game")]:
        del sys.modules[name]


def test_a_game_without_a_policy_has_every_level_by_plain_search(bare, monkeypatch):
    given = {}
    monkeypatch.setattr(named_bots, "POLICIES", {})
    monkeypatch.setattr(named_bots, "register_policy", lambda state, **kernels: given.update(kernels, state=state))
    plans = named_bots.plans(bare)
    assert list(plans) == [*LEVELS, "uct"]
    assert all(plan.search == "tree" and plan.temperature == 0 for plan in list(plans.values())[1:])
    simulations = [plans[level].budget.simulations for level in LEVELS[1:]]
    assert simulations == sorted(set(simulations))
    assert given == {
        "state": bare.definition.state,
        "weigh": named_bots.weigh_uniformly,
        "estimate": named_bots.estimate_evenly,
    }


def test_a_game_without_a_policy_does_not_replace_one_that_is_registered(bare, monkeypatch):
    named_bots.plans(sarai.game("sixnimmt"))
    monkeypatch.setattr(named_bots, "register_policy", None)
    named_bots.plans(bare)


def test_bots_of_a_game_without_a_policy_play(bare):
    state = bare.start(2)
    while state.actor == sarai.CHANCE:
        state = state.play(state.chance()[0][0])
    view = state.view(0)
    for level in LEVELS:
        assert bot(bare, level, seed=1).choose(view, Budget(simulations=50 if COMPILED else 2)) in view.legal()


def test_a_policy_that_cannot_be_imported_is_not_taken_for_none(bare, tmp_path):
    (tmp_path / "bare_game" / "policy.py").write_text("import no_such_module\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        named_bots.plans(bare)


def test_all_moves_and_all_seats_are_worth_the_same():
    cell = sarai.game("sixnimmt").start(4)._cell
    weights, shares = np.ones(3), np.zeros(4)
    named_bots.weigh_uniformly(cell[0], 0, np.arange(3), 3, weights)
    named_bots.estimate_evenly(cell[0], shares)
    assert weights.tolist() == [0.0] * 3
    assert shares.tolist() == [0.25] * 4


class LateChoice:
    """A state of a game in which chance decides whether anybody ever has a choice; a stand-in for a `State`."""

    def __init__(self, path=()):
        self.path = path

    @property
    def actor(self):
        return (CHANCE, 0, OVER)[len(self.path)]

    def chance(self):
        return [(0, Fraction(9, 10)), (1, Fraction(1, 10))]

    def legal(self, seat=None):
        return [0, 1] if self.path == (1,) else [0]

    @property
    def to_act(self):
        return [0]

    def play(self, move, seat):
        return LateChoice((*self.path, move))

    def view(self, seat):
        return self.path


def test_a_choice_is_found_though_most_games_have_none():
    game = SimpleNamespace(id="late", players=[2], start=lambda _: LateChoice())
    assert first_choice(game) == (1,)
    without = SimpleNamespace(id="none", players=[2], start=lambda _: LateChoice((0,)))
    assert first_choice(without) == (0,), "who never has a choice has a turn"
