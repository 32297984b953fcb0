"""A game's records, texts and sentences in one value: all that is needed of a game besides its kernels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sarai.core.events import EventSpec, TraceNames
from sarai.core.kernels.compile import Array
from sarai.core.messages import Say
from sarai.core.options import Value
from sarai.core.position_text import Fields

Facts = dict[str, object]


def no_facts(cell: Array, move: int, seat: int) -> Facts:
    """Say nothing more about a refusal."""
    return {}


def no_other_sentences(players: int, options: Mapping[str, Value]) -> dict[str, str]:
    """Say the same whatever the number of players and the options are."""
    return {}


@dataclass(frozen=True)
class Definition:
    """What a game's `definition.py` gives. A `cell` is an array of one record."""

    state: np.dtype[Any]
    view: np.dtype[Any]
    begin: Callable[[Array, int, Mapping[str, Value]], None]  # set up a cell that has its players and rules version
    write: Callable[[Array], dict[str, str]]  # a cell as the fields of its position text
    read: Callable[[Array, Fields], None]  # … and back into a cell that `begin` set up, or BadText
    write_move: Callable[[Array, int], str]  # a move, or at a chance node an outcome, in notation
    read_move: Callable[[Array, str], int]  # … and back, or BadText
    words_for_move: Callable[[Array, int, Say], str]  # a move in words
    view_json: Callable[[Array], dict[str, Any]]
    read_view: Callable[[Array, dict[str, Any]], None]  # … and back; KeyError, TypeError, ValueError if it is none
    refusals: Sequence[str]  # reason keys by code; code 0 is no refusal
    endings: Sequence[str]  # reasons of the end by code; code 0 is no end
    events: Sequence[EventSpec]  # by the first number of a trace's row
    trace_names: TraceNames
    sentences: Mapping[str, str]  # an English message for every event key
    # … KEY_you is what its own seat is told, KEY_with_you what its partner is
    other_sentences: Callable[[int, Mapping[str, Value]], Mapping[str, str]] = field(default=no_other_sentences)
    # … and those that differ with the number of players and options, marked for translation
    grouped: Mapping[str, str] = field(
        default_factory=dict
    )  # one sentence for a run of events that a board shows better
    concealed: Mapping[tuple[str, Value], Mapping[str, str]] = field(default_factory=dict)
    # by option and value: what others are told of an event instead, until the game is over
    concealed_fields: Mapping[tuple[str, Value], Sequence[str]] = field(default_factory=dict)
    # by option and value: lists by seat in a view's JSON of which people are shown their own entry only, until the end
    facts: Callable[[Array, int, int], Facts] = field(default=no_facts)  # what fills the sentence of a refusal
    nothing_hidden: bool = False  # no hidden information: views differ by their seat only

    def sentences_for(self, players: int, options: Mapping[str, Value]) -> dict[str, str]:
        """Return an English sentence for every event key in a game of these players and options."""
        return {**self.sentences, **self.other_sentences(players, options)}

    @cached_property
    def contexts(self) -> dict[str, Mapping[str, str]]:
        """The nouns that words among an event's arguments describe, by its key and the argument, where they say so."""
        named = [spec for spec in self.events if spec.contexts]
        return {key: spec.contexts for spec in named for key in (spec.key, f"{spec.key}_hidden")}

    def concealed_for(self, options: Mapping[str, Value]) -> dict[str, str]:
        """Return what other viewers are told instead, by event key, where an option conceals something."""
        return {
            key: sentence
            for (name, value), sentences in self.concealed.items()
            if options.get(name) == value
            for key, sentence in sentences.items()
        }

    def concealed_fields_for(self, options: Mapping[str, Value]) -> list[str]:
        """Return the lists by seat of which people are shown their own entry only."""
        fields = self.concealed_fields.items()
        return [name for (option, value), names in fields if options.get(option) == value for name in names]
