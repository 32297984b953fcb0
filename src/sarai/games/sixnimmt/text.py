"""6 nimmt! in words: positions, moves and events."""

from sarai.core.errors import BadText
from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Array
from sarai.core.messages import Say
from sarai.core.position_text import Fields, inconsistent, whole
from sarai.core.result import CHANCE, OVER
from sarai.games.sixnimmt.rules import (
    CARDS,
    CHOOSING,
    DEALING,
    DRAFTING,
    ENDINGS,
    FINISHED,
    HAND,
    HEADS,
    MAX_MOVES,
    PHASES,
    ROUNDS,
    ROW_LIMIT,
    ROWS,
    TAKE_ROW,
    TAKING_ROW,
    TARGET,
    deck_size,
    row_for,
)
from sarai.games.sixnimmt.view import cards_of, words_of

EVENTS = (
    EventSpec("dealt", ("seat", "card"), secret=("card",), reveals=True),
    EventSpec("row_laid", ("row", "card"), reveals=True),
    EventSpec("drafted", ("seat", "card")),
    EventSpec("chose", ("seat", "card"), secret=("card",)),
    EventSpec("turned_up", ("seat", "card"), reveals=True),
    EventSpec("joined_row", ("seat", "card", "row")),
    EventSpec("took_full_row", ("seat", "card", "row", "heads")),
    EventSpec("took_row", ("seat", "card", "row", "heads")),
    EventSpec("round_over", ("round",)),
    EventSpec("round_score", ("seat", "heads", "total")),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "dealt": "{seat} is dealt {card}.",
    "dealt_hidden": "{seat} is dealt a card.",
    "row_laid": "Row {row} begins with {card}.",
    "drafted": "{seat} takes {card} into hand.",
    "chose": "{seat} chooses {card}.",
    "chose_hidden": "{seat} has chosen.",
    "turned_up": "{seat} turns up {card}.",
    "joined_row": "{card} joins row {row}.",
    "took_full_row": "{card} is the sixth card of row {row}: {seat} takes five cards, bull heads: {heads}.",
    "took_row": "{card} is too low: {seat} takes row {row}, bull heads: {heads}.",
    "round_over": "Round {round} is over.",
    "round_score": "{seat} has bull heads from this round: {heads}, in all: {total}.",
    "game_over": "The game is over: {ending}.",
}


# --- moves -----------------------------------------------------------------------------------------------------------------------


def write_move(cell: Array, move: int) -> str:
    """Write a card as its number, a row as r1 … r4."""
    return f"r{move - TAKE_ROW + 1}" if move >= TAKE_ROW else str(move + 1)


def read_move(cell: Array, text: str) -> int:
    """Read a card's number, or a row as r1 … r4."""
    row = text[:1] in ("r", "R")
    digits = text[1:] if row else text
    if digits.isascii() and digits.isdecimal() and len(digits) < 4 and 1 <= int(digits) <= (ROWS if row else CARDS):
        return int(digits) - 1 + (TAKE_ROW if row else 0)
    raise BadText("move_unreadable", text=text)


def words_for_move(cell: Array, move: int, say: Say) -> str:
    """Say a move in words."""
    state = cell[0]
    if move >= TAKE_ROW:
        row = move - TAKE_ROW
        cards = state["rows"][row, : state["lengths"][row]]
        heads = int(HEADS[cards].sum())
        return say("take row {row} ({cards}: {heads})").format(
            row=row + 1, cards=", ".join(map(str, cards)), heads=count_heads(heads, say)
        )
    words = (
        say("take {card} ({heads})")
        if state["phase"] == DRAFTING
        else say("deal {card} ({heads})")
        if state["actor"] == CHANCE
        else say("play {card} ({heads})")
    )
    return words.format(card=move + 1, heads=count_heads(int(HEADS[move + 1]), say))


def count_heads(heads: int, say: Say) -> str:
    """Say how many bull heads."""
    return say("1 head") if heads == 1 else say("{heads} heads").format(heads=heads)


def facts(cell: Array, seat: int, move: int) -> dict[str, object]:
    """Name the card of a refused move."""
    return {"card": move + 1}


# --- positions -------------------------------------------------------------------------------------------------------------------


def write(cell: Array) -> dict[str, str]:
    """Write a position's fields."""
    s = cell[0]
    players = int(s["players"])
    return {
        "phase": PHASES[s["phase"]],
        **({"ending": ENDINGS[s["ending"]]} if s["phase"] == FINISHED else {}),
        "moves": str(s["moves_made"]),
        "round": str(s["round_number"]),
        "trick": str(s["trick"] + 1),
        "heads": ",".join(map(str, s["heads"][:players])),
        "rows": "/".join(write_cards(s["rows"][row, : s["lengths"][row]].tolist()) for row in range(ROWS)),
        "hands": "/".join(write_cards(cards_of(hand)) for hand in s["hands"][:players]),
        "chosen": ",".join(map(str, s["chosen"][:players])),
        "piles": "/".join(write_cards(cards_of(pile)) for pile in s["piles"][:players]),
        "played": "/".join(write_cards([card for card in cards.tolist() if card]) for cards in s["played"][:players]),
    }


def write_cards(cards: list[int]) -> str:
    """Write cards with dots between, none as a dash."""
    return ".".join(map(str, cards)) or "-"


def read_cards(name: str, text: str, last: int) -> list[int]:
    """Read cards with dots between."""
    return [] if text == "-" else [whole(name, part, 1, last) for part in text.split(".")]


def read(cell: Array, fields: Fields) -> None:
    """Read a position's fields into a cell that was set up, refusing what no game comes to."""
    s = cell[0]
    players, last = int(s["players"]), int(deck_size(cell[0]))
    s["phase"] = phase = fields.word("phase", PHASES)
    s["ending"] = fields.word("ending", ENDINGS) if phase == FINISHED else 0
    s["moves_made"] = fields.number("moves", 0, MAX_MOVES)
    s["round_number"] = fields.number("round", 1, 10_000)
    s["trick"] = trick = fields.number("trick", 1, HAND + 1) - 1
    s["heads"][:players] = heads = fields.numbers("heads", players, 0, 30_000)
    rows, hands, piles, played = (
        [read_cards(name, part, last) for part in fields.parts(name, count, "/")]
        for name, count in (("rows", ROWS), ("hands", players), ("piles", players), ("played", players))
    )
    s["chosen"][:players] = chosen = fields.numbers("chosen", players, 0, last)
    check_clock(cell, phase, trick, heads)
    check_cards(phase, trick, rows, hands, piles, chosen, played)

    for row, cards in enumerate(rows):
        s["lengths"][row] = len(cards)
        s["rows"][row, : len(cards)] = cards
    stock = set(range(1, last + 1)) - set(sum(rows + hands + piles, chosen))
    for seat in range(players):
        s["hands"][seat], s["piles"][seat] = words_of(hands[seat]), words_of(piles[seat])
        s["pile_heads"][seat] = HEADS[piles[seat]].sum()
        s["played"][seat, : len(played[seat])] = played[seat]
    s["stock"] = words_of([] if phase == FINISHED else sorted(stock))
    s["dealt"] = (
        sum(map(len, hands + rows))
        if phase in (DEALING, DRAFTING)
        else 0
        if phase == FINISHED
        else HAND * players + ROWS
    )
    set_actor(cell, phase, chosen)


def set_actor(cell: Array, phase: int, chosen: list[int]) -> None:
    """Find who is to act."""
    s = cell[0]
    players = int(s["players"])
    acting: list[int] = []
    if phase == DRAFTING:
        if not s["draft"]:
            raise inconsistent("there is no draft without the option")
        acting = [int(s["round_number"] - 1 + s["dealt"]) % players]
        begins = int(s["round_number"] - 1) % players
        wanted = [len(range((seat - begins) % players, int(s["dealt"]), players)) for seat in range(players)]
        if wanted != [len(cards_of(hand)) for hand in s["hands"][:players]] or s["dealt"] >= HAND * players:
            raise inconsistent("the hands do not fit the order of the draft")
    elif phase == CHOOSING:
        acting = [seat for seat in range(players) if not chosen[seat]]
    elif phase == TAKING_ROW:
        lowest = min((card for card in chosen if card), default=0)
        if not lowest or row_for(cell[0], lowest) >= 0:
            raise inconsistent("no card is lower than every row")
        acting = [chosen.index(lowest)]
    elif phase == DEALING and (s["draft"] or s["dealt"] >= HAND * players + ROWS):
        raise inconsistent("there is nothing to deal")
    if phase == CHOOSING and not acting:
        raise inconsistent("all have chosen")
    s["acting"] = sum(1 << seat for seat in acting)
    s["actor"] = acting[0] if acting else OVER if phase == FINISHED else CHANCE


def check_clock(cell: Array, phase: int, trick: int, heads: list[int]) -> None:
    """Refuse counts that do not fit the phase or the end of the game."""
    s = cell[0]
    if phase == FINISHED:
        ending = int(s["ending"])
        passed = not s["round_limit"] and max(heads) > s["target"]
        last_round = s["round_limit"] and s["round_number"] == s["round_limit"]
        if ending == 0 or (ending == TARGET and not passed) or (ending == ROUNDS and not last_round):
            raise inconsistent("the game is not over for that reason")
    elif s["moves_made"] >= MAX_MOVES or (
        max(heads) > s["target"] if not s["round_limit"] else s["round_number"] > s["round_limit"]
    ):
        raise inconsistent("the game would be over")
    elif trick > (0 if phase in (DEALING, DRAFTING) else HAND - 1):
        raise inconsistent("there is no such trick in this phase")


def check_cards(
    phase: int,
    trick: int,
    rows: list[list[int]],
    hands: list[list[int]],
    piles: list[list[int]],
    chosen: list[int],
    played: list[list[int]],
) -> None:
    """Refuse cards that are in two places, out of order, too many or too few."""
    laid = [card for card in chosen if card]
    everywhere = sum(rows + hands + piles, laid)
    if len(set(everywhere)) != len(everywhere):
        raise inconsistent("a card is in two places")
    if any(list(row) != sorted(row) or len(row) > ROW_LIMIT for row in rows):
        raise inconsistent("a row is not ascending, or longer than five")
    if any(hand != sorted(hand) for hand in hands + piles):
        raise inconsistent("a hand or pile is not sorted")
    if phase == FINISHED:
        if sum(hands + piles, laid):
            raise inconsistent("cards are put away when the game is over")
        shown = sum(played, [])
        if any(len(cards) > HAND for cards in played) or len(set(shown)) != len(shown):
            raise inconsistent("more than ten cards were played, or one of them twice")
        return
    if phase in (DEALING, DRAFTING):
        if sum(piles + played, laid):
            raise inconsistent("nothing is played before the cards are dealt")
        if phase == DEALING:
            check_deal(rows, hands)
        elif sum(rows, []):
            raise inconsistent("there are no rows before the draft is over")
        return
    if not all(rows):
        raise inconsistent("a row is empty")
    turned_up = trick + (phase == TAKING_ROW)
    down = [0 if phase == TAKING_ROW else 1 if card else 0 for card in chosen]
    if any(len(cards) != turned_up for cards in played) or any(
        len(hand) + face_down != HAND - turned_up for hand, face_down in zip(hands, down, strict=True)
    ):
        raise inconsistent("the hands do not fit the trick")
    if phase == TAKING_ROW and any(card and card != cards[-1] for card, cards in zip(chosen, played, strict=True)):
        raise inconsistent("a card to be placed was not the one turned up")
    joined = set(sum(played, []))
    if phase == TAKING_ROW:
        joined -= set(laid)
    table = sum(rows + piles, [])
    if (
        len(joined) + len(laid if phase == TAKING_ROW else []) != sum(map(len, played))
        or not joined <= set(table)
        or len(table) != len(joined) + ROWS
    ):
        raise inconsistent("the cards on the table are not those that were played")


def check_deal(rows: list[list[int]], hands: list[list[int]]) -> None:
    """Refuse a deal that is out of order: hands one after the other, then the rows."""
    sizes = [len(hand) for hand in hands]
    wanted = sum(sizes)
    for size in sizes:
        if size != min(wanted, HAND):
            raise inconsistent("the cards are dealt hand by hand")
        wanted -= size
    lengths = [len(row) for row in rows]
    if lengths != sorted(lengths, reverse=True) or max(lengths) > 1 or (any(rows) and min(sizes) < HAND):
        raise inconsistent("the rows are laid one by one after the hands")
