"""Through the Desert in words: positions, moves and events."""

import re

from sarai.core.errors import BadText
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Array
from sarai.core.messages import Say
from sarai.core.position_text import Fields, whole
from sarai.core.result import CHANCE
from sarai.games.desert.layout import (
    CARAVANS,
    COLOURS,
    ENDINGS,
    FINISHED,
    FIRST_ROUND,
    LAYING_WATER,
    LEADERS,
    MAX_MOVES,
    PHASES,
    PLANTING,
    RIDERS,
    SEATS,
    SETTING_ASIDE,
    TOKENS_EACH,
    VALUES,
)
from sarai.games.desert.position import Position, area_in_play, build, describe, water_holes
from sarai.games.desert.tables import HEXES, PALMS_NEAR, hexes_of
from sarai.games.desert.terrain import BOARD
from sarai.games.desert.view import NUMBERS

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
    "final_score": "{seat} has {water} for water, {oases} for oases, {areas} for areas and {largest} for largest caravans: {total}.",
    "game_over": "The game is over: {ending}.",
}
SHORT = tuple(colour[:2] for colour in COLOURS)


# --- moves -----------------------------------------------------------------------------------------------------------------------


def next_hole(cell: Array) -> str:
    """Return the name of the water hole that waits for a token."""
    return BOARD.names[hexes_of(cell["bare"])[0][0]]


def write_move(cell: Array, move: int) -> str:
    """Write a move as a colour and a hex; an outcome as a colour, a hex or a token's value."""
    if cell["actor"][0] == CHANCE:
        phase = cell["phase"][0]
        return (
            COLOURS[move]
            if phase == SETTING_ASIDE
            else BOARD.names[BOARD.palm_spaces[move]]
            if phase == PLANTING
            else str(move + 1)
        )
    return f"{COLOURS[move // HEXES]} {BOARD.names[move % HEXES]}"


def read_colour(text: str, word: str) -> int:
    """Read a colour, or a beginning of one that no other colour has."""
    found = [number for number, colour in enumerate(COLOURS) if word and colour.startswith(word)]
    if len(found) > 1:
        raise BadText("move_ambiguous", text=text, choices=", ".join(COLOURS[number] for number in found))
    if not found:
        raise BadText("move_unreadable", text=text)
    return found[0]


def read_move(cell: Array, text: str) -> int:
    """Read a colour and a hex: `lilac f7`, `li f7`, `lif7`; at a chance node what it brings."""
    word = text.lower()
    if cell["actor"][0] == CHANCE:
        phase = cell["phase"][0]
        if phase == SETTING_ASIDE:
            return read_colour(text, word)
        if phase == PLANTING and NUMBERS.get(word) in BOARD.palm_spaces:
            return BOARD.palm_spaces.index(NUMBERS[word])
        if phase == LAYING_WATER and word in ("1", "2", "3"):
            return int(word) - 1
    elif (match := re.fullmatch(r"([a-z]+)[\s-]*([a-z][0-9]{1,2})", word)) and match[2] in NUMBERS:
        return read_colour(text, match[1]) * HEXES + NUMBERS[match[2]]
    raise BadText("move_unreadable", text=text)


def words_for_move(cell: Array, move: int, say: Say) -> str:
    """Say a move in words, with the points it takes on the way."""
    s = cell[0]
    if s["actor"] == CHANCE:
        if s["phase"] == SETTING_ASIDE:
            rider = RIDERS[s["aside"].tolist().index(0)]
            return say("the {rider} rider's {colour} leader is set aside").format(
                rider=say(rider), colour=say(COLOURS[move])
            )
        if s["phase"] == PLANTING:
            return say("a palm on {hex}").format(hex=BOARD.names[BOARD.palm_spaces[move]])
        return say("a water token of {points} on {hex}").format(points=move + 1, hex=next_hole(cell))
    colour, hex = divmod(move, HEXES)
    if s["phase"] == LEADERS:
        return say("place the {colour} leader on {hex}").format(colour=say(COLOURS[colour]), hex=BOARD.names[hex])
    fresh = int(PALMS_NEAR[hex] & s["palms"] & ~s["links"][s["actor"], colour])
    gains = [
        say("water {points}").format(points=value)
        for value, hexes in enumerate(hexes_of(s["water"]), 1)
        if hex in hexes
    ]
    gains += [
        say("oasis {hex}").format(hex=BOARD.names[space])
        for number, space in enumerate(BOARD.palm_spaces)
        if fresh >> number & 1
    ]
    words = say("place a {colour} camel on {hex}").format(colour=say(COLOURS[colour]), hex=BOARD.names[hex])
    return say("{move} ({gains})").format(move=words, gains=say(", ").join(gains)) if gains else words


def facts(cell: Array, seat: int, move: int) -> dict[str, object]:
    """Name the colour and the hex of a refused move."""
    colour, hex = divmod(move, HEXES)
    return {"colour": COLOURS[colour], "hex": BOARD.names[hex]}


# --- positions -------------------------------------------------------------------------------------------------------------------


def write(cell: Array) -> dict[str, str]:
    """Write a position's fields."""
    position = describe(cell)
    phase = position.phase
    holes = water_holes(area_in_play(cell), tuple(position.oases)) if phase >= LAYING_WATER else ()
    if phase == LAYING_WATER:
        holes = holes[: len(position.water)]
    return {
        "phase": PHASES[phase],
        **({"ending": ENDINGS[position.ending]} if phase == FINISHED else {}),
        "moves": str(position.moves),
        **(
            {"aside": ",".join(COLOURS[colour] for colour in position.aside) or "-"}
            if cell["players"][0] == SEATS
            else {}
        ),
        "oases": ",".join(BOARD.names[hex] for hex in position.oases) or "-",
        "water": "".join(str(position.water.get(hex, 0)) for hex in holes) or "-",
        "caravans": "/".join(map(write_caravans, position.caravans)),
        "tokens": "/".join(".".join(map(str, counts)) for counts in position.tokens),
        **({"turn": str(position.turn), "left": str(position.left)} if phase in (FIRST_ROUND, CARAVANS) else {}),
    }


def write_caravans(caravans: dict[int, list[int]]) -> str:
    """Write a player's caravans: each a colour's first two letters and the hexes of its camels, the leader's first."""
    return (
        ",".join(
            f"{SHORT[colour]}:{''.join([BOARD.names[hex] for hex in camels])}" for colour, camels in caravans.items()
        )
        or "-"
    )


def bad(field: str, value: str, why: str) -> BadText:
    """Return the error for a field that cannot be read."""
    return BadText("text_bad_value", field=field, value=value, why=why)


def read_hexes(field: str, text: str) -> list[int]:
    """Read hexes' names that stand one after the other."""
    names = re.findall(r"[a-z][0-9]*", text)
    if "".join(names) != text or not names or any(name not in NUMBERS for name in names):
        raise bad(field, text, "it is no list of hexes")
    return [NUMBERS[name] for name in names]


def read_caravans(text: str) -> dict[int, list[int]]:
    """Read a player's caravans."""
    caravans: dict[int, list[int]] = {}
    for part in text.split(",") if text != "-" else []:
        short, _, hexes = part.partition(":")
        if short not in SHORT or SHORT.index(short) in caravans:
            raise bad("caravans", part, "it does not begin with a colour of its own: " + ", ".join(SHORT))
        caravans[SHORT.index(short)] = read_hexes("caravans", hexes)
    return caravans


def read(cell: Array, fields: Fields) -> None:
    """Read a position's fields into a cell that was set up, refusing what no game comes to."""
    players = int(cell["players"][0])
    phase = fields.word("phase", PHASES)
    ending = fields.word("ending", ENDINGS) if phase == FINISHED else 0
    moves = fields.number("moves", 0, MAX_MOVES)
    aside = fields.parts("aside") if players == SEATS else []
    if any(colour not in COLOURS for colour in aside):
        raise bad("aside", ",".join(aside), "it is no list of colours")
    oases = [hex for part in fields.parts("oases") for hex in read_hexes("oases", part)]
    build(
        cell,
        Position(
            phase=phase,
            ending=ending,
            moves=moves,
            aside=[COLOURS.index(colour) for colour in aside],
            oases=oases,
            water=read_water(cell, fields.take("water"), phase, oases),
            caravans=[read_caravans(part) for part in fields.parts("caravans", players, "/")],
            tokens=[read_tokens(part) for part in fields.parts("tokens", players, "/")],
            turn=fields.number("turn", 0, players - 1) if phase in (FIRST_ROUND, CARAVANS) else 0,
            left=fields.number("left", 1, 2) if phase in (FIRST_ROUND, CARAVANS) else 0,
        ),
    )


def read_water(cell: Array, text: str, phase: int, oases: list[int]) -> dict[int, int]:
    """Read a digit for every water hole in order: a token's value, or 0 where a caravan took it."""
    digits = "" if text == "-" else text
    holes = water_holes(area_in_play(cell), tuple(sorted(oases)))
    known = set("0123" if phase > LEADERS else "123")
    if not set(digits) <= known or len(digits) > len(holes) or (phase > LAYING_WATER and len(digits) < len(holes)):
        raise bad("water", text, f"it is not a digit {min(known)} to 3 for each of {len(holes)} water holes")
    return {hex: int(digit) for hex, digit in zip(holes, digits, strict=False) if digit != "0"}


def read_tokens(text: str) -> list[int]:
    """Read how many tokens of 1, 2 and 3 a player took."""
    counts = text.split(".")
    if len(counts) != VALUES:
        raise bad("tokens", text, "it is not three numbers with dots between")
    return [whole("tokens", count, 0, TOKENS_EACH) for count in counts]
