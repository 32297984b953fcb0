"""What a tap on the board of Camel Up means where nothing can be chosen: a bet, a card, a pile, a partner, a space."""

from sarai.core.board import Meaning, Scene, Tap
from sarai.core.errors import REASONS
from sarai.core.messages import number
from sarai.games.camelup.board.track import CELL, CELLS
from sarai.games.camelup.board.words import Words, words_of
from sarai.games.camelup.edition import PILES, edition_number
from sarai.games.camelup.state import BET, LOSE, PARTNER, PYRAMID, RACING, TILE, WIN


def meaning_of(tap: Tap, scene: Scene) -> Meaning | None:
    """Return what the innermost thing that was tapped is for."""
    words = words_of(edition_number(scene.view["tickets"]), scene.say)
    for id in tap.ids:
        kind, _, name = id.partition("-")
        if kind in ("tent", "card") and name in words.order[:RACING]:
            return Meaning([(BET if kind == "tent" else WIN) + words.order.index(name)])
        if kind == "pile" and name in PILES:
            return pile(scene, words)
        if id in ("side-0", "side-1"):
            return Meaning(range(TILE + int(name), PYRAMID, 2), words=words.no_space)
        if kind == "seat" and name.isascii() and name.isdecimal():
            return partner(int(name), scene)
        if id == "pyramid":
            return Meaning([PYRAMID])
        if id == "track" and tap.point is not None:
            return space(*tap.point, tap.pick, scene, words)
    return None


def pile(scene: Scene, words: Words) -> Meaning:
    """Ask for a card first, if there is one."""
    return Meaning(words=words.card_first) if scene.view["hand"] else Meaning([WIN, LOSE])


def partner(seat: int, scene: Scene) -> Meaning | None:
    """Return the offer to be partners, in games in which there are partners."""
    if scene.view["partners"] is None or not 0 <= seat < len(scene.names) or seat == scene.view["seat"]:
        return None
    return Meaning([PARTNER + seat], names={seat: number(seat + 1, scene.say)})  # as on the badges


def space(x: float, y: float, pick: str, scene: Scene, words: Words) -> Meaning | None:
    """Return the space at a point of the track as a place for the own tile, if one of its sides was picked."""
    place = (int(x // CELL), int(y // CELL))
    if place not in CELLS:
        return None
    number = CELLS.index(place) + 1
    first = TILE + 2 * (number - 2)
    if pick not in ("side-0", "side-1"):
        return Meaning(words=words.side_first if number > 1 and first in scene.moves else "")
    if number == 1:
        return Meaning(words=scene.say(REASONS["no_tile_on_first_space"]))
    return Meaning([first + int(pick[-1])])
