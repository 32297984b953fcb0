"""Camel Up for bots: what tickets, tiles and race cards bring, what money means for the win, and how levels play."""

from dataclasses import replace
from math import sqrt

import numpy as np

from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.rng import uniform
from sarai.core.policy.dispatch import register_policy
from sarai.core.policy.levels import Budget, Plan
from sarai.core.policy.win_shares import share_likely
from sarai.core.result import OVER
from sarai.games.camelup.odds.quick_chances import (
    COLUMNS,
    FIRST_IN_LEG,
    LANDINGS,
    PILE_ROWS,
    ROWS,
    SECOND_IN_LEG,
    card_chances,
    estimate_chances,
    sample_chances,
    sample_leg_with_tile,
)
from sarai.games.camelup.state import (
    ALL_CARDS,
    FINISHED,
    LAST_SPACE,
    MOST_TICKETS,
    PARTNER,
    PRIZES,
    PYRAMID,
    RACING,
    ROLLING,
    STATE,
    TICKET_WORTH,
    TILE,
    TURN,
    WIN,
    StateRecord,
)
from sarai.games.camelup.turn_actions import top_ticket

RANK_WEIGHT = 0.5  # of the ranks behind the winner
ROLL_VALUE = 0.3  # pounds: the one of the ticket, less what the roll tells those who bet after it …
ROLL_VALUE_IN_PLAYOUTS = 0.9  # … and in playouts, where a leg must go on
LEAST_LANDINGS = 0.1  # a leg, on a space whose tile is judged carefully
PARTNER_SHARE = 0.8  # of what a partner's best ticket pays
POUNDS_PER_WIN = 60.0  # what a lead counts when the game is over, beside the win itself


@kernel
def ticket_worth(state: StateRecord, camel: int, place: int, table: Array) -> float:
    """Return what a betting ticket pays in the mean."""
    first, second = table[FIRST_IN_LEG, camel], table[SECOND_IN_LEG, camel]
    return float(first * TICKET_WORTH[state.edition, place] + second - (1.0 - first - second))


@kernel
def card_worth(state: StateRecord, camel: int, pile: int, table: Array) -> float:
    """Return what a race card brings if it is laid now: every second card of the pile may show the same camel."""
    chance = table[PILE_ROWS[pile], camel]
    before = -0.25
    for card in range(state.laid):
        if state.card_pile[card] == pile:
            before += 0.5
    before = min(4.0, max(0.0, before))
    step = min(3, int(before))
    prize = PRIZES[step] + (before - step) * (PRIZES[step + 1] - PRIZES[step])
    return float(chance * prize - (1.0 - chance))


@kernel
def tile_worth(state: StateRecord, seat: int, space: int, table: Array) -> float:
    """Return what a tile on a space earns more than where it lies."""
    return float(table[LANDINGS, space] - (table[LANDINGS, abs(state.tiles[seat])] if state.tiles[seat] else 0.0))


@kernel
def tile_weight(earned: float) -> float:
    """Return the weight of a tile by the pounds it earns: with little, it is a turn lost."""
    return earned - 4.0 * max(0.0, 0.5 - earned)


@kernel
def ticket_lead(state: StateRecord, seat: int, table: Array) -> float:
    """Return how much more a seat's tickets pay in the mean than those of another."""
    lead = 0.0
    for camel in range(RACING):
        for place in range(MOST_TICKETS):
            owner = int(state.tickets[camel, place]) - 1
            if owner >= 0:
                worth = ticket_worth(state, camel, place, table)
                lead += worth if owner == seat else -worth / (state.players - 1)
    return lead


@kernel
def partner_worth(state: StateRecord, partner: int, table: Array) -> float:
    """Estimate what the best ticket of a partner pays."""
    best = 0.6 + 0.4 * min(1, int(state.pyramid[partner]))
    for camel in range(RACING):
        for place in range(MOST_TICKETS):
            if state.tickets[camel, place] == partner + 1:
                best = max(best, ticket_worth(state, camel, place, table))
    return best


@kernel
def weigh(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Weigh moves by estimated chances, fast enough for playouts."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    estimate_chances(state, table)
    weigh_by_chances(state, seat, moves, count, table, ROLL_VALUE_IN_PLAYOUTS, out)


@kernel
def weigh_carefully(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Weigh moves by chances of many races run to their end, and tiles by what they do to tickets."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    sample_chances(state, table)
    weigh_by_chances(state, seat, moves, count, table, ROLL_VALUE, out)
    lead = ticket_lead(state, seat, table)
    trial = np.empty((ROWS, COLUMNS), np.float64)
    for i in range(count):
        space, side = (int(moves[i]) - TILE) // 2 + 2, (int(moves[i]) - TILE) % 2
        if TILE <= moves[i] < PYRAMID and table[LANDINGS, space] > LEAST_LANDINGS:
            sample_leg_with_tile(state, seat, space, side, trial)
            earned = trial[LANDINGS, space] + ticket_lead(state, seat, trial) - lead
            if state.tiles[seat]:
                earned -= table[LANDINGS, abs(state.tiles[seat])]
            out[i] = tile_weight(earned)


@kernel
def weigh_by_chances(
    state: StateRecord, seat: int, moves: Array, count: int, table: Array, roll: float, out: Array
) -> None:
    """Weigh moves by the pounds that they bring in the mean."""
    for i in range(count):
        move = int(moves[i])
        if move < TILE:
            out[i] = ticket_worth(state, move, top_ticket(state, move), table)
        elif move < PYRAMID:
            out[i] = tile_weight(tile_worth(state, seat, (move - TILE) // 2 + 2, table))
        elif move == PYRAMID:
            out[i] = roll
        elif move < PARTNER:
            out[i] = card_worth(state, (move - WIN) % RACING, (move - WIN) // RACING, table)
        else:
            out[i] = PARTNER_SHARE * partner_worth(state, move - PARTNER, table)


@kernel
def resample_hidden(state: StateRecord, seat: int, rng: Array) -> None:
    """Draw the race cards of other seats again, as likely as the camels' chances were when they were laid."""
    if state.phase == FINISHED or state.laid == 0:
        return
    chances = np.empty(RACING, np.float64)
    for other in range(state.players):
        if other != seat:
            state.hands[other] = ALL_CARDS
    for card in range(state.laid):
        other = int(state.card_seat[card])
        if other == seat:
            continue
        card_chances(int(state.card_moment[card]), int(state.card_pile[card]), int(state.hands[other]), chances)
        left, chosen = uniform(rng), -1
        for camel in range(RACING):
            if chances[camel] > 0.0 and (chosen < 0 or left >= 0.0):
                chosen = camel
            left -= chances[camel]
        state.card_camel[card] = chosen + 1
        state.hands[other] ^= 1 << chosen


@kernel
def add_expected(state: StateRecord, money: Array) -> None:
    """Add an estimate of what tickets and race cards will bring."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    estimate_chances(state, table)
    for camel in range(RACING):
        for place in range(MOST_TICKETS):
            owner = int(state.tickets[camel, place]) - 1
            if owner >= 0:
                money[owner] += ticket_worth(state, camel, place, table)
    right = np.zeros((2, RACING), np.int64)
    for card in range(state.laid):
        pile, camel = int(state.card_pile[card]), int(state.card_camel[card]) - 1
        chance = table[PILE_ROWS[pile], camel]
        money[state.card_seat[card]] += chance * PRIZES[min(4, right[pile, camel])] - (1.0 - chance)
        right[pile, camel] += 1


@kernel
def estimate(state: StateRecord, out: Array) -> None:
    """Turn money, and what will become money, into shares of the win; a lead counts more the nearer the end is."""
    for seat in range(state.players):
        out[seat] = state.pounds[seat] + state.pyramid[seat]
    if state.actor == OVER:
        mean = 0.0
        for seat in range(state.players):
            mean += out[seat] / state.players
        for seat in range(state.players):
            out[seat] = 1.0 / state.players + (out[seat] - mean) / POUNDS_PER_WIN
        return
    furthest = 0
    if state.phase == TURN or state.phase == ROLLING:
        add_expected(state, out)
        for camel in range(RACING):
            furthest = max(furthest, int(state.space[camel]))
    share_likely(int(state.players), 1.0 + 1.1 * sqrt(LAST_SPACE + 1 - furthest), RANK_WEIGHT, out)


register_policy(STATE, weigh=weigh, estimate=estimate, resample_hidden=resample_hidden, weigh_carefully=weigh_carefully)

CANDIDATE_MARGIN = 1.8  # pounds: without it two bots that would rather wait than roll move useless tiles for ever
ONE_SAMPLE = Plan("policy", samples=1)  # one is enough: race cards of others change no weights

LADDER = {
    "novice": replace(ONE_SAMPLE, temperature=0.8),
    "regular": replace(ONE_SAMPLE, temperature=0.35),
    "expert": replace(ONE_SAMPLE, temperature=0.15),
    "master": Plan(
        "halving",
        samples=1,
        temperature=0.6,
        rank_weight=RANK_WEIGHT,
        horizon=12,
        candidates=10,
        candidate_margin=CANDIDATE_MARGIN,
        estimate_weight=0.5,
        prior_playouts=150.0,
        budget=Budget(seconds=1.0, simulations=3_000),
    ),
}
