"""What comes before the first move: questions, seats, a file for the record, compiled rules."""

import os
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

import platformdirs

import sarai
from sarai.cli.listing import players
from sarai.cli.screen import Left, Screen
from sarai.cli.seats import seats, usual_count
from sarai.core.errors import BadRecord, BadStart, Illegal
from sarai.core.game import Game


@dataclass(frozen=True)
class Wishes:
    """What the person at the keyboard said about the game to be played; None: nothing."""

    game: str | None
    players: int | None
    people: int | None
    bots: str | None
    options: list[str]
    names: list[str]
    seed: int
    record: Path | None


def play(wishes: Wishes) -> None:
    """Open a game and play it."""
    screen = Screen()
    try:
        if wishes.game is None:
            wishes = ask(screen, wishes)
    except (Left, KeyboardInterrupt):
        return
    game = sarai.game(str(wishes.game))
    seated = seats(game, wishes.players, wishes.people, wishes.bots)
    names = seated.names(wishes.names)
    options = game.resolve_options(seated.count, read_options(wishes.options))
    path = wishes.record or new_path(game)
    check_writable(path)

    from sarai.cli.play import Sitting
    from sarai.cli.prepare import prepare
    from sarai.core.kernels.warm import TO_PLAY
    from sarai.core.records import Record

    try:
        prepare(game, TO_PLAY)
        sitting = Sitting(screen, Record.begin(game, seated.count, options, names), seated, wishes.seed, path)
    except KeyboardInterrupt:
        return
    sitting.run()


def ask(screen: Screen, wishes: Wishes) -> Wishes:
    """Ask which game, and for how many."""
    games = list(map(sarai.game, sarai.game_ids()))
    width = max(len(game.title) for game in games)
    for number, game in enumerate(games, 1):
        screen.say(f"{number}  {game.title:<{width}}  {players(game)} players")
    game = games[screen.choose("Which game", 1, len(games), 1) - 1]
    wishes = replace(wishes, game=game.id)
    if wishes.players is None and wishes.bots is None:
        least = wishes.people or 0
        wishes = replace(
            wishes,
            players=screen.choose(
                "How many players", max(game.players[0], least), game.players[-1], usual_count(game, least)
            ),
        )
    if wishes.people is None and wishes.bots is None and wishes.players is not None:
        wishes = replace(
            wishes, people=screen.choose("How many of them are people at this keyboard", 0, wishes.players, 1)
        )
    return wishes


def read_options(given: list[str]) -> dict[str, str]:
    """Read options of the form name=value."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadStart("option_form", text=text)
        if name in options:
            raise BadStart("option_twice", option=name)
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
    """Refuse a file for the record that exists or cannot be made, before anybody has played for nothing."""
    try:
        if path.exists():
            raise BadRecord("file_unwritable", path=path, why="there is something of that name already")
    except OSError as error:
        raise BadRecord("file_unwritable", path=path, why=error.strerror or error) from None
    if not path.parent.is_dir():
        raise BadRecord("file_unwritable", path=path, why="its folder does not exist")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadRecord("file_unwritable", path=path, why="its folder may not be changed")


def replay(path: Path, seat: int | None, everything: bool) -> None:
    """Open a record and show it."""
    from sarai.cli.prepare import prepare
    from sarai.cli.replay import Replay
    from sarai.core.kernels.warm import TO_REPLAY
    from sarai.core.records import load

    record = load(path, check=False)
    if seat is not None and not 0 <= seat < record.players:
        raise Illegal("no_such_seat", seat=seat, last=record.players - 1)
    prepare(record.game, TO_REPLAY)
    shown = Replay(Screen(), record, seat)
    if everything:
        shown.print_all()
    else:
        shown.step()
