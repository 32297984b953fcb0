"""The rules of a game for people, as its folder has them: sections of messages and examples, read from `RULEBOOK.md`.

Every paragraph, item, question, answer and caption is one message, whose numbers are arguments. An example is a
position and what is played there: pictures and sentences are made of it by the game itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sarai.core.icu_patterns import fields, parse

if TYPE_CHECKING:
    from sarai.core.game import Game

HEADING = re.compile(r"(#{2,3}) (.+) \{#([a-z-]+)\}")
OPTION = re.compile(r"### @(\w+)")
FENCE = "```"
ITEM, QUESTION, ROW = "- ", "? ", "| "
LISTS = ("parts", "near", "marks", "names", "play", "try")  # of an example: commas between
RULE = "|---|---|"  # under the titles of a table's columns
ARROW, BECAUSE = " > ", " = "
LETTER = re.compile(r"[^\W\d_]")


class Kind(Enum):
    """What a block of the rules is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    OPTION = "option"  # a heading: the name of an option
    ITEM = "item"
    QUESTION = "question"
    ANSWER = "answer"
    TITLES = "titles"  # of a table's columns
    ROW = "row"
    EXAMPLE = "example"


class Example(NamedTuple):
    """A position, what is pointed at in its picture, and what is played or refused there, in the game's notation."""

    position: str
    seat: int | None = None  # whose view is shown, None: a spectator's
    parts: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()  # places, or `PLACE > PLACE` for an arrow
    names: tuple[str, ...] = ()  # places whose names are written on them
    play: tuple[str, ...] = ()  # moves and outcomes of chance
    refused: tuple[tuple[str, str], ...] = ()  # moves that are not possible, and the keys of the reasons
    caption: str = ""  # of the position
    after: str = ""  # of the position after the moves; none: it is not shown


class Block(NamedTuple):
    """One piece of a section."""

    kind: Kind
    texts: tuple[str, ...] = ()  # messages; of an option its name
    anchor: str = ""
    example: Example | None = None


class Section(NamedTuple):
    """A part of the rules with a title; the first one, which says what the game is about, has none."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


class Rulebook(NamedTuple):
    """The rules of a game for people."""

    sections: tuple[Section, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all sections."""
        for section in self.sections:
            yield from section.blocks

    def examples(self) -> Iterator[Example]:
        """Yield all examples."""
        return (block.example for block in self.blocks() if block.example)

    def anchors(self) -> set[str]:
        """Return the places that can be linked to."""
        return {section.anchor for section in self.sections} | {block.anchor for block in self.blocks()} - {""}

    def without_examples(self) -> Rulebook:
        """Return it without examples, whose positions hold for the data that the game brings."""
        return Rulebook(
            tuple(
                section._replace(blocks=tuple(block for block in section.blocks if not block.example))
                for section in self.sections
            )
        )

    def options(self) -> list[str]:
        """Return the options that are explained."""
        return [block.texts[0] for block in self.blocks() if block.kind == Kind.OPTION]

    def messages(self) -> Iterator[str]:
        """Yield every text that is to be translated."""
        for section in self.sections:
            yield section.title
            for block in section.blocks:
                if block.kind != Kind.OPTION:
                    yield from filter(has_words, block.texts)
                if block.example:
                    yield from (block.example.caption, block.example.after)


def has_words(text: str) -> bool:
    """Say whether a message is more than an argument."""
    return LETTER.search(re.sub(r"\{\w+\}", "", text)) is not None


def arguments_of(message: str) -> set[str]:
    """Return the names of a message's arguments."""
    return {field.name for field in fields(parse(message))} if "{" in message else set()


@cache
def read_rulebook(game: Game) -> Rulebook | None:
    """Return the rules of a game for people; None if it has none, or nothing that says their numbers."""
    path = game.folder / game.rules_file.replace("RULES", "RULEBOOK")
    if path.name == game.rules_file or not path.exists() or game.module("board.rulebook_values") is None:
        return None
    return parse_rulebook(path.read_text(encoding="utf-8"))


def parse_rulebook(text: str) -> Rulebook:
    """Read the rules of a game; what is no heading, list, table or example is a paragraph."""
    sections = [Section("about", "", ())]
    for chunk in chunks(text):
        heading = HEADING.fullmatch(chunk)
        if heading and heading[1] == "##":
            sections.append(Section(heading[3], heading[2], ()))
        else:
            last = sections.pop()
            sections.append(last._replace(blocks=(*last.blocks, *read_blocks(chunk))))
    return Rulebook(tuple(sections))


def chunks(text: str) -> Iterator[str]:
    """Yield what stands between empty lines; the first line, the game's title, is for those who read the file."""
    for chunk in re.split(r"\n{2,}", text.strip()):
        if not chunk.startswith("# "):
            yield chunk


def read_blocks(chunk: str) -> Iterator[Block]:
    """Read the lines between two empty ones."""
    if chunk.startswith(FENCE):
        yield Block(Kind.EXAMPLE, example=read_example(chunk.splitlines()[1:-1]))
    elif found := HEADING.fullmatch(chunk):
        yield Block(Kind.HEADING, (found[2],), found[3])
    elif found := OPTION.fullmatch(chunk):
        yield Block(Kind.OPTION, (found[1],), f"option-{found[1]}")
    elif chunk.startswith(ITEM):
        yield from (Block(Kind.ITEM, (one_line(item),)) for item in f"\n{chunk}".split(f"\n{ITEM}")[1:])
    elif chunk.startswith(QUESTION):
        question, _, answer = chunk.removeprefix(QUESTION).partition("\n")
        yield Block(Kind.QUESTION, (question,))
        yield Block(Kind.ANSWER, (one_line(answer),))
    elif chunk.startswith(ROW):
        lines = [line for line in chunk.splitlines() if line != RULE]
        for number, line in enumerate(lines):
            kind = Kind.TITLES if number == 0 and RULE in chunk else Kind.ROW
            yield Block(kind, tuple(cell.strip() for cell in line.strip("| ").split("|")))
    else:
        yield Block(Kind.PARAGRAPH, (one_line(chunk),))


def one_line(text: str) -> str:
    """Join the lines of a message."""
    return " ".join(text.split())


def read_example(lines: list[str]) -> Example:
    """Read an example: a line `name: value` for each field."""
    found = dict(line.split(": ", 1) for line in lines)
    lists = {name: tuple(item.strip() for item in found.pop(name).split(",")) for name in LISTS if name in found}
    refused = tuple((move, reason) for move, _, reason in (item.partition(BECAUSE) for item in lists.pop("try", ())))
    seat = int(found.pop("seat")) if "seat" in found else None
    return Example(**found, **lists, refused=refused, seat=seat)  # type: ignore[arg-type]
