"""What people are told who choose a game."""

from sarai.core.duration_and_difficulty import EASY, About
from sarai.core.messages import mark


def about(game_id: str) -> About:
    """Return how long and how hard the game is."""
    return About((20, 40), EASY, mark("The more people, the wilder; good for a first evening."))
