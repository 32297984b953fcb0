"""Anubixx in words: moves and events."""

import re

from sarai.core.errors import BadText
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Array
from sarai.core.messages import Say
from sarai.core.result import CHANCE
from sarai.games.anubixx.building import BY_QUARRY, PAYMENTS
from sarai.games.anubixx.moves import why_not_paid
from sarai.games.anubixx.scoring import places_behind
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.stones import (
    COLOURS,
    LETTERS,
    PAIRS,
    QUARRY,
    RELIEF,
    RELIEF_FROM,
    SHEET_LETTERS,
    SINGLES,
    STONES,
)
from sarai.games.anubixx.table import DEALING, PAIRS_FROM, STOP

EVENTS = (
    EventSpec("sheet_dealt", ("seat", "sheet"), reveals=True),
    EventSpec("die_rolled", ("seat", "colour"), reveals=True),
    EventSpec("stone_marked", ("seat", "stone", "colour")),
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
    "stone_marked": "{seat} marks {stone}, which is {colour}.",
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
}

SUFFIXES = "dqj"  # die, quarry, joker; the die's is not written
SINGLE = re.compile(r"(p[1-5]\.[1-5]|a[lr][1-5]|key)([dqj]?)")
PAIR = re.compile(r"f([1-3]\.[1-4])([dqj]?)-f?([1-3]\.[1-4])([dqj]?)")


def parts_of(move: int) -> tuple[list[int], list[int]]:
    """Return the stones that a move marks, and how each is paid."""
    if move < PAIRS_FROM:
        return [move % SINGLES], [move // SINGLES]
    payments, pair = divmod(move - PAIRS_FROM, len(PAIRS))
    return [RELIEF_FROM + stone for stone in PAIRS[pair]], list(divmod(payments, PAYMENTS))


def colour_of(cell: Array, seat: int, stone: int) -> int:
    """Return the colour of a stone on a seat's sheet."""
    return SHEETS.sheets[int(cell["sheets"][0, seat]) - 1].colours[stone]


def write_move(cell: Array, move: int) -> str:
    """Write a sheet, a die, `stop`, or stones with a letter behind each that is not paid by a die."""
    if cell["actor"][0] == CHANCE:
        return SHEET_LETTERS[move] if cell["phase"][0] == DEALING else LETTERS[move]
    if move == STOP:
        return "stop"
    stones, payments = parts_of(move)
    return "-".join(
        STONES[stone] + SUFFIXES[payment].removeprefix("d") for stone, payment in zip(stones, payments, strict=True)
    ).replace("-f", "-")


def read_move(cell: Array, text: str) -> int:
    """Read a move; of two stones in one colour it does not matter which is paid how."""
    word = text.lower()
    if cell["actor"][0] == CHANCE:
        names = list(SHEET_LETTERS.lower()) if cell["phase"][0] == DEALING else list(LETTERS)
        if word in COLOURS and cell["phase"][0] != DEALING:
            return COLOURS.index(word)
        if word in names:
            return names.index(word)
    elif word == "stop":
        return STOP
    elif (single := SINGLE.fullmatch(word)) and single[1] in STONES:
        return SUFFIXES.index(single[2] or "d") * SINGLES + STONES.index(single[1])
    elif pair := PAIR.fullmatch(word):
        ends = sorted((RELIEF.index("f" + pair[i]), SUFFIXES.index(pair[i + 1] or "d")) for i in (1, 3))
        (first, payment), (second, other_payment) = ends
        if (first, second) in PAIRS:
            seat = int(cell["actor"][0])
            if seat >= 0 and colour_of(cell, seat, RELIEF_FROM + first) == colour_of(cell, seat, RELIEF_FROM + second):
                payment, other_payment = sorted((payment, other_payment))
            return PAIRS_FROM + (payment * PAYMENTS + other_payment) * len(PAIRS) + PAIRS.index((first, second))
    raise BadText("move_unreadable", text=text)


def words_for_move(cell: Array, move: int, say: Say) -> str:
    """Say a move in words."""
    if cell["actor"][0] == CHANCE:
        if cell["phase"][0] == DEALING:
            return say("deal sheet {sheet}").format(sheet=SHEET_LETTERS[move])
        return say("roll {colour}").format(colour=say(COLOURS[move]))
    if move == STOP:
        return say("stop") if cell["marked"][0] else say("mark nothing")
    seat = int(cell["actor"][0])
    stones, payments = parts_of(move)
    colours = [colour_of(cell, seat, stone) for stone in stones]
    hows = (
        say("{stone} ({colour}) with a die"),
        say("{stone} ({colour}) from the quarry"),
        say("{stone} ({colour}) with a joker"),
    )
    said = [
        hows[payment].format(stone=STONES[stone], colour=say(COLOURS[colour]))
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


def quarry_stones_skipped(cell: Array, seat: int, colours: list[int]) -> int:
    """Return how many quarry stones are lost when stones of the colours are crossed off (A-14, A-15)."""
    quarry, behind = (
        SHEETS.sheets[int(cell["sheets"][0, seat]) - 1].quarry,
        int(places_behind(int(cell["crossed"][0, seat]))),
    )
    places: list[int] = []
    for colour in colours:
        places += [place for place in range(behind, QUARRY) if quarry[place] == colour and place not in places][:1]
    return max(places) + 1 - behind - len(places) if places else 0


def facts(cell: Array, seat: int, move: int) -> dict[str, object]:
    """Name the stone that a move is refused for, and its colour."""
    stones, payments = parts_of(move)
    marks = int(cell["marks"][0, seat])
    marked = [stone for stone in stones if marks >> stone & 1]
    unpaid = [
        stone
        for stone, payment in zip(stones, payments, strict=True)
        if why_not_paid(cell[0], seat, colour_of(cell, seat, stone), payment, -1, -1)
    ]
    stone = (marked or unpaid or stones[-1:])[0]
    return {"stone": STONES[stone], "colour": COLOURS[colour_of(cell, seat, stone)]}
