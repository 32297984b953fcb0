"""Every game is one folder with the same files, and its modules import each other in one direction."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup

import sarai

PACKAGE = Path(sarai.__file__).parent
FOLDERS = sorted({sarai.game(id).folder for id in sarai.game_ids()})
FILES = {
    "__init__.py",
    "definition.py",
    "state.py",
    "rules.py",
    "position.py",
    "notation.py",
    "words.py",
    "view.py",
    "policy.py",
    "terminal.py",
    "RULES.md",
    "RULEBOOK.md",
}
SUBFOLDERS = {"board", "lessons", "odds"}  # the first is in every game
DATA = {".toml", ".txt"}  # what a sheet or a board is read from

by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def content(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != "__pycache__"]


@by_folder
def test_a_game_has_the_files_that_every_game_has(folder):
    assert {path.name for path in content(folder)} >= FILES | {"board"}


@by_folder
def test_a_game_has_nothing_but_modules_rules_texts_data_and_the_known_folders(folder):
    for path in content(folder):
        if path.is_dir():
            assert path.name in SUBFOLDERS, path
        else:
            assert path.suffix in {".py"} | DATA or path.name.startswith(("RULES", "RULEBOOK")), path


@by_folder
def test_a_board_is_a_package_with_its_style(folder):
    assert (folder / "board" / "__init__.py").is_file()
    assert list((folder / "board").glob("*.css"))


def test_every_folder_of_games_is_registered():
    folders = [path for path in content(PACKAGE / "games") if path.is_dir()]
    assert sorted(folders) == FOLDERS


@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_game_has_a_rules_text_of_its_own(id):
    game = sarai.game(id)
    text = game.rules_text()
    assert text is not None and text.startswith("# ") and f"`{id}`" in text.partition("\n")[0]
    others = [sarai.game(other).rules_text() for other in sarai.game_ids() if other != id]
    assert text not in others


@pytest.mark.parametrize("id", sarai.game_ids())
def test_the_parts_that_others_ask_a_game_for_are_there(id):
    game = sarai.game(id)
    assert game.definition is not None
    assert game.module("policy").LADDER
    assert callable(game.module("terminal").board)
    board = game.module("board")
    assert callable(board.render) and callable(board.explanations) and isinstance(board.icon(id), Markup)


# --- imports ----------------------------------------------------------------------------------------------------------


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every import of a file: the module, and what is taken from it ("" for the module itself)."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name the whole module"
            yield from ((node.module or "", alias.name) for alias in node.names)


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def private_uses(path: Path) -> list[str]:
    """Return the private names that a file takes from other modules, imported or by attribute."""
    found = [f"{module}.{name}" for module, name in imports(path) if any(map(is_private, [*module.split("."), name]))]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if isinstance(node, ast.Import) or is_module(node.module or "", alias.name)
    }
    return found + [
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in modules
        and is_private(node.attr)
    ]


def is_module(package: str, name: str) -> bool:
    folder = PACKAGE.joinpath(*package.split(".")[1:])
    return package.startswith("sarai") and ((folder / f"{name}.py").is_file() or (folder / name).is_dir())


ALLOWED = {"os._exit"}  # Python's own way to end a process at once


def test_no_module_uses_a_private_name_of_another():
    found = {str(path.relative_to(PACKAGE)): private_uses(path) for path in PACKAGE.rglob("*.py")}
    assert {path: names for path, names in found.items() if set(names) - ALLOWED} == {}


@by_folder
def test_no_module_of_a_game_imports_its_package(folder):
    package = f"sarai.games.{folder.name}"
    for path in folder.rglob("*.py"):
        if path == folder / "__init__.py":
            continue
        for module, name in imports(path):
            assert (module, name) != (package, ""), path
            assert module != package or is_module(package, name), f"{path} imports {name} from {package}"


# --- no other code names a game ---------------------------------------------------------------------------------------

NAMES = {*sarai.game_ids(), *(folder.name for folder in FOLDERS)}
OUTSIDE = [path for path in PACKAGE.rglob("*.*") if path.relative_to(PACKAGE).parts[0] != "games"]


def test_no_code_outside_the_games_and_the_registry_names_a_game():
    found = []
    for path in OUTSIDE:
        if path.suffix == ".py" and path != PACKAGE / "core" / "registry.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            named = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in NAMES]
            found += [f"{path.relative_to(PACKAGE)}: {name}" for name in named]
    assert found == []


def test_no_style_script_or_template_of_the_site_names_a_game():
    named = re.compile(rf"""["'.-]({"|".join(sorted(NAMES))})\b""")
    shown = [path for path in OUTSIDE if path.suffix in {".css", ".js", ".html"}]
    assert shown
    found = [(path.name, match[0]) for path in shown for match in named.finditer(path.read_text(encoding="utf-8"))]
    assert found == []
