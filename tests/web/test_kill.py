"""The server is killed with -9 again and again while people play: every move that it had answered is there.

`make soak` does it five hundred times; `SARAI_KILLS` sets how often.
"""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import httpx
import pytest

from sarai.table.event_types import Moved
from sarai.table.storage.store import Store

ROUNDS = int(os.environ.get("SARAI_KILLS", "30"))
TABLES, PLAYERS = 2, 2  # tables at once
MOVES = 12  # that are made before a server is killed, at most
pytestmark = pytest.mark.program

# `sarai serve` as often as asked for, each time in a process of its own, forked from one that has imported everything
# and loaded the rules: to start from nothing takes seconds, thirty times. People play without bots.
FORKS = """
import os, sys
import aiosqlite, pydantic, uvloop
import sarai, sarai.cli.serve
from quick_bots import QuickBots
from sarai.cli import main
from sarai.core.kernels.warm import TO_PLAY, warm
from sarai.web import serve

class NoProcesses(QuickBots):
    def __init__(self, *_, **__): pass
    def start(self): pass
    async def close(self): pass

serve.BotPool = NoProcesses
list(warm(sarai.game("sixnimmt"), TO_PLAY))
for id in sarai.game_ids(): sarai.game(id).options
for line in sys.stdin:
    if not (process := os.fork()):
        sys.argv[1:], sys.stdin = line.split(), open(os.devnull)
        main()
    print("process", process, flush=True)
    os.waitpid(process, 0)
    print("ended", flush=True)
"""


class ForkingServer:
    """A server that can be killed and is started again at once, on the same data and port."""

    def __init__(self, folder):
        self.folder, self.port = folder, 0
        paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        self.parent = subprocess.Popen(
            [sys.executable, "-c", FORKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=os.environ | {"PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
        )

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        self.parent.communicate(timeout=60)

    def start(self):
        self.parent.stdin.write(f"serve --port {self.port} --data-dir {self.folder} --no-browser\n")
        said = {line.split()[0]: line for line in self.read_until("Tables")}
        self.process = int(said["process"].split()[1])
        self.address, self.port = re.search(r"(http://.*:(\d+))", said["Sarai"]).groups()

    def read_until(self, word):
        lines = [self.parent.stdout.readline()]
        while not lines[-1].startswith(word):
            assert lines[-1] and not lines[-1].startswith("ended"), lines
            lines.append(self.parent.stdout.readline())
        return lines

    def kill(self):
        os.kill(self.process, signal.SIGKILL)
        self.read_until("ended")


class Person(threading.Thread):
    """A player who makes the first legal move at some tables until told to stop, and remembers what was answered."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.label, self.tables, self.acknowledged, self.stopped = name, [], [], False
        self.cookies = httpx.Cookies()

    def join_house(self, address):
        self.address = address
        with httpx.Client(base_url=address) as http:
            assert http.post("/api/me", json={"name": self.label}, headers={"origin": address}).status_code == 201
            self.cookies = http.cookies

    def act(self, http, table, command, number=None):
        return http.post(
            f"/api/tables/{table}/act", json={"command": command, "number": number}, headers={"origin": self.address}
        )

    def run(self):
        while not self.stopped:
            try:
                with httpx.Client(base_url=self.address, cookies=self.cookies, timeout=10, verify=False) as http:
                    while not self.stopped:
                        for table in self.tables[:TABLES]:
                            self.play(http, table)
            except (httpx.TransportError, ValueError):  # nobody is there: try again
                time.sleep(0.02)

    def play(self, http, table):
        seen = http.get(f"/api/tables/{table}")
        if seen.status_code == 200 and seen.json()["phase"] == "over":
            self.tables.remove(table)
        elif seen.status_code == 200 and seen.json()["moves"]:
            move = seen.json()["moves"][0]
            answer = self.act(http, table, {"type": "Move", "move": move}, seen.json()["number"])
            if answer.status_code == 200:
                self.acknowledged.append((table, answer.json()["number"], move))


def test_many_rounds_of_kill_lose_nothing_that_was_answered(tmp_path):
    people = [Person(name) for name in ("Ada", "Bat")[:PLAYERS]]
    with ForkingServer(tmp_path) as served:
        progress = play_and_kill(served, people)
    found = asyncio.run(logs(tmp_path / "sarai.db"))
    for table, events in found.items():
        assert sorted(events) == list(range(1, len(events) + 1)), f"{table} has gaps"
    answered = [(table, number, move) for person in people for table, number, move in person.acknowledged]
    assert len(answered) >= 2 * ROUNDS
    assert len(progress) == ROUNDS and all(gained >= 2 for gained in progress)
    lost = [
        one
        for one in answered
        if not any(isinstance(event, Moved) and event.move == one[2] for event in before_and_at(found[one[0]], one[1]))
    ]
    assert lost == []


def play_and_kill(served, people):
    """Let people play while the server is killed and started again; return how many moves were answered each time."""
    rng = Random(1)
    for person in people:
        person.join_house(served.address)
    with (
        httpx.Client(base_url=served.address, cookies=people[0].cookies) as host,
        httpx.Client(base_url=served.address, cookies=people[1].cookies) as guest,
    ):
        for _ in range(max(TABLES, ROUNDS * MOVES // 1000)):
            made = host.post(
                "/api/tables",
                json={"game": "sixnimmt", "players": PLAYERS, "options": {"rounds": 50}},
                headers={"origin": served.address},
            )
            table = made.json()["id"]
            assert people[1].act(guest, table, {"type": "Sit"}).status_code == 200
            assert people[0].act(host, table, {"type": "Start"}).status_code == 200
            for person in people:
                person.tables.append(table)
    for person in people:
        person.start()
    progress = []
    for _ in range(ROUNDS):
        before = sum(len(person.acknowledged) for person in people)
        until, wanted = time.monotonic() + 60, rng.randint(2, MOVES)  # at least two, so that there is something to lose
        while sum(len(person.acknowledged) for person in people) < before + wanted:
            assert time.monotonic() < until
            time.sleep(0.001)
        time.sleep(rng.random() * 0.01)
        served.kill()
        progress.append(sum(len(person.acknowledged) for person in people) - before)
        served.start()
    for person in people:
        person.stopped = True
        person.join(20)
    return progress


async def logs(path):
    """Return the events of all tables by their numbers."""
    store = await Store.open(str(path))
    tables = [table for table, _ in await store.changed_since(0)]
    found = {table: {entry.number: entry.event for entry in await store.log(table)} for table in tables}
    await store.close()
    return found


def before_and_at(events, number):
    """Return the events of one request, the last one first: chance may have followed the move."""
    while number in events:
        yield events[number]
        if isinstance(events[number], Moved):
            return
        number -= 1
