"""Boards and tables in languages that run from right to left: each cell keeps its place in a terminal that reorders."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

BEGIN, END = "\u2068", "\u2069"  # FSI and PDI: what stands between them is one neutral thing for the rest of the line
OPENING = "\u2066\u2067\u2068"
PIECE = re.compile("[^ \u2500-\u257f]+(?: [^ \u2500-\u257f]+)*")  # between frames, or two and more blanks


class IsolatedLines:
    """A board or a table whose lines run from left to right, whatever letters stand in its cells."""

    def __init__(self, thing: RenderableType) -> None:
        self.thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the lines, then put marks into them: these have no width."""
        for line in console.render_lines(self.thing, options, pad=False):
            yield from with_marks(line)
            yield Segment.line()


def with_marks(line: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments of a line in their styles, with marks around its pieces."""
    begins, ends = {}, {}
    for piece in PIECE.finditer("".join(segment.text for segment in line)):
        begins[piece.start()], ends[piece.end() - 1] = marks_around(piece[0])
    place = 0
    for text, style, control in line:
        letters = enumerate(text, place)
        marked = "".join(f"{begins.get(at, '')}{letter}{ends.get(at, '')}" for at, letter in letters)
        yield Segment(marked, style, control)
        place += len(text)


def marks_around(piece: str) -> tuple[str, str]:
    """Return what isolates a piece with letters from right to left, and pairs marks whose others a line break took."""
    is_isolated = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in piece)
    opened, unopened = 0, 0
    for letter in piece:
        if letter in OPENING:
            opened += 1
        elif letter == END and opened:
            opened -= 1
        elif letter == END:
            unopened += 1
    return BEGIN * (unopened + is_isolated), END * (opened + is_isolated)
