"""A game that brings no policy still has its random seat and its plain tree search."""

import dataclasses
import sys

import numpy as np
import pytest

import sarai
from sarai.bots import ladder, plain

KIT = "from sarai.games.sixnimmt.definition import KIT\n"


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """6 nimmt! as a package of somebody else who wrote no policy."""
    folder = tmp_path / "bare_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "kit.py").write_text(KIT)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield dataclasses.replace(sarai.game("sixnimmt"), id="bare", kit_path="bare_game.definition:KIT")
    for name in [name for name in sys.modules if name.startswith("bare_game")]:
        del sys.modules[name]


def test_a_game_without_a_policy_has_a_random_seat_and_plain_search(bare, monkeypatch):
    given = {}
    monkeypatch.setattr(ladder, "register_policy", lambda state, **kernels: given.update(kernels, state=state))
    assert list(ladder.plans(bare)) == ["random", "uct"]
    assert given == {"state": bare.definition.state, "weigh": plain.weigh, "estimate": plain.estimate}


def test_a_policy_that_cannot_be_imported_is_not_taken_for_none(bare, tmp_path):
    (tmp_path / "bare_game" / "policy.py").write_text("import no_such_module\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        ladder.plans(bare)


def test_all_moves_and_all_seats_look_alike():
    cell = sarai.game("sixnimmt").start(4)._cell
    weights, shares = np.ones(3), np.zeros(4)
    plain.weigh(cell[0], 0, np.arange(3), 3, weights)
    plain.estimate(cell[0], shares)
    assert weights.tolist() == [0.0] * 3
    assert shares.tolist() == [0.25] * 4
