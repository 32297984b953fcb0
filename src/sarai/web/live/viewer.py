"""What one kind of viewer sees of a table at one number: drawn once, shared by all connections of that kind, sent as what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from sarai.core.board import Board
from sarai.table.table import GATHERING, PLAYING
from sarai.web.language import Language, language
from sarai.web.live import parts
from sarai.web.live.board import ask, draw, news_of, scene_of
from sarai.web.live.event_log import LogBook, Teller
from sarai.web.live.parts import Around, Kind

if TYPE_CHECKING:
    from sarai.table.table import Table

Gather = Callable[["Table", Kind], str]  # draws the stage of a table that waits for its players

MOST_TABLES = 2000
MOST_KINDS = 100  # of viewers of a table: seats, languages, addresses
encode = msgspec.json.Encoder().encode


class Sight:
    """A table as one kind of viewer sees it at one number."""

    __slots__ = ("choices", "drawing", "frame", "known", "number", "parts", "phase", "picks")

    def __init__(self, table: Table, drawing: Board, around_board: dict[str, str], known: tuple[object, ...]) -> None:
        self.number, self.phase, self.known = table.number, table.phase, known
        self.drawing = drawing
        self.frame = drawing.frame
        self.parts = around_board
        self.choices = drawing.choices
        self.picks = drawing.picks

    def stage(self) -> str:
        """Return the whole board."""
        return f'<div id="stage" class="stage" tabindex="-1">{self.drawing.whole()}</div>'


class Eye:
    """One kind of viewer of one table, with what they have read and seen so far."""

    def __init__(self, kind: Kind, gather: Gather) -> None:
        self.kind, self.gather = kind, gather
        self.language: Language = language(kind.language)
        self.book: LogBook | None = None
        self.sight: Sight | None = None

    def look(self, table: Table, around: Around) -> Sight:
        """Return what there is to see now."""
        known = (table.number, around)
        if self.sight is None or self.sight.known != known:
            self.sight = self._drawn(table, around, known)
        return self.sight

    def _drawn(self, table: Table, around: Around, known: tuple[object, ...]) -> Sight:
        kind, tongue, acting, asked = self.kind, self.language, table.to_act, None
        if table.phase == GATHERING or table.state is None:
            drawing = Board(self.gather(table, kind), {}, {}, (), "")
        else:
            if self.book is None:
                self.book = LogBook(Teller(table.game, table.players, table.options, tongue), kind.seat)
            self.book.catch_up(table)
            scene = scene_of(table, kind.seat, acting, tongue, news_of(table, kind.seat))
            drawing, asked = draw(table, scene), ask(table, scene)
        return Sight(
            table,
            drawing,
            {
                "status": parts.status(table, kind, acting, tongue, around, asked),
                "result": parts.result(table, kind, tongue),
                "summary": f'<p id="summary" class="visually-hidden">{drawing.summary}</p>',
                "players": parts.players(table, kind, acting, tongue, around),
                "actions": parts.actions(table, kind, tongue),
                "moves": parts.moves(kind, table.phase != PLAYING, tongue),
            },
            known,
        )


class Reader:
    """One connection: what it was sent last, so that it gets only what is new."""

    def __init__(self, eye: Eye, version: str, person: str | None) -> None:
        self.eye, self.version, self.person = eye, version, person
        self.talk: tuple[object, str] = (None, "")
        self.sent: Sight | None = None
        self.told: object = None
        self.lines = 0
        self.chat = ""

    def move_to(self, eye: Eye) -> None:
        """Look with another eye from now on: whoever sits down or stands up sees another table."""
        if eye is not self.eye:
            self.eye, self.sent, self.told, self.talk = eye, None, None, (None, "")

    def chat_of(self, table: Table) -> str:
        """Return what was said, put together anew only when somebody spoke or was muted."""
        known = (table.chat[-1].number if table.chat else 0, len(table.muted.get(self.person or "", ())))
        if self.talk[0] != known:
            self.talk = known, parts.chat(table, self.person, self.eye.language)
        return self.talk[1]

    def hold(self, sight: Sight, chat: str) -> None:
        """Take note that the page already shows this."""
        self.sent, self.chat = sight, chat
        if self.eye.book is not None:
            self.told, self.lines = self.eye.book.told, self.eye.book.count

    def news(self, table: Table, sight: Sight, clocks: list[tuple[float, bool]] | None) -> dict[str, Any] | None:
        """Return what changed since the last news, everything the first time; None if nothing did."""
        old, changed, chat = self.sent, dict[str, str](), self.chat_of(table)
        message: dict[str, Any] = {"number": sight.number, "parts": changed}
        for name, text in sight.parts.items():
            if old is None or old.parts[name] != text:
                changed[name] = text
        if chat != self.chat:
            changed["chat"] = chat
        if old is None or old.frame != sight.frame or old.drawing.parts.keys() != sight.drawing.parts.keys():
            changed["stage"] = sight.stage()
        else:
            before = old.drawing.parts
            changed.update({name: text for name, text in sight.drawing.parts.items() if before[name] != text})
        if old is None or old.choices != sight.choices or old.picks != sight.picks:
            message["choices"], message["picks"] = sight.choices, [pick._asdict() for pick in sight.picks]
        if old is None:
            message["version"] = self.version
        if old is None or old.phase != sight.phase:
            message["phase"] = sight.phase
        if self.eye.book is not None:
            start, lines = self.eye.book.since(self.told, self.lines)
            if lines:
                message["log"] = {"from": start, "lines": lines}
        if clocks is not None:
            message["clocks"] = clocks
        is_new = old is None or bool(changed) or len(message) > 2 or old.number != sight.number
        self.hold(sight, chat)
        return message if is_new else None


def clocks_of(table: Table, now: float) -> list[tuple[float, bool]] | None:
    """Return each seat's seconds left, and whether its clock runs."""
    left = table.clocks(now)
    return (
        None
        if left is None
        else [(round(seconds, 1), seat in table.clock_state.running) for seat, seconds in enumerate(left)]
    )


class Gallery:
    """The eyes on all tables that somebody looks at."""

    def __init__(self, gather: Gather) -> None:
        self._gather = gather
        self._eyes: dict[str, dict[Kind, Eye]] = {}

    def eye(self, table: Table, kind: Kind) -> Eye:
        """Return the eye of a kind of viewer."""
        eyes = self._eyes.setdefault(table.id, {})
        if len(self._eyes) > MOST_TABLES:
            self.forget(next(iter(self._eyes)))
        if kind not in eyes:
            if len(eyes) >= MOST_KINDS:  # whoever comes by ever new addresses
                del eyes[next(iter(eyes))]
            eyes[kind] = Eye(kind, self._gather)
        return eyes[kind]

    def forget(self, table_id: str) -> None:
        """Let go of a table that nobody looks at."""
        self._eyes.pop(table_id, None)


__all__ = ["Around", "Eye", "Gallery", "Kind", "Reader", "Sight", "clocks_of", "encode"]
