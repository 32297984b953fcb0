"""The command `sarai play`: what is decided before the first move of a game at the terminal."""

import os
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

import platformdirs
from rich.text import Text

import sarai
from sarai.cli.errors import CommandError
from sarai.cli.seats import default_count, resolve_seats
from sarai.cli.terminal_io import InputEnded, Screen
from sarai.core.errors import BadRecord
from sarai.core.game import Game
from sarai.core.language import Language
from sarai.core.messages import mark


@dataclass(frozen=True)
class PlayArguments:
    """The arguments of the command; None: not given."""

    game: str | None
    players: int | None
    people: int | None
    bots: str | None
    options: list[str]
    names: list[str]
    seed: int
    record: Path | None


def play(arguments: PlayArguments, language: Language) -> None:
    """Play a game at the terminal."""
    screen = Screen(language)
    try:
        if arguments.game is None:
            arguments = ask(screen, arguments)
    except (InputEnded, KeyboardInterrupt):
        return
    game = sarai.game(str(arguments.game))
    seats = resolve_seats(game, arguments.players, arguments.people, arguments.bots)
    names = seats.names(arguments.names, screen.say)
    options = game.resolve_options(seats.count, read_options(arguments.options))
    path = arguments.record or new_path(game)
    check_writable(path)

    from sarai.cli.terminal_game import TerminalGame
    from sarai.cli.warm import warm_game
    from sarai.core.kernels.warm import TO_PLAY
    from sarai.core.records import Record

    try:
        warm_game(game, TO_PLAY, screen.say)
        played = TerminalGame(screen, Record.begin(game, seats.count, options, names), seats, arguments.seed, path)
    except KeyboardInterrupt:
        return
    played.run()


def ask(screen: Screen, arguments: PlayArguments) -> PlayArguments:
    """Ask which game, and for how many."""
    games = list(map(sarai.game, sarai.game_ids()))
    titles = [screen.say(game.title) for game in games]
    width = max(map(len, titles))
    for number, (game, title) in enumerate(zip(games, titles, strict=True), 1):
        players = screen.say(
            "{most, plural, one {{fewest}–# player} other {{fewest}–# players}}",
            fewest=game.players[0],
            most=game.players[-1],
        )
        screen.show(Text(f"{screen.language.number(number)}  {title:<{width}}  ").append(players))
    game = games[screen.choose(mark("Which game ({low} to {high}) [{usual}]:"), 1, len(games), 1) - 1]
    arguments = replace(arguments, game=game.id)
    if arguments.players is None and arguments.bots is None:
        least = arguments.people or 0
        question = mark("How many players ({low} to {high}) [{usual}]:")
        fewest, usual = max(game.players[0], least), default_count(game, least)
        arguments = replace(arguments, players=screen.choose(question, fewest, game.players[-1], usual))
    if arguments.people is None and arguments.bots is None and arguments.players is not None:
        question = mark("How many of them are people at this keyboard ({low} to {high}) [{usual}]:")
        arguments = replace(arguments, people=screen.choose(question, 0, arguments.players, 1))
    return arguments


def read_options(given: list[str]) -> dict[str, str]:
    """Read options of the form name=value."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError("option_form", text=text)
        if name in options:
            raise CommandError("option_twice", option=name)
        options[name] = value
    return options


def new_path(game: Game) -> Path:
    """Return a file for a new record in the user's data folder."""
    folder = platformdirs.user_data_path("sarai") / "records"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRecord("file_unwritable", path=folder, why=error.strerror or error) from None
    stem = f"{game.id}-{datetime.now():%Y-%m-%d-%H%M%S}"
    return next(
        path
        for number in count(1)
        if not (path := folder / f"{stem}{f'-{number}' if number > 1 else ''}.sarai.json").exists()
    )


def check_writable(path: Path) -> None:
    """Refuse a file for the record that exists or cannot be made, before a game is played."""
    try:
        if path.exists():
            raise BadRecord("file_unwritable", path=path, why=mark("there is something of that name already"))
    except OSError as error:
        raise BadRecord("file_unwritable", path=path, why=error.strerror or error) from None
    if not path.parent.is_dir():
        raise BadRecord("file_unwritable", path=path, why=mark("its folder does not exist"))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadRecord("file_unwritable", path=path, why=mark("its folder may not be changed"))
