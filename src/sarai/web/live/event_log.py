"""The log of a table in words: what one viewer saw, in their language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from sarai.core.event_sentences import EventSentences
from sarai.core.events import Event
from sarai.core.markup import EMPTY, isolated, join, markup
from sarai.table.event_types import TABLE_SENTENCES
from sarai.table.table import FINISHED
from sarai.web.live.names import shown_names

if TYPE_CHECKING:
    from sarai.core.language import Language
    from sarai.table.table import Table
    from sarai.table.visible_events import Seen

KEPT = 300  # lines that a page shows
BACK = Markup(' class="taken-back"')  # another's move was taken back: no show tells it, so the script points it out
SPACE, LINE_BREAK = Markup(" "), Markup(" <br>")


class EventLog:
    """The lines of a table's log for one viewer; new lines are added as the game goes on."""

    def __init__(self, table: Table, seat: int | None, language: Language) -> None:
        self.sentences = EventSentences(table.game, table.players, table.options, language, TABLE_SENTENCES)
        self.seat = seat
        self.names: tuple[Markup, ...] = ()
        self.is_over = False
        self._restart()

    def _restart(self) -> None:
        self.edition = object()  # another one whenever all lines are written anew
        self.lines: list[Markup] = []
        self.first = 0  # how many lines are no longer kept
        self.read = 0  # how many events are in the log
        self._last: str = ""
        self._said: dict[int, tuple[Event, Markup]] = {}  # the newest sentences, by the identity of their events

    @property
    def count(self) -> int:
        """How many lines there have been."""
        return self.first + len(self.lines)

    def update(self, table: Table) -> None:
        """Add what happened since the last update; all lines are written anew if a name changed or the game ended."""
        is_over = table.phase == FINISHED
        names = tuple(map(isolated, shown_names(table.seats, self.sentences.language)))
        if names != self.names or is_over != self.is_over:
            self.names, self.is_over = names, is_over
            self._restart()
        seen = table.seen(self.seat)
        if self.read == len(seen):
            return
        if self.read == 0:
            self.first = self.read = first_kept(seen)
        number, sentences, is_back, self._said = 0, list[Markup](), False, {}
        for index in range(self.read, len(seen)):
            event_number, event = seen[index]
            if event_number != number and sentences:
                self._add_line(number, sentences, is_back)
                sentences, is_back = [], False
            number = event_number
            is_back = is_back or (event.key == "taken_back" and event.args["seat"] != self.seat)
            sentence = escape(self.sentences.sentence(event, names, self.seat, is_over))
            self._said[id(event)] = event, sentence
            sentences.append(sentence)
        self._add_line(number, sentences, is_back)
        self.read = len(seen)
        if len(self.lines) > 2 * KEPT:
            self.first += len(self.lines) - KEPT
            del self.lines[:-KEPT]

    def sentence(self, event: Event, is_over: bool) -> Markup:
        """Return an event as a sentence: as the log has just said it, if it did."""
        said = self._said.get(id(event))
        if said is not None and said[0] is event and is_over == self.is_over:
            return said[1]
        return escape(self.sentences.sentence(event, self.names, self.seat, is_over))

    def _add_line(self, number: int, sentences: list[Markup], is_back: bool) -> None:
        text = sentences[0]
        if len(sentences) > 1:
            different = list(dict.fromkeys(sentences))
            text = each_in_element(different, LINE_BREAK if len(different) > 2 else SPACE)
        if text != self._last:
            css = BACK if is_back else EMPTY
            self.lines.append(markup('<li id="log-{number}"{css}>{text}</li>', number=number, css=css, text=text))
        self._last = text

    def since(self, edition: object, count: int) -> tuple[int, list[Markup]]:
        """Return where the lines begin that were not sent yet, and those lines; from 0 if all are new."""
        if edition is not self.edition or count < self.first:
            return 0, self.lines[-KEPT:]
        return count, self.lines[count - self.first :]


def each_in_element(sentences: Sequence[Markup], between: Markup = SPACE) -> Markup:
    """Let sentences follow one another, each in an element of its own if there are several."""
    if len(sentences) == 1:
        return sentences[0]
    return join([markup("<span>{sentence}</span>", sentence=sentence) for sentence in sentences], between)


def first_kept(seen: Sequence[Seen]) -> int:
    """Return where the last events begin that a page shows: a long log is not written down to be thrown away."""
    lines, last = 0, 0
    for index in range(len(seen) - 1, -1, -1):
        if seen[index].number != last:
            last, lines = seen[index].number, lines + 1
            if lines > KEPT:
                return index + 1
    return 0
