"""What everybody at the terminal reads and types: text, boards, logs, results, answers."""

import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sarai.core.events import Event, listed, sentence
from sarai.core.game import Game
from sarai.core.options import Value
from sarai.core.result import Result

WIDEST_TEXT, WIDEST_BOARD = 96, 120  # longer lines are hard to read
LONGEST_NAME, LONGEST_ANSWER = 20, 1000


class Left(Exception):
    """The person at the keyboard went away: the end of the input."""


def clean(name: str, seat: int) -> str:
    """Return a name that cannot disturb a terminal: printable, on one line, not too long."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    return (text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…") or f"seat {seat}"


def output(stderr: bool = False) -> Console:
    """Make a console that shows text as it is: no markup, no emoji codes, no guessing what to colour."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


class Screen:
    """The terminal that people play at."""

    def __init__(self) -> None:
        self.console = output()

    def say(self, text: str | Text = "", style: str | None = None) -> None:
        """Write a paragraph."""
        self.console.print(text, style=style, width=min(self.console.width, WIDEST_TEXT))

    def line(self, text: str) -> None:
        """Write a line that stays one, so that a path in it can be copied."""
        self.console.print(text, soft_wrap=True)

    def show(self, thing: RenderableType) -> None:
        """Draw a board or a table."""
        self.console.print(thing, width=min(self.console.width, WIDEST_BOARD))

    def rule(self, title: str) -> None:
        """Draw a line with a title."""
        self.show(Rule(Text(title, "bold"), align="left", style="dim"))

    def clear(self) -> None:
        """Take everything off the screen, out of the reach of scrolling too."""
        if self.console.is_dumb_terminal:
            self.say("\n" * self.console.height)
        elif self.console.is_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    def forget_typed(self) -> None:
        """Drop what was typed before anybody asked: an Enter too many must not show a hand."""
        if sys.stdin is not None and sys.stdin.isatty() and sys.platform != "win32":
            import termios

            termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def ask(self, prompt: str) -> str:
        """Ask for a line; Left when there are no more, or at Ctrl-C.

        Lines are read plainly: a line editor would offer what another person typed before.
        """
        self.console.print(Text(prompt, "bold"), end=" ")
        try:
            line = sys.stdin.readline(LONGEST_ANSWER) if sys.stdin is not None else ""
        except KeyboardInterrupt:
            line = ""
        if not line:
            self.say()
            raise Left
        answer = clean_answer(line)
        if not sys.stdin.isatty():
            self.say(answer)  # a transcript of a scripted game shows the answers
        return answer

    def choose(self, prompt: str, low: int, high: int, default: int) -> int:
        """Ask for a whole number until there is one."""
        while True:
            answer = self.ask(f"{prompt} ({low} to {high}) [{default}]:") if low < high else str(low)
            if not answer:
                return default
            if answer.isascii() and answer.isdecimal() and len(answer) < 6 and low <= int(answer) <= high:
                return int(answer)
            self.say(f"Type a whole number from {low} to {high}, or only Enter for {default}.", "red")

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
        table = Table("rank", "player", "points", title="Result", title_justify="left", title_style="bold")
        for column in (0, 2):
            table.columns[column].justify = "right"
        for seat in sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat)):
            style = "bold green" if result.ranks[seat] == 1 else None
            table.add_row(str(result.ranks[seat]), Text(names[seat]), str(result.scores[seat]), style=style)
        winners = [name for name, rank in zip(names, result.ranks, strict=True) if rank == 1]
        self.show(table)
        self.say(f"{winners[0]} wins." if len(winners) == 1 else f"{listed(winners)} share the win.", "bold green")


def clean_answer(line: str) -> str:
    """Return a typed line without what a terminal or a pipe may have put into it."""
    return "".join(letter for letter in line if letter.isprintable()).strip()


class Log:
    """What one observer (None: a spectator) saw happen: a paragraph for every player's move and the chance that follows it."""

    def __init__(
        self, game: Game, names: Sequence[str], observer: int | None = None, options: Mapping[str, Value] | None = None
    ) -> None:
        self.sentences = game.definition.sentences_for(len(names), options or {})
        self.discreet = discreet_sentences(game, options or {})
        self.folded: Mapping[str, str] = getattr(terminal(game), "FOLDED", {})
        self.names = names
        self.observer = observer
        self.paragraphs: list[list[str]] = []
        self.told = 0

    def add(self, events: list[Event], by_chance: bool, is_over: bool = False) -> None:
        """Write down what was seen of a move; what options keep from others is told when the game is over."""
        if not by_chance or len(self.paragraphs) == self.told:
            self.paragraphs.append([])
        for event in events:
            hidden = event.key in self.discreet and event.args["seat"] != self.observer and not is_over
            text = self.folded.get(event.key) or sentence(
                event, self.discreet if hidden else self.sentences, self.names
            )
            if event.key not in self.folded or self.paragraphs[-1][-1:] != [text]:
                self.paragraphs[-1].append(text)

    def news(self) -> list[str]:
        """Return the paragraphs that were not told yet."""
        new, self.told = self.paragraphs[self.told :], len(self.paragraphs)
        return [paragraph(sentences) for sentences in new if sentences]

    def all(self) -> list[str]:
        """Return every paragraph."""
        return [paragraph(sentences) for sentences in self.paragraphs if sentences]


def paragraph(sentences: Sequence[str]) -> str:
    """Join sentences, counting those that come again and again."""
    said: list[str] = []
    times = 0
    for number, text in enumerate(sentences):
        times += 1
        if number + 1 == len(sentences) or sentences[number + 1] != text:
            said.append(text if times == 1 else f"{text.removesuffix('.')} ({times} times).")
            times = 0
    return " ".join(said)


def terminal(game: Game) -> Any:
    """Return the game's own `terminal` module: its `board` and, where there is something to say, the words around it."""
    return importlib.import_module(f"{game.package}.terminal")


def discreet_sentences(game: Game, options: Mapping[str, Value]) -> dict[str, str]:
    """Return the sentences without amounts that the game's options ask for about other players, by event key."""
    declared = getattr(terminal(game), "DISCREET", {})
    return {
        key: text
        for (name, value), texts in declared.items()
        if options.get(name) == value
        for key, text in texts.items()
    }


def board(game: Game, view: dict[str, Any], names: Sequence[str]) -> RenderableType:
    """Draw a view with the game's own `terminal` module."""
    drawn: RenderableType = terminal(game).board(view, list(names))
    return drawn
