"""What the status line asks for in the desert."""

from functools import lru_cache

from sarai.core.board import Scene
from sarai.core.markup import safe
from sarai.core.messages import Say


def ask(scene: Scene) -> tuple[str, str]:
    """Say what is expected of the viewer, and of others, who are `{names}` in it."""
    return asked(scene.view["phase"], scene.view["camels_left"], safe(scene.say))


@lru_cache(maxsize=256)
def asked(phase: str, left: int, say: Say) -> tuple[str, str]:
    """Say it by the phase and how many camels the turn still has."""
    if phase == "leaders":
        return say("Choose one of your leaders, then a hex for it."), say("Waiting for {names} to place a leader.")
    if left > 1:
        return say("Place two camels: choose a colour, then a hex."), say("Waiting for {names} to place two camels.")
    if phase == "camels":
        return say("Place your second camel: choose a colour, then a hex."), say(
            "Waiting for {names} to place a second camel."
        )
    return say("Place a camel: choose a colour, then a hex."), say("Waiting for {names} to place a camel.")
