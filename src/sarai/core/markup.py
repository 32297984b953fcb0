"""HTML and SVG put together by type: whatever is not `Markup` already is escaped."""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

EMPTY = Markup("")
KEPT = frozenset({Markup, int, float})  # types of values that go in as they are; numbers can have a format


def markup(template: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a template of our own markup; values that are neither markup nor numbers are escaped."""
    return _filled(template, values)


def phrase(text: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a text in words, which is escaped itself; values may be markup, a name in its element."""
    return _filled(_escaped(text), values)


def _filled(template: str, values: dict[str, object]) -> Markup:
    for name, value in values.items():
        if type(value) is str:
            values[name] = _escaped(value)
        elif type(value) not in KEPT:
            values[name] = escape(value)
    return str.__new__(Markup, template.format_map(values))


@lru_cache(maxsize=10_000, typed=True)  # a text and markup of the same letters are equal, but escaped differently
def _escaped(text: str) -> str:
    return str(escape(text))


def join(parts: Iterable[Markup], between: Markup = EMPTY) -> Markup:
    """Put pieces of markup together."""
    return str.__new__(Markup, str.join(between, parts))


def classes(**flags: object) -> str:
    """Return the names of those CSS classes whose flag is true, each after a space."""
    return "".join(f" {name}" for name, is_set in flags.items() if is_set)


def shorten(name: str, length: int) -> str:
    """Return a name cut to a number of characters."""
    return name if len(name) <= length else name[: length - 1] + "…"
