"""Catalogs of translations: reading them, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from icu4py.messageformat import MessageFormat

from sarai.core.icu_patterns import COUNTING, BadPattern, fields, parse
from sarai.core.messages import Term

if TYPE_CHECKING:
    from sarai.core.language import LanguageInfo


def read_catalog(path: Path, code: str | None = None) -> Catalog:
    """Read a catalog as translators write it; a file that is missing is an empty catalog."""
    if not path.exists():
        return Catalog()
    with path.open("rb") as file:
        return read_po(file, locale=code)


def translated(catalog: Catalog) -> Iterator[tuple[str, str | None, str]]:
    """Yield what a catalog translates, doubtful texts (marked as fuzzy) left out: message, context, translation."""
    for message in catalog:
        if message.id and message.string and not message.fuzzy:
            yield str(message.id), message.context, str(message.string)


def texts_of(catalog: Catalog) -> dict[str, str]:
    """Return the translations of messages."""
    return {text: string for text, context, string in translated(catalog) if context is None}


def terms_of(catalog: Catalog) -> dict[Term, str]:
    """Return the translations of terms."""
    found = {Term(text, context): string for text, context, string in translated(catalog) if context is not None}
    return found | {Term(key.replace(" ", "_"), context): string for (key, context), string in found.items()}


# --- what is wrong with a catalog ---------------------------------------------------------------------------------


class Problem(NamedTuple):
    """A message that is not translated, or not so that it can be said."""

    message: str
    why: str


def is_complete(path: Path, template: Path, info: LanguageInfo) -> bool:
    """Say whether a catalog translates every message of the template, untranslated games aside, and well."""
    return not problems(read_catalog(path, info.code), read_catalog(template), info)


def game_of(message: Message) -> str | None:
    """Return the folder of the game that alone says a message, None if others say it, too."""
    folders = {"/".join(place.split("/")[:2]) for place, _ in message.locations}
    (folder, *others) = folders or {""}
    return folder if not others and folder.startswith("games/") else None


def untranslated_games(catalog: Catalog, template: Catalog) -> set[str]:
    """Return the folders of games of which a catalog has no text yet: a new game is played in English at first."""
    own, begun = set[str](), set[str]()
    for message in template:
        if message.id and (folder := game_of(message)) is not None:
            own.add(folder)
            translation = catalog.get(message.id, message.context)
            if translation is not None and translation.string:
                begun.add(folder)
    return own - begun


def problems(catalog: Catalog, template: Catalog, info: LanguageInfo) -> list[Problem]:
    """Return what is wrong with a catalog, in the order of the template; untranslated games are left out."""
    found, left_out = list[Problem](), untranslated_games(catalog, template)
    for message in template:
        if message.id and game_of(message) not in left_out:
            translation = catalog.get(message.id, message.context)
            found += [Problem(str(message.id), why) for why in _wrong(message, translation, info)]
    return found


def _wrong(message: Message, translation: Message | None, info: LanguageInfo) -> Iterable[str]:
    if translation is None or not translation.string:
        return ["it is not translated"]
    if translation.fuzzy:
        return ["its translation is doubtful"]
    return wrong_with(str(message.id), str(translation.string), info)


def wrong_with(message: str, translation: str, info: LanguageInfo) -> list[str]:
    """Say what is wrong with a translation: its syntax, its arguments, or its plural forms."""
    used, wanted = _uses(message, info), _uses(translation, info)
    if isinstance(used, str) or isinstance(wanted, str):
        return [text for text in (used, wanted) if isinstance(text, str)]
    found = list[str]()
    if used.keys() != wanted.keys():
        found.append(f"its arguments are {sorted(wanted)}, not {sorted(used)}")
    for name, kinds in used.items():
        lacking = kinds & set(COUNTING) - wanted.get(name, kinds)
        found += [f"it has no {kind} of {name}" for kind in sorted(lacking)]
    return found + wrong_forms(translation, info)


def wrong_forms(text: str, info: LanguageInfo) -> list[str]:
    """Say where the plural forms of a message are not those of a language; forms for exact numbers are welcome."""
    locale, found = Locale.parse(info.locale), list[str]()
    for field in fields(parse(text)):
        if field.kind in COUNTING:
            rule = locale.plural_form if field.kind == "plural" else locale.ordinal_form
            wanted = {*rule.tags, "other"}
            forms = {form for form in field.forms if not form.startswith("=")}
            if forms != wanted:
                found.append(f"{field.name} has the forms {sorted(forms)}, not {sorted(wanted)}")
    return found


def _uses(text: str, info: LanguageInfo) -> dict[str, set[str]] | str:
    """Return how a text uses its arguments, or what is wrong with its syntax; one without any stands as it is."""
    try:
        used = list(fields(parse(text)))
        MessageFormat(text, info.locale)
    except BadPattern as error:
        return f"{text!r} is no ICU message: {error}"
    except ValueError as error:
        return f"{text!r} is refused by ICU: {error}"
    return {field.name: {other.kind for other in used if other.name == field.name} for field in used}
