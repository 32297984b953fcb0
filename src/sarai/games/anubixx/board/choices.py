"""What a viewer can choose on Anubixx's board: stones and relief pairs, and how they are paid."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sarai.games.anubixx.board.sheet import COLOUR_OF, PAIR_NAMES
from sarai.games.anubixx.board.words import DIE, Words
from sarai.games.anubixx.state import PAIRS, PAIRS_FROM, RELIEF, SINGLES, STONES, STOP

LETTERS = "dqj"  # die, quarry, joker: how a stone is paid, by number
BUILDING = {"p": "pyramid", "a": "arch", "k": "arch", "f": "relief"}  # by the first letter of a stone's name
BUILDINGS = ("pyramid", "arch", "relief")

Ways = Mapping[str, Mapping[str, int]]  # by stone or pair, then by payment, a letter a stone: the move


def ways_of(moves: Sequence[int]) -> dict[str, dict[str, int]]:
    """Return how each stone and relief pair that can be marked can be paid, and the move that does it."""
    found: dict[str, dict[str, int]] = {}
    for move in moves:
        if move < PAIRS_FROM:
            payment, stone = divmod(move, SINGLES)
            found.setdefault(STONES[stone], {})[LETTERS[payment]] = move
        elif move != STOP:
            payments, pair = divmod(move - PAIRS_FROM, len(PAIRS))
            first, second = divmod(payments, len(LETTERS))
            found.setdefault(PAIR_NAMES[pair], {})[LETTERS[first] + LETTERS[second]] = move
    return found


def choices_of(ways: Ways, moves: Sequence[int]) -> dict[str, dict[str, int]]:
    """Let a stone that is paid in one way be chosen at once, others first and then their payment."""
    found: dict[str, dict[str, int]] = {"": {"stop": STOP}} if STOP in moves else {}
    for name, how in ways.items():
        if len(how) == 1:
            found.setdefault("", {})[name] = next(iter(how.values()))
        else:
            found[name] = {f"pay-{way}": move for way, move in how.items()}
    return found


def pick_label(words: Words, view: Mapping[str, Any], name: str) -> str:
    """Name a stone or a pair whose payment is to be chosen."""
    colours = COLOUR_OF[view["seats"][view["seat"]]["sheet"]]
    if name in colours:
        return words.stone(name, colours[name])
    one, other = (RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
    return words.pair(words.stone(one, colours[one]), words.stone(other, colours[other]))


def paid_by_dice(view: Mapping[str, Any], ways: Ways) -> tuple[tuple[str, str, int], ...]:
    """Count what a die of each colour can pay: colour, building, stones or pairs."""
    if not ways:
        return ()
    colours = COLOUR_OF[view["seats"][view["seat"]]["sheet"]]
    found: Counter[tuple[str, str]] = Counter()
    for name, how in ways.items():
        ends = (name,) if name in colours else tuple(RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
        found.update(
            {(colours[end], BUILDING[end[0]]) for at, end in enumerate(ends) if any(way[at] == DIE for way in how)}
        )
    counted = ((colour, building, count) for (colour, building), count in found.items())
    return tuple(sorted(counted, key=lambda row: BUILDINGS.index(row[1])))
