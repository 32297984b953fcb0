"""The talk at a table: its participants, and their last lines."""

from collections import deque
from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct, field

from sarai.table.participants import Participants

CHAT_KEPT = 300  # lines
CHAT_LIMIT = 5  # lines that a person may write within …
CHAT_SECONDS = 10.0


class ChatLine(NamedTuple):
    """A line of the chat, with the seat that its writer had then, and whether a bot played for the writer."""

    number: int
    at: float
    guest: int
    seat: int | None
    name: str
    text: str
    is_lent: bool = False
    reaction: str | None = None  # its key, if that is what the line is


class Talk(Struct):
    """Who sat or wrote at a table, and what they wrote."""

    participants: Participants = field(default_factory=Participants)
    lines: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=CHAT_KEPT))
    times: dict[str, deque[float]] = {}  # of each person's last lines
    muted: dict[str, set[int]] = {}  # by old logs: whom people did not read is kept elsewhere now

    def lines_without(self, muted: Collection[int]) -> list[ChatLine]:
        """Return the lines without those of some participants."""
        return [line for line in self.lines if line.guest not in muted]

    def add_line(
        self,
        number: int,
        at: float,
        person: str,
        seat: int | None,
        name: str,
        text: str,
        is_lent: bool,
        reaction: str | None = None,
    ) -> None:
        """Add what a person wrote, or a reaction."""
        guest = self.participants.add(person, name)
        self.lines.append(ChatLine(number, at, guest, seat, name, text, is_lent, reaction))
        self.times.setdefault(person, deque(maxlen=CHAT_LIMIT)).append(at)

    def mute(self, person: str, guest: int, on: bool) -> None:
        """Leave a guest's lines out for a person, or show them again."""
        muted = self.muted.setdefault(person, set())
        (muted.add if on else muted.discard)(guest)
