"""What people are told who choose a game."""

from sarai.core.duration_and_difficulty import MEDIUM, About
from sarai.core.messages import mark


def about(game_id: str) -> About:
    """Return how long and how hard the game is."""
    return About((20, 30), MEDIUM, mark("Everybody builds in every round: nobody waits long."))
