"""Commands for hosts of a server: serve pages, compute bots' moves, list tables, look after the database."""

from pathlib import Path
from typing import Annotated, Literal

import typer

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
MetricsPort = Annotated[
    int | None,
    typer.Option(
        envvar="SARAI_METRICS_PORT",
        min=0,
        max=65535,
        help="Serve metrics for Prometheus at this port of 127.0.0.1.",
        show_default="no metrics",
    ),
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
    metrics_port: MetricsPort = None,
    log_format: LogFormat = "plain",
    trusted_proxies: Annotated[
        str,
        typer.Option(
            envvar="SARAI_TRUSTED_PROXIES",
            metavar="ADDRESSES",
            help="Proxies in front of the house: addresses or networks, with commas between; what they send as "
            "X-Forwarded-For counts as the visitor's address.",
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
    metrics_port: MetricsPort = None,
    log_format: LogFormat = "plain",
) -> None:
    """Think for the bots of a house that others serve, on this machine or another; it needs PostgreSQL."""
    from sarai.cli.serve import think
    from sarai.web.bot_only_server import BotServerSettings

    think(BotServerSettings(db, bots, bot_pause, public_url, push_contact, log_format, metrics_port))


def tables_command(
    db: Database = None,
    data_dir: DataFolder = None,
    running: Annotated[bool, typer.Option("--running", help="Only games that are being played.")] = False,
) -> None:
    """List the tables of the house."""
    from sarai.cli.tables import address, show_tables

    show_tables(address(db, data_dir), running)


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


database = typer.Typer(help="Check, save, restore or move the database of the house.", no_args_is_help=True)
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
