"""Small matches for the tests of the arena."""

from sarai.arena import Match
from sarai.arena.journal import shares
from sarai.core.result import Result

ROUND = {"rounds": 1}


def small(*bots, players=None, seed=1, **more):
    return Match.make("sixnimmt", bots or ("random", "novice"), players, ROUND, seed=seed, **more)


def made(ranks, scores=None):
    return Result(scores or [10 * rank for rank in ranks], list(ranks), shares(list(ranks)), "end")
