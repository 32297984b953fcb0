"""How the points of a game came about: by building and the rest, and after every round."""

from collections.abc import Sequence
from typing import cast

from sarai.core.messages import Say
from sarai.core.score_sheet import NumberedEvent, PointsAfter, ScoreRow, ScoreSheet, Sources


def score_sheet(events: Sequence[NumberedEvent], players: int, points_after: PointsAfter, say: Say) -> ScoreSheet:
    """Read the score sheet from the final count; what sheets were worth on the way the rules say themselves."""
    labels = {
        "pyramid": say("Pyramid"),
        "arch": say("Arch"),
        "relief": say("Relief"),
        "bonuses": say("Bonuses"),
        "quarry": say("Quarry"),
        "jokers": say("Jokers"),
    }
    sources, course = Sources(players, tuple(labels.values())), list[ScoreRow]()
    for number, (key, args, _) in events:
        if key == "round_over":
            course.append(ScoreRow(say("Round {n}", n=cast("int", args["round"])), points_after(number)))
        elif key in ("buildings_scored", "rest_scored"):
            for name in labels.keys() & args.keys():
                sources.add(labels[name], args["seat"], args[name])
    return ScoreSheet(say("Points"), sources.rows(), course)
