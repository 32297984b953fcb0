"""No page puts text into HTML by hand: templates are constants, and everything that goes in is escaped by its type."""

import ast
from pathlib import Path

import pytest
from markupsafe import Markup

import sarai.web
from sarai.web.language import find_language, isolated
from sarai.web.live.chat import chat
from sarai.web.live.status_players_actions import player_row

SOURCES = sorted(Path(sarai.web.__file__).parent.rglob("*.py"))
TRUSTED = {  # functions whose argument for Markup is the output of a program that escapes
    "render_gathering": "a template with autoescape",
    "render_qr": "a QR code of squares only",
    "to_html": "Markdown with HTML escaped",
}


def is_constant(node):
    if isinstance(node, ast.IfExp):
        return is_constant(node.body) and is_constant(node.orelse)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_templates_of_markup_are_constants(path):
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.Module | ast.FunctionDef) and getattr(function, "name", "") not in TRUSTED:
            for node in ast.walk(function) if isinstance(function, ast.FunctionDef) else function.body:
                if isinstance(node, ast.Assign):
                    node = node.value
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("markup", "Markup")
                ):
                    assert is_constant(node.args[0]), f"{path.name}:{node.lineno}"


def test_no_source_or_template_trusts_text_as_markup():
    folder = Path(sarai.web.__file__).parent
    for path in [*SOURCES, *(folder / "templates").iterdir()]:
        text = path.read_text(encoding="utf-8")
        assert "| safe" not in text and "|safe" not in text and "Markup(f" not in text, path


def test_memoised_parts_do_not_confuse_a_text_with_equal_markup():
    row = player_row(0, "chair", Markup("<b>Ann</b>"), "", "", False, Markup(""))
    assert "<b>Ann</b>" in row
    assert "<b>" not in player_row(0, "chair", "<b>Ann</b>", "", "", False, Markup(""))
    assert isolated(Markup("<b>")) == "<bdi><b></bdi>" and isolated("<b>") == "<bdi>&lt;b&gt;</bdi>"


def test_what_people_say_is_escaped_in_the_chat():
    from in_memory_table import PEOPLE, Sitting
    from sarai.table import commands

    sitting = Sitting().begin()
    sitting.do(PEOPLE[0], commands.Chat("<script>{x}</script>"))
    shown = chat(sitting.table, PEOPLE[1].id, frozenset(), find_language("en"))
    assert '<bdi class="said">&lt;script&gt;{x}&lt;/script&gt;</bdi>' in shown and "<script>" not in shown
