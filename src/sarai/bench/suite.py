"""One run of all benchmarks: they take turns in short slices and the median slice counts, so noise hits all alike."""

import platform
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from random import Random
from statistics import median
from typing import Any

import numba
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import sarai
from sarai.bench import other_libraries
from sarai.bench.rates import PlayCounts, measure_rates
from sarai.bench.uncompiled import UncompiledProcess
from sarai.bench.workloads import chance_work, collect_nodes, engine_work, move_work, search_work
from sarai.bots.named_bots import plans
from sarai.core.game import Game
from sarai.core.kernels.warm import warm

SLICES = 5
USUAL = 4  # players, where a game allows it

Key = tuple[str, ...]  # what is measured, and of which game with how many players
Measure = Callable[[float], PlayCounts]  # measures for some seconds; returns what was played per second


def seatings(game: Game) -> list[int]:
    """Return the player counts that a game is measured with: the fewest, and the usual number."""
    return sorted({game.players[0], USUAL} & set(game.players))


def measures(game: Game, uncompiled: UncompiledProcess, rng: Random) -> dict[Key, Measure]:
    """Return everything that is measured of a game."""
    found: dict[Key, Measure] = {}
    for players in seatings(game):
        key = game.id, str(players)
        found["compiled", *key] = partial(measure_rates, engine_work(game, players, {}, rng))
        found["uncompiled", *key] = partial(uncompiled.measure_rates, game.id, players)
        player_nodes, chance_nodes = collect_nodes(game, players, rng)
        found["moves", *key] = partial(measure_rates, move_work(player_nodes, rng))
        if chance_nodes:
            found["chances", *key] = partial(measure_rates, chance_work(chance_nodes, rng))
    if program := other_libraries.plain_program(game.id):
        found["plain", game.id] = partial(measure_rates, other_libraries.plain_work(program, rng))
        found["beside_plain", game.id] = partial(
            measure_rates, engine_work(game, program.PLAYERS, program.OPTIONS, rng)
        )
    if is_searched(game):
        for players in seatings(game):
            found["search", game.id, str(players)] = partial(measure_rates, search_work(game, players))
    return found


def is_searched(game: Game) -> bool:
    """Say whether tree search is measured: where the best level of a game uses it."""
    return plans(game)["master"].search == "tree"


def run(games: Sequence[Game], seconds: float, progress: Progress) -> dict[str, Any]:
    """Measure games and all there is to compare them with, each for some seconds in all; return numbers and ratios."""
    rng = Random(0)
    found: dict[Key, Measure] = {
        ("other", name): partial(measure_rates, work) for name, work in other_libraries.libraries(rng)
    }
    if any(map(is_searched, games)) and (search := other_libraries.openspiel_search()):
        found["other_search", other_libraries.OPENSPIEL_SEARCH] = partial(measure_rates, search)
    notes = [] if found else [other_libraries.NO_LIBRARIES]
    if not other_libraries.PLAIN_PROGRAMS.is_dir():
        notes.append(other_libraries.NO_PROGRAMS)
    with ExitStack() as stack:
        uncompiled = stack.enter_context(UncompiledProcess())
        task = progress.add_task("compiling", total=len(games))
        for game in games:
            list(warm(game))
            found |= measures(game, uncompiled, rng)
            progress.advance(task)
        progress.update(task, description="warming up", completed=0, total=len(found))
        for measure in found.values():
            measure(0)
            progress.advance(task)
        slices: dict[Key, list[PlayCounts]] = {key: [] for key in found}
        progress.update(task, description="measuring", completed=0, total=SLICES * len(found))
        for _ in range(SLICES):
            for key, measure in found.items():
                slices[key].append(measure(seconds / SLICES))
                progress.advance(task)
    rates = {key: PlayCounts(*map(median, zip(*some, strict=True))) for key, some in slices.items()}
    return summary(games, rates, seconds, notes)


def summary(games: Sequence[Game], rates: dict[Key, PlayCounts], seconds: float, notes: list[str]) -> dict[str, Any]:
    """Return the numbers as plain data, with their ratios."""
    elsewhere = {key[1]: value for key, value in rates.items() if key[0] == "other"}
    return {
        "sarai": sarai.__version__,
        "python": platform.python_version(),
        "numba": numba.__version__,
        "seconds": seconds,
        "notes": notes,
        "others": {name: {"games": value.games, "nodes": value.nodes} for name, value in elsewhere.items()},
        "plain": [beside_plain(game, rates) for game in games if ("plain", game.id) in rates],
        "searches": [
            beside_search(game, players, rates)
            for game in games
            for players in seatings(game)
            if ("search", game.id, str(players)) in rates
        ],
        "games": [numbers(game.id, players, rates, elsewhere) for game in games for players in seatings(game)],
    }


def numbers(id: str, players: int, rates: dict[Key, PlayCounts], elsewhere: dict[str, PlayCounts]) -> dict[str, Any]:
    """Return the rates of a game with a number of players, and the ratios."""
    key = id, str(players)
    compiled, uncompiled, moves, chances = (
        rates.get((what, *key)) for what in ("compiled", "uncompiled", "moves", "chances")
    )
    assert compiled and uncompiled and moves
    return {
        "game": id,
        "players": players,
        "compiled": compiled._asdict(),
        "uncompiled": uncompiled._asdict(),
        "contract": {"moves": moves.moves, "chances": chances.chances if chances else None},
        "ratios": {
            "compiled to uncompiled": compiled.moves / uncompiled.moves,
            **{f"contract to {name}": moves.moves / other.nodes for name, other in elsewhere.items()},
        },
    }


def beside_plain(game: Game, rates: dict[Key, PlayCounts]) -> dict[str, Any]:
    """Return the rates of a plain program and of the engine at the same game."""
    program = other_libraries.plain_program(game.id)
    assert program
    ours, its = rates["beside_plain", game.id].games, rates["plain", game.id].games
    return {
        "game": game.id,
        "players": program.PLAYERS,
        "options": program.OPTIONS,
        "compiled": ours,
        "plain": its,
        "ratio": ours / its,
    }


def beside_search(game: Game, players: int, rates: dict[Key, PlayCounts]) -> dict[str, Any]:
    """Return how many simulations a second a search runs, here and elsewhere."""
    ours = rates["search", game.id, str(players)].games
    its = rates.get(("other_search", other_libraries.OPENSPIEL_SEARCH))
    ratios = {other_libraries.OPENSPIEL_SEARCH: {"simulations": its.games, "ratio": ours / its.games}} if its else {}
    return {"game": game.id, "players": players, "simulations": ours, "others": ratios}


def progress_bar(console: Any) -> Progress:
    """Return a progress bar for a run."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
