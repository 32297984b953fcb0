"""Names that look alike, how the second person of such a name is told apart at a table, and the names of bots."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files

from sarai.core.messages import mark

TATWEEL = "\u0640"  # makes an Arabic word longer, and means nothing
BOT_NAMES = (  # each reader's catalog has them in its letters
    *(mark("Zahra"), mark("Odysseas"), mark("Yael"), mark("Rostam"), mark("Eleni")),
    *(mark("Noam"), mark("Shirin"), mark("Kosmas"), mark("Tamar"), mark("Farhad")),
)
POINTS = re.compile("[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]")  # of Hebrew and Arabic


@cache
def prototypes() -> dict[int, str]:
    """Return for each letter that looks like another what stands for both."""
    lines = files("sarai.table").joinpath("look_alikes.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" ") for line in lines if not line.startswith("# ")]
    return {ord(letter): stands for stands, letters in pairs for letter in letters}


@lru_cache(10_000)
def appearances(name: str) -> frozenset[str]:
    """Return how a name looks, as it is and in small letters without points; names that look alike share one.

    Letters have other look-alikes in small than in capitals, so that both are needed.
    """
    small = POINTS.sub("", unicodedata.normalize("NFKD", name.casefold()))
    return frozenset({f"as it is {skeleton(name).casefold()}", f"small {skeleton(small)}"})


def skeleton(text: str) -> str:
    """Return a text with every letter replaced by what stands for all that look like it (UTS 39)."""
    letters = [
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if letter != TATWEEL and unicodedata.category(letter) != "Cf" and not "\ufe00" <= letter <= "\ufe0f"
    ]
    looked = unicodedata.normalize("NFKD", "".join(letters).translate(prototypes()))
    return " ".join(looked.split())


def tell_apart(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name, with a number if it is taken: the first that makes it one of its own."""
    told, number = name, 1
    while is_taken(told):
        number += 1
        told = f"{name} ({number})"
    return told


def is_told_from(name: str, told: str) -> bool:
    """Say whether a name is another one as it is, or with a number."""
    return told == name or (
        told.startswith(f"{name} (") and told.endswith(")") and told[len(name) + 2 : -1].isdecimal()
    )
