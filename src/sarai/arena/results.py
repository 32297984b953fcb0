"""The results of a match: mean ranks, wins and scores with 95 % intervals, who finishes above whom, ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from sarai.arena.match_settings import Match
from sarai.core.result import Result
from sarai.core.statistics import Estimate, Sample


class Rating(NamedTuple):
    """An openskill rating: a bot's estimated strength, its uncertainty, and the strength it has almost certainly."""

    mu: float
    sigma: float
    ordinal: float


class Row(NamedTuple):
    """The results of one bot."""

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
class ResultTable:
    """The results of a match, the bot with the best mean rank first."""

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
    """Return ranks in which tied seats get the mean of their places, so that the ranks of a game have one sum."""
    return [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]


@dataclass
class Tally:
    """The results of a match as they grow, deal by deal: games of a deal share its luck, so a deal is one sample."""

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
        """Add a deal: for each bot the mean over all its seats in all games."""
        games = list(zip(self.match.lineups, results, strict=True))
        for bot in self.match.bots:
            places = [(result, seat) for lineup, result in games for seat, name in enumerate(lineup) if name == bot]
            self.ranks[bot].add(mean(even_ranks(result.ranks)[seat] for result, seat in places))
            self.wins[bot].add(mean(result.utilities[seat] for result, seat in places))
            self.scores[bot].add(mean(result.scores[seat] for result, seat in places))
        for (bot, other), sample in self.above.items():
            sample.add(
                mean(
                    (result.ranks[mine] < result.ranks[its]) + (result.ranks[mine] == result.ranks[its]) / 2
                    for lineup, result in games
                    for mine, first in enumerate(lineup)
                    for its, second in enumerate(lineup)
                    if first == bot and second == other
                )
            )

    def rank(self, bot: str) -> Estimate:
        """Estimate a bot's mean rank; its bounds follow from how many seats it has."""
        seats = self.match.seats.count(bot)
        return self.ranks[bot].bounded_mean((1 + seats) / 2, self.match.players - (seats - 1) / 2)

    def win(self, bot: str) -> Estimate:
        """Estimate a bot's share of the win per seat; its seats together get at most one win a game."""
        seats = self.match.seats.count(bot)
        return self.wins[bot].bounded_mean(1 / seats if seats == self.match.players else 0.0, 1 / seats)


def mean(numbers: Iterable[float]) -> float:
    """Return the mean of numbers."""
    listed = list(numbers)
    return sum(listed) / len(listed)


def ratings(match: Match, deals: Iterable[Sequence[Result]]) -> dict[str, Rating]:
    """Rate the bots by all games in order; the updates of several seats of one bot are averaged."""
    model = PlackettLuce()
    known = dict.fromkeys(match.bots, (model.mu, model.sigma))
    for results in deals:
        for lineup, result in zip(match.lineups, results, strict=True):
            rated = model.rate(
                [[model.rating(*known[bot])] for bot in lineup], ranks=[float(rank) for rank in result.ranks]
            )
            for bot in known:
                mine = [team[0] for name, team in zip(lineup, rated, strict=True) if name == bot]
                known[bot] = mean(rating.mu for rating in mine), mean(rating.sigma for rating in mine)
    return {bot: Rating(mu, sigma, mu - 3 * sigma) for bot, (mu, sigma) in known.items()}


def tabulate(match: Match, done: Mapping[int, Sequence[Result]]) -> ResultTable:
    """Return the results of finished deals, the same to the last digit in whatever order they were played."""
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
    pairs = [
        Pair(bot, other, tally.above[bot, other].bounded_mean()) for bot in order for other in order if bot != other
    ]
    return ResultTable(match, len(ordered), dict(sorted(endings.items())), rows, pairs)
