"""A trick of 6 nimmt! as it happens: cards turn up, sort, go to their rows one by one, rows to those who take them."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from sarai.core.animation import Action, Beat, Place, PlayerRow, facts, hide, move, panel, player_table, point, pop, put
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.core.markup import markup
from sarai.core.messages import Say, signed
from sarai.core.messages import number as written
from sarai.games.sixnimmt.board.cards import HEIGHT, WIDTH, heads_on, picture
from sarai.games.sixnimmt.board.rows import BROAD, LANE, LEFT, PITCH, TOP, cost
from sarai.games.sixnimmt.state import ROWS

LENGTHS = {
    "drafted": 0.5,
    "turned_up": 1.1,
    "joined_row": 0.4,
    "took_full_row": 1.2,
    "took_row": 1.0,
    "round": 2.0,
}
GROUPS = {"turned_up": "turned_up", "round_over": "round", "round_score": "round"}
SMALL = 0.9  # of a card that waits below the rows, if there is room
GAP = 10
COST: Final = (LEFT + 6 * PITCH, 0, BROAD - LEFT - 6 * PITCH, LANE)  # where a row's cost stands: x, y, width, height


def actions(beats: Sequence[Beat], before: Scene, after: Scene) -> list[list[list[Action]]]:
    """Return what to show of each beat."""
    table = Rows(before)
    return [STEPS[beat.group](table, beat.events) for beat in beats]


class Rows:
    """The rows while cards go to them one by one, by what the events say."""

    def __init__(self, before: Scene) -> None:
        view = before.view
        self.scene, self.names, self.seat = before, before.names, view["seat"]
        self.rows: list[list[int]] = [list(cards) for cards in view["rows"]]
        self.lying: set[int] = set()  # cards of the trick that this show has turned up

    def place(self, row: int) -> Place:
        """Return the next place of a row, from 1."""
        return [f"row-{row}", LEFT + len(self.rows[row - 1]) * PITCH, TOP, WIDTH, HEIGHT]

    def turn_up(self, events: Sequence[Event]) -> list[list[Action]]:
        """Turn the cards up where their players are, then sort them, lowest first."""
        cards = sorted(events, key=lambda event: number(event, "card"))
        small = min(SMALL, (BROAD - GAP) / len(cards) / (WIDTH + GAP))
        width, step = WIDTH * small, (WIDTH + GAP) * small
        left = (BROAD - step * (len(cards) - 1) - width) / 2
        turned, sorted_out = list[Action](), list[Action]()
        for at, event in enumerate(cards):
            card, seat = number(event, "card"), number(event, "seat")
            self.lying.add(card)
            place = f"hand-{card}" if seat == self.seat else f"seat-{seat} .tally"
            turned += [
                hide(place if seat == self.seat else f"seat-{seat} .down"),
                put(f"card-{card}", named_card(card, self.names[seat], self.scene.say), place, turned=True),
            ]
            line: Place = ["middle", round(left + at * step), ROWS * LANE + 2, round(width), round(HEIGHT * small)]
            sorted_out.append(move([f"card-{card}"], line))
        return [turned, sorted_out]

    def join(self, events: Sequence[Event]) -> list[list[Action]]:
        """Lay a card at the end of its row, which is pointed out: on its way the card crosses others."""
        card, row = number(events[0], "card"), number(events[0], "row")
        step = [*self.lift(card), point(f"row-{row}"), move([f"card-{card}"], self.place(row))]
        self.rows[row - 1].append(card)
        return [[*step, *self.cost(row)]]

    def cost(self, row: int) -> list[Action]:
        """Say what a row costs now."""
        x, y, width, height = COST
        shown = markup(
            '<svg viewBox="{x} {y} {width} {height}"><g class="row">{cost}</g></svg>',
            x=x,
            y=y,
            width=width,
            height=height,
            cost=cost(heads_on(tuple(self.rows[row - 1])), self.scene.say),
        )
        return [hide(f"row-{row} > .cost"), put(f"cost-{row}", shown, [f"row-{row}", *COST])]

    def take(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send a row to the player who takes it, with its heads; the card that took it begins the row anew."""
        event = events[0]
        card, row, seat = number(event, "card"), number(event, "row"), number(event, "seat")
        taken, name = [f"card-{lying}" for lying in self.rows[row - 1]], f"card-{card}"
        first = [*self.lift(card)]
        if event.key == "took_full_row":
            first.append(move([name], self.place(row)))
        else:
            first.append(point(f"row-{row}"))
        gets = [
            move(taken, f"seat-{seat}", gone=True),
            pop(signed(number(event, "heads"), self.scene.say), f"seat-{seat}"),
        ]
        self.rows[row - 1] = [card]
        return [first, gets, [move([name], [f"row-{row}", LEFT, TOP, WIDTH, HEIGHT]), *self.cost(row)]]

    def lift(self, card: int) -> list[Action]:
        """Take a card that was turned up before this show from the trick, where it lies."""
        if card in self.lying:
            return []
        self.lying.add(card)
        return [put(f"card-{card}", picture(card, self.scene.say), f"turned-{card} .card")]

    def draft(self, events: Sequence[Event]) -> list[list[Action]]:
        """Send an open card to the player who takes it into hand."""
        card, seat = number(events[0], "card"), number(events[0], "seat")
        return [[move([f"open-{card}"], "hand" if seat == self.seat else f"seat-{seat}", gone=True)]]

    def count(self, events: Sequence[Event]) -> list[list[Action]]:
        """Show the heads of the round, the fewest first."""
        say = self.scene.say
        scores = [facts(event) for event in events if event.key == "round_score"]
        title = next((number(event, "round") for event in events if event.key == "round_over"), 0)
        rows = [
            PlayerRow(score["seat"], [signed(score["heads"], say), written(score["total"], say)])
            for score in sorted(scores, key=lambda score: (score["total"], score["seat"]))
        ]
        titles = [say("Player"), say("heads"), say("in all")]
        return [[panel(player_table(titles, rows, self.scene, say("Round {round}", round=title)))]]


STEPS = {
    "drafted": Rows.draft,
    "turned_up": Rows.turn_up,
    "joined_row": Rows.join,
    "took_full_row": Rows.take,
    "took_row": Rows.take,
    "round": Rows.count,
}


def number(event: Event, name: str) -> int:
    """Return an argument that is a number."""
    value = event.args[name]
    assert isinstance(value, int)
    return value


def named_card(card: int, name: str, say: Say) -> Markup:
    """Render a card with its player's name at the top, where neither the number nor the heads are."""
    return markup('{picture}<bdi class="show-tag">{name}</bdi>', picture=picture(card, say), name=name)
