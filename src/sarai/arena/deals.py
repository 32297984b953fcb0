"""A deal: one stream of chance outcomes, played once in every line-up."""

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

from sarai.arena.errors import ArenaError
from sarai.arena.match_settings import Match, code_hash
from sarai.bots import Budget
from sarai.core.records import Record, Step
from sarai.core.result import CHANCE, OVER, Result
from sarai.core.state_and_view import State

WARM_UP = -1  # instead of the number of a deal
BITS = 128


class Deal(NamedTuple):
    """A deal that is over: the result of its game in each line-up, and the moves if they are kept."""

    number: int
    results: list[Result]
    moves: list[list[Step]]


def derived_seed(*parts: object) -> int:
    """Return a seed of 64 bits that depends on all the parts."""
    return int.from_bytes(blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest())


class DealChance:
    """The chance of a deal: the n-th draw among the same outcomes is the same in every line-up.

    So every line-up meets the same cards and dice in the same order, however long the players take to come to them.
    Draws among other outcomes in between make no difference.
    """

    def __init__(self, seed: int, deal: int) -> None:
        self.key = blake2b(f"{seed}/{deal}".encode(), digest_size=32).digest()
        self.drawn: Counter[bytes] = Counter()

    def draw(self, state: State) -> int:
        """Draw an outcome of a chance node by its probabilities."""
        outcomes = state.chance()
        kind = array("q", [outcome for outcome, _ in outcomes]).tobytes()
        self.drawn[kind] += 1
        bits = blake2b(kind + self.drawn[kind].to_bytes(8), key=self.key, digest_size=BITS // 8).digest()
        whole = lcm(*{likely.denominator for _, likely in outcomes})
        point = int.from_bytes(bits) * whole >> BITS
        for outcome, likely in outcomes:
            point -= likely.numerator * (whole // likely.denominator)
            if point < 0:
                return outcome
        raise AssertionError("probabilities that do not sum to 1")


def seat_names(lineup: tuple[str, ...]) -> list[str]:
    """Return a name for every seat: the bot's, with a number where it has several seats."""
    return [
        name if lineup.count(name) == 1 else f"{name} {lineup[: seat + 1].count(name)}"
        for seat, name in enumerate(lineup)
    ]


def play_game(match: Match, deal: int, turn: int) -> Record:
    """Play a deal in one of its line-ups."""
    lineup = match.lineups[turn]
    chance = DealChance(match.seed, deal)
    bots = []
    for seat, name in enumerate(lineup):
        with naming_bot(name, deal):
            bots.append(match.seat(name, derived_seed(match.seed, deal, turn, seat)))
    record = Record.begin(match.game, match.players, match.options, seat_names(lineup))
    state = record.start()
    while state.actor != OVER:
        seat = state.actor
        if seat == CHANCE:
            state = record.play(state, chance.draw(state), CHANCE)
            continue
        with naming_bot(lineup[seat], deal):
            state = record.play(state, operator.index(bots[seat].choose(state.view(seat), match.budget)), seat)
    return record


@contextmanager
def naming_bot(bot: str, deal: int) -> Iterator[None]:
    """Name the bot and the deal in an error that is raised inside."""
    try:
        yield
    except Exception as error:
        raise ArenaError("bot_failed", bot=bot, deal=deal, why=f"{type(error).__name__}: {error}") from error


def play_deal(match: Match, deal: int) -> Deal:
    """Play a deal in every line-up; with budgets in simulations the results depend on match and number alone."""
    records = [play_game(match, deal, turn) for turn in range(len(match.lineups))]
    return Deal(deal, [record.result for record in records if record.result], [record.moves for record in records])


def warm_up(match: Match) -> None:
    """Compile all that a match needs, by letting every bot choose at the first node with a choice."""
    chance, state = DealChance(match.seed, 0), match.game.start(match.players, match.options)
    while state.actor != OVER and len(state.legal()) < 2:
        state = state.play(chance.draw(state) if state.actor == CHANCE else state.legal()[0])
    if state.actor != OVER:
        for name in match.bots:
            with naming_bot(name, 0):
                after = state.play(match.seat(name, 0).choose(state.view(state.actor), Budget(simulations=1)))
        list(after.scores)


def attempt(match: Match, task: int, keep_moves: bool) -> Deal | Exception | None:
    """Play a deal or warm up in a process of its own; an error is returned as a value."""
    try:
        if match.code != code_hash(tuple(match.bots)):
            return ArenaError("other_code")
        if task == WARM_UP:
            warm_up(match)
            return None
        deal = play_deal(match, task)
        return deal if keep_moves else deal._replace(moves=[])
    except Exception as error:
        if os.environ.get("SARAI_TRACEBACK"):
            traceback.print_exc()
        return error
