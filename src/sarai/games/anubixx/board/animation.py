"""Anubixx as it happens: dice roll, others' marks and payments are pointed out, bonuses close, the end is counted."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.animation import Action, Beat, Place, count_table, facts, hide, move, panel, point, pop, put
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.core.markup import markup
from sarai.games.anubixx.board.words import words_of
from sarai.games.anubixx.scoring import BONUS_POINTS
from sarai.games.anubixx.state import COLOURS

LENGTHS = {
    "rolled": 1.0,
    "stone_marked": 0.6,
    "die_taken": 0.4,
    "quarry_stone_crossed_off": 0.4,
    "joker_used": 0.3,
    "building_completed": 0.6,
    "bonus_won": 0.7,
    "closed": 0.7,
    "counted": 3.0,
}
GROUPS = {
    "die_rolled": "rolled",
    "bonus_closed": "closed",
    "buildings_scored": "counted",
    "rest_scored": "counted",
}
BUILDINGS = {"p": "pyramid", "a": "arch", "k": "arch", "f": "relief"}  # by the first letter of a stone
COUNTED = ("pyramid", "arch", "relief", "bonuses", "quarry", "jokers")  # sources of points, as they are counted


def actions(beats: Sequence[Beat], before: Scene, after: Scene) -> list[list[list[Action]]]:
    """Return what to show of each beat."""
    table = Sheets(before)
    return [STEPS[beat.group](table, beat.events) for beat in beats]


class Sheets:
    """The sheets and dice while stones are marked, by what the events say."""

    def __init__(self, before: Scene) -> None:
        self.scene, self.view = before, before.view
        self.words = words_of(before.say)
        self.stones: dict[int, Place] = {}  # by seat: the stone that was marked last
        self.dice = list[str](before.view["dice"]["middle"])  # that are on the board

    def named(self, name: str, seat: int) -> str:
        """Return the id of a part of a player's sheet: the own is large."""
        return f"x-{name}" if seat == self.view["seat"] else f"x-{name}-{seat}"

    def roll(self, events: Sequence[Event]) -> list[list[Action]]:
        """Roll all dice."""
        rolled = sorted((facts(event)["colour"] for event in events), key=COLOURS.index)
        self.dice = []
        shown = [
            put(f"die-{at}", die(colour), ["x-dice", 17 + 92 * at, 4, 58, 58], turned=True)
            for at, colour in enumerate(rolled)
        ]
        return [[hide("x-dice"), *shown]]

    def mark(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out the stone that a player marks, on another player's small sheet the building."""
        args = facts(events[0])
        seat, stone = args["seat"], args["stone"]
        is_own = seat == self.view["seat"]
        place: Place = f"x-s-{stone.replace('.', '-')}" if is_own else f"x-{BUILDINGS[stone[0]]}-{seat}"
        self.stones[seat] = place
        return [[point(place) if is_own else point(place, f"x-seat-{seat}")]]

    def take_die(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send the die that pays to the stone."""
        args = facts(events[0])
        place = self.stones.get(args["seat"])
        if args["colour"] not in self.dice or place is None:
            return [[]]
        name = f"x-die-{args['colour']}-{self.dice.count(args['colour'])}"
        self.dice.remove(args["colour"])
        return [[move([name], place, gone=True)]]

    def cross_off(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out the quarry that pays."""
        return [[point(self.named("quarry", facts(events[0])["seat"]))]]

    def joker(self, events: Sequence[Event]) -> list[list[Action]]:
        """Show that a joker pays."""
        seat = facts(events[0])["seat"]
        place = self.named("quarry", seat)
        return [[point(place), pop(f"★ {self.words.change(-1)}", place)]]

    def complete(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out a building that is complete."""
        args = facts(events[0])
        place = self.named(args["building"], args["seat"])
        return [[point(place), pop("✓", place)]]

    def win_bonus(self, events: Sequence[Event]) -> list[list[Action]]:
        """Show who wins a bonus."""
        args = facts(events[0])
        head = "x-own" if args["seat"] == self.view["seat"] else f"x-head-{args['seat']}"
        bonus = f"x-bonus-{args['bonus']}"
        return [[point(bonus, head), pop("★", bonus), pop(self.words.change(BONUS_POINTS), head)]]

    def close(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out the bonuses that are closed now."""
        return [[point(*(f"x-bonus-{facts(event)['bonus']}" for event in events))]]

    def count(self, events: Sequence[Event]) -> list[list[Action]]:
        """Count the end, source by source."""
        scores: dict[int, dict[str, Any]] = {}
        for event in events:
            scores.setdefault(facts(event)["seat"], {}).update(facts(event))
        names = {
            source: self.words.sources[source]
            for source in COUNTED
            if all(source in score for score in scores.values())
        }
        shown = list(names)
        return [
            [panel(count_table(list(scores.values()), shown[: at + 1], names, self.scene))] for at in range(len(shown))
        ]


STEPS = {
    "rolled": Sheets.roll,
    "stone_marked": Sheets.mark,
    "die_taken": Sheets.take_die,
    "quarry_stone_crossed_off": Sheets.cross_off,
    "joker_used": Sheets.joker,
    "building_completed": Sheets.complete,
    "bonus_won": Sheets.win_bonus,
    "closed": Sheets.close,
    "counted": Sheets.count,
}


def die(colour: str) -> Markup:
    """Render a die that shows a colour and its letter."""
    return markup(
        '<svg viewBox="-29 -29 58 58"><g class="die {colour}">'
        '<rect class="x-face" x="-29" y="-29" width="58" height="58" rx="13"/>'
        '<rect class="shine" x="-22" y="-22" width="44" height="44" rx="16"/><text>{letter}</text></g></svg>',
        colour=colour,
        letter=colour[0].upper(),
    )
