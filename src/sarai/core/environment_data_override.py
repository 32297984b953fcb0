"""Whether a game is played with the data of a file that an environment variable `SARAI_DATA_…` names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sarai.core.kernels.cache import OWN_DATA

if TYPE_CHECKING:
    from sarai.core.game import Game


def has_data_override(game: Game) -> bool:
    """Say whether a game's data was replaced: then positions of its lesson and its rules' examples do not hold."""
    beginning = f"{OWN_DATA}{game.folder.name.upper()}_"
    return any(value and name.startswith(beginning) for name, value in os.environ.items())
