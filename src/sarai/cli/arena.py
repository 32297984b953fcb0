"""The command `sarai arena`: a match between bots, with a progress bar and then a table of results."""

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

from sarai.arena.cluster import play_on_cluster
from sarai.arena.deals import Deal, seat_names
from sarai.arena.errors import ArenaError
from sarai.arena.journal import Journal, default_path
from sarai.arena.local_workers import play_here
from sarai.arena.match_settings import Match
from sarai.arena.results import ResultTable, Tally, tabulate
from sarai.bots import Budget
from sarai.cli.play import read_options
from sarai.cli.terminal_io import Screen, output
from sarai.core.messages import Notation
from sarai.core.processor_affinity import processors
from sarai.core.records import SUFFIX, Record
from sarai.core.statistics import Estimate


@dataclass(frozen=True)
class ArenaArguments:
    """The arguments of the command; None: not given."""

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


def arena(arguments: ArenaArguments) -> None:
    """Play a match, or what is left of it, and print its table."""
    budget = Budget(arguments.seconds, arguments.simulations)
    match = Match.make(
        arguments.game,
        arguments.bots,
        arguments.players,
        read_options(arguments.options),
        None if budget == Budget() else budget,
        arguments.seed,
    )
    for what, number in (("games", arguments.games), ("jobs", arguments.jobs)):
        if number is not None and number < 1:
            raise ArenaError("bad_count", what=what, found=Notation(number), allowed="it is at least 1")
    if arguments.records is not None:
        make_folder(arguments.records)
    path = arguments.resume or default_path(match)
    if arguments.resume is None:
        make_folder(path.parent)
    deals = match.deals_for(arguments.games)
    journal = Journal(path, match)
    over = False
    try:
        play_rest(match, deals, journal, arguments)
        table = tabulate(match, {deal: results for deal, results in journal.done.items() if deal < deals})
        over = True
    finally:
        if arguments.resume is None and (over or not journal.done):
            journal.remove()
        journal.close()
    if arguments.json:
        print(json.dumps(table.to_json(), ensure_ascii=False, indent=2))
    else:
        Screen().show(render_results(table))


def make_folder(path: Path) -> None:
    """Make a folder if there is none, and check that files can be written there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError("file_unwritable", path=path, why=error.strerror or error) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise ArenaError("file_unwritable", path=path, why="the folder may not be changed")


def play_rest(match: Match, deals: int, journal: Journal, arguments: ArenaArguments) -> None:
    """Play the deals that are not in the journal yet, and add each when it is over."""
    over = [
        deal
        for deal in range(deals)
        if deal in journal.done and all(path.exists() for path in record_paths(match, deal, arguments.records))
    ]
    rest = sorted(set(range(deals)).difference(over))
    if over:
        print(f"{len(over)} of {deals} deals are in {journal.path} already.", file=sys.stderr)
    if not rest:
        return
    tally, began = Tally(match), time.monotonic()
    for deal in over:
        tally.add(journal.done[deal])
    bar = MatchProgress(len(match.lineups), deals, len(over))
    try:
        with bar, closing(play_deals(match, rest, arguments, bar.ready)) as finished:
            for number, done in enumerate(finished, 1):
                save_records(match, done, arguments.records)
                journal.add(done)
                tally.add(done.results)
                bar.show(len(over) + number, tally)
    except KeyboardInterrupt:
        known = sum(deal in journal.done for deal in range(deals))
        kept = f"they are in {journal.path}, and the same command goes on from there"
        print(f"Stopped after {known} of {deals} deals; {kept}.", file=sys.stderr)
        raise
    print(f"{len(rest) * len(match.lineups)} games in {time.monotonic() - began:.1f} s.", file=sys.stderr)


def play_deals(
    match: Match, deals: list[int], arguments: ArenaArguments, ready: Callable[[], None]
) -> Generator[Deal, None, None]:
    """Have deals played on a cluster or by processes of this machine."""
    keep_moves = arguments.records is not None
    if arguments.cluster is not None:
        return play_on_cluster(match, deals, arguments.cluster, keep_moves, ready)
    return play_here(match, deals, arguments.jobs or processors(), keep_moves, ready)


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
        Record(match.game, match.players, match.options, seat_names(lineup), moves, None, result).save(path)


class MatchProgress(Progress):
    """A progress bar with the mean ranks so far below it, if the error output is a terminal."""

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
        self.games, self.ranks = games, Text()
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.match_task = self.add_task("getting ready", total=deals * games, completed=over * games)

    def get_renderables(self) -> Iterator[RenderableType]:
        """Return the bar and the mean ranks."""
        yield self.make_tasks_table(self.tasks)
        yield self.ranks

    def ready(self) -> None:
        """Show that everything is compiled."""
        self.update(self.match_task, description="playing")

    def show(self, over: int, tally: Tally) -> None:
        """Show the mean ranks after a number of deals."""
        ranks = sorted((tally.rank(bot), bot) for bot in tally.match.bots)
        self.ranks = Text("mean rank  " + "   ".join(f"{bot} {plus_minus(rank)}" for rank, bot in ranks), "dim")
        self.update(self.match_task, completed=over * self.games)


def plus_minus(number: Estimate) -> str:
    """Return a mean and how far its interval reaches, as text."""
    if number.low is None or number.high is None:
        return f"{number.mean:.2f}"
    return f"{number.mean:.2f} ± {max(number.high - number.mean, number.mean - number.low):.2f}"


def with_interval(number: Estimate, digits: int, factor: int = 1, unit: str = "") -> str:
    """Return a mean and its interval as text."""
    text = f"{factor * number.mean:.{digits}f}{unit}"
    if number.low is None or number.high is None:
        return text
    return f"{text}\n[{factor * number.low:.{digits}f}, {factor * number.high:.{digits}f}]"


def render_results(table: ResultTable) -> RenderableType:
    """Render the results of a match."""
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
    parts: list[RenderableType] = [Text(head, "bold"), bots_grid(table)]
    if table.pairs:
        parts.append(pairs_grid(table))
    return Group(*parts, Text(f"Ends: {endings}. In brackets: 95 % intervals over deals.", "dim"))


def bots_grid(table: ResultTable) -> Grid:
    """Render the results of each bot."""
    grid = Grid("bot", "mean rank", "win share", "mean score", "rating")
    for column in grid.columns[1:]:
        column.justify = "right"
    for row in table.rows:
        seats = f" ×{row.seats}" if row.seats > 1 else ""
        rating = f"{row.rating.ordinal:.1f}\n{row.rating.mu:.1f} − 3 × {row.rating.sigma:.2f}"
        numbers = with_interval(row.rank, 3), with_interval(row.win, 1, 100, " %"), with_interval(row.score, 2)
        grid.add_row(Text(row.bot, "bold").append(seats, "not bold dim"), *numbers, rating)
    return grid


def pairs_grid(table: ResultTable) -> Grid:
    """Render how often the bot of a row finishes above the bot of a column."""
    order = [row.bot for row in table.rows]
    above = {(pair.bot, pair.other): pair.above for pair in table.pairs}
    grid = Grid("finishes above", *map(escape, order))
    for column in grid.columns[1:]:
        column.justify = "right"
    for bot in order:
        grid.add_row(
            Text(bot, "bold"),
            *(with_interval(above[bot, other], 1, 100, " %") if other != bot else "–" for other in order),
        )
    return grid
