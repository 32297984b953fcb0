"""The kernel cache: an edited rule is never served stale, and nobody else's cache moves."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from sarai.core.kernels import cache
from sarai.core.kernels.compile import kernel

PACKAGE = Path(sarai.__file__).parent
TOY = {  # the smallest game with a rule that another file's calls
    "__init__.py": "",
    "cards.py": """
from sarai.core.kernels.compile import kernel
@kernel
def heads(card):
    return 2 if card % 5 == 0 else 1
""",
    "rules.py": """
from sarai.core.kernels.compile import kernel
from sarai.games.toy.cards import heads
@kernel
def score(last):
    taken = 0
    for card in range(1, last + 1):
        taken += heads(card)
    return taken
""",
}
CODE = "from sarai.games.toy.rules import score; print(score(104), len(score.stats.cache_hits))"


def run(folder: Path, **env: str) -> str:
    environment = (
        os.environ
        | {
            "PYTHONPATH": str(folder),
            "SARAI_CACHE_DIR": str(folder / "cache"),
            "NUMBA_DISABLE_JIT": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        | env
    )
    return subprocess.run(
        [sys.executable, "-c", CODE], env=environment, check=True, capture_output=True, text=True, cwd=folder
    ).stdout


@pytest.mark.program
def test_an_edited_rule_is_never_served_from_a_stale_cache(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "sarai", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sarai" / "games" / "toy").mkdir()
    for name, source in TOY.items():
        (tmp_path / "sarai" / "games" / "toy" / name).write_text(source, encoding="utf-8")
    assert run(tmp_path) == "124 0\n"
    assert run(tmp_path) == "124 1\n"  # from the cache
    shutil.copytree(tmp_path / "sarai", tmp_path / "elsewhere" / "sarai")
    other = {"PYTHONPATH": str(tmp_path / "elsewhere")}
    assert run(tmp_path, **other) == "124 1\n"  # a checkout at another place shares what was compiled
    assert len(list((tmp_path / "cache").glob("kernels-*"))) == 1
    rule = tmp_path / "sarai" / "games" / "toy" / "cards.py"
    stamp = rule.stat()
    rule.write_text(rule.read_text(encoding="utf-8").replace("return 2", "return 9"), encoding="utf-8")
    os.utime(rule, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # even if the file's time does not tell
    assert run(tmp_path) == "264 0\n"
    assert len(list((tmp_path / "cache").glob("kernels-*"))) == 2


SHOWN = (
    "board/__init__.py",
    "board/pieces.py",
    "board/style.css",
    "terminal.py",
    "words.py",
    "RULES.md",
    "lessons/first.toml",
)


@pytest.mark.parametrize("name", SHOWN)
def test_what_only_shows_a_game_keeps_the_compiled_kernels(tmp_path, name):
    shutil.copytree(PACKAGE / "games", tmp_path / "games", ignore=shutil.ignore_patterns("__pycache__"))
    before = cache.source_hash(tmp_path)
    for folder in {sarai.game(id).folder.name for id in sarai.game_ids()}:
        path = tmp_path / "games" / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("changed")
    assert cache.source_hash(tmp_path) == before
    (tmp_path / "games" / "sixnimmt" / "rules.py").write_text("changed")
    assert cache.source_hash(tmp_path) != before


def compiled_files() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if cache.is_hashed(path, PACKAGE)]


def test_nothing_compiled_imports_what_only_shows():
    for path in compiled_files():
        if path.name not in ("__init__.py", "definition.py", "position_input.py"):  # put a game together, or ask people
            imported = re.findall(
                r"^ *(?:from|import) sarai\.games\.\w+\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE
            )
            assert not {"board", "terminal", "lessons", "words"} & set(imported), path


def kernels_of(module: ast.Module) -> list[ast.FunctionDef]:
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    return [found for found in functions if any(getattr(of, "id", "") == "kernel" for of in found.decorator_list)]


def test_kernels_use_nothing_that_the_hash_leaves_out():
    count = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        if not (found := kernels_of(module)):
            continue
        assert cache.is_hashed(path, PACKAGE), path
        unhashed = set[str]()
        for node in ast.walk(module):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sarai."):
                source = PACKAGE.joinpath(*node.module.split(".")[1:])
                source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
                if not cache.is_hashed(source, PACKAGE):
                    unhashed |= {name.asname or name.name for name in node.names}
        for kernel_function in found:
            used = {node.id for line in kernel_function.body for node in ast.walk(line) if isinstance(node, ast.Name)}
            assert not used & unhashed, (path, kernel_function.name)
            count += 1
    assert count > 100


@pytest.mark.program
@pytest.mark.parametrize("game_id", sarai.game_ids())
def test_what_is_prepared_for_a_table_is_all_that_its_page_needs(game_id):
    code = f"""
import sarai
from numba.core.dispatcher import Dispatcher
from sarai.core.kernels.warm import TO_PLAY, any_move, begin, warm
game = sarai.game({game_id!r})
list(warm(game, TO_PLAY))
compiled = []
compile_one = Dispatcher.compile
def compile(self, signature):
    if signature not in self.overloads:
        compiled.append(self.py_func.__qualname__)
    return compile_one(self, signature)
Dispatcher.compile = compile
state = begin(game)
for _ in range(60):
    if state.actor == sarai.OVER:
        break
    for seat in (0, None):
        state.view(seat).to_json()
    state.scores, state.result, state.to_act
    state, _ = game.play_with_events(state, any_move(state))
print(compiled)
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"


def test_the_hash_knows_sources_data_and_flags(tmp_path, monkeypatch):
    for folder in ("core/kernels", "games/x"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "core" / "kernels" / "a.py").write_text("1")
    hashes = {cache.source_hash(tmp_path)}
    (tmp_path / "core" / "kernels" / "a.py").write_text("2")
    hashes.add(cache.source_hash(tmp_path))
    (tmp_path / "games" / "x" / "board.txt").write_text("2")
    hashes.add(cache.source_hash(tmp_path))
    (tmp_path / "games" / "x" / "board.txt").rename(tmp_path / "games" / "x" / "sheet.txt")
    hashes.add(cache.source_hash(tmp_path))
    monkeypatch.setenv("NUMBA_OPT", "1")
    hashes.add(cache.source_hash(tmp_path))
    assert len(hashes) == 5
    (tmp_path / "core" / "kernels" / "a.pyc").write_text("3")
    (tmp_path / "core" / "markup.py").write_text("3")
    assert cache.source_hash(tmp_path) in hashes


def test_old_caches_are_cleared_away_and_new_ones_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SARAI_CACHE_DIR", str(tmp_path))
    old, recent = tmp_path / "kernels-old", tmp_path / "kernels-recent"
    old.mkdir()
    recent.mkdir()
    os.utime(old, (0, 0))
    made = cache.kernel_directory.__wrapped__()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([made.name, "kernels-recent"])


def test_an_unwritable_cache_falls_back_to_a_private_folder(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SARAI_CACHE_DIR", str(blocked))
    root = cache.cache_root()
    assert root.is_dir()
    assert root.stat().st_mode & 0o077 == 0
    root.rmdir()


def test_the_kernel_decorator_leaves_others_caches_alone():
    from numba import config

    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    kernel(lambda x: x)
    assert before == (config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES)
