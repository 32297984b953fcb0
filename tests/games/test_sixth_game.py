"""A sixth game is one folder and one line of the registry: a copy of a game under another name is a whole game.

Copies of the package run uncompiled in processes of their own. A game that lacks a part gets a clear answer.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

import sarai
from browsing import begin, make_table, play_out
from conftest import Server
from sarai.core.records import SUFFIX
from sarai.core.registry import GAMES

pytestmark = pytest.mark.program

PACKAGE = Path(sarai.__file__).parent
ORIGINAL = sarai.game("sixnimmt")  # its games are the shortest
ID, TITLE = "herd", "Herd"
LINE = f'    "{ORIGINAL.id}": "{GAMES[ORIGINAL.id]}",\n'
ROUND = {"rounds": "1"}
PARTS = {"no-policy": "policy.py", "no-rules": "*.md", "no-board": "board", "no-terminal": "terminal.py"}


def add_game(package: Path, id: str, title: str, without: str = "") -> None:
    """Copy a game under another name, leaving out a part of it, and register the copy with one line."""
    name = id.replace("-", "_")
    folder = package / "games" / name
    shutil.copytree(package / "games" / ORIGINAL.folder.name, folder)
    for path in folder.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        for old, new in (
            (f'"{ORIGINAL.id}"', f'"{id}"'),
            (f"{ORIGINAL.id} players=", f"{id} players="),
            (f"`{ORIGINAL.id}`", f"`{id}`"),
            (ORIGINAL.folder.name, name),
            (GAMES[ORIGINAL.id].partition(":")[2], name.upper()),
            (ORIGINAL.title, title),
        ):
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    if without:
        for part in folder.glob(without):
            shutil.rmtree(part) if part.is_dir() else part.unlink()
    registry = package / "core" / "registry.py"
    lines = registry.read_text(encoding="utf-8")
    assert lines.count(LINE) == 1
    new_line = f'    "{id}": "sarai.games.{name}:{name.upper()}",\n'
    registry.write_text(lines.replace(LINE, LINE + new_line), encoding="utf-8")


def copied_package(folder: Path) -> Path:
    shutil.copytree(PACKAGE, folder / "sarai", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "sarai"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a copy of the package that has a sixth game."""
    folder = tmp_path_factory.mktemp("sixth")
    add_game(copied_package(folder), ID, TITLE)
    return folder


@pytest.fixture(scope="module")
def incomplete(tmp_path_factory):
    """A folder with a copy of the package in which every added game lacks another part."""
    folder = tmp_path_factory.mktemp("incomplete")
    package = copied_package(folder)
    for id, part in PARTS.items():
        add_game(package, id, id.title(), without=part)
    return folder


@pytest.fixture
def serve(tmp_path):
    """Start the server of a copied package; it is stopped after the test."""
    started = []

    def start(folder: Path) -> Server:
        started.append(Server(tmp_path, **environment(folder)))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(folder), "SARAI_CACHE_DIR": str(folder / "cache"), "NUMBA_DISABLE_JIT": "1"}


def run(folder: Path, code: str, *arguments: str, keyboard: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | environment(folder) | {"XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder)},
        cwd=folder,
        input=keyboard,
        capture_output=True,
        text=True,
        timeout=240,
    )


def python(folder: Path, code: str, *arguments: str) -> str:
    done = run(folder, code, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(folder: Path, *arguments: str, keyboard: str = "") -> subprocess.CompletedProcess[str]:
    """Run `sarai` with lines typed at the keyboard."""
    return run(folder, "from sarai.cli import main; main()", *arguments, keyboard=keyboard)


# --- a whole game -----------------------------------------------------------------------------------------------------


def test_nothing_but_the_folder_and_one_line_of_the_registry_is_new(whole):
    changed = []
    for path in sorted((whole / "sarai").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            before = PACKAGE / path.relative_to(whole / "sarai")
            if not before.exists() or before.read_bytes() != path.read_bytes():
                changed.append(path.relative_to(whole / "sarai"))
    outside = [path for path in changed if path.parts[:2] != ("games", ID)]
    assert outside == [Path("core/registry.py")]
    old, new = ((folder / outside[0]).read_text().splitlines() for folder in (PACKAGE, whole / "sarai"))
    assert len(new) == len(old) + 1 and len(set(new) - set(old)) == 1


LISTED = f"""
import sarai
assert {ID!r} in sarai.game_ids() and len(sarai.game_ids()) == {len(GAMES) + 1}
game = sarai.game({ID!r})
assert game.title == {TITLE!r} and game.folder.name == {ID!r} and {ID!r} in game.rules_text().partition("\\n")[0]
assert game.definition is not sarai.game({ORIGINAL.id!r}).definition
print(game.pitch)
"""


def test_the_game_is_listed(whole):
    assert python(whole, LISTED).strip() == ORIGINAL.pitch
    listed = command(whole, "games")
    assert listed.returncode == 0 and ID in listed.stdout and TITLE in listed.stdout


CONTRACT = f"""
import sarai
from sarai.testing import check_game
game = sarai.game({ID!r})
check_game(game, [2], [{ROUND}], most=12)
"""


def test_the_game_keeps_the_contract(whole):
    python(whole, CONTRACT)


GOLDEN = f"""
import sarai
from sarai.core.random_play import play_randomly
from sarai.testing.golden_playthroughs import replay_playthrough, write_playthrough
game = sarai.game({ID!r})
options = {ROUND}
text = write_playthrough(play_randomly(game, 2, options, seed=3))
assert text.startswith("game: {ID}\\n") and "result: Result(scores=" in text
assert write_playthrough(replay_playthrough(game, 2, options, text)) == text
print(text)
"""


def test_a_golden_playthrough_is_made_and_replays_as_that_of_the_original(whole):
    text = python(whole, GOLDEN)
    assert text.replace(ID, ORIGINAL.id) == python(whole, GOLDEN.replace(ID, ORIGINAL.id))


def test_bots_meet_in_the_arena(whole):
    done = command(whole, "arena", ID, "random", "novice", "--games", "2", "--jobs", "1", "--option", "rounds=1")
    assert done.returncode == 0, done.stderr
    assert "random" in done.stdout and "novice" in done.stdout


def test_the_game_is_played_at_a_terminal(whole):
    path = whole / f"played{SUFFIX}"
    moves = "".join(f"{card}\n" for card in range(1, 105)) + "r1\n"
    options = ("--players", "2", "--option", "rounds=1", "--seed", "1", "--record", str(path))
    done = command(whole, "play", ID, *options, keyboard=10 * moves)
    assert done.returncode == 0, done.stderr
    assert "Result" in done.stdout and "heads" in done.stdout
    assert f'"game":"{ID}"' in path.read_text(encoding="utf-8")


def test_the_game_is_on_the_pages_and_played_in_a_browser_against_a_bot(whole, chromium, serve):
    server = serve(whole)
    context = chromium.new_context(base_url=server.address, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto("/")
        card = page.locator(f"#game-{ID}")
        expect(card).to_contain_text(TITLE)
        expect(card).to_contain_text(ORIGINAL.pitch)
        expect(card.locator("svg")).to_be_visible()
        page.goto(f"/rules/{ID}")
        expect(page.locator("main")).to_contain_text("The pack has the cards 1 to 104.")
        make_table(page, ID, 2, 1, **ROUND)
        begin(page)
        expect(page.locator(f".board.{ID}")).to_be_visible()
        play_out([page])
        expect(page.locator("#result")).to_be_visible()
    finally:
        context.close()


# --- games that lack a part ------------------------------------------------------------------------------------------

WITHOUT_POLICY = """
import sarai
from sarai.bots.named_bots import bot
from sarai.core.policy.levels import LEVELS, Budget
from sarai.table.bots.worker import USES, prepare
assert list(prepare("no-policy", LEVELS))[-1] == len(USES) + len(LEVELS) - 1
state = sarai.game("no-policy").start(2)
while state.actor == sarai.CHANCE:
    state = state.play(state.chance()[0][0])
for level in LEVELS:
    assert bot(sarai.game("no-policy"), level).choose(state.view(0), Budget(simulations=2)) in state.legal()
"""


def test_a_game_without_a_policy_has_bots_of_every_level(incomplete):
    python(incomplete, WITHOUT_POLICY)


def test_a_game_without_a_terminal_module_is_refused_there_in_one_sentence(incomplete):
    done = command(incomplete, "play", "no-terminal", "--players", "2")
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "No-Terminal cannot be shown in a terminal" in " ".join(done.stderr.split())


def test_games_that_lack_a_part_are_served(incomplete, serve):
    """Tables begin without a policy, a board or a terminal module; without rules there is a page that says so."""
    server = serve(incomplete)
    with httpx.Client(base_url=server.address, headers={"origin": server.address}) as client:
        front = client.get("/")
        assert front.status_code == 200 and all(f'id="game-{id}"' in front.text for id in PARTS)
        no_rules = client.get("/rules/no-rules")
        assert no_rules.status_code == 404 and "No-Rules" in no_rules.text
        for id in PARTS:
            assert id == "no-rules" or client.get(f"/rules/{id}").status_code == 200
            assert client.get(f"/tables/new?game={id}").status_code == 200
        assert client.post("/api/me", json={"name": "Ann"}).status_code == 201
        tables = {}
        for id in ("no-policy", "no-board", "no-terminal"):  # a table has its game prepared before others
            made = client.post("/api/tables", json={"game": id, "players": 2, "bots": ["novice"]})
            tables[id] = made.json()["id"]
        for id, table in tables.items():
            server.wait_for(id)
            begun = client.post(f"/api/tables/{table}/act", json={"command": {"type": "Start"}})
            assert begun.status_code == 200, begun.text
            page = client.get(f"/tables/{table}")
            assert page.status_code == 200 and 'class="board' in page.text
