"""The rules of a game for people, as a page: its texts in the reader's language, its examples with pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from sarai.core.language import capitalised
from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import Argument, Term
from sarai.core.picture import Arrow, Mark, Outline, PlaceName, picture_of
from sarai.core.rulebook import ARROW, Block, Example, Kind, Rulebook, Section, arguments_of, read_rulebook
from sarai.core.rulebook_examples import facts_of, names_of, play_example, sentences_of
from sarai.table.refusals import Refused

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.language import Language

STARS = "**"  # around what is strong
DESCRIPTION = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)
PREFIX = "rule-"  # of the ids of sections: a table's page has ids of its own
DRAWING = Lock()  # so that a picture that many ask for is drawn once
TABLE_ROWS = (Kind.TITLES, Kind.ROW)
ITEMS = {Kind.ITEM: "ul", Kind.TITLES: "table", Kind.ROW: "table", Kind.QUESTION: "dl", Kind.ANSWER: "dl"}


class Picture(NamedTuple):
    """One of the pictures of a game's rules: of an example, before or after its moves."""

    example: Example
    is_after: bool


@cache
def find_rulebook(game: Game) -> Rulebook:
    """Return the rules of a game for people, as they hold for its data; Refused if there are none."""
    rulebook = read_rulebook(game)
    if rulebook is None:
        raise Refused("no_rules_text", title=game.title)
    return rulebook.without_examples() if game.has_own_data else rulebook


@cache
def pictures_of(game: Game) -> tuple[Picture, ...]:
    """Return all pictures of a game's rules, in the order of the page."""
    found = list[Picture]()
    for example in find_rulebook(game).examples():
        found.append(Picture(example, False))
        if example.after:
            found.append(Picture(example, True))
    return tuple(found)


def picture_once(game: Game, number: int, language: Language, scheme: str) -> Markup:
    """Return a picture of the rules, for a thread: one of them draws."""
    with DRAWING:
        return render_picture(game, number, language, scheme)


@cache  # all of them: there are as many as the rules name, and whoever asks for one after the other draws none again
def render_picture(game: Game, number: int, language: Language, scheme: str) -> Markup:
    """Return a picture of the rules as SVG."""
    example, is_after = pictures_of(game)[number]
    played = play_example(game, example)
    marks = [] if is_after else marks_of(example)
    return picture_of(
        (played.after if is_after else played.before).view(example.seat),
        language.say,
        names=names_of(played.before.players, language),
        title=caption(game, example, is_after, language),
        parts=example.parts,
        near=example.near,
        marks=marks,
        scheme=scheme,
    )


def marks_of(example: Example) -> list[Mark]:
    """Return what is pointed at and named in the picture of an example's position."""
    pointed = [Arrow(*mark.split(ARROW)) if ARROW in mark else Outline(mark) for mark in example.marks]
    return [*pointed, *map(PlaceName, example.names)]


@cache
def numbers_of(game: Game) -> dict[str, Argument]:
    """Return the numbers that the texts of a game's rules are filled with."""
    rulebook = game.module("board.rulebook_values")
    numbers: dict[str, Argument] = rulebook.numbers(game.id) if rulebook else {}
    return numbers


def caption(game: Game, example: Example, is_after: bool, language: Language) -> str:
    """Return what stands under a picture."""
    played = play_example(game, example)
    state, text = (played.after, example.after) if is_after else (played.before, example.caption)
    arguments = numbers_of(game) | facts_of(game, state, example.seat, language)
    return language.say(text, **{name: arguments[name] for name in arguments_of(text)})


class Page:
    """Renders the rules of a game in one language, for readers with light or dark pages."""

    def __init__(self, game: Game, language: Language, scheme: str) -> None:
        self.game, self.language, self.scheme = game, language, scheme
        self.numbers = numbers_of(game)
        self.rulebook = find_rulebook(game)
        self.shown = 0  # pictures so far

    def render(self) -> Markup:
        """Return all sections, after a list of them."""
        first, *rest = self.rulebook.sections
        return markup(
            '<div class="lead" id="{id}">{lead}</div><nav class="contents" aria-label="{label}"><ul>{links}</ul></nav>'
            "{sections}",
            id=PREFIX + first.anchor,
            lead=self.blocks(first.blocks),
            label=self.language.say("On this page"),
            links=join(
                markup(
                    '<li><a href="#{id}">{title}</a></li>', id=PREFIX + section.anchor, title=self.say(section.title)
                )
                for section in rest
            ),
            sections=join(map(self.section, rest)),
        )

    def section(self, section: Section) -> Markup:
        """Return a section with its title."""
        return markup(
            '<section aria-labelledby="{id}"><h2 id="{id}" tabindex="-1">{title}</h2>{blocks}</section>',
            id=PREFIX + section.anchor,
            title=self.say(section.title),
            blocks=self.blocks(section.blocks),
        )

    def say(self, message: str) -> Markup:
        """Say a message of the rules with their numbers; what stands between double stars is strong."""
        said = self.language.say(message, **{name: self.numbers[name] for name in arguments_of(message)})
        pieces = escape(said).split(STARS)
        return join(
            markup("<strong>{text}</strong>", text=text) if index % 2 else text for index, text in enumerate(pieces)
        )

    def blocks(self, blocks: Iterable[Block]) -> Markup:
        """Return blocks one after the other; items, rows and questions that follow each other are one list."""
        return join(
            part
            for kind, group in groupby(blocks, lambda block: ITEMS.get(block.kind))
            for part in self.group(kind, group)
        )

    def group(self, kind: str | None, blocks: Iterator[Block]) -> Iterator[Markup]:
        """Yield the parts of a list as one element, other blocks as they are."""
        parts = map(self.block, blocks)
        if kind is None:
            yield from parts
        elif kind == "table":
            yield markup('<div class="wide"><table>{rows}</table></div>', rows=join(parts))
        elif kind == "dl":
            yield markup("<dl>{parts}</dl>", parts=join(parts))
        else:
            yield markup("<ul>{parts}</ul>", parts=join(parts))

    def block(self, block: Block) -> Markup:
        """Return one block."""
        if block.example:
            return self.example(block.example)
        text = EMPTY if block.kind == Kind.OPTION or block.kind in TABLE_ROWS else self.say(block.texts[0])
        match block.kind:
            case Kind.HEADING:
                return markup('<h3 id="{id}" tabindex="-1">{text}</h3>', id=PREFIX + block.anchor, text=text)
            case Kind.OPTION:
                name = capitalised(self.language.write(Term(block.texts[0], "option")))
                return markup('<h3 id="{id}" tabindex="-1">{name}</h3>', id=PREFIX + block.anchor, name=name)
            case Kind.ITEM:
                return markup("<li>{text}</li>", text=text)
            case Kind.QUESTION:
                return markup("<dt>{text}</dt>", text=text)
            case Kind.ANSWER:
                return markup("<dd>{text}</dd>", text=text)
            case Kind.TITLES:
                cells = join(markup('<th scope="col">{text}</th>', text=self.say(text)) for text in block.texts)
                return markup("<tr>{cells}</tr>", cells=cells)
            case Kind.ROW:
                head, *rest = map(self.say, block.texts)
                cells = join(markup("<td>{text}</td>", text=text) for text in rest)
                return markup('<tr><th scope="row">{head}</th>{cells}</tr>', head=head, cells=cells)
            case _:
                return markup("<p>{text}</p>", text=text)

    def example(self, example: Example) -> Markup:
        """Return an example: the position, what happens or is refused there, and what comes of it."""
        told, refused = (
            join(markup("<li>{text}</li>", text=text) for text in texts)
            for texts in sentences_of(self.game, example, self.language)
        )
        return markup(
            '<div class="example">{before}{refused}{told}{after}</div>',
            before=self.picture(example, False),
            refused=markup('<ul class="told refused">{lines}</ul>', lines=refused) if refused else EMPTY,
            told=markup('<ol class="told">{lines}</ol>', lines=told) if told else EMPTY,
            after=self.picture(example, True) if example.after else EMPTY,
        )

    def picture(self, example: Example, is_after: bool) -> Markup:
        """Return a picture with its caption; for who cannot see it the position in words."""
        number, self.shown = self.shown, self.shown + 1
        svg = render_picture(self.game, number, self.language, self.scheme or "light")
        address = f"/rules/{self.game.id}/{self.language.code}/{number}"
        found = DESCRIPTION.search(svg)
        by_night = markup('<source srcset="{address}-dark.svg" media="(prefers-color-scheme: dark)">', address=address)
        return markup(
            '<figure><picture>{by_night}<img src="{address}-{scheme}.svg" alt="{alt}" loading="lazy" width="{width}" '
            'height="{height}"></picture><figcaption>{caption}</figcaption></figure>',
            by_night=EMPTY if self.scheme else by_night,
            address=address,
            scheme=self.scheme or "light",
            alt=unescape(found[1]) if found else "",
            **size_of(svg),
            caption=caption(self.game, example, is_after, self.language),
        )


def size_of(svg: Markup) -> dict[str, int]:
    """Return the width and the height that a picture's viewBox gives it."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)
    assert found is not None
    return {"width": round(float(found[1])), "height": round(float(found[2]))}


@cache
def rulebook_page(game: Game, language: Language, scheme: str) -> Markup:
    """Return the rules of a game for people; "" as scheme follows the reader's system."""
    return Page(game, language, scheme).render()


def section_now(game: Game, view: dict[str, object] | None, pick: str) -> str:
    """Return the id of the section that matters to a viewer now."""
    rulebook = game.module("board.rulebook_values") if view is not None else None
    return PREFIX + (rulebook.section(view, pick) if rulebook else "about")
