"""Positions of Camel Up as text: written, read, and refused where no game comes to them."""

import re
from itertools import chain, pairwise

import numpy as np

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Message, Notation, mark
from sarai.core.position_text import Fields, inconsistent, whole
from sarai.core.result import CHANCE, OVER
from sarai.games.camelup.edition import Edition, edition_of
from sarai.games.camelup.notation import SIDE_SIGNS
from sarai.games.camelup.state import (
    ALL_CARDS,
    BLACK,
    CAMELS,
    DICE_PER_LEG,
    ENDINGS,
    FINISHED,
    GREY,
    LAST_SPACE,
    LINE_CROSSED,
    LOSER,
    MAX_MOVES,
    MOST_CARDS,
    MOVE_LIMIT,
    OASIS,
    PHASES,
    RACING,
    ROLLING,
    SECOND,
    SETTING_CRAZY,
    SETTING_UP,
    STACKING,
    STARTING_POUNDS,
    TICKETS_PER_CAMEL,
    TURN,
    WHITE,
    WINNER,
)

PILE_LETTERS = "wl"
Stacks = dict[int, list[int]]  # space to camels, from the bottom, in the order of the spaces


def write(cell: Cell) -> dict[str, str]:
    """Write a position's fields."""
    s, edition = cell[0], edition_of(cell)
    players = int(s["players"])
    dice = [(die, int(number)) for die, number in enumerate(s["shown"]) if number]
    return {
        "phase": PHASES[s["phase"]],
        **({"ending": ENDINGS[s["ending"]]} if s["phase"] == FINISHED else {}),
        "moves": str(s["moves_made"]),
        "leg": str(s["leg"]),
        "turn": str(s["turn"]),
        "start": str(s["starter"]),
        "camels": ",".join(
            f"{space}:{write_letters(camels, edition.letters)}" for space, camels in stacks_of(s).items()
        )
        or "-",
        "dice": ".".join(write_die(edition, die, number) for die, number in dice) or "-",
        "tiles": ",".join(
            f"{abs(tile)}{SIDE_SIGNS[tile < 0]}" if tile else "-" for tile in s["tiles"][:players].tolist()
        ),
        "tickets": "/".join(
            "".join(str(owner - 1) for owner in owners if owner) or "-" for owners in s["tickets"].tolist()
        ),
        "pyramid": ",".join(map(str, s["pyramid"][:players])),
        "pounds": ",".join(map(str, s["pounds"][:players])),
        **(
            {"partners": ",".join(str(p - 1) if p else "-" for p in s["partners"][:players].tolist())}
            if s["partnerships"]
            else {}
        ),
        "cards": ",".join(write_card(s, edition, card) for card in range(s["laid"])) or "-",
    }


def write_letters(numbers: list[int], letters: str) -> str:
    """Write camels or dice by their letters."""
    return "".join(letters[number] for number in numbers)


def write_die(edition: Edition, die: int, number: int) -> str:
    """Write a die that is out: `g2`, or the grey one `W2`, `K2`."""
    return (
        f"{edition.letters[die]}{number}"
        if die < GREY
        else f"{edition.letters[WHITE + (number - 1) // 3]}{(number - 1) % 3 + 1}"
    )


def write_card(s: np.void, edition: Edition, card: int) -> str:
    """Write a race card: seat, pile and camel, where the camels stood, and which dice were out, when it was laid."""
    stacks, out = unpack(int(s["card_moment"][card]), int(s["edition"]))
    stood = ".".join(f"{space}{write_letters(camels, edition.letters)}" for space, camels in stacks.items())
    dice = write_letters([die for die in range(GREY + 1) if out >> die & 1], edition.dice_letters) or "-"
    pile, camel = PILE_LETTERS[s["card_pile"][card]], edition.letters[s["card_camel"][card] - 1]
    return f"{s['card_seat'][card]}{pile}{camel}:{stood}:{dice}"


def read(cell: Cell, fields: Fields) -> None:
    """Read a position's fields into a cell that was set up, refusing what no game comes to."""
    s, edition = cell[0], edition_of(cell)
    players = int(s["players"])
    s["phase"] = phase = fields.word("phase", PHASES)
    s["ending"] = fields.word("ending", ENDINGS) if phase == FINISHED else 0
    s["moves_made"] = fields.number("moves", 0, MAX_MOVES)
    s["leg"] = fields.number("leg", 1, MAX_MOVES)
    s["turn"] = fields.number("turn", 0, players - 1)
    s["starter"] = fields.number("start", 0, players - 1)
    set_stacks(s, read_stacks(edition, fields.parts("camels")))
    for text in fields.parts("dice", between="."):
        die, number = read_die(edition, text)
        if s["shown"][die]:
            raise inconsistent("a die is out twice")
        s["shown"][die] = number
        s["dice_out"] |= 1 << die
    s["tiles"][:players] = [read_tile(text) for text in fields.parts("tiles", players)]
    for camel, text in enumerate(fields.parts("tickets", RACING, "/")):
        owners = [] if text == "-" else [whole("tickets", owner, 0, players - 1) for owner in text]
        if len(owners) > TICKETS_PER_CAMEL[s["edition"]]:
            raise inconsistent("there are not so many tickets for a camel")
        s["tickets"][camel, : len(owners)] = [owner + 1 for owner in owners]
    s["pyramid"][:players] = fields.numbers("pyramid", players, 0, 5)
    s["pounds"][:players] = fields.numbers("pounds", players, 0, 100_000)
    if s["partnerships"]:
        s["partners"][:players] = [
            0 if text == "-" else whole("partners", text, 0, players - 1) + 1
            for text in fields.parts("partners", players)
        ]
    read_cards(s, edition, fields.parts("cards"))
    set_actor(s)
    check(s)


def read_letters(name: str, text: str, letters: str) -> list[int]:
    """Read camels or dice by their letters."""
    if not text or any(letter not in letters for letter in text):
        raise BadText(
            "text_bad_value",
            field=name,
            value=text,
            why=Message(mark("the letters are {letters}"), {"letters": Notation(letters)}),
        )
    return [letters.index(letter) for letter in text]


def read_stacks(edition: Edition, parts: list[str]) -> Stacks:
    """Read stacks of camels, `space:camels from the bottom`."""
    stacks: Stacks = {}
    for part in parts:
        space, _, camels = part.partition(":")
        stacks[whole("camels", space, -2, LAST_SPACE + 3)] = read_letters("camels", camels, edition.letters)
    if len(stacks) != len(parts) or list(stacks) != sorted(stacks):
        raise inconsistent("every space stands there once, in order")
    return stacks


def read_die(edition: Edition, text: str) -> tuple[int, int]:
    """Read a die that is out."""
    camel = read_letters("dice", text[:1], edition.letters)[0]
    number = whole("dice", text[1:], 1, 3)
    return (camel, number) if camel < RACING else (GREY, number + 3 * (camel - WHITE))


def read_tile(text: str) -> int:
    """Read where a tile lies: `5+`, `9-`, or a dash."""
    if text == "-":
        return 0
    if text[-1:] not in SIDE_SIGNS or not text:
        raise BadText(
            "text_bad_value", field="tiles", value=text, why="a tile is a space with + or - after it, or a dash"
        )
    space = whole("tiles", text[:-1], 2, LAST_SPACE)
    return space if text[-1] == SIDE_SIGNS[OASIS] else -space


def read_cards(s: np.void, edition: Edition, parts: list[str]) -> None:
    """Read the race cards laid, in their order, and find what is left in the hands."""
    if len(parts) > MOST_CARDS:
        raise inconsistent("there are not so many race cards")
    s["laid"] = len(parts)
    s["hands"][: s["players"]] = ALL_CARDS
    last_seat, camels = int(s["players"]) - 1, edition.letters[:RACING]
    form = re.compile(rf"([0-{last_seat}])([{PILE_LETTERS}])([{camels}]):([^:]*):([^:]*)")
    for card, text in enumerate(parts):
        match = form.fullmatch(text)
        if not match:
            raise BadText(
                "text_bad_value",
                field="cards",
                value=text,
                why="a card is seat, w or l, camel:where the camels stood:dice out",
            )
        camel = edition.letters.index(match[3])
        s["card_seat"][card], s["card_pile"][card], s["card_camel"][card] = (
            int(match[1]),
            (WINNER, LOSER)[match[2] == "l"],
            camel + 1,
        )
        s["hands"][int(match[1])] &= ~(1 << camel)
        stood = [re.sub(r"^([0-9]+)", r"\1:", part, count=1) for part in match[4].split(".")]
        out = [] if match[5] == "-" else read_letters("cards", match[5], edition.dice_letters)
        if out != sorted(set(out)):
            raise inconsistent("the dice of a race card stand there once, in the order of their colours")
        s["card_moment"][card] = pack(read_stacks(edition, stood), sum(1 << die for die in out), int(s["edition"]))


# --- stacks of camels ------------------------------------------------------------------------------------------------


def camels_of(edition: int) -> int:
    """Return how many camels an edition has."""
    return CAMELS if edition == SECOND else RACING


def stacks_of(s: np.void) -> Stacks:
    """Return the stacks of camels of a record."""
    return standing_camels(s["phase"], s["edition"], s["space"].tolist(), s["height"].tolist())


def standing_camels(phase: int, edition: int, spaces: list[int], heights: list[int]) -> Stacks:
    """Return the stacks of camels by the space and the height of each."""
    everywhere = phase in (TURN, ROLLING, FINISHED)  # before, space 0 is no place on the track
    standing = zip(spaces, heights, range(camels_of(edition)), strict=False)
    return gather([place for place in standing if everywhere or place[0]])


def gather(places: list[tuple[int, int, int]]) -> Stacks:
    """Return stacks from (space, height, camel)."""
    stacks: Stacks = {}
    for space, _, camel in sorted(places):
        stacks.setdefault(space, []).append(camel)
    return stacks


def set_stacks(s: np.void, stacks: Stacks) -> None:
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
    check_stacks(stacks, edition, 1, LAST_SPACE)
    if dice_out.bit_count() >= DICE_PER_LEG:
        raise inconsistent("a race card was laid when the leg was over")
    moment = dice_out << 8 * CAMELS
    for space, camels in stacks.items():
        for height, camel in enumerate(camels):
            moment |= (space << 3 | height) << 8 * (CAMELS - 1 - camel)
    return moment


def set_actor(s: np.void) -> None:
    """Say who is to act: the seat whose turn it is, chance, or none."""
    s["actor"] = s["turn"] if s["phase"] == TURN else OVER if s["phase"] == FINISHED else CHANCE
    s["acting"] = 1 << int(s["turn"]) if s["phase"] == TURN else 0


# --- what no game comes to -------------------------------------------------------------------------------------------


def check(s: np.void) -> None:
    """Refuse a state or a view that no game comes to; its camels and dice are each in their place."""
    players, phase = int(s["players"]), int(s["phase"])
    taken = check_tickets(s["tickets"].tolist())
    check_pyramid(s, phase)
    pairs = check_partners(s["partners"][:players].tolist(), bool(s["partnerships"]))
    laid = check_tiles(s["tiles"][:players].tolist(), set(s["space"].tolist()))
    check_clock(s, phase, taken + pairs + laid + int(s["pyramid"].sum()))
    check_cards(s, players)
    paid_later = 0 if phase == FINISHED else taken + pairs + int(s["laid"])
    most = STARTING_POUNDS + 8 * (int(s["moves_made"]) - paid_later)  # no move brings a player more than 8
    if max(s["pounds"].tolist()) > most:
        raise inconsistent("so many moves do not bring so much money")


def check_stacks(stacks: Stacks, edition: int, low: int, high: int) -> None:
    """Refuse camels that are missing, in two places, or off the track."""
    if sorted(chain(*stacks.values())) != list(range(camels_of(edition))):
        raise inconsistent("a camel is missing, or in two places")
    if any(not low <= space <= high for space in stacks):
        raise inconsistent("a camel is off the track")


def check_camels(s: np.void, stacks: Stacks) -> None:
    """Refuse camels that do not fit the phase."""
    edition, phase = int(s["edition"]), int(s["phase"])
    if phase in (TURN, ROLLING, FINISHED):
        check_finish(stacks, edition, phase == FINISHED and s["ending"] == LINE_CROSSED)
        return
    spaces = {camel: space for space, camels in stacks.items() for camel in camels}
    up = sorted(chain(*stacks.values()))
    racing = [camel for camel in up if camel < RACING]
    if racing != list(range(len(racing))) or any(not 1 <= spaces[camel] <= 3 for camel in racing):
        raise inconsistent("the camels are set up in the order of their colours, on spaces 1 to 3")
    if phase == SETTING_CRAZY:
        if (
            edition != SECOND
            or len(racing) < RACING
            or len(up) > RACING + 1
            or any(not LAST_SPACE - 2 <= spaces[crazy] <= LAST_SPACE for crazy in up[RACING:])
        ):
            raise inconsistent("the crazy camels are set up last, on spaces 14 to 16")
    elif len(up) > len(racing) or (phase == SETTING_UP and len(racing) == RACING):
        raise inconsistent("the racing camels are set up first")
    elif phase == STACKING and not any(len(camels) > 1 and camels[-1] == len(racing) - 1 for camels in stacks.values()):
        raise inconsistent("the camel to be stacked stands on top of others")


def check_finish(stacks: Stacks, edition: int, crossed: bool) -> None:
    """Refuse camels beyond the line, unless one unit crossed it and ended the race.

    A crazy camel leads the unit backwards, a racing one forward.
    """
    check_stacks(stacks, edition, -2, LAST_SPACE + 3)
    beyond = [space for space in stacks if not 1 <= space <= LAST_SPACE]
    if len(beyond) != crossed or any((stacks[space][0] in (WHITE, BLACK)) != (space < 1) for space in beyond):
        raise inconsistent("the race ends when one unit crosses the line, led by a camel that runs that way")


def check_tickets(stacks: list[list[int]]) -> int:
    """Refuse betting tickets that were not taken from the top; return how many were."""
    taken = [[owner for owner in owners if owner] for owners in stacks]
    if any(owners[: len(some)] != some for owners, some in zip(stacks, taken, strict=True)):
        raise inconsistent("betting tickets are taken from the top")
    return sum(map(len, taken))


def check_pyramid(s: np.void, phase: int) -> None:
    """Refuse dice that do not fit the pyramid tickets."""
    out = int(s["dice_out"]).bit_count()
    if int(s["pyramid"].sum()) != out + (phase == ROLLING) or out >= DICE_PER_LEG:
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
    if any(not 2 <= space <= LAST_SPACE or space in camels for space in spaces):
        raise inconsistent("a tile lies on a space from 2 to 16 without a camel")
    if any(far - near < 2 for near, far in pairwise(spaces)):
        raise inconsistent("two tiles lie next to each other")
    return len(spaces)


def check_clock(s: np.void, phase: int, in_leg: int) -> None:
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
    if moves < in_leg + laid + DICE_PER_LEG * (leg - 1):
        raise inconsistent("so few moves do not bring so many tickets, tiles, cards and legs")
    if leg == 1 and s["starter"]:
        raise inconsistent("seat 0 begins the first leg")


def check_cards(s: np.void, players: int) -> None:
    """Refuse race cards that their owners do not have; a view does not know all of them."""
    laid = int(s["laid"])
    seats, camels = s["card_seat"][:laid].tolist(), s["card_camel"][:laid].tolist()
    known = [(seat, camel) for seat, camel in zip(seats, camels, strict=True) if camel]
    if len(set(known)) != len(known) or any(seats.count(seat) > RACING for seat in range(players)):
        raise inconsistent("a race card is laid twice")
