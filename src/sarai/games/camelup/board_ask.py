"""What the status line asks for at a table of Camel Up."""

from functools import lru_cache

from sarai.core.board import Scene
from sarai.core.markup import safe
from sarai.core.messages import Say
from sarai.games.camelup.table import PARTNER, PYRAMID, TILE, WIN


def ask(scene: Scene) -> tuple[str, str]:
    """Say what is expected of the viewer, and of others, who are `{names}` in it."""
    return asked(frozenset(map(kind_of, scene.moves)), safe(scene.say))


def kind_of(move: int) -> str:
    """Return what kind of thing a move is."""
    return (
        "bet"
        if move < TILE
        else "tile"
        if move < PYRAMID
        else "roll"
        if move < WIN
        else "race"
        if move < PARTNER
        else "partner"
    )


@lru_cache(maxsize=1024)
def asked(kinds: frozenset[str], say: Say) -> tuple[str, str]:
    """Say it by the kinds of moves there are."""
    things = {
        "bet": say("bet on the leg"),
        "tile": say("lay your tile"),
        "race": say("bet on the race"),
        "partner": say("take a partner"),
        "roll": say("roll"),
    }
    *first, last = [text for kind, text in things.items() if kind in kinds] or [""]
    choice = say("{things} or {last}").format(things=say(", ").join(first), last=last) if first else last
    return say("Your turn: {what}.").format(what=choice), say("Waiting for {names} to bet, lay a tile or roll.")
