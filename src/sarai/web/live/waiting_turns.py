"""What pages show of the turns that wait for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sarai.table.storage.summaries import Turn
    from sarai.web.language import Language


def describe_turns(turns: Sequence[Turn], language: Language) -> dict[str, Any]:
    """Return a person's waiting turns as pages show them: which, how many, and that in words.

    `words` are the tables that only wait for the browser, to open a word for the dice; nobody has to be told.
    """
    own, words = [turn for turn in turns if not turn.for_word], [turn.table for turn in turns if turn.for_word]
    return {
        "turns": [{"table": turn.table, "title": language.say(turn.title), "since": int(turn.since)} for turn in own],
        "count": language.number(len(own)),
        "label": language.say("{n, plural, one {Your turn at # table} other {Your turn at # tables}}", n=len(own)),
        **({"words": words} if words else {}),
    }
