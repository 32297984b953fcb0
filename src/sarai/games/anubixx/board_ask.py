"""What the status line asks for at a table of Anubixx."""

from functools import lru_cache

from sarai.core.board import Scene
from sarai.core.markup import safe
from sarai.core.messages import Say


def ask(scene: Scene) -> tuple[str, str]:
    """Say what is expected of the viewer, and of others, who are `{names}` in it."""
    return asked(scene.view["marked_this_turn"] > 0, len(scene.moves) > 1, safe(scene.say))


@lru_cache(maxsize=64)
def asked(more: bool, can: bool, say: Say) -> tuple[str, str]:
    """Say it by whether a stone was marked in this turn, and whether there is one to mark."""
    if more:
        return say("Mark one more lit stone, or stop."), say("Waiting for {names} to mark one more stone or stop.")
    if can:
        return say("Mark a lit stone, or a pair of the relief at its joint."), say(
            "Waiting for {names} to mark stones."
        )
    return say("No stone fits the dice: mark nothing."), say("Waiting for {names} to mark stones.")
