"""The command `sarai arena`: a match between bots, with a bar while it is played and a table when it is over."""

import json
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid
from rich.text import Text

from sarai.arena.cluster import play_there
from sarai.arena.deals import Deal, names_of
from sarai.arena.journal import Journal, usual_path
from sarai.arena.local_workers import play_here
from sarai.arena.match import Match
from sarai.arena.numbers import Estimate, Table, Tally, tabulate
from sarai.bots import Budget
from sarai.cli.opening import read_options
from sarai.cli.screen import Screen, output
from sarai.core.errors import Error
from sarai.core.records import SUFFIX, Record


@dataclass(frozen=True)
class Wishes:
    """What was said about the match to be played; None: nothing."""

    game: str
    bots: list[str]
    players: int | None
    games: int
    seed: int
    jobs: int | None
    options: list[str]
    seconds: float | None
    simulations: int | None
    json: bool
    records: Path | None
    resume: Path | None
    cluster: str | None


def arena(wishes: Wishes) -> None:
    """Play a match, or what is left of it, and print its table."""
    budget = Budget(wishes.seconds, wishes.simulations)
    match = Match.make(
        wishes.game,
        wishes.bots,
        wishes.players,
        read_options(wishes.options),
        None if budget == Budget() else budget,
        wishes.seed,
    )
    for what, number in (("games", wishes.games), ("jobs", wishes.jobs)):
        if number is not None and number < 1:
            raise Error("bad_count", what=what, found=number, allowed="it is at least 1")
    if wishes.records is not None:
        make_folder(wishes.records)
    path = wishes.resume or usual_path(match)
    if wishes.resume is None:
        make_folder(path.parent)
    deals = match.deals_for(wishes.games)
    journal = Journal(path, match)
    over = False
    try:
        play_rest(match, deals, journal, wishes)
        table = tabulate(match, {deal: results for deal, results in journal.done.items() if deal < deals})
        over = True
    finally:
        if wishes.resume is None and (over or not journal.done):
            journal.remove()
        journal.close()
    if wishes.json:
        print(json.dumps(table.to_json(), ensure_ascii=False, indent=2))
    else:
        Screen().show(drawn(table))


def make_folder(path: Path) -> None:
    """Make a folder for files to come, if there is none."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error("file_unwritable", path=path, why=error.strerror or error) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise Error("file_unwritable", path=path, why="the folder may not be changed")


def play_rest(match: Match, deals: int, journal: Journal, wishes: Wishes) -> None:
    """Play the deals that are not over yet, and write down each that is."""
    over = [
        deal
        for deal in range(deals)
        if deal in journal.done and all(path.exists() for path in record_paths(match, deal, wishes.records))
    ]
    rest = sorted(set(range(deals)).difference(over))
    if over:
        print(f"{len(over)} of {deals} deals are in {journal.path} already.", file=sys.stderr)
    if not rest:
        return
    tally, began = Tally(match), time.monotonic()
    for deal in over:
        tally.add(journal.done[deal])
    bar = Bar(len(match.lineups), deals, len(over))
    try:
        with bar, closing(players(match, rest, wishes, bar.ready)) as finished:
            for number, done in enumerate(finished, 1):
                save_records(match, done, wishes.records)
                journal.add(done)
                tally.add(done.results)
                bar.show(len(over) + number, tally)
    except KeyboardInterrupt:
        known = sum(deal in journal.done for deal in range(deals))
        print(
            f"Stopped after {known} of {deals} deals; they are in {journal.path}, and the same command goes on from there.",
            file=sys.stderr,
        )
        raise
    print(f"{len(rest) * len(match.lineups)} games in {time.monotonic() - began:.1f} s.", file=sys.stderr)


def players(match: Match, deals: list[int], wishes: Wishes, ready: Callable[[], None]) -> Generator[Deal, None, None]:
    """Have deals played on a cluster or by processes of this machine."""
    keep_moves = wishes.records is not None
    if wishes.cluster is not None:
        return play_there(match, deals, wishes.cluster, keep_moves, ready)
    return play_here(match, deals, wishes.jobs or processors(), keep_moves, ready)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def record_paths(match: Match, deal: int, folder: Path | None) -> list[Path]:
    """Return where the records of a deal are saved, a file for each line-up; nowhere without a folder."""
    return (
        [folder / f"{match.game.id}-{match.digest}-{deal:06}-{turn}{SUFFIX}" for turn in range(len(match.lineups))]
        if folder is not None
        else []
    )


def save_records(match: Match, deal: Deal, folder: Path | None) -> None:
    """Save the games of a deal."""
    for path, lineup, moves, result in zip(
        record_paths(match, deal.number, folder), match.lineups, deal.moves, deal.results, strict=False
    ):
        Record(match.game, match.players, match.options, names_of(lineup), moves, None, result).save(path)


class Bar(Progress):
    """What is seen while a match is played, if the error output is a terminal: how far it is, and below it how it stands."""

    def __init__(self, games: int, deals: int, over: int) -> None:
        console = output(stderr=True)
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.games, self.stand = games, Text()
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.only = self.add_task("getting ready", total=deals * games, completed=over * games)

    def get_renderables(self) -> Iterator[RenderableType]:
        """Draw the bar, and how the match stands."""
        yield self.make_tasks_table(self.tasks)
        yield self.stand

    def ready(self) -> None:
        """Say that everything is compiled."""
        self.update(self.only, description="playing")

    def show(self, over: int, tally: Tally) -> None:
        """Show the mean ranks after so many deals."""
        ranks = sorted((tally.rank(bot), bot) for bot in tally.match.bots)
        self.stand = Text("mean rank  " + "   ".join(f"{bot} {plus_minus(rank)}" for rank, bot in ranks), "dim")
        self.update(self.only, completed=over * self.games)


def plus_minus(number: Estimate) -> str:
    """Write a mean with how far its interval reaches."""
    if number.low is None or number.high is None:
        return f"{number.mean:.2f}"
    return f"{number.mean:.2f} ± {max(number.high - number.mean, number.mean - number.low):.2f}"


def interval(number: Estimate, digits: int, factor: int = 1, unit: str = "") -> str:
    """Write a mean and its interval."""
    text = f"{factor * number.mean:.{digits}f}{unit}"
    if number.low is None or number.high is None:
        return text
    return f"{text}\n[{factor * number.low:.{digits}f}, {factor * number.high:.{digits}f}]"


def drawn(table: Table) -> RenderableType:
    """Draw the table of a match."""
    match = table.match
    changed = [
        f"{option.name}={match.options[option.name]}"
        for option in match.game.options
        if match.options[option.name] != option.default
    ]
    thinking = (
        [
            f"{match.budget.seconds:g} s a move"
            if match.budget.seconds
            else f"{match.budget.simulations} simulations a move"
        ]
        if match.budget
        else []
    )
    shape = f"{table.games} games: {table.deals} deals in {len(match.lineups)} line-up{'s' * (len(match.lineups) > 1)}"
    head = " · ".join([match.game.title, f"{match.players} players", *changed, *thinking, shape, f"seed {match.seed}"])
    endings = ", ".join(f"{reason} {times}" for reason, times in table.endings.items())
    parts: list[RenderableType] = [Text(head, "bold"), standings(table)]
    if table.pairs:
        parts.append(duels(table))
    return Group(*parts, Text(f"Ends: {endings}. In brackets: 95 % intervals over deals.", "dim"))


def standings(table: Table) -> Grid:
    """Draw what is known of each bot."""
    grid = Grid("bot", "mean rank", "win share", "mean score", "rating")
    for column in grid.columns[1:]:
        column.justify = "right"
    for row in table.rows:
        seats = f" ×{row.seats}" if row.seats > 1 else ""
        rating = f"{row.rating.ordinal:.1f}\n{row.rating.mu:.1f} − 3 × {row.rating.sigma:.2f}"
        numbers = interval(row.rank, 3), interval(row.win, 1, 100, " %"), interval(row.score, 2)
        grid.add_row(Text(row.bot, "bold").append(seats, "not bold dim"), *numbers, rating)
    return grid


def duels(table: Table) -> Grid:
    """Draw how often the bot of a row finishes above the bot of a column."""
    order = [row.bot for row in table.rows]
    above = {(pair.bot, pair.other): pair.above for pair in table.pairs}
    grid = Grid("finishes above", *map(escape, order))
    for column in grid.columns[1:]:
        column.justify = "right"
    for bot in order:
        grid.add_row(
            Text(bot, "bold"), *(interval(above[bot, other], 1, 100, " %") if other != bot else "–" for other in order)
        )
    return grid
