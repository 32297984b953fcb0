"""What the page of 6 nimmt! says around the table: how far the game is, the position in words, what is asked for."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.board import Prompt
from sarai.core.markup import join, markup
from sarai.core.messages import Choice, Message, Name, Notation, Say, Series, mark
from sarai.games.sixnimmt.board.cards import heads_on
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT

SPACE = Markup(" ")


def headline(view: Mapping[str, Any], say: Say) -> Markup:
    """Say how far the game is."""
    options = view["options"]
    return headline_of(
        view["round"],
        view["trick"],
        view["phase"],
        view["dealt"],
        HAND * view["players"],
        options["rounds"],
        options["target"],
        say,
    )


@lru_cache(maxsize=1024)
def headline_of(
    number: int, trick: int, phase: str, dealt: int, cards: int, rounds: int, target: int, say: Say
) -> Markup:
    """Say how far the game is, by what it depends on."""
    if phase == "deal":
        moment = say("the cards are dealt")
    elif phase == "draft":
        moment = say("draft: card {card} of {cards}", card=dealt + 1, cards=cards)
    elif phase == "over":
        moment = say("the game is over")
    else:
        moment = say("trick {trick} of {tricks}", trick=trick, tricks=HAND)
    if rounds:
        goal = say("{rounds, plural, one {# round in all} other {# rounds in all}}", rounds=rounds)
    else:
        goal = say("{target, plural, one {ends above # head} other {ends above # heads}}", target=target)
    return markup(
        '<p id="where" class="where"><b>{round}</b>\u00a0· {moment}\u00a0· <span class="goal">{goal}</span></p>',
        round=say("Round {round}", round=number),
        moment=moment,
        goal=goal,
    )


@lru_cache(maxsize=2048)
def row_in_words(number: int, cards: tuple[int, ...], say: Say) -> str:
    """Tell a row's cards and what they cost."""
    message = mark("Row {row}: {cards}; bull heads: {heads}.")
    if len(cards) == ROW_LIMIT:
        message = mark("Row {row}: {cards}; bull heads: {heads}; the next card takes it.")
    shown = Series(cards) if cards else Notation("–")
    return say(message, row=number, cards=shown, heads=heads_on(cards))


@lru_cache(maxsize=4096)
def row_label(number: int, cards: tuple[int, ...], following: int, say: Say) -> str:
    """Tell of a row what lies there, what still fits, and which cards come there: up to another row's last card."""
    if not cards:
        return row_in_words(number, cards, say)
    lowest = cards[-1] + 1
    return say(
        "Row {row}: {cards}; bull heads: {heads}; "
        "{free, plural, =0 {the next card takes it} one {# place free} other {# places free}}; "
        "{which, select, none {no card comes here} one {only {low} comes here} "
        "other {cards from {low} to {high} come here}}",
        row=number,
        cards=Series(cards),
        heads=heads_on(cards),
        free=ROW_LIMIT - len(cards),
        which=Choice({0: "none", 1: "one"}.get(following - lowest, "several")),
        low=lowest,
        high=following - 1,
    )


@lru_cache(maxsize=4096)
def rows_beside(number: int, above: int, below: int, say: Say) -> str:
    """Tell of the rows beside a row, by their last cards, where they lie; 0: there is none."""
    if not above:
        return say("below it row {row}, which ends in {card}", row=number + 1, card=below)
    if not below:
        return say("above it row {row}, which ends in {card}", row=number - 1, card=above)
    return say(
        "above it row {row}, which ends in {card}, below it row {next_row}, which ends in {next_card}",
        row=number - 1,
        card=above,
        next_row=number + 1,
        next_card=below,
    )


@lru_cache(maxsize=2048)
def row_sentence(number: int, cards: tuple[int, ...], say: Say) -> Markup:
    """Return what a row is in words, in an element of its own."""
    return markup("<span>{said}</span>", said=row_in_words(number, cards, say))


@lru_cache(maxsize=4096)
def total_sentence(name: str, heads: int, say: Say) -> Markup:
    """Tell a player's heads, in an element of its own."""
    said = say(
        "{heads, plural, one {{name}: # bull head.} other {{name}: # bull heads.}}", name=Name(name), heads=heads
    )
    return markup("<span>{said}</span>", said=said)


@lru_cache(maxsize=4096)
def hand_sentence(cards: tuple[int, ...], say: Say) -> Markup:
    """Tell the viewer's cards, in an element of its own."""
    return markup("<span>{said}</span>", said=say("Your hand: {cards}.", cards=Series(cards)))


@lru_cache(maxsize=1024)
def round_sentence(number: int, say: Say) -> Markup:
    """Tell which round it is, in an element of its own."""
    return markup("<span>{said}</span>", said=say("Round {round}.", round=number))


def summary(view: Mapping[str, Any], names: Sequence[str], say: Say) -> Markup:
    """Tell the position in words."""
    said = [round_sentence(view["round"], say)]
    said += [row_sentence(at, tuple(cards), say) for at, cards in enumerate(view["rows"], 1) if cards]
    said += [
        total_sentence(name, before + pile, say)
        for name, before, pile in zip(names, view["heads"], view["pile_heads"], strict=True)
    ]
    if held := view["hands"].get(str(view["seat"]), []):
        said.append(hand_sentence(tuple(held), say))
    return join(said, SPACE)


def prompt(view: Mapping[str, Any], say: Say) -> Prompt | None:
    """Say what is expected of the viewer, and of others, who are `{names}` in it; nothing when the game is over."""
    if view["phase"] == "over":
        return None
    card = view["turned_up"].get(str(view["seat"]), 0) if view["phase"] == "row" else 0
    return prompt_of(view["phase"], card, view["my_choice"] or 0, say)


@lru_cache(maxsize=4096)
def prompt_of(phase: str, card: int, chosen: int, say: Say) -> Prompt:
    """Say it by what it depends on: the phase, the viewer's low card, the viewer's choice."""
    if phase == "draft":
        return Prompt(say("Take a card into your hand."), Message(mark("Waiting for {names} to take a card.")))
    if phase == "row":
        return Prompt(
            say("Your {card} is lower than every row: choose a row to take.", card=card),
            Message(mark("Waiting for {names} to choose a row to take.")),
        )
    others = Message(mark("Waiting for {names} to choose a card."))
    if chosen:
        others = Message(mark("You have chosen {card}. Waiting for {names} to choose a card."), {"card": chosen})
    return Prompt(say("Choose a card to play."), others)
