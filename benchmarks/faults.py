"""Kill and starve a house while people play, and judge that it lost nothing, did nothing twice and went on.

`python benchmarks/faults.py --web 200 --others 800 --seed 1 --state faults.jsonl` (as root, for a small disk) plays at
200 tables of all games, with bots and spectators: on SQLite, and on PostgreSQL with two and with four web processes. It
kills web processes and processes of bots, workers and the database with -9, fills the disk, cuts notifications, sets
the clock, stops processes. Each part is judged by its log and written to the state file; `--resume` goes on after it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import Progress
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from clients import wait_for_games
from faults_house import FaultyHouse, Setup
from faults_judge import judge
from faults_players import Players
from sarai.table.storage import schema

SETUPS = (Setup("sqlite", 1), Setup("postgresql", 2), Setup("postgresql", 4))
WEB = {"sqlite": 0.3, "postgresql": 0.35}  # which part of the kills of web processes a setup gets
OTHERS = {"sqlite": 0.14, "postgresql": 0.43}
KINDS = {  # of the other kills, how often each comes
    "sqlite": {"kill_bot": 1.0},
    "postgresql": {"kill_bot": 0.25, "kill_work": 0.15, "kill_backend": 0.54, "kill_database": 0.06},
}
MORE = {  # besides the kills, in each part
    "sqlite": {"fill_disk": 2, "jump_clock": 3, "stop_web": 2},
    "postgresql": {"fill_disk": 1, "jump_clock": 3, "stop_web": 2, "drop_notifications": 4},
}
DATABASE = (
    "kill_backend",
    "kill_database",
    "fill_disk",
    "drop_notifications",
)  # they come last: then 5xx are no wonder
LARGEST_PART = 130  # kills
BURST = 12  # tables at which people move just before a fault
WAITS = 0.25, 0.8  # seconds between two faults
ERROR = re.compile(r"^\S+ \S+ error .*", re.MULTILINE)  # what a process logs as its own fault


class Part(NamedTuple):
    """A house of its own, and the faults it gets."""

    number: int
    setup: Setup
    faults: list[str]


def make_plan(setups: list[Setup], web: int, others: int, seed: int) -> list[Part]:
    """Return all parts."""
    plan: list[Part] = []
    for setup in setups:
        kills = ["kill_web"] * round(web * WEB[setup.store])
        for kind, share in KINDS[setup.store].items():
            kills += [kind] * round(others * OTHERS[setup.store] * share)
        random.Random(f"{seed} {setup}").shuffle(kills)
        count = -(-len(kills) // LARGEST_PART)
        for place in range(count):
            faults = kills[place::count]
            for kind, times in MORE[setup.store].items():
                faults += [kind] * times
            rng = random.Random(f"{seed} {setup} {place}")
            rng.shuffle(faults)
            faults.sort(key=lambda kind: kind in DATABASE)
            plan.append(Part(len(plan), setup, faults))
    return plan


async def run_part(part: Part, tables: int, seed: int, progress: Progress, bar: Any) -> dict[str, Any]:
    """Play while the faults of a part happen; return what was seen and what was wrong."""
    rng, began, done = random.Random(f"{seed} {part.number}"), time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        house = FaultyHouse(part.setup, Path(name), rng)
        try:
            await asyncio.to_thread(house.open)
            engine = house.engine()

            def last_number(table: str) -> int:
                query = select(func.max(schema.events.c.number)).where(schema.events.c.table_id == table)
                for left in reversed(range(100)):
                    try:
                        with engine.connect() as connection:
                            return int(connection.execute(query).scalar() or 0)
                    except SQLAlchemyError:
                        if not left:
                            raise
                        time.sleep(0.1)
                return 0

            await wait_for_games(house.port)
            players = Players(house.port, tables, rng, last_number)
            await players.sit_down()
            for kind in part.faults:
                await asyncio.sleep(rng.uniform(*WAITS))
                players.hurry_some(BURST)
                await asyncio.sleep(rng.random() * 0.03)
                done[kind] += await house.inject(kind)
                progress.advance(bar)
            await house.wait_for_database(time.monotonic())
            await players.end()
            await asyncio.to_thread(house.stop_servers)
            wrong = judge(engine, players.notes, house.away)
            engine.dispose()
            house.log.flush()
            text = (house.folder / "log").read_text(errors="replace")
        finally:
            await asyncio.to_thread(house.stop_servers)
            await asyncio.to_thread(house.close)
    notes = players.notes
    return {
        "part": part.number,
        "setup": str(part.setup),
        "seed": seed,
        "tables": tables,
        "planned": len(part.faults),
        "faults": done,
        "done": len(notes.done),
        "repeated": notes.repeated,
        "refused": Counter(sent.reason for sent in notes.refused),
        "failed": Counter(why for *_, why in notes.failed),
        "errors": len(errors := ERROR.findall(text)),
        "log": errors[:20],
        "seconds": round(time.monotonic() - began),
        "wrong": {what: found[:20] for what, found in wrong.items() if found},
    }


def report(results: list[dict[str, Any]]) -> int:
    """Print all results; return 1 if anything was wrong."""
    faults, done = Counter[str](), 0
    for result in results:
        faults += Counter(result["faults"])
        done += result["done"]
        print(f"part {result['part']}, {result['setup']}, {result['seconds']} s: {dict(result['faults'])}")
        print(f"  {result['done']} acknowledged, {result['repeated']} not answered and repeated")
        print(f"  refused {dict(result['refused'])}, failed {dict(result['failed'])}, {result['errors']} errors logged")
        for line in dict.fromkeys(result["log"]):
            print(f"    {line}")
        for what, found in result["wrong"].items():
            print(f"  WRONG: {what}: {len(found)}")
            for one in found[:5]:
                print(f"    {one}")
    kills = sum(times for kind, times in faults.items() if kind.startswith("kill_")) - faults["kill_web"]
    print(f"{sum(faults.values())} faults: {dict(faults)}")
    print(f"{faults['kill_web']} kills of web processes, {kills} of bots, workers and databases")
    print(f"{done} acknowledged; wrong: {dict(Counter(what for result in results for what in result['wrong']))}")
    return 1 if any(result["wrong"] for result in results) else 0


def main() -> None:
    """Run all parts that are not done yet, and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=int, default=200, help="kills of web processes")
    parser.add_argument("--others", type=int, default=800, help="kills of processes of bots, workers and databases")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--setups", type=int, nargs="+", default=[0, 1, 2], help="0 SQLite, 1 and 2 PostgreSQL")
    parser.add_argument("--state", type=Path, default=Path("faults.jsonl"))
    parser.add_argument("--resume", action="store_true", help="go on after the parts in the state file")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is stopped first
    plan = make_plan([SETUPS[number] for number in given.setups], given.web, given.others, given.seed)
    results: list[dict[str, Any]] = []
    if given.resume and given.state.exists():
        results = [json.loads(line) for line in given.state.read_text().splitlines()]
        results = [result for result in results if result["seed"] == given.seed and result["tables"] == given.tables]
    else:
        given.state.write_text("")
    finished = {result["part"] for result in results}
    print(f"{time.strftime('%Y-%m-%d')}, {' '.join(sys.argv[1:])}: {len(plan)} parts, {len(finished)} done before")
    with Progress() as progress:
        bar = progress.add_task("faults", total=sum(len(part.faults) for part in plan))
        for part in plan:
            if part.number in finished:
                progress.advance(bar, len(part.faults))
                continue
            results.append(asyncio.run(run_part(part, given.tables, given.seed, progress, bar)))
            with given.state.open("a") as file:
                file.write(json.dumps(results[-1]) + "\n")
    sys.exit(report(results))


if __name__ == "__main__":
    main()
