"""Positions of Anubixx as one line of text, and what makes a position one that a game may come to."""

from typing import Any

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Message, Notation, Series, mark
from sarai.core.position_text import Fields, inconsistent, whole
from sarai.core.result import CHANCE, OVER
from sarai.games.anubixx.markable_stones import open_singles
from sarai.games.anubixx.rules import active_seat, dice_in_play, idle_limit
from sarai.games.anubixx.scoring import buildings_done
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import (
    ARCH_STONES,
    BONUSES,
    BUILDING,
    COLUMN,
    DEALING,
    END_BONUS,
    ENDINGS,
    FINISHED,
    KEYSTONE,
    LEFT_FROM,
    LETTERS,
    MAX_MOVES,
    MOVE_LIMIT,
    NOTHING_MARKED,
    PHASES,
    PLACES,
    PYRAMID_ROWS,
    PYRAMID_STONES,
    RELIEF_COLUMNS,
    RELIEF_FROM,
    RELIEF_ROWS,
    RIGHT_FROM,
    ROLLING,
    SHEET_LETTERS,
    SYMBOLS,
    TWO_BUILDINGS,
    bits_of,
    names_of,
)

RELIEF_WIDTHS = (RELIEF_COLUMNS,) * RELIEF_ROWS
SHEET_NAMES = ("-", *SHEET_LETTERS)
DICE_LETTERS = mark("it is up to four letters of {letters} in this order, or a dash")
NAMES_IN_ORDER = mark("it names, in order and with dots between, some of {names}")
ROWS_OF_STONES = mark("it is a dash, or rows of {widths} stones, each x or -, with dots between")

# --- writing ----------------------------------------------------------------------------------------------------------


def write(cell: Cell) -> dict[str, str]:
    """Write a position's fields."""
    s = cell[0]
    seats = range(int(s["players"]))
    building = s["phase"] == BUILDING
    return {
        "phase": PHASES[s["phase"]],
        **({"ending": ENDINGS[s["ending"]]} if s["phase"] == FINISHED else {}),
        "moves": str(s["moves_made"]),
        "round": str(s["round_number"]),
        "idle": str(s["idle"]),
        **({"turn": str(s["actor"]), "marked": str(s["marked"]), "built": str(s["built"])} if building else {}),
        "dice": write_dice(s["middle"]),
        **({"gone": write_dice(s["gone"]), "taken": write_dice(s["taken"])} if building else {}),
        "closed": write_set(int(s["closed"]), BONUSES),
        "sheets": "/".join(SHEET_NAMES[s["sheets"][seat]] for seat in seats),
        "pyramids": "/".join(write_rows(int(s["marks"][seat]) & PYRAMID_STONES, PYRAMID_ROWS) for seat in seats),
        "arches": "/".join(write_arch(int(s["marks"][seat])) for seat in seats),
        "reliefs": "/".join(write_rows(int(s["marks"][seat]) >> RELIEF_FROM, RELIEF_WIDTHS) for seat in seats),
        "quarries": "/".join(write_set(int(s["crossed"][seat]), PLACES) for seat in seats),
        "jokers": "/".join(str(s["jokers"][seat]) for seat in seats),
        "bonuses": "/".join(write_set(int(s["bonuses"][seat]), BONUSES) for seat in seats),
    }


def write_dice(counts: Any) -> str:
    """Write dice by their letters."""
    return "".join(letter * count for letter, count in zip(LETTERS, counts.tolist(), strict=True)) or "-"


def write_set(members: int, names: tuple[Any, ...]) -> str:
    """Write a set by its names with dots between."""
    return ".".join(map(str, names_of(members, names))) or "-"


def write_rows(stones: int, widths: tuple[int, ...]) -> str:
    """Write rows of stones with dots between, a marked stone as x; none marked as a dash."""
    rows = []
    for width in widths:
        rows.append("".join("x" if stones >> place & 1 else "-" for place in range(width)))
        stones >>= width
    text = ".".join(rows)
    return text if "x" in text else "-"


def write_arch(marks: int) -> str:
    """Write the heights of both columns, and k for the keystone."""
    left, right = ((marks >> start & (1 << COLUMN) - 1).bit_count() for start in (LEFT_FROM, RIGHT_FROM))
    return f"{left}{right}{'k' if marks & ARCH_STONES == ARCH_STONES else ''}"


# --- reading ----------------------------------------------------------------------------------------------------------


def read(cell: Cell, fields: Fields) -> None:
    """Read a position's fields into a cell that was set up, refusing what no game comes to."""
    s = cell[0]
    players = int(s["players"])
    s["phase"] = phase = fields.word("phase", PHASES)
    s["ending"] = fields.word("ending", ENDINGS) if phase == FINISHED else 0
    s["moves_made"] = fields.number("moves", 0, MAX_MOVES)
    s["round_number"] = fields.number("round", 1, MAX_MOVES)
    s["idle"] = fields.number("idle", 0, int(idle_limit(s)))
    s["actor"] = OVER if phase == FINISHED else CHANCE
    s["middle"] = read_dice(fields, "dice")
    if phase == BUILDING:
        s["actor"] = actor = fields.number("turn", 0, players - 1)
        s["acting"] = 1 << actor
        s["marked"] = fields.number("marked", 0, 1)
        s["built"] = fields.number("built", 0, 1)
        s["gone"], s["taken"] = read_dice(fields, "gone"), read_dice(fields, "taken")
    s["closed"] = read_set("closed", fields.take("closed"), BONUSES)
    columns = [
        [
            SHEET_NAMES.index(part) if part in SHEET_NAMES else refuse("sheets", part, "a sheet is A to F")
            for part in fields.parts("sheets", players, "/")
        ],
        [read_rows("pyramids", part, PYRAMID_ROWS) for part in fields.parts("pyramids", players, "/")],
        [read_arch(part) for part in fields.parts("arches", players, "/")],
        [read_rows("reliefs", part, RELIEF_WIDTHS) for part in fields.parts("reliefs", players, "/")],
        [read_set("quarries", part, PLACES) for part in fields.parts("quarries", players, "/")],
        [whole("jokers", part, 0, players) for part in fields.parts("jokers", players, "/")],
        [read_set("bonuses", part, BONUSES) for part in fields.parts("bonuses", players, "/")],
    ]
    for seat, (sheet, pyramid, arch, relief, crossed, jokers, bonuses) in enumerate(zip(*columns, strict=True)):
        s["sheets"][seat], s["crossed"][seat], s["jokers"][seat], s["bonuses"][seat] = sheet, crossed, jokers, bonuses
        s["marks"][seat] = pyramid | arch | relief << RELIEF_FROM
    check(cell)


def refuse(field: str, value: str, why: str | Message) -> Any:
    """Refuse a field's value."""
    raise BadText("text_bad_value", field=field, value=value, why=why)


def read_dice(fields: Fields, name: str) -> list[int]:
    """Read dice by their letters, in the order of the colours."""
    value = fields.take(name)
    counts = [value.count(letter) for letter in LETTERS]
    if (
        value != ("".join(letter * count for letter, count in zip(LETTERS, counts, strict=True)) or "-")
        or len(value) > 4
    ):
        refuse(name, value, Message(DICE_LETTERS, {"letters": Notation(LETTERS)}))
    return counts


def read_set(name: str, value: str, names: tuple[Any, ...]) -> int:
    """Read a set by its names with dots between, in order."""
    known = [str(word) for word in names]
    words = [] if value == "-" else value.split(".")
    if any(word not in known for word in words) or words != sorted(set(words), key=known.index):
        refuse(name, value, Message(NAMES_IN_ORDER, {"names": Series(map(Notation, known))}))
    return bits_of(words, known)


def read_rows(name: str, value: str, widths: tuple[int, ...]) -> int:
    """Read rows of stones."""
    if value == "-":
        return 0
    letters = value.replace(".", "")
    if [len(row) for row in value.split(".")] != list(widths) or set(letters) - {"x", "-"} or "x" not in letters:
        refuse(name, value, Message(ROWS_OF_STONES, {"widths": Series(widths)}))
    return sum(1 << place for place, letter in enumerate(letters) if letter == "x")


def read_arch(value: str) -> int:
    """Read the heights of both columns, and k for the keystone."""
    heights, keystone = value[:2], value[2:]
    if len(heights) != 2 or set(heights) - set("012345") or keystone not in ("", "k"):
        refuse("arches", value, "it is the heights of both columns, 0 to 5, and k for the keystone")
    left, right = ((1 << int(height)) - 1 for height in heights)
    return left << LEFT_FROM | right << RIGHT_FROM | (keystone == "k") << KEYSTONE


# --- positions that a game comes to -----------------------------------------------------------------------------------


def check(cell: Cell) -> None:
    """Refuse a state, or a view, that no game comes to."""
    s = cell[0]
    check_phase(s)
    check_dice(cell)
    check_end(s)
    for seat in range(int(s["players"])):
        check_sheet(s, seat)
        check_pace(cell, seat)
        check_bonuses(s, seat)
    check_closed(cell)


def check_phase(s: Any) -> None:
    """Refuse an actor or sheets that do not fit the phase."""
    phase, players, actor = int(s["phase"]), int(s["players"]), int(s["actor"])
    fits = 0 <= actor < players if phase == BUILDING else actor == (OVER if phase == FINISHED else CHANCE)
    if not fits or s["acting"] != (1 << actor if phase == BUILDING else 0):
        raise inconsistent("another seat is to act")
    sheets = [sheet for sheet in s["sheets"].tolist() if sheet]
    if len(set(sheets)) < len(sheets) or s["sheets"][: len(sheets)].tolist() != sheets:
        raise inconsistent("the sheets are dealt in order, to each seat another one")
    if (len(sheets) < players) != (phase == DEALING):
        raise inconsistent("every seat has a sheet before the dice are rolled, and not while sheets are dealt")
    if phase == DEALING and (s["round_number"] != 1 or s["marks"].any()):
        raise inconsistent("nothing happens before the sheets are dealt")


def check_dice(cell: Cell) -> None:
    """Refuse dice that do not fit the phase, or the stones marked in this turn (A-12, A-13)."""
    s = cell[0]
    middle, gone, taken = (int(s[name].sum()) for name in ("middle", "gone", "taken"))
    marked, built = int(s["marked"]), int(s["built"])
    if s["phase"] != BUILDING:
        most = int(dice_in_play(cell[0])) - 1 if s["phase"] == ROLLING else 0
        if middle > most or gone or taken or marked or built:
            raise inconsistent("dice lie on the table only while they are rolled and used")
        return
    is_active = s["actor"] == active_seat(cell[0])
    if middle + gone + taken != dice_in_play(cell[0]):
        raise inconsistent("there are too few or too many dice")
    if (gone > marked or taken) if is_active else (gone > 2 or taken > marked):
        raise inconsistent("a die serves one stone")
    if marked not in (0, 1) or built not in (0, 1) or built < max(marked, gone > 0) or (is_active and built > marked):
        raise inconsistent("the stones marked in this round do not fit the turn")
    if marked and not int(s["marks"][s["actor"]]) & (PYRAMID_STONES | ARCH_STONES):
        raise inconsistent("no stone was marked in this turn")


def check_end(s: Any) -> None:
    """Refuse an end for no reason, and a game that would be over (A-27)."""
    ending, idle, rounds, limit = int(s["ending"]), int(s["idle"]), int(s["round_number"]), int(idle_limit(s))
    done = any(buildings_done(int(marks)) > 1 for marks in s["marks"])
    if s["phase"] == FINISHED:
        reasons = {
            TWO_BUILDINGS: done and idle == 0,
            NOTHING_MARKED: not done and idle == limit,
            MOVE_LIMIT: s["moves_made"] == MAX_MOVES and idle < limit,
        }
        if not reasons.get(ending, False):
            raise inconsistent("the game is not over for that reason")
    elif ending or s["moves_made"] >= MAX_MOVES or idle >= limit or (s["phase"] == ROLLING and done):
        raise inconsistent("the game would be over")
    if rounds < 1 or s["moves_made"] < 0 or not 0 <= idle <= rounds - (s["phase"] != FINISHED):
        raise inconsistent("there were not so many rounds")


def check_sheet(s: Any, seat: int) -> None:
    """Refuse stones that could not be marked (A-18 … A-20) or paid (A-11, A-14)."""
    marks, crossed, jokers = int(s["marks"][seat]), int(s["crossed"][seat]), int(s["jokers"][seat])
    singles = marks & (PYRAMID_STONES | ARCH_STONES)
    if any(
        not open_singles(marks & ~(1 << stone)) >> stone & 1 for stone in range(RELIEF_FROM) if singles >> stone & 1
    ):
        raise inconsistent("a stone stands on nothing")
    if not is_paved(marks >> RELIEF_FROM):
        raise inconsistent("relief stones are marked in pairs")
    players = int(s["players"])
    if not 0 <= jokers <= players or crossed.bit_count() + players - jokers > marks.bit_count():
        raise inconsistent("more was paid than marked")
    if crossed:
        quarry, before = SHEETS.sheets[int(s["sheets"][seat]) - 1].quarry, 0
        for place in [place for place in range(len(PLACES)) if crossed >> place & 1]:
            if quarry[place] in quarry[before:place]:
                raise inconsistent("the leftmost quarry stone of a colour is crossed off first")
            before = place + 1


def is_paved(relief: int) -> bool:
    """Say whether relief stones can have been marked two by two (A-20)."""
    if not relief:
        return True
    first = relief & -relief
    place = first.bit_length() - 1
    beside, below = first << 1 if (place + 1) % RELIEF_COLUMNS else 0, first << RELIEF_COLUMNS
    return any(other & relief and is_paved(relief ^ first ^ other) for other in (beside, below))


def check_pace(cell: Cell, seat: int) -> None:
    """Refuse more stones than two a turn (A-10) in rounds that were not idle, and two buildings before this round."""
    s = cell[0]
    players, marks = int(s["players"]), int(s["marks"][seat])
    rounds = int(s["round_number"]) - 1 - int(s["idle"])
    now = 2 if s["phase"] == FINISHED else 0
    if s["phase"] == BUILDING:
        order, acting = ((place - int(active_seat(cell[0]))) % players for place in (seat, int(s["actor"])))
        now = 2 if order < acting else int(s["marked"]) if order == acting else 0
        if now == 0 and buildings_done(marks) > 1:
            raise inconsistent("the game would be over")
    if marks.bit_count() > 2 * rounds + now:
        raise inconsistent("two stones a turn are the most")


def check_bonuses(s: Any, seat: int) -> None:
    """Refuse a bonus without its symbol, and a symbol without its bonus while that was open (A-23, A-27)."""
    marks, bonuses, closed = int(s["marks"][seat]), int(s["bonuses"][seat]), int(s["closed"])
    for number, symbol in enumerate(SYMBOLS):
        complete = all(marks >> stone & 1 for stone in SHEETS.symbols[symbol])
        won = bonuses >> number & 1
        if (won and not complete) or (complete and not won and not closed >> number & 1):
            raise inconsistent("the bonuses do not fit the symbols")
    if bool(bonuses & END_BONUS) != (s["ending"] == TWO_BUILDINGS and buildings_done(marks) > 1):
        raise inconsistent("the end-of-game bonus is for two buildings, at the end")


def check_closed(cell: Cell) -> None:
    """Refuse a bonus that is closed though no seat has it, or open though it was won in an earlier round (A-25)."""
    s = cell[0]
    won = 0
    for bonuses in s["bonuses"].tolist():
        won |= bonuses & ~END_BONUS
    closed = int(s["closed"])
    may_be_open = s["built"] or s["ending"] == MOVE_LIMIT
    if closed & ~won or (closed != won and not may_be_open):
        raise inconsistent("bonuses are closed after the round in which they were won")
