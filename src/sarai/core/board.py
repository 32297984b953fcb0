"""What a game's board on a page is rendered from, and what it consists of. A board shows what one viewer knows."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.events import Event
from sarai.core.markup import EMPTY
from sarai.core.messages import Message, Say

SLOT = re.compile(r"<!--([a-z][a-z0-9-]*)-->")


class Scene(NamedTuple):
    """Everything a board may depend on."""

    view: Mapping[str, Any]  # what `View.to_json` returns
    moves: Sequence[int]  # the viewer's legal moves; none when it is not their turn
    names: Sequence[str]  # of the players, by seat
    say: Say
    news: Sequence[Event] = ()  # what the viewer saw happen since the last number, for what a board points out
    recent: Sequence[Event] = ()  # … and before it, as far as a board may still have to say what became of it


class Pick(NamedTuple):
    """A first choice that several moves share, for example a camel's colour."""

    id: str
    step: str  # what the status line asks for once it is picked


class Tap(NamedTuple):
    """Where a viewer tapped a board and nothing could be chosen."""

    ids: Sequence[str]  # of the element that was hit and those around it, from the inside outwards
    pick: str  # what was picked before, "" if nothing
    point: tuple[float, float] | None = None  # in the units of the picture that was hit


class Meaning(NamedTuple):
    """What a tap would have been: the page says why it is not possible, by the rules' own reasons."""

    moves: Sequence[int] = ()  # the moves that it could have been
    about: frozenset[str] = frozenset()  # the only reasons that say something about it; none: all do
    words: str = ""  # said if no reason of the rules is, for example what is to be chosen first
    names: Mapping[object, str] = {}  # in the viewer's words, of what reasons name


class Prompt(NamedTuple):
    """What the status line says in the middle of a game: to the viewer whose turn it is, and to those who wait."""

    own: str
    others: str | Message  # with `{names}` for those who are waited for


class Board(NamedTuple):
    """A board: a frame that stays the same all game, and the parts that fill its slots.

    A slot is written `<!--NAME-->` in the frame; the part NAME is one element whose id is NAME. `choices` says which
    move a spot means, for each pick ("" where nothing is picked first); a spot is an element with `data-spot`. A module
    of a board may also have `meaning_of(tap, scene)`, which returns the `Meaning` of a `Tap`, None if it had none.
    """

    frame: Markup
    parts: dict[str, Markup]
    choices: dict[str, dict[str, int]]
    picks: tuple[Pick, ...] = ()
    summary: Markup = EMPTY  # the position in a sentence or two, for people who cannot see the board
    prompt: Prompt | None = None

    def whole(self) -> Markup:
        """Return the frame with its slots filled."""
        return Markup(SLOT.sub(lambda slot: self.parts[slot[1]], self.frame))
