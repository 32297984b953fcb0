"""Events in sentences: what one reader saw, in their language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from sarai.core.events import Event, Words, said_arguments
from sarai.core.language import ENGLISH, Language, find_language
from sarai.core.messages import Item, Name

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value

NO_SENTENCES: Mapping[str, str] = {}


class EventSentences:
    """Says the events of a game in one language; `others` are sentences of events that are not the game's.

    What people know by other words is said in these, or in notation, as a terminal shows it.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        options: Mapping[str, Value],
        language: Language,
        others: Mapping[str, str] = NO_SENTENCES,
        in_notation: bool = False,
    ) -> None:
        definition = game.definition
        self.game, self.options, self.language = game, options, language
        self.sentences = {**definition.sentences_for(players, options), **others}
        self.grouped = {key: language.say(text) for key, text in definition.grouped.items()}
        self.concealed = definition.concealed_for(options)
        self.contexts = definition.contexts
        known = {name: words for spec in definition.events for name, words in spec.said.items() if not in_notation}
        self.known = {name: in_language(words, language) for name, words in known.items()}

    def sentence(
        self, event: Event, names: Sequence[Item], seat: int | None, is_over: bool, says_you: bool = True
    ) -> str:
        """Return an event as a sentence, which says "you" to the seat that reads it; markup if names are.

        What an option conceals from others is shown when the game is over.
        """
        key, own = event.key, seat is not None and event.args.get("seat") == seat
        if key in self.grouped:
            return self.grouped[key]
        arguments = said_arguments(event, names, self.contexts.get(key, NO_SENTENCES), self.known)
        if key in self.concealed and event.args.get("seat") != seat and not is_over:
            return self.language.say(self.concealed[key], **arguments)
        message = None
        if says_you and seat is not None:
            if own:
                message = self.sentences.get(f"{key}_you")
            elif event.args.get("partner") == seat:
                message = self.sentences.get(f"{key}_with_you")
        return self.language.say(self.sentences[key] if message is None else message, **arguments)


def in_language(words: Words, language: Language) -> Callable[[str], str]:
    """Return a function that says an argument in a language."""
    return lambda value: words(value, language.say)


def sentence(event: Event, sentences: Mapping[str, str], names: Sequence[str]) -> str:
    """Say an event in English, with players' names for their seats."""
    return find_language(ENGLISH).say(sentences[event.key], **said_arguments(event, [Name(name) for name in names]))
