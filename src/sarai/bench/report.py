"""The numbers of a run as tables: ratios first, the rates they come from beside them."""

from typing import Any

from rich.console import Console
from rich.table import Table


def rate(value: float | None) -> str:
    """Write a number a second."""
    return "–" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def times(value: float) -> str:
    """Write a ratio."""
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.1f} ×" if value >= 1 else f"{value:.2f} ×"


def table(title: str, *columns: str) -> Table:
    """Return an empty table whose first column is words."""
    made = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        made.add_column(column, justify="right" if number else "left")
    return made


def show(run: dict[str, Any], console: Console) -> None:
    """Print the tables of a run."""
    compiled = table("Random games, one thread", "game, players", "compiled / uncompiled", "games/s", "player moves/s", "uncompiled moves/s")
    for row in run["games"]:
        compiled.add_row(
            f"{row['game']}, {row['players']}",
            times(row["ratios"]["compiled to uncompiled"]),
            rate(row["compiled"]["games"]),
            rate(row["compiled"]["moves"]),
            rate(row["uncompiled"]["moves"]),
        )
    console.print(compiled)
    if run["plain"]:
        beside = table("Beside a plain Python program of the same game", "game, players", "compiled / plain", "games/s", "plain games/s")
        for row in run["plain"]:
            options = "".join(f", {name}={value}" for name, value in row["options"].items())
            beside.add_row(f"{row['game']}, {row['players']}{options}", times(row["ratio"]), rate(row["compiled"]), rate(row["plain"]))
        console.print(beside)
    contract = table(
        "Through Python: legal() then play(), chance() then play()", "game, players", *(f"/ {name}" for name in run["others"]), "moves/s", "chances/s"
    )
    for row in run["games"]:
        ratios = (times(row["ratios"][f"contract to {name}"]) for name in run["others"])
        contract.add_row(f"{row['game']}, {row['players']}", *ratios, rate(row["contract"]["moves"]), rate(row["contract"]["chances"]))
    if run["others"]:
        contract.add_section()
        contract.add_row("their nodes/s", *(rate(other["nodes"]) for other in run["others"].values()), "", "")
    console.print(contract)
    if run["others"]:
        console.print("Below 1 × the other is ahead: OpenSpiel's games are C++ and change their states in place.")
    for note in run["notes"]:
        console.print(note)
