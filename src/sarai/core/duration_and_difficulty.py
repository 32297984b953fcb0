"""What helps people to choose a game: how long it takes, how hard it is, and whom it suits."""

from typing import NamedTuple

EASY, MEDIUM, HARD = "easy to learn", "some rules to learn", "takes thought"


class About(NamedTuple):
    """What a game's `board.about` says of it; texts are marked for translation."""

    minutes: tuple[int, int]  # of a game with people: from, to
    difficulty: str
    advice: str = ""  # whom it suits, and which of two editions to take
