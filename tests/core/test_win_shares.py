"""What a standing is worth: the win alone, or the ranks behind it too."""

import numpy as np
import pytest

from sarai.core.policy.win_shares import share_likely, share_out
from sarai.core.registry import game as find


def ended(heads: list[int]) -> np.ndarray:
    """Return a game of 6 nimmt! whose players ended with so many bull heads."""
    cell = find("sixnimmt").start(len(heads))._cell.copy()
    cell["heads"][0, : len(heads)] = heads
    return cell


def shares(heads: list[int], rank_weight: float) -> list[float]:
    """Share out what players with so many heads have in the end."""
    standings, out = np.zeros(len(heads), np.int64), np.zeros(len(heads))
    share_out(ended(heads)[0], rank_weight, standings, out)
    return [round(float(share), 12) for share in out]


def likely(worth: list[float], spread: float, rank_weight: float) -> list[float]:
    """Share out what is likely for players who are worth so much."""
    out = np.array(worth)
    share_likely(len(worth), spread, rank_weight, out)
    return [float(share) for share in out]


def test_the_best_share_the_win() -> None:
    assert shares([30, 10, 20, 70], 0.0) == [0, 1, 0, 0]
    assert shares([10, 10, 20, 70], 0.0) == [0.5, 0.5, 0, 0]


def test_ranks_are_shared_by_how_many_seats_are_behind() -> None:
    assert shares([30, 10, 20, 70], 1.0) == [round(1 / 6, 12), 0.5, round(2 / 6, 12), 0]
    assert shares([10, 10, 20, 70], 1.0) == [round(2.5 / 6, 12)] * 2 + [round(1 / 6, 12), 0]
    assert shares([30, 10, 20, 70], 0.5) == [round(1 / 12, 12), 0.75, round(1 / 6, 12), 0]


@pytest.mark.parametrize("rank_weight", [0.0, 0.5, 1.0])
def test_shares_are_those_of_one_whole(rank_weight: float) -> None:
    for worth in ([5.0, 3.0], [1.0, 1.0, 9.0], [40.0, -40.0, 0.0, 3.0, 3.5], [0.0, 900.0, -400.0]):
        found = likely(worth, 2.5, rank_weight)
        assert sum(found) == pytest.approx(1.0) and min(found) >= 0.0
        assert sorted(range(len(worth)), key=lambda seat: worth[seat]) == sorted(
            range(len(worth)), key=lambda seat: found[seat]
        )


def test_ranks_make_no_difference_for_two() -> None:
    assert shares([10, 30], 1.0) == shares([10, 30], 0.0) == [1, 0]
    assert likely([3.0, 1.0], 2.0, 1.0) == pytest.approx(likely([3.0, 1.0], 2.0, 0.0))


@pytest.mark.parametrize("rank_weight", [0.0, 0.5, 1.0])
def test_what_is_nearly_certain_is_shared_as_in_the_end(rank_weight: float) -> None:
    heads = [30, 10, 10, 70]
    assert likely([-float(count) for count in heads], 0.1, rank_weight) == pytest.approx(shares(heads, rank_weight))
