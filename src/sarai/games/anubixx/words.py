"""Anubixx in words: what happened, moves, and what a refusal is about."""

from collections.abc import Sequence

from sarai.core.errors import register_contexts
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Choice, Notation, Said, Say, Term, mark
from sarai.core.result import CHANCE
from sarai.games.anubixx.legal_moves import why_not_paid
from sarai.games.anubixx.notation import colour_of, stones_and_payments
from sarai.games.anubixx.quarry import places_behind
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import BY_QUARRY, COLOURS, DEALING, QUARRY, SHEET_LETTERS, STONES, STOP

SYMBOL_OF = {STONES[stone]: symbol for symbol, stones in SHEETS.symbols.items() for stone in stones}


def stone_words(stone: str, say: Say) -> str:
    """Name a stone by where its sheet shows it, and by its symbol."""
    if stone == "key":
        return say("arch, keystone")
    if stone[0] == "a":
        is_left, place = stone[1] == "l", int(stone[2:])
        named = (
            say("arch, left column, stone {place} from below", place=place)
            if is_left
            else say("arch, right column, stone {place} from below", place=place)
        )
    else:
        row, place = map(int, stone[1:].split("."))
        named = (
            say("pyramid, row {row} from below, stone {place}", row=row, place=place)
            if stone[0] == "p"
            else say("relief, row {row}, stone {place}", row=row, place=place)
        )
    if stone not in SYMBOL_OF:
        return named
    return say("{stone}, {symbol}", stone=Said(named), symbol=Term(SYMBOL_OF[stone], "bonus"))


OF_A_DIE, OF_A_STONE = {"colour": "die"}, {"colour": "stone"}  # what a colour describes in a sentence
EVENTS = (
    EventSpec("sheet_dealt", ("seat", "sheet"), reveals=True),
    EventSpec("die_rolled", ("seat", "colour"), reveals=True, contexts=OF_A_DIE),
    EventSpec("stone_marked", ("seat", "stone", "colour"), contexts=OF_A_STONE, said={"stone": stone_words}),
    EventSpec("die_taken", ("seat", "colour"), contexts=OF_A_DIE),
    EventSpec("quarry_stone_crossed_off", ("seat", "colour", "place", "skipped"), contexts=OF_A_STONE),
    EventSpec("joker_used", ("seat", "left")),
    EventSpec("building_completed", ("seat", "building")),
    EventSpec("bonus_won", ("seat", "bonus")),
    EventSpec("stopped", ("seat", "stones")),
    EventSpec("die_put_back", ("seat", "colour"), contexts=OF_A_DIE),
    EventSpec("round_over", ("round",)),
    EventSpec("bonus_closed", ("bonus",)),
    EventSpec("buildings_scored", ("seat", "pyramid", "arch", "relief")),
    EventSpec("rest_scored", ("seat", "bonuses", "quarry", "jokers", "total")),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "sheet_dealt": "{seat} gets sheet {sheet}.",
    "die_rolled": "{seat} rolls {colour}.",
    "stone_marked": "{seat} marks {colour}: {stone}.",
    "die_taken": "{seat} takes a die: {colour}.",
    "quarry_stone_crossed_off": "{skipped, plural, "
    "=0 {{seat} crosses off the {colour} quarry stone at place {place}.} "
    "one {{seat} crosses off the {colour} quarry stone at place {place}, skipping # stone.} "
    "other {{seat} crosses off the {colour} quarry stone at place {place}, skipping # stones.}}",
    "joker_used": "{seat} uses a joker; left: {left}.",
    "building_completed": "{seat} completes the {building}.",
    "bonus_won": "{seat} wins a bonus: {bonus}!",
    "stopped": "{stones, plural, =0 {{seat} marks nothing.} "
    "one {{seat} stops after one stone.} other {{seat} stops after # stones.}}",
    "die_put_back": "{seat} puts the {colour} die back.",
    "round_over": "Round {round} is over.",
    "bonus_closed": "The bonus {bonus} is closed.",
    "buildings_scored": "{seat} has {pyramid} for the pyramid, {arch} for the arch and {relief} for the relief.",
    "rest_scored": "{seat} has {bonuses} for bonuses, {quarry} for the quarry and {jokers} for jokers: {total} in all.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "sheet_dealt_you": "You get sheet {sheet}.",
    "die_rolled_you": "You roll {colour}.",
    "stone_marked_you": "You mark {colour}: {stone}.",
    "die_taken_you": "You take a die: {colour}.",
    "quarry_stone_crossed_off_you": "{skipped, plural, "
    "=0 {You cross off the {colour} quarry stone at place {place}.} "
    "one {You cross off the {colour} quarry stone at place {place}, skipping # stone.} "
    "other {You cross off the {colour} quarry stone at place {place}, skipping # stones.}}",
    "joker_used_you": "You use a joker; left: {left}.",
    "building_completed_you": "You complete the {building}.",
    "bonus_won_you": "You win a bonus: {bonus}!",
    "stopped_you": "{stones, plural, =0 {You mark nothing.} "
    "one {You stop after one stone.} other {You stop after # stones.}}",
    "die_put_back_you": "You put the {colour} die back.",
    "buildings_scored_you": "You have {pyramid} for the pyramid, {arch} for the arch and {relief} for the relief.",
    "rest_scored_you": "You have {bonuses} for bonuses, {quarry} for the quarry "
    "and {jokers} for jokers: {total} in all.",
}
# One sentence for a run of events that a board shows better.
GROUPED = {"sheet_dealt": "The sheets are dealt.", "die_rolled": "The dice are rolled."}


register_contexts(
    {
        "die_must_be_used": "die",
        "no_such_die": "die",
        "no_such_quarry_stone": "stone",
        "alike_stones_other_way_round": "stones",
    }
)

PAYMENTS = (Choice("die"), Choice("quarry"), Choice("joker"))  # in the order of the moves
MARK_ONE = mark("mark {stone} ({colour}) {how, select, die {with a die} quarry {from the quarry} other {with a joker}}")
MARK_ONE_SKIPPING = mark(
    "mark {stone} ({colour}) from the quarry, skipping {skipped, plural, one {# quarry stone} other {# quarry stones}}"
)
MARK_TWO = mark(
    "mark {stone} ({colour}) {how, select, die {with a die} quarry {from the quarry} other {with a joker}} "
    "and {stone2} ({colour2}) {how2, select, die {with a die} quarry {from the quarry} other {with a joker}}"
)
MARK_TWO_SKIPPING = mark(
    "mark {stone} ({colour}) {how, select, die {with a die} quarry {from the quarry} other {with a joker}} "
    "and {stone2} ({colour2}) {how2, select, die {with a die} quarry {from the quarry} other {with a joker}}, "
    "skipping {skipped, plural, one {# quarry stone} other {# quarry stones}}"
)


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words."""
    if cell["actor"][0] == CHANCE:
        if cell["phase"][0] == DEALING:
            return say("deal sheet {sheet}", sheet=Notation(SHEET_LETTERS[move]))
        return say("roll {colour}", colour=Term(COLOURS[move], "die"))
    if move == STOP:
        return say("stop") if cell["marked"][0] else say("mark nothing")
    seat = int(cell["actor"][0])
    stones, payments = stones_and_payments(move)
    colours = [colour_of(cell, seat, stone) for stone in stones]
    quarried = [colour for colour, payment in zip(colours, payments, strict=True) if payment == BY_QUARRY]
    skipped = quarry_stones_skipped(cell, seat, quarried)
    names = [Said(stone_words(STONES[stone], say)) for stone in stones]
    terms = [Term(COLOURS[colour], "stone") for colour in colours]
    hows = [PAYMENTS[payment] for payment in payments]
    if len(stones) == 1:
        message = MARK_ONE_SKIPPING if skipped else MARK_ONE
        return say(message, stone=names[0], colour=terms[0], how=hows[0], skipped=skipped)
    return say(
        MARK_TWO_SKIPPING if skipped else MARK_TWO,
        stone=names[0],
        colour=terms[0],
        how=hows[0],
        stone2=names[1],
        colour2=terms[1],
        how2=hows[1],
        skipped=skipped,
    )


def quarry_stones_skipped(cell: Cell, seat: int, colours: list[int]) -> int:
    """Return how many quarry stones are lost when stones of the colours are crossed off (A-14, A-15)."""
    quarry = SHEETS.sheets[int(cell["sheets"][0, seat]) - 1].quarry
    return stones_skipped(quarry, int(places_behind(int(cell["crossed"][0, seat]))), colours)


def stones_skipped(quarry: Sequence[object], behind: int, colours: Sequence[object]) -> int:
    """Return how many stones of a quarry's row are lost when the next ones of the colours are crossed off."""
    places: list[int] = []
    for colour in colours:
        places += [place for place in range(behind, QUARRY) if quarry[place] == colour and place not in places][:1]
    return max(places) + 1 - behind - len(places) if places else 0


def facts(cell: Cell, move: int, seat: int) -> dict[str, object]:
    """Name the stone that a move is refused for, and its colour."""
    stones, payments = stones_and_payments(move)
    marks = int(cell["marks"][0, seat])
    marked = [stone for stone in stones if marks >> stone & 1]
    unpaid = [
        stone
        for stone, payment in zip(stones, payments, strict=True)
        if why_not_paid(cell[0], seat, colour_of(cell, seat, stone), payment, -1, -1)
    ]
    stone = (marked or unpaid or stones[-1:])[0]
    return {"stone": STONES[stone], "colour": COLOURS[colour_of(cell, seat, stone)]}
