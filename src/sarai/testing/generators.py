"""Generators for tests: option sets, and games played at random."""

from collections.abc import Iterator, Mapping
from random import Random

from sarai.core.errors import BadStart
from sarai.core.game import Game
from sarai.core.options import Value
from sarai.core.random_play import random_move
from sarai.core.records import Record
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import State


def option_sets(game: Game, players: int) -> list[dict[str, Value]]:
    """Return the defaults, and each option by itself set to each other choice (of numbers: the two smallest)."""
    sets: list[dict[str, Value]] = [{}]
    for option in game.options:
        values: list[Value] = list(option.choices) or [option.numbers[0], option.numbers[1]]
        sets += [{option.name: value} for value in values if value != option.default]
    return [options for options in sets if is_allowed(game, players, options)]


def variants(game: Game, players: int) -> list[dict[str, Value]]:
    """Return the option sets that change rules by a choice of words: each has a golden playthrough."""
    words = {option.name for option in game.options if option.choices and not option.display}
    found: list[dict[str, Value]] = []
    resolved: list[dict[str, Value]] = []
    for options in option_sets(game, players):
        whole = game.resolve_options(players, options)
        if set(options) <= words and whole not in resolved:
            found.append(options)
            resolved.append(whole)
    return found


def is_allowed(game: Game, players: int, options: Mapping[str, object]) -> bool:
    """Say whether a game may be started with these options."""
    try:
        game.resolve_options(players, options)
    except BadStart:
        return False
    return True


def lively_move(state: State, rng: Random) -> tuple[int, int]:
    """Return a random move and who makes it, each kind of move (first word of its notation) being equally likely."""
    if state.actor == CHANCE:
        return random_move(state, rng)
    seat = rng.choice(state.to_act)
    kinds: dict[str, list[int]] = {}
    for move in state.legal(seat):
        kinds.setdefault(state.game.move_text(state, move).split()[0].rstrip("0123456789"), []).append(move)
    return rng.choice(kinds[rng.choice(sorted(kinds))]), seat


def play_lively(game: Game, players: int, options: Mapping[str, object], seed: int, most: int | None = None) -> Record:
    """Return the record of a game, or of its first moves, in which every kind of move is equally likely."""
    rng, record = Random(seed), Record.begin(game, players, options)
    state = record.start()
    while state.actor != OVER and (most is None or len(record.moves) < most):
        state = record.play(state, *lively_move(state, rng))
    return record


def steps(record: Record) -> Iterator[tuple[State, int, int, State]]:
    """Yield every step of a record: the state before, who acted, the move, the state after."""
    states = list(record.replay())
    for before, (seat, move), after in zip(states, record.moves, states[1:], strict=False):
        yield before, seat, move, after
