"""The results of a run as tables: ratios first, the rates they come from beside them."""

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


def rate(value: float | None) -> str:
    """Return a rate as text."""
    return "–" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def times(value: float) -> str:
    """Return a ratio as text."""
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.1f} ×" if value >= 1 else f"{value:.2f} ×"


def table(title: str, *columns: str) -> Table:
    """Return an empty table whose first column is text."""
    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    for number, column in enumerate(columns):
        words = column.replace("_", " ").split() if number else [column]
        made.add_column("\n".join(words), justify="right" if number else "left", no_wrap=not number)
    return made


def compiled_table(rows: list[dict[str, Any]]) -> Table:
    """Compare compiled games with the same rules uncompiled."""
    made = table(
        "Random games, one thread: compiled rules / uncompiled",
        "game, players",
        "ratio",
        "games/s",
        "moves/s",
        "uncompiled moves/s",
    )
    for row in rows:
        compiled = row["compiled"]
        ratio = times(row["ratios"]["compiled to uncompiled"])
        made.add_row(
            f"{row['game']}, {row['players']}",
            ratio,
            rate(compiled["games"]),
            rate(compiled["moves"]),
            rate(row["uncompiled"]["moves"]),
        )
    return made


def plain_table(rows: list[dict[str, Any]]) -> Table:
    """Compare compiled games with plain programs."""
    made = table(
        "Random games: compiled rules / a plain program", "game, players, options", "ratio", "games/s", "plain games/s"
    )
    for row in rows:
        options = "".join(f", {name}={value}" for name, value in row["options"].items())
        made.add_row(
            f"{row['game']}, {row['players']}{options}", times(row["ratio"]), rate(row["compiled"]), rate(row["plain"])
        )
    return made


def search_table(rows: list[dict[str, Any]]) -> Table:
    """Compare tree search with random playouts with that of others."""
    names = list(rows[0]["others"])
    made = table(
        "Tree search, uniform playouts to the end: simulations / those of others",
        "game, players",
        *names,
        "simulations/s",
        *(f"{n} simulations/s" for n in names),
    )
    for row in rows:
        others = row["others"].values()
        made.add_row(
            f"{row['game']}, {row['players']}",
            *(times(o["ratio"]) for o in others),
            rate(row["simulations"]),
            *(rate(o["simulations"]) for o in others),
        )
    return made


def contract_table(rows: list[dict[str, Any]], others: dict[str, Any]) -> Table:
    """Compare states in Python with those of others."""
    made = table(
        "In Python, legal() then play(), chance() then play(): moves / those of others",
        "game, players",
        *others,
        "moves/s",
        "chances/s",
    )
    for row in rows:
        ratios = (times(row["ratios"][f"contract to {name}"]) for name in others)
        made.add_row(
            f"{row['game']}, {row['players']}",
            *ratios,
            rate(row["contract"]["moves"]),
            rate(row["contract"]["chances"]),
        )
    if others:
        made.add_section()
        made.add_row("their nodes/s", *(rate(other["nodes"]) for other in others.values()))
    return made


def show(run: dict[str, Any], console: Console) -> None:
    """Print the tables of a run."""
    tables = [compiled_table(run["games"]), contract_table(run["games"], run["others"])]
    if run["plain"]:
        tables.insert(1, plain_table(run["plain"]))
    if run["searches"]:
        tables.append(search_table(run["searches"]))
    for made in tables:
        console.print(made, "")
    if run["others"]:
        console.print("Below 1 × the other is ahead: OpenSpiel's games are C++ and change their states in place.")
    for note in run["notes"]:
        console.print(note, markup=False, soft_wrap=True)
