"""Messages to be judged by people who speak a language: drawn by a seed, each shown in a picture where it is read.

`make pictures` first; then `python tests/review_sheet.py fa --seed 7` writes `.pictures/review-fa.html`.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from typing import NamedTuple

from sarai.core.catalogs import read_catalog
from sarai.core.icu_patterns import Piece, parse
from sarai.core.language import LANGUAGES, TEMPLATE, Language, find_language
from seen_texts import SeenText, read_texts

FOLDER = Path(".pictures")
LEAST_LETTERS = 3  # a message with fewer of its own may be anything
WHOLE = 14  # so many letters of a message may be a part of a text; a shorter one must be all of it
MARGIN, NARROWEST, WIDEST, HIGHEST = 40, 360, 900, 320  # pixels around a text, and shown of a picture
ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069\u200e\u200f"))
MARKDOWN = re.compile(r"\*\*|`|\[|\]\([^)]*\)")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 12px; width: 920px }
article { border-top: 2px solid #888; padding: 6px 0; break-inside: avoid }
.place { position: relative; overflow: hidden; background-repeat: no-repeat; border: 1px solid #bbb }
.place i { position: absolute; border: 2px solid #d0006f; border-radius: 4px }
"""


def plain(text: str) -> str:
    """Return a text as people read it: without isolates, line breaks, and the marks of Markdown."""
    return " ".join(MARKDOWN.sub("", text.translate(ISOLATES)).split())


def letters(pieces: tuple[Piece, ...]) -> int:
    """Count the letters that a message is sure to have."""
    return sum(
        sum(map(str.isalpha, piece)) if isinstance(piece, str) else min(map(letters, piece.forms.values()), default=0)
        for piece in pieces
    )


def pattern_of(pieces: tuple[Piece, ...]) -> str:
    """Return a regular expression for what a message may become."""
    found = ""
    for piece in pieces:
        if isinstance(piece, str):
            words = re.split(r"\s+", MARKDOWN.sub("", piece.translate(ISOLATES)))
            found += " ".join(map(re.escape, words))
        elif piece.forms:
            found += f"(?:{'|'.join(map(pattern_of, piece.forms.values()))})"
        else:
            found += ".{1,80}?"
    return found


class Matcher(NamedTuple):
    """What finds a message in a text, and how many letters of its own it has."""

    finds: Callable[[str], object]
    letters: int

    @classmethod
    def of(cls, translation: str) -> "Matcher | None":
        """Return that of a message; None if it has too few letters."""
        pieces = parse(translation)
        if (count := letters(pieces)) < LEAST_LETTERS:
            return None
        pattern = re.compile(pattern_of(pieces).strip())
        return cls(pattern.search if count >= WHOLE else pattern.fullmatch, count)


def places(language: Language, folder: Path) -> Iterator[tuple[str, Path, SeenText]]:
    """Yield messages that are in pictures, each once, at the smallest place that shows it and no longer message."""
    seen = dict[str, list[tuple[Path, SeenText]]]()
    for path in sorted(folder.rglob(f"*-{language.code}-*.json")):
        for text in read_texts(path):
            seen.setdefault(plain(text.text), []).append((path.with_suffix(".png"), text))
    texts = sorted(seen, key=len)
    messages = {str(message.id) for message in read_catalog(TEMPLATE) if message.id and not message.context}
    found = {message: Matcher.of(language.say(message)) for message in sorted(messages)}
    matchers = {message: matcher for message, matcher in found.items() if matcher is not None}

    @cache
    def most_letters(text: str) -> int:
        return max(matcher.letters for matcher in matchers.values() if matcher.finds(text))

    for message, (finds, count) in matchers.items():
        if (text := next((text for text in texts if finds(text) and most_letters(text) == count), None)) is not None:
            yield message, *max(seen[text], key=lambda place: place[1].box[2] > 0)


def article(number: int, message: str, translation: str, language: Language, path: Path, text: SeenText) -> str:
    """Show a message: in English, in the language, and where it is read."""
    x, y, width, height = text.box
    left, top = max(0, x - MARGIN), max(0, y - MARGIN)
    wide, high = min(WIDEST, max(NARROWEST, width + 2 * MARGIN)), min(HIGHEST, height + 2 * MARGIN)
    if language.direction == "rtl":
        left = max(0, x + width + MARGIN - wide)
    picture = f"background-image: url('{path.as_uri()}'); background-position: -{left}px -{top}px"
    place = f"width: {wide}px; height: {high}px; {picture}"
    mark = f"left: {x - left - 3}px; top: {y - top - 3}px; width: {width + 2}px; height: {height + 2}px"
    return (
        f'<article><b>{number}</b> <span lang="en" dir="ltr">{escape(message)}</span>'
        f'<p lang="{language.code}" dir="{language.direction}">{escape(translation)}</p>'
        f'<div class="place" style="{place}"><i style="{mark}"></i></div><small>{path.name}</small></article>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=[code for code in LANGUAGES if code != "en"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--pictures", type=Path, default=FOLDER)
    options = parser.parse_args()
    language = find_language(options.language)
    found = list(places(language, options.pictures.resolve()))
    drawn = Random(options.seed).sample(found, min(options.count, len(found)))
    articles = [
        article(number, message, language.say(message), language, path, text)
        for number, (message, path, text) in enumerate(drawn, 1)
    ]
    sheet = options.pictures / f"review-{language.code}.html"
    sheet.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{''.join(articles)}")
    print(f"{len(drawn)} of {len(found)} messages that are in pictures, drawn with seed {options.seed}: {sheet}")


if __name__ == "__main__":
    main()
