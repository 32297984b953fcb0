"""Through the Desert in words: events, moves and what fills the sentence of a refusal."""

from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Say
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.desert.hex_sets import PALMS_NEAR, hexes_of
from sarai.games.desert.state import COLOURS, HEXES, LEADERS, PLANTING, RIDERS, SETTING_ASIDE
from sarai.games.desert.terrain import BOARD

EVENTS = (
    EventSpec("leader_set_aside", ("seat", "colour"), reveals=True),
    EventSpec("palm_planted", ("hex",), reveals=True),
    EventSpec("water_laid", ("hex", "value"), reveals=True),
    EventSpec("leader_placed", ("seat", "colour", "hex")),
    EventSpec("no_room_for_leaders"),
    EventSpec("camel_placed", ("seat", "colour", "hex")),
    EventSpec("water_taken", ("seat", "hex", "value")),
    EventSpec("oasis_linked", ("seat", "colour", "hex")),
    EventSpec("area_enclosed", ("seat", "colour", "hexes")),
    EventSpec("camel_not_placed", ("seat",)),
    EventSpec("pile_emptied", ("colour",)),
    EventSpec("largest_caravan", ("seat", "colour", "camels", "points")),
    EventSpec("final_score", ("seat", "water", "oases", "areas", "largest", "total")),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "leader_set_aside": "{seat} sets the {colour} leader aside.",
    "palm_planted": "A palm is planted on {hex}: it is an oasis now.",
    "water_laid": "A water token of {value} is laid on {hex}.",
    "leader_placed": "{seat} places the {colour} leader on {hex}.",
    "no_room_for_leaders": "There is no hex left for another leader.",
    "camel_placed": "{seat} places a {colour} camel on {hex}.",
    "water_taken": "{seat} takes the water on {hex}: {value}.",
    "oasis_linked": "{seat} links the {colour} caravan to the oasis on {hex}: 5.",
    "area_enclosed": "{seat} encloses an area with the {colour} caravan: {hexes} at the end.",
    "camel_not_placed": "{seat} can place no camel.",
    "pile_emptied": "The last {colour} camel is placed: the game ends with this turn.",
    "largest_caravan": "{seat} has the largest {colour} caravan, camels {camels}: {points}.",
    "final_score": "{seat} has {water} for water, {oases} for oases, {areas} for areas "
    "and {largest} for largest caravans: {total}.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "leader_placed_you": "You place the {colour} leader on {hex}.",
    "camel_placed_you": "You place a {colour} camel on {hex}.",
    "water_taken_you": "You take the water on {hex}: {value}.",
    "oasis_linked_you": "You link the {colour} caravan to the oasis on {hex}: 5.",
    "area_enclosed_you": "You enclose an area with the {colour} caravan: {hexes} at the end.",
    "camel_not_placed_you": "You can place no camel.",
    "largest_caravan_you": "You have the largest {colour} caravan, camels {camels}: {points}.",
    "final_score_you": "You have {water} for water, {oases} for oases, {areas} for areas "
    "and {largest} for largest caravans: {total}.",
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


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words, with the points it takes on the way."""
    s = cell[0]
    if s["actor"] == CHANCE:
        if s["phase"] == SETTING_ASIDE:
            rider = say(RIDERS[s["aside"].tolist().index(0)])
            words = say("the {rider} rider's {colour} leader is set aside")
            return words.format(rider=rider, colour=say(COLOURS[move]))
        if s["phase"] == PLANTING:
            return say("a palm on {hex}").format(hex=BOARD.names[BOARD.palm_spaces[move]])
        return say("a water token of {points} on {hex}").format(
            points=move + 1, hex=BOARD.names[hexes_of(cell["bare"])[0][0]]
        )
    colour, hex = divmod(move, HEXES)
    if s["phase"] == LEADERS:
        return say("place the {colour} leader on {hex}").format(colour=say(COLOURS[colour]), hex=BOARD.names[hex])
    fresh = int(PALMS_NEAR[hex] & s["palms"] & ~s["links"][s["actor"], colour])
    water = [value for value, hexes in enumerate(hexes_of(s["water"]), 1) if hex in hexes]
    oases = [BOARD.names[place] for space, place in enumerate(BOARD.palm_spaces) if fresh >> space & 1]
    gains = [say("water {points}").format(points=value) for value in water]
    gains += [say("oasis {hex}").format(hex=name) for name in oases]
    words = say("place a {colour} camel on {hex}").format(colour=say(COLOURS[colour]), hex=BOARD.names[hex])
    return say("{move} ({gains})").format(move=words, gains=say(", ").join(gains)) if gains else words


def facts(cell: Cell, move: int, seat: int) -> dict[str, object]:
    """Name the colour and the hex of a refused move."""
    colour, hex = divmod(move, HEXES)
    return {"colour": COLOURS[colour], "hex": BOARD.names[hex]}
