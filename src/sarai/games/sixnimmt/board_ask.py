"""What the status line asks for at a table of 6 nimmt!."""

from functools import lru_cache

from sarai.core.board import Scene
from sarai.core.markup import safe
from sarai.core.messages import Say


def ask(scene: Scene) -> tuple[str, str]:
    """Say what is expected of the viewer, and of others, who are `{names}` in it."""
    view = scene.view
    card = view["turned_up"].get(str(view["seat"]), 0) if view["phase"] == "row" else 0
    return asked(view["phase"], card, view["my_choice"] or 0, safe(scene.say))


@lru_cache(maxsize=4096)
def asked(phase: str, card: int, chosen: int, say: Say) -> tuple[str, str]:
    """Say it by what it depends on: the phase, the viewer's low card, the viewer's choice."""
    if phase == "draft":
        return say("Take a card into your hand."), say("Waiting for {names} to take a card.")
    if phase == "row":
        return say("Your {card} is lower than every row: choose a row to take.").format(card=card), say(
            "Waiting for {names} to choose a row to take."
        )
    others = (
        say("You have chosen {card}. Waiting for {names} to choose a card.")
        if chosen
        else say("Waiting for {names} to choose a card.")
    )
    return say("Choose a card to play."), others.replace("{card}", str(chosen))
