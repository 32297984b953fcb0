"""Anubixx in words: what happened, moves, and what a refusal is about."""

from collections.abc import Sequence

from sarai.core.errors import register_contexts
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Say
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
        column = say("arch, left column, stone {place} from below"), say("arch, right column, stone {place} from below")
        named = column[stone[1] == "r"].format(place=stone[2:])
    else:
        row, place = stone[1:].split(".")
        building = say("pyramid, row {row} from below, stone {place}"), say("relief, row {row}, stone {place}")
        named = building[stone[0] == "f"].format(row=row, place=place)
    return say("{stone}, {symbol}").format(stone=named, symbol=say(SYMBOL_OF[stone])) if stone in SYMBOL_OF else named


EVENTS = (
    EventSpec("sheet_dealt", ("seat", "sheet"), reveals=True),
    EventSpec("die_rolled", ("seat", "colour"), reveals=True),
    EventSpec("stone_marked", ("seat", "stone", "colour"), said={"stone": stone_words}),
    EventSpec("die_taken", ("seat", "colour")),
    EventSpec("quarry_stone_crossed_off", ("seat", "colour", "place", "skipped")),
    EventSpec("joker_used", ("seat", "left")),
    EventSpec("building_completed", ("seat", "building")),
    EventSpec("bonus_won", ("seat", "bonus")),
    EventSpec("stopped", ("seat", "stones")),
    EventSpec("die_put_back", ("seat", "colour")),
    EventSpec("round_over", ("round",)),
    EventSpec("bonus_closed", ("bonus",)),
    EventSpec("buildings_scored", ("seat", "pyramid", "arch", "relief")),
    EventSpec("rest_scored", ("seat", "bonuses", "quarry", "jokers", "total")),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "sheet_dealt": "{seat} gets sheet {sheet}.",
    "die_rolled": "{seat} rolls {colour}.",
    "stone_marked": "{seat} marks a stone: {stone} ({colour}).",
    "die_taken": "{seat} takes a die: {colour}.",
    "quarry_stone_crossed_off": "{seat} crosses off the {colour} quarry stone at place {place}, skipping {skipped}.",
    "joker_used": "{seat} uses a joker; left: {left}.",
    "building_completed": "{seat} completes the {building}.",
    "bonus_won": "{seat} wins a bonus: {bonus}!",
    "stopped": "{seat} stops; stones marked in this turn: {stones}.",
    "die_put_back": "{seat} puts the {colour} die back.",
    "round_over": "Round {round} is over.",
    "bonus_closed": "The bonus {bonus} is closed.",
    "buildings_scored": "{seat} has {pyramid} for the pyramid, {arch} for the arch and {relief} for the relief.",
    "rest_scored": "{seat} has {bonuses} for bonuses, {quarry} for the quarry and {jokers} for jokers: {total} in all.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "sheet_dealt_you": "You get sheet {sheet}.",
    "die_rolled_you": "You roll {colour}.",
    "stone_marked_you": "You mark a stone: {stone} ({colour}).",
    "die_taken_you": "You take a die: {colour}.",
    "quarry_stone_crossed_off_you": "You cross off the {colour} quarry stone at place {place}, skipping {skipped}.",
    "joker_used_you": "You use a joker; left: {left}.",
    "building_completed_you": "You complete the {building}.",
    "bonus_won_you": "You win a bonus: {bonus}!",
    "stopped_you": "You stop; stones marked in this turn: {stones}.",
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


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words."""
    if cell["actor"][0] == CHANCE:
        if cell["phase"][0] == DEALING:
            return say("deal sheet {sheet}").format(sheet=SHEET_LETTERS[move])
        return say("roll {colour}").format(colour=say(COLOURS[move]))
    if move == STOP:
        return say("stop") if cell["marked"][0] else say("mark nothing")
    seat = int(cell["actor"][0])
    stones, payments = stones_and_payments(move)
    colours = [colour_of(cell, seat, stone) for stone in stones]
    hows = (
        say("{stone} ({colour}) with a die"),
        say("{stone} ({colour}) from the quarry"),
        say("{stone} ({colour}) with a joker"),
    )
    said = [
        hows[payment].format(stone=stone_words(STONES[stone], say), colour=say(COLOURS[colour]))
        for stone, colour, payment in zip(stones, colours, payments, strict=True)
    ]
    skipped = quarry_stones_skipped(
        cell, seat, [colour for colour, payment in zip(colours, payments, strict=True) if payment == BY_QUARRY]
    )
    words = (
        say("mark {stone}").format(stone=said[0])
        if len(said) == 1
        else say("mark {stone} and {other}").format(stone=said[0], other=said[1])
    )
    if skipped == 0:
        return words
    return words + (
        say(", skipping 1 quarry stone")
        if skipped == 1
        else say(", skipping {count} quarry stones").format(count=skipped)
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
