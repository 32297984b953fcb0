"""The command `sarai picture`: a position as one SVG."""

from typing import NamedTuple

import sarai
from sarai.core.css_cascade import DARK, LIGHT
from sarai.core.errors import Illegal
from sarai.core.language import Language
from sarai.core.picture import has_picture, picture_of


class PictureArguments(NamedTuple):
    """What was asked for."""

    game: str
    position: str
    seat: int | None
    names: list[str]
    is_dark: bool


def print_picture(asked: PictureArguments, language: Language) -> None:
    """Print the picture of a position as a seat sees it."""
    game = sarai.game(asked.game)
    if not has_picture(game):
        raise Illegal("no_picture", title=game.title)
    is_whole = asked.position.split(" ", 1)[0] == game.id
    state = game.parse(asked.position if is_whole else f"{game.id} {asked.position}")
    names = [
        asked.names[seat] if seat < len(asked.names) else language.say("Player {n}", n=seat + 1)
        for seat in range(state.players)
    ]
    print(picture_of(state.view(asked.seat), language.say, names, scheme=DARK if asked.is_dark else LIGHT))
