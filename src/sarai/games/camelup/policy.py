"""What Camel Up knows about good play: what tickets, tiles and race cards bring, and what money means for the win."""

from dataclasses import replace
from math import sqrt

import numpy as np

from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.rng import uniform
from sarai.core.policy.kernels import register_policy
from sarai.core.policy.plan import Budget, Plan
from sarai.core.policy.shares import share_likely
from sarai.core.result import OVER
from sarai.games.camelup.chances import (
    COLUMNS,
    FIRST_IN_LEG,
    LANDINGS,
    PILE_ROWS,
    ROWS,
    SECOND_IN_LEG,
    card_guess,
    glance_ahead,
    look_ahead,
    try_tile,
)
from sarai.games.camelup.rules import top_ticket
from sarai.games.camelup.table import (
    ALL_CARDS,
    FINISHED,
    LINE,
    PARTNER,
    PRIZES,
    PYRAMID,
    RACING,
    ROLLING,
    STACK,
    STATE,
    TILE,
    TURN,
    WIN,
    WORTH,
)

PLACES = 0.5  # how much it counts to finish second rather than last
ROLL = 0.3  # what a roll is worth: the pound, less what it tells those who bet after it …
ROLL_AT_A_GLANCE = 0.9  # … and in playouts, which say nothing of a leg in which nobody rolls


@kernel
def ticket_worth(state: Rec, camel: int, place: int, table: Array) -> float:
    """Return what a betting ticket pays in the mean."""
    first, second = table[FIRST_IN_LEG, camel], table[SECOND_IN_LEG, camel]
    return float(first * WORTH[state.edition, place] + second - (1.0 - first - second))


@kernel
def card_worth(state: Rec, camel: int, pile: int, table: Array) -> float:
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
def tile_worth(state: Rec, seat: int, space: int, table: Array) -> float:
    """Return what a tile on a space earns more than where it lies."""
    return float(table[LANDINGS, space] - (table[LANDINGS, abs(state.tiles[seat])] if state.tiles[seat] else 0.0))


@kernel
def tile_weight(earned: float) -> float:
    """Return how a tile looks that earns so much: with little, it is a turn lost."""
    return earned - 4.0 * max(0.0, 0.5 - earned)


@kernel
def ticket_lead(state: Rec, seat: int, table: Array) -> float:
    """Return how much more a seat's tickets pay in the mean than those of another."""
    lead = 0.0
    for camel in range(RACING):
        for place in range(STACK):
            owner = int(state.tickets[camel, place]) - 1
            if owner >= 0:
                worth = ticket_worth(state, camel, place, table)
                lead += worth if owner == seat else -worth / (state.players - 1)
    return lead


@kernel
def partner_worth(state: Rec, partner: int, table: Array) -> float:
    """Return what the best ticket of a partner pays, about."""
    best = 0.6 + 0.4 * min(1, int(state.pyramid[partner]))
    for camel in range(RACING):
        for place in range(STACK):
            if state.tickets[camel, place] == partner + 1:
                best = max(best, ticket_worth(state, camel, place, table))
    return best


@kernel
def weigh(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge moves by chances seen at a glance: that is how others are imagined to play."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    glance_ahead(state, table)
    judge_moves(state, seat, moves, count, table, ROLL_AT_A_GLANCE, out)


@kernel
def weigh_carefully(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge moves by chances of many races run to their end."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    look_ahead(state, table)
    judge_moves(state, seat, moves, count, table, ROLL, out)
    lead = ticket_lead(state, seat, table)
    trial = np.empty((ROWS, COLUMNS), np.float64)
    for i in range(count):
        space, side = (int(moves[i]) - TILE) // 2 + 2, (int(moves[i]) - TILE) % 2
        if TILE <= moves[i] < PYRAMID and table[LANDINGS, space] > 0.1:
            try_tile(state, seat, space, side, trial)
            earned = trial[LANDINGS, space] + ticket_lead(state, seat, trial) - lead
            if state.tiles[seat]:
                earned -= table[LANDINGS, abs(state.tiles[seat])]
            out[i] = tile_weight(earned)


@kernel
def judge_moves(state: Rec, seat: int, moves: Array, count: int, table: Array, roll: float, out: Array) -> None:
    """Judge a move by the pounds it brings in the mean; a tile that earns little is a turn lost."""
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
            out[i] = 0.8 * partner_worth(state, move - PARTNER, table)


@kernel
def resample_hidden(state: Rec, seat: int, rng: Array) -> None:
    """Draw the race cards of the others again, as likely as the camels' chances were when they were laid."""
    if state.phase == FINISHED or state.laid == 0:
        return
    guess = np.empty(RACING, np.float64)
    for other in range(state.players):
        if other != seat:
            state.hands[other] = ALL_CARDS
    for card in range(state.laid):
        other = int(state.card_seat[card])
        if other == seat:
            continue
        card_guess(int(state.card_moment[card]), int(state.card_pile[card]), int(state.hands[other]), guess)
        left, chosen = uniform(rng), -1
        for camel in range(RACING):
            if guess[camel] > 0.0 and (chosen < 0 or left >= 0.0):
                chosen = camel
            left -= guess[camel]
        state.card_camel[card] = chosen + 1
        state.hands[other] ^= 1 << chosen


@kernel
def add_expected(state: Rec, money: Array) -> None:
    """Add what tickets and race cards will bring, about."""
    table = np.empty((ROWS, COLUMNS), np.float64)
    glance_ahead(state, table)
    for camel in range(RACING):
        for place in range(STACK):
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
def estimate(state: Rec, out: Array) -> None:
    """Turn money, and what will become money, into shares of the win: a lead counts the more the nearer the end is."""
    for seat in range(state.players):
        out[seat] = state.pounds[seat] + state.pyramid[seat]
    if state.actor == OVER:
        mean = 0.0
        for seat in range(state.players):
            mean += out[seat] / state.players
        for seat in range(state.players):
            out[seat] = 1.0 / state.players + (out[seat] - mean) / 60.0
        return
    furthest = 0
    if state.phase == TURN or state.phase == ROLLING:
        add_expected(state, out)
        for camel in range(RACING):
            furthest = max(furthest, int(state.space[camel]))
    share_likely(int(state.players), 1.0 + 1.1 * sqrt(LINE + 1 - furthest), PLACES, out)


register_policy(STATE, weigh=weigh, estimate=estimate, resample_hidden=resample_hidden, weigh_carefully=weigh_carefully)

MARGIN = 1.8  # pounds: tiles that earn nothing could be moved for ever by two who would rather wait than roll
STUDY = Plan("policy", samples=1)  # race cards of others do not change how moves look

LADDER = {
    "novice": replace(STUDY, temperature=0.8),
    "regular": replace(STUDY, temperature=0.35),
    "expert": replace(STUDY, temperature=0.15),
    "master": Plan(
        "halving",
        samples=1,
        temperature=0.6,
        rank_weight=PLACES,
        horizon=12,
        candidates=10,
        candidate_margin=MARGIN,
        estimate_weight=0.5,
        prior_playouts=150.0,
        budget=Budget(seconds=1.0, simulations=3_000),
    ),
}
