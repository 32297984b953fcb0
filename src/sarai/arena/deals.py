"""A deal: one stream of chance, played once in every line-up."""

from __future__ import annotations

import operator
import os
import traceback
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from math import lcm
from typing import NamedTuple

from sarai.arena.match import Match, code_of
from sarai.bots import Budget
from sarai.core.errors import Error
from sarai.core.records import Record, Step
from sarai.core.result import CHANCE, OVER, Result
from sarai.core.state import State

WARM_UP = -1  # instead of the number of a deal
BITS = 128


class Deal(NamedTuple):
    """How a deal came out: the result of its game in each line-up, and the moves if somebody wants them."""

    number: int
    results: list[Result]
    moves: list[list[Step]]


def number_from(*parts: object) -> int:
    """Return 64 bits that depend on all the parts and look random."""
    return int.from_bytes(blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest())


class Luck:
    """The chance of a deal: when it is asked for the n-th time to choose among the same outcomes it gives the same answer, whoever plays.

    So every line-up meets the same cards and dice in the same order, however long the players take to ask for them. What was asked between is of no
    account: chance of one kind does not disturb chance of another.
    """

    def __init__(self, seed: int, deal: int) -> None:
        self.key = blake2b(f"{seed}/{deal}".encode(), digest_size=32).digest()
        self.asked: Counter[bytes] = Counter()

    def draw(self, state: State) -> int:
        """Return an outcome of a chance node, as likely as the node says."""
        outcomes = state.chance()
        kind = array("q", [outcome for outcome, _ in outcomes]).tobytes()
        self.asked[kind] += 1
        bits = blake2b(kind + self.asked[kind].to_bytes(8), key=self.key, digest_size=BITS // 8).digest()
        whole = lcm(*{likely.denominator for _, likely in outcomes})
        point = int.from_bytes(bits) * whole >> BITS
        for outcome, likely in outcomes:
            point -= likely.numerator * (whole // likely.denominator)
            if point < 0:
                return outcome
        raise AssertionError("probabilities that do not sum to 1")


def names_of(lineup: tuple[str, ...]) -> list[str]:
    """Return a name for every seat: the bot's, with a number where it sits more than once."""
    return [
        name if lineup.count(name) == 1 else f"{name} {lineup[: seat + 1].count(name)}"
        for seat, name in enumerate(lineup)
    ]


def play_game(match: Match, deal: int, turn: int) -> Record:
    """Play a deal in one of its line-ups."""
    lineup = match.lineups[turn]
    luck = Luck(match.seed, deal)
    bots = []
    for seat, name in enumerate(lineup):
        with blame(name, deal):
            bots.append(match.seat(name, number_from(match.seed, deal, turn, seat)))
    record = Record.begin(match.game, match.players, match.options, names_of(lineup))
    state = record.start()
    while state.actor != OVER:
        seat = state.actor
        if seat == CHANCE:
            state = record.play(state, luck.draw(state), CHANCE)
            continue
        with blame(lineup[seat], deal):
            state = record.play(state, operator.index(bots[seat].choose(state.view(seat), match.budget)), seat)
    return record


@contextmanager
def blame(bot: str, deal: int) -> Iterator[None]:
    """Say whose fault it is when something goes wrong inside."""
    try:
        yield
    except Exception as error:
        raise Error("bot_failed", bot=bot, deal=deal, why=f"{type(error).__name__}: {error}") from error


def play_deal(match: Match, deal: int) -> Deal:
    """Play a deal in every line-up; how it comes out depends on the match and the number alone, if bots count simulations and not seconds."""
    records = [play_game(match, deal, turn) for turn in range(len(match.lineups))]
    return Deal(deal, [record.result for record in records if record.result], [record.moves for record in records])


def warm_up(match: Match) -> None:
    """Have everything compiled that a match needs, by letting every bot think for a moment about the first choice there is."""
    luck, state = Luck(match.seed, 0), match.game.start(match.players, match.options)
    while state.actor != OVER and len(state.legal()) < 2:
        state = state.play(luck.draw(state) if state.actor == CHANCE else state.legal()[0])
    if state.actor != OVER:
        for name in match.bots:
            with blame(name, 0):
                after = state.play(match.seat(name, 0).choose(state.view(state.actor), Budget(simulations=1)))
        list(after.scores)


def attempt(match: Match, task: int, keep_moves: bool) -> Deal | Exception | None:
    """Do what a process that plays is asked to do, and return what came of it, be it an error."""
    try:
        if match.code != code_of(tuple(match.bots)):
            return Error("other_code")
        if task == WARM_UP:
            warm_up(match)
            return None
        deal = play_deal(match, task)
        return deal if keep_moves else deal._replace(moves=[])
    except Exception as error:
        if os.environ.get("SARAI_TRACEBACK"):
            traceback.print_exc()
        return error
