"""What a viewer is shown of a table: rendered once per number, shared by equal viewers, sent as what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from markupsafe import Markup

from sarai.core.board import Board
from sarai.core.markup import markup
from sarai.table.table import GATHERING, PLAYING
from sarai.web.language import find_language
from sarai.web.live import parts
from sarai.web.live.board import news_for, render, scene_of
from sarai.web.live.chat import chat
from sarai.web.live.event_log import EventLog, EventSentences
from sarai.web.live.result import result
from sarai.web.live.viewer import LiveInfo, Viewer

if TYPE_CHECKING:
    from sarai.table.table import Table

RenderGathering = Callable[["Table", Viewer], Markup]  # renders a table that waits for its players

MOST_TABLES = 2000
MOST_VIEWERS = 100  # of a table: seats, languages, addresses


encode = msgspec.json.Encoder(enc_hook=str.__str__).encode  # markup as the text it is; a TypeError for other objects


class Snapshot:
    """A table as a viewer is shown it at one number."""

    __slots__ = ("board", "known", "number", "parts", "phase")

    def __init__(self, table: Table, board: Board, around_board: dict[str, Markup], known: object) -> None:
        self.number, self.phase = table.number, table.phase
        self.board = board
        self.parts = around_board
        self.known = known  # what it was rendered from

    def stage(self) -> Markup:
        """Return the whole board."""
        return markup('<div id="stage" class="stage" tabindex="-1">{board}</div>', board=self.board.whole())

    def picks(self) -> list[dict[str, str]]:
        """Return the board's first choices as the page's script reads them."""
        return [pick._asdict() for pick in self.board.picks]


class ViewerPage:
    """The page of one table for equal viewers: the newest snapshot and the log."""

    def __init__(self, viewer: Viewer, render_gathering: RenderGathering) -> None:
        self.viewer, self.render_gathering = viewer, render_gathering
        self.language = find_language(viewer.language)
        self.log: EventLog | None = None
        self._snapshot: Snapshot | None = None

    def snapshot(self, table: Table, live: LiveInfo) -> Snapshot:
        """Return what there is to see now."""
        known = (table.number, live)
        if self._snapshot is None or self._snapshot.known != known:
            self._snapshot = self._render(table, live, known)
        return self._snapshot

    def _render(self, table: Table, live: LiveInfo, known: object) -> Snapshot:
        viewer, language, acting = self.viewer, self.language, table.to_act
        if table.phase == GATHERING or table.state is None:
            board = Board(self.render_gathering(table, viewer), {}, {})
        else:
            if self.log is None:
                self.log = EventLog(EventSentences(table.game, table.players, table.options, language), viewer.seat)
            self.log.update(table)
            board = render(table.game, scene_of(table, viewer.seat, acting, language, news_for(table, viewer.seat)))
        around_board = {
            "status": parts.status(table, viewer, acting, language, live, board.prompt),
            "result": result(table, viewer, language),
            "summary": markup('<p id="summary" class="visually-hidden">{summary}</p>', summary=board.summary),
            "players": parts.players(table, viewer, acting, language, live),
            "actions": parts.actions(table, viewer, language),
            "moves": parts.moves(viewer, table.phase != PLAYING, language),
        }
        return Snapshot(table, board, around_board, known)


class PageUpdates:
    """One connection: what it was sent last, so that it is sent only what is new."""

    def __init__(self, page: ViewerPage, version: str, person: str | None) -> None:
        self.page, self.version, self.person = page, version, person
        self._sent: Snapshot | None = None
        self._sent_chat: str = ""
        self._log_edition: object = None
        self._log_lines = 0
        self._chat: tuple[object, Markup] | None = None  # what it was rendered from, and the chat

    def switch_to(self, page: ViewerPage) -> None:
        """Switch to another viewer's page: a person who sits down or stands up is shown another table."""
        if page is not self.page:
            self.page, self._sent, self._log_edition, self._chat = page, None, None, None

    def chat(self, table: Table) -> Markup:
        """Return what was said, rendered anew only when a line was added or a person was muted."""
        known = (table.chat[-1].number if table.chat else 0, len(table.muted.get(self.person or "", ())))
        if self._chat is None or self._chat[0] != known:
            self._chat = known, chat(table, self.person, self.page.language)
        return self._chat[1]

    def mark_sent(self, snapshot: Snapshot, chat: Markup) -> None:
        """Note that the page shows this already."""
        self._sent, self._sent_chat = snapshot, chat
        if self.page.log is not None:
            self._log_edition, self._log_lines = self.page.log.edition, self.page.log.count

    def message(
        self, table: Table, snapshot: Snapshot, clocks: list[tuple[float, bool]] | None
    ) -> dict[str, Any] | None:
        """Return what changed since the last message, everything the first time; None if nothing did."""
        old, board, chat = self._sent, snapshot.board, self.chat(table)
        changed = {name: part for name, part in snapshot.parts.items() if old is None or old.parts[name] != part}
        message: dict[str, Any] = {"number": snapshot.number, "parts": changed}
        if chat != self._sent_chat:
            changed["chat"] = chat
        if old is None or old.board.frame != board.frame or old.board.parts.keys() != board.parts.keys():
            changed["stage"] = snapshot.stage()
        else:
            before = old.board.parts
            changed.update({name: part for name, part in board.parts.items() if before[name] != part})
        if old is None or old.board.choices != board.choices or old.board.picks != board.picks:
            message["choices"], message["picks"] = board.choices, snapshot.picks()
        if old is None:
            message["version"] = self.version
        if old is None or old.phase != snapshot.phase:
            message["phase"] = snapshot.phase
        if self.page.log is not None:
            start, lines = self.page.log.since(self._log_edition, self._log_lines)
            if lines:
                message["log"] = {"from": start, "lines": lines}
        if clocks is not None:
            message["clocks"] = clocks
        is_new = old is None or bool(changed) or len(message) > 2 or old.number != snapshot.number
        self.mark_sent(snapshot, chat)
        return message if is_new else None


class ViewerPages:
    """The pages of all tables that are being looked at."""

    def __init__(self, render_gathering: RenderGathering) -> None:
        self._render_gathering = render_gathering
        self._pages: dict[str, dict[Viewer, ViewerPage]] = {}

    def page(self, table: Table, viewer: Viewer) -> ViewerPage:
        """Return the page of a viewer."""
        pages = self._pages.setdefault(table.id, {})
        if len(self._pages) > MOST_TABLES:
            self.forget(next(iter(self._pages)))
        if viewer not in pages:
            if len(pages) >= MOST_VIEWERS:  # a client that comes by ever new addresses
                del pages[next(iter(pages))]
            pages[viewer] = ViewerPage(viewer, self._render_gathering)
        return pages[viewer]

    def forget(self, table_id: str) -> None:
        """Drop the pages of a table."""
        self._pages.pop(table_id, None)
