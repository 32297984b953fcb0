"""Events: what a viewer sees happen, as message keys and arguments for the log, animation and translation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sarai.core.messages import Argument as SayArgument
from sarai.core.messages import Duration, Item, Notation, Said, Say, Term

Argument = int | str | list[str] | None
Words = Callable[[str, Say], str]  # says an argument that is notation in the reader's language


class Event(NamedTuple):
    """One thing a viewer saw happen; `reveals` marks new information: a chance outcome, or hidden cards shown."""

    key: str
    args: dict[str, Argument]
    reveals: bool = False


@dataclass(frozen=True)
class EventSpec:
    """How a row of a rule's trace is read: its key, its arguments, and what only its owner may see.

    `secret` arguments are given only to the seat named by the argument `owner`; for other viewers they are left out
    and the key ends in `_hidden`. `contexts` names the noun that a word among the arguments describes, if it is not the
    argument's own name: in "the red die" the argument `camel` is the red of a die. `said` says arguments
    that people know by other words.
    """

    key: str
    args: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    owner: str = "seat"
    reveals: bool = False
    contexts: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class TraceNames:
    """How whole numbers of a trace become words: `names` by number, `sets` by bit."""

    names: Mapping[str, Sequence[str]]
    sets: Mapping[str, Sequence[str]]

    def argument(self, name: str, value: int) -> Argument:
        """Return a trace's number as an event's argument."""
        if name in self.names:
            return self.names[name][value]
        if name in self.sets:
            return [word for bit, word in enumerate(self.sets[name]) if value >> bit & 1]
        return value


def read_trace(trace: Any, specs: Sequence[EventSpec], names: TraceNames, observer: int) -> list[Event]:
    """Return what an observer (-1: a spectator) sees of a trace."""
    seen = []
    for row in trace[1 : trace[0, 0] + 1].tolist():
        spec = specs[row[0]]
        args = dict(zip(spec.args, row[1:], strict=False))
        hidden = bool(spec.secret) and args[spec.owner] != observer
        seen.append(
            Event(
                spec.key + "_hidden" if hidden else spec.key,
                {
                    name: names.argument(name, value)
                    for name, value in args.items()
                    if not (hidden and name in spec.secret)
                },
                spec.reveals and not hidden,
            )
        )
    return seen


SEATS = frozenset({"seat", "partner", "owner"})  # the arguments that are seats
NOTATION = frozenset({"hex", "stone", "sheet"})  # … that are written alike in every language
NOTHING = "nothing"  # said of an empty list
NO_CONTEXTS: Mapping[str, str] = {}
NO_WORDS: Mapping[str, Callable[[str], str]] = {}


def said_arguments(
    event: Event,
    names: Sequence[Item],
    contexts: Mapping[str, str] = NO_CONTEXTS,
    known: Mapping[str, Callable[[str], str]] = NO_WORDS,
) -> dict[str, SayArgument]:
    """Return an event's arguments as its sentence is said with them: players' names for their seats, words as terms.

    `known` says arguments that people know by other words than their notation. How long a list is can be counted, too.
    """
    found = dict[str, SayArgument]()
    for name, value in event.args.items():
        if isinstance(value, int):
            if name in SEATS and 0 <= value < len(names):
                found[name] = names[value]
            else:
                found[name] = Duration(value) if name == "seconds" else value
        elif isinstance(value, str):
            if name in known:
                found[name] = Said(known[name](value))
            else:
                found[name] = Notation(value) if name in NOTATION else Term(value, contexts.get(name, name))
        elif value is not None:
            context = contexts.get(name, name)
            found[name] = [Term(word, context) for word in value] or Term(NOTHING, context)
            found[f"{name}_count"] = len(value)
    return found
