"""HTML and SVG put together by type: whatever is not `Markup` already is escaped."""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

EMPTY = Markup("")
SAFE = frozenset({Markup, int, float})  # types whose values need no escaping


def markup(template: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a template that is markup of ours; values are escaped unless they are markup or numbers."""
    for name, value in values.items():
        if type(value) not in SAFE:
            values[name] = _escaped(str(value))
    return str.__new__(Markup, template.format_map(values))  # `Markup()` itself takes five times as long


def phrase(text: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a text in words, which is escaped itself; values may be markup, as a name in a `<bdi>`."""
    return markup(_escaped(text), **values)


@lru_cache(maxsize=4096, typed=True)  # markup and text of the same letters are equal, but only text is escaped
def _escaped(text: str) -> str:
    return str(escape(text))


def join(parts: Iterable[Markup], between: Markup = EMPTY) -> Markup:
    """Put pieces of markup together."""
    return str.__new__(Markup, str.join(between, parts))


def classes(**flags: object) -> str:
    """Return the names of those CSS classes whose flag is true, each after a space."""
    return "".join([f" {name}" for name, is_set in flags.items() if is_set])


def shorten(name: str, length: int) -> str:
    """Return a name cut to a number of characters."""
    return name if len(name) <= length else name[: length - 1] + "…"
