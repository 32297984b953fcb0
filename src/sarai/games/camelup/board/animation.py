"""Camel Up as it happens: a die comes out, camels walk, tiles send them on, legs pay, race cards turn up one by one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.animation import Action, Beat, Place, PlayerRow, facts, hide, move, panel, player_table, point, pop, put
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.core.markup import join, markup
from sarai.games.camelup.board.panels import held_ticket, letter_of
from sarai.games.camelup.board.pieces import die, laid_card, tile
from sarai.games.camelup.board.track import SIDE, STEP, ground, lift, looks_right, walks
from sarai.games.camelup.board.words import words_of
from sarai.games.camelup.edition import GREY_DIE, PILES, edition_number
from sarai.games.camelup.state import RACING

LENGTHS = {
    "took_ticket": 0.5,
    "laid_tile": 0.7,
    "moved_tile": 0.7,
    "laid_card": 0.7,
    "laid_card_hidden": 0.7,
    "die_came_out": 0.8,
    "grey_die_came_out": 0.8,
    "unit_moved": 0.9,
    "tile_paid": 0.5,
    "unit_sent_on": 0.4,
    "unit_sent_back": 0.4,
    "line_crossed": 0.9,
    "line_crossed_backwards": 0.9,
    "leg_over": 0.6,
    "leg_paid": 2.0,
    "race_over": 0.6,
    "card_shown": 0.5,
}
GROUPS = {"leg_paid": "leg_paid"}
HALF, MIDDLE = 27, 7  # a camel's middle above the ground, and before its feet
SIZE = 46  # of a die


def actions(beats: Sequence[Beat], before: Scene, after: Scene) -> list[list[list[Action]]]:
    """Return what to show of each beat."""
    race = Race(before)
    return [STEPS[beat.group](race, beat.events) for beat in beats]


class Race:
    """The camels while they walk, by what the events say, and the cards that were turned up."""

    def __init__(self, before: Scene) -> None:
        self.scene, self.view, self.say = before, before.view, before.say
        self.edition = edition_number(before.view["tickets"])
        self.words = words_of(self.edition, before.say)
        self.stacks: dict[int, list[str]] = {stack["space"]: list(stack["camels"]) for stack in self.view["camels"]}
        self.turned_up = dict.fromkeys(PILES, 0)

    def ticket(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send a betting ticket to its player."""
        args = facts(events[0])
        name = f"ticket-{args['camel']}"
        shown = put(name, held_ticket(args["camel"], args["worth"], self.words), f"tent-{args['camel']}")
        return [[shown, move([name], f"seat-{args['seat']}", gone=True)]]

    def lay_tile(self, events: Sequence[Event]) -> list[list[Action]]:
        """Bring a tile from its player, or from where it lay, to its space."""
        args = facts(events[0])
        seat, side = args["seat"], self.words.sides.index(args["side"])
        picture = markup(
            '<svg viewBox="-48 -34 96 68">{tile}</svg>',
            tile=tile(self.edition, side, self.words.change(-1 if side else 1)),
        )
        if "origin" in args:
            shown = [hide(f"tile-{seat}"), put("tile", picture, at_space(args["origin"]))]
        else:
            home = f"side-{side}" if seat == self.view["seat"] else f"seat-{seat} .has-plank"
            shown = [put("tile", picture, home)]
        return [[*shown, move(["tile"], at_space(args["space"]))]]

    def lay_card(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send a race card to its pile: the own from the hand, another player's face down."""
        args = facts(events[0])
        pile = f"pile-{args['pile']}"
        if args["seat"] == self.view["seat"]:
            return [[move([f"card-{args['camel']}"], pile, gone=True), point(pile)]]
        shown = put("card", laid_card(self.words.number(args["seat"] + 1), "", ""), f"seat-{args['seat']} .has-card")
        return [[shown, move(["card"], pile), point(pile)]]

    def die(self, events: Sequence[Event]) -> list[list[Action]]:
        """Let a die come out of the pyramid and go to its place."""
        args = facts(events[0])
        name = GREY_DIE if events[0].key.startswith("grey") else args["camel"]
        picture = markup(
            '<svg class="die coat-{coat}" viewBox="0 0 46 46">{die}</svg>',
            coat=args["camel"],
            die=die(args["camel"], letter_of(args["camel"], self.words), self.words.number(args["number"])),
        )
        large: Place = ["court", round(SIDE / 2 - SIZE), 200, 2 * SIZE, 2 * SIZE]
        at, count = self.words.dice.index(name), len(self.words.dice)
        home: Place = ["court", round(SIDE / 2 - count * 28 + at * 56 + 5), 360, SIZE, SIZE]
        return [[put("die", picture, large, turned=True)], [move(["die"], home)]]

    def walk(self, events: Sequence[Event]) -> list[list[Action]]:
        """Let a unit walk space by space and land on top of who stands there, or underneath."""
        event = events[0]
        unit = facts(event)["unit"]
        passed = walks([event])[unit[0]]
        origin = next(space for space, stack in self.stacks.items() if unit[0] in stack)
        walkers = [camel for camel in self.stacks[origin] if camel in unit]  # from the bottom
        self.stacks[origin] = [camel for camel in self.stacks[origin] if camel not in unit]
        waiting = self.stacks.setdefault(passed[-1], [])
        self.stacks[passed[-1]] = walkers + waiting if event.key == "unit_sent_back" else waiting + walkers
        step = []
        for rider, camel in enumerate(walkers):
            way = [self.place(camel, space, rider * STEP) for space in passed[:-1]]
            step.append(move([f"camel-{camel}"], *way, self.standing(camel, passed[-1])))
        if event.key == "unit_sent_back":
            step += [move([f"camel-{camel}"], self.standing(camel, passed[-1])) for camel in waiting]
        return [step]

    def standing(self, camel: str, space: int) -> Place:
        """Return where a camel stands in its stack."""
        stack = self.stacks[space]
        return self.place(camel, space, stack.index(camel) * lift(len(stack)))

    def place(self, camel: str, space: int, height: float) -> Place:
        """Return a camel's middle on a space."""
        x, y = ground(space, height)
        is_crazy = self.words.order.index(camel) >= RACING
        return ["camels", round(x + MIDDLE if looks_right(space) != is_crazy else x - MIDDLE), round(y - HALF)]

    def tile(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point a tile out that pays its owner."""
        args = facts(events[0])
        paid = [pop(self.words.change(1), f"seat-{args['seat']} .purse")] if "total" in args else []
        return [[point(f"tile-{args['seat']}"), *paid]]

    def leg(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out who leads, and who is second."""
        args = facts(events[0])
        return [[point(f"camel-{args['first']}", f"camel-{args['second']}")]]

    def pay(self, events: Sequence[Event]) -> list[list[Action]]:
        """Pay a leg: coins to each player, then a table of who got what for what."""
        paid = [facts(event) for event in events]
        coins = [
            pop(self.words.change(args["change"]), f"seat-{args['seat']} .purse") for args in paid if "change" in args
        ]
        return [coins, [panel(self.leg_table(paid))]] if coins else [[]]

    def leg_table(self, paid: Sequence[Mapping[str, Any]]) -> Markup:
        """Render what a leg paid each player, with the tickets it was paid for; what is hidden is left out."""
        say, shared = self.say, any(args.get("shared") for args in paid)
        titles = [say("Player"), say("tickets"), say("bets"), say("pyramid"), *([say("partner")] if shared else [])]
        change, sources = self.words.change, ("bets", "pyramid", *(("shared",) if shared else ()))
        rows = [
            PlayerRow(
                args["seat"],
                [
                    markup('<span class="things">{tickets}</span>', tickets=join(self.tickets(args["seat"]))),
                    *(
                        [*(change(args[source]) for source in sources), self.words.number(args["total"])]
                        if "total" in args
                        else ["?"] * (len(sources) + 1)
                    ),
                ],
            )
            for args in paid
        ]
        title = self.words.leg(self.view["leg"])
        return player_table([*titles, say("pounds")], rows, self.scene, title)

    def tickets(self, seat: int) -> Iterator[Markup]:
        """Render the betting tickets of a player."""
        for camel, stack in self.view["tickets"].items():
            for each in stack:
                if each["owner"] == seat:
                    yield held_ticket(camel, each["worth"], self.words)

    def race(self, events: Sequence[Event]) -> list[list[Action]]:
        """Point out who won the race, and who lost it."""
        args = facts(events[0])
        return [[point(f"camel-{args['first']}", f"camel-{args['last']}")]]

    def card(self, events: Sequence[Event]) -> list[list[Action]]:
        """Turn up the next race card of a pile."""
        args = facts(events[0])
        pile, at = args["pile"], self.turned_up[args["pile"]]
        self.turned_up[pile] += 1
        slot = f"{pile}-{at}"
        face = laid_card(self.words.number(args["seat"] + 1), args["camel"], letter_of(args["camel"], self.words))
        paid = [pop(self.words.change(args["change"]), f"seat-{args['seat']} .purse")] if "change" in args else []
        return [[hide(slot), put(f"face-{slot}", face, slot, turned=True), *paid]]


STEPS = {
    "took_ticket": Race.ticket,
    "laid_tile": Race.lay_tile,
    "moved_tile": Race.lay_tile,
    "laid_card": Race.lay_card,
    "laid_card_hidden": Race.lay_card,
    "die_came_out": Race.die,
    "grey_die_came_out": Race.die,
    "unit_moved": Race.walk,
    "tile_paid": Race.tile,
    "unit_sent_on": Race.walk,
    "unit_sent_back": Race.walk,
    "line_crossed": Race.walk,
    "line_crossed_backwards": Race.walk,
    "leg_over": Race.leg,
    "leg_paid": Race.pay,
    "race_over": Race.race,
    "card_shown": Race.card,
}


def at_space(space: int) -> Place:
    """Return where a tile lies on a space."""
    x, y = ground(space)
    return ["camels", round(x - 48), round(y - 40 - 34), 96, 68]
