"""What a game's board is drawn from and what a drawing is. A board is drawn from what one viewer knows, so it can show nothing else."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sarai.core.events import Event

Say = Callable[[str], str]  # a text of ours in the viewer's language


def mark(text: str) -> str:
    """Mark a text that will be said in the viewer's language somewhere else."""
    return text


class Scene(NamedTuple):
    """Everything a board may depend on."""

    view: Mapping[str, Any]  # what `View.to_json` returns
    moves: Sequence[int]  # the viewer's legal moves; none when it is not their turn
    names: Sequence[str]  # by seat, already safe to put into markup
    say: Say
    news: Sequence[Event] = ()  # what the viewer saw happen since the last number, for what a drawing points out


class Pick(NamedTuple):
    """A first choice that several moves share, a camel's colour for one."""

    id: str
    label: str


class Drawing(NamedTuple):
    """A board: a frame that stays the same all game, and the parts that fill its slots.

    A slot is written `<!--NAME-->` in the frame; the part NAME is one element whose id is NAME. `choices` says which move a spot means,
    for each pick ("" where nothing is picked first); a spot is an element with `data-spot`.
    """

    frame: str
    parts: dict[str, str]
    choices: dict[str, dict[str, int]]
    picks: tuple[Pick, ...] = ()
    summary: str = ""  # the position in a sentence or two, for who cannot see the board; safe to put into markup

    def whole(self) -> str:
        """Return the frame with its slots filled."""
        text = self.frame
        for name, part in self.parts.items():
            text = text.replace(f"<!--{name}-->", part)
        return text
