"""The table of 6 nimmt! on a page: four rows, the trick, the players, the own hand."""

from functools import lru_cache

from markupsafe import Markup

from sarai.core.board import Board, Scene
from sarai.core.markup import classes, join, markup
from sarai.core.messages import Say
from sarai.games.sixnimmt.board.cards import large_bull, symbols
from sarai.games.sixnimmt.board.duration_and_difficulty import about
from sarai.games.sixnimmt.board.explanations import explanations
from sarai.games.sixnimmt.board.players import hand, seats, seen
from sarai.games.sixnimmt.board.rows import middle
from sarai.games.sixnimmt.board.score_sheet import score_sheet
from sarai.games.sixnimmt.board.tap_to_moves import meaning_of
from sarai.games.sixnimmt.board.trick import last_trick, strip
from sarai.games.sixnimmt.board.words import headline, prompt, summary
from sarai.games.sixnimmt.notation import move_name

__all__ = ["about", "explanations", "icon", "meaning_of", "render", "score_sheet"]


def render(scene: Scene) -> Board:
    """Render what a player, or a spectator, sees."""
    view, say = scene.view, scene.say
    trick = last_trick(view, scene.recent or scene.news)
    spots = {move_name(move): move for move in scene.moves}
    parts = {
        "where": headline(view, say),
        "middle": middle(scene, trick, spots),
        "trick": strip(scene, trick),
        "hand": hand(view, scene.moves, say),
        "seen": seen(view, say),
        **seats(scene),
    }
    choices = {"": spots} if spots else {}
    return Board(frame(len(scene.names), say), parts, choices, (), summary(view, scene.names, say), prompt(view, say))


@lru_cache(maxsize=128)
def frame(players: int, say: Say) -> Markup:
    """Return what stays the same all game."""
    return markup(
        '<div class="board sixnimmt">{symbols}<div class="table"><!--where-->'
        '<div class="rows" dir="ltr"><!--middle--></div>'
        '<!--trick--><ul id="seats" class="seats{many}" aria-label="{label}">{seats}</ul>'
        "<!--hand--><!--seen--></div></div>",
        symbols=symbols(),
        many=classes(many=players > 6),
        label=say("the players"),
        seats=join(markup("<!--seat-{number}-->", number=number) for number in range(players)),
    )


def icon(game_id: str) -> Markup:
    """Render the game's picture for the front page: three cards, one of each kind that matters."""
    cards = join(
        markup(
            '<g transform="translate({x} {y}) rotate({turn} 28 38) scale(.74)">'
            '<rect class="sixnimmt-paper" x="1" y="1" width="74" height="102" rx="10"/>'
            '<rect class="sixnimmt-inlay heads-{heads}" x="6" y="6" width="64" height="92" rx="7"/>{ghost}'
            '<text class="number heads-{heads}" x="38" y="64">{number}</text>{bull}</g>',
            x=x,
            y=y,
            turn=turn,
            heads=heads,
            ghost=large_bull(9, 12, 2.4, "sixnimmt-ghost"),
            number=number,
            bull=large_bull(28, 76, 0.8, f"sixnimmt-bull heads-{heads}"),
        )
        for x, y, turn, heads, number in ((12, 26, -12, 1, 6), (52, 18, -2, 5, 66), (93, 24, 9, 7, 55))
    )
    return markup(
        '<svg class="icon sixnimmt" viewBox="0 0 160 120" aria-hidden="true">'
        '<rect class="ground" x="-160" width="480" height="120"/>{cards}</svg>',
        cards=cards,
    )
