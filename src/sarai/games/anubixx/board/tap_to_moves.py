"""What a tap on Anubixx's board means where nothing can be chosen: a stone of the own sheet, or what pays for one."""

from functools import lru_cache

from sarai.core.board import Meaning, Scene, Tap
from sarai.games.anubixx.board.sheet import stone_id
from sarai.games.anubixx.board.words import Words, words_of
from sarai.games.anubixx.state import BY_JOKER, BY_QUARRY, PAIRS, PAIRS_FROM, RELIEF_FROM, SINGLES, STONES, STOP

NUMBERS = {stone_id(name): number for number, name in enumerate(STONES)}
PAYING = {"x-dice", "x-quarry"}
OF_A_STONE = frozenset({"relief_takes_a_whole_turn", "stone_already_marked"})  # reasons against all pairs of a stone


def meaning_of(tap: Tap, scene: Scene) -> Meaning | None:
    """Return the stone that was tapped."""
    words = words_of(scene.say)
    for id in tap.ids:
        if id in NUMBERS:
            number = NUMBERS[id]
            return single(number, words) if number < SINGLES else relief(number - RELIEF_FROM, scene, words)
        if id == "x-stop":
            return Meaning([STOP])
        if id in PAYING:
            return Meaning(words=words.stone_first)
    return None


def single(stone: int, words: Words) -> Meaning:
    """Return a stone of pyramid or arch with the payments that remain where no die fits."""
    return Meaning([payment * SINGLES + stone for payment in (BY_QUARRY, BY_JOKER)], names=names_of(words))


def relief(stone: int, scene: Scene, words: Words) -> Meaning:
    """Return the pairs with a stone of the relief; if one can be marked, say where."""
    pairs = [number for number, pair in enumerate(PAIRS) if stone in pair]
    if any(PAIRS_FROM <= move < STOP and (move - PAIRS_FROM) % len(PAIRS) in pairs for move in scene.moves):
        return Meaning(words=words.pairs_only)
    return Meaning([PAIRS_FROM + pair for pair in pairs], OF_A_STONE, words.no_pair, names_of(words))


@lru_cache(maxsize=64)
def names_of(words: Words) -> dict[object, str]:
    """Return what stones are called."""
    return {name: words.place(name) for name in STONES}
