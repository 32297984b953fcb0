"""Which games were compiled here before: a file beside the kernels says so for each."""

import contextlib
from pathlib import Path


def seal(game_id: str) -> Path:
    """Return the file that says that a game, as it is now, was compiled here with all its bots."""
    from sarai.core.kernels.cache import kernel_directory

    return kernel_directory() / f"prepared-{game_id}"


def was_prepared(game_id: str) -> bool:
    """Say whether a game only has to be loaded; reading the sources for that takes a moment."""
    return seal(game_id).exists()


def remember(game_id: str) -> None:
    """Take note that a game is compiled."""
    with contextlib.suppress(OSError):
        seal(game_id).touch()
