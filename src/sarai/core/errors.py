"""What goes wrong, as values: every error has a reason key and the facts that fill its sentence."""

from sarai.core.reasons import REASONS


class Error(Exception):
    """Something was refused; nothing changed."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        return REASONS[self.key].format(**self.facts)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.key, self.facts)


def _again(kind: type[Error], key: str, facts: dict[str, object]) -> Error:
    return kind(key, **facts)


class UnknownGame(Error):
    """There is no game of that id."""


class BadStart(Error):
    """A game cannot be started with that player count or those options."""


class Illegal(Error):
    """A move that the rules, or the moment, do not allow."""


class BadText(Error):
    """A position or a move that cannot be read."""


class BadRecord(Error):
    """A record that is damaged, edited or from other rules."""
