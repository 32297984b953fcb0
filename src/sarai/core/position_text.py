"""Position texts: one line, a game id and then fields of the form name=value."""

from collections.abc import Iterable

from sarai.core.errors import BadText
from sarai.core.messages import Message, Notation, Series, mark

WRONG_COUNT = mark("{parts, plural, one {it has # part, not {count}} other {it has # parts, not {count}}}")
ONE_OF = mark("it is one of {choices}")
BEYOND = mark("it is not between {low} and {high}")


class Fields:
    """The fields of a position text, taken one by one; what is left over at the end is an error."""

    def __init__(self, text: str) -> None:
        words = text.split()
        if not words:
            raise BadText("text_empty")
        self.game = words[0]
        self.left: dict[str, str] = {}
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals or not name:
                raise BadText("text_bad_field", field=word)
            if name in self.left:
                raise BadText("text_repeated_field", field=name)
            self.left[name] = value

    def take(self, name: str) -> str:
        """Return a field's text."""
        try:
            return self.left.pop(name)
        except KeyError:
            raise BadText("text_missing_field", field=name) from None

    def number(self, name: str, low: int, high: int) -> int:
        """Return a field that is one whole number."""
        return whole(name, self.take(name), low, high)

    def numbers(self, name: str, count: int, low: int, high: int) -> list[int]:
        """Return a field of exactly `count` whole numbers with commas between."""
        parts = self.parts(name, count)
        return [whole(name, part, low, high) for part in parts]

    def parts(self, name: str, count: int | None = None, between: str = ",") -> list[str]:
        """Return a field's parts; an empty field or `-` has none where the count is free."""
        value = self.take(name)
        parts = [] if count is None and value in ("", "-") else value.split(between)
        if count is not None and len(parts) != count:
            raise BadText(
                "text_bad_value",
                field=name,
                value=value,
                why=Message(WRONG_COUNT, {"parts": len(parts), "count": count}),
            )
        return parts

    def word(self, name: str, words: Iterable[str]) -> int:
        """Return which of the words a field is."""
        value, known = self.take(name), list(words)
        if value not in known:
            raise BadText(
                "text_bad_value",
                field=name,
                value=value,
                why=Message(ONE_OF, {"choices": Series(map(Notation, known))}),
            )
        return known.index(value)

    def close(self) -> None:
        """Refuse fields that are left over."""
        for name in self.left:
            raise BadText("text_unknown_field", field=name)


def whole(name: str, value: str, low: int, high: int) -> int:
    """Read a whole number of a field, within bounds."""
    digits = value[1:] if value.startswith("-") else value
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10 and str(int(value)) == value):
        raise BadText("text_bad_value", field=name, value=value, why="it is not a whole number")
    if not low <= int(value) <= high:
        raise BadText("text_bad_value", field=name, value=value, why=Message(BEYOND, {"low": low, "high": high}))
    return int(value)


def within(value: object, low: int, high: int) -> int:
    """Return a value of a JSON file that must be a whole number within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{value!r} is not a whole number from {low} to {high}")
    return value


def inconsistent(why: str) -> BadText:
    """Return the error for a position that no game comes to."""
    return BadText("text_inconsistent", why=why)
