"""What a tap on the desert means where nothing can be chosen: a pile, or the hex at a point of the map."""

from collections.abc import Sequence

from sarai.core.board import Meaning, Scene, Tap
from sarai.games.desert.board.hex_map import HALF, RADIUS, crop, middle
from sarai.games.desert.board.words import words_of
from sarai.games.desert.state import COLOURS, HEXES, WHOLE_BOARD
from sarai.games.desert.terrain import BOARD

PILE = "d-pile-"
OF_A_COLOUR = frozenset(  # reasons that hold for every hex
    {
        "leader_already_placed",
        "leader_is_set_aside",
        "leader_colour_used",
        "leader_colour_needed",
        "camel_pile_empty",
        "camel_without_caravan",
    }
)


def meaning_of(tap: Tap, scene: Scene) -> Meaning | None:
    """Return the moves with the pile's colour, or onto the hex, that was tapped."""
    words = words_of(scene.say)
    for id in tap.ids:
        if id.startswith(PILE) and id.removeprefix(PILE) in COLOURS:
            first = COLOURS.index(id.removeprefix(PILE)) * HEXES
            return Meaning(range(first, first + len(BOARD.places)), OF_A_COLOUR, words.no_place)
    if "d-map" not in tap.ids or tap.point is None:
        return None
    hex = hex_at(*tap.point)
    if hex is None:
        return Meaning(words=words.mountain) if is_mountain(*tap.point, scene.view["players"]) else None
    if tap.pick in COLOURS:
        return Meaning([COLOURS.index(tap.pick) * HEXES + hex])
    if colours := colours_for(hex, scene.moves):
        return Meaning(words=words.first_colour(colours))
    nothing = words.no_leader_there if scene.view["phase"] == "leaders" else words.no_camel_there
    return Meaning([colour * HEXES + hex for colour in range(len(COLOURS))], words=nothing)


def colours_for(hex: int, moves: Sequence[int]) -> list[str]:
    """Return the colours that can be placed on a hex."""
    return [COLOURS[move // HEXES] for move in moves if move % HEXES == hex]


def hex_at(x: float, y: float) -> int | None:
    """Return the hex at a point of the map, None where there is none."""
    for hex, place in enumerate(BOARD.places):
        if is_within(x, y, place):
            return hex
    return None


def is_mountain(x: float, y: float, players: int) -> bool:
    """Say whether a point where no hex is lies within the map."""
    shown = crop(players >= WHOLE_BOARD)
    columns, rows = range(shown.left, shown.right + 1), range(shown.top, shown.bottom + 1)
    return any(is_within(x, y, (column, row)) for column in columns for row in rows)


def is_within(x: float, y: float, place: tuple[int, int]) -> bool:
    """Say whether a point lies within a hex."""
    across, down = middle(place)
    across, down = abs(x - across), abs(y - down)
    return down <= HALF and across * 2 * HALF + down * RADIUS <= 2 * HALF * RADIUS
