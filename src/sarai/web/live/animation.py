"""What a viewer is shown of what happened between two pictures: steps that the page's script plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sarai.core.animation import beats_of, moments_of, seconds_of
from sarai.table.table import FINISHED
from sarai.table.visible_events import events_for_people
from sarai.web.live.event_log import each_in_element

if TYPE_CHECKING:
    from markupsafe import Markup

    from sarai.core.board import Scene
    from sarai.core.events import Event
    from sarai.core.game import Game
    from sarai.table.table import Table
    from sarai.table.visible_events import Seen
    from sarai.web.live.event_log import EventLog

LAST_WORDS = 1000  # milliseconds that the last words of a game stay before the result covers them


class Picture(NamedTuple):
    """What a board was rendered from, and how much the viewer had seen happen by then."""

    scene: Scene
    seen: Sequence[Seen]  # grows with the table
    events: int  # of them by then
    is_over: bool

    @classmethod
    def of(cls, table: Table, seat: int | None, scene: Scene) -> Picture:
        """Return the picture of a table as it is now."""
        seen = table.seen(seat)
        return cls(scene, seen, len(seen), table.phase == FINISHED)


def steps_between(before: Picture, after: Picture, log: EventLog) -> list[dict[str, Any]]:
    """Return the steps from one picture to the next; none after a move was taken back: that is no event of the game."""
    game, happened = log.sentences.game, after.seen[before.events : after.events]
    if not happened or any(one.event.key == "taken_back" for one in happened):
        return []
    if not after.is_over:
        happened = events_for_people(happened, game.definition, log.sentences.options, log.seat)
    events = [one.event for one in happened]
    found = steps_of(game, events, before.scene, after.scene, lambda event: log.sentence(event, after.is_over))
    if found and after.is_over:
        found.append({"ms": LAST_WORDS, "do": []})
    return found


def steps_of(
    game: Game, events: Sequence[Event], before: Scene, after: Scene, sentence: Callable[[Event], Markup]
) -> list[dict[str, Any]]:
    """Return what is shown of events between two pictures, in the words of `sentence`."""
    beats, shown = beats_of(game, events), moments_of(game)
    if not beats or shown is None:
        return []
    share = seconds_of(beats) / sum(beat.seconds for beat in beats)
    found = list[dict[str, Any]]()
    for beat, steps in zip(beats, shown.actions(beats, before, after), strict=True):
        length = round(1000 * share * beat.seconds / max(1, len(steps)))
        words: Markup | None = each_in_element(list(dict.fromkeys(map(sentence, beat.events))))
        for actions in steps or [[]]:
            found.append({"ms": length, "say": words, "do": actions} if words else {"ms": length, "do": actions})
            words = None  # they stay until the next ones
    return found
