"""The server is killed with -9 again and again while people play: every move that it had answered is there."""

import asyncio
import threading
import time
from random import Random

import httpx
import pytest

from sarai.table.log import Moved
from sarai.table.storage.store import Store

ROUNDS = 50
TABLES, PLAYERS = 2, 2
pytestmark = pytest.mark.program


class Person(threading.Thread):
    """A person who plays the first legal move at every table until stopped, and remembers what was answered."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.http, self.label, self.tables, self.acknowledged, self.stopped = None, name, [], [], False
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
                with httpx.Client(base_url=self.address, cookies=self.cookies, timeout=10) as http:
                    while not self.stopped:
                        for table in self.tables:
                            self.play(http, table)
            except (httpx.TransportError, ValueError):  # the server is down: try again
                time.sleep(0.02)

    def play(self, http, table):
        seen = http.get(f"/api/tables/{table}")
        if seen.status_code == 200 and seen.json()["moves"]:
            move = seen.json()["moves"][0]
            answer = self.act(http, table, {"type": "Move", "move": move}, seen.json()["number"])
            if answer.status_code == 200:
                self.acknowledged.append((table, answer.json()["number"], move))


def test_fifty_rounds_of_kill_lose_nothing_that_was_answered(tmp_path, start_server):
    served, rng = start_server(tmp_path), Random(1)
    served.wait_for("sixnimmt")
    people = [Person(name) for name in ("Ada", "Bat")[:PLAYERS]]
    for person in people:
        person.join_house(served.address)
    with (
        httpx.Client(base_url=served.address, cookies=people[0].cookies) as host,
        httpx.Client(base_url=served.address, cookies=people[1].cookies) as guest,
    ):
        for _ in range(TABLES):
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
        until = time.monotonic() + 60
        while sum(len(person.acknowledged) for person in people) < before + 2:  # there is something to lose
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(rng.random() * 0.2)
        served.kill()
        progress.append(sum(len(person.acknowledged) for person in people) - before)
        served.start()
    for person in people:
        person.stopped = True
        person.join(20)

    async def logs():
        store = await Store.open(str(tmp_path / "sarai.db"))
        found = {table: {entry.number: entry.event for entry in await store.log(table)} for table in people[0].tables}
        await store.close()
        return found

    served.kill()
    found = asyncio.run(logs())
    for table, events in found.items():
        assert sorted(events) == list(range(1, len(events) + 1)), f"{table} has gaps"
    answered = [(table, number, move) for person in people for table, number, move in person.acknowledged]
    assert len(answered) >= 2 * ROUNDS
    assert all(gained >= 2 for gained in progress)
    lost = [
        one
        for one in answered
        if not any(isinstance(event, Moved) and event.move == one[2] for event in before_and_at(found[one[0]], one[1]))
    ]
    assert lost == []


def before_and_at(events, number):
    """Yield the events of one request, backwards from the number that was answered: chance may have followed a move."""
    while number in events:
        yield events[number]
        if isinstance(events[number], Moved):
            return
        number -= 1
