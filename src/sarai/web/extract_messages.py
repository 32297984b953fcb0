"""Collect every text that people read: `python -m sarai.web.extract_messages [LANGUAGE …]`.

It writes the template `messages.pot` and brings the catalogs that exist up to date; a language named makes its catalog.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from sarai.core.errors import NOT_ON_PAGES, REASONS
from sarai.core.policy.levels import LEVELS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.log import TABLE_SENTENCES
from sarai.table.reactions import REACTIONS
from sarai.web import refusals
from sarai.web.language import LANGUAGES, LOCALE, TEMPLATE, catalog_path

PACKAGE = LOCALE.parents[1]
KEYWORDS = {"say": None, "mark": None, "say_count": (1, 2)}
METHODS = [
    ("web/**.py", "python"),
    ("games/**.py", "python"),
    ("web/templates/**.html", "jinja2.ext:babel_extract"),
]
WIDTH = 160  # columns of a catalog


def from_sources() -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Yield the texts that stand in code and templates, and the file of each."""
    for file, _, text, _, _ in extract_from_dir(PACKAGE, METHODS, keywords=KEYWORDS):
        yield text, file


def from_games() -> Iterator[tuple[str, str]]:
    """Yield the texts that games bring as data: pitches, options, sentences, reasons, words."""
    for game in map(find, game_ids()):
        folder = game.package.replace(".", "/").removeprefix("sarai/")
        definition = game.definition
        texts = [game.pitch, *definition.sentences.values(), *game.reasons.values(), *definition.grouped.values()]
        if (about := getattr(game.module("board"), "about", None)) is not None:
            texts += [about(game.id).difficulty, about(game.id).advice]
        for option in game.options:
            texts += [option.name, option.help, *option.choices]
        said = {name for spec in definition.events for name in spec.said}
        for name, words in (*definition.trace_names.names.items(), *definition.trace_names.sets.items()):
            texts += [word.replace("_", " ") for word in words if name not in said]
        for sentences in definition.concealed.values():
            texts += sentences.values()
        for players in game.players:
            texts += definition.sentences_for(players, game.resolve_options(players)).values()
        for text in texts:
            yield text, folder


def from_data() -> Iterator[tuple[str, str]]:
    """Yield the other texts that are data: reasons, events of a table, levels of bots."""
    elsewhere = NOT_ON_PAGES.union(*(find(game_id).reasons for game_id in game_ids()))
    reasons = [sentence for key, sentence in REASONS.items() if key not in elsewhere]
    texts = [*reasons, *TABLE_SENTENCES.values(), *LEVELS, *(reaction.words for reaction in REACTIONS.values())]
    for sentences in refusals.SENTENCES.values():
        texts += sentences.values()
    for text in texts:
        yield text, "house"


def collect() -> Catalog:
    """Return all texts, in a fixed order."""
    texts: dict[str, tuple[str | tuple[str, ...], set[str]]] = {}
    for text, file in [*from_sources(), *from_games(), *from_data()]:
        if text:
            texts.setdefault(text if isinstance(text, str) else text[0], (text, set()))[1].add(file)
    catalog = Catalog(project="sarai", charset="utf-8")
    for text, files in sorted(texts.values(), key=lambda entry: str(entry[0])):
        catalog.add(
            text,
            locations=[(file, 0) for file in sorted(files)],
            flags=["python-brace-format"] if "{" in str(text) else [],
        )
    return catalog


def written(catalog: Catalog, *headers: str) -> bytes:
    """Return a catalog as a file with these headers, the same for the same texts."""
    out = BytesIO()
    write_po(out, catalog, omit_header=True, include_lineno=False, width=WIDTH)
    lines = [*headers, "Content-Type: text/plain; charset=utf-8"]
    head = "".join(f'"{line}\\n"\n' for line in sorted(lines))
    return f'msgid ""\nmsgstr ""\n{head}\n'.encode() + out.getvalue()


def template() -> bytes:
    """Return the template: all texts as a .pot file."""
    return written(collect())


def updated(code: str, pot: bytes, old: bytes | None) -> bytes:
    """Return a language's catalog with all texts of the template, keeping what is translated."""
    count, rule = LANGUAGES[code].plurals
    plurals = f"Plural-Forms: nplurals={count}; plural={rule};"
    kept = read_po(BytesIO(old), locale=None) if old else Catalog()
    catalog = Catalog(charset="utf-8")
    catalog.mime_headers = [("Plural-Forms", plurals.partition(": ")[2])]
    for message in read_po(BytesIO(pot)):
        if message.id:
            before = kept.get(message.id if isinstance(message.id, str) else message.id[0])
            empty = "" if isinstance(message.id, str) else ("",) * count
            flags = message.flags | ({"fuzzy"} if before and before.fuzzy else set())
            catalog.add(message.id, before.string if before else empty, message.locations, flags)
    return written(catalog, f"Language: {code}", plurals)


def write_all(new: list[str]) -> None:
    """Write the template and every catalog that exists or is new."""
    pot = template()
    TEMPLATE.write_bytes(pot)
    for code in LANGUAGES:
        path = catalog_path(code, LOCALE)
        if path.exists() or code in new:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(updated(code, pot, path.read_bytes() if path.exists() else None))


if __name__ == "__main__":
    write_all(sys.argv[1:])
    print(f"{len(collect())} texts in {TEMPLATE}", file=sys.stderr)
