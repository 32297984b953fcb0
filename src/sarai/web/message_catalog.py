"""Collecting every text that people read: `python -m sarai.web.message_catalog` writes messages.pot and brings the catalogs up to date."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from sarai.core.errors import REASONS
from sarai.core.policy.plan import LEVELS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.log import TABLE_SENTENCES
from sarai.web.language import LOCALE, TONGUES, catalog_path
from sarai.web.pages.site_pages import GUESTS
from sarai.web.pitches import PITCHES

POT = LOCALE / "messages.pot"
PACKAGE = Path(__file__).parents[1]
KEYWORDS = {"say": None, "mark": None, "say_count": (1, 2)}
METHODS = [
    ("web/**.py", "python"),
    ("games/**/board*.py", "python"),
    ("games/**/text.py", "python"),
    ("games/**/edition.py", "python"),
    ("web/templates/**.html", "jinja2.ext:babel_extract"),
]


def from_sources() -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Yield the texts that stand in code and templates, and the file of each."""
    for file, _, text, _, _ in extract_from_dir(PACKAGE, METHODS, keywords=KEYWORDS):
        yield text, file


def from_games() -> Iterator[tuple[str, str]]:
    """Yield the texts that games bring as data: sentences, reasons, options, words, and what a log folds or keeps back."""
    for game_id in game_ids():
        game = find(game_id)
        where = game.package.replace(".", "/").removeprefix("sarai/")
        for option in game.options:
            for text in (option.name, option.help, *option.choices):
                yield text, where
        for text in (*game.definition.sentences.values(), *game.reasons.values()):
            yield text, where
        for words in (*game.definition.trace_names.names.values(), *game.definition.trace_names.sets.values()):
            for word in words:
                yield word.replace("_", " "), where
        terminal = importlib.import_module(f"{game.package}.terminal")
        for text in getattr(terminal, "FOLDED", {}).values():
            yield text, where
        for texts in getattr(terminal, "DISCREET", {}).values():
            for text in texts.values():
                yield text, where
    for text in (*REASONS.values(), *TABLE_SENTENCES.values(), *PITCHES.values(), *LEVELS, GUESTS):
        yield text, "house"


def collect() -> Catalog:
    """Return all texts, in a fixed order."""
    texts: dict[str, tuple[str | tuple[str, ...], set[str]]] = {}
    for text, file in [*from_sources(), *from_games()]:
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


def template() -> bytes:
    """Return the texts as a .pot file, the same for the same texts."""
    out = BytesIO()
    write_po(out, collect(), omit_header=True, include_lineno=False, width=160)
    return b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n' + out.getvalue()


def updated(code: str, pot: bytes, old: bytes | None) -> bytes:
    """Return a language's catalog with all texts of the template, keeping what is translated."""
    count, rule = TONGUES[code].plurals
    head = f'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: nplurals={count}; plural={rule};\\n"\n\n'
    kept = read_po(BytesIO(old), locale=None) if old else Catalog()
    catalog = Catalog(charset="utf-8")
    catalog.mime_headers = [("Plural-Forms", f"nplurals={count}; plural={rule};")]
    for message in read_po(BytesIO(pot)):
        if message.id:
            before = kept.get(message.id if isinstance(message.id, str) else message.id[0])
            empty = "" if isinstance(message.id, str) else ("",) * count
            catalog.add(message.id, before.string if before else empty, message.locations, message.flags)
    out = BytesIO()
    write_po(out, catalog, omit_header=True, include_lineno=False, width=160)
    return head.encode() + out.getvalue()


def write_all() -> None:
    """Write the template and every catalog but that of English, which the texts themselves are in."""
    pot = template()
    POT.write_bytes(pot)
    for code in TONGUES:
        path = catalog_path(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(updated(code, pot, path.read_bytes() if path.exists() else None))


if __name__ == "__main__":
    write_all()
    print(f"{len(collect())} texts in {POT}", file=sys.stderr)
