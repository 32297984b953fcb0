"""Through the Desert in words: events, moves and what fills the sentence of a refusal."""

from sarai.core.errors import register_contexts
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Notation, Say, Series, Term, mark
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.desert.hex_sets import PALMS_NEAR, hexes_of
from sarai.games.desert.state import COLOURS, HEXES, LEADERS, PLANTING, SETTING_ASIDE
from sarai.games.desert.terrain import BOARD

OF_LEADER, OF_CAMEL, OF_CARAVAN = {"colour": "leader"}, {"colour": "camel"}, {"colour": "caravan"}
EVENTS = (
    EventSpec("leader_set_aside", ("seat", "colour"), reveals=True, contexts=OF_LEADER),
    EventSpec("palm_planted", ("hex",), reveals=True),
    EventSpec("water_laid", ("hex", "value"), reveals=True),
    EventSpec("leader_placed", ("seat", "colour", "hex"), contexts=OF_LEADER),
    EventSpec("no_room_for_leaders"),
    EventSpec("camel_placed", ("seat", "colour", "hex"), contexts=OF_CAMEL),
    EventSpec("water_taken", ("seat", "hex", "value")),
    EventSpec("oasis_linked", ("seat", "colour", "hex"), contexts=OF_CARAVAN),
    EventSpec("area_enclosed", ("seat", "colour", "hexes"), contexts=OF_CARAVAN),
    EventSpec("camel_not_placed", ("seat",)),
    EventSpec("pile_emptied", ("colour",), contexts=OF_CAMEL),
    EventSpec("largest_caravan", ("seat", "colour", "camels", "points"), contexts=OF_CARAVAN),
    EventSpec("final_score", ("seat", "water", "oases", "areas", "largest", "total")),
    EventSpec("game_over", ("ending",)),
)
AREAS = (mark("inside the line"), mark("on the whole board"))  # in which a hex of an own board cannot be reached
RIDER_TERMS = (  # by seat
    Term("red", "rider"),
    Term("blue", "rider"),
    Term("green", "rider"),
    Term("orange", "rider"),
    Term("violet", "rider"),
)
SENTENCES = {
    "leader_set_aside": "{seat} sets the {colour} leader aside.",
    "palm_planted": "A palm is planted on {hex}: it is an oasis now.",
    "water_laid": "A water token worth {value, plural, one {# point} other {# points}} is laid on {hex}.",
    "leader_placed": "{seat} places the {colour} leader on {hex}.",
    "no_room_for_leaders": "There is no hex left for another leader.",
    "camel_placed": "{seat} places a {colour} camel on {hex}.",
    "water_taken": "{seat} takes the water on {hex}: {value, plural, one {# point} other {# points}}.",
    "oasis_linked": "{seat} links the {colour} caravan to the oasis on {hex}: 5 points.",
    "area_enclosed": "{seat} encloses an area with the {colour} caravan: "
    "{hexes, plural, one {# point} other {# points}} at the end.",
    "camel_not_placed": "{seat} cannot place a camel.",
    "pile_emptied": "The last {colour} camel is placed: the game ends with this turn.",
    "largest_caravan": "{seat} has the largest {colour} caravan, with "
    "{camels, plural, one {# camel} other {# camels}}: {points, plural, one {# point} other {# points}}.",
    "final_score": "{seat} has {water} for water, {oases} for oases, {areas} for areas "
    "and {largest} for largest caravans: {total, plural, one {# point} other {# points}}.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "leader_placed_you": "You place the {colour} leader on {hex}.",
    "camel_placed_you": "You place a {colour} camel on {hex}.",
    "water_taken_you": "You take the water on {hex}: {value, plural, one {# point} other {# points}}.",
    "oasis_linked_you": "You link the {colour} caravan to the oasis on {hex}: 5 points.",
    "area_enclosed_you": "You enclose an area with the {colour} caravan: "
    "{hexes, plural, one {# point} other {# points}} at the end.",
    "camel_not_placed_you": "You cannot place a camel.",
    "largest_caravan_you": "You have the largest {colour} caravan, with "
    "{camels, plural, one {# camel} other {# camels}}: {points, plural, one {# point} other {# points}}.",
    "final_score_you": "You have {water} for water, {oases} for oases, {areas} for areas "
    "and {largest} for largest caravans: {total, plural, one {# point} other {# points}}.",
}
SET_UP = ("leader_set_aside", "palm_planted", "water_laid")
GROUPED = dict.fromkeys(SET_UP, "The desert is set up.")  # the board shows how
CONCEALED: dict[tuple[str, Value], dict[str, str]] = {  # what others are told of points while they are hidden
    ("scores", "hidden"): {
        "water_taken": "{seat} takes the water on {hex}.",
        "oasis_linked": "{seat} links the {colour} caravan to the oasis on {hex}.",
        "area_enclosed": "{seat} encloses an area with the {colour} caravan.",
    }
}
CONCEALED_FIELDS: dict[tuple[str, Value], tuple[str, ...]] = {("scores", "hidden"): ("points", "tokens")}


register_contexts(
    {
        "leader_already_placed": "leader",
        "leader_is_set_aside": "leader",
        "leader_colour_used": "leader",
        "camel_pile_empty": "camel",
        "camel_without_caravan": "caravan",
        "camel_not_touching": "caravan",
        "camel_touches_other": "caravan",
    }
)


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words, with the points it takes on the way."""
    s = cell[0]
    if s["actor"] == CHANCE:
        return words_for_outcome(cell, move, say)
    colour, at = divmod(move, HEXES)
    hex = Notation(BOARD.names[at])
    if s["phase"] == LEADERS:
        return say("place the {colour} leader on {hex}", colour=Term(COLOURS[colour], "leader"), hex=hex)
    fresh = int(PALMS_NEAR[at] & s["palms"] & ~s["links"][s["actor"], colour])
    water = next((value for value, hexes in enumerate(hexes_of(s["water"]), 1) if at in hexes), 0)
    spaces = [place for space, place in enumerate(BOARD.palm_spaces) if fresh >> space & 1]
    oases, camel = Series([Notation(BOARD.names[place]) for place in spaces]), Term(COLOURS[colour], "camel")
    if water and oases:
        return say(
            "{n, plural, one {place a {colour} camel on {hex} (water {points}, oasis {oases})} "
            "other {place a {colour} camel on {hex} (water {points}, oases {oases})}}",
            colour=camel,
            hex=hex,
            points=water,
            n=len(oases),
            oases=oases,
        )
    if oases:
        return say(
            "{n, plural, one {place a {colour} camel on {hex} (oasis {oases})} "
            "other {place a {colour} camel on {hex} (oases {oases})}}",
            colour=camel,
            hex=hex,
            n=len(oases),
            oases=oases,
        )
    if water:
        return say("place a {colour} camel on {hex} (water {points})", colour=camel, hex=hex, points=water)
    return say("place a {colour} camel on {hex}", colour=camel, hex=hex)


def words_for_outcome(cell: Cell, outcome: int, say: Say) -> str:
    """Say an outcome of the setup in words."""
    s = cell[0]
    if s["phase"] == SETTING_ASIDE:
        rider = RIDER_TERMS[s["aside"].tolist().index(0)]
        colour = Term(COLOURS[outcome], "leader")
        return say("the {rider} rider's {colour} leader is set aside", rider=rider, colour=colour)
    if s["phase"] == PLANTING:
        return say("a palm on {hex}", hex=Notation(BOARD.names[BOARD.palm_spaces[outcome]]))
    hex = Notation(BOARD.names[hexes_of(cell["bare"])[0][0]])
    return say("a water token of {points} on {hex}", points=outcome + 1, hex=hex)


def facts(cell: Cell, move: int, seat: int) -> dict[str, object]:
    """Name the colour and the hex of a refused move."""
    colour, hex = divmod(move, HEXES)
    return {"colour": COLOURS[colour], "hex": BOARD.names[hex]}
