"""The contract of a game as a test anybody can run on any game: `check_game(game)`."""

from sarai.testing.choices import option_sets, variants
from sarai.testing.contract import check_game

__all__ = ["check_game", "option_sets", "variants"]
