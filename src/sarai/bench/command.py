"""The command `sarai bench`."""

import json
import math
from typing import Annotated

import typer

import sarai


def bench(
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Measure this game only; may be repeated.", show_default="all games"),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="Processor time for each measurement.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Measure random play beside OpenSpiel, PettingZoo and plain Python."""
    if not math.isfinite(seconds):
        raise typer.BadParameter("seconds are a number.")
    games = [sarai.game(name) for name in game or sarai.game_ids()]

    from rich.console import Console

    from sarai.bench.report import show
    from sarai.bench.suite import progress_bar, run

    with progress_bar(Console(stderr=True)) as progress:
        numbers = run(games, seconds, progress)
    if as_json:
        print(json.dumps(numbers, indent=2))
    else:
        show(numbers, Console())
