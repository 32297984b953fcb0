"""The players' words for the dice: seats commit to them first, and they are opened before anything is drawn.

`docs/fair-dice.md` describes the protocol. Who does not open a word loses it, and the others commit to new ones: a
seat that has seen the result can only give up its own word, once, and no seat has seen the next result.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sarai.table import event_types
from sarai.table.dice_word_commitments import GivenWord

OPEN_SECONDS = 15.0  # in which words are opened, and in which the others commit to new ones after somebody failed

WordEvent = (
    event_types.WordCommitted
    | event_types.WordsAsked
    | event_types.WordOpened
    | event_types.WordsFailed
    | event_types.WordsMissing
)


class LostWord(NamedTuple):
    """A seat that did not open its word in a round: it gives none to this table."""

    seat: int
    round: int


@dataclass
class DiceWords:
    """Which seats committed to words, and how far the opening is.

    Before the start seats commit, and may commit again. Then comes round 1: all who committed are asked to open. If
    some do not, the others are asked to commit anew, and round 2 begins when they have; and so on until all who were
    asked have opened, or nobody is left.
    """

    version: int
    commitments: dict[int, str] = field(default_factory=dict)  # by seat, of the round that comes or runs
    opened: dict[int, GivenWord] = field(default_factory=dict)  # by seat, in this round
    round: int = 0  # 0 before the opening
    asked: tuple[int, ...] = ()  # the seats that are asked to open or, if `is_renewing`, to commit anew
    is_renewing: bool = False
    is_running: bool = False  # between the first question and the start of the game
    asked_at: float = 0.0
    begun_by: str = ""  # the person who began the game
    lost: list[LostWord] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)  # seats that were asked to commit anew, and did not

    @property
    def waits_for(self) -> list[int]:
        """The seats that still have to do what they were asked."""
        done = self.commitments if self.is_renewing else self.opened
        return [seat for seat in self.asked if seat not in done]

    @property
    def due(self) -> float | None:
        """When it is no longer waited for these seats; None if it is waited for nobody."""
        return self.asked_at + OPEN_SECONDS if self.waits_for else None

    @property
    def given(self) -> list[GivenWord]:
        """The words that were opened in this round, in the order of seats."""
        return [self.opened[seat] for seat in sorted(self.opened)]

    @property
    def lost_seats(self) -> list[int]:
        """The seats that lost their word."""
        return sorted(lost.seat for lost in self.lost)

    def apply(self, event: WordEvent) -> list[tuple[str, int]]:
        """Apply an event about words; return what is shown of it: keys of sentences, and the seats they are about."""
        shown = list[tuple[str, int]]()
        if isinstance(event, event_types.WordCommitted):
            self.commitments[event.seat] = event.digest
        elif isinstance(event, event_types.WordsAsked):
            self._ask(event)
        elif isinstance(event, event_types.WordOpened):
            self.opened[event.seat] = GivenWord(event.seat, event.nonce, event.word)
        elif isinstance(event, event_types.WordsFailed):
            self._fail(event)
            shown = [("word_lost", seat) for seat in event.seats]
        else:
            self.missing = sorted([*self.missing, *event.seats])
            self.asked = tuple(seat for seat in self.asked if seat not in self.missing)
            shown = [("word_missing", seat) for seat in event.seats]
        return shown

    def drop(self, seat: int) -> None:
        """Forget what a seat committed to: its person has left it."""
        self.commitments.pop(seat, None)

    def _ask(self, event: event_types.WordsAsked) -> None:
        """Begin a round: these seats have to open."""
        self.round, self.asked = event.round, tuple(event.seats)
        self.asked_at, self.begun_by = event.at, event.by
        self.is_renewing, self.is_running, self.opened = False, True, {}

    def _fail(self, event: event_types.WordsFailed) -> None:
        """Let seats lose their words; those that the others opened are known and not used: they commit to new ones."""
        self.lost += [LostWord(seat, self.round) for seat in event.seats]
        self.asked = tuple(seat for seat in self.asked if seat not in event.seats)
        self.is_renewing, self.asked_at = True, event.at
        self.commitments, self.opened = {}, {}

    def finish(self) -> None:
        """The game has begun."""
        self.is_running, self.is_renewing, self.asked = False, False, ()
