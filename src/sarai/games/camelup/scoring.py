"""Money in Camel Up: the scoring of a leg and of the race (C1-22 … C1-30, C2-21 … C2-31)."""

from sarai.core.kernels.compile import kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.result import OVER
from sarai.games.camelup.state import (
    CARD_SHOWN,
    FINISHED,
    GAME_OVER,
    LEG_OVER,
    LEG_PAID,
    MOST_TICKETS,
    PRIZES,
    RACE_OVER,
    RACING,
    TICKET_WORTH,
    WINNER,
    PublicRecord,
    StateRecord,
)
from sarai.games.camelup.track import clear_track, last_camel, leaders


@kernel
def ticket_pay(state: PublicRecord, camel: int, place: int, first: int, second: int) -> int:
    """Return what a betting ticket pays: its number for the leader, 1 for the second, else −1 (C1-24, C2-23)."""
    if camel == first:
        return int(TICKET_WORTH[state.edition, place])
    return 1 if camel == second else -1


@kernel
def betting_pay(state: PublicRecord, seat: int, first: int, second: int) -> tuple[int, int]:
    """Return what all betting tickets of a seat pay, and its best one, 0 if none pays."""
    whole = best = 0
    for camel in range(RACING):
        for place in range(MOST_TICKETS):
            if state.tickets[camel, place] == seat + 1:
                pay = ticket_pay(state, camel, place, first, second)
                whole += pay
                best = max(best, pay)
    return whole, best


@kernel
def partner_pay(state: PublicRecord, seat: int, first: int, second: int) -> int:
    """Return the pay of the partner's best ticket, betting or pyramid; none is added if none pays (C2-30)."""
    partner = state.partners[seat] - 1
    if partner < 0:
        return 0
    _, best = betting_pay(state, partner, first, second)
    return max(best, 1 if state.pyramid[partner] > 0 else 0)


@kernel
def pay(state: StateRecord, seat: int, amount: int) -> int:
    """Pay a seat, or take what it can pay and forgive the rest (C1-25); return by how much its money changed."""
    change = max(amount, -int(state.pounds[seat]))
    state.pounds[seat] += change
    return change


@kernel
def score_leg(state: StateRecord, trace: Trace) -> None:
    """Score a leg (C1-24) and clean up (C1-26, C2-31)."""
    first, second = leaders(state)
    tell(trace, LEG_OVER, state.leg, first, second)
    for seat in range(state.players):
        bets, _ = betting_pay(state, seat, first, second)
        shared = partner_pay(state, seat, first, second)
        change = pay(state, seat, bets + state.pyramid[seat] + shared)
        tell(trace, LEG_PAID, seat, bets, state.pyramid[seat], shared, change, state.pounds[seat])
    clear_track(state)
    for seat in range(state.players):
        state.pyramid[seat] = 0
        state.partners[seat] = 0
    for camel in range(RACING):
        for place in range(MOST_TICKETS):
            state.tickets[camel, place] = 0


@kernel
def score_pile(state: StateRecord, pile: int, camel: int, trace: Trace) -> None:
    """Pay a pile's cards in the order of laying: 8, 5, 3, 2, then 1 for the right camel, −1 for a wrong one (C1-29)."""
    right = 0
    for card in range(state.laid):
        if state.card_pile[card] != pile:
            continue
        seat = int(state.card_seat[card])
        shown = state.card_camel[card] - 1
        prize = -1
        if shown == camel:
            prize = int(PRIZES[min(right, 4)])
            right += 1
        change = pay(state, seat, prize)
        tell(trace, CARD_SHOWN, seat, shown, pile, change, state.pounds[seat])


@kernel
def end_race(state: StateRecord, trace: Trace) -> None:
    """Score the running leg, once, then the winner pile, then the loser pile (C1-28, C2-27)."""
    first, _ = leaders(state)
    last = last_camel(state)
    score_leg(state, trace)
    tell(trace, RACE_OVER, first, last)
    for pile in range(2):
        score_pile(state, pile, first if pile == WINNER else last, trace)
    state.phase = FINISHED
    state.actor = OVER
    state.acting = 0
    tell(trace, GAME_OVER, state.ending)
