"""The turn of Camel Up, clause by clause: see docs/rules/camelup-2014.md and camelup-2018.md for the numbers."""

from collections.abc import Mapping

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.rng import below
from sarai.core.kernels.trace import Trace, tell
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.camelup.scoring import end_race, score_leg
from sarai.games.camelup.table import (
    ALL_CARDS,
    ALLOWED,
    BET,
    BLACK,
    BOUND,
    CARD_LAID,
    CRAZY_SET_UP,
    DICE,
    DIE,
    FIRST,
    GREY,
    GREY_FACE,
    IN_PLACE,
    LAID_CARD,
    LAID_TILE,
    LEG,
    LEG_BEGINS,
    LINE,
    LINE_CROSSED,
    MAX_MOVES,
    MIRAGE,
    MOVE_LIMIT,
    MOVED_TILE,
    NEXT_TO_TILE,
    NO_CARD_LEFT,
    NO_PARTNERSHIPS,
    NO_SUCH_PARTNER,
    NOT_AVAILABLE,
    NOT_POSSIBLE,
    OASIS,
    ON_CAMEL,
    ON_TILE,
    OWN_PARTNER,
    PARTNER,
    PARTNERED,
    PLACE,
    POUNDS,
    PYRAMID,
    RACING,
    ROLLING,
    SECOND,
    SET_UP,
    SETTING_CRAZY,
    SETTING_UP,
    SIX,
    STACK_EMPTY,
    STACKED,
    STACKING,
    STACKS,
    TILE,
    TOOK_PYRAMID,
    TOOK_TICKET,
    TURN,
    WHITE,
    WIN,
    WORTH,
)
from sarai.games.camelup.track import camels_on, let_out, moment

TILE_SPACES = (1 << (LINE + 1)) - (1 << 2)  # never on space 1 (C1-10)

# --- set-up ----------------------------------------------------------------------------------------------------------------------


def begin(cell: Array, edition: int, players: int, partnerships: bool) -> None:
    """Set up a game: three pounds and five race cards each (C1-04, C2-05); the camels are not on the track yet."""
    cell["edition"] = edition
    cell["partnerships"] = partnerships
    cell["actor"] = CHANCE
    cell["leg"] = 1
    cell["pounds"][0, :players] = POUNDS
    cell["hands"][0, :players] = ALL_CARDS


def begin_first(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up the first edition."""
    begin(cell, FIRST, players, False)


def begin_second(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up the second edition, with partnership cards from six players on unless they are off (C2-32, C2-34)."""
    begin(cell, SECOND, players, players >= SIX and options["partnerships"] == "auto")


@kernel
def camels_set_up(state: Rec) -> int:
    """Return how many racing camels stand on the track; they come in the order of their colours."""
    camel = 0
    while camel < RACING and state.space[camel]:
        camel += 1
    return camel


@kernel
def camels_below(state: Rec, camel: int) -> int:
    """Return how many camels of an earlier colour stand on the space of a racing camel."""
    below_it = 0
    for other in range(camel):
        if state.space[other] == state.space[camel]:
            below_it += 1
    return below_it


@kernel
def begin_turn(state: Rec, seat: int) -> None:
    """Let a seat do one thing (C1-07)."""
    state.phase = TURN
    state.turn = seat
    state.actor = seat
    state.acting = 1 << seat


@kernel
def next_set_up(state: Rec) -> None:
    """Go on to the next camel, to the crazy ones (C2-06), or to the first turn (C1-06)."""
    if camels_set_up(state) < RACING:
        state.phase = SETTING_UP
    elif state.edition == SECOND and not (state.space[WHITE] and state.space[BLACK]):
        state.phase = SETTING_CRAZY
    else:
        begin_turn(state, 0)


@kernel
def set_up(state: Rec, camel: int, number: int, trace: Trace) -> None:
    """Put a racing camel on the space its die shows; in a stack its place is left to chance (C1-05)."""
    state.space[camel] = number
    state.height[camel] = camels_below(state, camel)
    tell(trace, SET_UP, camel, number)
    if state.height[camel]:
        state.phase = STACKING
    else:
        next_set_up(state)


@kernel
def stack(state: Rec, place: int, trace: Trace) -> None:
    """Slide the camel that came last into its place in the stack, counted from the bottom."""
    camel = camels_set_up(state) - 1
    for other in range(camel):
        if state.space[other] == state.space[camel] and state.height[other] >= place:
            state.height[other] += 1
    state.height[camel] = place
    tell(trace, STACKED, camel, state.space[camel], place + 1)
    next_set_up(state)


@kernel
def set_up_crazy(state: Rec, face: int, trace: Trace) -> None:
    """Put a crazy camel on the space the grey die names: 16, 15 or 14; the second one on the first if they meet (C2-06)."""
    camel, number = WHITE + face // 3, face % 3 + 1
    other = WHITE + BLACK - camel
    state.space[camel] = LINE + 1 - number
    state.height[camel] = 1 if state.space[other] == state.space[camel] else 0
    tell(trace, CRAZY_SET_UP, camel, number, state.space[camel])
    next_set_up(state)


# --- the things to do in a turn --------------------------------------------------------------------------------------------------


@kernel
def tickets_left(state: Rec, camel: int) -> bool:
    """Say whether a camel's stack still has a betting ticket (C1-09): its lowest one is there."""
    return bool(state.tickets[camel, STACKS[state.edition] - 1] == 0)


@kernel
def top_ticket(state: Rec, camel: int) -> int:
    """Return the place of the top betting ticket of a stack that has one."""
    place = 0
    while state.tickets[camel, place]:
        place += 1
    return place


@kernel
def bet(state: Rec, seat: int, camel: int, trace: Trace) -> None:
    """Take the top betting ticket of a stack (C1-08)."""
    place = top_ticket(state, camel)
    state.tickets[camel, place] = seat + 1
    tell(trace, TOOK_TICKET, seat, camel, WORTH[state.edition, place])


@kernel
def other_tiles(state: Rec, seat: int) -> int:
    """Return a bit for every space with a tile of somebody else: the own one is lifted first (C1-11)."""
    spaces = 0
    for other in range(state.players):
        if other != seat:
            spaces |= 1 << abs(state.tiles[other])
    return int(spaces & TILE_SPACES)


@kernel
def open_spaces(state: Rec, seat: int) -> int:
    """Return a bit for every space where a seat may put its tile: no camel, no tile, none next to it (C1-10), and not where it lies (C1-11)."""
    tiles = other_tiles(state, seat)
    return int(TILE_SPACES & ~(camels_on(state) | tiles | tiles << 1 | tiles >> 1 | 1 << abs(state.tiles[seat])))


@kernel
def tile_refusal(state: Rec, seat: int, space: int) -> int:
    """Say why a tile may not be put on a space."""
    if (open_spaces(state, seat) >> space) & 1:
        return ALLOWED
    if (camels_on(state) >> space) & 1:
        return ON_CAMEL
    if abs(state.tiles[seat]) == space:
        return IN_PLACE
    return ON_TILE if (other_tiles(state, seat) >> space) & 1 else NEXT_TO_TILE


@kernel
def put_tile(state: Rec, seat: int, space: int, side: int, trace: Trace) -> None:
    """Lay or move one's tile, either side up (C1-10 … C1-12)."""
    origin = abs(int(state.tiles[seat]))
    if origin:
        tell(trace, MOVED_TILE, seat, origin, space, side)
    else:
        tell(trace, LAID_TILE, seat, space, side)
    state.tiles[seat] = -space if side == MIRAGE else space


@kernel
def card_refusal(state: Rec, seat: int, camel: int) -> int:
    """Say why a race card may not be laid."""
    if (state.hands[seat] >> camel) & 1:
        return ALLOWED
    return CARD_LAID if state.hands[seat] else NO_CARD_LEFT  # C1-21


@kernel
def lay_card(state: Rec, seat: int, camel: int, pile: int, trace: Trace) -> None:
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
def partner_refusal(state: Rec, seat: int, other: int) -> int:
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
def become_partners(state: Rec, seat: int, other: int, trace: Trace) -> None:
    """Swap partnership cards (C2-29)."""
    state.partners[seat] = other + 1
    state.partners[other] = seat + 1
    tell(trace, PARTNERED, seat, other)


@kernel
def take_pyramid_ticket(state: Rec, seat: int, trace: Trace) -> None:
    """Take a pyramid ticket; a die will come out (C1-13, C2-12)."""
    state.pyramid[seat] += 1
    tell(trace, TOOK_PYRAMID, seat)
    state.phase = ROLLING
    state.actor = CHANCE
    state.acting = 0


@kernel
def roll(state: Rec, outcome: int, trace: Trace) -> None:
    """Let a die come out and its camel move; then the race or the leg may be over (C1-22, C1-27, C2-21, C2-25)."""
    crossed = let_out(state, outcome, trace)
    after = (int(state.turn) + 1) % int(state.players)
    if crossed:
        state.ending = LINE_CROSSED
        end_race(state, trace)
        return
    if count_bits(state.dice_out) == LEG:
        score_leg(state, trace)
        state.starter = after  # C1-23
        state.leg += 1
        tell(trace, LEG_BEGINS, after, state.leg)
    begin_turn(state, after)


# --- what the house asks ---------------------------------------------------------------------------------------------------------


@kernel
def apply(state: Rec, seat: int, move: int, trace: Trace) -> None:
    """Play a move or a chance outcome."""
    if seat == CHANCE:
        if state.phase == ROLLING:
            roll(state, move, trace)
        elif state.phase == SETTING_UP:
            set_up(state, move // 3, move % 3 + 1, trace)
        elif state.phase == STACKING:
            stack(state, move - PLACE, trace)
        else:
            set_up_crazy(state, move - GREY_FACE, trace)
        return
    state.moves_made += 1
    if move == PYRAMID:
        take_pyramid_ticket(state, seat, trace)
    else:
        if move < TILE:
            bet(state, seat, move - BET, trace)
        elif move < PYRAMID:
            put_tile(state, seat, (move - TILE) // 2 + 2, (move - TILE) % 2, trace)
        elif move < PARTNER:
            lay_card(state, seat, (move - WIN) % RACING, (move - WIN) // RACING, trace)
        else:
            become_partners(state, seat, move - PARTNER, trace)
        begin_turn(state, (seat + 1) % int(state.players))
    if state.moves_made >= MAX_MOVES:
        state.turn = seat
        state.ending = MOVE_LIMIT
        end_race(state, trace)


@kernel
def outcome_refusal(state: Rec, outcome: int) -> int:
    """Say whether chance cannot bring an outcome: the dice left, the places of a stack, the faces of the grey die."""
    possible = False
    if outcome < PLACE:
        die = outcome // 3
        possible = (
            not (state.dice_out >> die) & 1
            if state.phase == ROLLING
            else state.phase == SETTING_UP and die == camels_set_up(state)
        )
    elif outcome < GREY_FACE:
        possible = state.phase == STACKING and outcome - PLACE <= camels_below(state, camels_set_up(state) - 1)
    elif outcome < GREY_FACE + 6 and state.edition == SECOND:
        crazy = WHITE + (outcome - GREY_FACE) // 3
        possible = (
            not (state.dice_out >> GREY) & 1
            if state.phase == ROLLING
            else state.phase == SETTING_CRAZY and not state.space[crazy]
        )
    return ALLOWED if possible else NOT_POSSIBLE


@kernel
def refusal(state: Rec, seat: int, move: int) -> int:
    """Say why a move may not be made by who is to act; 0 if it may."""
    if seat == CHANCE:
        return outcome_refusal(state, move)
    if move < TILE:
        return ALLOWED if tickets_left(state, move - BET) else STACK_EMPTY
    if move < PYRAMID:
        return tile_refusal(state, seat, (move - TILE) // 2 + 2)
    if move == PYRAMID:
        return ALLOWED
    if move < PARTNER:
        return card_refusal(state, seat, (move - WIN) % RACING)
    return partner_refusal(state, seat, move - PARTNER)


@kernel
def legal(state: Rec, seat: int, out: Array) -> int:
    """List the legal moves of a seat that is to act."""
    count = 0
    for camel in range(RACING):
        if tickets_left(state, camel):
            out[count] = BET + camel
            count += 1
    spaces = open_spaces(state, seat)
    while spaces:
        move = TILE + 2 * (first_bit(spaces) - 2)
        out[count] = move + OASIS
        out[count + 1] = move + MIRAGE
        count += 2
        spaces &= spaces - 1
    out[count] = PYRAMID
    count += 1
    for move in range(WIN, PARTNER):
        if card_refusal(state, seat, (move - WIN) % RACING) == ALLOWED:
            out[count] = move
            count += 1
    if state.partnerships:
        for other in range(state.players):
            if partner_refusal(state, seat, other) == ALLOWED:
                out[count] = PARTNER + other
                count += 1
    return count


@kernel
def chance(state: Rec, outcomes: Array, weights: Array) -> int:
    """List what chance may bring; a racing die shows each number twice as often as the grey one each of its faces (C1-02, C2-03)."""
    grey_left = state.phase == ROLLING and state.edition == SECOND and not (state.dice_out >> GREY) & 1
    count = 0
    for outcome in range(DIE, GREY_FACE + 6):
        if outcome_refusal(state, outcome) == ALLOWED:
            outcomes[count] = outcome
            weights[count] = 2 if grey_left and outcome < PLACE else 1
            count += 1
    return count


@kernel
def draw(state: Rec, rng: Array) -> int:
    """Draw an outcome: a die and its face, a number, or a place."""
    if state.phase == ROLLING:
        left = ((1 << DICE[state.edition]) - 1) & ~int(state.dice_out)
        pick = below(rng, 6 * count_bits(left))
        for _ in range(pick // 6):
            left &= left - 1
        die = first_bit(left)
        return int(GREY_FACE + pick % 6 if die == GREY else 3 * die + pick % 3)
    if state.phase == SETTING_UP:
        return int(3 * camels_set_up(state) + below(rng, 3))
    if state.phase == STACKING:
        return int(PLACE + below(rng, camels_below(state, camels_set_up(state) - 1) + 1))
    if state.space[WHITE]:
        return int(GREY_FACE + 3 + below(rng, 3))
    return int(GREY_FACE + below(rng, 3 if state.space[BLACK] else 6))


@kernel
def score(state: Rec, out: Array) -> None:
    """Write every seat's pounds."""
    for seat in range(state.players):
        out[seat] = state.pounds[seat]


@kernel
def standing(state: Rec, out: Array) -> None:
    """Most money wins; a tie is shared (C1-30)."""
    score(state, out)
