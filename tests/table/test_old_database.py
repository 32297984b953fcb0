"""A database that the program wrote before rules version 2 opens: every table looks as it did, goes on, and ends."""

import asyncio
import hashlib
import json
import shutil
from pathlib import Path

import pytest

import sarai
from quick_bots import QuickBots
from sarai.core.records import from_json
from sarai.table.commands import AskBack, Move, Rematch, Resign, Sit, Start
from sarai.table.dice_proof import check
from sarai.table.service.house import House

RECORDS = Path(__file__).parents[1] / "records"
BEFORE = json.loads((RECORDS / "house-before.json").read_text(encoding="utf-8"))  # as the tables were then


def digest(record):
    """Return a short hash of a record, the whole content counted."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


async def settled(house, id):
    """Return a table when no bot is to act."""
    table = await house.table(id)
    while table.bots_to_act or table.starting:
        await asyncio.sleep(0.005)
    return table


async def move_once(house, table, people):
    """Let a person make a move."""
    seat = next(seat for seat in table.to_act if not table.seats[seat].played_by)
    person = next(person for person in people if person.id == table.seats[seat].person)
    await house.act(table.id, person, Move(table.state.legal(seat)[0]))
    return person


async def go_on(house, id, people):
    """Begin a game if it has not begun, make moves, take one back, give up, and play again."""
    table = await house.table(id)
    version = table.rules_version
    if table.phase == "gathering":
        if table.seat_of(people[1].id) is None:
            await house.act(id, people[1], Sit())
        await house.act(id, people[0], Start())
        await settled(house, id)
    if table.phase == "playing":
        for _ in range(2):
            await move_once(house, table, people)
            await settled(house, id)
    if table.phase == "playing":
        await house.act(id, await move_once(house, table, people), AskBack())
    for person in people:
        if table.phase == "playing":
            await house.act(id, person, Resign())
    assert table.phase == "over"
    assert table.rules_version == table.state.rules_version == version == 1
    record = from_json(table.record(None))
    assert record.rules_version == 1
    check(record)
    await house.act(id, people[0], Rematch())
    again = await house.table(table.rematch)
    assert again.rules_version == again.game.rules_version


@pytest.mark.parametrize("game", sarai.game_ids())
def test_every_table_of_an_old_database_opens_as_it_was_and_goes_on(game, tmp_path):
    async def go():
        house = await House.open(str(tmp_path / "house.db"), QuickBots())
        try:
            await house.games.wait(game)
            summaries = [summary for summary in await house.tables(most=1000) if summary.game == game]
            assert {summary.id for summary in summaries} == {id for id, was in BEFORE.items() if was["game"] == game}
            people = [await house.people.person(id) for id in known]
            assert [person.name for person in people] == ["Alice", "Bob نوری"]
            for summary in summaries:
                table, was = await house.table(summary.id), BEFORE[summary.id]
                assert (table.phase, table.number, table.ending) == (was["phase"], was["number"], was["ending"])
                assert (table.result and table.result.scores) == was["scores"]
                assert (table.state and table.state.text().replace(" rules_version=1", "")) == was["position"]
                assert [digest(table.record(seat)) for seat in (None, 0)] == [was["record"], was["seat 0"]]
                await go_on(house, summary.id, people)
        finally:
            await house.close()

    shutil.copy(RECORDS / "house-before.db", tmp_path / "house.db")
    known = ("zX-03t_wbeLLO4CinBxbXA", "39Vih1iAZOllRfRu0kZsFg")
    asyncio.run(asyncio.wait_for(go(), 120))
