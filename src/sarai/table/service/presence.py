"""Who is at the house: people with a page open anywhere, and when each of them was last seen."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

GRACE = 3.0  # seconds from the last page's end to its person's being gone: whoever follows a link comes back in them
SILENT = 150.0  # seconds without any request after which an open page is one whose network or device is gone
TELL = 60.0  # seconds after which others are told again of somebody who does something without an open page
KEPT, MOST_KEPT = 3600.0, 20_000  # how long it is known when people were here, and of how many


class Presence:
    """The people here, by their open pages at this process and by what other processes told of them.

    A browser asks for its stream of notices anew every minute, so that a request is a sign of life. `on_change` is
    called with a person and whether they are here: when a first page opens, at further signs, and after the last page.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.changes = 0  # how often anything was heard of anybody
        self._pages: Counter[str] = Counter()
        self._signs: dict[str, float] = {}  # when a person was last heard of
        self._elsewhere: dict[str, dict[str, float]] = {}  # when which other process last told that a person is here
        self._told: dict[str, float] = {}  # when others were last told of a sign
        self.on_change: Callable[[str, bool], None] | None = None
        self.on_sign: Callable[[str], None] | None = None  # called with a person who did something, once a minute
        self.on_return: Callable[[str], None] | None = None  # called with a person who may have been away

    def saw(self, person: str) -> None:
        """Note that a person did something: they are here, with or without an open page."""
        self._signs[person] = self._now()
        self.changes += 1
        if self.on_sign is not None:
            self._tell_sign(person, self.on_sign)

    def _tell_sign(self, person: str, tell: Callable[[str], None]) -> None:
        """Tell others of somebody of whom they do not know that they are here, once in a while."""
        now = self._now()
        is_known = person in self._pages or now - self._heard_of(person, -SILENT) < SILENT
        if not is_known and now - self._told.get(person, -TELL) >= TELL:
            if len(self._told) >= MOST_KEPT:
                self._told.clear()
            self._told[person] = now
            tell(person)

    def _note(self, person: str) -> None:
        """Note that a person is, or was, here now, as others know."""
        self._signs[person] = self._now()
        self.changes += 1

    def hear_sign(self, person: str) -> None:
        """Note that another process saw a person, who has no page open."""
        self._note(person)
        if len(self._signs) > MOST_KEPT:
            self._forget()

    def arrive(self, person: str) -> None:
        """Note that a person opened a page."""
        self._pages[person] += 1
        if self.on_change is not None and (self._pages[person] == 1 or self._now() - self._signs[person] > GRACE):
            self.on_change(person, True)
        self.saw(person)
        if self._pages[person] == 1:
            self._return(person)
        if len(self._signs) > MOST_KEPT:
            self._forget()

    def leave(self, person: str) -> None:
        """Note that a person closed a page."""
        was_here = self.is_here(person)
        self.changes += 1
        self._pages[person] -= 1
        if self._pages[person] <= 0:
            del self._pages[person]
            if was_here:
                self._note(person)
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

    def here(self) -> list[str]:
        """Return the people with a page open at this process."""
        return [person for person in self._pages if self._now() - self._signs.get(person, -SILENT) < SILENT]

    def hear(self, process: str, person: str, is_here: bool) -> None:
        """Note what another process told of a person."""
        self.changes += 1
        if is_here:
            self._elsewhere.setdefault(person, {})[process] = self._now()
            self._return(person)
            if len(self._elsewhere) > MOST_KEPT:
                self._forget()
            return
        if self._leave_process(process, person) and not self._elsewhere.get(person):
            self._note(person)

    def lose(self, process: str) -> None:
        """Note that another process died: nobody is here by it; they were when it was last heard of them."""
        self.changes += 1
        for person in [person for person, told in self._elsewhere.items() if process in told]:
            last = self._elsewhere[person][process]
            self._leave_process(process, person)
            self._signs[person] = max(last, self._signs.get(person, last))

    def _leave_process(self, process: str, person: str) -> bool:
        told = self._elsewhere.get(person, {})
        was_here = told.pop(process, None) is not None
        if not told:
            self._elsewhere.pop(person, None)
        return was_here

    def _return(self, person: str) -> None:
        if self.on_return is not None:
            self.on_return(person)

    def is_here(self, person: str) -> bool:
        """Say whether a person has a page open, or had one a moment ago."""
        return self._is_here(person, self._now())

    def _is_here(self, person: str, now: float) -> bool:
        if now - self._heard_of(person, -SILENT) < SILENT:
            return True
        sign = self._signs.get(person)
        return sign is not None and now - sign < (SILENT if person in self._pages else GRACE)

    def last_seen(self, person: str, now: float | None = None) -> float | None:
        """Return when a person was last here, None if that is not known; `now` saves asking for the time."""
        if now is None:
            now = self._now()
        if self._is_here(person, now):
            return now
        return max(filter(None, (self._signs.get(person), self._heard_of(person, 0.0))), default=None)

    def _heard_of(self, person: str, otherwise: float) -> float:
        """Return when another process last told that a person is here."""
        told = self._elsewhere.get(person)
        return max(told.values()) if told else otherwise

    def _forget(self) -> None:
        """Forget when people were here who left long ago."""
        before = self._now() - KEPT
        for person in [person for person, at in self._signs.items() if at < before and person not in self._pages]:
            del self._signs[person]
        for person in [person for person in self._elsewhere if self._heard_of(person, 0.0) < before]:
            del self._elsewhere[person]
