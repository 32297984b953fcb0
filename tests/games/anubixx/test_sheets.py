"""The sheets of Anubixx: our design, and what the loader says of others (A-02 … A-08)."""

from itertools import combinations

import pytest

from sarai.games.anubixx.sheets import FILE, BadSheets, load_sheets, most_points, read_sheets
from sarai.games.anubixx.state import PAIRS, RELIEF_FROM, STONES

TEXT = FILE.read_text(encoding="utf-8")
SHEETS = load_sheets()


def test_A_02_our_sheets_are_one_design_in_six_colourings():
    """Dice treat all colours alike, so renaming colours changes no chances: no sheet is better than another."""
    first = SHEETS.sheets[0]
    for sheet in SHEETS.sheets:
        renamed = dict(zip(first.colours + first.quarry, sheet.colours + sheet.quarry, strict=True))
        assert len(renamed) == len(set(renamed.values())) == 6
        assert tuple(renamed[colour] for colour in first.colours) == sheet.colours
        assert tuple(renamed[colour] for colour in first.quarry) == sheet.quarry
    for place in zip(*(sheet.colours for sheet in SHEETS.sheets), strict=True):
        assert len(set(place)) == 6


def test_A_07_our_sheets_keep_the_bounds_of_the_design():
    for sheet in SHEETS.sheets:
        assert len(sheet.colours) == 38
        assert {sheet.colours.count(colour) for colour in range(6)} <= {6, 7}
        levels = [
            sheet.colours[STONES.index(f"al{level}")] == sheet.colours[STONES.index(f"ar{level}")]
            for level in range(1, 6)
        ]
        assert sum(levels) <= 2
        assert sum(sheet.colours[RELIEF_FROM + one] == sheet.colours[RELIEF_FROM + other] for one, other in PAIRS) <= 2
    assert all(one.quarry != other.quarry for one, other in combinations(SHEETS.sheets, 2))
    assert most_points(SHEETS) == 100


def test_A_07_who_owns_the_game_can_enter_other_sheets(tmp_path):
    path = tmp_path / "mine.toml"
    text = (
        TEXT.replace("keystone = 18", "keystone = 20")
        .replace('lotus = ["f2.3"]', 'lotus = ["f2.2"]')
        .replace('"G R V Y O"', '"g r v o y"')
    )
    path.write_text(text, encoding="utf-8")
    mine = load_sheets(path)
    assert mine.arch_points == (0, 0, 3, 6, 10, 14, 20)
    assert mine.symbols["lotus"] == (STONES.index("f2.2"),)
    assert mine.sheets[0].colours[3:5] == (1, 2)
    assert mine.sheets[1:] == SHEETS.sheets[1:]


def test_A_07_printed_sheets_that_break_our_bounds_are_read_when_told_so():
    lopsided = TEXT.replace('"G R V Y O"', '"R R R R R"')
    with pytest.raises(BadSheets):
        read_sheets(lopsided)
    assert read_sheets(lopsided.replace("balanced = true", "balanced = false")).sheets[0].colours[:5] == (0,) * 5


QUARRIES = [line for line in TEXT.splitlines() if line.startswith("quarry")]
ARCH_A = ' Y ",\n    "V B",\n    "G Y",\n    "O G",\n    "R R",\n    "V O"'

BAD = [
    ("balanced = true", "balanced = maybe", "sheets_unreadable", None),
    ("balanced = true", "balanced = 1", "sheets_bad_value", "balanced"),
    ("balanced = true\n", "", "sheets_part_missing", "balanced"),
    ("balanced = true", "balanced = true\ncolour = 3", "sheets_part_unknown", "colour"),
    ("[points]", "[point]", "sheets_part_missing", "points"),
    ("keystone = 18", "keystone = '18'", "sheets_bad_value", "points.keystone"),
    ("keystone = 18", "keystone = 18\ncapstone = 3", "sheets_part_unknown", "points.capstone"),
    ("[2, 5, 9, 14, 21]", "[2, 5, 9, 14]", "sheets_bad_value", "points.pyramid"),
    ("[2, 5, 9, 14, 21]", "[2, 5, 9, 14, true]", "sheets_bad_value", "points.pyramid"),
    ("[2, 5, 9, 14, 21]", "[2, 5, 9, 8, 21]", "sheets_points_falling", "points.pyramid"),
    ("[0, 0, 4, 6, 8, 11, 15]", "[-1, 0, 4, 6, 8, 11, 15]", "sheets_points_falling", "points.relief"),
    ("keystone = 18", "keystone = 13", "sheets_points_falling", "points.arch"),
    ("keystone = 18", "keystone = 80", "sheets_points_too_high", None),
    ('snake = ["p4.1"]\n', "", "sheets_part_missing", "symbols.snake"),
    ('snake = ["p4.1"]', 'snake = ["p4.1"]\ncrocodile = ["p1.2"]', "sheets_part_unknown", "symbols.crocodile"),
    ('snake = ["p4.1"]', 'snake = ["p4.1", "p4.2"]', "sheets_symbol_stones", None),
    ('snake = ["p4.1"]', "snake = []", "sheets_symbol_stones", None),
    ('cat = ["f1.1", "f3.4"]', 'cat = ["f1.1"]', "sheets_symbol_stones", None),
    ('cat = ["f1.1", "f3.4"]', "cat = []", "sheets_symbol_stones", None),
    ('snake = ["p4.1"]', 'snake = ["p4.3"]', "sheets_symbol_place", None),
    ('snake = ["p4.1"]', 'snake = ["al1"]', "sheets_symbol_place", None),
    ('snake = ["p4.1"]', 'snake = ["p2.2"]', "sheets_two_symbols", None),
    ("[sheets.F]", "[sheets.G]", "sheets_part_missing", "sheets.F"),
    ("[sheets.B]", "[sheets.G]\n[sheets.B]", "sheets_part_unknown", "sheets.G"),
    ('"G R V Y O"', '"G R V Y"', "sheets_row_length", "sheets.A.pyramid"),
    ('"G R V Y O"', '"G R V Y O O"', "sheets_row_length", "sheets.A.pyramid"),
    ('"G R V Y O"', '"G R V Y P"', "sheets_bad_colour", "sheets.A.pyramid"),
    ('"G R V Y O"', "5", "sheets_bad_value", "sheets.A.pyramid"),
    ('    "G R V Y O",\n', "", "sheets_bad_value", "sheets.A.pyramid"),
    (QUARRIES[0], "", "sheets_part_missing", "sheets.A.quarry"),
    (QUARRIES[0], 'quarry = "R V B O Y G V B R G O O"', "sheets_quarry_colours", None),
    (QUARRIES[0], QUARRIES[0] + "\ncolour = 3", "sheets_part_unknown", "sheets.A.colour"),
    ('"G R V Y O"', '"G R V V O"', "sheets_colour_count", None),
    (
        ARCH_A,
        ARCH_A.replace("V B", "V V").replace("O G", "G G").replace("V O", "O O").replace("G Y", "B Y"),
        "sheets_arch_levels",
        None,
    ),
    ('"Y B V B",\n    "R R Y G"', '"Y Y V G",\n    "R R B B"', "sheets_relief_pairs", None),
    (QUARRIES[1], QUARRIES[0], "sheets_same_quarry", None),
    (
        TEXT[TEXT.index("[sheets.B]") : TEXT.index("[sheets.C]")],
        TEXT[TEXT.index("[sheets.A]") : TEXT.index("[sheets.B]")].replace("sheets.A", "sheets.B"),
        "sheets_alike",
        None,
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "key", "part"), BAD, ids=[f"{number}-{case[2]}" for number, case in enumerate(BAD)]
)
def test_A_07_the_loader_says_what_is_wrong(old, new, key, part):
    assert old in TEXT
    with pytest.raises(BadSheets) as caught:
        read_sheets(TEXT.replace(old, new, 1))
    assert caught.value.key == key, str(caught.value)
    assert str(caught.value)
    if part:
        assert caught.value.facts["part"] == part


def test_A_07_a_file_that_is_missing_or_no_text(tmp_path):
    with pytest.raises(BadSheets) as caught:
        load_sheets(tmp_path / "none.toml")
    assert caught.value.key == "sheets_unreadable"
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSheets):
        load_sheets(tmp_path / "bytes.toml")
