"""The commands of whoever plays, watches bots play, or asks for odds."""

import random
from pathlib import Path
from typing import Annotated

import typer

LanguageOption = Annotated[
    str | None, typer.Option(metavar="CODE", help="The language: en, fa, he or el.", show_default="the locale's")
]


def games_command() -> None:
    """List the games, their players and their options."""
    from sarai.cli.games import show_games

    show_games()


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
    language: LanguageOption = None,
) -> None:
    """Play in the terminal: people at one keyboard, bots on the other seats."""
    from sarai.cli.errors import errors_in
    from sarai.cli.language import terminal_language
    from sarai.cli.play import PlayArguments, play

    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    arguments = PlayArguments(game, players, people, bots, option or [], name or [], seed, record)
    spoken = terminal_language(language)
    with errors_in(spoken):
        play(arguments, spoken)


def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.sarai.json).")],
    seat: Annotated[
        int | None,
        typer.Option(help="See it as the player of this seat did, counted from 0.", show_default="a spectator"),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Print everything to the end.")] = False,
    language: LanguageOption = None,
) -> None:
    """Step through a record."""
    from sarai.cli.errors import errors_in
    from sarai.cli.language import terminal_language
    from sarai.cli.replay import replay

    spoken = terminal_language(language)
    with errors_in(spoken):
        replay(file, seat, all, spoken)


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
    language: LanguageOption = None,
) -> None:
    """Tell the odds of a position."""
    from sarai.cli.errors import errors_in
    from sarai.cli.language import terminal_language
    from sarai.cli.odds import show_odds

    spoken = terminal_language(language)
    with errors_in(spoken):
        show_odds(game, position, ask, json, races, spoken)


def picture_command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.", show_default=False)],
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="A position; the game's id before it may be left out.")
    ],
    seat: Annotated[
        int | None,
        typer.Option(help="What the player of this seat sees, counted from 0.", show_default="a spectator"),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A player's name; repeat it for the next player.", show_default=False)
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="In colours for a dark page.")] = False,
    language: LanguageOption = None,
) -> None:
    """Print a picture of a position: one SVG."""
    from sarai.cli.errors import errors_in
    from sarai.cli.language import terminal_language
    from sarai.cli.picture import PictureArguments, print_picture

    spoken = terminal_language(language)
    with errors_in(spoken):
        print_picture(PictureArguments(game, position, seat, name or [], dark), spoken)


def verify_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (*.sarai.json) of a game at a table.")],
) -> None:
    """Check a record: the moves by the rules, the dice by what was promised."""
    from sarai.cli.verify import verify

    verify(file)


def warm_command(
    jobs: Annotated[int, typer.Option(min=1, help="How many processes compile, each a game at a time.")] = 1,
) -> None:
    """Compile the rules of all games, so that everything starts quickly."""
    from sarai.cli.warm import warm_all

    warm_all(jobs)
