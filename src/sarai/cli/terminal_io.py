"""The terminal that people play at: what they read and type."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sarai.cli.errors import KEPT, CommandError, is_shown
from sarai.cli.isolated_lines import IsolatedLines, IsolatedProse, isolated_prompt
from sarai.core.game import Game
from sarai.core.language import ENGLISH, Language, find_language, with_plain_digits
from sarai.core.messages import Name, Say, mark
from sarai.core.result import Result

IN_ENGLISH: Say = find_language(ENGLISH).say
WIDEST_TEXT, WIDEST_BOARD = 96, 120  # columns
LONGEST_NAME, LONGEST_ANSWER = 20, 1000


class InputEnded(Exception):
    """The input ended, or Ctrl-C was pressed at a question."""


def printable_name(name: str, seat: int, say: Say = IN_ENGLISH) -> str:
    """Return a name without control characters, on one line and not too long; joiners of letters stay inside."""
    text = " ".join("".join(letter if is_shown(letter) else " " for letter in name).split()).strip(KEPT)
    return (text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…") or say("seat {seat}", seat=seat)


class SafeConsole(Console):
    """A console that prints no control characters of a text: a database or a record may come from anybody."""

    def render_str(self, text: str, **settings: Any) -> Text:
        """Make a text that can be printed without harm."""
        safe = "".join(letter if is_shown(letter) or letter in "\n\t" else " " for letter in text)
        return super().render_str(safe, **settings)


def output(stderr: bool = False) -> Console:
    """Make a console that shows text as it is: no markup, no emoji codes, no automatic colours."""
    return SafeConsole(stderr=stderr, markup=False, emoji=False, highlight=False)


class Screen:
    """The terminal that people play at, and the language that it speaks."""

    def __init__(self, language: Language | None = None) -> None:
        self.console = output()
        self.language = language or find_language(ENGLISH)
        self.say: Say = self.language.say

    def tell(self, text: str | Text = "", style: str | None = None) -> None:
        """Write a paragraph."""
        told = IsolatedProse(text) if self.language.direction == "rtl" and text else text
        self.console.print(told, style=style, width=min(self.console.width, WIDEST_TEXT))

    def line(self, text: str) -> None:
        """Write a line without wrapping, so that a path in it can be copied."""
        self.console.print(text, soft_wrap=True)

    def show(self, thing: RenderableType) -> None:
        """Show a board or a table."""
        shown = IsolatedLines(thing) if self.language.direction == "rtl" else thing
        self.console.print(shown, width=min(self.console.width, WIDEST_BOARD))

    def rule(self, title: str) -> None:
        """Show a rule with a title."""
        self.show(Rule(Text(title, "bold"), align="left", style="dim"))

    def clear(self) -> None:
        """Clear the screen and what was scrolled off it."""
        if self.console.is_dumb_terminal:
            self.tell("\n" * self.console.height)
        elif self.console.is_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    def discard_typed(self) -> None:
        """Discard what was typed before a question: an Enter too many must not show a hand."""
        if sys.stdin is not None and sys.stdin.isatty() and sys.platform != "win32":
            import termios

            termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def ask(self, prompt: str) -> str:
        """Ask for a line; InputEnded when there are no more, or at Ctrl-C.

        No line editor is used: it would offer what another person typed before.
        """
        asked = isolated_prompt(prompt) if self.language.direction == "rtl" else prompt
        self.console.print(Text(asked, "bold"), end=" ")
        try:
            line = sys.stdin.readline(LONGEST_ANSWER) if sys.stdin is not None else ""
        except KeyboardInterrupt:
            line = ""
        if not line:
            self.tell()
            raise InputEnded
        answer = clean_answer(line)
        if not sys.stdin.isatty():
            self.tell(answer)  # a transcript of a scripted game shows the answers
        return answer

    def choose(self, question: str, low: int, high: int, usual: int) -> int:
        """Ask for a whole number until there is one; the question is a message."""
        while True:
            answer = self.ask(self.say(question, low=low, high=high, usual=usual)) if low < high else str(low)
            if not answer:
                return usual
            if answer.isascii() and answer.isdecimal() and len(answer) < 6 and low <= int(answer) <= high:
                return int(answer)
            again = mark("Type a whole number from {low} to {high}, or only Enter for {usual}.")
            self.tell(self.say(again, low=low, high=high, usual=usual), "red")

    def moves(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """List moves: number, notation, words."""
        lines = list(rows)
        wide = [max(len(line[column]) for line in lines) for column in range(3)]
        if 2 * sum(wide) + 8 > min(self.console.width, WIDEST_BOARD):
            table = Table.grid(padding=(0, 2, 0, 0))
            for number, notation, words in lines:
                table.add_row(Text(number, "dim", justify="right"), Text(notation, "bold cyan"), Text(words))
            self.show(table)
            return
        cells = []
        for number, notation, words in lines:
            cell = Text(f"{number:>{wide[0]}}  " if wide[0] else "", "dim")
            cells.append(cell.append(f"{notation:<{wide[1]}}", "bold cyan").append(f"  {words}", "default"))
        self.show(Columns(cells, padding=(0, 3), column_first=True))

    def result(self, result: Result, names: Sequence[str]) -> None:
        """Show how a game ended."""
        heads = self.say("rank"), self.say("player"), self.say("points")
        table = Table(*heads, title=self.say("Result"), title_justify="left", title_style="bold")
        for column in (0, 2):
            table.columns[column].justify = "right"
        for seat in sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat)):
            style = "bold green" if result.ranks[seat] == 1 else None
            rank, score = self.language.write(result.ranks[seat]), self.language.write(result.scores[seat])
            table.add_row(rank, Text(names[seat]), score, style=style)
        winners = [Name(name) for name, rank in zip(names, result.ranks, strict=True) if rank == 1]
        self.show(table)
        message = mark("{names} wins.") if len(winners) == 1 else mark("{names} share the win.")
        self.tell(self.say(message, names=winners), "bold green")


def clean_answer(line: str) -> str:
    """Return a typed line without control characters, its digits as notation writes them."""
    return with_plain_digits("".join(letter for letter in line if letter.isprintable())).strip()


def terminal(game: Game) -> Any:
    """Return the game's own `terminal` module: its `board`, and the words around it where it has any."""
    module = game.module("terminal")
    if module is None:
        raise CommandError("no_terminal", title=game.title)
    return module


def board(game: Game, view: dict[str, Any], names: Sequence[str], say: Say) -> RenderableType:
    """Render a view with the game's own `terminal` module."""
    rendered: RenderableType = terminal(game).board(view, list(names), say)
    return rendered
