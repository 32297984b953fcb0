"""The race track of Camel Up as SVG: sixteen spaces around the pyramid, and where everything stands on them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.events import Event
from sarai.core.markup import EMPTY, classes, join, markup, shorten_to_width, spot
from sarai.core.messages import Say, number
from sarai.games.camelup.board.pieces import camel, die, disc, tile
from sarai.games.camelup.board.words import Words
from sarai.games.camelup.edition import GREY_DIE
from sarai.games.camelup.state import DICE_PER_LEG, LAST_SPACE, RACING

CELL = 116
SIDE = 5 * CELL
# Column and row of each space, clockwise from space 1, which lies behind the finish line on the lower side.
CELLS = (
    *((1, 4), (0, 4), (0, 3), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0)),
    *((3, 0), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4)),
)
STEP, TALL, MOST = 36, 62, 138  # from camel to camel in a stack; of a camel; of a stack, before it is pressed together
LOWEST = 14  # by which the cloth of a camel hangs lower under others, so that its letter is seen
RIM = 21  # around the road, for the numbers of spaces
INWARD = 9  # how far camels and tiles on the left and on the right side stand off the numbers there
PLATE = 20  # the height of the plate that a space's number stands on; its width is by digits
OWNER_LINE = 24  # of the owners of tiles, from the top of a space
OWNER_LETTER, OWNER_WIDTH = 9.9, 88  # the width of an ordinary letter of a tile's owner, and of the name at most
TILES_TAG, COURT_TAG, END = Markup('<g id="tiles">'), Markup('<g id="court">'), Markup("</g>")
Stacks = tuple[tuple[int, tuple[str, ...]], ...]  # spaces, and the camels on them from the bottom
VIEW_BOX = f"{-RIM} -38 {SIDE + 2 * RIM} {SIDE + 52}"


def lap(space: int) -> int:
    """Return the space on the track, 1 to 16, where a camel stands that may be beyond the finish line."""
    return (space - 1) % LAST_SPACE + 1


@lru_cache(maxsize=256)
def ground(space: int, height: float = 0) -> tuple[float, float]:
    """Return where a camel stands on a space, at a height above the ground."""
    column, row = CELLS[lap(space) - 1]
    inward = {0: INWARD, 4: -INWARD}.get(column, 0)
    return column * CELL + CELL / 2 + inward, row * CELL + CELL - 12 - height


def looks_right(space: int) -> bool:
    """Say whether camels on a space run to the right: on the left and on the upper side."""
    column, row = CELLS[lap(space) - 1]
    return (column == 0 and row < 4) or (row == 0 and column < 4)


def lift(count: int) -> float:
    """Return how much higher each camel of a stack stands than the one below."""
    return STEP if count < 2 else min(STEP, (MOST - TALL) / (count - 1))


@lru_cache(maxsize=8)
def scenery(say: Say) -> Markup:
    """Render what never changes below everything: the road and its spaces, the finish line, the courtyard."""
    inner, edge = CELL, 4 * CELL
    lines = []
    for place, (column, row) in enumerate(CELLS):
        x, y = column * CELL, row * CELL
        following = CELLS[(place + 1) % LAST_SPACE]
        if place + 1 < LAST_SPACE:
            left, top = max(x, following[0] * CELL), max(y, following[1] * CELL)
            lines.append(
                f"M{left} {y + 10}V{y + CELL - 10}" if row == following[1] else f"M{x + 10} {top}H{x + CELL - 10}"
            )
    flags = join(
        markup(
            '<rect class="check-{colour}" x="{x}" y="{y}" width="9" height="12"/>',
            colour=(k + j) % 2,
            x=2 * CELL - 9 + 9 * j,
            y=4 * CELL + 4 + 12 * k,
        )
        for k in range(9)
        for j in range(2)
    )
    arrows = join(
        markup(
            '<path class="way" transform="translate({x} {y}) rotate({turn})" d="M-9 -8L9 0L-9 8L-4 0Z"/>',
            x=x,
            y=y,
            turn=turn,
        )
        for x, y, turn in (
            (CELL / 2, 3 * CELL, -90),  # between spaces: neither a tile nor its owner lies there
            (2 * CELL, CELL / 2, 0),
            (SIDE - CELL / 2, 2 * CELL, 90),
        )
    )
    return markup(
        '<defs><pattern id="cu-court" width="29" height="29" patternUnits="userSpaceOnUse">'
        '<path class="court-line" d="M14.5 2L27 14.5L14.5 27L2 14.5Z"/></pattern></defs>'
        '<rect class="road" width="{side}" height="{side}" rx="60"/>'
        '<rect class="court" {yard}/><rect {yard} fill="url(#cu-court)"/>'
        '<path class="border" d="{lines}"/>{arrows}<g class="finish" role="img" aria-label="{finish}">{flags}</g>',
        side=SIDE,
        yard=markup('x="{at}" y="{at}" width="{width}" height="{width}" rx="22"', at=inner, width=edge - inner),
        lines="".join(lines),
        arrows=arrows,
        finish=say("finish line"),
        flags=flags,
    )


@lru_cache(maxsize=8)
def numbers(say: Say) -> Markup:
    """Render the numbers of the spaces, over the frame of a space to be chosen."""
    return join(
        markup(
            '<g class="space-number"><rect x="{left:g}" y="{top:g}" width="{width}" height="{height}" rx="6"/>'
            '<text x="{x:g}" y="{y:g}">{number}</text></g>',
            left=left,
            top=top,
            width=width,
            height=PLATE,
            x=left + width / 2,
            y=top + PLATE - 3,
            number=number(space, say),
        )
        for space in range(1, LAST_SPACE + 1)
        for left, top, width in [number_plate(space)]
    )


def number_plate(space: int) -> tuple[float, float, int]:
    """Return left, top and width of the plate of a space's number, which no stack of camels reaches.

    It lies under their feet; on the left and on the right side, where a stack may stand in front, at the outer rim.
    """
    (column, row), (x, foot) = CELLS[space - 1], ground(space)
    width = 20 if space < 10 else 30
    if 0 < column < 4 or row == 4:
        return x - width / 2, foot + 3, width
    return (-4 if column == 0 else SIDE + 4) - width / 2, row * CELL + (CELL - PLATE) / 2, width


def places(words: Words) -> Markup:
    """Render the spaces, which say where they are; they can be chosen for the own tile at some time, but the first."""
    return join(place(space, words) for space in range(1, LAST_SPACE + 1))


def place(space: int, words: Words) -> Markup:
    """Render a space with nothing on it; what stands there speaks for it."""
    column, row = CELLS[space - 1]
    beside = [other for other in (space - 1, space + 1) if 1 <= other <= LAST_SPACE]
    return markup(
        '<rect class="place" id="place-{space}" role="img" aria-label="{label}" data-bare="bare" '
        'data-beside="{beside}"{edge} x="{x}" y="{y}" width="{width}" height="{width}" rx="22"{spot}/>',
        space=space,
        label=words.empty_space(space),
        beside=" ".join(f"place-{other}" for other in beside),
        edge=markup(' data-edge="{finish}"', finish=words.finish) if len(beside) < 2 else EMPTY,
        spot=spot(f"space-{space}", "") if space > 1 else EMPTY,
        x=column * CELL + 10,
        y=row * CELL + 10,
        width=CELL - 20,
    )


def tiles(view: Mapping[str, Any], names: Sequence[str], edition: int, words: Words, news: Sequence[Event]) -> Markup:
    """Render the tiles on the track, with their owners."""
    fresh = {event.args["seat"] for event in news if event.key in ("laid_tile", "moved_tile", "tile_paid")}
    rendered = [
        lying(seat, names[seat], lain["space"], words.sides.index(lain["side"]), edition, seat in fresh, words)
        for seat, lain in enumerate(view["tiles"])
        if lain
    ]
    return join([TILES_TAG, *rendered, END])


@lru_cache(maxsize=4096)
def lying(seat: int, name: str, space: int, side: int, edition: int, fresh: bool, words: Words) -> Markup:
    """Render a tile on its space; its owner stands above it, where no stack of camels reaches."""
    x, y = ground(space)
    y -= 40
    return markup(
        '<g class="piece tile{classes}" id="tile-{seat}" transform="translate({x:g} {y:g})" role="img" '
        'aria-label="{label}" data-on="place-{space}">'
        '{tile}{disc}<text class="name owner" x="0" y="{line:g}">{name}</text></g>',
        classes=classes(new=fresh),
        seat=seat,
        space=space,
        x=x,
        y=y,
        line=OWNER_LINE - CELL + 12 + 40,
        label=words.tile(name, space, side),
        tile=tile(edition, side, words.change(-1 if side else 1)),
        disc=disc(words.number(seat + 1), -40, -24),
        name=shorten_to_width(name, OWNER_WIDTH / OWNER_LETTER),
    )


# --- camels ----------------------------------------------------------------------------------------------------------


def camels(view: Mapping[str, Any], words: Words, news: Sequence[Event]) -> Markup:
    """Render all camels, stack by stack, those further down on the page in front."""
    walked = walks(news)
    taken = {stack["space"] for stack in view["camels"]}
    rendered = []
    for stack in sorted(view["camels"], key=lambda stack: ground(stack["space"])[1]):
        space, names = stack["space"], stack["camels"]
        beyond = not 1 <= space <= LAST_SPACE
        shift = 26 if beyond and lap(space) in taken else 0
        unit = [name for name in names if name in walked]
        step = lift(len(names))
        for at, name in enumerate(names):
            path = tuple(walked[name][:-1]) if name in walked else ()
            rider = unit.index(name) if name in walked else 0
            drop = min(STEP - step, LOWEST) if at < len(names) - 1 else 0
            rendered.append(standing(name, space, at * step, drop, shift, path, rider, beyond, words))
    return join([camels_tag(words), *(heard_stack(*found, words) for found in stacks_of(view)), *rendered, END])


def stacks_of(view: Mapping[str, Any]) -> Stacks:
    """Return the stacks of camels, those in front first."""
    return tuple([(stack["space"], tuple(stack["camels"])) for stack in reversed(view["camels"])])


@lru_cache(maxsize=16)
def camels_tag(words: Words) -> Markup:
    """Return the tag of the group of camels."""
    return markup('<g id="camels" role="group" aria-label="{label}">', label=words.on_track)


@lru_cache(maxsize=8192)
def heard_stack(space: int, names: tuple[str, ...], words: Words) -> Markup:
    """Tell which camels stand on a space: an area that is heard, not seen."""
    column, row = CELLS[lap(space) - 1]
    return markup(
        '<rect class="heard" id="stack-{id}" role="img" aria-label="{label}"{on} x="{x}" y="{y}" width="{width}" '
        'height="{width}"/>',
        id=space if space >= 0 else f"before-{-space}",
        label=words.stack(space, names),
        on=markup(' data-on="place-{space}"', space=space) if 1 <= space <= LAST_SPACE else EMPTY,
        x=column * CELL + 10,
        y=row * CELL + 10,
        width=CELL - 20,
    )


@lru_cache(maxsize=8192)
def standing(
    name: str,
    space: int,
    height: float,
    drop: float,
    shift: int,
    path: tuple[int, ...],
    rider: int,
    beyond: bool,
    words: Words,
) -> Markup:
    """Render a camel where it stands, its cloth lower by `drop`; if it just walked, with the spaces it walked over."""
    x, y = ground(space, height)
    number = words.order.index(name)
    crazy = number >= RACING
    way = " ".join("{:g},{:g}".format(*ground(passed, rider * STEP)) for passed in path)
    return markup(
        '<g class="piece camel coat-{name}{classes}" id="camel-{name}" transform="translate({x:g} {y:g})"{path} '
        'aria-hidden="true">{camel}</g>',
        name=name,
        classes=classes(crazy=crazy, home=beyond),
        x=x + shift,
        y=y,
        path=markup(' data-path="{way}"', way=way) if way else EMPTY,
        camel=camel(name, words.letters[number], crazy, looks_right(space) != crazy, drop),
    )


def walks(news: Sequence[Event]) -> dict[str, list[int]]:
    """Return the spaces every camel that has just moved walked over, the last one being where it stands."""
    walked: dict[str, list[int]] = {}
    for event in news:
        args: dict[str, Any] = dict(event.args)
        if event.key == "unit_moved":
            step = 1 if args["space"] > args["origin"] else -1
            passed = list(range(args["origin"] + step, args["space"] + step, step))
        elif event.key in ("unit_sent_on", "unit_sent_back"):
            passed = [args["space"]]
        elif event.key in ("line_crossed", "line_crossed_backwards"):
            step = 1 if event.key == "line_crossed" else -1
            last = LAST_SPACE if step > 0 else 1
            passed = [*range(args["origin"] + step, last + step, step), last + step]
        else:
            continue
        for name in args["unit"]:
            walked.setdefault(name, []).extend(passed)
    return walked


# --- the middle ------------------------------------------------------------------------------------------------------


def court(view: Mapping[str, Any], words: Words) -> Markup:
    """Render the pyramid and its tickets."""
    return join([COURT_TAG, pyramid(sum(view["pyramid_tickets"]), view["leg"], words), END])


def dice(view: Mapping[str, Any], words: Words, news: Sequence[Event]) -> dict[str, Markup]:
    """Render the dice: those that are out, and the places of the others in the pyramid."""
    shown = {out["die"]: (out["camel"], out["number"]) for out in view["dice"]}
    just = {
        GREY_DIE if event.key[0] == "g" else event.args["camel"]
        for event in news
        if event.key in ("die_came_out", "grey_die_came_out")
    }
    rendered = {}
    for at, name in enumerate(words.dice):
        coat, number = shown.get(name) or (name, 0)
        rendered[f"die-{name}"] = slot(at, len(words.dice), name, coat, number, name in shown and name in just, words)
    return rendered


@lru_cache(maxsize=2048)
def slot(at: int, count: int, name: str, coat: str, number: int, fresh: bool, words: Words) -> Markup:
    """Render a die that is out, or the place of one in the pyramid."""
    letter = words.letters[words.order.index(coat)] if coat in words.order else "WK"
    return markup(
        '<g class="die coat-{coat}{classes}" id="die-{name}" transform="translate({x:g} 360)" role="img" '
        'aria-label="{label}">{die}</g>',
        coat=coat,
        classes=classes(new=fresh),
        name=name,
        x=SIDE / 2 - count * 28 + at * 56 + 5,
        label=words.die(name, coat, number),
        die=die(coat, letter, words.number(number) if number else ""),
    )


@lru_cache(maxsize=256)
def pyramid(taken: int, leg: int, words: Words) -> Markup:
    """Render the pyramid with the tickets that are left; it can be chosen to let a die come out."""
    left = DICE_PER_LEG - taken
    tokens = join(
        markup(
            '<path class="token{classes}" transform="translate({x:g} 347)" d="M0 -18L13 4H-13Z"/>',
            classes=classes(gone=k >= left),
            x=SIDE / 2 - 60 + 30 * k,
        )
        for k in range(DICE_PER_LEG)
    )
    return markup(
        '<text class="leg" x="{x:g}" y="149">{leg}</text>'
        '<g class="pyramid" id="pyramid" role="img" aria-label="{label}"{spot}>'
        '<path class="aura" d="M290 161L396 323H184Z"/><path class="stone-left" d="M290 169L197 315H313Z"/>'
        '<path class="stone-right" d="M290 169L383 315H313Z"/>'
        '<path class="courses" d="M268 204H312M248 235H332M224 272H356"/>'
        '<text class="call" x="{x:g}" y="300">{roll}</text>{tokens}</g>',
        x=SIDE / 2,
        leg=words.leg(leg),
        label=words.pyramid(left),
        spot=spot("pyramid", words.pyramid_do(left)),
        roll=words.roll,
        tokens=tokens,
    )
