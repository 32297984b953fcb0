"""A golden playthrough is kept for every game × {fewest, middle, most} players × variant, and replays to the letter.

`SARAI_WRITE_GOLDENS=1` writes those that are missing; delete one that changed by hand first, and look at it.
"""

import os
from pathlib import Path

import pytest

import sarai
from sarai.core.kernels.compile import COMPILED
from sarai.testing import variants
from sarai.testing.generators import play_lively
from sarai.testing.golden_playthroughs import replay_playthrough, write_playthrough

FOLDER = Path(__file__).parents[1] / "goldens"


def wanted() -> list[tuple[str, int, dict[str, object], str]]:
    cases = []
    for id in sarai.game_ids():
        counts = sarai.game(id).players
        for players in sorted({counts[0], counts[len(counts) // 2], counts[-1]}):
            for options in variants(sarai.game(id), players):
                suffix = "".join(f"-{name}-{value}" for name, value in options.items())
                cases.append((id, players, options, f"{id}-{players}{suffix}.txt"))
    return cases


@pytest.mark.parametrize(
    ("id", "players", "options", "name"),
    wanted(),
    ids=lambda value: value if isinstance(value, str) and value.endswith(".txt") else "",
)
def test_golden(id, players, options, name):
    game, path = sarai.game(id), FOLDER / name
    if not path.exists() and os.environ.get("SARAI_WRITE_GOLDENS"):
        path.write_text(write_playthrough(play_lively(game, players, options, seed=players)), encoding="utf-8")
    assert path.exists(), f"the golden playthrough {name} is missing"
    if COMPILED or players == game.players[0]:
        text = path.read_text(encoding="utf-8")
        assert write_playthrough(replay_playthrough(game, players, options, text)) == text


def test_no_golden_is_left_over():
    assert {path.name for path in FOLDER.iterdir()} == {name for *_, name in wanted()}


def test_goldens_are_whole_games():
    for *_, name in wanted():
        assert "result: Result(scores=" in (FOLDER / name).read_text(encoding="utf-8")
