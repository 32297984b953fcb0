"""What lies around the track of Camel Up: the bets, the two piles, the players, and the own tile and race cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sarai.core.events import Event
from sarai.core.markup import classes
from sarai.games.camelup.board_art import disc, laid_card, race_card, small, ticket, tile
from sarai.games.camelup.board_words import Words
from sarai.games.camelup.table import RACING

SIGNS = {  # of the piles: a crown, and a broken one upside down
    "winner": "M3 15.5L2 5L7 9L10 3L13 9L18 5L17 15.5Z",
    "loser": "M3 4.5L2 15L7 11L10 17L13 11L18 15L17 4.5Z",
}


def letter_of(name: str, words: Words) -> str:
    """Return a camel's letter."""
    return words.letters[words.order.index(name)]


# --- bets on the leg -------------------------------------------------------------------------------------------------------------


def ranking(view: Mapping[str, Any], words: Words) -> list[str]:
    """Return the racing camels that stand on the track, the first one first."""
    racing = words.order[:RACING]
    return [name for stack in reversed(view["camels"]) for name in reversed(stack["camels"]) if name in racing]


def tents(view: Mapping[str, Any], words: Words, spots: frozenset[str]) -> str:
    """Draw the stacks of betting tickets with what is left, and every camel's place in the race."""
    order = ranking(view, words)
    drawn = "".join(
        tent(
            name,
            tuple(each["worth"] for each in view["tickets"][name] if each["owner"] is None),
            order.index(name) + 1 if name in order else 0,
            f"bet-{name}" in spots,
            words,
        )
        for name in words.order[:RACING]
    )
    return f'<div id="tents" class="tents" role="group" aria-label="{words.tickets}" dir="ltr">{drawn}</div>'


@lru_cache(maxsize=2048)
def tent(name: str, left: tuple[int, ...], rank: int, spot: bool, words: Words) -> str:
    """Draw a stack of betting tickets; the top one can be taken."""
    place = f'<b class="rank">{rank}.</b>' if rank else ""
    rest = f'<span class="rest">{place}{" ".join(map(str, left[1:])) or "–"}</span>'
    holds = (words.stack_left if left else words.stack_gone).format(
        camel=words.camels[name], left=", ".join(map(str, left))
    )
    if rank:
        holds += f"; {words.rank.format(place=rank)}"
    told = f"{words.bet.format(camel=words.camels[name], worth=left[0])}; {holds}" if spot else holds
    role = f'role="button" data-spot="bet-{name}"' if spot else 'role="img"'
    return (
        f'<div class="tent coat-{name}{classes(spot=spot, empty=not left)}" id="tent-{name}" {role} aria-label="{told}">'
        f"{ticket(name, letter_of(name, words), left[0] if left else 0, len(left))}{rest}</div>"
    )


# --- the piles -------------------------------------------------------------------------------------------------------------------


def piles(
    view: Mapping[str, Any], names: Sequence[str], words: Words, news: Sequence[Event], spots: frozenset[str]
) -> str:
    """Draw both piles of race cards in the order of laying: backs with their owners, and the camels the viewer knows."""
    fresh = {event.args["pile"] for event in news if event.key.startswith("laid_card")}
    drawn = "".join(
        pile(
            which,
            tuple((card["seat"], card["camel"] or "") for card in view["cards"] if card["pile"] == which),
            tuple(names),
            which in fresh,
            f"pile-{which}" in spots,
            words,
        )
        for which in ("winner", "loser")
    )
    return f'<div id="piles" class="piles">{drawn}</div>'


@lru_cache(maxsize=4096)
def pile(
    which: str, cards: tuple[tuple[int, str], ...], names: tuple[str, ...], fresh: bool, spot: bool, words: Words
) -> str:
    """Draw a pile; a picked card can be laid on it."""
    title = words.winner if which == "winner" else words.loser
    listed = ", ".join(f"{names[seat]}: {words.camels[camel] if camel else words.unknown}" for seat, camel in cards)
    told = words.pile_holds.format(pile=title, cards=listed or "–")
    if spot:
        told = f"{told}; {words.pile_do}"
    role = f'role="button" data-spot="pile-{which}"' if spot else 'role="img"'
    slips = "".join(
        f'<span class="slot{classes(new=fresh and at == len(cards) - 1)}" id="{which}-{at}">'
        f"{laid_card(seat, camel, letter_of(camel, words) if camel else '')}</span>"
        for at, (seat, camel) in enumerate(cards)
    )
    return (
        f'<div class="pile {which}{classes(spot=spot)}" id="pile-{which}" {role} aria-label="{told}"><span class="title">'
        f'<svg class="small sign-{which}" viewBox="0 0 20 20" aria-hidden="true"><path d="{SIGNS[which]}"/></svg>{title}</span>'
        f'<span class="laid-cards">{slips}</span></div>'
    )


# --- the own tile and cards ------------------------------------------------------------------------------------------------------


def hand(view: Mapping[str, Any], edition: int, words: Words, picks: frozenset[str]) -> str:
    """Draw the own tile's two sides and the own race cards: what is picked first."""
    if view["hand"] is None or view["phase"] == "over":
        return '<div id="hand" class="hand" hidden="hidden"></div>'
    lain = view["tiles"][view["seat"]]
    return hand_of(tuple(view["hand"]), lain["space"] if lain else 0, edition, words, picks)


@lru_cache(maxsize=8192)
def hand_of(cards: tuple[str, ...], lain: int, edition: int, words: Words, picks: frozenset[str]) -> str:
    """Draw the own tile and cards, by what they depend on."""
    sides = "".join(own_side(side, edition, f"side-{side}" in picks, words) for side in range(2))
    held = (
        "".join(own_card(name, f"card-{name}" in picks, words) for name in cards)
        or f'<span class="none">{words.all_laid}</span>'
    )
    title = words.own_tile_lies.format(space=lain) if lain else words.own_tile
    return (
        '<div id="hand" class="hand"><div class="own-tile" role="group" aria-labelledby="own-tile-title">'
        f'<span class="title" id="own-tile-title">{title}</span><span class="sides">{sides}</span></div>'
        '<div class="own-cards" role="group" aria-labelledby="own-cards-title">'
        f'<span class="title" id="own-cards-title">{words.own_cards}</span><span class="cards">{held}</span></div></div>'
    )


def own_side(side: int, edition: int, pick: bool, words: Words) -> str:
    """Draw a side of the own tile."""
    role = f'role="button" data-pick="side-{side}"' if pick else 'role="img"'
    told = words.side_do.format(side=words.side_names[side]) if pick else words.side_names[side]
    drawn = f'<svg viewBox="-48 -34 96 68" aria-hidden="true">{tile(edition, side)}</svg>'
    return f'<span class="own-side{classes(pick=pick)}" id="side-{side}" {role} aria-label="{told}">{drawn}</span>'


def own_card(name: str, pick: bool, words: Words) -> str:
    """Draw a race card in the own hand."""
    role = f'role="button" data-pick="card-{name}"' if pick else 'role="img"'
    told = (words.card_do if pick else words.card).format(camel=words.camels[name])
    return f'<span class="own-card coat-{name}{classes(pick=pick)}" id="card-{name}" {role} aria-label="{told}">{race_card(name, letter_of(name, words))}</span>'


# --- the players -----------------------------------------------------------------------------------------------------------------


def changes(news: Sequence[Event]) -> dict[int, int]:
    """Return how many pounds every seat has just got or paid."""
    gained: dict[int, int] = {}
    for event in news:
        args: dict[str, Any] = dict(event.args)
        if event.key in ("leg_paid", "card_shown", "tile_paid"):
            gained[args["seat"]] = gained.get(args["seat"], 0) + args.get("change", 1)
    return gained


def seats(
    view: Mapping[str, Any], names: Sequence[str], words: Words, news: Sequence[Event], spots: frozenset[str]
) -> str:
    """List the players: whose turn it is, their pounds, tickets, cards, tile and partner."""
    over, gained, listed = view["phase"] == "over", changes(news), []
    held: dict[int, list[tuple[str, int]]] = {}
    for camel, stack in view["tickets"].items():
        for each in stack:
            if each["owner"] is not None:
                held.setdefault(each["owner"], []).append((camel, each["worth"]))
    most = max(view["pounds"])
    for number, name in enumerate(names):
        hidden = view["options"]["money"] == "hidden" and number != view["seat"] and not over
        tile_lain, partner = view["tiles"][number], view["partners"][number] if view["partners"] else None
        listed.append(
            seat(
                number,
                name,
                (-1 if hidden else view["pounds"][number], 0 if hidden else gained.get(number, 0)),
                (view["pyramid_tickets"][number], view["cards_left"][number], tile_lain["space"] if tile_lain else 0),
                tuple(held.get(number, ())),
                (
                    number == view["seat"],
                    number == view["turn"] and not over,
                    number == view["start_player"],
                    over and view["pounds"][number] == most,
                ),
                (partner, names[partner]) if partner is not None else None,
                f"partner-{number}" in spots,
                words,
            )
        )
    return f'<ul id="seats" class="seats{classes(many=len(names) > 5)}" aria-label="{words.players}">{"".join(listed)}</ul>'


@lru_cache(maxsize=16384)
def seat(
    number: int,
    name: str,
    money: tuple[int, int],
    counts: tuple[int, int, int],
    held: tuple[tuple[str, int], ...],
    states: tuple[bool, bool, bool, bool],
    partner: tuple[int, str] | None,
    spot: bool,
    words: Words,
) -> str:
    """Show a player."""
    (pounds, gained), (pyramids, cards, lain), (me, turn, starts, wins) = money, counts, states
    purse = words.pounds_hidden if pounds < 0 else words.pounds.format(pounds=pounds)
    change = (
        f'<i class="change new {"gain" if gained > 0 else "loss"}" dir="ltr">{"+" if gained > 0 else "−"}{abs(gained)}</i>'
        if gained
        else ""
    )
    flag = f'<span class="flag" role="img" aria-label="{words.starts}">{small("flag")}</span>' if starts else ""
    tickets = "".join(
        f'<span class="bet coat-{camel}" role="img" aria-label="{words.ticket_held.format(camel=words.camels[camel], worth=worth)}">'
        f"<b>{letter_of(camel, words)}</b>{worth}</span>"
        for camel, worth in held
    )
    owns = "".join(
        f'<span class="own" role="img" aria-label="{told}">{small(kind)}{count}</span>'
        for kind, count, told in (
            ("pyramid", pyramids, words.pyramid_tickets.format(count=pyramids)),
            ("card", cards, words.cards_left.format(count=cards)),
        )
        if count
    )
    where = words.on_track.format(space=lain) if lain else words.tile_at_home
    owns += f'<span class="own" role="img" aria-label="{where}">{small("plank-out" if lain else "plank")}{lain or ""}</span>'
    if partner:
        owns += f'<span class="own" role="img" aria-label="{words.partner.format(name=partner[1])}">{small("pair")}{partner[0] + 1}</span>'
    if spot:
        told = words.partner_do.format(name=name)
        asked = f"{small('pair')}{words.partner_ask}"
        owns += f'<span class="ask spot" id="ask-{number}" role="button" data-spot="partner-{number}" aria-label="{told}">{asked}</span>'
    star = f'<span class="star">★ {words.wins}</span>' if wins else ""
    return (
        f'<li class="seat{classes(me=me, turn=turn, wins=wins)}" id="seat-{number}">'
        f'<svg class="badge" viewBox="0 0 26 26" aria-hidden="true">{disc(number, 13, 13)}</svg><bdi class="name">{name}</bdi>'
        f'<span class="purse" role="img" aria-label="{purse}"><b>{"?" if pounds < 0 else pounds}</b>{small("coin")}</span>'
        f'<span class="things">{star}{flag}{tickets}{owns}{change}</span></li>'
    )
