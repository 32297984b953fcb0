"""Boards, tables and prose in languages that run from right to left, for a terminal whose lines begin at the left.

Each cell of a board keeps its place, and each line of prose its order.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

BEGIN, END = "\u2068", "\u2069"  # FSI and PDI: what stands between them is one neutral thing for the rest of the line
BEGIN_PROSE = "\u2067"  # RLI: it is read from right to left, whatever letter comes first
OPENING = "\u2066\u2067\u2068"
PIECE = re.compile("[^ \u2500-\u257f]+(?: [^ \u2500-\u257f]+)*")  # between frames, or two and more blanks
WHOLE = re.compile(r"\S(?:.*\S)?")


class IsolatedLines:
    """A board or a table whose lines run from left to right, whatever letters stand in its cells."""

    def __init__(self, thing: RenderableType) -> None:
        self.thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the lines, then put marks into them: these have no width."""
        for line in console.render_lines(self.thing, options, pad=False):
            yield from with_marks(line, PIECE, BEGIN)
            yield Segment.line()


class IsolatedProse(IsolatedLines):
    """A paragraph whose lines are read from right to left, each as a whole."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the lines, then put marks around each."""
        for line in console.render_lines(self.thing, options, pad=False):
            yield from with_marks(line, WHOLE, BEGIN_PROSE)
            yield Segment.line()


def isolated_prompt(text: str) -> str:
    """Return a question so that what is typed after it is no part of its line."""
    begin, end = marks_around(text, BEGIN_PROSE)
    return f"{begin}{text}{end}"


def with_marks(line: Sequence[Segment], pattern: re.Pattern[str], begin: str) -> Iterator[Segment]:
    """Yield the segments of a line in their styles, with marks around its pieces."""
    begins, ends = {}, {}
    for piece in pattern.finditer("".join(segment.text for segment in line)):
        begins[piece.start()], ends[piece.end() - 1] = marks_around(piece[0], begin)
    place = 0
    for text, style, control in line:
        letters = enumerate(text, place)
        marked = "".join(f"{begins.get(at, '')}{letter}{ends.get(at, '')}" for at, letter in letters)
        yield Segment(marked, style, control)
        place += len(text)


def marks_around(piece: str, begin: str) -> tuple[str, str]:
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
    return begin * is_isolated + BEGIN * unopened, END * (opened + is_isolated)
