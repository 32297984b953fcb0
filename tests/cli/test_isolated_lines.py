"""Boards and tables from right to left: cells stay in their columns, and numbers are in the reader's digits."""

import re
import unicodedata

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

import sarai
from sarai.cli.isolated_lines import BEGIN, PIECE, marks_around, with_marks
from sarai.cli.terminal_io import InputEnded, Screen
from sarai.core.language import find_language
from sarai.core.messages import in_digits
from sarai.core.random_play import play_randomly

NAMES = {"fa": ["سارا", "Ada ب", "می\u200cنو"], "he": ["דנה", "Ben ב", "(דנה)"], "en": ["Sara", "Ada B", "Minu"]}
LOOKS = ["", "g 9", "g 30", "e"]
ODDS = {
    "camelup-2014": "camels=13:b,14:og,15:yw dice=b1.g2.o3.y1 tiles=9-",
    "camelup-2018": "camels=1:W,12:Kb,13:rg,16:yp dice=b.y.g.r tiles=3+,9-",
}
NOTATION = re.compile(
    "\u2066[^\u2069]*\u2069|6 nimmt!|"  # what messages hold, a title
    r"\d+×\d|[a-z]{1,2}\d+|~\d~"  # cards; rows, hexes, stones; water
)


@pytest.fixture
def shown(cli, monkeypatch, tmp_path):
    """Return the lines of the boards and tables that a command shows, without prose and questions."""

    def lines(*arguments, answers=(), marks=True):
        left = iter(answers)

        def answer(screen, prompt):
            for typed in left:
                return typed
            raise InputEnded

        with monkeypatch.context() as patch:
            patch.setattr(Screen, "ask", answer)
            for prose in ("tell", "line"):
                patch.setattr(Screen, prose, lambda *_: None)
            if not marks:
                patch.setattr("sarai.cli.terminal_io.IsolatedLines", lambda thing: thing)
            code, out, _ = cli(*arguments)
        assert code == 0 and out
        return out.splitlines()

    return lines


@pytest.fixture
def saved(tmp_path):
    """Return what saves a game of people whose names are in a language."""

    def save(id, code):
        path = tmp_path / f"{id}-{code}.sarai.json"
        options = {"rounds": 1} if id == "sixnimmt" else {}
        play_randomly(sarai.game(id), 3, options, seed=4, names=NAMES[code]).save(path)
        return path

    return save


def outside(line):
    """Return what stands in no isolate; every isolate ends in its line."""
    depth, found = 0, ""
    for letter in line:
        if letter in "\u2066\u2067\u2068":
            depth += 1
        elif letter == "\u2069":
            depth -= 1
            assert depth >= 0, ascii(line)
        elif not depth:
            found += letter
    assert depth == 0, ascii(line)
    return found


def runs_right_to_left(text):
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def check_lines(marked, plain):
    """Every line runs from left to right, and marks neither move nor hide anything."""
    assert any(map(runs_right_to_left, plain))
    assert [line for line in marked if runs_right_to_left(outside(line))] == []
    for with_them, without in zip(marked, plain, strict=True):
        assert re.sub("[\u2068\u2069]", "", with_them) == re.sub("[\u2068\u2069]", "", without)
        assert cell_len(with_them) == cell_len(without)


def frames(lines):
    """Return the columns at which the frame of the boards stands, line by line."""
    return [[cell_len(line[: match.start()]) for match in re.finditer("[╭╮╰╯├┤┼┬┴]", line)] for line in lines]


@pytest.mark.parametrize("code", ["fa", "he"])
@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_line_of_a_board_runs_from_left_to_right(shown, saved, id, code):
    replay = ("replay", saved(id, code), "--seat", 0, "--language", code)
    check_lines(shown(*replay, answers=LOOKS), shown(*replay, answers=LOOKS, marks=False))
    play = ("play", id, "--players", 3, "--seed", 5, "--name", NAMES[code][0], "--language", code)
    check_lines(shown(*play, answers=["?", "help"]), shown(*play, answers=["?", "help"], marks=False))


@pytest.mark.parametrize("id", ODDS)
def test_every_line_of_odds_runs_from_left_to_right(shown, id):
    odds = ("odds", id, ODDS[id], "--races", 300, "--language", "fa")
    marked = shown(*odds)
    check_lines(marked, shown(*odds, marks=False))
    assert [line for line in marked if has_latin_digit(line)] == []


def test_lines_that_are_broken_end_their_isolates(shown, saved, monkeypatch):
    replay = ("replay", saved("camelup-2018", "fa"), "--seat", 0, "--language", "fa")
    monkeypatch.setenv("COLUMNS", "30")
    check_lines(shown(*replay, answers=LOOKS), shown(*replay, answers=LOOKS, marks=False))


def test_the_track_stands_where_it_does_in_english(shown, saved):
    tracks = []
    for code in ("en", "fa"):
        lines = shown("replay", saved("camelup-2014", code), "--language", code, answers=LOOKS)
        tracks.append([columns for columns in frames(lines) if len(columns) > 2])
    assert tracks[0] == tracks[1] != []


def has_latin_digit(line):
    return re.search("[0-9]", NOTATION.sub("", line)) is not None


@pytest.mark.parametrize("id", sarai.game_ids())
def test_numbers_of_a_persian_board_are_persian(shown, saved, id):
    lines = shown("replay", saved(id, "fa"), "--seat", 0, "--language", "fa", answers=LOOKS)
    assert [line for line in lines if has_latin_digit(line)] == []


def test_formatted_numbers_keep_their_signs():
    assert in_digits("5: +12.51", find_language("fa").say) == "۵: +۱۲\u066b۵۱"
    assert in_digits("33.3%", find_language("fa").say) == "۳۳\u066b۳\u066a"
    for code in ("en", "he", "el"):
        assert in_digits("33.3%", find_language(code).say) == "33.3%"


def test_marks_stand_around_pieces_in_their_styles():
    red, blue = Style(color="red"), Style(color="blue")
    line = [Segment("│ شب", red), Segment("بم 12  90×3 │", blue), Segment("אב", red)]
    assert list(with_marks(line, PIECE, BEGIN)) == [
        Segment("│ \u2068شب", red),
        Segment("بم 12\u2069  90×3 │", blue),
        Segment("\u2068אב\u2069", red),
    ]


@pytest.mark.parametrize(
    ("piece", "begin", "end"),
    [
        ("90×3", "", ""),
        ("۱۲", "", ""),
        ("سارا", "\u2068", "\u2069"),
        ("\u2068Ada\u2069", "", ""),
        ("\u2068Ada", "", "\u2069"),
        ("سارا\u2069 r1", "\u2068\u2068", "\u2069"),
        ("\u2069\u2066شب", "\u2068\u2068", "\u2069\u2069"),
    ],
)
def test_marks_that_a_line_break_took_are_paired(piece, begin, end):
    assert marks_around(piece, BEGIN) == (begin, end)


def test_boards_of_a_language_from_left_to_right_are_not_touched(shown, saved):
    replay = ("replay", saved("sixnimmt", "he"), "--language", "en")
    assert any(runs_right_to_left(outside(line)) for line in shown(*replay, answers=LOOKS))
    assert shown(*replay, answers=LOOKS) == shown(*replay, answers=LOOKS, marks=False)


@pytest.mark.parametrize("code", ["fa", "he"])
def test_prose_is_read_from_right_to_left_whatever_comes_first(code, capsys):
    screen = Screen(find_language(code))
    screen.tell(f"6 nimmt! {NAMES[code][0]}, r1 " * 12)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert all(line.startswith("\u2067") and line.rstrip().endswith("\u2069") for line in lines)
    screen.tell("6 nimmt!")
    screen.tell()
    Screen().tell(NAMES[code][0])
    assert capsys.readouterr().out == f"6 nimmt!\n\n{NAMES[code][0]}\n"


def test_what_is_typed_is_no_part_of_the_question(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputEnded):
        Screen(find_language("he")).ask("דנה (? h q):")
    assert capsys.readouterr().out == "\u2067דנה (? h q):\u2069 \n"
