"""A process that plays is killed with -9, again and again: everything that it had acknowledged is there."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sarai.table.storage.store import Store
from sarai.table.table import Table

ROUNDS = 4
ROOT = Path(__file__).parents[2]

PLAYER = """
import asyncio, sys
from quick_bots import QuickBots
from sarai.table.commands import AddBot, Chat, Move, Rematch, Sit, Start
from sarai.table.service.house import House

async def main(path):
    house = await House.open(path, QuickBots())
    await house.games.wait("sixnimmt")
    people = [await house.people.new_person(name) for name in ("Ada", "Bat")]
    ids = [await house.create(people[0], "sixnimmt", 3, {"rounds": 50}) for _ in range(3)]
    for id in ids:
        for person in people:
            await house.act(id, person, Sit())
        await house.act(id, people[0], AddBot(level="random"))
        await house.act(id, people[0], Start())

    async def play(id, person):
        table = await house.table(id)
        seat = table.seat_of(person.id)
        while table.phase == "playing":
            if seat in table.to_act:
                move = table.state.legal(seat)[0]
                number = await house.act(id, person, Move(move))
                print(id, number, seat, move, flush=True)
            else:
                await asyncio.sleep(0)

    await asyncio.gather(*(play(id, person) for id in ids for person in people))

asyncio.run(main(sys.argv[1]))
"""


async def read(path):
    """Return every table of a database, folded from its log."""
    store = await Store.open(str(path))
    logs = {name: await store.log(name) for name, _ in await store.changed_since(0)}
    await store.close()
    return {
        name: (entries, Table.fold(name, [(entry.number, entry.event) for entry in entries]))
        for name, entries in logs.items()
    }


@pytest.mark.program
def test_killed_while_playing_nothing_acknowledged_is_lost(tmp_path):
    rng, path, acknowledged = Random(), tmp_path / "house.db", 0
    for _ in range(ROUNDS):
        with subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])},
        ) as player:
            lines = [player.stdout.readline() for _ in range(rng.randint(6, 60))]
            player.send_signal(signal.SIGKILL)
            lines += player.stdout.read().splitlines(keepends=True)
        assert player.returncode == -signal.SIGKILL
        tables = asyncio.run(read(path))
        for line in (line for line in lines if line.endswith("\n")):
            id, number, seat, move = line.split()
            entries, table = tables[id]
            assert [entry.number for entry in entries] == list(range(1, table.number + 1))
            assert table.number >= int(number)
            moves = [entry.event for entry in entries[: int(number)] if type(entry.event).__name__ == "Moved"]
            assert any((event.seat, event.move) == (int(seat), int(move)) for event in moves[-2:]), line
            acknowledged += 1
    assert acknowledged > 20
