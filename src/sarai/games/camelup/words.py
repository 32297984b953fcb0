"""What a player of Camel Up is told, in an edition's words: events, moves, and the facts of a refusal."""

import re
from collections.abc import Mapping, Sequence

from sarai.core.errors import register_contexts
from sarai.core.events import EventSpec, TraceNames
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Argument, Notation, Said, Say, Series, Term, mark
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.camelup.edition import GREY_LETTER, PILES, Edition, edition_of
from sarai.games.camelup.notation import camel_of_outcome, number_of_outcome, side_of, space_of
from sarai.games.camelup.setup import has_partnerships
from sarai.games.camelup.state import (
    BET,
    ENDINGS,
    GREY_FACE,
    LOSE,
    PARTNER,
    PLACE,
    PYRAMID,
    RACING,
    ROLLING,
    TICKET_WORTH,
    TICKETS_PER_CAMEL,
    TILE,
    WIN,
)

# --- events ----------------------------------------------------------------------------------------------------------

EVENTS = (
    EventSpec("camel_set_up", ("camel", "space"), reveals=True),
    EventSpec("camel_stacked", ("camel", "space", "place"), reveals=True),
    EventSpec("crazy_camel_set_up", ("camel", "number", "space"), reveals=True),
    EventSpec("took_ticket", ("seat", "camel", "worth")),
    EventSpec("laid_tile", ("seat", "space", "side")),
    EventSpec("moved_tile", ("seat", "origin", "space", "side")),
    EventSpec("took_pyramid_ticket", ("seat",)),
    EventSpec("laid_card", ("seat", "pile", "camel"), secret=("camel",), contexts={"camel": "card"}),
    EventSpec("became_partners", ("seat", "partner")),
    EventSpec("die_came_out", ("camel", "number"), reveals=True, contexts={"camel": "die"}),
    EventSpec("grey_die_came_out", ("camel", "number"), reveals=True, contexts={"camel": "number"}),
    EventSpec("only_one_carries", ("camel",)),
    EventSpec("upper_one_moves", ("camel",)),
    EventSpec("unit_moved", ("camel", "unit", "origin", "space"), contexts={"unit": "camel"}),
    EventSpec("tile_paid", ("seat", "space", "total")),
    EventSpec("unit_sent_on", ("camel", "unit", "space"), contexts={"unit": "camel"}),
    EventSpec("unit_sent_back", ("camel", "unit", "space"), contexts={"unit": "camel"}),
    EventSpec("line_crossed", ("camel", "unit", "origin"), contexts={"unit": "camel"}),
    EventSpec("line_crossed_backwards", ("camel", "unit", "origin"), contexts={"unit": "camel"}),
    EventSpec("leg_over", ("leg", "first", "second"), contexts={"first": "camel", "second": "camel"}),
    EventSpec("leg_paid", ("seat", "bets", "pyramid", "shared", "change", "total")),
    EventSpec("leg_begins", ("seat", "leg")),
    EventSpec("race_over", ("first", "last"), contexts={"first": "camel", "last": "camel"}),
    EventSpec("card_shown", ("seat", "camel", "pile", "change", "total"), reveals=True),
    EventSpec("game_over", ("ending",)),
)
LEG_PAID_ALONE = mark("{seat}: {bets} for bets, {pyramid} for the pyramid; pounds now: {total}.")
LEG_PAID_WITH_PARTNERS = (
    "{seat}: {bets} for bets, {pyramid} for the pyramid, {shared} for the partner's best ticket; pounds now: {total}."
)
YOU_PAID_ALONE = mark("You: {bets} for bets, {pyramid} for the pyramid; pounds now: {total}.")
YOU_PAID_WITH_PARTNERS = (
    "You: {bets} for bets, {pyramid} for the pyramid, {shared} for your partner's best ticket; pounds now: {total}."
)
TERM = re.compile("TICKET|PYRAMID|TILE|CARD")  # stands for an edition's own name of the thing in
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
    "unit_moved": "{unit_count, plural, one {The {unit} camel goes from space {origin} to space {space}.} "
    "other {The {unit} camels go from space {origin} to space {space}.}}",
    "tile_paid": "The TILE on space {space} brings {seat} 1 pound, who now has {total}.",
    "unit_sent_on": "{unit_count, plural, one {The {unit} camel goes one space further, on top on space {space}.} "
    "other {The {unit} camels go one space further, on top on space {space}.}}",
    "unit_sent_back": "{unit_count, plural, one {The {unit} camel goes one space back, underneath on space {space}.} "
    "other {The {unit} camels go one space back, underneath on space {space}.}}",
    "line_crossed": "{unit_count, plural, one {The {unit} camel crosses the finish line, from space {origin}.} "
    "other {The {unit} camels cross the finish line, from space {origin}.}}",
    "line_crossed_backwards": "{unit_count, plural, "
    "one {The {unit} camel crosses the finish line backwards, from space {origin}.} "
    "other {The {unit} camels cross the finish line backwards, from space {origin}.}}",
    "leg_over": "Leg {leg} is over: the {first} camel leads, the {second} camel is second.",
    "leg_paid": LEG_PAID_ALONE,
    "leg_begins": "{seat} gets the start marker and begins leg {leg}.",
    "race_over": "The race is over: the {first} camel wins, the {last} camel loses.",
    "card_shown": "{seat} bet on the {camel} camel as overall {pile}: {change}; pounds now: {total}.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "took_ticket_you": "You bet on the {camel} camel and take its TICKET worth {worth}.",
    "laid_tile_you": "You lay a TILE on space {space}, {side} side up.",
    "moved_tile_you": "You move a TILE from space {origin} to space {space}, {side} side up.",
    "took_pyramid_ticket_you": "You take a PYRAMID.",
    "laid_card_you": "You lay the {camel} CARD on the pile for the overall {pile}.",
    "became_partners_you": "You and {partner} are partners in this leg.",
    "became_partners_with_you": "{seat} and you are partners in this leg.",
    "tile_paid_you": "The TILE on space {space} brings you 1 pound: you now have {total}.",
    "leg_paid_you": YOU_PAID_ALONE,
    "leg_begins_you": "You get the start marker and begin leg {leg}.",
    "card_shown_you": "You bet on the {camel} camel as overall {pile}: {change}; pounds now: {total}.",
}
GROUPED = dict.fromkeys(("camel_set_up", "camel_stacked", "crazy_camel_set_up"), "The camels are set up.")
CONCEALED: Mapping[tuple[str, Value], Mapping[str, str]] = {
    ("money", "hidden"): {
        "tile_paid": "The tile on space {space} brings {seat} money.",
        "leg_paid": "{seat} is paid for the leg.",
        "card_shown": "{seat} bet on the {camel} camel as overall {pile}.",
    }
}
CONCEALED_FIELDS: Mapping[tuple[str, Value], Sequence[str]] = {("money", "hidden"): ("pounds",)}


def sentences(edition: Edition) -> dict[str, str]:
    """Return an English sentence for every event key, in an edition's words; the second edition has partnerships."""
    terms = {
        "TICKET": edition.ticket,
        "PYRAMID": edition.pyramid_ticket,
        "TILE": edition.tile,
        "CARD": edition.card,
    }
    with_partners = {"leg_paid": LEG_PAID_WITH_PARTNERS, "leg_paid_you": YOU_PAID_WITH_PARTNERS}
    own = with_partners if edition.has_crazy_camels else {}
    return {key: TERM.sub(lambda term: terms[term[0]], sentence) for key, sentence in (SENTENCES | own).items()}


def sentences_without_partnerships(players: int, options: Mapping[str, Value]) -> dict[str, str]:
    """Return the sentences of the second edition that differ in a game without partnerships; none in one with them."""
    if has_partnerships(players, options):
        return {}
    return {"leg_paid": LEG_PAID_ALONE, "leg_paid_you": YOU_PAID_ALONE}


def trace_names(edition: Edition) -> TraceNames:
    """Return how numbers in a trace become an edition's words."""
    camels = dict.fromkeys(("camel", "first", "second", "last"), edition.camels)
    return TraceNames(
        names=camels | {"pile": PILES, "side": edition.sides, "ending": ENDINGS}, sets={"unit": edition.camels}
    )


register_contexts({"race_card_laid": "card"})


# --- moves -----------------------------------------------------------------------------------------------------------


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words."""
    s, edition = cell[0], edition_of(cell)
    if s["actor"] == CHANCE:
        return words_for_outcome(s["phase"] == ROLLING, edition, move, say)
    if move < TILE:
        return words_for_bet(cell, move - BET, say)
    if move < PYRAMID:
        return words_for_tile(s["actor"] >= 0 and s["tiles"][s["actor"]], edition, move, say)
    if move == PYRAMID:
        if edition.has_crazy_camels:
            return say("take a pyramid ticket and let a die come out")
        return say("take a pyramid tile and let a die come out")
    if move < PARTNER:
        return words_for_card(edition, move, say)
    return say("become the partner of the player in seat {seat}", seat=move - PARTNER)


def words_for_tile(laid: bool, edition: Edition, move: int, say: Say) -> str:
    """Say where a tile is laid, or moved to."""
    if edition.has_crazy_camels:
        message = (
            mark("move your spectator tile to space {space}, {side} side up")
            if laid
            else mark("lay your spectator tile on space {space}, {side} side up")
        )
    else:
        message = (
            mark("move your desert tile to space {space}, {side} side up")
            if laid
            else mark("lay your desert tile on space {space}, {side} side up")
        )
    return say(message, space=space_of(move), side=Term(edition.sides[side_of(move)], "side"))


def words_for_card(edition: Edition, move: int, say: Say) -> str:
    """Say which card is laid on which pile."""
    if edition.has_crazy_camels:
        message = (
            mark("lay your {camel} finish card for the overall winner")
            if move < LOSE
            else mark("lay your {camel} finish card for the overall loser")
        )
    else:
        message = (
            mark("lay your {camel} race card for the overall winner")
            if move < LOSE
            else mark("lay your {camel} race card for the overall loser")
        )
    return say(message, camel=Term(edition.camels[(move - WIN) % RACING], "card"))


def words_for_bet(cell: Cell, camel: int, say: Say) -> str:
    """Say a bet on a camel, with what its top ticket is worth."""
    s, edition = cell[0], edition_of(cell)
    term, taken = Term(edition.camels[camel], "camel"), int((s["tickets"][camel] != 0).sum())
    if taken == TICKETS_PER_CAMEL[s["edition"]]:
        message = (
            mark("bet on the {camel} camel for this leg: take its betting ticket which is gone")
            if edition.has_crazy_camels
            else mark("bet on the {camel} camel for this leg: take its betting tile which is gone")
        )
        return say(message, camel=term)
    message = (
        mark("bet on the {camel} camel for this leg: take its betting ticket worth {worth}")
        if edition.has_crazy_camels
        else mark("bet on the {camel} camel for this leg: take its betting tile worth {worth}")
    )
    return say(message, camel=term, worth=int(TICKET_WORTH[s["edition"], taken]))


def words_for_outcome(in_race: bool, edition: Edition, outcome: int, say: Say) -> str:
    """Say what chance brings."""
    if PLACE <= outcome < GREY_FACE:
        return say("place {place} from the bottom of the stack", place=outcome - PLACE + 1)
    camel, number = edition.camels[camel_of_outcome(outcome)], number_of_outcome(outcome)
    if outcome < PLACE:
        return say("the {camel} die shows {number}", camel=Term(camel, "die"), number=number)
    if in_race:
        return say("the grey die shows a {camel} {number}", camel=Term(camel, "number"), number=number)
    return say("the grey die shows {number} for the crazy {camel} camel", camel=Term(camel, "camel"), number=number)


# --- questions about a position, for its odds ------------------------------------------------------------------------


def camel_with_letter(edition: Edition, camel: str, say: Say, before: str = "") -> str:
    """Name a camel by its letter and its colour; `before` is a sign before the letter."""
    letter = Notation(before + edition.letters[edition.camels.index(camel)])
    return say("{letter} {camel}", letter=letter, camel=Term(camel, "camel"))


def camels_and_letters(edition: Edition, say: Say) -> str:
    """Say which letter is which camel."""
    named = Series([Said(camel_with_letter(edition, camel, say)) for camel in edition.camels])
    return say("Camels: {camels}. Begin again with 0.", camels=named)


def ask_for_camels(edition: Edition, missing: Sequence[str], say: Say) -> str:
    """Ask where the camels stand that were not named yet."""
    return say(
        "{n, plural, one {Where does {letters} stand, from the bottom, like {example}?} "
        "other {Where do {letters} stand, from the bottom, like {example}?}}",
        n=len(missing),
        letters=Notation(" ".join(missing)),
        example=Notation(f"3:{edition.letters[:2]}"),
    )


def questions(edition: Edition, say: Say) -> dict[str, str]:
    """Ask for what else odds need."""
    examples = {"plus": Notation("5+"), "minus": Notation("9-")}
    two_bets: dict[str, Argument] = {
        "example": Notation(f"{edition.letters[0]}2"),
        "camel": Term(edition.camels[0], "camel"),
    }
    if edition.has_crazy_camels:
        return {
            "dice": say(
                "Dice that are out in this leg, as letters, {grey} for the grey one (Enter: none):",
                grey=Notation(GREY_LETTER),
            ),
            "others": say(
                "Spectator tiles of others, {plus} for cheering, {minus} for booing (Enter: none):", **examples
            ),
            "own": say("Your own spectator tile (Enter: not on the track):"),
            "tickets": say("Betting tickets taken, {example} for two on the {camel} camel (Enter: none):", **two_bets),
        }
    return {
        "dice": say("Dice that are out in this leg, as letters (Enter: none):"),
        "others": say("Desert tiles of others, {plus} for oasis, {minus} for mirage (Enter: none):", **examples),
        "own": say("Your own desert tile (Enter: not on the track):"),
        "tickets": say("Betting tiles taken, {example} for two on the {camel} camel (Enter: none):", **two_bets),
    }


# --- refusals --------------------------------------------------------------------------------------------------------


def facts(cell: Cell, move: int, seat: int) -> dict[str, object]:
    """Name the camel, the space or the partner of a refused move."""
    if TILE <= move < PYRAMID:
        return {"space": space_of(move)}
    if move >= PARTNER:
        return {"partner": move - PARTNER}
    return {"camel": edition_of(cell).camels[(move - BET if move < TILE else move - WIN) % RACING]}
