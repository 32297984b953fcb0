"""The page of one's own games: with whom, when, how they ended; all of them, or some."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sarai.core.messages import Name, Series
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.refusals import Refused
from sarai.table.storage.summaries import Summary
from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.web.language import Language
from sarai.web.live.names import shown_names
from sarai.web.live.result import place_words

RUNNING = (GATHERING, "starting", PLAYING)
SHOWN: dict[str, tuple[str, ...]] = {"": (), "running": RUNNING, "over": (FINISHED,)}  # the phases of a choice


def read_filter(show: str, game: str) -> tuple[tuple[str, ...], str]:
    """Return the phases and the game of which games are shown; Refused if there is no such choice."""
    if show not in SHOWN:
        raise Refused("bad_form", why="there is no such choice of games")
    return SHOWN[show], find(game).id if game else ""


def describe_own(table: Summary, language: Language) -> dict[str, Any]:
    """Describe a table to one of its players."""
    others = Series(
        Name(name) for number, name in enumerate(shown_names(table.seats, language)) if name and number != table.mine
    )
    return {
        "id": table.id,
        "title": language.say(find(table.game).title),
        "names": language.render(others),
        "state": own_state(table, language),
        "your_turn": table.my_turn,
        "day": datetime.fromtimestamp(table.changed, UTC).date(),
        "won": table.ranks is not None and table.mine is not None and table.ranks[table.mine] == 1,
    }


def own_state(table: Summary, language: Language) -> str:
    """Say how a game stands, or how it ended, to one of its players."""
    say = language.say
    if table.phase == PLAYING:
        return say("your turn") if table.my_turn else say("being played")
    if table.phase != FINISHED:
        return language.say("{n, plural, one {# free seat} other {# free seats}}", n=table.free)
    if table.ranks is not None and table.mine is not None:
        return place_words(table.ranks, table.mine, language)
    return say("over") if table.ending is None else say("without a result")


def choices(language: Language) -> dict[str, list[tuple[str, str]]]:
    """Return what can be chosen: values and labels."""
    say = language.say
    return {
        "show": [("", say("all")), ("running", say("still running")), ("over", say("over"))],
        "game": [("", say("all games")), *((id, say(find(id).title)) for id in game_ids())],
    }
