"""Tests of the contract for any game: `check_game(game)`, and `check_board(render, game)` for its page board."""

from sarai.testing.boards import check_board, check_rendered
from sarai.testing.contract import check_game
from sarai.testing.generators import option_sets, variants

__all__ = ["check_board", "check_game", "check_rendered", "option_sets", "variants"]
