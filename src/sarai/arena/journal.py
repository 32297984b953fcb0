"""The journal of a match: a file with a line for every deal that is over, written before the deal is counted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

import platformdirs

from sarai.arena.deals import Deal
from sarai.arena.errors import ArenaError
from sarai.arena.match_settings import Match
from sarai.core.result import Result


def default_path(match: Match) -> Path:
    """Return the file of a match where none is given: a match that was stopped goes on from there."""
    return platformdirs.user_state_path("sarai") / "arena" / f"{match.game.id}-{match.digest}.jsonl"


class Journal:
    """The deals of a match that are over. A last line that was not written completely is dropped."""

    def __init__(self, path: Path, match: Match) -> None:
        """Open the journal of a match, or begin one; any other file is refused and left as it is."""
        self.path = path
        self.match = match
        self.done: dict[int, list[Result]] = {}
        try:
            self.file = open_locked(path)
        except OSError as error:
            raise ArenaError("file_unwritable", path=path, why=error.strerror or error) from None
        try:
            self._read()
        except BaseException:
            self.file.close()
            raise

    def _read(self) -> None:
        """Read the lines, cut off an incomplete last one, and write the head if there is none."""
        head = json_line(self.match.identity())
        data = self.file.read()
        lines = data.splitlines(keepends=True)
        if not lines or not lines[0].endswith(b"\n"):
            if not head.startswith(data):
                raise ArenaError("journal_unreadable", path=self.path, line=1)
            self._cut(0)
            self._write(head)
            return
        self._check_head(lines[0])
        length = len(lines[0])
        for number, line in enumerate(lines[1:], 2):
            try:
                deal, results = read_deal(line, self.match)
            except (ValueError, TypeError, KeyError):
                if number == len(lines):
                    break
                raise ArenaError("journal_unreadable", path=self.path, line=number) from None
            self.done[deal] = results
            length += len(line)
        self._cut(length)

    def _check_head(self, line: bytes) -> None:
        try:
            found = json.loads(line)
            if not isinstance(found, dict) or "format" not in found:
                raise ValueError
        except ValueError:
            raise ArenaError("journal_unreadable", path=self.path, line=1) from None
        for what, wanted in self.match.identity().items():
            if found.get(what) != wanted:
                raise ArenaError(
                    "journal_other_match",
                    path=self.path,
                    what=what,
                    found=json.dumps(found.get(what)),
                    wanted=json.dumps(wanted),
                )

    def _cut(self, length: int) -> None:
        self.file.truncate(length)
        self.file.seek(length)

    def _write(self, line: bytes) -> None:
        try:
            self.file.write(line)
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise ArenaError("file_unwritable", path=self.path, why=error.strerror or error) from None

    def add(self, deal: Deal) -> None:
        """Add a deal; it is on the disk when this returns."""
        self._write(
            json_line(
                {
                    "deal": deal.number,
                    "games": [[result.scores, result.ranks, result.reason] for result in deal.results],
                }
            )
        )
        self.done[deal.number] = deal.results

    def close(self) -> None:
        """Close and unlock the file."""
        self.file.close()

    def remove(self) -> None:
        """Delete the journal."""
        self.path.unlink(missing_ok=True)


def open_locked(path: Path) -> BinaryIO:
    """Open a file for reading and writing with an exclusive lock, making it if there is none."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise ArenaError("journal_in_use", path=path) from None
    return file


def json_line(data: dict[str, Any]) -> bytes:
    """Return data as one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_deal(line: bytes, match: Match) -> tuple[int, list[Result]]:
    """Read a line; ValueError, TypeError or KeyError if it is no deal of the match."""
    if not line.endswith(b"\n"):
        raise ValueError("an incomplete line")
    data = json.loads(line)
    games = [(list(map(int, scores)), list(map(int, ranks)), str(reason)) for scores, ranks, reason in data["games"]]
    if len(games) != len(match.lineups) or any(
        {len(scores), len(ranks)} != {match.players} for scores, ranks, _ in games
    ):
        raise ValueError("a deal of another match")
    return int(data["deal"]), [Result(scores, ranks, shares(ranks), reason) for scores, ranks, reason in games]


def shares(ranks: list[int]) -> list[float]:
    """Return every seat's share of the win."""
    winners = ranks.count(1)
    return [1 / winners if rank == 1 else 0.0 for rank in ranks]
