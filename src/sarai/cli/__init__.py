"""The command `sarai` and its subcommands; NumPy and Numba are imported only by those that need them."""

import os
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

import sarai
from sarai.bench.command import bench

app = typer.Typer(
    name="sarai", add_completion=False, pretty_exceptions_enable=False, help="A house for five table games."
)

TRACEBACK = "SARAI_TRACEBACK"
DATABASE = "The database: a file, or postgresql://…"
Database = Annotated[
    str | None, typer.Option(envvar="SARAI_DB", metavar="URL", help=DATABASE, show_default="in the data folder")
]
DataFolder = Annotated[
    Path | None,
    typer.Option(
        envvar="SARAI_DATA_DIR", metavar="DIR", help="The folder of the house's data.", show_default="your data folder"
    ),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(envvar="SARAI_PUBLIC_URL", help="The address others reach it by, for links.", show_default=False),
]
BotPause = Annotated[
    float,
    typer.Option(
        envvar="SARAI_BOT_PAUSE", min=0, max=60, help="Seconds before a bot's move, so that people can follow."
    ),
]
PushContact = Annotated[
    str | None,
    typer.Option(
        envvar="SARAI_PUSH_CONTACT",
        metavar="ADDRESS",
        help="The mailto: or https: address that push services may write to.",
        show_default="the public address",
    ),
]
LogFormat = Annotated[
    Literal["plain", "json"],
    typer.Option(envvar="SARAI_LOG_FORMAT", help="Lines of the log: for people, or JSON with every request."),
]
Thinkers = Annotated[
    int | None,
    typer.Option(
        envvar="SARAI_BOTS",
        min=0,
        max=256,
        help="Processes that think for bots, in all; with 0 others do (sarai work).",
        show_default="one a processor",
    ),
]


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
    """A house for five table games; alone, the command opens it in the browser."""
    if context.invoked_subcommand is None:
        app(["serve"], prog_name="sarai", standalone_mode=False)


@app.command("serve")
def serve_command(
    host: Annotated[
        str, typer.Option(envvar="SARAI_HOST", help="The address to listen at; 0.0.0.0 for all of your network.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            envvar="SARAI_PORT", min=0, max=65535, help="The port.", show_default="8080, or the next free one"
        ),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(envvar="SARAI_DB", help=DATABASE, show_default="a file in the data folder"),
    ] = None,
    public_url: PublicUrl = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            envvar="SARAI_DATA_DIR", metavar="DIR", help="The folder for its data.", show_default="your data folder"
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(envvar="SARAI_BROWSER", help="Open a browser, if there is one.")] = True,
    bot_pause: BotPause = 0.7,
    push_contact: PushContact = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            envvar="SARAI_METRICS_PORT",
            min=0,
            max=65535,
            help="Serve metrics for Prometheus at this port of 127.0.0.1.",
            show_default="no metrics",
        ),
    ] = None,
    log_format: LogFormat = "plain",
    trusted_proxies: Annotated[
        str,
        typer.Option(
            envvar="SARAI_TRUSTED_PROXIES",
            metavar="ADDRESSES",
            help="Proxies that say where visitors come from: addresses or networks, with commas between.",
            show_default="nobody",
        ),
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            envvar="SARAI_WORKERS", min=1, max=64, help="Processes that serve pages; more than one need PostgreSQL."
        ),
    ] = 1,
    bots: Thinkers = None,
) -> None:
    """Open the house in the browser: tables for people and bots."""
    from sarai.cli.serve import open_house
    from sarai.web.serve import ServeSettings

    settings = ServeSettings(
        host,
        port,
        db,
        public_url,
        data_dir,
        browser,
        bot_pause,
        push_contact,
        metrics_port,
        log_format,
        trusted_proxies,
        workers,
        bots,
    )
    if code := open_house(settings):
        raise typer.Exit(code)


@app.command("work")
def work_command(
    db: Annotated[
        str, typer.Option(envvar="SARAI_DB", metavar="URL", help="The database, postgresql://…", show_default=False)
    ],
    bots: Annotated[
        int | None,
        typer.Option(envvar="SARAI_BOTS", min=1, max=256, help="Processes that think.", show_default="one a processor"),
    ] = None,
    bot_pause: BotPause = 0.7,
    public_url: PublicUrl = None,
    push_contact: PushContact = None,
    log_format: LogFormat = "plain",
) -> None:
    """Think for the bots of a house that others serve, on this machine or another; it needs PostgreSQL."""
    from sarai.cli.serve import think
    from sarai.web.work import WorkSettings

    think(WorkSettings(db, bots, bot_pause, public_url, push_contact, log_format))


@app.command("games")
def games_command() -> None:
    """List the games, their players and their options."""
    from sarai.cli.games import show_games

    show_games()


@app.command("play")
def play_command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's id; without one, you are asked.", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="How many players, people and bots.", show_default="4, or what the game allows")
    ] = None,
    people: Annotated[
        int | None, typer.Option(min=0, help="How many of them are people at this keyboard.", show_default="1")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="The bots, with commas between; a single one takes all seats that are left.", show_default="random"
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.", show_default=False),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A person's name; repeat it for the next person.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Brings the same luck again.", show_default="random")] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to save the record.", show_default="your data folder")
    ] = None,
) -> None:
    """Play in the terminal: people at one keyboard, bots on the other seats."""
    from sarai.cli.play import PlayArguments, play

    play(
        PlayArguments(
            game,
            players,
            people,
            bots,
            option or [],
            name or [],
            seed if seed is not None else random.SystemRandom().getrandbits(32),
            record,
        )
    )


@app.command("replay")
def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.sarai.json).")],
    seat: Annotated[
        int | None,
        typer.Option(help="See it as the player of this seat did, counted from 0.", show_default="a spectator"),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print everything to the end.")] = False,
) -> None:
    """Step through a record."""
    from sarai.cli.replay import replay

    replay(file, seat, all)


@app.command("arena")
def arena_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.", show_default=False)],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT…", help="Levels of the ladder, uct, or module:name of a bot of your own.", show_default=False
        ),
    ],
    players: Annotated[
        int | None,
        typer.Option(help="How many seats; the bots are seated in turn until all are taken.", show_default="one a bot"),
    ] = None,
    games: Annotated[
        int, typer.Option(help="How many games, made whole deals: each is played in every line-up.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Another one brings other deals.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="How many processes play.", show_default="one a processor")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.", show_default=False),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="How long every bot thinks about a move.", show_default="as its level does")
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(help="The same as a number of simulations; such a match can be repeated.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Save a record of every game there.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep finished deals there and go on from them.", show_default="your state folder"
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on the Ray cluster there: HOST:PORT.", show_default=False),
    ] = None,
) -> None:
    """Let bots play against each other and say how much better which is."""
    from sarai.cli.arena import ArenaArguments, arena

    arena(
        ArenaArguments(
            game, bots, players, games, seed, jobs, option or [], seconds, simulations, json, records, resume, cluster
        )
    )


@app.command("odds")
def odds_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a game that has odds.")],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="A position; what odds do not depend on may be left out.", show_default=False
        ),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the position step by step.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    races: Annotated[
        int | None,
        typer.Option(min=1, max=100_000_000, help="Races run where race odds are sampled.", show_default="200000"),
    ] = None,
) -> None:
    """Tell the odds of a position."""
    from sarai.cli.odds import show_odds

    show_odds(game, position, ask, json, races)


@app.command("tables")
def tables_command(
    db: Database = None,
    data_dir: DataFolder = None,
    running: Annotated[bool, typer.Option("--running", help="Only games that are being played.")] = False,
) -> None:
    """List the tables of the house."""
    from sarai.cli.tables import address, show_tables

    show_tables(address(db, data_dir), running)


@app.command("export")
def export_command(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE…", help="Ids of tables.", show_default=False)
    ] = None,
    db: Database = None,
    data_dir: DataFolder = None,
    folder: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="Where to write the records.", show_default="here")
    ] = Path(),
    all: Annotated[bool, typer.Option("--all", help="Every game that is over.")] = False,
) -> None:
    """Write records of games that are over."""
    from sarai.cli.tables import address, export

    export(address(db, data_dir), tables or [], folder, all)


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.sarai.json) of a game at a table.")],
) -> None:
    """Check a record: the moves by the rules, the dice by what was promised."""
    from sarai.cli.verify import verify

    verify(file)


@app.command("warm")
def warm_command(
    jobs: Annotated[int, typer.Option(min=1, help="How many processes compile, each a game at a time.")] = 1,
) -> None:
    """Compile the rules of all games, so that everything starts quickly."""
    from sarai.cli.warm import warm_all

    warm_all(jobs)


app.command("bench")(bench)

database = typer.Typer(help="Check, save, restore or move the database of the house.", no_args_is_help=True)
app.add_typer(database, name="db")
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


@database.command("check")
def check_command(db: Database = None, data_dir: DataFolder = None) -> None:
    """Check the file, and every table by replaying its log."""
    from sarai.cli.database import address, check

    check(address(db, data_dir))


@database.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The SQLite file to write.")],
    db: Database = None,
    data_dir: DataFolder = None,
    force: Force = False,
) -> None:
    """Save the database to a file, also while the house is open."""
    from sarai.cli.database import address, back_up

    back_up(address(db, data_dir), file, force)


@database.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `sarai db backup` wrote.")],
    db: Database = None,
    data_dir: DataFolder = None,
    force: Force = False,
) -> None:
    """Replace the database by a saved one, while the house is closed."""
    from sarai.cli.database import address, restore

    restore(file, address(db, data_dir), force)


@database.command("move")
def move_command(
    target: Annotated[str, typer.Argument(metavar="TO", help="The other database: a file, or postgresql://…")],
    db: Database = None,
    data_dir: DataFolder = None,
    force: Force = False,
) -> None:
    """Move the house to another database, and compare everything; meanwhile it can be read."""
    from sarai.cli.database import address, move

    move(address(db, data_dir), target, force)


def print_error(sentence: str) -> int:
    """Print one sentence to the error output; return the exit code of an error."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in sentence).split())
    print(line if line.endswith((".", "?", "!")) else f"{line}.", file=sys.stderr)
    return 2


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
