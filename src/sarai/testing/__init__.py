"""The contract of a game as a test anybody can run on any game: `check_game(game)`; and of its board: `check_board(draw, game)`."""

from sarai.testing.boards import check_board, check_drawing
from sarai.testing.choices import option_sets, variants
from sarai.testing.contract import check_game

__all__ = ["check_board", "check_drawing", "check_game", "option_sets", "variants"]
