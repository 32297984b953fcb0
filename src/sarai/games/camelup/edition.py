"""What the two boxes call things, and what a player is told: an edition's words."""

from dataclasses import dataclass

from sarai.core.events import EventSpec, TraceNames
from sarai.core.messages import mark
from sarai.games.camelup.table import ENDINGS

PILES = ("winner", "loser")
GREY_DIE = "grey"
GREY_LETTER = "x"


@dataclass(frozen=True)
class Edition:
    """An edition's camels (the crazy ones last), their letters, and its words for what both boxes hold."""

    camels: tuple[str, ...]
    letters: str
    sides: tuple[str, str]
    ticket: str
    pyramid_ticket: str
    tile: str
    card: str

    @property
    def dice(self) -> tuple[str, ...]:
        """The dice by their colours: one per racing camel, and the grey one where there are crazy camels."""
        return self.camels[:5] + (GREY_DIE,) * (len(self.camels) > 5)

    @property
    def dice_letters(self) -> str:
        """A letter per die."""
        return self.letters[:5] + GREY_LETTER * (len(self.camels) > 5)

    @property
    def trace_names(self) -> TraceNames:
        """How numbers in a trace become words."""
        camels = dict.fromkeys(("camel", "first", "second", "last"), self.camels)
        return TraceNames(
            names=camels | {"pile": PILES, "side": self.sides, "ending": ENDINGS}, sets={"unit": self.camels}
        )

    @property
    def sentences(self) -> dict[str, str]:
        """An English sentence for every event key, in this edition's words."""
        shared = ", {shared} for the partner's best ticket" if len(self.camels) > 5 else ""
        terms = {
            "TICKET": self.ticket,
            "PYRAMID": self.pyramid_ticket,
            "TILE": self.tile,
            "CARD": self.card,
            "SHARED": shared,
        }
        spoken = {}
        for key, sentence in SENTENCES.items():
            for term, word in terms.items():
                sentence = sentence.replace(term, word)
            spoken[key] = sentence
        return spoken


EDITIONS = (
    Edition(
        ("blue", "green", "orange", "yellow", "white"),
        "bgoyw",
        ("oasis", "mirage"),
        mark("betting tile"),
        mark("pyramid tile"),
        mark("desert tile"),
        mark("race card"),
    ),
    Edition(
        ("blue", "yellow", "green", "red", "purple", "white", "black"),
        "bygrpWK",
        ("cheering", "booing"),
        mark("betting ticket"),
        mark("pyramid ticket"),
        mark("spectator tile"),
        mark("finish card"),
    ),
)

EVENTS = (
    EventSpec("camel_set_up", ("camel", "space"), reveals=True),
    EventSpec("camel_stacked", ("camel", "space", "place"), reveals=True),
    EventSpec("crazy_camel_set_up", ("camel", "number", "space"), reveals=True),
    EventSpec("took_ticket", ("seat", "camel", "worth")),
    EventSpec("laid_tile", ("seat", "space", "side")),
    EventSpec("moved_tile", ("seat", "origin", "space", "side")),
    EventSpec("took_pyramid_ticket", ("seat",)),
    EventSpec("laid_card", ("seat", "pile", "camel"), secret=("camel",)),
    EventSpec("became_partners", ("seat", "partner")),
    EventSpec("die_came_out", ("camel", "number"), reveals=True),
    EventSpec("grey_die_came_out", ("camel", "number"), reveals=True),
    EventSpec("only_one_carries", ("camel",)),
    EventSpec("upper_one_moves", ("camel",)),
    EventSpec("unit_moved", ("camel", "unit", "origin", "space")),
    EventSpec("tile_paid", ("seat", "space", "total")),
    EventSpec("unit_sent_on", ("camel", "unit", "space")),
    EventSpec("unit_sent_back", ("camel", "unit", "space")),
    EventSpec("line_crossed", ("camel", "unit", "origin")),
    EventSpec("line_crossed_backwards", ("camel", "unit", "origin")),
    EventSpec("leg_over", ("leg", "first", "second")),
    EventSpec("leg_paid", ("seat", "bets", "pyramid", "shared", "change", "total")),
    EventSpec("leg_begins", ("seat", "leg")),
    EventSpec("race_over", ("first", "last")),
    EventSpec("card_shown", ("seat", "camel", "pile", "change", "total"), reveals=True),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "camel_set_up": "The {camel} camel starts on space {space}.",
    "camel_stacked": "The {camel} camel takes place {place} from the bottom of the stack on space {space}.",
    "crazy_camel_set_up": "The grey die shows {number}: the crazy {camel} camel starts on space {space}.",
    "took_ticket": "{seat} bets on the {camel} camel and takes its TICKET worth {worth}.",
    "laid_tile": "{seat} lays a TILE on space {space}, {side} side up.",
    "moved_tile": "{seat} moves a TILE from space {origin} to space {space}, {side} side up.",
    "took_pyramid_ticket": "{seat} takes a PYRAMID.",
    "laid_card": "{seat} lays the {camel} CARD on the pile for the overall {pile}.",
    "laid_card_hidden": "{seat} lays a CARD on the pile for the overall {pile}.",
    "became_partners": "{seat} and {partner} are partners in this leg.",
    "die_came_out": "The {camel} die comes out and shows {number}.",
    "grey_die_came_out": "The grey die comes out and shows {camel} {number}.",
    "only_one_carries": "Only the crazy {camel} camel carries racing camels, so it moves.",
    "upper_one_moves": "The crazy {camel} camel sits on the other crazy one, so it moves.",
    "unit_moved": "From space {origin} to space {space}: {unit}.",
    "tile_paid": "The TILE on space {space} brings {seat} 1 pound; pounds now: {total}.",
    "unit_sent_on": "One space further, to space {space}, on top: {unit}.",
    "unit_sent_back": "One space back, to space {space}, underneath: {unit}.",
    "line_crossed": "Over the finish line from space {origin}: {unit}.",
    "line_crossed_backwards": "Backwards over the finish line from space {origin}: {unit}.",
    "leg_over": "Leg {leg} is over: the {first} camel leads, the {second} camel is second.",
    "leg_paid": "{seat}: {bets} for bets, {pyramid} for the pyramidSHARED; pounds now: {total}.",
    "leg_begins": "{seat} gets the start marker and begins leg {leg}.",
    "race_over": "The race is over: the {first} camel wins, the {last} camel loses.",
    "card_shown": "{seat} bet on the {camel} camel as overall {pile}: {change}; pounds now: {total}.",
    "game_over": "The game is over: {ending}.",
}
