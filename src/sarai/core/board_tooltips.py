"""What a thing on a board is and does by the rules: people ask for it by pointing at the thing."""

from typing import NamedTuple


class Explanation(NamedTuple):
    """An explanation of everything on a board that a CSS selector finds; of several the first one is shown.

    Explanations with the same name stand one after the other: a list has them under one heading.
    """

    selector: str  # of tags, classes and ids, within the board
    name: str
    text: str
