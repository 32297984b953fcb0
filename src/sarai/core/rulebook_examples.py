"""Examples of the rules, played by the game itself: what happens, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sarai.core.errors import Illegal
from sarai.core.event_sentences import EventSentences
from sarai.core.events import Event
from sarai.core.messages import Argument, Item, Name, Said, mark
from sarai.core.refusal_sentences import say_refusal
from sarai.core.rulebook import Example

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.language import Language
    from sarai.core.state_and_view import State

NAMES = (mark("Mina"), mark("Noam"), mark("Eleni"), mark("Sam"))  # of the players in examples, by seat
SEATS = ("first_seat", "second_seat", "third_seat", "fourth_seat")  # by which captions name them


class Played(NamedTuple):
    """An example as it was played."""

    before: State
    after: State
    events: tuple[Event, ...]
    refused: tuple[Illegal, ...]


class NotRefused(AssertionError):
    """An example says that a move is refused, for a reason that the game does not give."""


@cache
def play_example(game: Game, example: Example) -> Played:
    """Play an example; what is not possible, or is said to be refused and is not, raises an error."""
    before = game.parse(example.position)
    refused = tuple(refusal_of(before, move, reason) for move, reason in example.refused)
    state, events = before, list[Event]()
    for move in example.play:
        state, seen = game.play_with_events(state, game.parse_move(state, move))
        events += seen(example.seat)
    return Played(before, state, tuple(events), refused)


def refusal_of(state: State, move: str, reason: str) -> Illegal:
    """Return why a move is refused, which has to be for a reason."""
    refused = state.why_not(state.game.parse_move(state, move), state.actor)
    if refused is None or refused.key != reason:
        raise NotRefused(f"{move}: {refused and refused.key}, not {reason}")
    return refused


def names_of(example_players: int, language: Language) -> list[str]:
    """Return the players' names in a language."""
    return [language.say(NAMES[seat]) for seat in range(example_players)]


def facts_of(game: Game, state: State, seat: int | None, language: Language) -> dict[str, Argument]:
    """Return what captions may say of a position: the players' names, and what the game tells of it."""
    named = zip(SEATS, names_of(state.players, language), strict=False)
    facts = getattr(game.module("board.rulebook_values"), "facts", None)
    return {seat: Name(name) for seat, name in named} | (facts(state.view(seat).to_json()) if facts else {})


def sentences_of(game: Game, example: Example, language: Language) -> tuple[list[str], list[str]]:
    """Return what an example's moves bring, and why others are refused, in sentences."""
    played = play_example(game, example)
    state = played.before
    said = EventSentences(game, state.players, state.options, language)
    names: list[Item] = [Name(name) for name in names_of(state.players, language)]
    untold = getattr(game.module("board.rulebook_values"), "UNTOLD", frozenset[str]())
    told = [
        said.sentence(event, names, example.seat, True, says_you=False)
        for event in played.events
        if event.key not in untold
    ]
    refused = list[str]()
    for error in played.refused:
        facts = {
            name: Said(said.known[name](str(value))) if name in said.known else value
            for name, value in error.facts.items()
        }
        refused.append(say_refusal(Illegal(error.key, **facts), language))
    return told, refused
