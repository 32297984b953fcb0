"""The sheets of Anubixx in a terminal: frames stand straight and bonuses stay whole, in every language."""

import io
import unicodedata

import pytest
from rich.console import Console

import sarai
from sarai.core.language import find_language, offered_languages
from sarai.core.messages import Name
from sarai.core.random_play import play_randomly
from sarai.games.anubixx.state import BONUSES
from sarai.games.anubixx.terminal import board, bonus_words

NAMES = ["Ann", "Bartholomew", "می\u200cنو"]
ANUBIXX = sarai.game("anubixx")


@pytest.fixture(scope="module")
def states():
    """Return some positions of a game, from the first to the last."""
    return list(play_randomly(ANUBIXX, 3, seed=4).replay())[::80]


def rendered(state, width, code):
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(board(state.view(0).to_json(), NAMES, find_language(code).say))
    return console.file.getvalue().splitlines()


def columns(text):
    """Count the columns of a text: joiners, marks of direction and vowel signs have none."""
    return sum(unicodedata.category(letter) not in ("Cf", "Mn") for letter in text)


@pytest.mark.parametrize("code", offered_languages())
def test_the_frame_of_the_sheet_stands_straight(states, code):
    framed = 0
    for state in states:
        lines = [line.rstrip() for line in rendered(state, 100, code)]
        begin = next((number for number, line in enumerate(lines) if line.startswith(" ╭")), None)
        if begin is not None:  # the sheets are dealt
            sheet = lines[begin : lines.index(next(line for line in lines if line.startswith(" ╰"))) + 1]
            assert {line[-1] for line in sheet} == set("╮│╯") and len(set(map(columns, sheet))) == 1
            framed += 1
    assert framed > 2


@pytest.mark.parametrize("code", offered_languages())
@pytest.mark.parametrize("width", [60, 80, 100])
def test_lines_of_the_bonuses_break_between_two_of_them(states, width, code):
    say = find_language(code).say
    for state in states:
        view = state.view(0).to_json()
        lines = [line.strip() for line in rendered(state, width, code)]
        for bonus in BONUSES:
            winners = [name for name, seat in zip(NAMES, view["seats"], strict=True) if bonus in seat["bonuses"]]
            is_closed = bonus in view["closed"] or view["phase"] == "over"
            words = bonus_words(bonus, is_closed, [Name(name) for name in winners], say)
            assert sum(words in line for line in lines) == 1
