"""What the page of 6 nimmt! says around the table: how far the game is, the position in words, what is asked for."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.markup import markup
from sarai.core.messages import Say
from sarai.games.sixnimmt.board.cards import heads_on
from sarai.games.sixnimmt.state import HAND


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
        moment = say("draft: card {card} of {cards}").format(card=dealt + 1, cards=cards)
    elif phase == "over":
        moment = say("the game is over")
    else:
        moment = say("trick {trick} of {tricks}").format(trick=trick, tricks=HAND)
    if rounds:
        goal = say("{rounds} rounds in all").format(rounds=rounds)
    else:
        goal = say("ends above {target} heads").format(target=target)
    return markup(
        '<p id="where" class="where"><b>{round}</b> · {moment} · <span class="goal">{goal}</span></p>',
        round=say("Round {round}").format(round=number),
        moment=moment,
        goal=goal,
    )


@lru_cache(maxsize=2048)
def row_in_words(number: int, cards: tuple[int, ...], say: Say) -> str:
    """Tell a row's cards and what they cost."""
    return say("Row {row}: {cards}; bull heads: {heads}").format(
        row=number, cards=", ".join(map(str, cards)) or "–", heads=heads_on(cards)
    )


@lru_cache(maxsize=4096)
def total_in_words(name: str, heads: int, say: Say) -> str:
    """Tell a player's heads."""
    return say("{name}: bull heads {heads}").format(name=name, heads=heads)


def summary(view: Mapping[str, Any], names: Sequence[str], say: Say) -> Markup:
    """Tell the position in words."""
    rows = [row_in_words(at, tuple(cards), say) for at, cards in enumerate(view["rows"], 1) if cards]
    totals = [
        total_in_words(name, before + pile, say)
        for name, before, pile in zip(names, view["heads"], view["pile_heads"], strict=True)
    ]
    held = view["hands"].get(str(view["seat"]), [])
    own = [say("Your hand: {cards}").format(cards=", ".join(map(str, held)))] if held else []
    return escape(". ".join([say("Round {round}").format(round=view["round"]), *rows, *totals, *own]) + ".")


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
        return Prompt(say("Take a card into your hand."), say("Waiting for {names} to take a card."))
    if phase == "row":
        return Prompt(
            say("Your {card} is lower than every row: choose a row to take.").format(card=card),
            say("Waiting for {names} to choose a row to take."),
        )
    others = say("Waiting for {names} to choose a card.")
    if chosen:
        others = say("You have chosen {card}. Waiting for {names} to choose a card.").replace("{card}", str(chosen))
    return Prompt(say("Choose a card to play."), others)
