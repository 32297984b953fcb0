"""How the players of a table are called to one reader: people as they call themselves, bots in the reader's letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from sarai.core.language import find_language
from sarai.table.confusable_names import BOT_NAMES, appearances

if TYPE_CHECKING:
    from sarai.core.language import Language


class Named(Protocol):
    """A seat of a table, or of its summary."""

    @property
    def name(self) -> str:
        """Of the player, "" if there is none."""

    @property
    def bot(self) -> str | None:
        """The bot's level, None for a person."""


def shown_names(seats: Sequence[Named], language: Language) -> tuple[str, ...]:
    """Return the names of all seats."""
    return _shown(tuple([(seat.name, seat.bot is not None) for seat in seats]), language.code)


@lru_cache(10_000)
def _shown(seats: tuple[tuple[str, bool], ...], code: str) -> tuple[str, ...]:
    """Return names in a language; a bot keeps its own if somebody's looks like its other form."""
    say = find_language(code).say
    taken = frozenset[str]().union(*(appearances(name) for name, _ in seats if name))
    shown = list[str]()
    for name, is_bot in seats:
        said = say(name) if is_bot and name in BOT_NAMES else name
        shown.append(name if said != name and appearances(said) & taken else said)
    return tuple(shown)
