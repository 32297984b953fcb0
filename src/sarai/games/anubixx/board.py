"""Anubixx on a page: the dice in the middle, the own sheet large, the others' small, the bonuses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sarai.core.board import Board, Pick, Scene
from sarai.games.anubixx.board_ask import ask
from sarai.games.anubixx.board_pieces import icon, picture, symbols
from sarai.games.anubixx.board_sheet import (
    COLOUR_OF,
    KEPT,
    PAIR_NAMES,
    Can,
    arch,
    points_line,
    pyramid,
    quarry,
    relief,
    sheet_head,
    small_sheet,
)
from sarai.games.anubixx.board_words import DIE, Words, isolated, words_of
from sarai.games.anubixx.stones import BONUSES, PAIRS, RELIEF, SINGLES, STONES
from sarai.games.anubixx.table import PAIRS_FROM, STOP

__all__ = ["ask", "draw", "icon"]

LETTERS = "dqj"  # die, quarry, joker: how a stone is paid, by number
SOURCES = ("pyramid", "arch", "relief", "bonuses", "quarry", "jokers")
WAYS = ("q", "j", "dq", "dj", "qd", "jd", "qq", "qj", "jq", "jj")  # payments that can be one of several
BUILDING = {"p": "pyramid", "a": "arch", "k": "arch", "f": "relief"}
NONE: frozenset[Any] = frozenset()


class Fresh(NamedTuple):
    """What just happened, as far as a drawing points it out."""

    stones: frozenset[tuple[int, str]] = NONE
    places: frozenset[tuple[int, int]] = NONE
    jokers: frozenset[int] = NONE
    bonuses: frozenset[str] = NONE
    rolled: bool = False


def draw(scene: Scene) -> Board:
    """Draw what a viewer sees of the table."""
    view, words, names = scene.view, words_of(scene.say), scene.names
    fresh = what_is_fresh(scene)
    ways = ways_of(scene.moves)
    choices = choices_of(ways, scene.moves)
    seat = view["seat"]
    parts = {
        "x-round": round_line(
            words, view["round"], view["idle_rounds"], view["ending"] if view["phase"] == "over" else ""
        )
    }
    parts["x-dice"] = dice(words, *dice_of(view), paid_by_dice(view, ways), fresh.rolled)
    parts["x-do"] = what_to_do(
        words,
        bool(scene.moves),
        view["marked_this_turn"] > 0,
        tuple(sorted({way for chosen in choices.values() for way in chosen})),
    )
    winners = tuple([tuple(entry["bonuses"]) for entry in view["seats"]])
    parts["x-bonuses"] = bonuses(words, winners, tuple(view["closed"]), letters_of(view), tuple(names), fresh.bonuses)
    for number in range(view["players"]):
        if number == seat:
            parts |= own_sheet(words, view, names[seat], ways, fresh)
        else:
            parts[f"x-seat-{number}"] = other_sheet(words, view, number, names[number], fresh)
    picks = tuple(Pick(name, pick_label(words, view, name)) for name in choices if name)
    return Board(frame(words, view["players"], seat), parts, choices, picks, summary(words, view, names))


# --- choices -------------------------------------------------------------------------------------------------------------------------


def ways_of(moves: Sequence[int]) -> dict[str, dict[str, int]]:
    """Return for each stone and relief pair that can be marked how it can be paid, a letter a stone, and the move that does it."""
    found: dict[str, dict[str, int]] = {}
    for move in moves:
        if move < PAIRS_FROM:
            payment, stone = divmod(move, SINGLES)
            found.setdefault(STONES[stone], {})[LETTERS[payment]] = move
        elif move != STOP:
            payments, pair = divmod(move - PAIRS_FROM, len(PAIRS))
            first, second = divmod(payments, len(LETTERS))
            found.setdefault(PAIR_NAMES[pair], {})[LETTERS[first] + LETTERS[second]] = move
    return found


def choices_of(ways: Mapping[str, Mapping[str, int]], moves: Sequence[int]) -> dict[str, dict[str, int]]:
    """Let a stone that is paid in one way be chosen at once, others first and then their payment."""
    found: dict[str, dict[str, int]] = {"": {"stop": STOP}} if STOP in moves else {}
    for name, how in ways.items():
        if len(how) == 1:
            found.setdefault("", {})[name] = next(iter(how.values()))
        else:
            found[name] = {f"pay-{way}": move for way, move in how.items()}
    return found


def pick_label(words: Words, view: Mapping[str, Any], name: str) -> str:
    """Name a stone or a pair whose payment is to be chosen."""
    colours = COLOUR_OF[view["seats"][view["seat"]]["sheet"]]
    if name in colours:
        return words.stone(name, colours[name])
    one, other = (RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
    return words.pair(words.stone(one, colours[one]), words.stone(other, colours[other]))


def what_is_fresh(scene: Scene) -> Fresh:
    """Read what just happened from the news."""
    if not scene.news:
        return Fresh()
    told: dict[str, set[Any]] = {
        "stone_marked": set(),
        "quarry_stone_crossed_off": set(),
        "joker_used": set(),
        "bonus_won": set(),
        "die_rolled": set(),
    }
    for event in scene.news:
        args = event.args
        if event.key in told:
            facts = {"stone_marked": "stone", "quarry_stone_crossed_off": "place"}
            told[event.key].add(
                (args["seat"], args[facts[event.key]])
                if event.key in facts
                else args["bonus"]
                if event.key == "bonus_won"
                else args["seat"]
            )
    stones, places, jokers, won, rolled = told.values()
    return Fresh(frozenset(stones), frozenset(places), frozenset(jokers), frozenset(won), bool(rolled))


# --- the frame -----------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def frame(words: Words, players: int, seat: int | None) -> str:
    """Return what stays the same all game: where everything has its place."""
    own = ""
    if seat is not None:
        buildings = "".join(
            f'<figure class="{name}"><figcaption>{words.buildings[name]}</figcaption><svg viewBox="{box}" role="group" aria-label="{words.buildings[name]}">'
            f"<!--x-{name}--></svg></figure>"
            for name, box in (("pyramid", "-4 -8 328 228"), ("arch", "-4 -8 172 272"), ("relief", "-4 -8 282 222"))
        )
        own = f'<section class="own"><!--x-own--><div class="buildings" dir="ltr">{buildings}<!--x-quarry--></div></section>'
    others = "".join(f"<!--x-seat-{number}-->" for number in range(players) if number != seat)
    return (
        f'<div class="board anubixx n{players}{" watched" if seat is None else ""}">{symbols()}<div class="anubixx-grid">'
        f'<div class="tray"><!--x-round--><svg class="dice" viewBox="0 0 470 92" role="group" aria-label="{words.dice}"><!--x-dice--></svg><!--x-do--></div>'
        f'{own}<!--x-bonuses--><div class="others">{others}</div></div></div>'
    )


def turn_words(words: Words, phase: str, ending: str, more: bool) -> str:
    """Return the sentence for a phase, with `{name}` in it where somebody is meant."""
    if phase == "build":
        return words.builds_more if more else words.builds
    return words.dealing if phase == "deal" else words.rolling if phase == "roll" else words.endings[ending]


@lru_cache(maxsize=KEPT)
def round_line(words: Words, round: int, idle: int, ending: str) -> str:
    """Say how far the game is, and why it ended."""
    quiet = f" <small>{words.idle.format(n=idle)}</small>" if idle and not ending else ""
    why = f" <small>{words.endings[ending]}</small>" if ending else ""
    return f'<p id="x-round" dir="auto" class="round"><b>{words.round.format(n=round)}</b>{quiet}{why}</p>'


# --- dice ----------------------------------------------------------------------------------------------------------------------------


def dice_of(view: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the dice in the middle, and those that are used."""
    return tuple(view["dice"]["middle"]), (*view["dice"]["gone"], *view["dice"]["taken"])


def paid_by_dice(view: Mapping[str, Any], ways: Mapping[str, Mapping[str, int]]) -> tuple[tuple[str, str, int], ...]:
    """Count what a die of each colour can pay: colour, building, stones or pairs."""
    if not ways:
        return ()
    colours = COLOUR_OF[view["seats"][view["seat"]]["sheet"]]
    found: Counter[tuple[str, str]] = Counter()
    for name, how in ways.items():
        ends = (name,) if name in colours else tuple(RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
        found.update(
            {(colours[end], BUILDING[end[0]]) for at, end in enumerate(ends) if any(way[at] == DIE for way in how)}
        )
    return tuple(
        sorted(
            ((colour, building, count) for (colour, building), count in found.items()),
            key=lambda row: SOURCES.index(row[1]),
        )
    )


@lru_cache(maxsize=KEPT)
def dice(
    words: Words, middle: tuple[str, ...], used: tuple[str, ...], pays: tuple[tuple[str, str, int], ...], rolled: bool
) -> str:
    """Draw the dice: those in the middle with what they can pay, and the used ones small."""
    seen: Counter[str] = Counter()
    drawn = []
    for slot, colour in enumerate(middle):
        seen[colour] += 1
        can = [(building, count) for of, building, count in pays if of == colour]
        below = "".join(
            f'<g class="pays" transform="translate({(at - (len(can) - 1) / 2) * 30:g} 46)"><use href="#x-i-{building}" transform="translate(-7 0) scale(.6)"/>'
            f'<text x="1">{count}</text></g>'
            for at, (building, count) in enumerate(can)
        )
        drawn.append(die(words, colour, seen[colour], f"translate({46 + 92 * slot} 33)", "1", rolled, below))
    for slot, colour in enumerate(used):
        seen[colour] += 1
        drawn.append(die(words, colour, seen[colour], f"translate({402 + 45 * slot} 33)", ".66", False, ""))
    label = f'<text class="where" x="{424 if len(used) > 1 else 402}" y="68">{words.used}</text>' if used else ""
    return f'<g id="x-dice">{"".join(drawn)}{label}</g>'


@lru_cache(maxsize=KEPT)
def die(words: Words, colour: str, number: int, where: str, scale: str, is_new: bool, below: str) -> str:
    """Draw a die that shows a colour and its letter."""
    kind = f"piece die {colour}{' used' if scale != '1' else ''}{' new' if is_new else ''}"
    return (
        f'<g class="{kind}" id="x-die-{colour}-{number}" transform="{where}"><title>{words.colours[colour]}</title>'
        f'<g class="tumble"><g transform="scale({scale})">'
        f'<rect class="x-face" x="-29" y="-29" width="58" height="58" rx="13"/><rect class="shine" x="-22" y="-22" width="44" height="44" rx="16"/>'
        f"<text>{colour[0].upper()}</text></g></g>{below}</g>"
    )


@lru_cache(maxsize=KEPT)
def what_to_do(words: Words, mine: bool, more: bool, ways: tuple[str, ...]) -> str:
    """Offer to stop, and the payments between which a pick leaves a choice."""
    if not mine:
        return '<div id="x-do" class="do"></div>'
    pays = []
    for way in WAYS:
        if f"pay-{way}" in ways:
            pictures = "".join(picture(how) for how in way)
            text = " + ".join(words.costs[how] for how in way)
            pays.append(
                f'<div class="spot pay" id="x-pay-{way}" data-spot="pay-{way}" role="button" aria-label="{words.paid(way)}">{pictures}<span>{text}</span></div>'
            )
    stop = words.stop if more else words.mark_nothing
    return (
        f'<div id="x-do" class="do"><div class="spot stop" id="x-stop" data-spot="stop" role="button" aria-label="{stop}">{stop}</div>'
        f'<div class="ways" role="group" aria-label="{words.pay}">{"".join(pays)}</div></div>'
    )


# --- bonuses and sheets --------------------------------------------------------------------------------------------------------------


def letters_of(view: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every seat's sheet, which is also its sign."""
    return tuple([entry["sheet"] or "" for entry in view["seats"]])


@lru_cache(maxsize=KEPT)
def bonuses(
    words: Words,
    won: tuple[tuple[str, ...], ...],
    closed: tuple[str, ...],
    letters: tuple[str, ...],
    names: tuple[str, ...],
    new: frozenset[str],
) -> str:
    """List the bonuses: open or closed, and who has them."""
    items = []
    for bonus in BONUSES:
        winners = [seat for seat, mine in enumerate(won) if bonus in mine]
        is_closed = bonus in closed
        said = f"{words.two if bonus == 'end' else words.symbols[bonus]}: {words.closed if is_closed else words.open}"
        said += (
            f", {words.won_by.format(names=', '.join(isolated(names[seat]) for seat in winners))}" if winners else ""
        )
        badges = "".join(f'<span class="letter">{letters[seat]}</span>' for seat in winners)
        kind = f"bonus{' closed' if is_closed else ''}{' won' if winners else ''}{' new' if bonus in new else ''}"
        items.append(
            f'<li class="{kind}" id="x-bonus-{bonus}" title="{said}">{picture(bonus, "art")}<span class="what">{words.symbols[bonus]}</span>'
            f'<span class="state">{badges or (words.closed if is_closed else words.open)}</span></li>'
        )
    return f'<ul id="x-bonuses" class="bonuses" aria-label="{words.bonuses}">{"".join(items)}</ul>'


def points_of(entry: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return a seat's points by their sources."""
    return tuple([(source, entry["points"][source]) for source in SOURCES])


def kind_of(view: Mapping[str, Any], seat: int) -> str:
    """Return the classes that say how a seat stands."""
    best = view["phase"] == "over" and view["seats"][seat]["points"]["total"] == max(
        entry["points"]["total"] for entry in view["seats"]
    )
    return f"{' acting' if seat in view['to_act'] else ''}{' active' if seat == view['active'] and view['phase'] != 'over' else ''}{' best' if best else ''}"


def own_sheet(
    words: Words, view: Mapping[str, Any], name: str, ways: Mapping[str, Mapping[str, int]], fresh: Fresh
) -> dict[str, str]:
    """Draw the viewer's own sheet."""
    seat = view["seat"]
    entry = view["seats"][seat]
    letter = entry["sheet"]
    parts = {
        "x-own": own_head(words, letter or "", name, kind_of(view, seat), points_of(entry), entry["points"]["total"])
    }
    if not letter:
        empty = {f"x-{building}": f'<g id="x-{building}"></g>' for building in ("pyramid", "arch", "relief")}
        return parts | empty | {"x-quarry": '<div id="x-quarry" class="quarry"></div>'}
    marked = frozenset(entry["marked"])
    new = frozenset([stone for of, stone in fresh.stones if of == seat]) if fresh.stones else NONE
    closed = frozenset(view["closed"]).difference(entry["bonuses"])
    able: dict[str, list[tuple[str, Can]]] = {"pyramid": [], "arch": [], "relief": []}
    for stone, how in ways.items():
        able[BUILDING[stone[0]]].append((stone, Can(tuple(how))))
    for building, draw_it in (("pyramid", pyramid), ("arch", arch), ("relief", relief)):
        parts[f"x-{building}"] = draw_it(words, letter, marked, tuple(able[building]), new, closed)
    places = tuple(sorted(place for of, place in fresh.places if of == seat))
    parts["x-quarry"] = quarry(
        words, letter, tuple(entry["crossed"]), entry["jokers"], view["players"], places, seat in fresh.jokers
    )
    return parts


@lru_cache(maxsize=KEPT)
def own_head(words: Words, letter: str, name: str, kind: str, points: tuple[tuple[str, int], ...], total: int) -> str:
    """Head the own sheet."""
    return f'<header id="x-own" class="head{kind}">{sheet_head(words, letter, name, total, words.your_sheet)}{points_line(words, points)}</header>'


def other_sheet(words: Words, view: Mapping[str, Any], seat: int, name: str, fresh: Fresh) -> str:
    """Draw another player's sheet small."""
    entry = view["seats"][seat]
    new = frozenset([stone for of, stone in fresh.stones if of == seat]) if fresh.stones else NONE
    kind, points = kind_of(view, seat), points_of(entry)
    return card(
        words,
        seat,
        name,
        kind,
        entry["sheet"] or "",
        frozenset(entry["marked"]),
        tuple(entry["crossed"]),
        entry["jokers"],
        points,
        entry["points"]["total"],
        new,
    )


@lru_cache(maxsize=KEPT)
def card(
    words: Words,
    seat: int,
    name: str,
    kind: str,
    letter: str,
    marked: frozenset[str],
    crossed: tuple[int, ...],
    jokers: int,
    points: tuple[tuple[str, int], ...],
    total: int,
    new: frozenset[str],
) -> str:
    """Write another player's card."""
    drawn = small_sheet(words, letter, marked, crossed, jokers, new) if letter else ""
    head = sheet_head(words, letter, name, total, "")
    return f'<section id="x-seat-{seat}" class="rival{kind}">{head}{drawn}{points_line(words, points)}</section>'


def summary(words: Words, view: Mapping[str, Any], names: Sequence[str]) -> str:
    """Say the position in a few sentences."""
    name = names[view["actor"]] if view["actor"] >= 0 else names[view["active"]]
    said = [
        words.round.format(n=view["round"]) + ":",
        turn_words(words, view["phase"], view["ending"], view["marked_this_turn"] > 0).format(name=isolated(name)),
    ]
    if view["phase"] == "build":
        said.append(
            words.in_middle.format(
                dice=", ".join([words.colours[colour] for colour in view["dice"]["middle"]]) or words.none
            )
        )
    said += [
        words.has.format(name=isolated(name), n=entry["points"]["total"])
        for name, entry in zip(names, view["seats"], strict=True)
    ]
    return " ".join(said)
