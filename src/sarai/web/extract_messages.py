"""Collect every text that people read: `python -m sarai.web.extract_messages [LANGUAGE …]`.

It writes the template `messages.pot` and brings the catalogs that exist up to date; a language named makes its catalog.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

import jinja2
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

from sarai.core.errors import CONTEXTS, NOT_ON_PAGES, REASONS
from sarai.core.events import NOTATION, NOTHING
from sarai.core.game import Game
from sarai.core.icu_patterns import fields, parse
from sarai.core.language import LANGUAGES, LOCALE, TEMPLATE, catalog_path
from sarai.core.policy.levels import LEVELS
from sarai.core.refusal_sentences import TERMS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.core.rulebook import read_rulebook
from sarai.table.event_types import TABLE_SENTENCES
from sarai.table.reactions import REACTIONS
from sarai.web import site_refusal_reasons  # noqa: F401 - it registers its reasons

PACKAGE = LOCALE.parents[1]
SAYING = ("say", "_say", "mark")  # functions whose first argument is a message
OF_DATA = ("sheets_", "board_")  # reasons why a developer's file of sheets or boards cannot be used
IN_ENGLISH = ("arena/", "bench/", "cli/arena", "cli/tables")
REFUSING = {"inconsistent": 0, "bad": 2, "refuse": 2}  # functions of games that say why a text is refused, and where
WIDTH = 160  # columns of a catalog
FOR_TRANSLATORS = "# translators:"  # begins a comment that catalogs repeat


class Found(NamedTuple):
    """A text that people read, the noun it describes if it is a term, where it stands, and what its comment says."""

    text: str
    file: str
    context: str | None = None
    comment: str = ""


def from_sources() -> Iterator[Found]:
    """Yield the texts that stand in code and templates."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from in_python(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).as_posix())
    for path in sorted(PACKAGE.rglob("templates/*.html")):
        yield from in_template(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).as_posix())


def in_python(source: str, file: str) -> Iterator[Found]:
    """Yield what a module says or marks, and its terms, wherever in an expression that is written out."""
    comments = comments_of(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            for reason in (word.value for word in node.keywords if word.arg == "why"):
                yield from (Found(text, file) for text in constants(reason) if not file.startswith(IN_ENGLISH))
        if isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in SAYING:
                comment = comments.get(node.lineno, "")
                yield from (Found(text, file, comment=comment) for text in constants(node.args[0]))
            elif called in REFUSING and len(node.args) > REFUSING[called]:
                yield from (Found(text, file) for text in constants(node.args[REFUSING[called]]))
            elif called == "Term" and len(node.args) == 2:
                for key in constants(node.args[0]):
                    yield from (Found(in_words(key), file, context) for context in constants(node.args[1]))


def comments_of(source: str) -> dict[int, str]:
    """Return the comments for translators, by the line that each stands on or above."""
    lines, found = source.splitlines(), dict[int, str]()
    for number, line in enumerate(lines, 1):
        code, mark, comment = line.partition(FOR_TRANSLATORS)
        if mark:
            found[number if code.strip() else number + 1] = comment.strip()
    return found


def constants(node: ast.expr) -> list[str]:
    """Return the texts that an expression may be, as far as they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in constants(value)]
    return []


def in_template(source: str, file: str) -> Iterator[Found]:
    """Yield what a template says."""
    for call in jinja2.Environment(autoescape=True).parse(source).find_all(nodes.Call):
        called = call.node.attr if isinstance(call.node, nodes.Getattr) else getattr(call.node, "name", "")
        if called in SAYING and call.args:
            chosen = call.args[0]
            said = [chosen.expr1, chosen.expr2] if isinstance(chosen, nodes.CondExpr) else [chosen]
            yield from (Found(text.value, file) for text in said if isinstance(text, nodes.Const))


def in_words(key: str) -> str:
    """Return a word of a game as it is said in English."""
    return key.replace("_", " ")


def terms_of(game: Game, folder: str) -> Iterator[Found]:
    """Yield the words that fill a game's sentences, with the nouns they describe; notation is not translated."""
    names, sets = game.definition.trace_names.names, game.definition.trace_names.sets
    for spec in game.definition.events:
        for argument in spec.args:
            words = [*names.get(argument, ()), *sets.get(argument, ()), *([NOTHING] if argument in sets else [])]
            if argument not in NOTATION and argument not in spec.said:
                context = spec.contexts.get(argument, argument)
                yield from (Found(in_words(word), folder, context) for word in words)
    for key in game.reasons:
        for argument in TERMS & {field.name for field in fields(parse(REASONS[key]))}:
            context = CONTEXTS.get(key, argument)
            yield from (Found(in_words(word), folder, context) for word in names.get(argument, ()))


def from_games() -> Iterator[Found]:
    """Yield the texts that games bring as data: pitches, options, sentences, reasons, words."""
    for game in map(find, game_ids()):
        folder = game.package.replace(".", "/").removeprefix("sarai/")
        definition = game.definition
        texts = [game.title, game.pitch, *definition.sentences.values(), *definition.grouped.values()]
        texts += [REASONS[key] for key in game.reasons if not key.startswith(OF_DATA)]
        if (about := getattr(game.module("board"), "about", None)) is not None:
            texts += [about(game.id).difficulty, about(game.id).advice]
        for option in game.options:
            texts.append(option.help)
            yield Found(in_words(option.name), folder, "option")
            yield from (Found(in_words(choice), folder, option.name) for choice in option.choices)
        names = definition.trace_names
        for argument, words in (*names.names.items(), *names.sets.items()):
            texts += [in_words(word) for word in words if argument not in NOTATION]  # boards and moves say them bare
        for sentences in definition.concealed.values():
            texts += sentences.values()
        if rulebook := read_rulebook(game):
            texts += rulebook.messages()
        for players in game.players:
            texts += definition.sentences_for(players, game.resolve_options(players)).values()
        yield from (Found(text, folder) for text in texts)
        yield from terms_of(game, folder)


def from_data() -> Iterator[Found]:
    """Yield the other texts that are data: reasons, events of a table, levels of bots."""
    elsewhere = NOT_ON_PAGES.union(*(find(game_id).reasons for game_id in game_ids()))
    reasons = [sentence for key, sentence in REASONS.items() if key not in elsewhere]
    texts = [*reasons, *TABLE_SENTENCES.values(), *(reaction.words for reaction in REACTIONS.values())]
    yield from (Found(text, "house") for text in texts)
    yield from (Found(level, "house", "bot") for level in LEVELS)


def collect() -> Catalog:
    """Return all texts, in a fixed order."""
    places, comments = dict[tuple[str, str], set[str]](), dict[tuple[str, str], set[str]]()
    for found in (*from_sources(), *from_games(), *from_data()):
        if found.text:
            key = found.text, found.context or ""
            places.setdefault(key, set()).add(found.file)
            comments.setdefault(key, set()).update([found.comment] if found.comment else [])
    catalog = Catalog(project="sarai", charset="utf-8")
    for (text, context), files in sorted(places.items()):
        flags = ["icu-message-format"] if "{" in text else []
        told = sorted(comments[text, context])
        catalog.add(text, None, [(file, 0) for file in sorted(files)], flags, told, context=context or None)
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
    kept = read_po(BytesIO(old), locale=None) if old else Catalog()
    catalog = Catalog(charset="utf-8")
    for message in read_po(BytesIO(pot)):
        if message.id:
            before = kept.get(message.id, message.context)
            flags = message.flags | ({"fuzzy"} if before and before.fuzzy else set())
            string = before.string if before else ""
            catalog.add(message.id, string, message.locations, flags, message.auto_comments, context=message.context)
    return written(catalog, f"Language: {code}")


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
