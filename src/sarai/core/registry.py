"""The registry: the only place that knows the games by name."""

import importlib
from functools import cache

from sarai.core.errors import UnknownGame
from sarai.core.game import Game

GAMES = {
    "camelup-2014": "sarai.games.camelup:FIRST_EDITION",
    "camelup-2018": "sarai.games.camelup:SECOND_EDITION",
    "sixnimmt": "sarai.games.sixnimmt:SIX_NIMMT",
    "desert": "sarai.games.desert:THROUGH_THE_DESERT",
    "anubixx": "sarai.games.anubixx:ANUBIXX",
}


def game_ids() -> list[str]:
    """Return the ids of all games."""
    return list(GAMES)


@cache
def _load(id: str) -> Game:
    module, name = GAMES[id].split(":")
    game: Game = getattr(importlib.import_module(module), name)
    return game


def game(id: str) -> Game:
    """Return a game by its id."""
    if not isinstance(id, str) or id not in GAMES:
        raise UnknownGame("unknown_game", game=id, games=", ".join(GAMES))
    return _load(id)
