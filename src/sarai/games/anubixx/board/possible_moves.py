"""What a viewer can choose on Anubixx's board: stones and relief pairs, and how they are paid."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sarai.core.board import Pick
from sarai.games.anubixx.board.sheet import COLOUR_OF, KEPT, PAIR_NAMES, QUARRY_OF, Can, Cans
from sarai.games.anubixx.board.words import QUARRY, Payment, Words
from sarai.games.anubixx.state import PAIRS, PAIRS_FROM, RELIEF, SINGLES, STONES, STOP
from sarai.games.anubixx.words import stones_skipped

LETTERS = "dqj"  # die, quarry, joker: how a stone is paid, by number
BUILDING = {"p": "pyramid", "a": "arch", "k": "arch", "f": "relief"}  # by the first letter of a stone's name
BUILDINGS = ("pyramid", "arch", "relief")

Ways = Mapping[str, Mapping[str, int]]  # by stone or pair, then by payment, a letter a stone: the move


class PossibleMoves(NamedTuple):
    """A viewer's legal moves as the parts of a board need them."""

    choices: dict[str, dict[str, int]]
    payments: tuple[Payment, ...]  # between which a pick leaves a choice
    picks: tuple[Pick, ...]
    by_building: dict[str, Cans]

    @property
    def has_pairs(self) -> bool:
        """Say whether two stones of the relief can be marked."""
        return bool(self.by_building["relief"])

    @property
    def has_singles(self) -> bool:
        """Say whether a stone of pyramid or arch can be marked."""
        return bool(self.by_building["pyramid"] or self.by_building["arch"])


@lru_cache(maxsize=KEPT)
def possible_moves(words: Words, sheet: str, behind: int, moves: tuple[int, ...]) -> PossibleMoves:
    """Sort legal moves out for rendering; a viewer without a sheet has none.

    `behind` is how many stones of the quarry's row have been passed.
    """
    ways = ways_of(moves)
    payments = {name: [payment_of(sheet, behind, name, way) for way in how] for name, how in ways.items()}
    choices = choices_of(ways, payments, moves)
    by_building: dict[str, list[tuple[str, Can]]] = {building: [] for building in BUILDINGS}
    for stone, how in payments.items():
        by_building[BUILDING[stone[0]]].append((stone, Can(tuple(how))))
    offered = {payment.name: payment for how in payments.values() if len(how) > 1 for payment in how}
    return PossibleMoves(
        choices=choices,
        payments=tuple(offered[name] for name in sorted(offered)),
        picks=tuple(Pick(name, step_of(words, sheet, behind, name)) for name in choices if name),
        by_building={building: tuple(found) for building, found in by_building.items()},
    )


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


def ends_of(sheet: str, name: str) -> tuple[str, ...]:
    """Return the stones that a name means: one, or the two of a relief pair."""
    return (name,) if name in COLOUR_OF[sheet] else tuple([RELIEF[at] for at in PAIRS[PAIR_NAMES.index(name)]])


def payment_of(sheet: str, behind: int, name: str, way: str) -> Payment:
    """Return what a way of paying for a stone or a pair costs."""
    colours = [COLOUR_OF[sheet][end] for end in ends_of(sheet, name)]
    quarried = [colour for how, colour in zip(way, colours, strict=True) if how == QUARRY]
    return Payment(tuple(zip(way, colours, strict=True)), stones_skipped(QUARRY_OF[sheet], behind, quarried))


def choices_of(
    ways: Ways, payments: Mapping[str, Sequence[Payment]], moves: Sequence[int]
) -> dict[str, dict[str, int]]:
    """Let a stone that is paid in one way be chosen at once, others first and then their payment."""
    found: dict[str, dict[str, int]] = {"": {"stop": STOP}} if STOP in moves else {}
    for name, how in ways.items():
        if len(how) == 1:
            found.setdefault("", {})[name] = next(iter(how.values()))
        else:
            names = [payment.name for payment in payments[name]]
            found[name] = {f"pay-{paid}": move for paid, move in zip(names, how.values(), strict=True)}
    return found


def step_of(words: Words, sheet: str, behind: int, name: str) -> str:
    """Say how a stone can be paid that was picked: from the quarry or with a joker; a pair in more ways."""
    if name not in COLOUR_OF[sheet]:
        return words.pay_pair
    return words.pay_stone(stones_skipped(QUARRY_OF[sheet], behind, [COLOUR_OF[sheet][name]]))
