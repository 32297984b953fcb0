"""`python -m sarai.bench`, and the command of the same name."""

import json
from typing import Annotated

import typer
from rich.console import Console

import sarai


def bench(
    game: Annotated[list[str] | None, typer.Option(metavar="GAME", help="Measure this game only; may be repeated.", show_default="all")] = None,
    seconds: Annotated[float, typer.Option(min=0, help="Processor time for each measurement.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Measure random play, compiled, uncompiled and through Python, beside OpenSpiel, PettingZoo and a plain program."""
    from sarai.bench.report import show
    from sarai.bench.suite import bar, run

    ids = [sarai.game(id).id for id in game or sarai.games()]
    with bar(Console(stderr=True)) as progress:
        numbers = run(ids, seconds, progress)
    if as_json:
        print(json.dumps(numbers, indent=2))
    else:
        show(numbers, Console())


if __name__ == "__main__":
    typer.run(bench)
