"""What a match says about its bots: means with 95 % intervals, who finishes above whom, ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from sarai.arena.match import Match
from sarai.core.result import Result

# Student's t for two-sided 95 %, by degrees of freedom from 1 on; beyond the list, an expansion that is as exact as the list.
STUDENT = (
    *(
        12.7062,
        4.3027,
        3.1824,
        2.7764,
        2.5706,
        2.4469,
        2.3646,
        2.3060,
        2.2622,
        2.2281,
        2.2010,
        2.1788,
        2.1604,
        2.1448,
        2.1314,
    ),
    *(
        2.1199,
        2.1098,
        2.1009,
        2.0930,
        2.0860,
        2.0796,
        2.0739,
        2.0687,
        2.0639,
        2.0595,
        2.0555,
        2.0518,
        2.0484,
        2.0452,
        2.0423,
    ),
)
NORMAL = 1.959964


def student(freedom: int) -> float:
    """Return how many standard errors a 95 % interval reaches to each side."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class Estimate(NamedTuple):
    """A mean and its 95 % interval; no interval from a single deal."""

    mean: float
    low: float | None
    high: float | None


@dataclass
class Sample:
    """One number from every deal: games of one deal share its luck, so only deals are independent of each other."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Take in the number of another deal."""
        self.count += 1
        self.total += number
        self.squares += number * number

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        spread = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return sqrt(spread / self.count)

    def mean(self) -> Estimate:
        """Estimate a mean of anything."""
        middle = self.total / self.count
        if self.count < 2:
            return Estimate(middle, None, None)
        reach = student(self.count - 1) * self.error
        return Estimate(middle, middle - reach, middle + reach)

    def bounded(self, least: float = 0.0, most: float = 1.0) -> Estimate:
        """Estimate a mean of what lies between bounds, as a share of the way from one to the other.

        It is Wilson's interval for as many free trials as would have the error found: it keeps within the bounds, and 20 wins out of 20 are no certainty.
        """
        middle = self.total / self.count
        if self.count < 2:
            return Estimate(middle, None, None)
        if (way := most - least) == 0:
            return Estimate(middle, least, most)
        share, error = (middle - least) / way, self.error / way
        trials = share * (1 - share) / error**2 if error > 1e-9 and 0 < share < 1 else float(self.count)
        pull = student(self.count - 1) ** 2 / trials
        centre = (share + pull / 2) / (1 + pull)
        reach = sqrt(pull * max(0.0, share * (1 - share)) + pull * pull / 4) / (1 + pull)
        return Estimate(
            middle,
            min(middle, least + way * max(0.0, centre - reach)),
            max(middle, least + way * min(1.0, centre + reach)),
        )


class Rating(NamedTuple):
    """An openskill rating: a guess at a bot's strength, how uncertain it is, and what it surely is worth."""

    mu: float
    sigma: float
    ordinal: float


class Row(NamedTuple):
    """What a match says about one bot."""

    bot: str
    seats: int
    rank: Estimate
    win: Estimate
    score: Estimate
    rating: Rating


class Pair(NamedTuple):
    """How often one bot finishes above another, a tie counting half."""

    bot: str
    other: str
    above: Estimate


@dataclass(frozen=True)
class Table:
    """The numbers of a match, the bot with the best mean rank first."""

    match: Match
    deals: int
    endings: dict[str, int]
    rows: list[Row]
    pairs: list[Pair]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.deals * len(self.match.lineups)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {
            **self.match.to_json(),
            "deals": self.deals,
            "games": self.games,
            "endings": self.endings,
            "bots": [
                {
                    "bot": row.bot,
                    "seats": row.seats,
                    "rank": row.rank._asdict(),
                    "win": row.win._asdict(),
                    "score": row.score._asdict(),
                    "rating": row.rating._asdict(),
                }
                for row in self.rows
            ],
            "pairs": [{"bot": pair.bot, "other": pair.other, "above": pair.above._asdict()} for pair in self.pairs],
        }


def even_ranks(ranks: Sequence[int]) -> list[float]:
    """Return ranks in which seats that share places get the middle of them, so that the ranks of a game always add up to the same."""
    return [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]


@dataclass
class Tally:
    """The numbers of a match as they grow, deal by deal."""

    match: Match
    ranks: dict[str, Sample] = field(init=False)
    wins: dict[str, Sample] = field(init=False)
    scores: dict[str, Sample] = field(init=False)
    above: dict[tuple[str, str], Sample] = field(init=False)

    def __post_init__(self) -> None:
        bots = self.match.bots
        self.ranks, self.wins, self.scores = ({bot: Sample() for bot in bots} for _ in range(3))
        self.above = {(bot, other): Sample() for bot in bots for other in bots if bot != other}

    def add(self, results: Sequence[Result]) -> None:
        """Take in a deal: for each bot the mean over all its seats in all games."""
        games = list(zip(self.match.lineups, results, strict=True))
        for bot in self.match.bots:
            places = [(result, seat) for lineup, result in games for seat, name in enumerate(lineup) if name == bot]
            self.ranks[bot].add(middle(even_ranks(result.ranks)[seat] for result, seat in places))
            self.wins[bot].add(middle(result.utilities[seat] for result, seat in places))
            self.scores[bot].add(middle(result.scores[seat] for result, seat in places))
        for (bot, other), sample in self.above.items():
            sample.add(
                middle(
                    (result.ranks[mine] < result.ranks[its]) + (result.ranks[mine] == result.ranks[its]) / 2
                    for lineup, result in games
                    for mine, first in enumerate(lineup)
                    for its, second in enumerate(lineup)
                    if first == bot and second == other
                )
            )

    def rank(self, bot: str) -> Estimate:
        """Estimate a bot's mean rank; with many seats of its own it can be neither the first nor the last on average."""
        seats = self.match.seats.count(bot)
        return self.ranks[bot].bounded((1 + seats) / 2, self.match.players - (seats - 1) / 2)

    def win(self, bot: str) -> Estimate:
        """Estimate the share of the win that a seat of a bot gets; its seats together get no more than one win a game."""
        seats = self.match.seats.count(bot)
        return self.wins[bot].bounded(1 / seats if seats == self.match.players else 0.0, 1 / seats)


def middle(numbers: Iterable[float]) -> float:
    """Return the mean of numbers."""
    listed = list(numbers)
    return sum(listed) / len(listed)


def ratings(match: Match, deals: Iterable[Sequence[Result]]) -> dict[str, Rating]:
    """Rate the bots by all games in their order; what several seats of one bot learn from a game is averaged."""
    model = PlackettLuce()
    known = dict.fromkeys(match.bots, (model.mu, model.sigma))
    for results in deals:
        for lineup, result in zip(match.lineups, results, strict=True):
            rated = model.rate(
                [[model.rating(*known[bot])] for bot in lineup], ranks=[float(rank) for rank in result.ranks]
            )
            for bot in known:
                mine = [team[0] for name, team in zip(lineup, rated, strict=True) if name == bot]
                known[bot] = middle(rating.mu for rating in mine), middle(rating.sigma for rating in mine)
    return {bot: Rating(mu, sigma, mu - 3 * sigma) for bot, (mu, sigma) in known.items()}


def tabulate(match: Match, done: Mapping[int, Sequence[Result]]) -> Table:
    """Return the numbers of the deals that are over, the same to the last digit in whichever order they were played."""
    ordered = [done[deal] for deal in sorted(done)]
    tally, endings = Tally(match), Counter(result.reason for results in ordered for result in results)
    for results in ordered:
        tally.add(results)
    rated = ratings(match, ordered)
    rows = [
        Row(bot, match.seats.count(bot), tally.rank(bot), tally.win(bot), tally.scores[bot].mean(), rated[bot])
        for bot in match.bots
    ]
    rows.sort(key=lambda row: row.rank.mean)
    order = [row.bot for row in rows]
    pairs = [Pair(bot, other, tally.above[bot, other].bounded()) for bot in order for other in order if bot != other]
    return Table(match, len(ordered), dict(sorted(endings.items())), rows, pairs)
