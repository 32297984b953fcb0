"""How the bull heads of a game came about: by how rows were taken, and after every trick."""

from collections.abc import Sequence

from sarai.core.messages import Say
from sarai.core.score_sheet import NumberedEvent, PointsAfter, ScoreRow, ScoreSheet, Sources


def score_sheet(events: Sequence[NumberedEvent], players: int, points_after: PointsAfter, say: Say) -> ScoreSheet:
    """Read the score sheet from what happened; a round ends with its own row, a trick in which rows were taken too."""
    sixth, low = say("For a sixth card"), say("For a card too low")
    sources, round, turned = Sources(players, (sixth, low)), 1, 0
    course = [ScoreRow(say("Start"), (0,) * players)]
    for _, (key, args, _) in events:
        if key == "turned_up":
            turned += 1
        elif key in ("took_full_row", "took_row"):
            sources.add(sixth if key == "took_full_row" else low, args["seat"], args["heads"])
            label = say("Round {round}, trick {trick}", round=round, trick=turned // players)
            if course[-1].label == label:  # several rows in one trick
                course.pop()
            course.append(ScoreRow(label, sources.totals()))
        elif key == "round_over":
            number = args["round"]
            assert isinstance(number, int)
            course.append(ScoreRow(say("End of round {round}", round=number), sources.totals()))
            round, turned = round + 1, 0
    return ScoreSheet(say("Bull heads"), sources.rows(), course)
