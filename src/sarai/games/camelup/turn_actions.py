"""The things to do in a turn of Camel Up: bet, tile, race card, partner, pyramid (C1-07 … C1-23, C2-08 … C2-32)."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.result import CHANCE
from sarai.games.camelup.scoring import end_race, score_leg
from sarai.games.camelup.state import (
    ALLOWED,
    BOUND,
    CARD_LAID,
    DICE_PER_LEG,
    IN_PLACE,
    LAID_CARD,
    LAID_TILE,
    LAST_SPACE,
    LEG_BEGINS,
    LINE_CROSSED,
    MIRAGE,
    MOVED_TILE,
    NEXT_TO_TILE,
    NO_CARD_LEFT,
    NO_PARTNERSHIPS,
    NO_SUCH_PARTNER,
    NOT_AVAILABLE,
    ON_CAMEL,
    ON_TILE,
    OWN_PARTNER,
    PARTNERED,
    ROLLING,
    TICKET_WORTH,
    TICKETS_PER_CAMEL,
    TOOK_PYRAMID,
    TOOK_TICKET,
    TURN,
    PublicRecord,
    StateRecord,
)
from sarai.games.camelup.track import camels_on, let_out, moment

TILE_SPACES = (1 << (LAST_SPACE + 1)) - (1 << 2)  # never on space 1 (C1-10)


@kernel
def begin_turn(state: StateRecord, seat: int) -> None:
    """Let a seat do one thing (C1-07)."""
    state.phase = TURN
    state.turn = seat
    state.actor = seat
    state.acting = 1 << seat


# --- bets on the leg -------------------------------------------------------------------------------------------------


@kernel
def tickets_left(state: PublicRecord, camel: int) -> bool:
    """Say whether a camel's stack still has a betting ticket (C1-09): its lowest one is there."""
    return bool(state.tickets[camel, TICKETS_PER_CAMEL[state.edition] - 1] == 0)


@kernel
def top_ticket(state: PublicRecord, camel: int) -> int:
    """Return the place of the top betting ticket of a stack that has one."""
    place = 0
    while state.tickets[camel, place]:
        place += 1
    return place


@kernel
def bet(state: StateRecord, seat: int, camel: int, trace: Trace) -> None:
    """Take the top betting ticket of a stack (C1-08)."""
    place = top_ticket(state, camel)
    state.tickets[camel, place] = seat + 1
    tell(trace, TOOK_TICKET, seat, camel, TICKET_WORTH[state.edition, place])


# --- tiles -----------------------------------------------------------------------------------------------------------


@kernel
def other_tiles(state: PublicRecord, seat: int) -> int:
    """Return a bit for every space with a tile of another seat: the own one is lifted first (C1-11)."""
    spaces = 0
    for other in range(state.players):
        if other != seat:
            spaces |= 1 << abs(state.tiles[other])
    return int(spaces & TILE_SPACES)


@kernel
def open_spaces(state: PublicRecord, seat: int) -> int:
    """Return a bit for every space where a seat may put its tile.

    It has no camel, no tile and none next to it (C1-10), and is not where the tile lies (C1-11).
    """
    tiles = other_tiles(state, seat)
    return int(TILE_SPACES & ~(camels_on(state) | tiles | tiles << 1 | tiles >> 1 | 1 << abs(state.tiles[seat])))


@kernel
def tile_refusal(state: PublicRecord, seat: int, space: int) -> int:
    """Say why a tile may not be put on a space."""
    if (open_spaces(state, seat) >> space) & 1:
        return ALLOWED
    if (camels_on(state) >> space) & 1:
        return ON_CAMEL
    if abs(state.tiles[seat]) == space:
        return IN_PLACE
    return ON_TILE if (other_tiles(state, seat) >> space) & 1 else NEXT_TO_TILE


@kernel
def put_tile(state: StateRecord, seat: int, space: int, side: int, trace: Trace) -> None:
    """Lay or move one's tile, either side up (C1-10 … C1-12)."""
    origin = abs(int(state.tiles[seat]))
    if origin:
        tell(trace, MOVED_TILE, seat, origin, space, side)
    else:
        tell(trace, LAID_TILE, seat, space, side)
    state.tiles[seat] = -space if side == MIRAGE else space


# --- race cards and partners -----------------------------------------------------------------------------------------


@kernel
def card_refusal(state: StateRecord, seat: int, camel: int) -> int:
    """Say why a race card may not be laid."""
    if (state.hands[seat] >> camel) & 1:
        return ALLOWED
    return CARD_LAID if state.hands[seat] else NO_CARD_LEFT  # C1-21


@kernel
def lay_card(state: StateRecord, seat: int, camel: int, pile: int, trace: Trace) -> None:
    """Lay a race card face down on a pile (C1-19)."""
    card = int(state.laid)
    state.hands[seat] ^= 1 << camel
    state.card_seat[card] = seat
    state.card_pile[card] = pile
    state.card_camel[card] = camel + 1
    state.card_moment[card] = moment(state)
    state.laid = card + 1
    tell(trace, LAID_CARD, seat, pile, camel)


@kernel
def partner_refusal(state: PublicRecord, seat: int, other: int) -> int:
    """Say why two seats may not become partners (C2-29, C2-32)."""
    if not state.partnerships:
        return NO_PARTNERSHIPS
    if other >= state.players:
        return NO_SUCH_PARTNER
    if other == seat:
        return OWN_PARTNER
    if state.partners[seat]:
        return BOUND
    return NOT_AVAILABLE if state.partners[other] else ALLOWED


@kernel
def become_partners(state: StateRecord, seat: int, other: int, trace: Trace) -> None:
    """Swap partnership cards (C2-29)."""
    state.partners[seat] = other + 1
    state.partners[other] = seat + 1
    tell(trace, PARTNERED, seat, other)


# --- the pyramid -----------------------------------------------------------------------------------------------------


@kernel
def take_pyramid_ticket(state: StateRecord, seat: int, trace: Trace) -> None:
    """Take a pyramid ticket; a die will come out (C1-13, C2-12)."""
    state.pyramid[seat] += 1
    tell(trace, TOOK_PYRAMID, seat)
    state.phase = ROLLING
    state.actor = CHANCE
    state.acting = 0


@kernel
def roll(state: StateRecord, outcome: int, trace: Trace) -> None:
    """Let a die come out and its camel move; then the race or the leg may be over (C1-22, C1-27, C2-21, C2-25)."""
    crossed = let_out(state, outcome, trace)
    after = (int(state.turn) + 1) % int(state.players)
    if crossed:
        state.ending = LINE_CROSSED
        end_race(state, trace)
        return
    if count_bits(state.dice_out) == DICE_PER_LEG:
        score_leg(state, trace)
        state.starter = after  # C1-23
        state.leg += 1
        tell(trace, LEG_BEGINS, after, state.leg)
    begin_turn(state, after)
