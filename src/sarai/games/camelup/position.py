"""A table of Camel Up as plain lists: its stacks of camels, what a race card remembers, and which tables no game comes to."""

from itertools import pairwise
from typing import Any

from sarai.core.position_text import inconsistent
from sarai.core.result import CHANCE, OVER
from sarai.games.camelup.table import (
    BLACK,
    CAMELS,
    FINISHED,
    LEG,
    LINE,
    LINE_CROSSED,
    MAX_MOVES,
    MOVE_LIMIT,
    POUNDS,
    RACING,
    ROLLING,
    SECOND,
    SETTING_CRAZY,
    SETTING_UP,
    STACKING,
    TURN,
    WHITE,
)

Stacks = dict[int, list[int]]  # space to camels, from the bottom, in the order of the spaces


def camels_of(edition: int) -> int:
    """Return how many camels an edition has."""
    return CAMELS if edition == SECOND else RACING


def stacks_of(s: Any) -> Stacks:
    """Return the stacks of camels of a record."""
    everywhere = s["phase"] in (TURN, ROLLING, FINISHED)  # before, space 0 is no place on the track
    standing = zip(s["space"].tolist(), s["height"].tolist(), range(camels_of(s["edition"])), strict=False)
    return gather([place for place in standing if everywhere or place[0]])


def gather(places: list[tuple[int, int, int]]) -> Stacks:
    """Return stacks from (space, height, camel)."""
    stacks: Stacks = {}
    for space, _, camel in sorted(places):
        stacks.setdefault(space, []).append(camel)
    return stacks


def set_stacks(s: Any, stacks: Stacks) -> None:
    """Write stacks of camels into a record without any, refusing what no game comes to."""
    check_camels(s, stacks)
    for space, camels in stacks.items():
        for height, camel in enumerate(camels):
            s["space"][camel], s["height"][camel] = space, height


def unpack(moment: int, edition: int) -> tuple[Stacks, int]:
    """Return where the camels stood, and which dice were out, in what `moment` of the rules packed."""
    packed = [moment >> 8 * (CAMELS - 1 - camel) & 255 for camel in range(camels_of(edition))]
    return gather([(place >> 3, place & 7, camel) for camel, place in enumerate(packed)]), moment >> 8 * CAMELS


def pack(stacks: Stacks, dice_out: int, edition: int) -> int:
    """Pack a moment; refuse one in which no card can be laid."""
    check_stacks(stacks, edition, 1, LINE)
    if dice_out.bit_count() >= LEG:
        raise inconsistent("a race card was laid when the leg was over")
    moment = dice_out << 8 * CAMELS
    for space, camels in stacks.items():
        for height, camel in enumerate(camels):
            moment |= (space << 3 | height) << 8 * (CAMELS - 1 - camel)
    return moment


def set_actor(s: Any) -> None:
    """Say who is to act: the seat whose turn it is, chance, or nobody."""
    s["actor"] = s["turn"] if s["phase"] == TURN else OVER if s["phase"] == FINISHED else CHANCE
    s["acting"] = 1 << int(s["turn"]) if s["phase"] == TURN else 0


# --- what no game comes to -------------------------------------------------------------------------------------------------------


def check(s: Any) -> None:
    """Refuse a state or a view that no game comes to; its camels and dice are each in their place."""
    players, phase = int(s["players"]), int(s["phase"])
    taken = check_tickets(s["tickets"].tolist())
    check_pyramid(s, phase)
    pairs = check_partners(s["partners"][:players].tolist(), bool(s["partnerships"]))
    laid = check_tiles(s["tiles"][:players].tolist(), set(s["space"].tolist()))
    check_clock(s, phase, taken + pairs + laid + int(s["pyramid"].sum()))
    check_cards(s, players)
    paid_later = 0 if phase == FINISHED else taken + pairs + int(s["laid"])
    most = POUNDS + 8 * (int(s["moves_made"]) - paid_later)  # no move brings a player more than 8
    if max(s["pounds"].tolist()) > most:
        raise inconsistent("so many moves do not bring so much money")


def check_stacks(stacks: Stacks, edition: int, low: int, high: int) -> None:
    """Refuse camels that are missing, in two places, or off the track."""
    if sorted(sum(stacks.values(), [])) != list(range(camels_of(edition))):
        raise inconsistent("a camel is missing, or in two places")
    if any(not low <= space <= high for space in stacks):
        raise inconsistent("a camel is off the track")


def check_camels(s: Any, stacks: Stacks) -> None:
    """Refuse camels that do not fit the phase."""
    edition, phase = int(s["edition"]), int(s["phase"])
    if phase in (TURN, ROLLING, FINISHED):
        check_finish(stacks, edition, phase == FINISHED and s["ending"] == LINE_CROSSED)
        return
    spaces = {camel: space for space, camels in stacks.items() for camel in camels}
    up = sorted(sum(stacks.values(), []))
    racing = [camel for camel in up if camel < RACING]
    if racing != list(range(len(racing))) or any(not 1 <= spaces[camel] <= 3 for camel in racing):
        raise inconsistent("the camels are set up in the order of their colours, on spaces 1 to 3")
    if phase == SETTING_CRAZY:
        if (
            edition != SECOND
            or len(racing) < RACING
            or len(up) > RACING + 1
            or any(not LINE - 2 <= spaces[crazy] <= LINE for crazy in up[RACING:])
        ):
            raise inconsistent("the crazy camels are set up last, on spaces 14 to 16")
    elif len(up) > len(racing) or (phase == SETTING_UP and len(racing) == RACING):
        raise inconsistent("the racing camels are set up first")
    elif phase == STACKING and not any(len(camels) > 1 and camels[-1] == len(racing) - 1 for camels in stacks.values()):
        raise inconsistent("the camel to be stacked stands on top of others")


def check_finish(stacks: Stacks, edition: int, crossed: bool) -> None:
    """Refuse camels beyond the line, unless one unit crossed it and ended the race; a crazy camel leads it backwards, a racing one forward."""
    check_stacks(stacks, edition, -2, LINE + 3)
    beyond = [space for space in stacks if not 1 <= space <= LINE]
    if len(beyond) != crossed or any((stacks[space][0] in (WHITE, BLACK)) != (space < 1) for space in beyond):
        raise inconsistent("the race ends when one unit crosses the line, led by a camel that runs that way")


def check_tickets(stacks: list[list[int]]) -> int:
    """Refuse betting tickets that were not taken from the top; return how many were."""
    taken = [[owner for owner in owners if owner] for owners in stacks]
    if any(owners[: len(some)] != some for owners, some in zip(stacks, taken, strict=True)):
        raise inconsistent("betting tickets are taken from the top")
    return sum(map(len, taken))


def check_pyramid(s: Any, phase: int) -> None:
    """Refuse dice that do not fit the pyramid tickets."""
    out = int(s["dice_out"]).bit_count()
    if int(s["pyramid"].sum()) != out + (phase == ROLLING) or out >= LEG:
        raise inconsistent("every pyramid ticket brings out a die, and the fifth one ends the leg")


def check_partners(partners: list[int], allowed: bool) -> int:
    """Refuse partners that are not each other's; return how many pairs there are."""
    bound = [(seat, partner - 1) for seat, partner in enumerate(partners) if partner]
    if (bound and not allowed) or any(
        partner == seat or partner not in range(len(partners)) or partners[partner] != seat + 1
        for seat, partner in bound
    ):
        raise inconsistent("partners are two players who have each other")
    return len(bound) // 2


def check_tiles(tiles: list[int], camels: set[int]) -> int:
    """Refuse tiles off their spaces, on a camel, or next to each other (C1-10); return how many lie on the track."""
    spaces = sorted(abs(tile) for tile in tiles if tile)
    if any(not 2 <= space <= LINE or space in camels for space in spaces):
        raise inconsistent("a tile lies on a space from 2 to 16 without a camel")
    if any(far - near < 2 for near, far in pairwise(spaces)):
        raise inconsistent("two tiles lie next to each other")
    return len(spaces)


def check_clock(s: Any, phase: int, in_leg: int) -> None:
    """Refuse counts that do not fit each other: all that lies there took a move, and every leg five."""
    moves, leg, laid = int(s["moves_made"]), int(s["leg"]), int(s["laid"])
    if phase in (SETTING_UP, STACKING, SETTING_CRAZY) and (leg != 1 or s["turn"] or in_leg or laid):
        raise inconsistent("nobody moves before the camels are set up")
    if phase == FINISHED:
        if in_leg:
            raise inconsistent("everything is put away when the game is over")
        if (s["ending"], moves == MAX_MOVES) not in ((LINE_CROSSED, False), (MOVE_LIMIT, True)):
            raise inconsistent("the game is not over for that reason")
        in_leg = int(s["ending"] == LINE_CROSSED)
    elif moves >= MAX_MOVES:
        raise inconsistent("the game would be over")
    if moves < in_leg + laid + LEG * (leg - 1):
        raise inconsistent("so few moves do not bring so many tickets, tiles, cards and legs")
    if leg == 1 and s["starter"]:
        raise inconsistent("seat 0 begins the first leg")


def check_cards(s: Any, players: int) -> None:
    """Refuse race cards that their owners do not have; a view does not know all of them."""
    laid = int(s["laid"])
    seats, camels = s["card_seat"][:laid].tolist(), s["card_camel"][:laid].tolist()
    known = [(seat, camel) for seat, camel in zip(seats, camels, strict=True) if camel]
    if len(set(known)) != len(known) or any(seats.count(seat) > RACING for seat in range(players)):
        raise inconsistent("a race card is laid twice")
