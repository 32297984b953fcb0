"""What people are told who choose a game."""

from sarai.core.duration_and_difficulty import EASY, MEDIUM, About
from sarai.core.messages import mark

EDITIONS = {
    "camelup-2014": About((20, 30), EASY, mark("Take this one first: five camels, all run forwards.")),
    "camelup-2018": About(
        (30, 45),
        MEDIUM,
        mark("Take this one if you know the race: two crazy camels run backwards, and six or more have partners."),
    ),
}


def about(game_id: str) -> About:
    """Return how long and how hard an edition is, and which one to take."""
    return EDITIONS[game_id]
