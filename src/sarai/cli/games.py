"""The command `sarai games`: the games on offer, without loading their rules."""

from rich.table import Table
from rich.text import Text

import sarai
from sarai.cli.terminal_io import Screen
from sarai.core.game import Game
from sarai.core.options import Option


def allowed_values(option: Option) -> str:
    """Return what an option may be in short, the default first."""
    if option.choices:
        return " | ".join([str(option.default), *(choice for choice in option.choices if choice != option.default)])
    return f"{option.default} ({option.numbers[0]}–{option.numbers[-1]})"


def player_range(game: Game) -> str:
    """Return how many can play."""
    return f"{game.players[0]}–{game.players[-1]}"


def show_games() -> None:
    """Print a table of the games."""
    table = Table("game", "players", "options", expand=False, show_lines=True, header_style="bold")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for game in map(sarai.game, sarai.game_ids()):
        options = Text()
        for number, option in enumerate(game.options):
            options.append("\n" * (number > 0)).append(f"{option.name}=", "bold cyan")
            options.append(allowed_values(option), "cyan").append(f"  {option.help}")
        table.add_row(
            Text(game.id, "bold").append(f"\n{game.title}", "not bold"),
            player_range(game),
            options if game.options else Text("none", "dim"),
        )
    screen = Screen()
    screen.show(table)
    screen.tell("sarai play GAME --players N --option NAME=VALUE starts one.", "dim")
