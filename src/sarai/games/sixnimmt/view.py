"""What a player of 6 nimmt! knows (N-19), and a state drawn from it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.dtype import plain
from sarai.core.kernels.rng import below
from sarai.core.position_text import within
from sarai.games.sixnimmt.cards import card_set_of, cards_of, deck_size, fill_stock, flip, has, in_stock, leave_stock
from sarai.games.sixnimmt.state import (
    CARDS,
    CHOOSING,
    DEALING,
    DRAFTING,
    ENDINGS,
    FINISHED,
    HAND,
    MAX_MOVES,
    PHASES,
    ROW_LIMIT,
    ROWS,
    TAKING_ROW,
    StateRecord,
    ViewRecord,
    copy_public,
)


@kernel
def look(state: StateRecord, seat: int, view: ViewRecord) -> None:
    """Write what a seat knows: the table, its hand and its choice; every hand after a draft, every card turned up."""
    copy_public(state, view)
    view.seat = seat
    for other in range(state.players):
        if other == seat or state.draft:
            view.hands[other, 0] = state.hands[other, 0]
            view.hands[other, 1] = state.hands[other, 1]
        if other == seat or state.phase == TAKING_ROW:
            view.chosen[other] = state.chosen[other]
    if state.draft and state.phase == CHOOSING:  # a choice is secret until all are turned up (N-05)
        for other in range(state.players):
            if other != seat and state.chosen[other]:
                flip(view.hands, other, int(state.chosen[other]))


@kernel
def has_chosen(view: ViewRecord, seat: int) -> bool:
    """Say whether a seat has a card face down before it."""
    return bool(view.phase == CHOOSING and not (view.acting >> seat) & 1)


@kernel
def hand_size(view: ViewRecord, seat: int) -> int:
    """Return how many cards a seat holds or has face down before it."""
    if view.phase == DEALING:
        return int(min(max(view.dealt - HAND * seat, 0), HAND))
    if view.phase == TAKING_ROW:
        return int(HAND - 1 - view.trick)
    return int(HAND - view.trick)


@kernel
def choose_any(state: StateRecord, seat: int, rng: Array) -> None:
    """Put any card of a hand face down."""
    held = 0
    for card in range(1, CARDS + 1):
        if has(state.hands, seat, card):
            held += 1
    skip = below(rng, held)
    for card in range(1, CARDS + 1):
        if has(state.hands, seat, card):
            if skip == 0:
                flip(state.hands, seat, card)
                state.chosen[seat] = card
                return
            skip -= 1


@kernel
def sample(view: ViewRecord, rng: Array, state: StateRecord) -> None:
    """Draw a state: unseen cards are dealt to the hidden hands at random, a hidden choice is any card of its hand."""
    copy_public(view, state)
    if view.phase == FINISHED:
        return
    fill_stock(state)
    for seat in range(view.players):
        state.hands[seat, 0] = view.hands[seat, 0]
        state.hands[seat, 1] = view.hands[seat, 1]
        state.chosen[seat] = view.chosen[seat]
        for half in range(2):
            state.stock[half] &= ~(view.hands[seat, half] | view.piles[seat, half])
        if view.chosen[seat]:
            leave_stock(state, int(view.chosen[seat]))
    for row in range(ROWS):
        for place in range(view.lengths[row]):
            leave_stock(state, int(view.rows[row, place]))
    if view.phase == DRAFTING:
        return
    if not view.draft:
        deal_hidden(view, rng, state)
    for seat in range(view.players):
        if seat != view.seat and has_chosen(view, seat):
            choose_any(state, seat, rng)


@kernel
def deal_hidden(view: ViewRecord, rng: Array, state: StateRecord) -> None:
    """Deal cards the viewer has not seen to the hands of the others."""
    unseen = np.empty(CARDS, np.int64)
    count = 0
    for card in range(1, CARDS + 1):
        if in_stock(state, card):
            unseen[count] = card
            count += 1
    for seat in range(view.players):
        if seat == view.seat:
            continue
        for _ in range(hand_size(view, seat)):
            pick = below(rng, count)
            card = unseen[pick]
            count -= 1
            unseen[pick] = unseen[count]
            flip(state.hands, seat, card)
            leave_stock(state, card)


def view_json(cell: Cell) -> dict[str, Any]:
    """Return a view's own part of its JSON."""
    v = plain(cell)
    players, me, chosen = v["players"], v["seat"], v["chosen"]
    turned_up = v["phase"] == TAKING_ROW
    shown = [seat for seat in range(players) if seat == me or v["draft"]]
    return {
        "phase": PHASES[v["phase"]],
        "ending": v["ending"],
        "moves_made": v["moves_made"],
        "round": v["round_number"],
        "trick": v["trick"] + 1,
        "dealt": v["dealt"],
        "rows": [row[:length] for row, length in zip(v["rows"], v["lengths"], strict=True)],
        "heads": v["heads"][:players],
        "pile_heads": v["pile_heads"][:players],
        "piles": [cards_of(pile) for pile in v["piles"][:players]],
        "played": [[card for card in cards if card] for cards in v["played"][:players]],
        "hands": {str(seat): cards_of(v["hands"][seat]) for seat in shown},
        "turned_up": {str(seat): chosen[seat] for seat in range(players) if turned_up and chosen[seat]},
        "my_choice": chosen[me] if me >= 0 and not turned_up and chosen[me] else None,
    }


def read_cards(cards: Any, last: int, most: int = CARDS) -> list[int]:
    """Read a list of different cards."""
    found = [within(card, 1, last) for card in cards]
    if len(set(found)) != len(found) or len(found) > most:
        raise ValueError("there are too many cards, or one of them twice")
    return found


def read_view(cell: Cell, data: dict[str, Any]) -> None:
    """Fill a view from its JSON, refusing cards in two places and more cards than there are."""
    v = cell[0]
    options, players = data["options"], data["players"]
    v["phase"] = PHASES.index(data["phase"])
    for name, high in (("ending", len(ENDINGS) - 1), ("moves_made", MAX_MOVES), ("dealt", HAND * players + ROWS)):
        v[name] = within(data[name], 0, high)
    v["round_number"], v["trick"] = within(data["round"], 1, 10_000), within(data["trick"], 1, HAND + 1) - 1
    v["target"], v["round_limit"] = (0, options["rounds"]) if options["rounds"] else (options["target"], 0)
    v["known_deck"], v["draft"] = options["deck"] == "known", options["deal"] == "draft"
    last = int(deck_size(cell[0]))
    for row, cards in enumerate(data["rows"]):
        v["lengths"][row] = len(cards)
        v["rows"][row, : len(cards)] = read_cards(cards, last, ROW_LIMIT)
    for name in ("heads", "pile_heads"):
        v[name][:players] = [within(heads, 0, 30_000) for heads in data[name]]
    for seat in range(players):
        v["piles"][seat] = card_set_of(read_cards(data["piles"][seat], last))
        v["played"][seat, : len(data["played"][seat])] = read_cards(data["played"][seat], last, HAND)
    shown = [seat for seat in range(players) if seat == v["seat"] or v["draft"]]
    if list(data["hands"]) != [str(seat) for seat in shown]:
        raise ValueError("a seat knows its own hand, and all of them after a draft")
    for name, cards in data["hands"].items():
        v["hands"][seat_of(name, players)] = card_set_of(read_cards(cards, last, HAND))
    for name, card in data["turned_up"].items():
        v["chosen"][seat_of(name, players)] = within(card, 1, last)
    if data["my_choice"] is not None and v["seat"] >= 0:
        v["chosen"][v["seat"]] = within(data["my_choice"], 1, last)
    known = sum(
        data["rows"] + data["piles"] + list(data["hands"].values()), [card for card in v["chosen"].tolist() if card]
    )
    hidden = sum(int(hand_size(cell[0], seat)) for seat in range(players) if seat not in shown)
    if len(set(known)) != len(known) or (v["phase"] != FINISHED and last - len(known) < hidden):
        raise ValueError("a card is in two places, or there are not enough cards")


def seat_of(name: str, players: int) -> int:
    """Read a seat that is the key of a JSON object."""
    return within(int(name), 0, players - 1)


def open_cards(view: Mapping[str, Any]) -> list[int]:
    """Return the cards of a view's JSON that can still be drafted (N-16)."""
    taken = {number for hand in view["hands"].values() for number in hand}
    return [number for number in range(1, HAND * view["players"] + ROWS + 1) if number not in taken]


def cards_seen(view: Mapping[str, Any]) -> list[int]:
    """Return the cards of a view's JSON that this round has shown so far, the own hand not among them (N-20)."""
    return sorted({number for cards in (*view["rows"], *view["piles"], *view["played"]) for number in cards})
