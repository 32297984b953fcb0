"""Which language a visitor reads."""

from collections.abc import Collection
from functools import lru_cache

from sarai.core.language import ENGLISH, LANGUAGES, Language, find_language, offered_languages
from sarai.core.markup import isolated

__all__ = ["ENGLISH", "LANGUAGES", "Language", "choose", "find_language", "isolated", "offered_languages"]

LONGEST_READ = 500  # letters of what a browser accepts


def choose(asked: str | None, kept: str | None, accepted: str, codes: Collection[str]) -> str:
    """Return one of some languages: the one asked for, else the one kept in a cookie, else what the browser accepts."""
    for code in (asked, kept):
        if code is not None and code in codes:
            return code
    return best_accepted(accepted[:LONGEST_READ], frozenset(codes))


@lru_cache(1000)
def best_accepted(accepted: str, codes: frozenset[str]) -> str:
    """Return which of some languages a browser accepts best; English if it accepts none of them."""
    return next((code for code in accepted_codes(accepted) if code in codes), ENGLISH)


def accepted_codes(header: str) -> list[str]:
    """Read an Accept-Language header: primary codes, the most wanted first."""
    wanted = []
    for place, part in enumerate(header.split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), place, tag.partition("-")[0].lower()))
        except ValueError:
            continue
    return ["he" if code == "iw" else code for weight, _, code in sorted(wanted) if weight < 0]
