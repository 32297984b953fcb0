"""The programs that attack, load and break a house run, and see what is wrong."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert

from in_memory_table import PEOPLE, Sitting
from sarai.table import commands, event_types
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.storage import schema

ROOT = Path(__file__).parents[2]
ADA, BAT = PEOPLE[:2]


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    """The programs can be imported."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def run(program, *arguments):
    command = [sys.executable, ROOT / "benchmarks" / program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


# --- fuzz ------------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_fuzzed_inputs_change_nothing_that_was_refused():
    from fuzz import KINDS
    from fuzz import run as run_fuzz

    done, problems, _ = run_fuzz(600, "gate", lambda _: None)
    assert problems == []
    assert done["inputs"] == 600
    assert all(done[f"{kind} inputs"] for kind in KINDS)
    assert done["answer 200"] > 20 and sum(what.startswith("answer 4") for what in done) > 20


@pytest.mark.compiled
def test_the_fuzz_sees_a_change_by_a_refused_input_and_a_traceback(monkeypatch):
    from fuzz import run as run_fuzz

    act = House.act

    async def act_badly(self, id, person, command, **more):
        if isinstance(command, commands.Mute):
            await self.rename(person, person.name + "!")
            raise Refused("mute_self")
        if isinstance(command, commands.CallOff):
            raise ZeroDivisionError
        return await act(self, id, person, command, **more)

    monkeypatch.setattr(House, "act", act_badly)
    _, problems, _ = run_fuzz(600, "gate", lambda _: None)
    assert any("refused, but changed UPDATE people" in problem for problem in problems)
    assert any("answered 500" in problem or "ZeroDivisionError" in problem for problem in problems)


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(tmp_path):
    """A log of four moves with keys in a database, and what the players were answered."""
    from faults_players import Notes, Sent

    sitting, notes, keys = Sitting("sixnimmt", 2).begin(), Notes(), {}
    for turn in range(4):
        seat = sitting.table.to_act[0]
        command = {"type": "Move", "move": sitting.table.state.legal(seat)[0]}
        known = sitting.table.number
        number = sitting.do(PEOPLE[seat], commands.Move(command["move"]))
        keys[number] = f"key-{turn}"
        notes.done.append(Sent("T" * 10, PEOPLE[seat].name, f"key-{turn}", command, known, known, number))
    engine = create_engine(f"sqlite:///{tmp_path}/event_types.db")
    schema.metadata.create_all(engine)

    def judged(entries=sitting.entries, away=()):
        from faults_judge import judge

        rows = [
            {
                "table_id": "T" * 10,
                "number": number,
                "body": event_types.encode(event),
                "person": "p",
                "key": keys.get(number),
            }
            for number, event in entries
        ]
        with engine.begin() as connection:
            connection.execute(insert(schema.events), rows)
        return {what: found for what, found in judge(engine, notes, away).items() if found}

    yield sitting, notes, judged
    engine.dispose()


def test_the_judge_of_faults_accepts_a_game_without_faults(played):
    _, _, judged = played
    assert judged() == {}


def test_the_judge_of_faults_misses_a_lost_move(played):
    sitting, notes, judged = played
    assert set(judged([entry for entry in sitting.entries if entry[0] < notes.done[-1].answered])) == {"lost"}


def test_the_judge_of_faults_finds_a_move_that_was_made_twice(played):
    sitting, _, judged = played
    seat = sitting.table.to_act[0]
    sitting.do(PEOPLE[seat], commands.Move(sitting.table.state.legal(seat)[0]))  # without a key of its own
    assert set(judged()) == {"doubled"}


def test_the_judge_of_faults_knows_which_refusals_had_to_be(played):
    from faults_players import Sent

    sitting, notes, judged = played
    first, last = notes.done[0], sitting.table.number
    more = {"number": first.number, "known": first.answered, "latest": last}
    notes.refused = [
        Sent(first.table, first.name, "key-7", first.command, **more, reason="stale"),
        Sent(first.table, first.name, "key-8", first.command, **more, reason="seats_empty"),
    ]
    (wrong,) = judged()["wrong refusals"]
    assert "seats_empty" in wrong


def test_the_judge_of_faults_allows_5xx_only_while_the_database_is_away(played):
    _, notes, judged = played
    away = "503 database_away"
    notes.failed = [(9.9, 10.0, away), (2.0, 12.0, away), (11.0, 12.0, away), (13.0, 20.0, away), (2.0, 9.0, away)]
    assert judged(away=[(9.5, 10.5)]) == {"5xx while the database was there": ["503 database_away: 2 times"]}


def test_the_plan_of_faults_has_all_kills_in_parts():
    from faults import SETUPS, make_plan

    plan = make_plan(list(SETUPS), 200, 800, 1)
    faults = [fault for part in plan for fault in part.faults]
    assert faults.count("kill_web") >= 200
    assert sum(fault.startswith("kill_") for fault in faults) - faults.count("kill_web") >= 800
    assert {"fill_disk", "jump_clock", "drop_notifications", "stop_web"} <= set(faults)
    assert plan == make_plan(list(SETUPS), 200, 800, 1)


# --- load ------------------------------------------------------------------------------------------------------------


@pytest.mark.program
def test_the_load_is_measured():
    done = run("load.py", "--tables", 10, "--rate", 30, "--seconds", 1, "--turns", 2, "--p95", 60_000)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sqlite, 1 web processes, 10 tables" in done.stdout
    assert "BROKEN" not in done.stdout


# --- table sizes -----------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_what_a_table_takes_is_measured(tmp_path, capsys):
    import table_sizes

    asyncio.run(table_sizes.fill(tmp_path / "house.db", "desert", 3))
    asyncio.run(table_sizes.read(tmp_path / "house.db", "desert"))
    played, read = capsys.readouterr().out.splitlines()
    assert "bytes an event" in played and "ms to read" in read
