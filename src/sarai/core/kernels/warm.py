"""Compile what a game needs ahead of its first use, by using it once."""

from collections.abc import Callable, Iterable, Iterator

from sarai.core.game import Game
from sarai.core.kernels import python_entry_points
from sarai.core.random_play import random_games
from sarai.core.result import CHANCE
from sarai.core.state_and_view import State


def begin(game: Game) -> State:
    """Return the first state of the smallest game."""
    return game.start(game.players[0])


def any_move(state: State) -> int:
    """Return some move or outcome that is possible."""
    return state.chance()[0][0] if state.actor == CHANCE else state.legal()[0]


def find_refusal(game: Game) -> None:
    """Ask for the refusal of a move of the first seat to act."""
    state = begin(game)
    while state.actor == CHANCE:
        state, _ = game.play_with_events(state, any_move(state))
    python_entry_points.why_not(state._cell, state.actor, 0)


USES: dict[str, Callable[[Game], object]] = {
    "start": lambda game: game.parse(begin(game).text()),
    "chance": lambda game: begin(game).chance(),
    "legal": lambda game: begin(game).legal(),
    "tell": lambda game: game.play_with_events(begin(game), any_move(begin(game))),
    "view": lambda game: begin(game).view(0).to_json(),
    "refuse": find_refusal,
    "scores": lambda game: begin(game).scores,
    "sample": lambda game: begin(game).view(0).sample(0),
    "play": lambda game: begin(game).play(any_move(begin(game))),
    "random games": lambda game: random_games(begin(game), 1, 0),
}
TO_PLAY = ("start", "chance", "legal", "tell", "view", "refuse", "scores", "sample")  # at a table or a terminal
TO_REPLAY = ("start", "chance", "tell", "view", "refuse", "scores")  # a record


def warm(game: Game, uses: Iterable[str] = tuple(USES)) -> Iterator[str]:
    """Compile a game for some uses, or load it from the cache; yield the name of each use before it is compiled."""
    for use in uses:
        yield use
        USES[use](game)
