"""What a table takes: events and bytes of its log, memory, and processor time to read it from the database.

    python benchmarks/table_sizes.py --tables 40

plays random moves at tables of every game with four people, a quarter of them to the end and the others to the middle.
Then another process reads those from the middle into memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil

import sarai

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from quick_bots import QuickBots
from sarai.table.commands import Move, Sit, Start
from sarai.table.person import Person
from sarai.table.service.house import House
from sarai.table.table import Table

PLAYERS = 4


@contextlib.asynccontextmanager
async def opened(file: Path, game_id: str) -> AsyncIterator[House]:
    """Open a house with a game ready."""
    house = await House.open(str(file), QuickBots())
    house.games.prepare(game_id)
    await house.games.wait(game_id)
    yield house
    await house.close()


async def play(house: House, game_id: str, people: list[Person], most: float, rng: random.Random) -> tuple[int, Table]:
    """Play a game by random moves, at most so many; return how many they were, and the table."""
    id, moves = await house.create(people[0], game_id, PLAYERS, {}), 0
    for person in people:
        await house.act(id, person, Sit())
    await house.act(id, people[0], Start())
    table = await house.table(id)
    while table.phase == "playing" and moves < most:
        seat = table.to_act[0]
        await house.act(id, people[seat], Move(rng.choice(table.state.legal(seat))), key=f"{rng.getrandbits(60):x}")
        moves += 1
    return moves, table


async def fill(file: Path, game_id: str, tables: int) -> None:
    """Fill a database with games, a quarter of them finished; print how long these are."""
    rng, ends = random.Random(1), list[tuple[int, int]]()
    async with opened(file, game_id) as house:
        people = [await house.people.new_person(f"Player {number}") for number in range(PLAYERS)]
        for _ in range(max(1, tables // 4)):
            moves, table = await play(house, game_id, people, float("inf"), rng)
            ends.append((moves, table.number))
        moves, events = (sum(of_game) / len(ends) for of_game in zip(*ends, strict=True))
        for _ in range(tables - len(ends)):
            await play(house, game_id, people, moves / 2, rng)
    with contextlib.closing(sqlite3.connect(file)) as database:
        count, size = database.execute("SELECT count(*), sum(length(body)) FROM events").fetchone()
    told = f"{moves:.0f} moves and {events:.0f} events a game; {size / count:.0f} bytes an event"
    print(f"{game_id}: {told}, {file.stat().st_size / count:.0f} on disk", flush=True)


async def read(file: Path, game_id: str) -> None:
    """Read the unfinished games of a database; print what that takes."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        ids = [id for (id,) in database.execute("SELECT id FROM tables WHERE phase = 'playing'")]
    async with opened(file, game_id) as house:
        await house.table(ids.pop())  # what is read once for all
        gc.collect()
        memory, seconds = psutil.Process().memory_info().rss, time.process_time()
        for id in ids:
            await house.table(id)
        seconds = (time.process_time() - seconds) / len(ids)
        gc.collect()
        memory = (psutil.Process().memory_info().rss - memory) / len(ids)
    print(f"{game_id}: in the middle of a game {memory / 1024:.0f} KB in memory, {seconds * 1000:.1f} ms to read")


def main() -> None:
    """Measure all games, or some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40, help="tables of each game, at least 3")
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for game_id in arguments.game or sarai.game_ids():
        if arguments.read is not None:
            asyncio.run(read(arguments.read, game_id))
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "house.db"
            asyncio.run(fill(file, game_id, arguments.tables))
            # memory that one process has freed would be used again
            subprocess.run([sys.executable, __file__, "--game", game_id, "--read", str(file)], check=True)


if __name__ == "__main__":
    main()
