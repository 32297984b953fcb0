"""The table of Camel Up on a page, both editions: the track, the bets, the piles, the players, the own tile and cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sarai.core.board import Board, Pick, Scene
from sarai.core.markup import safe
from sarai.core.messages import Say
from sarai.games.camelup.board_art import BLANKET, COAT, symbols
from sarai.games.camelup.board_ask import ask
from sarai.games.camelup.board_panels import hand, piles, ranking, seats, tents
from sarai.games.camelup.board_track import VIEW_BOX, camels, court, places, scenery, stack_told, tiles
from sarai.games.camelup.board_words import Words, words_of
from sarai.games.camelup.table import BET, LOSE, PARTNER, PYRAMID, RACING, TILE, WIN

__all__ = ["ask", "choices_of", "draw", "icon"]

Choices = dict[str, dict[str, int]]


def draw(scene: Scene) -> Board:
    """Draw what a player, or a spectator, sees."""
    view, say = scene.view, safe(scene.say)
    edition = 1 if view["game"].endswith("2018") else 0
    words = words_of(edition, say)
    can = what_can_be_done(tuple(scene.moves), words)
    parts = {
        "court": court(view, words, scene.news, "pyramid" in can.spots),
        "tiles": tiles(view, scene.names, edition, words, scene.news),
        "camels": camels(view, words, scene.news),
        "places": can.places,
        "tents": tents(view, words, can.spots),
        "hand": hand(view, edition, words, can.picks),
        "piles": piles(view, scene.names, words, scene.news, can.later),
        "seats": seats(view, scene.names, words, scene.news, can.spots),
    }
    return Board(frame(edition, say), parts, can.choices, can.named, summary(view, scene.names, words))


class Can(NamedTuple):
    """What a viewer can do now, as the parts of a drawing need it."""

    choices: Choices
    spots: frozenset[str]  # that need nothing picked first
    later: frozenset[str]  # that need something
    picks: frozenset[str]
    named: tuple[Pick, ...]
    places: str


@lru_cache(maxsize=4096)
def what_can_be_done(moves: tuple[int, ...], words: Words) -> Can:
    """Sort legal moves out for drawing."""
    choices = choices_of(moves, words)
    later = frozenset(spot for pick, found in choices.items() if pick for spot in found)
    spaces = sorted({(move - TILE) // 2 + 2 for move in moves if TILE <= move < PYRAMID})
    return Can(
        choices,
        frozenset(choices.get("", {})),
        later,
        frozenset(choices) - {""},
        named(choices, words),
        places(spaces, words),
    )


def choices_of(moves: Sequence[int], words: Words) -> Choices:
    """Say which spot means which move: bets, the pyramid and partners at once; a tile after its side, a race card's pile after the card."""
    choices: Choices = {}
    for move in moves:
        pick = ""
        if move < TILE:
            spot = f"bet-{words.order[move - BET]}"
        elif move < PYRAMID:
            pick, spot = f"side-{(move - TILE) % 2}", f"space-{(move - TILE) // 2 + 2}"
        elif move == PYRAMID:
            spot = "pyramid"
        elif move < PARTNER:
            pick, spot = f"card-{words.order[(move - WIN) % RACING]}", "pile-winner" if move < LOSE else "pile-loser"
        else:
            spot = f"partner-{move - PARTNER}"
        choices.setdefault(pick, {})[spot] = move
    return choices


def named(choices: Choices, words: Words) -> tuple[Pick, ...]:
    """Name what can be picked."""
    sides = [Pick(f"side-{side}", words.side_do.format(side=words.side_names[side])) for side in range(2)]
    cards = [Pick(f"card-{name}", words.card_do.format(camel=words.camels[name])) for name in words.order[:RACING]]
    return tuple(pick for pick in sides + cards if pick.id in choices)


@lru_cache(maxsize=16)
def frame(edition: int, say: Say) -> str:
    """Return what stays the same all game."""
    words = words_of(edition, say)
    return (
        f'<div class="board camelup">{symbols()}<div class="table">'
        f'<div class="left"><div class="track" dir="ltr"><svg viewBox="{VIEW_BOX}">{scenery(say)}<!--court--><!--places--><!--tiles--><!--camels--></svg></div>'
        '<!--hand--></div><div class="right"><section class="bets">'
        f'<p class="title">{words.tickets}</p><!--tents--></section><!--piles--><!--seats--></div></div></div>'
    )


def summary(view: Mapping[str, Any], names: Sequence[str], words: Words) -> str:
    """Tell the position in words."""
    order = ", ".join(words.camels[name] for name in ranking(view, words))
    stacks = [stack_told(stack["space"], tuple(stack["camels"]), words) for stack in view["camels"]]
    hidden = view["options"]["money"] == "hidden" and view["phase"] != "over"
    purses = [
        f"{name}, {words.pounds_hidden if hidden and seat != view['seat'] else words.pounds.format(pounds=pounds)}"
        for seat, (name, pounds) in enumerate(zip(names, view["pounds"], strict=True))
    ]
    return ". ".join([words.leg.format(leg=view["leg"]), *([order] if order else []), *stacks, *purses]) + "."


def icon(game_id: str) -> str:
    """Draw the game for the front page: a stack of camels before the pyramid; in the second edition the upper one is crazy."""
    coats = (
        (("blue", 1, 0), ("orange", 1, 1), ("green", 1, 2))
        if game_id.endswith("2014")
        else (("red", 1, 0), ("purple", 1, 1), ("black", -1, 2))
    )
    cloth = (
        f'<path class="camelup-blanket" d="{BLANKET}"/><path class="camelup-fringe" d="M-19 -19C-11 -16 1 -16 9 -19"/>'
    )
    stack = "".join(
        f'<g class="coat-{name}" transform="translate(70 {106 - 24 * at}) scale({way * 0.95} .95)">'
        f'<path class="camelup-tail" d="M-33 -28C-38 -25 -39 -19 -37 -14"/><path class="camelup-coat" d="{COAT}"/>'
        f'{cloth if at == 2 else ""}<circle class="camelup-eye" cx="36.5" cy="-47.5" r="1.9"/></g>'
        for name, way, at in coats
    )
    return (
        '<svg class="icon camelup" viewBox="0 0 160 120" aria-hidden="true"><rect class="ground" x="-160" width="480" height="120"/>'
        '<circle class="camelup-sun" cx="30" cy="28" r="13"/><path class="stone-left" d="M112 30L66 106H122Z"/>'
        '<path class="stone-right" d="M112 30L158 106H122Z"/>'
        f'<path class="dune" d="M-160 106H320V120H-160Z"/>{stack}</svg>'
    )
