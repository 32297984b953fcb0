"""What boards of all games share: words that are safe in markup, and names that fit."""

from functools import lru_cache
from html import escape, unescape

from sarai.core.scene import Say


@lru_cache(maxsize=64)
def safe(say: Say) -> Say:
    """Return a translation whose texts can stand anywhere in markup; the same one for the same translation, so that fragments can be memoised by it."""

    @lru_cache(maxsize=1024)
    def spoken(text: str) -> str:
        return escape(say(text))

    return spoken


@lru_cache(maxsize=4096)
def short(name: str, room: int) -> str:
    """Return a safe name cut to so many characters, safe again."""
    whole = unescape(name)
    return name if len(whole) <= room else escape(whole[: room - 1]) + "…"


def marks(**classes: object) -> str:
    """Return the names of those classes that hold, each after a space."""
    return "".join(f" {name}" for name, holds in classes.items() if holds)
