"""How the points of a game came about: by source, and after every round."""

from collections.abc import Sequence

from sarai.core.messages import Say
from sarai.core.score_sheet import NumberedEvent, PointsAfter, ScoreRow, ScoreSheet, Sources
from sarai.games.desert.state import OASIS_POINTS


def score_sheet(events: Sequence[NumberedEvent], players: int, points_after: PointsAfter, say: Say) -> ScoreSheet:
    """Read the score sheet from what was taken on the way and counted at the end; a round is a turn of everybody."""
    water, oases, areas, largest = say("Water"), say("Oases"), say("Enclosed areas"), say("Largest caravans")
    sources, turns = Sources(players, (water, oases, areas, largest)), 0
    course, mover, is_counted = [ScoreRow(say("Start"), sources.totals())], None, False
    for _, (key, args, _) in events:
        if key in ("camel_placed", "camel_not_placed") and args["seat"] != mover:
            if turns and turns % players == 0:
                course.append(ScoreRow(say("Round {round}", round=turns // players), sources.totals()))
            mover, turns = args["seat"], turns + 1
        elif key == "water_taken":
            sources.add(water, args["seat"], args["value"])
        elif key == "oasis_linked":
            sources.add(oases, args["seat"], OASIS_POINTS)
        elif key == "area_enclosed":
            sources.add(areas, args["seat"], args["hexes"])
        elif key == "largest_caravan":
            if not is_counted:
                course.append(ScoreRow(say("Last turn"), sources.totals()))
            is_counted = True
            sources.add(largest, args["seat"], args["points"])
    if is_counted:
        course.append(ScoreRow(largest, sources.totals()))
    return ScoreSheet(say("Points"), sources.rows(), course)
