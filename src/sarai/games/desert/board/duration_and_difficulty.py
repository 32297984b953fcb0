"""What people are told who choose a game."""

from sarai.core.duration_and_difficulty import HARD, About
from sarai.core.messages import mark


def about(game_id: str) -> About:
    """Return how long and how hard the game is."""
    return About(
        (30, 50), HARD, mark("Few rules and no luck after the setup: plan ahead, and watch the others' caravans.")
    )
