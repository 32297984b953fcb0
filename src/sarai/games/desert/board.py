"""The desert on a page: the map as a frame; caravans, areas, water, piles and players as parts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sarai.core.board import Board, Pick, Scene
from sarai.games.desert.board_ask import ask
from sarai.games.desert.board_map import (
    HEX_PATH,
    NUMBERS,
    crop,
    hexes_outline,
    is_wide,
    number,
    scenery,
    spot_of,
    view_box,
)
from sarai.games.desert.board_pieces import camel, icon, leader, oasis, symbols
from sarai.games.desert.board_words import Words, isolated, words_of
from sarai.games.desert.layout import COLOURS, RIDERS
from sarai.games.desert.terrain import BOARD

__all__ = ["ask", "draw", "icon"]

HEXES = len(BOARD.places)
LETTERS = tuple(rider[0].upper() for rider in RIDERS)
SOURCES = {"water": "drop", "oases": "oasis", "areas": "area", "largest": "crown"}  # of points, and the picture of each
KEPT = 4096  # fragments of boards that are remembered


class Fresh(NamedTuple):
    """What just happened, as far as a drawing points it out."""

    camels: frozenset[str] = frozenset()  # hexes
    gains: tuple[tuple[str, int], ...] = ()  # points, and the hex they were made on
    areas: frozenset[int] = frozenset()  # seats that enclosed one
    piles: frozenset[str] = frozenset()  # colours


def draw(scene: Scene) -> Board:
    """Draw what a viewer sees of the desert."""
    view, say = scene.view, scene.say
    words = words_of(say)
    fresh = what_is_fresh(scene)
    choices = choices_of(scene.moves)
    parts = {"d-piles": piles(words, tuple(view["piles"].values()), tuple(choices), riders_left(view), fresh.piles)}
    parts["d-water"] = water(tuple(view["water"].items()), tuple(view["oases"]))
    parts["d-areas"] = areas(tuple(map(tuple, view["enclosed"])), fresh.areas)
    for seat in range(view["players"]):
        for colour in COLOURS:
            hexes = tuple(view["caravans"][seat].get(colour, ()))
            new = fresh.camels.intersection(hexes) if fresh.camels else fresh.camels
            parts[f"d-caravan-{seat}-{colour}"] = caravan(words, seat, colour, hexes, new, scene.names[seat])
        parts[f"d-seat-{seat}"] = seat_card(words, view, seat, scene.names[seat])
    parts["d-spots"] = spots(
        words,
        tuple(sorted({hex for lit in choices.values() for hex in lit})),
        view["water"],
        view["phase"] == "leaders",
    )
    parts["d-gains"] = gains(fresh.gains)
    picks = tuple(Pick(colour, words.pick(colour, view["phase"] == "leaders")) for colour in choices)
    return Board(frame(words, view["players"]), parts, choices, picks, summary(words, view, scene.names))


def choices_of(moves: Sequence[int]) -> dict[str, dict[str, int]]:
    """Return which colour, and then which hex, means which move."""
    found: dict[str, dict[str, int]] = {}
    for move in moves:
        colour, hex = divmod(move, HEXES)
        found.setdefault(COLOURS[colour], {})[BOARD.names[hex]] = move
    return found


def what_is_fresh(scene: Scene) -> Fresh:
    """Read what just happened from the news."""
    if not scene.news:
        return Fresh()
    camels, points, areas, colours = set(), [], set(), set()
    hex = ""
    for event in scene.news:
        args: Mapping[str, Any] = event.args
        if event.key in ("leader_placed", "camel_placed"):
            hex = args["hex"]
            camels.add(hex)
            colours.update([args["colour"]] if event.key == "camel_placed" else [])
        elif event.key == "area_enclosed":
            areas.add(args["seat"])
        if event.key in ("water_taken", "oasis_linked", "area_enclosed") and is_open(scene.view, args["seat"]):
            points.append((args.get("hex", hex), args.get("value", args.get("hexes", 5))))
    return Fresh(frozenset(camels), tuple(points), frozenset(areas), frozenset(colours))


def is_open(view: Mapping[str, Any], seat: int) -> bool:
    """Tell whether a seat's points are shown to the viewer (D-24)."""
    return bool(view["options"]["scores"] == "open" or view["phase"] == "over" or seat == view["seat"])


def riders_left(view: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the colours of the leaders that the viewer still has to place."""
    if view["phase"] != "leaders" or view["seat"] is None:
        return ()
    away = {*view["caravans"][view["seat"]], *view["aside"][view["seat"] : view["seat"] + 1]}
    return (LETTERS[view["seat"]], *(colour for colour in COLOURS if colour not in away))


# --- the frame -----------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def frame(words: Words, players: int) -> str:
    """Return what stays the same all game: the map, and slots for everything that lies on it."""
    wide = is_wide(players)
    box = " ".join(map(number, view_box(crop(wide))))
    caravans = "".join(f"<!--d-caravan-{seat}-{colour}-->" for seat in range(players) for colour in COLOURS)
    seats = "".join(f"<!--d-seat-{seat}-->" for seat in range(players))
    return (
        f'<div class="board desert {"whole" if wide else "part"}"><div class="desert-grid"><!--d-piles-->'
        f'<div class="map" dir="ltr" role="group" tabindex="0" aria-label="{words.map}">'
        f'<svg viewBox="{box}">{symbols()}{scenery(wide)}'
        f"<!--d-areas--><!--d-spots--><!--d-water-->{caravans}<!--d-gains--></svg></div>"
        f'<div class="players">{seats}</div></div></div>'
    )


# --- on the map ----------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def water(tokens: tuple[tuple[str, int], ...], palms: tuple[str, ...]) -> str:
    """Draw the water tokens that lie open, and the oases."""
    drawn = "".join(f'<g class="palm" transform="{spot_of(NUMBERS[hex])}">{OASIS}</g>' for hex in palms)
    return f'<g id="d-water">{"".join(token(hex, value) for hex, value in tokens)}{drawn}</g>'


OASIS = oasis()


@lru_cache(maxsize=KEPT)
def token(hex: str, value: int) -> str:
    """Draw a water token with its value."""
    return f'<g class="token" id="d-water-{hex}" transform="{spot_of(NUMBERS[hex])}"><use href="#d-pool"/><text y=".5">{value}</text></g>'


@lru_cache(maxsize=KEPT)
def areas(enclosed: tuple[tuple[str, ...], ...], new: frozenset[int]) -> str:
    """Shade the enclosed areas, each with its rider's letter on every hex."""
    return (
        '<g id="d-areas">'
        + "".join(area(seat, hexes, seat in new) for seat, hexes in enumerate(enclosed) if hexes)
        + "</g>"
    )


@lru_cache(maxsize=KEPT)
def area(seat: int, hexes: tuple[str, ...], is_new: bool) -> str:
    """Shade the areas of one seat."""
    letters = "".join(f'<text transform="{spot_of(NUMBERS[hex])}">{LETTERS[seat]}</text>' for hex in hexes)
    return f'<g class="area r{seat}{" new" if is_new else ""}" id="d-area-{seat}"><path d="{hexes_outline(hexes, 1.6)}"/>{letters}</g>'


@lru_cache(maxsize=KEPT)
def caravan(words: Words, seat: int, colour: str, hexes: tuple[str, ...], new: frozenset[str], name: str) -> str:
    """Draw a caravan: one border around its camels, the leader first."""
    key = f"d-caravan-{seat}-{colour}"
    if not hexes:
        return f'<g id="{key}"></g>'
    title = words.caravan(isolated(name), colour, len(hexes))
    beasts = "".join(beast(seat, colour, hex, hex == hexes[0], hex in new) for hex in hexes)
    return f'<g id="{key}" class="caravan {colour} r{seat}"><title class="name">{title}</title><path class="border" d="{hexes_outline(hexes, 1.9)}"/>{beasts}</g>'


@lru_cache(maxsize=KEPT)
def beast(seat: int, colour: str, hex: str, leads: bool, is_new: bool) -> str:
    """Draw one camel of a caravan."""
    drawn = leader(colour) + badge(seat) if leads else camel(colour)
    kind = f"piece {'leader' if leads else 'camel'}{' new' if is_new else ''}"
    ring = f'<path class="ring" d="{HEX_PATH}"/>' if is_new else ""
    return (
        f'<g class="{kind}" id="d-camel-{hex}" transform="{spot_of(NUMBERS[hex])}">{ring}<g class="pop">{drawn}</g></g>'
    )


def badge(seat: int) -> str:
    """Draw a rider's letter on a disc."""
    return f'<g class="badge" transform="translate(10.4 8.2)"><circle r="6.4"/><text>{LETTERS[seat]}</text></g>'


@lru_cache(maxsize=KEPT)
def spot(words: Words, hex: str, value: int) -> str:
    """Make a hex that can be chosen."""
    label = words.hex(hex, value)
    return f'<path class="spot hex" id="d-spot-{hex}" data-spot="{hex}" role="button" aria-label="{label}" transform="{spot_of(NUMBERS[hex])}" d="{HEX_PATH}"/>'


def spots(words: Words, hexes: tuple[str, ...], tokens: Mapping[str, int], leaders: bool) -> str:
    """Make the hexes that some choice leads to."""
    return f'<g id="d-spots" class="spots{" for-leaders" if leaders else ""}">{"".join([spot(words, hex, tokens.get(hex, 0)) for hex in hexes])}</g>'


@lru_cache(maxsize=256)
def gains(points: tuple[tuple[str, int], ...]) -> str:
    """Let points rise from the hexes on which they were just made."""
    texts = []
    for place, (hex, value) in enumerate(points):
        higher = 15 * sum(hex == other for other, _ in points[:place])
        texts.append(
            f'<g transform="{spot_of(NUMBERS[hex])}"><text class="gain new" id="d-gain-{hex}-{place}" y="{-higher}">+{value}</text></g>'
        )
    return f'<g id="d-gains" aria-hidden="true">{"".join(texts)}</g>'


# --- around the map ------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def piles(
    words: Words, counts: tuple[int, ...], open_colours: tuple[str, ...], riders: tuple[str, ...], new: frozenset[str]
) -> str:
    """Draw the five piles, which are the first choice of every move; while leaders are placed, the viewer's own ride on them."""
    drawn = []
    seat = LETTERS.index(riders[0]) if riders else 0
    for colour, count in zip(COLOURS, counts, strict=True):
        rides = colour in riders
        pick = f' data-pick="{colour}" role="button"' if colour in open_colours else ' role="img"'
        kind = f"pile {colour} r{seat}{' pick' if colour in open_colours else ''}{' out' if not count else ''}{' placed' if riders and not rides else ''}"
        label = words.pile(colour, count, rides)
        drawn.append(
            f'<div class="{kind}" id="d-pile-{colour}"{pick} aria-label="{label}" title="{label}"><svg viewBox="-19 -20 38 36" aria-hidden="true">'
            f'{leader(colour) if rides else camel(colour)}</svg><b class="{"new" if colour in new else "count"}">{count}</b></div>'
        )
    return f'<div id="d-piles" class="piles" role="group" dir="ltr" aria-label="{words.piles}">{"".join(drawn)}</div>'


def seat_card(words: Words, view: Mapping[str, Any], seat: int, name: str) -> str:
    """Draw what a player has: points by their sources, water tokens, the sizes of caravans."""
    sizes = tuple([len(hexes) for hexes in map(view["caravans"][seat].get, COLOURS, ((),) * len(COLOURS))])
    shown = is_open(view, seat)
    points = tuple(view["points"][seat].values()) if shown else ()
    tokens = tuple(view["tokens"][seat]) if shown else ()
    aside = view["aside"][seat] if seat < len(view["aside"]) else ""
    best = view["phase"] == "over" and sum(view["points"][seat].values()) == max(
        sum(row.values()) for row in view["points"]
    )
    kind = f"{' acting' if seat in view['to_act'] else ''}{' own' if seat == view['seat'] else ''}{' best' if best else ''}"
    return card(words, seat, name, kind, points, tokens, sizes, aside)


@lru_cache(maxsize=KEPT)
def card(
    words: Words,
    seat: int,
    name: str,
    kind: str,
    points: tuple[int, ...],
    tokens: tuple[int, ...],
    sizes: tuple[int, ...],
    aside: str,
) -> str:
    """Write a player's card."""
    shown = points or ("?",) * len(SOURCES)
    sources = "".join(
        f'<li class="{source}" title="{words.sources[source]}"><svg viewBox="-11 -11 22 22" aria-hidden="true"><use href="#d-icon-{picture}"/></svg>'
        f'<span class="sr">{words.sources[source]}</span> {value}</li>'
        for (source, picture), value in zip(SOURCES.items(), shown, strict=True)
    )
    chips = "".join(
        f'<li class="{colour}{" aside" if colour == aside else "" if size else " none"}" title="{words.chip(colour, size, colour == aside)}">'
        f'<svg viewBox="-6 -6 12 12" aria-hidden="true"><use href="#d-mark-{colour}"/></svg><span class="sr">{words.colours[colour]}</span> '
        f"{'×' if colour == aside else size}</li>"
        for colour, size in zip(COLOURS, sizes, strict=True)
    )
    drops = "".join(
        f"<li><b>{value}</b>×{count if tokens else '?'}</li>" for value, count in enumerate(tokens or (0, 0, 0), 1)
    )
    return (
        f'<section id="d-seat-{seat}" class="player r{seat}{kind}"><h3><span class="letter" title="{words.riders[seat]}">{LETTERS[seat]}</span>'
        f'<bdi class="name">{name}</bdi><b class="total" title="{words.total}">{sum(points) if points else "?"}</b></h3>'
        f'<ul class="sources" dir="ltr">{sources}</ul><ul class="chips" dir="ltr" title="{words.sizes}">{chips}</ul>'
        f'<ul class="drops" dir="ltr" title="{words.tokens}">{drops}</ul></section>'
    )


def summary(words: Words, view: Mapping[str, Any], names: Sequence[str]) -> str:
    """Say the position in a few sentences."""
    name = isolated(names[view["actor"]]) if view["actor"] >= 0 else ""
    said = [words.turns[view["phase"]].format(name=name, n=view["camels_left"])]
    seats = [seat for seat in range(view["players"]) if is_open(view, seat)]
    said += [
        words.has.format(name=isolated(names[seat]), rider=words.riders[seat], n=sum(view["points"][seat].values()))
        for seat in seats
    ]
    said.append(
        words.left.format(
            piles=", ".join([f"{words.colours[colour]} {count}" for colour, count in view["piles"].items()])
        )
    )
    return " ".join(said)
