"""The desert on a page: the map as a frame; caravans, areas, water, piles and players as parts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.board import Board, Pick, Scene
from sarai.core.markup import join, markup
from sarai.games.desert.board.duration_and_difficulty import about
from sarai.games.desert.board.explanations import explanations
from sarai.games.desert.board.hex_map import crop, scenery, view_box
from sarai.games.desert.board.map_layers import COLUMNS, areas, caravan, gains, phase_mark, spots, water
from sarai.games.desert.board.pieces import PALM, standing_camel, symbols
from sarai.games.desert.board.players import acting_mark, is_open, leaders_left, piles, seat_card, shown_totals
from sarai.games.desert.board.score_sheet import score_sheet
from sarai.games.desert.board.tap_to_moves import meaning_of
from sarai.games.desert.board.words import Words, prompt, summary, words_of
from sarai.games.desert.state import COLOURS, HEXES, OASIS_POINTS, WHOLE_BOARD
from sarai.games.desert.terrain import BOARD

__all__ = ["about", "explanations", "icon", "meaning_of", "render", "score_sheet"]


class Fresh(NamedTuple):
    """What just happened, as far as the board points it out."""

    camels: frozenset[str] = frozenset()  # hexes
    gains: tuple[tuple[str, int], ...] = ()  # points, and the hex they were made on
    areas: frozenset[int] = frozenset()  # seats that enclosed one
    piles: frozenset[str] = frozenset()  # colours


def render(scene: Scene) -> Board:
    """Render what a viewer sees of the desert."""
    view, names, words = scene.view, scene.names, words_of(scene.say)
    for_leaders = view["phase"] == "leaders"
    fresh, choices = what_is_fresh(scene), choices_of(scene.moves)
    rider = view["seat"] if for_leaders else None
    parts = {
        **piles(words, tuple(view["piles"].values()), rider, leaders_left(view), fresh.piles),
        "d-water": water(words, tuple(view["water"].items()), tuple(view["oases"])),
        "d-areas": areas(words, tuple(map(tuple, view["enclosed"])), fresh.areas, tuple(names)),
        "d-acting": acting_mark(tuple(view["to_act"])),
    }
    camels = fresh.camels
    for seat, name in enumerate(names):
        caravans = view["caravans"][seat]
        for colour in COLOURS:
            hexes = tuple(caravans[colour]) if colour in caravans else ()
            new = camels.intersection(hexes) if camels else camels
            parts[f"d-caravan-{seat}-{colour}"] = caravan(words, seat, colour, hexes, new, name)
        parts[f"d-seat-{seat}"] = seat_card(words, view, seat, name)
    parts["d-phase"] = phase_mark(for_leaders)
    parts |= spots(words, view["water"], view["oases"], view["players"] >= WHOLE_BOARD)
    parts["d-gains"] = gains(words, fresh.gains)
    return Board(
        frame(words, view["players"]),
        parts,
        choices,
        tuple(Pick(colour, words.step(colour, for_leaders)) for colour in choices),
        summary(words, view, names, shown_totals(view)),
        prompt(view["phase"], view["camels_left"], scene.say),
    )


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
            points.append((args.get("hex", hex), args.get("value", args.get("hexes", OASIS_POINTS))))
    return Fresh(frozenset(camels), tuple(points), frozenset(areas), frozenset(colours))


@lru_cache(maxsize=64)
def frame(words: Words, players: int) -> Markup:
    """Return what stays the same all game: the map, and slots for everything that lies on it."""
    is_whole = players >= WHOLE_BOARD
    caravans = [slot(f"d-caravan-{seat}-{colour}") for seat in range(players) for colour in COLOURS]
    return markup(
        '<div class="board desert {kind}"><div class="desert-grid">'
        '<div id="d-piles" class="piles" role="group" dir="ltr" aria-label="{piles_label}">{piles}</div>'
        '<div class="whole-map"><div class="zoom" role="group" aria-label="{zoom}">'
        '<button type="button" data-map="fit">{fit}</button><button type="button" data-map="near">{near}</button></div>'
        '<div class="map" dir="ltr" role="group" tabindex="0" data-follow=".piece.new" aria-label="{label}">'
        '<svg id="d-map" viewBox="{box}">{symbols}{scenery}'
        "<!--d-areas--><!--d-phase-->{spots}<!--d-water-->{caravans}<!--d-gains--></svg></div></div>"
        '<div class="players"><!--d-acting-->{seats}</div></div></div>',
        kind="whole" if is_whole else "part",
        piles_label=words.piles,
        piles=join(slot(f"d-pile-{colour}") for colour in COLOURS),
        zoom=words.zoom,
        fit=words.fit,
        near=words.near,
        label=words.map,
        box=view_box(crop(is_whole)),
        symbols=symbols(),
        scenery=scenery(is_whole),
        spots=join(slot(f"d-spots-{letter}") for letter in COLUMNS[is_whole]),
        caravans=join(caravans),
        seats=join(slot(f"d-seat-{seat}") for seat in range(players)),
    )


def slot(name: str) -> Markup:
    """Return the place of a part in the frame."""
    return markup("<!--{name}-->", name=name)


def icon(game_id: str) -> Markup:
    """Render the game's picture for the front page: a caravan before dunes at dusk."""
    camels = [standing_camel(*camel) for camel in (("mint", 34, 84), ("lemon", 74, 78), ("lilac", 114, 84))]
    return markup(
        '<svg class="icon desert-icon" viewBox="0 0 160 120" aria-hidden="true" data-game="{game}">'
        '<rect class="dusk" x="-160" width="480" height="120"/><circle class="sun" cx="112" cy="40" r="20"/>'
        '<path class="far" d="M-160 66C-110 44 -50 96 0 78C26 54 52 52 82 66C108 50 136 48 160 62'
        'C210 84 270 52 320 74V120H-160Z"/>'
        '<g class="palm" transform="translate(24 50) scale(1.5)">{palm}</g>'
        '<path class="near" d="M-160 96C-100 84 -50 108 0 92C34 80 62 84 92 92C118 98 140 92 160 88'
        'C210 80 270 102 320 90V120H-160Z"/>{camels}</svg>',
        game=game_id,
        palm=PALM,
        camels=join(camels),
    )
