"""The rules of a game as a page, from the Markdown file in the game's folder."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from sarai.core.game import Game
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.refusals import Refused

FOR_BUILDERS = re.compile(r"Each clause below is tested by name \([^)]*\)\.\s*")


@cache
def rules_page(game: Game) -> Markup:
    """Return the rules of a game as HTML, without the title and without what only concerns the code."""
    text = game.rules_text()
    if text is None:
        raise Refused("no_rules_text", title=game.title)
    return to_html(FOR_BUILDERS.sub("", text), game)


def to_html(text: str, game: Game) -> Markup:
    """Turn Markdown into HTML: HTML in it is escaped, its title is left out, links lead to other rules only."""
    tokens = without_title(MARKDOWN.parse(text))
    for token in tokens:
        if token.children:
            token.children = with_links_to_rules(token.children, game)
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def without_title(tokens: Sequence[Token]) -> list[Token]:
    """Leave out first-level headings: the page has its own."""
    kept, is_title = [], False
    for token in tokens:
        is_title = is_title or (token.type == "heading_open" and token.tag == "h1")
        if not is_title:
            kept.append(token)
        is_title = is_title and token.type != "heading_close"
    return kept


def with_links_to_rules(tokens: Sequence[Token], game: Game) -> list[Token]:
    """Make links to the files of other rules links to their pages, and leave only the words of all other links."""
    kept, leads_to_rules = [], False
    for token in tokens:
        if token.type == "link_open":
            page = page_of(str(token.attrs["href"]), game)
            leads_to_rules = page is not None
            token.attrs = {"href": page or ""}
        if leads_to_rules or token.type not in ("link_open", "link_close"):
            kept.append(token)
    return kept


def page_of(file: str, game: Game) -> str | None:
    """Return the page of the rules that a file's name stands for in the rules of a game: its own folder, or by id."""
    for other in map(find, game_ids()):
        if file == f"{other.id}.md" or (other.package == game.package and file == other.rules_file):
            return f"/rules/{other.id}"
    return None


def render_table_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    """Put a table into an element that can be scrolled on a narrow screen."""
    return '<div class="wide"><table>\n'


def render_table_close(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    """Close both."""
    return "</table></div>\n"


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "autolink"])
MARKDOWN.add_render_rule("table_open", render_table_open)
MARKDOWN.add_render_rule("table_close", render_table_close)
