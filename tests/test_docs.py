"""The documents are true: their examples run, and what they must mention they do."""

import doctest
import re
from pathlib import Path

import pytest

import sarai
import sarai.arena.errors
import sarai.cli.errors
import sarai.table.refusals
import sarai.web.site_refusal_reasons
from sarai.core.catalogs import read_catalog
from sarai.core.errors import REASONS
from sarai.core.language import LOCALE, catalog_path

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["README.md", "docs/notation.md", "docs/arena.md"])
def test_examples_run(name):
    result = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_game_has_its_rules_and_notation(id):
    rules = sarai.game(id).rules_text()
    assert f"`{id}`" in rules
    for option in sarai.game(id).options:
        assert f"`{option.name}" in rules, f"option {option.name} is not in the rules of {id}"
    notation = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    assert sarai.game(id).title in notation or "## Notation" in rules


def test_the_readme_lists_games_that_there_are():
    listed = re.findall(r"^\| `([\w-]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listed) >= 5 and set(listed) <= set(sarai.game_ids())


@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_clause_of_the_rules_has_a_test_that_names_it(id):
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "games").rglob("test_*.py"))
    clauses = re.findall(r"^- \*\*([A-Z]\d?-\d\d)\*\*", sarai.game(id).rules_text(), re.MULTILINE)
    assert clauses
    for clause in clauses:
        assert re.search(rf"def test_\w*{clause.replace('-', '_')}(?!\d)", tests), f"{clause} has no test that names it"


def test_every_reason_key_that_is_raised_has_a_sentence():
    for id in sarai.game_ids():
        assert set(sarai.game(id).definition.refusals[1:]) <= set(REASONS)
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    keys = set(
        re.findall(
            r"\b(?:Illegal|BadStart|BadText|BadRecord|CommandError|UnknownGame|ArenaError|Error|Refused)\(\s*\"(\w+)\"",
            source,
        )
    )
    assert len(keys) > 15
    assert keys <= set(REASONS)


def test_every_reason_key_is_documented():
    text = (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")
    of_games = {key for id in sarai.game_ids() for key in sarai.game(id).reasons}
    documented = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert set(REASONS) - of_games <= documented <= set(REASONS)


def test_the_page_about_the_house_lists_its_folders_in_the_order_of_imports():
    contract = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = re.findall(r"sarai\.(\w+)", re.search(r"^layers = \[(.*?)\]$", contract, re.MULTILINE | re.DOTALL)[1])
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert re.findall(r"^  (\w+)/ ", text, re.MULTILINE) == layers
    assert f"`{' → '.join(layers)}`" in text


def test_hosting_names_every_flag_and_variable_of_serve():
    import typer.main

    from sarai.cli import app

    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for option in typer.main.get_command(app).commands["serve"].params:
        assert f"`{option.opts[0]}" in text and f"`{option.envvar}`" in text, option.name


def test_working_on_sarai_names_every_goal_of_make():
    goals = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()
    text = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    assert [goal for goal in goals if f"`make {goal}`" not in text] == []


def test_the_glossary_has_the_words_of_the_catalogs():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", text.partition("## The games")[2], re.M)
    catalogs = [list(read_catalog(catalog_path(code, LOCALE), code)) for code in ("fa", "he", "el")]
    terms = [row for row in rows if row[0] != "English"]
    assert len(terms) > 90
    for term, *words in terms:
        for catalog, word in zip(catalogs, words, strict=True):
            assert word in {str(message.string) for message in catalog if message.id == term}, term
