"""Catalogs for tests: complete ones, so that pages are offered in their languages."""

from babel.messages.catalog import Catalog

from sarai.web.extract_messages import written
from sarai.web.language import LANGUAGES, TEMPLATE, catalog_path, read_catalog


def complete_catalog(code, **translations):
    """Return a catalog that translates every text: as given, or as the English text after the language's code."""
    count, rule = LANGUAGES[code].plurals
    catalog = Catalog(charset="utf-8")
    plurals = f"nplurals={count}; plural={rule};"
    catalog.mime_headers = [("Plural-Forms", plurals)]
    for message in read_catalog(TEMPLATE):
        if message.id:
            plain = isinstance(message.id, str)
            text = message.id if plain else message.id[1]
            said = translations.get(text, f"{code}·{text}")
            catalog.add(message.id, said if plain else (said,) * count, flags=message.flags)
    return written(catalog, f"Language: {code}", f"Plural-Forms: {plurals}")


def write_catalog(folder, code, content):
    path = catalog_path(code, folder)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path
