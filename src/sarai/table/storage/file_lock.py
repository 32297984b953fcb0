"""One server for a SQLite file: a lock beside the file, which ends with the process that holds it, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from sarai.core.errors import Error

KEPT = "SARAI_LOCK"  # variable of the environment: the number of the lock that a server leaves to the one it becomes


class FileLock:
    """A lock that this process holds until it is closed; `number` is that of the open file, -1 if there is none."""

    def __init__(self, number: int) -> None:
        self.number = number

    @classmethod
    def take(cls, database: Path) -> FileLock:
        """Take the lock of a database, or the one that was left to this process; Error if another process has it."""
        path = Path(f"{database}.lock")
        if (kept := kept_lock(path)) is not None:
            return cls(kept)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            number = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:  # nothing can be written there: then another process cannot, either
            return cls(-1)
        try:
            lock(number)
        except (BlockingIOError, PermissionError):
            os.close(number)
            raise Error("database_in_use", path=database) from None
        except OSError:  # a file system without locks
            os.close(number)
            return cls(-1)
        return cls(number)

    def leave(self) -> FileLock:
        """Return the same lock once more, to be kept when this one is closed."""
        return FileLock(os.dup(self.number) if self.number >= 0 else -1)

    def variables(self) -> dict[str, str]:
        """Return the environment that leaves the lock to the program which replaces this one in its process."""
        if self.number < 0:
            return {}
        os.set_inheritable(self.number, True)
        return {KEPT: str(self.number)}

    def close(self) -> None:
        """Give the lock up."""
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


def kept_lock(path: Path) -> int | None:
    """Return the lock that was left to this process, if it is that of the file."""
    number = int(os.environ.pop(KEPT, "-1"))
    with contextlib.suppress(OSError):
        if number >= 0 and os.path.samestat(os.fstat(number), path.stat()):
            os.set_inheritable(number, False)
            return number
    return None


def lock(number: int) -> None:
    """Lock an open file, or fail at once."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
