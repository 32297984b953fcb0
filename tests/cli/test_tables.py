"""Tables from the command line: listed, written as records, checked."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from quick_bots import QuickBots
from sarai.cli import run
from sarai.core.records import load
from sarai.table.commands import AddBot, Move, Sit, Start
from sarai.table.service.house import House


async def evening(path):
    """Play one game to its end and begin another; return the ids of their tables."""
    house = await House.open(str(path), QuickBots())
    ada = await house.people.new_person("Ada 🐪\u200d🌴")
    ids = []
    for over in (True, False):
        id = await house.create(ada, "sixnimmt", 2, {"rounds": 1})
        await house.act(id, ada, Sit())
        await house.act(id, ada, AddBot(level="random"))
        await house.games.wait("sixnimmt")
        await house.act(id, ada, Start())
        table = await house.table(id)
        while over and table.phase == "playing":
            if 0 in table.to_act:
                await house.act(id, ada, Move(table.state.legal(0)[0]))
            await asyncio.sleep(0)
        ids.append(id)
    await house.close()
    return ids


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "sarai.db"
    return path, asyncio.run(evening(path))


def said(capsys, *arguments):
    code = run([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_tables_are_listed(db, capsys, monkeypatch):
    path, (over, running) = db
    code, out, _ = said(capsys, "tables", "--db", path)
    assert code == 0
    assert over in out and running in out and "🐪" in out
    monkeypatch.setenv("SARAI_DB", str(path))
    code, out, _ = said(capsys, "tables", "--running")
    assert running in out and over not in out


def test_a_record_is_written_and_verified_and_a_changed_one_is_found_out(db, capsys, tmp_path):
    path, (over, _) = db
    code, out, _ = said(capsys, "export", over, "--db", path, "--to", tmp_path)
    file = tmp_path / f"sixnimmt-{over}.sarai.json"
    assert (code, "".join(out.split())) == (0, str(file))
    assert load(file).result is not None
    code, out, _ = said(capsys, "verify", file)
    assert code == 0
    assert "the dice were fair" in " ".join(out.split())
    record = json.loads(file.read_text(encoding="utf-8"))
    assert "Nobody gave a word" in out
    record["fairness"] |= {"version": 1, "words": ["other"]}
    file.write_text(json.dumps(record), encoding="utf-8")
    code, out, err = said(capsys, "verify", file)
    assert (code, out) == (2, "")
    assert "should have brought" in err


@pytest.mark.program
def test_a_record_without_proof_of_its_dice_is_refused_by_a_fresh_process():
    record = Path(__file__).parents[1] / "records" / "sixnimmt-1.sarai.json"
    code = "from sarai.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "verify", str(record)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "") and "no proof of its dice" in " ".join(done.stderr.split())


def test_the_data_folder_of_the_house_is_read_too(db, capsys, tmp_path, monkeypatch):
    path, (over, _) = db
    assert over in said(capsys, "tables", "--data-dir", path.parent)[1]
    monkeypatch.setenv("SARAI_DATA_DIR", str(path.parent))
    assert over in said(capsys, "tables")[1]
    assert said(capsys, "export", over, "--to", tmp_path)[0] == 0
    assert [file.name for file in tmp_path.iterdir()] == [f"sixnimmt-{over}.sarai.json"]


def test_every_finished_game_is_written(db, capsys, tmp_path):
    path, (over, _) = db
    assert said(capsys, "export", "--all", "--db", path, "--to", tmp_path)[0] == 0
    assert [file.name for file in tmp_path.iterdir()] == [f"sixnimmt-{over}.sarai.json"]


def test_what_goes_wrong_is_one_sentence(db, capsys, tmp_path):
    path, (over, running) = db
    played = tmp_path / "played.sarai.json"
    played.write_text('{"format": 1}', encoding="utf-8")
    for arguments in (
        ("export", running, "--db", path),
        ("export", "nowhere", "--db", path),
        ("export", over, "--db", path, "--to", tmp_path / "no folder"),
        ("tables", "--db", tmp_path / "absent.db"),
        ("tables", "--db", played),
        ("tables", "--db", "oracle://nowhere"),
        ("verify", tmp_path / "absent.sarai.json"),
        ("verify", played),
    ):
        code, _, err = said(capsys, *arguments)
        assert code == 2, arguments
        assert err.count("\n") == 1 and "itself made a mistake" not in err, err
    assert not (tmp_path / "absent.db").exists()


def test_a_database_of_somebody_else_writes_nothing_but_letters_to_the_terminal(db, capsys, tmp_path):
    path, (over, running) = db
    evil, odd = tmp_path / "evil.db", "\x1b]0;owned\x07\x1b[31m"
    assert said(capsys, "db", "backup", evil, "--db", path)[0] == 0
    with sqlite3.connect(evil) as connection:
        summary = connection.execute("SELECT summary FROM tables WHERE id = ?", [over]).fetchone()[0]
        stored = json.loads(summary)
        stored["summary"] |= {"id": odd, "phase": odd, "host": odd}
        changed = json.dumps(stored).encode()
        connection.execute("UPDATE tables SET id = ?, summary = ? WHERE id = ?", [odd, changed, over])
        connection.execute("UPDATE tables SET summary = x'7b' WHERE id = ?", [running])
        connection.execute(f'CREATE TRIGGER "{odd}" AFTER INSERT ON people BEGIN SELECT 1; END')
    connection.close()
    for arguments in (("tables",), ("db", "check"), ("export", "--all", "--to", tmp_path), ("export", odd)):
        _, out, err = said(capsys, *arguments, "--db", evil)
        assert "\x1b" not in out + err and "\x07" not in out + err, arguments
        assert "itself made a mistake" not in err, err
    code, out, _ = said(capsys, "tables", "--db", evil)
    assert code == 0 and "owned" in out and "Tables that cannot be read: 1" in out


def test_a_database_is_checked_saved_restored_and_moved(db, capsys, tmp_path):
    path, (over, _) = db
    saved, other, moved = tmp_path / "saved.db", tmp_path / "other.db", tmp_path / "moved.db"
    code, out, err = said(capsys, "db", "check", "--db", path)
    assert (code, err) == (0, "") and "Everything is in order: 2 tables, " in " ".join(out.split())
    code, out, _ = said(capsys, "db", "backup", saved, "--db", path)
    assert code == 0 and "2 tables" in " ".join(out.split())
    code, _, err = said(capsys, "db", "backup", saved, "--db", path)
    assert code == 2 and "--force" in err
    assert said(capsys, "db", "restore", saved, "--db", other)[0] == 0
    code, out, _ = said(capsys, "db", "move", moved, "--db", other)
    assert code == 0 and "can only be read now: 2 tables" in " ".join(out.split())
    with sqlite3.connect(moved) as connection:
        connection.execute("DELETE FROM events WHERE table_id = ? AND number = 2", [over])
    connection.close()
    code, out, err = said(capsys, "db", "check", "--db", moved)
    assert code == 2 and f"{over}: events are missing from its log" in out and "problems: 1" in err
