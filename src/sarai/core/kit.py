"""Everything the house needs of a game besides its kernels, in one value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sarai.core.events import Telling, Words
from sarai.core.kernels import Array
from sarai.core.options import Value
from sarai.core.scene import Say
from sarai.core.text import Fields

Facts = dict[str, object]


def no_facts(cell: Array, seat: int, move: int) -> Facts:
    """Say nothing more about a refusal."""
    return {}


@dataclass(frozen=True)
class Kit:
    """A game's records, texts and words. A `cell` is an array of one record."""

    state: np.dtype[Any]
    view: np.dtype[Any]
    begin: Callable[[Array, int, Mapping[str, Value]], None]  # set up an empty cell
    write: Callable[[Array], dict[str, str]]  # a cell as the fields of its text
    read: Callable[[Array, Fields], None]  # … and back into a cell that `begin` set up, or BadText
    write_move: Callable[[Array, int], str]  # a move, or at a chance node an outcome, in notation
    read_move: Callable[[Array, str], int]  # … and back, or BadText
    words_for_move: Callable[[Array, int, Say], str]  # a move in words
    view_json: Callable[[Array], dict[str, Any]]
    read_view: Callable[
        [Array, dict[str, Any]], None
    ]  # … and back into an empty view; KeyError, TypeError, ValueError if it is none
    refusals: Sequence[str]  # reason keys by code; code 0 is no refusal
    endings: Sequence[str]  # reasons of the end by code; code 0 is no end
    tellings: Sequence[Telling]
    words: Words
    sentences: Mapping[str, str]  # an English sentence for every event key
    facts: Callable[[Array, int, int], Facts] = field(default=no_facts)  # what fills the sentence of a refusal
