"""A position as plain values: out of a record, and back into one if a game can come to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from sarai.core.kernels.bits import first_bit
from sarai.core.kernels.compile import Cell, kernel
from sarai.core.position_text import inconsistent
from sarai.core.result import CHANCE, OVER
from sarai.games.desert.camel_placement import camels_to_place, can_place, open_to_camels, stand
from sarai.games.desert.hex_sets import AREAS, PALMS_NEAR, hex_set_of, hexes_of, is_wide
from sarai.games.desert.leaders import leader_refusal, leaders_each, open_to_leaders
from sarai.games.desert.placement_scoring import enclose_around, link
from sarai.games.desert.setup import return_camel, wait_for_water
from sarai.games.desert.state import (
    CARAVANS,
    FINISHED,
    FIRST_ROUND,
    KINDS,
    LAYING_WATER,
    LEADERS,
    MAX_MOVES,
    MOVE_LIMIT,
    NOBODY_CAN,
    PILE_EMPTY,
    PLANTING,
    SEATS,
    SETTING_ASIDE,
    TOKENS_EACH,
    VALUES,
    WORD,
    WORDS,
    StateRecord,
)
from sarai.games.desert.terrain import BOARD, DOT, PALMS, SAND


@dataclass
class Position:
    """All that a position is: everything else in a record follows from it."""

    phase: int
    ending: int
    moves: int
    aside: list[int]  # colours, seat by seat
    oases: list[int]  # hexes
    water: dict[int, int]  # the tokens' values by hex
    caravans: list[dict[int, list[int]]]  # of each seat, by colour: the leader's hex, then the other camels'
    tokens: list[list[int]]  # how many of 1, 2 and 3 each seat took
    turn: int  # the seat to place a camel
    left: int  # camels to place in this turn


@cache
def water_holes(wide: int, oases: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hexes that get a water token (D-09), in the order they get it."""
    return tuple(
        hex for hex in AREAS[wide] if BOARD.kinds[hex] == DOT or (hex in BOARD.palm_spaces and hex not in oases)
    )


def describe(cell: Cell) -> Position:
    """Return the position that a record, of a state or of a view, holds."""
    s = cell[0]
    players, palms = int(s["players"]), int(s["palms"])
    leaders, tokens = s["leaders"].tolist(), s["tokens"].tolist()
    camels = hexes_of(s["caravans"][:players].reshape(players * KINDS, WORDS))
    return Position(
        phase=int(s["phase"]),
        ending=int(s["ending"]),
        moves=int(s["moves_made"]),
        aside=[colour - 1 for colour in s["aside"].tolist() if colour],
        oases=[hex for space, hex in enumerate(BOARD.palm_spaces) if palms >> space & 1],
        water={hex: value for value, hexes in enumerate(hexes_of(s["water"]), 1) for hex in hexes},
        caravans=[
            {
                colour: [leader - 1, *(hex for hex in camels[seat * KINDS + colour] if hex != leader - 1)]
                for colour, leader in enumerate(leaders[seat])
                if leader
            }
            for seat in range(players)
        ],
        tokens=tokens[:players],
        turn=max(int(s["actor"]), 0),
        left=int(s["camels_left"]),
    )


def restore(cell: Cell, position: Position) -> None:
    """Fill a cell that was set up; BadText if no game comes to the position.

    How often each player has had a turn is not asked: a study may begin with caravans of any size.
    """
    s = cell[0]
    s["phase"], s["ending"], s["moves_made"] = position.phase, position.ending, position.moves
    if position.phase == FINISHED:
        if position.ending == 0 or (position.ending == MOVE_LIMIT and position.moves < MAX_MOVES):
            raise inconsistent("the game is not over for that reason")
    elif position.moves >= MAX_MOVES:
        raise inconsistent("the game would be over")
    restore_setup(cell, position)
    restore_caravans(cell, position)
    check_water(cell, position)
    set_turn(cell, position)


def restore_setup(cell: Cell, position: Position) -> None:
    """Fill in what chance brought."""
    s = cell[0]
    phase, aside, oases = position.phase, position.aside, position.oases
    if phase == SETTING_ASIDE and s["players"] != SEATS:
        raise inconsistent("only five players set leaders aside")
    if len(set(aside)) != len(aside) or not fits(
        len(aside), SEATS if s["players"] == SEATS else 0, phase, SETTING_ASIDE
    ):
        raise inconsistent("the leaders set aside do not fit the phase")
    for seat, colour in enumerate(aside):
        s["aside"][seat] = colour + 1
        return_camel(s, colour)
    spaces = [
        BOARD.palm_spaces.index(hex) if hex in BOARD.palm_spaces and hex in AREAS[is_wide(cell[0])] else -1
        for hex in oases
    ]
    if -1 in spaces or len(set(spaces)) != len(spaces) or not fits(len(spaces), PALMS, phase, PLANTING):
        raise inconsistent("the oases are not on palm spaces, or too many or too few")
    s["palms"] = sum(1 << space for space in spaces)
    for value in range(1, VALUES + 1):
        s["water"][value - 1] = hex_set_of(hex for hex, laid in position.water.items() if laid == value)
    holes = water_holes(is_wide(cell[0]), tuple(sorted(oases)))
    if phase < LAYING_WATER and position.water:
        raise inconsistent("there is no water before the palms are planted")
    if phase == LAYING_WATER:
        if len(position.water) >= len(holes) or set(position.water) != set(holes[: len(position.water)]):
            raise inconsistent("the water tokens are laid in order")
        wait_for_water(s)
        s["bare"] = hex_set_of(set(*hexes_of(cell["bare"])) - set(position.water))
    laid = list(position.water.values())
    if any(
        laid.count(value + 1) + sum(took[value] for took in position.tokens) > TOKENS_EACH for value in range(VALUES)
    ):
        raise inconsistent("there are fifteen water tokens of each value")


def fits(found: int, whole: int, phase: int, filling: int) -> bool:
    """Say whether there are as many things as there are in a phase: none before it is their turn, all of them after."""
    return found == 0 if phase < filling else found < whole if phase == filling else found == whole


def restore_caravans(cell: Cell, position: Position) -> None:
    """Put the camels on the board and find all that follows from them."""
    s = cell[0]
    check_camels(cell, position)
    for seat, caravans in enumerate(position.caravans):
        s["tokens"][seat] = position.tokens[seat]
        for colour, camels in caravans.items():
            s["leaders"][seat, colour] = camels[0] + 1
            if len(camels) > s["piles"][colour] + 1:
                raise inconsistent("there are more camels than the pile had")
            s["piles"][colour] -= len(camels) - 1
            for hex in camels:
                stand(s, seat, colour, hex)
    open_to_leaders(s)
    check_leaders(cell, position, has_room=any(s["open_hexes"].tolist()))
    derive(s)
    if s["tokens"][: s["players"]].tolist() != position.tokens:
        raise inconsistent("there is water in an enclosed area")
    if position.phase in (FIRST_ROUND, CARAVANS):
        open_to_camels(s)
    elif position.phase != LEADERS:
        s["open_hexes"] = 0


@kernel
def derive(state: StateRecord) -> None:
    """Find the links and the areas of all caravans: those that follow from where their camels stand."""
    for seat in range(SEATS):
        for colour in range(KINDS):
            leader = state.leaders[seat, colour] - 1
            grown = False
            for word in range(WORDS):
                left = state.caravans[seat, colour, word]
                while left:
                    hex = word * WORD + first_bit(left)
                    if hex != leader:
                        grown = True
                        link(state, seat, colour, PALMS_NEAR[hex], None)
                    left &= left - 1
            for word in range(WORDS):
                left = state.caravans[seat, colour, word]
                while left and grown:
                    enclose_around(state, seat, colour, word * WORD + first_bit(left), grown, None)
                    left &= left - 1


def touches(hex: int, hexes: Iterable[int]) -> bool:
    """Say whether a hex is next to one of others."""
    return not set(BOARD.ring[hex]).isdisjoint(hexes)


def check_camels(cell: Cell, position: Position) -> None:
    """Refuse impossible places, broken caravans and caravans of a colour that touch (D-12, D-13, D-18 … D-20)."""
    s = cell[0]
    area = AREAS[is_wide(cell[0])]
    everywhere = [hex for caravans in position.caravans for camels in caravans.values() for hex in camels]
    leaders = [camels[0] for caravans in position.caravans for camels in caravans.values()]
    if len(set(everywhere)) != len(everywhere):
        raise inconsistent("two camels stand on one hex")
    if any(hex not in area or hex in position.oases or hex in position.water for hex in everywhere):
        raise inconsistent("a camel stands beyond the line, on an oasis or on water")
    if (position.phase < LEADERS and everywhere) or (position.phase == LEADERS and len(leaders) < len(everywhere)):
        raise inconsistent("there are camels before their time")
    if any(BOARD.kinds[hex] != SAND or touches(hex, leaders) or touches(hex, position.oases) for hex in leaders):
        raise inconsistent("a leader did not begin on sand away from leaders and oases")
    for seat, caravans in enumerate(position.caravans):
        for colour, camels in caravans.items():
            if s["aside"][seat] == colour + 1:
                raise inconsistent("a leader stands that was set aside")
            if not is_connected(camels):
                raise inconsistent("a caravan is not connected")
            foreign = {hex for other in position.caravans if other is not caravans for hex in other.get(colour, ())}
            if any(touches(hex, foreign) for hex in camels):
                raise inconsistent("two caravans of one colour touch")


def is_connected(camels: list[int]) -> bool:
    """Say whether every camel of a caravan is connected with its leader."""
    left, found = set(camels[1:]), [camels[0]]
    while found:
        reached = left.intersection(BOARD.ring[found.pop()])
        left -= reached
        found += reached
    return not left


def check_leaders(cell: Cell, position: Position, has_room: bool) -> None:
    """Refuse leaders that were not placed in turn (D-11, D-14), or that are missing though there was room (D-15)."""
    s = cell[0]
    players, each = int(s["players"]), int(leaders_each(s))
    counts = [len(caravans) for caravans in position.caravans]
    total = sum(counts)
    if counts != [len(range(seat, total, players)) for seat in range(players)]:
        raise inconsistent("the leaders are placed in turn")
    if total <= players and len({colour for caravans in position.caravans for colour in caravans}) < total:
        raise inconsistent("the leaders of the first round have different colours")
    if position.phase == LEADERS:
        if (
            total == each * players
            or not has_room
            or all(leader_refusal(s, total % players, colour) for colour in range(KINDS))
        ):
            raise inconsistent("there is no leader to place")
    elif position.phase > LEADERS and total < each * players and has_room and position.ending != MOVE_LIMIT:
        raise inconsistent("there are leaders to place")


def check_water(cell: Cell, position: Position) -> None:
    """Refuse water that is missing, and tokens that were not taken (D-24, D-29)."""
    camels, enclosed = hexes_of(cell["camels"])[0], hexes_of(cell["enclosed"][0])
    holes = set(water_holes(is_wide(cell[0]), tuple(sorted(position.oases)))) if position.phase >= LEADERS else set()
    if position.phase != LAYING_WATER and set(position.water) != holes.difference(camels, *enclosed):
        raise inconsistent("every water hole has a token until it is taken")
    for seat, caravans in enumerate(position.caravans):
        own = {hex for hexes in caravans.values() for hex in hexes}.union(enclosed[seat])
        if sum(position.tokens[seat]) != len(holes & own):
            raise inconsistent("the tokens taken are not as many as the water holes taken")


def set_turn(cell: Cell, position: Position) -> None:
    """Find the seat to act, and refuse a turn that no seat could have."""
    s = cell[0]
    phase, seat, left = position.phase, position.turn, position.left
    piles = s["piles"].tolist()
    if phase < LEADERS:
        s["actor"], s["acting"] = CHANCE, 0
    elif phase == FINISHED:
        check_end(cell, position)
        s["actor"], s["acting"] = OVER, 0
    elif phase == LEADERS:
        s["actor"] = seat = sum(map(len, position.caravans)) % int(s["players"])
        s["acting"] = 1 << seat
    else:
        if not 1 <= left <= 2:
            raise inconsistent("a turn is one or two camels")
        if not can_place(s, seat):
            raise inconsistent("the player to place a camel cannot")
        if min(piles) == 0 and left != 1:
            raise inconsistent("the game would be over")
        if phase == FIRST_ROUND:
            check_first_round(cell, position)
        s["actor"], s["acting"], s["camels_left"] = seat, 1 << seat, left


def check_first_round(cell: Cell, position: Position) -> None:
    """Refuse camels that were placed before their turn in the first round (D-16, D-17)."""
    s = cell[0]
    placed = [sum(map(len, caravans.values())) - len(caravans) for caravans in position.caravans]
    wanted = [int(camels_to_place(s, seat)) for seat in range(len(placed))]
    now = position.turn
    if (
        placed[now] + position.left != wanted[now]
        or any(placed[now + 1 :])
        or any(count > most for count, most in zip(placed, wanted, strict=True))
    ):
        raise inconsistent("the camels do not fit the first round")


def check_end(cell: Cell, position: Position) -> None:
    """Refuse an end for a reason that is none (D-23, D-32)."""
    s = cell[0]
    is_empty = min(s["piles"].tolist()) == 0
    if position.ending == PILE_EMPTY and not is_empty:
        raise inconsistent("no pile is empty")
    if position.ending == NOBODY_CAN:
        open_to_camels(s)
        if is_empty or any(can_place(s, seat) for seat in range(int(s["players"]))):
            raise inconsistent("a player could place a camel")
        s["open_hexes"] = 0
