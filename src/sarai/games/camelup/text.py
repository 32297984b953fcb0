"""Camel Up in words: moves and positions."""

import re
from typing import Any

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Array
from sarai.core.messages import Say
from sarai.core.position_text import Fields, inconsistent, whole
from sarai.core.result import CHANCE
from sarai.games.camelup.edition import EDITIONS, Edition
from sarai.games.camelup.position import Stacks, check, pack, set_actor, set_stacks, stacks_of, unpack
from sarai.games.camelup.table import (
    ALL_CARDS,
    BET,
    CARDS,
    ENDINGS,
    FINISHED,
    GREY,
    GREY_FACE,
    LINE,
    LOSE,
    LOSER,
    MAX_MOVES,
    MIRAGE,
    OASIS,
    PARTNER,
    PHASES,
    PLACE,
    PYRAMID,
    RACING,
    ROLLING,
    SEATS,
    STACKS,
    TILE,
    WHITE,
    WIN,
    WINNER,
    WORTH,
)

PILE_LETTERS = "wl"
SIDE_SIGNS = "+-"


def edition_of(cell: Array) -> Edition:
    """Return the edition a cell is of."""
    return EDITIONS[int(cell["edition"][0])]


# --- moves -----------------------------------------------------------------------------------------------------------------------


def write_move(cell: Array, move: int) -> str:
    """Write a move as `bet g`, `tile 5+`, `roll`, `win g`, `lose g`, `partner 3`; an outcome as `g2`, `W2`, `K2`, `place 2`."""
    letters = edition_of(cell).letters
    if cell["actor"][0] == CHANCE:
        if PLACE <= move < GREY_FACE:
            return f"place {move - PLACE + 1}"
        return f"{letters[camel_of_outcome(move)]}{number_of_outcome(move)}"
    if move < TILE:
        return f"bet {letters[move - BET]}"
    if move < PYRAMID:
        return f"tile {space_of(move)}{SIDE_SIGNS[(move - TILE) % 2]}"
    if move == PYRAMID:
        return "roll"
    if move < LOSE:
        return f"win {letters[move - WIN]}"
    if move < PARTNER:
        return f"lose {letters[move - LOSE]}"
    return f"partner {move - PARTNER}"


def camel_of_outcome(outcome: int) -> int:
    """Return the camel whose die, or whose face of the grey die, an outcome shows."""
    return outcome // 3 if outcome < PLACE else WHITE + (outcome - GREY_FACE) // 3


def number_of_outcome(outcome: int) -> int:
    """Return the number that a die shows."""
    return (outcome if outcome < PLACE else outcome - GREY_FACE) % 3 + 1


def space_of(move: int) -> int:
    """Return the space of a move that puts a tile."""
    return (move - TILE) // 2 + 2


def read_move(cell: Array, text: str) -> int:
    """Read a move or an outcome; camels by letter or by name."""
    edition = edition_of(cell)
    spoken = text.lower()
    move = read_outcome(edition, spoken) if cell["actor"][0] == CHANCE else read_action(edition, spoken)
    if move is None:
        raise BadText("move_unreadable", text=text)
    return move


def read_camel(edition: Edition, text: str) -> int | None:
    """Read a camel's letter or name."""
    for camel, (letter, name) in enumerate(zip(edition.letters, edition.camels, strict=True)):
        if text in (letter.lower(), name):
            return camel
    return None


def read_outcome(edition: Edition, text: str) -> int | None:
    """Read what chance brings."""
    if place := re.fullmatch(r"place\s*([1-5])", text):
        return PLACE + int(place[1]) - 1
    if shown := re.fullmatch(r"([a-z]+)\s*([123])", text):
        camel, number = read_camel(edition, shown[1]), int(shown[2])
        if camel is not None:
            return (3 * camel if camel < RACING else GREY_FACE + 3 * (camel - WHITE)) + number - 1
    return None


def read_action(edition: Edition, text: str) -> int | None:
    """Read what a player does."""
    if text == "roll":
        return PYRAMID
    if tile := re.fullmatch(r"tile\s+([0-9]{1,2})\s*([+-]|[a-z]+)", text):
        signs: dict[str, int] = {"+": OASIS, "-": MIRAGE, edition.sides[OASIS]: OASIS, edition.sides[MIRAGE]: MIRAGE}
        space, side = int(tile[1]), signs.get(tile[2])
        if space == 1:
            raise BadText("no_tile_on_first_space")
        return TILE + 2 * (space - 2) + side if side is not None and 2 <= space <= LINE else None
    if partner := re.fullmatch(r"partner\s+([0-7])", text):
        return PARTNER + int(partner[1]) if len(edition.camels) > RACING else None
    if choice := re.fullmatch(r"(bet|win|lose)\s+([a-z]+)", text):
        camel = read_camel(edition, choice[2])
        if camel is not None and camel < RACING:
            return {"bet": BET, "win": WIN, "lose": LOSE}[choice[1]] + camel
    return None


def words_for_move(cell: Array, move: int, say: Say) -> str:
    """Say a move in words."""
    s, edition = cell[0], edition_of(cell)
    if s["actor"] == CHANCE:
        return words_for_outcome(s["phase"] == ROLLING, edition, move, say)
    if move < TILE:
        left = int(STACKS[s["edition"]]) - int((s["tickets"][move - BET] != 0).sum())
        camel, ticket = say(edition.camels[move - BET]), say(edition.ticket)
        if not left:
            return say("bet on the {camel} camel for this leg: take its {ticket} which is gone").format(
                camel=camel, ticket=ticket
            )
        worth = WORTH[s["edition"], STACKS[s["edition"]] - left]
        return say("bet on the {camel} camel for this leg: take its {ticket} worth {worth}").format(
            camel=camel, ticket=ticket, worth=worth
        )
    if move < PYRAMID:
        laid = s["actor"] >= 0 and s["tiles"][s["actor"]]
        words = (
            say("move your {tile} to space {space}, {side} side up")
            if laid
            else say("lay your {tile} on space {space}, {side} side up")
        )
        return words.format(tile=say(edition.tile), space=space_of(move), side=say(edition.sides[(move - TILE) % 2]))
    if move == PYRAMID:
        return say("take a {ticket} and let a die come out").format(ticket=say(edition.pyramid_ticket))
    if move < PARTNER:
        words = (
            say("lay your {camel} {card} for the overall winner")
            if move < LOSE
            else say("lay your {camel} {card} for the overall loser")
        )
        return words.format(camel=say(edition.camels[(move - WIN) % RACING]), card=say(edition.card))
    return say("become the partner of the player in seat {seat}").format(seat=move - PARTNER)


def words_for_outcome(in_race: bool, edition: Edition, outcome: int, say: Say) -> str:
    """Say what chance brings."""
    if PLACE <= outcome < GREY_FACE:
        return say("place {place} from the bottom of the stack").format(place=outcome - PLACE + 1)
    if outcome < PLACE:
        words = say("the {camel} die shows {number}")
    else:
        words = (
            say("the grey die shows a {camel} {number}")
            if in_race
            else say("the grey die shows {number} for the crazy {camel} camel")
        )
    return words.format(camel=say(edition.camels[camel_of_outcome(outcome)]), number=number_of_outcome(outcome))


def facts(cell: Array, seat: int, move: int) -> dict[str, object]:
    """Name the camel, the space or the partner of a refused move."""
    if TILE <= move < PYRAMID:
        return {"space": space_of(move)}
    if move >= PARTNER:
        return {"partner": move - PARTNER}
    return {"camel": edition_of(cell).camels[(move - BET if move < TILE else move - WIN) % RACING]}


# --- positions -------------------------------------------------------------------------------------------------------------------


def write(cell: Array) -> dict[str, str]:
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


def write_card(s: Any, edition: Edition, card: int) -> str:
    """Write a race card: seat, pile and camel, where the camels stood, and which dice were out, when it was laid."""
    stacks, out = unpack(int(s["card_moment"][card]), int(s["edition"]))
    stood = ".".join(f"{space}{write_letters(camels, edition.letters)}" for space, camels in stacks.items())
    dice = write_letters([die for die in range(GREY + 1) if out >> die & 1], edition.dice_letters) or "-"
    return f"{s['card_seat'][card]}{PILE_LETTERS[s['card_pile'][card]]}{edition.letters[s['card_camel'][card] - 1]}:{stood}:{dice}"


def read(cell: Array, fields: Fields) -> None:
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
        if len(owners) > STACKS[s["edition"]]:
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
        raise BadText("text_bad_value", field=name, value=text, why="the letters are " + letters)
    return [letters.index(letter) for letter in text]


def read_stacks(edition: Edition, parts: list[str]) -> Stacks:
    """Read stacks of camels, `space:camels from the bottom`."""
    stacks: Stacks = {}
    for part in parts:
        space, _, camels = part.partition(":")
        stacks[whole("camels", space, -2, LINE + 3)] = read_letters("camels", camels, edition.letters)
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
    space = whole("tiles", text[:-1], 2, LINE)
    return space if text[-1] == SIDE_SIGNS[OASIS] else -space


def read_cards(s: Any, edition: Edition, parts: list[str]) -> None:
    """Read the race cards laid, in their order, and find what is left in the hands."""
    if len(parts) > CARDS:
        raise inconsistent("there are not so many race cards")
    s["laid"] = len(parts)
    s["hands"][: s["players"]] = ALL_CARDS
    for card, text in enumerate(parts):
        match = re.fullmatch(
            rf"([0-{min(int(s['players']), SEATS) - 1}])([{PILE_LETTERS}])([{edition.letters[:RACING]}]):([^:]*):([^:]*)",
            text,
        )
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
