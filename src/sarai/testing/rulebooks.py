"""What is wrong with the rules of a game for people: numbers, options and reasons in them have to be the game's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sarai.core.errors import Error
from sarai.core.language import ENGLISH, find_language
from sarai.core.rulebook import Example, Kind, Rulebook, arguments_of
from sarai.core.rulebook_examples import SEATS, NotRefused, facts_of, play_example, sentences_of

if TYPE_CHECKING:
    from sarai.core.game import Game

QUESTIONS = 10  # at least
NUMBER = re.compile(
    r"\d|\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|third|fourth|fifth|sixth)\b",
    re.IGNORECASE,
)
NEEDED = ("goal", "setup", "end", "options", "questions")  # sections


def problems(game: Game, rulebook: Rulebook) -> Iterator[str]:
    """Yield what is wrong with the rules of a game."""
    numbers = rulebook_module(game).numbers(game.id)
    for text in rulebook.messages():
        if found := NUMBER.search(without_arguments(text)):
            yield f"the number {found[0]!r} is written out in {text!r}"
    captions = {text for example in rulebook.examples() for text in (example.caption, example.after)}
    for text in set(rulebook.messages()) - captions:
        yield from (f"{name} is no number of the game: {text!r}" for name in arguments_of(text) - set(numbers))
    if sorted(rulebook.options()) != sorted(option.name for option in game.options):
        yield f"the options that are explained are {rulebook.options()}"
    yield from (f"there is no section {name}" for name in NEEDED if name not in rulebook.anchors())
    anchors = [section.anchor for section in rulebook.sections] + [
        block.anchor for block in rulebook.blocks() if block.anchor
    ]
    yield from (f"two places are called {name}" for name in set(anchors) if anchors.count(name) > 1)
    if sum(block.kind == Kind.QUESTION for block in rulebook.blocks()) < QUESTIONS:
        yield f"there are fewer than {QUESTIONS} questions"
    for example in rulebook.examples():
        yield from problems_of_example(game, example, set(numbers))


def problems_of_example(game: Game, example: Example, numbers: set[str]) -> Iterator[str]:
    """Yield what is wrong with an example: the game does not come to it, or what is played there is not possible."""
    english = find_language(ENGLISH)
    yield from (f"{key} is no reason of the game" for _, key in example.refused if key not in game.reasons)
    try:
        played = play_example(game, example)
        sentences_of(game, example, english)
    except (Error, NotRefused) as error:
        yield f"{example.position}: {error}"
        return
    for state, text in ((played.before, example.caption), (played.after, example.after)):
        known = numbers | set(facts_of(game, state, example.seat, english)) - set(SEATS[state.players :])
        yield from (f"{name} is known of no position: {text!r}" for name in arguments_of(text) - known)


def without_arguments(text: str) -> str:
    """Return a message without its arguments, whose names are not shown."""
    return re.sub(r"\{\w+\}", "", text)


def rulebook_module(game: Game):  # type: ignore[no-untyped-def]
    """Return the module of a game that fills its rules."""
    module = game.module("board.rulebook_values")
    assert module is not None, f"{game.id} has no board.rulebook_values"
    return module
