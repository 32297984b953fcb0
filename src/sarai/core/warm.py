"""Compile what a game needs ahead of its first use, by using it once."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from sarai.core import engine
from sarai.core.contract import CHANCE
from sarai.core.errors import Illegal
from sarai.core.game import Game
from sarai.core.state import State, generator


def begin(game: Game) -> State:
    """Return the first state of the smallest game."""
    return game.start(game.players[0])


def any_move(state: State) -> int:
    """Return a move or an outcome that may come."""
    return state.chance()[0][0] if state.actor == CHANCE else state.legal()[0]


def be_refused(game: Game) -> None:
    """Try what nobody may do: the first seat that can act makes a move that is not legal."""
    state = begin(game)
    while state.actor == CHANCE:
        state, _ = game.told(state, any_move(state))
    legal = state.legal()
    for move in range(game.num_actions):
        if move not in legal:
            try:
                game.told(state, move)
            except Illegal:
                return


def play_random_game(game: Game) -> None:
    """Play one random game inside the compiled code."""
    start = begin(game)._cell
    engine.random_games(start, start.copy(), 1, generator(0), np.zeros(game.num_actions, np.int64))


USES: dict[str, Callable[[Game], object]] = {
    "start": lambda game: game.parse(begin(game).text()),
    "chance": lambda game: begin(game).chance(),
    "legal": lambda game: begin(game).legal(),
    "tell": lambda game: game.told(begin(game), any_move(begin(game))),
    "view": lambda game: begin(game).view(0),
    "refuse": be_refused,
    "scores": lambda game: begin(game).scores,
    "sample": lambda game: begin(game).view(0).sample(0),
    "play": lambda game: begin(game).play(any_move(begin(game))),
    "random games": play_random_game,
}
TO_PLAY = ("start", "chance", "legal", "tell", "view", "refuse", "scores", "sample")  # at a terminal, which never plays without telling


def warm(game: Game, uses: Iterable[str] = tuple(USES)) -> Iterator[str]:
    """Compile a game for some uses, or load it from the cache, one use a step; yield the name of each before its step."""
    for use in uses:
        yield use
        USES[use](game)
