"""What is measured of our games: random games in the engine, moves and chance through Python, tree search."""

from collections.abc import Mapping
from random import Random

from sarai.bench.rates import PlayCounts, Work
from sarai.bots import Budget, bot
from sarai.core.game import Game
from sarai.core.random_play import random_games
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import State

NODES, GAMES = 1000, 20  # how many nodes of each kind are collected, from how many games at most
SIMULATIONS = 1000  # in every search


def engine_work(game: Game, players: int, options: Mapping[str, object], rng: Random) -> Work:
    """Return random games inside the engine: one call of a kernel for a whole portion."""
    start = game.start(players, options)

    def work(games: int) -> PlayCounts:
        return PlayCounts(games, *random_games(start, games, rng))

    return work


def collect_nodes(game: Game, players: int, rng: Random) -> tuple[list[State], list[State]]:
    """Return player nodes and chance nodes of random games."""
    player_nodes: list[State] = []
    chance_nodes: list[State] = []
    for _ in range(GAMES):
        state = game.start(players)
        while state.actor != OVER:
            if state.actor == CHANCE:
                chance_nodes.append(state)
                state = state.play(rng.choice(state.chance())[0])
            else:
                player_nodes.append(state)
                state = state.play(rng.choice(state.legal()))
        if len(player_nodes) >= NODES and len(chance_nodes) >= NODES:
            break
    some_player_nodes = rng.sample(player_nodes, min(NODES, len(player_nodes)))
    return some_player_nodes, rng.sample(chance_nodes, min(NODES, len(chance_nodes)))


def move_work(nodes: list[State], rng: Random) -> Work:
    """Return `legal()` then `play()` at every one of the nodes."""
    random = rng.random

    def work(rounds: int) -> PlayCounts:
        for _ in range(rounds):
            for state in nodes:
                moves = state.legal()
                state.play(moves[int(random() * len(moves))])
        return PlayCounts(moves=rounds * len(nodes))

    return work


def chance_work(nodes: list[State], rng: Random) -> Work:
    """Return `chance()` then `play()` at every one of the nodes, all outcomes being equally likely here."""
    random = rng.random

    def work(rounds: int) -> PlayCounts:
        for _ in range(rounds):
            for state in nodes:
                outcomes = state.chance()
                state.play(outcomes[int(random() * len(outcomes))][0])
        return PlayCounts(chances=rounds * len(nodes))

    return work


def search_work(game: Game, players: int) -> Work:
    """Return searches of the bot `uct` from the first move of a game on."""
    state = game.start(players)
    while state.actor == CHANCE:
        state = state.play(state.chance()[0][0])
    view, player = state.view(state.actor), bot(game, "uct", 1)

    def work(searches: int) -> PlayCounts:
        for _ in range(searches):
            player.choose(view, Budget(simulations=SIMULATIONS))
        return PlayCounts(games=searches * SIMULATIONS)

    return work
