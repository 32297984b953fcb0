"""What a viewer is shown of a table: rendered once per number, shared by equal viewers, sent as what changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec
from markupsafe import Markup

from sarai.core.board import Board
from sarai.core.markup import EMPTY, markup
from sarai.table.look_sit_talk_permissions import why_not_talk
from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.web.compression import STREAM_LEVEL, Block, Blocks, level_of
from sarai.web.language import find_language
from sarai.web.live import status_players_actions
from sarai.web.live.animation import Picture, steps_between
from sarai.web.live.board import render, scene_of
from sarai.web.live.chat import chat
from sarai.web.live.dice import playing_dice
from sarai.web.live.event_log import EventLog
from sarai.web.live.host_panel import host_panel
from sarai.web.live.result import result
from sarai.web.live.score_sheet import score_sheet
from sarai.web.live.viewer import LiveInfo, PageClocks, Viewer

if TYPE_CHECKING:
    from sarai.table.table import Table

RenderGathering = Callable[["Table", Viewer], Markup]  # renders a table that waits for its players

MOST_TABLES = 2000
MOST_VIEWERS = 100  # of a table: seats, languages
MOST_KEPT = 20  # sets of parts of a viewer's page, for different seats to act
MOST_PARTS = 200  # that are kept encoded
LONG_PART = 8000  # letters; not kept
MOST_BYTES = 1 << 22  # of events that are kept for viewers who will be sent the same
END = Block(b"}\n\n")  # of an event
HOST = "host"  # the part with the names of guests, who may choose them while cards are in hands

encode = msgspec.json.Encoder(enc_hook=str.__str__).encode  # markup as the text it is; a TypeError for other objects


def encode_part(part: str) -> msgspec.Raw:
    """Return a part of a page as JSON; most are sent to several viewers, and letters of two bytes take time."""
    return _encode_kept(part) if len(part) < LONG_PART else msgspec.Raw(encode(str.__str__(part)))


@lru_cache(MOST_PARTS)
def _encode_kept(part: str) -> msgspec.Raw:
    return msgspec.Raw(encode(str.__str__(part)))  # quicker than by the encoder's hook


class RecentBlocks:
    """The newest blocks of events, so that clients that are sent the same share one; the oldest are dropped."""

    def __init__(self) -> None:
        self._blocks: dict[Hashable, Block] = {}
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[[], bytes], level: int = STREAM_LEVEL) -> Block:
        """Return the block of a key; it is made if it is not here."""
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = Block(make(), level)
            self._bytes += len(block.plain)
            while self._bytes > MOST_BYTES:
                self._bytes -= len(self._blocks.pop(next(iter(self._blocks))).plain)
        return block


def event_start(number: int, message: dict[str, Any]) -> bytes:
    """Return an event of the stream without its end, which `END` or the clocks follow."""
    return b"id: %d\ndata: %b" % (number, encode({"number": number, **message})[:-1])


class Snapshot:
    """A table as a viewer is shown it at one number."""

    __slots__ = ("board", "known", "level", "log_edition", "log_lines", "number", "parts", "phase", "picture", "serial")
    _serials = count()

    def __init__(
        self,
        table: Table,
        board: Board,
        around_board: dict[str, Markup],
        log: EventLog | None,
        picture: Picture | None,
        known: object,
    ) -> None:
        self.serial = next(self._serials)
        self.number, self.phase = table.number, table.phase
        self.level = level_of(table, STREAM_LEVEL)  # of compression
        self.board = board
        self.parts = around_board
        self.log_edition, self.log_lines = (None, 0) if log is None else (log.edition, log.count)
        self.picture = picture  # None before the game
        self.known = known  # what it was rendered from

    def stage(self) -> Markup:
        """Return the whole board."""
        return markup(
            '<div id="stage" class="stage" tabindex="-1" role="group" aria-labelledby="on-table">{board}</div>',
            board=self.board.whole(),
        )

    def picks(self) -> dict[str, str]:
        """Return the board's first choices as the page's script reads them: the step that follows each, by its id."""
        return {pick.id: pick.step for pick in self.board.picks}


class ViewerPage:
    """The page of one table for equal viewers: the newest snapshot and the log."""

    def __init__(self, viewer: Viewer, render_gathering: RenderGathering, version: str, recent: RecentBlocks) -> None:
        self.viewer, self.render_gathering, self.version = viewer, render_gathering, version
        self.recent = recent
        self.language = find_language(viewer.language)
        self.log: EventLog | None = None
        self._snapshot: Snapshot | None = None
        self._sheet: tuple[list[str], Markup] | None = None  # the names in it, and the score sheet
        self._kept_for: object = None
        self._kept: dict[object, dict[str, Markup]] = {}  # parts that moves do not change, by who is to act
        self._nameless_chat: tuple[object, Markup] | None = None  # what it was rendered from, and the talk

    def snapshot(self, table: Table, live: LiveInfo) -> Snapshot:
        """Return what there is to see now."""
        known = (table.number, live)
        if self._snapshot is None or self._snapshot.known != known:
            self._snapshot = self._render(table, live, known)
        return self._snapshot

    def _render(self, table: Table, live: LiveInfo, known: object) -> Snapshot:
        viewer, language, acting, picture = self.viewer, self.language, table.to_act, None
        if table.phase == GATHERING or table.state is None:
            board = Board(self.render_gathering(table, viewer), {}, {})
        else:
            if self.log is None:
                self.log = EventLog(table, viewer.seat, language)
            self.log.update(table)
            scene = scene_of(table, viewer.seat, acting, language)
            board, picture = render(table.game, scene), Picture.of(table, viewer.seat, scene)
        around_board = {
            "status": status_players_actions.status(table, viewer, acting, language, live, board.prompt),
            "result": result(table, viewer, language, self._sheet_of(table)),
            "summary": markup('<p id="summary" class="visually-hidden">{summary}</p>', summary=board.summary),
            "actions": status_players_actions.actions(table, viewer, language),
            **self._kept_parts(table, acting, live),
        }
        return Snapshot(table, board, around_board, self.log, picture, known)

    def _kept_parts(self, table: Table, acting: tuple[int, ...], live: LiveInfo) -> dict[str, Markup]:
        """Return the parts that moves do not change but for who is to act: they are rendered once for many moves."""
        if self._kept_for != (table.last_other, table.phase) or len(self._kept) > MOST_KEPT:
            self._kept_for, self._kept = (table.last_other, table.phase), {}
        kept = self._kept.get((acting, live))
        if kept is None:
            viewer, language = self.viewer, self.language
            kept = self._kept[acting, live] = {
                "players": status_players_actions.players(table, viewer, acting, language, live),
                "dice-words": playing_dice(table, language),
                HOST: host_panel(table, viewer, language),
                "moves": status_players_actions.moves(viewer, table.phase != PLAYING, language),
            }
        return kept

    def nameless_chat(self, table: Table, known: object) -> Markup:
        """Return what was said as all are shown it who have no name; `known` is what it is rendered from."""
        if self._nameless_chat is None or self._nameless_chat[0] != known:
            self._nameless_chat = known, chat(table, None, frozenset(), self.language)
        return self._nameless_chat[1]

    def _sheet_of(self, table: Table) -> Markup:
        """Return how the points of a finished game came about, rendered once as long as nobody is called otherwise."""
        if table.phase != FINISHED:
            return EMPTY
        if self._sheet is None or self._sheet[0] != table.names:
            self._sheet = table.names, score_sheet(table, self.viewer.seat, self.language)
        return self._sheet[1]

    def update(self, old: Snapshot | None, new: Snapshot) -> Block | None:
        """Return the start of the event that turns a snapshot into the newest, None if it would show nothing new."""
        if old is new:
            return None
        block = self.recent.get((old and old.serial, new.serial), lambda: self._update(old, new), new.level)
        return block if block.plain else None

    def _update(self, old: Snapshot | None, new: Snapshot) -> bytes:
        board, message = new.board, dict[str, Any]()
        known = old.parts if old is not None else {}
        changed = {name: part for name, part in new.parts.items() if known.get(name) != part and name != HOST}
        if old is None or old.board.frame != board.frame or old.board.parts.keys() != board.parts.keys():
            changed["stage"] = new.stage()
        else:
            before = old.board.parts
            changed.update({name: part for name, part in board.parts.items() if before[name] != part})
        if changed:
            message["parts"] = {name: encode_part(part) for name, part in changed.items()}
        if old is None or old.board.choices != board.choices or old.board.picks != board.picks:
            message["choices"], message["picks"] = board.choices, new.picks()
        if old is None:
            message["version"] = self.version
        if old is None or old.phase != new.phase:
            message["phase"] = new.phase
        if self.log is not None:
            start, lines = self.log.since(old and old.log_edition, old.log_lines if old else 0)
            if lines:
                message["log"] = {"from": start, "lines": lines}
            if old is not None and old.picture is not None and new.picture is not None:
                steps = steps_between(old.picture, new.picture, self.log)
                message.update({"steps": steps} if steps else {})
        return event_start(new.number, message) if message else b""


class PageUpdates:
    """One connection: what it was sent last, so that it is sent only what is new."""

    def __init__(self, page: ViewerPage, person: str | None) -> None:
        self.page, self.person = page, person
        self._sent: Snapshot | None = None
        self._sent_chat: str = ""
        self._sent_host: str = ""
        self._chat: tuple[object, Markup] | None = None  # what it was rendered from, and the chat

    def switch_to(self, page: ViewerPage) -> None:
        """Switch to another viewer's page: a person who sits down or stands up is shown another table."""
        if page is not self.page:
            self.page, self._sent, self._chat = page, None, None

    def chat(self, table: Table, muted: frozenset[int]) -> Markup:
        """Return what was said, rendered anew only when a line was added or somebody muted."""
        known = (table.chat[-1].number if table.chat else 0, muted, why_not_talk(table, self.person))
        if self.person is None:
            return self.page.nameless_chat(table, known)
        if self._chat is None or self._chat[0] != known:
            self._chat = known, chat(table, self.person, muted, self.page.language)
        return self._chat[1]

    def mark_sent(self, snapshot: Snapshot, chat: Markup) -> None:
        """Note that the page shows this already."""
        self._sent, self._sent_chat, self._sent_host = snapshot, chat, snapshot.parts[HOST]

    def events(
        self, table: Table, snapshot: Snapshot, clocks: PageClocks | None, muted: frozenset[int] = frozenset()
    ) -> list[Blocks]:
        """Return what changed since the last events, everything the first time; talk is an event of its own.

        Others write it, and the board shows a hand: in one event its length could tell what they have in common. The
        host's list of guests comes with the talk.
        """
        old, number, chat = self._sent, snapshot.number, self.chat(table, muted)
        update, found = self.page.update(old, snapshot), list[Block]()
        if update is not None:
            found.append(update)
        talk = {} if chat == self._sent_chat else {"chat": chat}
        if snapshot.parts[HOST] != self._sent_host:
            talk[HOST] = snapshot.parts[HOST]
        if talk:
            key = number, *talk.items()
            found.append(self.page.recent.get(key, lambda: event_start(number, {"parts": talk})))
        if not found and (clocks is not None or old is None or old.number != number):
            found.append(Block(event_start(number, {})))
        self.mark_sent(snapshot, chat)
        ends = [END if clocks is None else Block(b',"clocks":%b%b' % (encode(clocks), END.plain)), END]
        return list(zip(found, ends, strict=False))


class ViewerPages:
    """The pages of all tables that are being looked at."""

    def __init__(self, render_gathering: RenderGathering, version: str) -> None:
        self._render_gathering, self._version = render_gathering, version
        self._recent = RecentBlocks()
        self._pages: dict[str, dict[Viewer, ViewerPage]] = {}

    def page(self, table: Table, viewer: Viewer) -> ViewerPage:
        """Return the page of a viewer; it is not kept for one who came by an address, of which a client has many."""
        if viewer.base_url:
            return ViewerPage(viewer, self._render_gathering, self._version, self._recent)
        pages = self._pages.setdefault(table.id, {})
        if len(self._pages) > MOST_TABLES:
            self.forget(next(iter(self._pages)))
        if viewer not in pages:
            if len(pages) >= MOST_VIEWERS:
                del pages[next(iter(pages))]
            pages[viewer] = ViewerPage(viewer, self._render_gathering, self._version, self._recent)
        return pages[viewer]

    def forget(self, table_id: str) -> None:
        """Drop the pages of a table."""
        self._pages.pop(table_id, None)
