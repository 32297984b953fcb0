"""The board of Camel Up on a page, both editions: track, bets, piles, players, the own tile and cards."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.board import Board, Pick, Prompt, Scene
from sarai.core.markup import EMPTY, classes, join, markup
from sarai.core.messages import Say
from sarai.games.camelup.board.duration_and_difficulty import about
from sarai.games.camelup.board.explanations import explanations
from sarai.games.camelup.board.panels import hand, piles, seats, tents
from sarai.games.camelup.board.pieces import BLANKET, COAT, symbols
from sarai.games.camelup.board.score_sheet import score_sheet
from sarai.games.camelup.board.tap_to_moves import meaning_of
from sarai.games.camelup.board.track import (
    VIEW_BOX,
    Stacks,
    camels,
    court,
    dice,
    numbers,
    places,
    scenery,
    stacks_of,
    tiles,
)
from sarai.games.camelup.board.words import Words, prompt, words_of
from sarai.games.camelup.edition import PILES, edition_number
from sarai.games.camelup.notation import side_of, space_of
from sarai.games.camelup.state import BET, LOSE, PARTNER, PYRAMID, RACING, TILE, WIN
from sarai.games.camelup.view import hidden_purses, ranking

__all__ = ["about", "explanations", "icon", "meaning_of", "render", "score_sheet"]


def render(scene: Scene) -> Board:
    """Render what a player, or a spectator, sees."""
    view, edition = scene.view, edition_number(scene.view["tickets"])
    words = words_of(edition, scene.say)
    possible = possible_moves(tuple(scene.moves), words)
    parts = {
        "court": court(view, words),
        **dice(view, words, scene.news),
        "tiles": tiles(view, scene.names, edition, words, scene.news),
        "camels": camels(view, words, scene.news),
        "hand": hand(view, edition, words),
        **tents(view, words),
        **piles(view, scene.names, words, scene.news),
        **seats(view, scene.names, words, scene.news, possible.spots),
    }
    return Board(
        frame(edition, len(scene.names), scene.say),
        parts,
        possible.choices,
        possible.picks,
        summary(view, scene.names, words),
        possible.prompt,
    )


# --- moves -----------------------------------------------------------------------------------------------------------

Choices = dict[str, dict[str, int]]


class PossibleMoves(NamedTuple):
    """A viewer's legal moves as the parts of a board need them."""

    choices: Choices
    spots: frozenset[str]  # that need nothing picked first
    picks: tuple[Pick, ...]
    prompt: Prompt


@lru_cache(maxsize=4096)
def possible_moves(moves: tuple[int, ...], words: Words) -> PossibleMoves:
    """Sort legal moves out for rendering."""
    choices = choices_of(moves, words)
    return PossibleMoves(
        choices=choices,
        spots=frozenset(choices.get("", {})),
        picks=picks_of(choices, words),
        prompt=prompt(moves, words),
    )


def choices_of(moves: Sequence[int], words: Words) -> Choices:
    """Return which move a spot means, by what is picked first.

    Bets, the pyramid and partners need no pick; a tile's space comes after its side, a race card's pile after the card.
    """
    choices: Choices = {}
    for move in moves:
        pick = ""
        if move < TILE:
            spot = f"bet-{words.order[move - BET]}"
        elif move < PYRAMID:
            pick, spot = f"side-{side_of(move)}", f"space-{space_of(move)}"
        elif move == PYRAMID:
            spot = "pyramid"
        elif move < PARTNER:
            pick, spot = f"card-{words.order[(move - WIN) % RACING]}", "pile-winner" if move < LOSE else "pile-loser"
        else:
            spot = f"partner-{move - PARTNER}"
        choices.setdefault(pick, {})[spot] = move
    return choices


def picks_of(choices: Choices, words: Words) -> tuple[Pick, ...]:
    """Return what can be picked, with the step that follows."""
    sides = [Pick(f"side-{side}", words.side_step) for side in range(2)]
    cards = [Pick(f"card-{name}", words.card_step) for name in words.order[:RACING]]
    return tuple(pick for pick in sides + cards if pick.id in choices)


# --- around the parts ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def frame(edition: int, players: int, say: Say) -> Markup:
    """Return what stays the same all game."""
    words = words_of(edition, say)
    return markup(
        '<div class="board camelup">{symbols}<div class="table">'
        '<div class="left"><div class="track" dir="ltr">'
        '<svg id="track" viewBox="{view_box}">{scenery}<!--court-->{dice}{places}<!--tiles--><!--camels-->{numbers}'
        '</svg></div><!--hand--></div><div class="right"><section class="bets">'
        '<p class="title">{bets}</p>'
        '<div id="tents" class="tents" role="group" aria-label="{bets}" dir="ltr">{tents}</div></section>'
        '<div id="piles" class="piles">{piles}</div>'
        '<ul id="seats" class="seats{many}" aria-label="{players}"><!--turn-->{seats}</ul></div></div></div>',
        symbols=symbols(),
        view_box=VIEW_BOX,
        scenery=scenery(say),
        numbers=numbers(say),
        dice=slots("die", words.dice),
        places=places(words),
        bets=words.tickets,
        tents=slots("tent", words.order[:RACING]),
        piles=slots("pile", PILES),
        many=classes(many=players > 5),
        players=words.players,
        seats=slots("seat", range(players)),
    )


def slots(kind: str, names: Iterable[object]) -> Markup:
    """Return the places of parts of one kind in the frame."""
    return join(markup("<!--{kind}-{name}-->", kind=kind, name=name) for name in names)


def summary(view: Mapping[str, Any], names: Sequence[str], words: Words) -> Markup:
    """Tell the position in words."""
    hidden, pounds = hidden_purses(view), view["pounds"]
    purses = [purse(name, -1 if seat in hidden else pounds[seat], words) for seat, name in enumerate(names)]
    return join([race_so_far(view["leg"], tuple(ranking(view)), stacks_of(view), words), *purses])


@lru_cache(maxsize=4096)
def race_so_far(leg: int, order: tuple[str, ...], stacks: Stacks, words: Words) -> Markup:
    """Tell the race in words."""
    told = [words.in_leg(leg), *([words.ranking(order)] if order else []), words.track(stacks)]
    return join(markup("<span>{sentence}</span> ", sentence=sentence) for sentence in told)


@lru_cache(maxsize=4096)
def purse(name: str, pounds: int, words: Words) -> Markup:
    """Tell how many pounds a player has, -1 for hidden ones."""
    return markup("<span>{sentence}</span> ", sentence=words.purse(name, pounds))


def icon(game_id: str) -> Markup:
    """Render the picture for the front page: a stack of camels; in the second edition the upper one is crazy."""
    coats = (
        (("blue", 1, 0), ("orange", 1, 1), ("green", 1, 2))
        if game_id.endswith("2014")
        else (("red", 1, 0), ("purple", 1, 1), ("black", -1, 2))
    )
    cloth = markup(
        '<path class="camelup-blanket" d="{blanket}"/><path class="camelup-fringe" d="M-19 -19C-11 -16 1 -16 9 -19"/>',
        blanket=BLANKET,
    )
    stack = join(
        markup(
            '<g class="coat-{name}" transform="translate(70 {y}) scale({way} .95)">'
            '<path class="camelup-tail" d="M-33 -28C-38 -25 -39 -19 -37 -14"/><path class="camelup-coat" d="{coat}"/>'
            '{cloth}<circle class="camelup-eye" cx="36.5" cy="-47.5" r="1.9"/></g>',
            name=name,
            y=106 - 24 * height,
            way=way * 0.95,
            coat=COAT,
            cloth=cloth if height == 2 else EMPTY,
        )
        for name, way, height in coats
    )
    return markup(
        '<svg class="icon camelup" viewBox="0 0 160 120" aria-hidden="true">'
        '<rect class="ground" x="-160" width="480" height="120"/>'
        '<circle class="camelup-sun" cx="30" cy="28" r="13"/><path class="stone-left" d="M112 30L66 106H122Z"/>'
        '<path class="stone-right" d="M112 30L158 106H122Z"/>'
        '<path class="dune" d="M-160 106H320V120H-160Z"/>{stack}</svg>',
        stack=stack,
    )
