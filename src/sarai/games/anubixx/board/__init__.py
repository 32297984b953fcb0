"""Anubixx on a page: the dice in the middle, the own sheet large, the others' small, the bonuses."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.board import Board, Scene
from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.dice import dice, what_to_do
from sarai.games.anubixx.board.duration_and_difficulty import about
from sarai.games.anubixx.board.explanations import explanations
from sarai.games.anubixx.board.pieces import SYMBOLS, symbols
from sarai.games.anubixx.board.players import Points, bonuses, card, card_slots, own_head
from sarai.games.anubixx.board.possible_moves import BUILDINGS, PossibleMoves, possible_moves
from sarai.games.anubixx.board.score_sheet import score_sheet
from sarai.games.anubixx.board.sheet import KEPT, Parts, arch, building_slots, no_stones, pyramid, quarry, relief
from sarai.games.anubixx.board.tap_to_moves import meaning_of
from sarai.games.anubixx.board.words import Words, prompt, words_of
from sarai.games.anubixx.state import ARCH, PYRAMID, PYRAMID_ROWS, RELIEF

__all__ = ["about", "explanations", "icon", "meaning_of", "render", "score_sheet"]

STONES_OF = {"pyramid": frozenset(PYRAMID), "arch": frozenset(ARCH), "relief": frozenset(RELIEF)}
SOURCES = (*BUILDINGS, "bonuses", "quarry", "jokers")
NONE: frozenset[Any] = frozenset()


class Fresh(NamedTuple):
    """What just happened, as far as a board points it out."""

    stones: frozenset[tuple[int, str]] = NONE
    places: frozenset[tuple[int, int]] = NONE
    jokers: frozenset[int] = NONE
    bonuses: frozenset[str] = NONE
    rolled: bool = False


def render(scene: Scene) -> Board:
    """Render what a viewer sees of the table."""
    view, words, names = scene.view, words_of(scene.say), scene.names
    fresh = what_is_fresh(scene)
    seat, is_over, is_second = view["seat"], view["phase"] == "over", view["marked_this_turn"] > 0
    sheet = "" if seat is None else view["seats"][seat]["sheet"] or ""
    behind = 0 if seat is None else max(view["seats"][seat]["crossed"], default=0)
    possible = possible_moves(words, sheet, behind, tuple(scene.moves))
    parts = {
        "x-round": round_line(
            words, view["rules_version"], view["round"], view["idle_rounds"], view["ending"] if is_over else ""
        )
    }
    middle, used = tuple(view["dice"]["middle"]), (*view["dice"]["gone"], *view["dice"]["taken"])
    parts["x-dice"] = dice(words, middle, used, fresh.rolled)
    parts["x-do"] = what_to_do(words, bool(scene.moves), is_second, possible.payments)
    winners = tuple([tuple(entry["bonuses"]) for entry in view["seats"]])
    parts["x-bonuses"] = bonuses(words, winners, tuple(view["closed"]), tuple(names), fresh.bonuses)
    for number in range(view["players"]):
        if number == seat:
            parts |= own_sheet(words, view, names[seat], possible, fresh)
        else:
            parts |= other_sheet(words, view, number, names[number], fresh)
    return Board(
        frame(words, view["players"], seat),
        parts,
        possible.choices,
        possible.picks,
        summary(words, view, names),
        None if is_over else prompt(scene.say, is_second, possible.has_singles, possible.has_pairs),
    )


def icon(game_id: str) -> Markup:
    """Return the game's picture for the front page: a pyramid of coloured stones by night, and a die."""
    places = [(level, place) for level, width in enumerate(PYRAMID_ROWS) for place in range(width)]
    stones = join(
        markup(
            '<rect class="x-stone-{colour}" x="{x}" y="{y}" width="20.5" height="15.5" rx="2.5"/>',
            colour=colour,
            x=12 + 11 * level + 22 * place,
            y=88 - 17 * level,
        )
        for colour, (level, place) in zip("roygbvbyrgovgrb", places, strict=True)
    )
    return markup(
        '<svg class="icon anubixx-icon" viewBox="0 0 160 120" aria-hidden="true" data-game="{game_id}">'
        '<rect class="night" x="-160" width="480" height="120"/>'
        '<circle class="moon" cx="132" cy="28" r="13"/><path class="ground" d="M-160 104H320V120H-160Z"/>'
        '{stones}<g transform="translate(138 92) rotate(-9)">'
        '<rect class="x-stone-y" x="-14" y="-14" width="28" height="28" rx="6"/>'
        '<g class="dark" transform="scale(.95)">{ankh}</g></g></svg>',
        game_id=game_id,
        stones=stones,
        ankh=SYMBOLS["ankh"],
    )


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


@lru_cache(maxsize=256)
def frame(words: Words, players: int, seat: int | None) -> Markup:
    """Return what stays the same all game: where everything has its place."""
    own = EMPTY
    if seat is not None:
        buildings = join(
            markup(
                '<figure class="{name}"><figcaption>{label}</figcaption>'
                '<svg viewBox="{box}" role="group" aria-label="{label}"><g id="x-{name}">{slots}</g></svg></figure>',
                name=name,
                label=words.buildings[name],
                box=box,
                slots=building_slots()[name],
            )
            for name, box in (("pyramid", "-4 -8 328 228"), ("arch", "-4 -8 172 272"), ("relief", "-4 -8 282 222"))
        )
        own = markup(
            '<section class="own"><!--x-own--><div class="buildings" dir="ltr">{buildings}<!--x-quarry--></div>'
            "</section>",
            buildings=buildings,
        )
    return markup(
        '<div class="board anubixx n{players}{watched}">{symbols}<div class="anubixx-grid">'
        '<div class="tray"><!--x-round--><svg class="dice" viewBox="0 0 470 74" role="group" aria-label="{dice}">'
        "<!--x-dice--></svg><!--x-do--></div>"
        '{own}<!--x-bonuses--><div class="others">{others}</div></div></div>',
        players=players,
        watched=classes(watched=seat is None),
        symbols=symbols(),
        dice=words.dice,
        own=own,
        others=join(card_slots(number) for number in range(players) if number != seat),
    )


@lru_cache(maxsize=KEPT)
def round_line(words: Words, rules_version: int, round: int, idle: int, ending: str) -> Markup:
    """Say how far the game is, and why it ended."""
    note = ""
    if ending:
        note = words.over(ending, rules_version)
    elif idle:
        note = words.idle(idle, rules_version)
    return markup(
        '<p id="x-round" dir="auto" class="round"><b>{round}</b>{note}</p>',
        round=words.round(round),
        note=markup(" <small>{note}</small>", note=note) if note else EMPTY,
    )


# --- sheets -----------------------------------------------------------------------------------------------------------


def points_of(entry: Mapping[str, Any]) -> Points:
    """Return a seat's points by their sources."""
    return tuple([(source, entry["points"][source]) for source in SOURCES])


def kind_of(view: Mapping[str, Any], seat: int) -> str:
    """Return the classes that say how a seat stands."""
    kind = " acting" if seat in view["to_act"] else ""
    if view["phase"] != "over":
        return f"{kind} active" if seat == view["active"] else kind
    totals = [entry["points"]["total"] for entry in view["seats"]]
    return f"{kind} best" if totals[seat] == max(totals) else kind


def own_sheet(words: Words, view: Mapping[str, Any], name: str, possible: PossibleMoves, fresh: Fresh) -> Parts:
    """Render the viewer's own sheet."""
    seat = view["seat"]
    entry = view["seats"][seat]
    letter = entry["sheet"]
    parts = {"x-own": own_head(words, seat, name, kind_of(view, seat), points_of(entry), entry["points"]["total"])}
    if not letter:
        return parts | no_stones() | {"x-quarry": Markup('<div id="x-quarry" class="quarry"></div>')}
    marked = frozenset(entry["marked"])
    new = frozenset([stone for of, stone in fresh.stones if of == seat]) if fresh.stones else NONE
    closed = frozenset(view["closed"]).difference(entry["bonuses"])
    for building, render_it in (("pyramid", pyramid), ("arch", arch), ("relief", relief)):
        here = STONES_OF[building]  # a building is memoised by its own stones, whatever happens to the others
        parts |= render_it(words, letter, marked & here, possible.by_building[building], new & here, closed)
    places = tuple(sorted(place for of, place in fresh.places if of == seat))
    parts["x-quarry"] = quarry(
        words, letter, tuple(entry["crossed"]), entry["jokers"], view["players"], places, seat in fresh.jokers
    )
    return parts


def other_sheet(words: Words, view: Mapping[str, Any], seat: int, name: str, fresh: Fresh) -> Parts:
    """Render another player's sheet small."""
    entry = view["seats"][seat]
    return card(
        words,
        seat,
        name,
        kind_of(view, seat),
        entry["sheet"] or "",
        frozenset(entry["marked"]),
        tuple(entry["crossed"]),
        entry["jokers"],
        points_of(entry),
        entry["points"]["total"],
        frozenset([stone for of, stone in fresh.stones if of == seat]) if fresh.stones else NONE,
    )


# --- the summary ------------------------------------------------------------------------------------------------------


def summary(words: Words, view: Mapping[str, Any], names: Sequence[str]) -> Markup:
    """Say the position in a few sentences."""
    phase = view["phase"]
    if phase == "over":
        turn = over_line(words, view["round"], view["ending"], view["rules_version"])
    else:
        actor = view["actor"] if view["actor"] >= 0 else view["active"]
        middle = tuple(view["dice"]["middle"]) if phase == "build" else None
        turn = turn_line(words, view["round"], phase, view["marked_this_turn"] > 0, names[actor], middle)
    said = [
        points_said(words, name, entry["points"]["total"]) for name, entry in zip(names, view["seats"], strict=True)
    ]
    return join([turn, *said], Markup(" "))


@lru_cache(maxsize=KEPT)
def over_line(words: Words, round: int, ending: str, rules_version: int) -> Markup:
    """Say in which round the game is over, and why."""
    return sentences(words.round(round), words.over(ending, rules_version))


@lru_cache(maxsize=KEPT)
def turn_line(
    words: Words, round: int, phase: str, is_second: bool, name: str, middle: tuple[str, ...] | None
) -> Markup:
    """Say who does what in which round, and which dice lie in the middle."""
    dice = [] if middle is None else [words.in_middle(middle)]
    return sentences(words.round(round), words.turn(phase, is_second, name), *dice)


@lru_cache(maxsize=KEPT)
def points_said(words: Words, name: str, points: int) -> Markup:
    """Say how many points a player has."""
    return sentences(words.has(name, points))


def sentences(*said: str) -> Markup:
    """Let sentences follow one another, each in an element of its own."""
    return join([markup("<span>{sentence}</span>", sentence=sentence) for sentence in said], Markup(" "))
