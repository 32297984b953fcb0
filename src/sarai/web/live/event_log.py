"""The log of a table in words: what one kind of viewer saw, in their language, with names that cannot disturb the sentence."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from sarai.core.events import SEATS, Argument, Event
from sarai.table.log import TOLD
from sarai.table.table import FINISHED
from sarai.web.language import Language, isolated

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value
    from sarai.table.table import Table

KEPT = 300  # lines that a page shows


class Teller:
    """Says a game's events in one language."""

    def __init__(self, game: Game, players: int, options: Mapping[str, Value], language: Language) -> None:
        words = importlib.import_module(f"{game.package}.terminal")
        self.language = language
        self.sentences = {**game.definition.sentences_for(players, options), **TOLD}
        self.folded: Mapping[str, str] = getattr(words, "FOLDED", {})  # what the board shows better than a line each
        declared: Mapping[tuple[str, Value], Mapping[str, str]] = getattr(words, "DISCREET", {})
        self.discreet = {
            key: text
            for (name, value), texts in declared.items()
            if options.get(name) == value
            for key, text in texts.items()
        }

    def say(self, event: Event, names: Sequence[str], seat: int | None, is_over: bool) -> str:
        """Return an event as a sentence of markup; what options keep from others is told when the game is over."""
        hidden = event.key in self.discreet and event.args.get("seat") != seat and not is_over
        text = escape(self.language.say((self.discreet if hidden else self.sentences)[event.key]), quote=False)
        return text.format(**{name: self._spoken(name, value, names) for name, value in event.args.items()})

    def _spoken(self, name: str, value: Argument, names: Sequence[str]) -> str:
        if isinstance(value, list):
            return self.language.listed([self._word(word) for word in value]) or self.language.say("nothing")
        if isinstance(value, str):
            return self._word(value)
        if name in SEATS and isinstance(value, int) and 0 <= value < len(names):
            return names[value]
        return self.language.number(value)

    def _word(self, word: str) -> str:
        return escape(self.language.say(word.replace("_", " ")), quote=False)


class LogBook:
    """The lines of a table's log for one kind of viewer, written on as the game goes on."""

    def __init__(self, teller: Teller, seat: int | None) -> None:
        self.teller, self.seat = teller, seat
        self.told = object()  # another one whenever the log is written anew
        self.names: tuple[str, ...] = ()
        self.is_over = False
        self._begin()

    def _begin(self) -> None:
        self.told = object()
        self.lines: list[str] = []
        self.first = 0  # lines that are no longer kept
        self.read = 0
        self._last = ""

    @property
    def count(self) -> int:
        """How many lines there have been."""
        return self.first + len(self.lines)

    def catch_up(self, table: Table) -> None:
        """Write down what happened since."""
        names, is_over = tuple(isolated(name) for name in table.names), table.phase == FINISHED
        if names != self.names or is_over != self.is_over:
            self.names, self.is_over = names, is_over
            self._begin()
        seen = table.seen(self.seat)
        if self.read == len(seen):
            return
        number, sentences = 0, list[str]()
        for index in range(self.read, len(seen)):
            event_number, event = seen[index]
            if event_number != number and sentences:
                self._add(number, sentences)
                sentences = []
            number = event_number
            folded = self.teller.folded.get(event.key)
            sentences.append(
                self.teller.language.say(folded) if folded else self.teller.say(event, names, self.seat, is_over)
            )
        self._add(number, sentences)
        self.read = len(seen)
        if len(self.lines) > 2 * KEPT:
            self.first += len(self.lines) - KEPT
            del self.lines[:-KEPT]

    def _add(self, number: int, sentences: list[str]) -> None:
        told = list(dict.fromkeys(sentences))
        text = (" <br>" if len(told) > 2 else " ").join(told)
        if text != self._last:
            self.lines.append(f'<li id="log-{number}">{text}</li>')
        self._last = text

    def since(self, told: object, count: int) -> tuple[int, list[str]]:
        """Return where the lines begin that somebody has not read, and those lines; from 0 if all are new."""
        if told is not self.told or count < self.first:
            return 0, self.lines[-KEPT:]
        return count, self.lines[count - self.first :]
