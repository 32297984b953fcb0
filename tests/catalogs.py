"""Catalogs for tests: complete ones, so that pages are offered in their languages."""

from functools import cache

from babel import Locale
from babel.messages.catalog import Catalog

from sarai.core.catalogs import read_catalog, untranslated_games
from sarai.core.icu_patterns import COUNTING, Field, fields, parse
from sarai.core.language import LANGUAGES, LOCALE, TEMPLATE, catalog_path
from sarai.web.extract_messages import written

GREEK = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ("αβγδεζηθικλμνξοπρστυφχψω" * 3)[:52])


def complete_catalog(code, **translations):
    """Return a catalog that translates every text: as given, or as the English text after the language's code."""
    catalog = Catalog(charset="utf-8")
    for message in read_catalog(TEMPLATE):
        if message.id:
            said = translations.get(message.id) or f"{code}·{with_forms_of(code, message.id)}"
            catalog.add(message.id, said, flags=message.flags, context=message.context)
    return written(catalog, f"Language: {code}")


@cache
def in_english_only(code):
    """Return the folders of games of which a language has no texts yet."""
    path = catalog_path(code, LOCALE)
    return untranslated_games(read_catalog(path, code), read_catalog(TEMPLATE)) if path.exists() else set()


def is_translated(game, code):
    """Tell whether a game is played in a language: a new one is in English until its texts are translated."""
    return f"games/{game.folder.name}" not in in_english_only(code)


def with_forms_of(code, message):
    """Return a message with the plural forms of a language, each as its last English one."""
    if "," not in message or not any(field.kind in COUNTING for field in fields(parse(message))):
        return message
    return in_forms(code, parse(message))


def in_forms(code, pieces):
    return "".join(piece.replace("'", "''") if isinstance(piece, str) else in_forms_of(code, piece) for piece in pieces)


def in_forms_of(code, field: Field):
    if field.kind == "#":
        return "#"
    if field.kind not in COUNTING:
        selected = "".join(f" {name} {{{in_forms(code, pieces)}}}" for name, pieces in field.forms.items())
        return f"{{{field.name}, select,{selected}}}" if selected else f"{{{field.name}}}"
    other = in_forms(code, field.forms["other"])
    rule = Locale.parse(LANGUAGES[code].locale).plural_form
    exact = {name: in_forms(code, pieces) for name, pieces in field.forms.items() if name.startswith("=")}
    named = dict.fromkeys((*sorted(rule.tags), "other"), other)
    forms = " ".join(f"{form} {{{said}}}" for form, said in (exact | named).items())
    return f"{{{field.name}, {field.kind}, {forms}}}"


def write_catalog(folder, code, content):
    path = catalog_path(code, folder)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def in_other_letters(code):
    """Return a catalog in which every message is translated into Greek letters, whatever they mean."""
    catalog = Catalog(charset="utf-8")
    for message in read_catalog(TEMPLATE):
        if message.id:
            plural = with_forms_of(code, message.id)
            said = "".join(map(greek_piece, parse(plural))) if "{" in plural else plural.translate(GREEK)
            catalog.add(message.id, said, flags=message.flags, context=message.context)
    return written(catalog, f"Language: {code}")


def greek_piece(piece):
    if isinstance(piece, str):
        return piece.translate(GREEK).replace("'", "''")
    if piece.kind == "#":
        return "#"
    if not piece.forms:
        return f"{{{piece.name}}}"
    forms = "".join(f" {name} {{{''.join(map(greek_piece, pieces))}}}" for name, pieces in piece.forms.items())
    return f"{{{piece.name}, {piece.kind},{forms}}}"
