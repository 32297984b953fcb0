"""A game that ended because one of two players gave up: what the rules say of the points, and who won."""

from collections.abc import Sequence

from sarai.core.result import Result

RESIGNED = "resigned"  # the reason of such an end; a record stores the seat beside the moves


def resigned_result(scores: Sequence[int], seat: int) -> Result:
    """Return the result of a game of two in which a seat gave up, with the points as they stood."""
    is_loser = [other == seat for other in range(len(scores))]
    return Result(
        list(scores), [2 if lost else 1 for lost in is_loser], [0.0 if lost else 1.0 for lost in is_loser], RESIGNED
    )
