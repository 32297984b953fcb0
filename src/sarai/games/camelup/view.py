"""What a player of Camel Up knows (C1-20), a state drawn from it, and a view as plain data."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.dtype import plain
from sarai.core.kernels.rng import below
from sarai.core.position_text import within
from sarai.games.camelup.edition import EDITIONS, PILES, Edition
from sarai.games.camelup.position import Stacks, check, pack, set_actor, set_stacks, standing_camels, unpack
from sarai.games.camelup.setup import has_partnerships
from sarai.games.camelup.state import (
    ALL_CARDS,
    FINISHED,
    GREY,
    LAST_SPACE,
    MOST_CARDS,
    PHASES,
    RACING,
    SECOND,
    TICKET_WORTH,
    TICKETS_PER_CAMEL,
    WHITE,
    StateRecord,
    ViewRecord,
    copy_public,
)

WORTHS = tuple([TICKET_WORTH[number, :count].tolist() for number, count in enumerate(TICKETS_PER_CAMEL)])  # by edition


@kernel
def look(state: StateRecord, seat: int, view: ViewRecord) -> None:
    """Write what a seat knows: the table and its own race cards; when the game is over, all race cards."""
    copy_public(state, view)
    view.seat = seat
    for other in range(state.players):
        if other == seat or state.phase == FINISHED:
            view.hands[other] = state.hands[other]
    for card in range(state.laid):
        if state.card_seat[card] == seat or state.phase == FINISHED:
            view.card_camel[card] = state.card_camel[card]


@kernel
def sample(view: ViewRecord, rng: Array, state: StateRecord) -> None:
    """Draw a state: every race card that another seat laid is any of those it still had."""
    copy_public(view, state)
    for seat in range(view.players):
        state.hands[seat] = ALL_CARDS
    for card in range(view.laid):
        seat = int(view.card_seat[card])
        camel = view.card_camel[card] - 1
        if camel < 0:
            left = int(state.hands[seat])
            for _ in range(below(rng, count_bits(left))):
                left &= left - 1
            camel = first_bit(left)
        state.hands[seat] ^= 1 << camel
        state.card_camel[card] = camel + 1


# --- as plain data ---------------------------------------------------------------------------------------------------


def view_json(cell: Cell) -> dict[str, Any]:
    """Return a view's own part of its JSON."""
    v = plain(cell)
    edition, players, me = EDITIONS[v["edition"]], v["players"], v["seat"]
    shown, laid_by, held = v["shown"], v["card_seat"][: v["laid"]], v["hands"][me]
    return {
        "phase": PHASES[v["phase"]],
        "ending": v["ending"],
        "moves_made": v["moves_made"],
        "leg": v["leg"],
        "turn": v["turn"],
        "start_player": v["starter"],
        "camels": json_stacks(edition, standing_camels(v["phase"], v["edition"], v["space"], v["height"])),
        "dice": [json_die(edition, die, shown[die]) for die in range(len(edition.dice)) if shown[die]],
        "dice_left": [name for die, name in enumerate(edition.dice) if not shown[die]],
        "tiles": [
            {"space": abs(tile), "side": edition.sides[tile < 0]} if tile else None for tile in v["tiles"][:players]
        ],
        "tickets": json_tickets(edition, v["edition"], v["tickets"]),
        "pyramid_tickets": v["pyramid"][:players],
        "pounds": v["pounds"][:players],
        "partners": [partner - 1 if partner else None for partner in v["partners"][:players]]
        if v["partnerships"]
        else None,
        "cards": json_cards(v),
        "cards_left": [RACING - laid_by.count(seat) for seat in range(players)],
        "hand": None if me < 0 else [name for camel, name in enumerate(edition.racing_camels) if held >> camel & 1],
    }


def json_stacks(edition: Edition, stacks: Stacks) -> list[dict[str, Any]]:
    """Return stacks of camels, each from the bottom."""
    return [{"space": space, "camels": [edition.camels[camel] for camel in camels]} for space, camels in stacks.items()]


def json_die(edition: Edition, die: int, shown: int) -> dict[str, Any]:
    """Return a die that is out: its colour, and the camel and the number on its face."""
    camel = die if die < GREY else WHITE + (shown - 1) // 3
    return {"die": edition.dice[die], "camel": edition.camels[camel], "number": (shown - 1) % 3 + 1}


def json_tickets(edition: Edition, number: int, owners: list[list[int]]) -> dict[str, list[dict[str, Any]]]:
    """Return every stack of betting tickets from the top, with who took them."""
    worth = WORTHS[number]
    return {
        name: [
            {"worth": pounds, "owner": owner - 1 if owner else None}
            for pounds, owner in zip(worth, taken, strict=False)
        ]
        for name, taken in zip(edition.camels, owners, strict=False)
    }


def json_cards(v: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the race cards: who laid each on which pile, its camel if known, and what the track was like then."""
    number, laid = v["edition"], v["laid"]
    names = (None, *EDITIONS[number].camels)
    columns = [v[field][:laid] for field in ("card_seat", "card_pile", "card_camel", "card_moment")]
    found = []
    for seat, pile, camel, moment in zip(*columns, strict=True):
        stacks, dice_out = named_moment(moment, number)
        found.append(
            {
                "seat": seat,
                "pile": PILES[pile],
                "camel": names[camel],
                "camels": [{"space": space, "camels": list(camels)} for space, camels in stacks],
                "dice_out": list(dice_out),
            }
        )
    return found


@lru_cache(maxsize=1 << 14)
def named_moment(moment: int, number: int) -> tuple[tuple[tuple[int, tuple[str, ...]], ...], tuple[str, ...]]:
    """Return what the track was like when a card was laid, in an edition: the stacks and the dice that were out."""
    edition, (stacks, out) = EDITIONS[number], unpack(moment, number)
    return (
        tuple([(space, tuple([edition.camels[camel] for camel in camels])) for space, camels in stacks.items()]),
        tuple([name for die, name in enumerate(edition.dice) if out >> die & 1]),
    )


def ranking(view: Mapping[str, Any]) -> list[str]:
    """Return the racing camels on the track of a view's JSON, the first one first."""
    racing = view["tickets"]
    return [name for stack in reversed(view["camels"]) for name in reversed(stack["camels"]) if name in racing]


def hidden_purses(view: Mapping[str, Any]) -> Collection[int]:
    """Return the seats whose pounds people who are shown a view's JSON may not see."""
    if view["options"]["money"] != "hidden" or view["phase"] == "over":
        return ()
    return [seat for seat in range(view["players"]) if seat != view["seat"]]


# --- … and back ------------------------------------------------------------------------------------------------------


def seat_or_none(value: object, players: int) -> int:
    """Return 1 + a seat, 0 for none."""
    return 0 if value is None else within(value, 0, players - 1) + 1


def read_stacks(edition: Edition, data: list[dict[str, Any]]) -> Stacks:
    """Read stacks of camels."""
    stacks = {
        within(stack["space"], -2, LAST_SPACE + 3): [edition.camels.index(name) for name in stack["camels"]]
        for stack in data
    }
    if len(stacks) != len(data) or not all(stacks.values()):
        raise ValueError("a space stands there twice, or without camels")
    return stacks


def read_view(edition_number: int, cell: Cell, data: dict[str, Any]) -> None:
    """Fill a view from its JSON, refusing what no game comes to."""
    v, edition, players = cell[0], EDITIONS[edition_number], int(data["players"])
    actor, acting = int(v["actor"]), int(v["acting"])
    v["edition"] = edition_number
    v["partnerships"] = edition_number == SECOND and has_partnerships(players, data["options"])
    v["phase"] = PHASES.index(data["phase"])
    for name, field, high in (("ending", "ending", 2), ("moves_made", "moves_made", 100_000), ("leg", "leg", 10_000)):
        v[field] = within(data[name], 0, high)
    v["turn"], v["starter"] = within(data["turn"], 0, players - 1), within(data["start_player"], 0, players - 1)
    set_stacks(v, read_stacks(edition, data["camels"]))
    for shown in data["dice"]:
        die, camel = edition.dice.index(shown["die"]), edition.camels.index(shown["camel"])
        face = within(camel - WHITE, 0, 1) if die == GREY else within(camel - die, 0, 0)
        v["shown"][die] = within(shown["number"], 1, 3) + 3 * face
        v["dice_out"] |= 1 << die
    for seat, tile in zip(range(players), data["tiles"], strict=True):
        v["tiles"][seat] = (
            0 if tile is None else within(tile["space"], 2, LAST_SPACE) * (1, -1)[edition.sides.index(tile["side"])]
        )
    for camel, name in enumerate(edition.racing_camels):
        for place, ticket in zip(range(TICKETS_PER_CAMEL[edition_number]), data["tickets"][name], strict=True):
            v["tickets"][camel, place] = seat_or_none(ticket["owner"], players)
    for seat, count, pounds in zip(range(players), data["pyramid_tickets"], data["pounds"], strict=True):
        v["pyramid"][seat], v["pounds"][seat] = within(count, 0, 5), within(pounds, 0, 100_000)
    if v["partnerships"]:
        for seat, partner in zip(range(players), data["partners"], strict=True):
            v["partners"][seat] = seat_or_none(partner, players)
    read_cards(v, edition, data["cards"], players)
    set_actor(v)
    if (actor, acting) != (int(v["actor"]), int(v["acting"])):
        raise ValueError("it is not that seat's time to act")
    check(v)


def read_cards(v: np.void, edition: Edition, cards: list[dict[str, Any]], players: int) -> None:
    """Read the race cards laid: those of the seat itself are known, the others when the game is over and not before."""
    v["laid"] = within(len(cards), 0, MOST_CARDS)
    shown = [seat for seat in range(players) if seat == v["seat"] or v["phase"] == FINISHED]
    for seat in shown:
        v["hands"][seat] = ALL_CARDS
    for place, card in enumerate(cards):
        seat = within(card["seat"], 0, players - 1)
        v["card_seat"][place], v["card_pile"][place] = seat, PILES.index(card["pile"])
        out = sum(1 << edition.dice.index(name) for name in set(card["dice_out"]))
        v["card_moment"][place] = pack(read_stacks(edition, card["camels"]), out, int(v["edition"]))
        if (card["camel"] is not None) != (seat in shown):
            raise ValueError("a race card is known to its owner only until the game is over")
        if seat in shown:
            camel = edition.camels.index(card["camel"])
            v["card_camel"][place] = within(camel, 0, RACING - 1) + 1
            v["hands"][seat] &= ~(1 << camel)
