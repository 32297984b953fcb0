"""The command `sarai` and its subcommands; NumPy and Numba are imported only by those that need them."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

import sarai
from sarai.bench.command import bench
from sarai.cli import hosting_commands, playing_commands
from sarai.cli.errors import print_error

app = typer.Typer(name="sarai", add_completion=False, pretty_exceptions_enable=False, help="A house for table games.")

TRACEBACK = "SARAI_TRACEBACK"


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(f"sarai {sarai.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A house for table games; alone, the command opens it in the browser."""
    if context.invoked_subcommand is None:
        app(["serve"], prog_name="sarai", standalone_mode=False)


COMMANDS: dict[str, Callable[..., None]] = {
    "serve": hosting_commands.serve_command,
    "work": hosting_commands.work_command,
    "games": playing_commands.games_command,
    "play": playing_commands.play_command,
    "replay": playing_commands.replay_command,
    "arena": playing_commands.arena_command,
    "odds": playing_commands.odds_command,
    "picture": playing_commands.picture_command,
    "tables": hosting_commands.tables_command,
    "export": hosting_commands.export_command,
    "verify": playing_commands.verify_command,
    "warm": playing_commands.warm_command,
    "bench": bench,
}
for name, command in COMMANDS.items():
    app.command(name)(command)
app.add_typer(hosting_commands.database, name="db")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; an error is said in one sentence."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(arguments, prog_name="sarai", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return 130
    except sarai.Error as error:
        return print_error(str(error))
    except Exception as error:
        if hasattr(error, "format_message"):  # Typer's own, wherever its version keeps the class
            return print_error(error.format_message())
        if os.environ.get(TRACEBACK):
            raise
        return print_error(
            f"Sarai itself made a mistake ({type(error).__name__}: {error}); with {TRACEBACK}=1 it shows where."
        )


def main() -> None:
    """Run the program `sarai`, which Ctrl-C stops even if a shell started it in the background, where it is ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run())
