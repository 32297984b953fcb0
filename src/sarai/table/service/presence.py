"""Who is at the house: people with a page open anywhere, and when each of them was last seen."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

GRACE = 3.0  # seconds from the last page's end to its person's being gone: whoever follows a link comes back in them
SILENT = 150.0  # seconds without any request after which an open page is one whose network or device is gone
KEPT, MOST_KEPT = 3600.0, 20_000  # how long it is known when people were here, and of how many


class Presence:
    """The people here, by their open pages at this process and by what other processes told of them.

    A browser asks for its stream of notices anew every minute, so that a request is a sign of life. `on_change` is
    called with a person and whether they are here: when a first page opens, at further signs, and after the last page.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._pages: Counter[str] = Counter()
        self._signs: dict[str, float] = {}  # when a person was last heard of
        self._elsewhere: dict[str, float] = {}  # when another process last told that a person is here
        self.on_change: Callable[[str, bool], None] | None = None

    def saw(self, person: str) -> None:
        """Note that a person did something: they are here, with or without an open page."""
        self._signs[person] = self._now()

    def arrive(self, person: str) -> None:
        """Note that a person opened a page."""
        self._pages[person] += 1
        if self.on_change is not None and (self._pages[person] == 1 or self._now() - self._signs[person] > GRACE):
            self.on_change(person, True)
        self.saw(person)
        if len(self._signs) > MOST_KEPT:
            self._forget()

    def leave(self, person: str) -> None:
        """Note that a person closed a page."""
        was_here = self.is_here(person)
        self._pages[person] -= 1
        if self._pages[person] <= 0:
            del self._pages[person]
            if was_here:
                self.saw(person)
            if self.on_change is not None:
                self.on_change(person, False)

    @contextlib.contextmanager
    def page(self, person: str) -> Iterator[None]:
        """Have a page open for a person."""
        self.arrive(person)
        try:
            yield
        finally:
            self.leave(person)

    def hear(self, person: str, is_here: bool) -> None:
        """Note what another process told of a person."""
        if is_here:
            self._elsewhere[person] = self._now()
            if len(self._elsewhere) > MOST_KEPT:
                self._forget()
            return
        if self._elsewhere.pop(person, None) is not None:
            self.saw(person)
        if person in self._pages and self.on_change is not None:
            self.on_change(person, True)  # they left that process, and are at this one

    def is_here(self, person: str) -> bool:
        """Say whether a person has a page open, or had one a moment ago."""
        now = self._now()
        if now - self._elsewhere.get(person, -SILENT) < SILENT:
            return True
        sign = self._signs.get(person)
        return sign is not None and now - sign < (SILENT if person in self._pages else GRACE)

    def last_seen(self, person: str) -> float | None:
        """Return when a person was last here, None if that is not known."""
        if self.is_here(person):
            return self._now()
        return max(filter(None, (self._signs.get(person), self._elsewhere.get(person))), default=None)

    def _forget(self) -> None:
        """Forget when people were here who left long ago."""
        before = self._now() - KEPT
        for known in (self._signs, self._elsewhere):
            for person in [person for person, at in known.items() if at < before and person not in self._pages]:
                del known[person]
