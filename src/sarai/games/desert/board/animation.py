"""The desert as it happens: a camel comes from its pile, water and oases pay, areas fill, the end is counted."""

from collections.abc import Sequence

from sarai.core.animation import Action, Beat, Place, count_table, facts, move, panel, point, pop, put
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.core.markup import markup
from sarai.games.desert.board.hex_map import HEX_PATH, middle
from sarai.games.desert.board.pieces import camel, leader
from sarai.games.desert.board.players import SOURCES, is_open
from sarai.games.desert.board.words import words_of
from sarai.games.desert.state import OASIS_POINTS
from sarai.games.desert.terrain import BOARD, NUMBERS

LENGTHS = {
    "leader_placed": 0.5,
    "camel_placed": 0.5,
    "water_taken": 0.6,
    "oasis_linked": 0.7,
    "area_enclosed": 0.9,
    "largest_caravan": 0.4,
    "final_score": 2.6,
}
GROUPS = {"final_score": "final_score"}
PARTS = 4  # in which an area fills, at most


def actions(beats: Sequence[Beat], before: Scene, after: Scene) -> list[list[list[Action]]]:
    """Return what to show of each beat."""
    desert = Desert(before, after)
    return [STEPS[beat.group](desert, beat.events) for beat in beats]


def at_hex(hex: str) -> Place:
    """Return the place of a hex on the map."""
    x, y = middle(BOARD.places[NUMBERS[hex]])
    return ["d-water", round(x - 19), round(y - 20), 38, 36]


class Desert:
    """What the steps are told from: the pictures before and after."""

    def __init__(self, before: Scene, after: Scene) -> None:
        self.before, self.after = before, after
        self.words = words_of(before.say)
        self.filled: set[int] = set()  # seats whose new areas were shown

    def points(self, seat: int, points: int, place: Place | None = None) -> list[Action]:
        """Let points rise at a player, and where they were made, if the viewer is shown them."""
        if not is_open(self.after.view, seat):
            return []
        text = self.words.gain(points)
        return [pop(text, f"d-seat-{seat} .total"), *([pop(text, place)] if place is not None else [])]

    def camel(self, events: Sequence[Event]) -> list[list[Action]]:
        """Bring a camel from its pile to its hex."""
        args = facts(events[0])
        colour, picture = args["colour"], leader if events[0].key == "leader_placed" else camel
        shown = markup(
            '<svg viewBox="-19 -20 38 36"><g class="{colour} r{seat}">{picture}</g></svg>',
            colour=colour,
            seat=args["seat"],
            picture=picture(colour),
        )
        name = f"camel-{args['hex']}"
        return [[put(name, shown, f"d-pile-{colour}"), move([name], at_hex(args["hex"]))]]

    def water(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send a water token to the player who takes it."""
        args = facts(events[0])
        seat = args["seat"]
        gets = self.points(seat, args["value"]) if "value" in args else []
        token = f"d-water-{args['hex']}"
        sent = [move([token], f"d-seat-{seat} .total", gone=True)] if args["hex"] in self.before.view["water"] else []
        return [[point(at_hex(args["hex"])), *sent, *gets]]

    def oasis(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point an oasis out that a caravan reached."""
        args = facts(events[0])
        place = at_hex(args["hex"])
        return [[point(place), *self.points(args["seat"], OASIS_POINTS, place)]]

    def area(self, events: Sequence[Event]) -> list[list[Action]]:
        """Fill an area hex by hex."""
        args = facts(events[0])
        seat = args["seat"]
        had = set(self.before.view["enclosed"][seat])
        new = [hex for hex in self.after.view["enclosed"][seat] if hex not in had]
        gets = self.points(seat, args["hexes"]) if "hexes" in args else []
        if seat in self.filled or not new:
            return [gets]
        self.filled.add(seat)
        shade = markup(
            '<svg viewBox="-19 -20 38 36"><g class="area r{seat}"><path d="{path}"/></g></svg>',
            seat=seat,
            path=HEX_PATH,
        )
        size = -(-len(new) // PARTS)
        fill = [
            [put(f"area-{hex}", shade, at_hex(hex)) for hex in new[at : at + size]] for at in range(0, len(new), size)
        ]
        fill[-1] += gets
        return fill

    def largest(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point the largest caravan of a colour out."""
        args = facts(events[0])
        place = f"d-caravan-{args['seat']}-{args['colour']}"
        has_camels = args["colour"] in self.before.view["caravans"][args["seat"]]
        return [[*([point(place)] if has_camels else []), *self.points(args["seat"], args["points"])]]

    def count(self, events: Sequence[Event]) -> list[list[Action]]:
        """Count the end, source by source."""
        scores = [facts(event) for event in events]
        names = {source: self.words.sources[source] for source in SOURCES}
        shown = list(names)
        return [[panel(count_table(scores, shown[: at + 1], names, self.before))] for at in range(len(shown))]


STEPS = {
    "leader_placed": Desert.camel,
    "camel_placed": Desert.camel,
    "water_taken": Desert.water,
    "oasis_linked": Desert.oasis,
    "area_enclosed": Desert.area,
    "largest_caravan": Desert.largest,
    "final_score": Desert.count,
}
