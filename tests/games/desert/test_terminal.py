"""The desert in a terminal shows everything a player needs, wide and narrow."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

import sarai
from games.desert.positions import ASIDE, BASE, ENCLOSED, FIRST, FIVE, OVER, PALMS, WATER
from sarai.games.desert.terminal import board

GAME = sarai.game("desert")
NAMES = ["Ann", "Bartholomew", "Çelik", "Dora", "Eve"]


def rendered(state: sarai.State, seat: int | None, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(board(state.view(seat).to_json(), NAMES[: state.players]))
    text = console.file.getvalue()
    assert all(cell_len(line) <= width for line in text.splitlines())
    return text


def row(text: str, word: str) -> list[str]:
    """Return the cells of a table's row that has a word."""
    line = next(line for line in text.splitlines() if word in line and "│" in line)
    return [cell.strip() for cell in line.split("│")]


@pytest.mark.parametrize("width", [80, 100])
def test_the_board_shows_riders_colours_water_palms_and_areas(width):
    text = rendered(GAME.parse(BASE), 0, width)
    for shown in (
        "RLI",
        "rli",
        "RMI",
        "rmi",
        "RSK",
        "BLI",
        "bli",
        "~1~",
        "~2~",
        "~3~",
        "*P*",
        "/r/",
        "▲▲▲",
        "Ann is to place 2 camels.",
    ):
        assert shown in text, shown
    assert text.count("*P*") == 5 + 1 and text.count("rli") == 2 + 1  # and once in the legend
    assert "a hex's name stands under what lies on it" in " ".join(text.split())
    assert (
        " a3" in text and "i13" in text and " s5" not in text and " v9" not in text
    )  # the hexes beyond the line are not in play
    assert row(text, "Ann")[1:8] == ["▶", "r Ann (red)", "1", "5", "1", "40", "47"]
    assert row(text, "Bartholomew")[3:8] == ["0", "0", "0", "10", "10"]


@pytest.mark.parametrize("width", [80, 100])
def test_the_piles_and_the_lengths_of_the_caravans(width):
    text = rendered(GAME.parse(BASE), None, width)
    assert "li lilac  │ 19   │ 3 │ 2" in text and "le lemon  │ 22   │ 1 │ 1" in text


@pytest.mark.parametrize("width", [80, 100])
def test_five_players_use_the_whole_board(width):
    state = GAME.parse(FIVE)
    text = rendered(state, None, width)
    assert "v9" in text and "Dora is to place a leader." in text and "Ann (red), no lilac" in text
    assert all(letters in text for letters in ("RMI", "BLI", "GSK"))


def test_hidden_scores_show_only_the_own_points():
    state = GAME.parse(ENCLOSED)
    assert row(rendered(state, 0, 100), "Bartholomew")[3:8] == ["?"] * 5
    assert row(rendered(state, 0, 100), "Ann")[3:8] == ["3", "5", "2", "30", "40"]
    assert row(rendered(state, None, 100), "Ann")[3:8] == ["?"] * 5
    shown = GAME.parse(ENCLOSED.replace("scores=hidden ", ""))
    assert row(rendered(shown, None, 100), "Ann")[3:8] == ["3", "5", "2", "30", "40"]
    over = GAME.parse(OVER.replace("players=2", "players=2 scores=hidden"))
    assert row(rendered(over, None, 100), "Ann")[7] == str(over.scores[0])


@pytest.mark.parametrize(
    ("text", "turn"),
    [(ASIDE, "set aside"), (PALMS, "planted"), (WATER, "laid"), (FIRST, "first round"), (OVER, "over")],
)
def test_every_phase_can_be_rendered(text, turn):
    for width in (80, 100):
        assert turn in rendered(GAME.parse(text), None, width).splitlines()[-1]


def test_an_enclosed_oasis_shows_whose_it_is():
    state = GAME.parse(BASE.replace("mi:b3c2", "mi:b3c2d2e2e3d4c3").replace("water=123123", "water=123123"))
    text = rendered(state, None, 100)
    assert "*r*" in text.split("RLI: red's")[0] and text.split("RLI: red's")[0].count("*P*") == 4
