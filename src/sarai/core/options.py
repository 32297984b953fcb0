"""Options of a game: what may be set at its start, and what may not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sarai.core.errors import BadStart
from sarai.core.messages import Message, Notation, Series, mark

Value = str | int


@dataclass(frozen=True)
class Option:
    """One option: a choice of words, or a whole number in a range. A `display` option changes pages, not rules."""

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    numbers: range = range(0)
    display: bool = False

    @property
    def allowed(self) -> Message:
        """Say what the option may be, in words."""
        if self.choices:
            return Message(mark("it is one of {choices}"), {"choices": Series(map(Notation, self.choices))})
        bounds = {"low": self.numbers[0], "high": self.numbers[-1]}
        return Message(mark("it is a whole number from {low} to {high}"), bounds)

    def read(self, value: object) -> Value:
        """Return the value if it is allowed, reading numbers from text too."""
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
        elif isinstance(value, int) and not isinstance(value, bool):
            if value in self.numbers:
                return value
        elif (
            isinstance(value, str)
            and value.isascii()
            and value.isdecimal()
            and len(value) < 10
            and int(value) in self.numbers
        ):
            return int(value)
        raise BadStart("bad_option_value", option=self.name, value=value, allowed=self.allowed)


def resolve_options(title: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Return every option's value, the defaults filled in; unknown names and values are refused."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadStart("unknown_option", title=title, option=name, options=list(known), known=len(known))
    return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}
