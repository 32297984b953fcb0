"""The rules of the games as pages: the small part of Markdown that they are written in."""

import re
from functools import cache

from markupsafe import escape

from sarai.core.registry import game as find
from sarai.web.refusals import Refused

SPANS = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)"), r"<em>\1</em>"),
)
FOR_BUILDERS = re.compile(r"Each clause below is tested by name \([^)]*\)\.\s*")
LINK = re.compile(r"\[([^\]]+)\]\(([\w.-]+)\.md\)")
OTHER_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@cache
def rules_page(game_id: str) -> str:
    """Return the rules of a game as HTML, without the title and without what only concerns the code."""
    text = find(game_id).rules_text()
    if text is None:
        raise Refused("no_rules_text", title=find(game_id).title)
    return to_html(FOR_BUILDERS.sub("", text))


def spans(text: str) -> str:
    """Turn what is marked inside a line into elements; links lead to other rules only."""
    html = str(escape(text))
    html = LINK.sub(r'<a href="/rules/\2">\1</a>', html)
    html = OTHER_LINK.sub(r"\1", html)
    for pattern, replacement in SPANS:
        html = pattern.sub(replacement, html)
    return html


def to_html(text: str) -> str:
    """Turn Markdown with headings, lists, tables, code blocks and paragraphs into HTML; the title (#) is left out."""
    return "\n".join(filter(None, map(block_html, blocks(text.splitlines()))))


def kind_of(line: str) -> str:
    """Say what kind of block a line belongs to."""
    if line.startswith("#"):
        return "heading"
    if line.startswith("|"):
        return "table"
    if line.startswith("```"):
        return "code"
    return "list" if line.startswith("- ") else "text"


def blocks(lines: list[str]) -> list[list[str]]:
    """Cut lines into blocks of one kind."""
    found: list[list[str]] = []
    in_code = is_open = False
    for line in lines:
        if in_code:
            found[-1].append(line)
            in_code = not line.startswith("```")
            is_open = in_code
        elif not line.strip():
            is_open = False
        elif (is_open and kind_of(found[-1][0]) == kind_of(line) != "heading") or (
            is_open and kind_of(found[-1][0]) == "list" and line.startswith("  ")
        ):
            found[-1].append(line)
        else:
            found.append([line])
            is_open, in_code = True, line.startswith("```")
    return found


def block_html(block: list[str]) -> str:
    """Turn one block into HTML."""
    kind = kind_of(block[0])
    if kind == "heading":
        level = len(block[0]) - len(block[0].lstrip("#"))
        return f"<h{level}>{spans(block[0][level:].strip())}</h{level}>" if level > 1 else ""
    if kind == "code":
        return "<pre><code>" + str(escape("\n".join(block[1:-1]))) + "</code></pre>"
    if kind == "table":
        rows = [
            [spans(cell.strip()) for cell in line.strip().strip("|").split("|")]
            for line in block
            if not re.fullmatch(r"[|\s:-]+", line)
        ]
        head = "".join(f"<th>{cell}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    if kind == "list":
        items: list[str] = []
        for line in block:
            if line.startswith("- "):
                items.append(line[2:])
            else:
                items[-1] += " " + line.strip()
        return "<ul>" + "".join(f"<li>{spans(item)}</li>" for item in items) + "</ul>"
    return f"<p>{spans(' '.join(block))}</p>"
