"""Workers: processes that serve one socket are started, started again when they die, and ended together."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import httpx
import psutil
import pytest

from sarai.core.errors import Error
from sarai.core.processor_affinity import processors
from sarai.table.refusals import Refused
from sarai.table.storage.failures import StorageFailed
from sarai.web.connection_routing import home_of
from sarai.web.serve import ServeSettings, require_shared, with_database
from sarai.web.workers import FIRST_PAUSE, HEALTHY, LONGEST_PAUSE, Place, WorkerProcess, share_of

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.program

# A program that is started by `Supervisor` as its own workers: they answer with their number, and are quick to start.
WORKERS = """
import os, socket, sys, time
from sarai.web import workers

place = workers.Place.of_this_process()
workers.is_all_compiled = lambda: os.path.exists(sys.argv[2])
if place is None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        print("port", opened.getsockname()[1], flush=True)
        opens = lambda: print("open", flush=True)
        sys.exit(workers.Supervisor([[opened]] * 3, opens).run())
if sys.argv[1] == "fails":
    sys.exit(2)
opened = socket.socket(fileno=int(os.environ[workers.SOCKETS]))
opened.settimeout(0.05)
place.tell_ready()
while not place.is_orphan:
    try:
        connection, _ = opened.accept()
    except TimeoutError:
        continue
    with connection:
        connection.sendall(f"{place.number} {os.getpid()}".encode())
        time.sleep(0.02)
"""


@contextlib.contextmanager
def supervised(marker, mode="serves"):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", WORKERS, mode, str(marker)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process, int(process.stdout.readline().split()[1])
        finally:
            process.kill()


def ask(port):
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        worker, process = connection.recv(100).split()
    return int(worker), int(process)


def answering(port, wanted):
    """Return the processes of the workers when as many as wanted have answered."""
    found, until = {}, time.monotonic() + 60
    while len(found) < wanted:
        assert time.monotonic() < until, found
        worker, process = ask(port)
        found[worker] = process
    return found


def gone(processes):
    until = time.monotonic() + 60
    while any(map(psutil.pid_exists, processes)):
        assert time.monotonic() < until
        time.sleep(0.02)
    return True


def test_workers_are_started_when_all_is_compiled_again_when_they_die_and_end_together(tmp_path):
    marker = tmp_path / "compiled"
    with supervised(marker) as (supervisor, port):
        assert supervisor.stdout.readline() == "open\n"
        (first,) = {ask(port) for _ in range(20)}
        assert first[0] == 0, "one alone, as long as games are not compiled"
        marker.touch()
        before = answering(port, 3)
        assert before[0] == first[1] and len(set(before.values())) == 3
        os.kill(before[1], signal.SIGKILL)
        while (after := answering(port, 3))[1] == before[1]:
            pass
        assert {after[0], after[2]} == {before[0], before[2]}
        supervisor.terminate()
        assert supervisor.wait(60) == 0 and gone(after.values())


class Ended:
    def poll(self):
        return -9


def test_a_worker_that_has_served_is_started_again_at_once_however_often_that_is(monkeypatch):
    """Once a third kill within half a minute each time made it wait for ten seconds."""
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    worker = WorkerProcess(1, [])
    for _ in range(20):
        worker.process, worker.serving_since = Ended(), now
        now += HEALTHY + 1
        assert worker.ended() == -9 and worker.not_before - now == pytest.approx(FIRST_PAUSE)
    pauses = []
    for _ in range(9):  # one that does not come to serve
        worker.process, worker.serving_since = Ended(), None
        now += 60
        assert worker.ended() == -9
        pauses.append(worker.not_before - now)
    assert pauses == sorted(pauses) and pauses[-1] == LONGEST_PAUSE
    worker.process, worker.serving_since = Ended(), now
    now += HEALTHY + 1
    assert worker.ended() == -9 and worker.not_before - now == pytest.approx(FIRST_PAUSE)


def test_workers_end_when_who_started_them_is_killed_and_none_serves_if_the_first_cannot(tmp_path):
    (tmp_path / "compiled").touch()
    with supervised(tmp_path / "compiled") as (supervisor, port):
        workers = answering(port, 3)
        supervisor.kill()
        supervisor.wait(60)
        assert gone(workers.values())
    with supervised(tmp_path / "compiled", "fails") as (supervisor, _):
        assert supervisor.wait(60) == 2


def test_processes_that_think_are_divided_and_a_place_is_told_once(monkeypatch):
    for total, workers in ((4, 2), (5, 3), (1, 4), (0, 2)):
        shares = [share_of(total, workers, number) for number in range(workers)]
        assert sum(shares) == total and max(shares) - min(shares) <= 1
    reading, writing = os.pipe()
    monkeypatch.setenv("SARAI_WORKER", f"2,{os.getppid()},{writing},1")
    place = Place.of_this_process()
    assert place.number == 2 and place.is_later and not place.is_orphan
    place.tell_ready()
    assert os.read(reading, 9) == b"."
    assert Place.of_this_process() == place._replace(ready=-1), "also if it replaces itself"
    os.close(reading)


def test_a_worker_waits_for_a_database_that_was_there_and_the_first_one_says_that_it_is_missing(monkeypatch):
    """Outages that followed each other faster than a process starts once left nobody to serve."""
    monkeypatch.setattr("sarai.web.serve.DATABASE_SECONDS", 0.0)
    failures = [Error("no_database", url="", why=""), StorageFailed("database_away"), StorageFailed("database_busy")]

    async def open_house():
        if left:
            raise left.pop()
        return "open"

    for place in (None, Place(0, os.getppid(), -1, 0), Place(0, 1, -1, 1)):  # a server, a first worker, an orphan
        left = failures.copy()
        with pytest.raises(Error):
            asyncio.run(with_database(place, open_house))
    left = failures.copy()
    assert asyncio.run(with_database(Place(0, os.getppid(), -1, 1), open_house)) == "open" and not left


@pytest.mark.parametrize("settings", [ServeSettings(workers=2), ServeSettings(bots=0)])
def test_a_file_has_one_server_and_it_thinks_itself(settings):
    with pytest.raises(Refused) as error:
        require_shared(settings, "sqlite:///house.db")
    assert error.value.key == "workers_need_postgresql"
    require_shared(settings, "postgresql://house")


# --- the house itself, on a real PostgreSQL ---------------------------------------------------------------------------

# `sarai serve` and its workers with quick bots, which load one game only
HOUSE = """
from quick_bots import QuickBots
from sarai.cli import main
from sarai.web import serve

class NoProcesses(QuickBots):
    def __init__(self, *_, **__): pass
    def start(self): pass
    async def close(self): pass

async def load_one(house):
    await house.games.prepare_ahead("sixnimmt")

serve.BotPool, serve.load_all, serve.FIRST_CHOICE = NoProcesses, load_one, 1e6
main()
"""


@pytest.fixture(scope="module")
def house(postgres):
    postgres.psql("CREATE DATABASE workers")
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    url = postgres.get_uri(database="workers")
    command = ["serve", "--no-browser", "--port", "0", "--workers", "2", "--bot-pause", "0", "--db", url]
    with subprocess.Popen(
        [sys.executable, "-c", HOUSE, *command],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline())[0]
            yield process, address
        finally:
            process.terminate()
            assert process.wait(60) == 0


class Player:
    """Somebody who opens a connection for each request, so that any worker may answer."""

    def __init__(self, address, name):
        self.address, self.cookies, self.refused = address, None, []
        self.cookies = self.ask("POST", "/api/me", {"name": name}).cookies

    def ask(self, method, path, body=None):
        while True:
            try:
                with httpx.Client(base_url=self.address, cookies=self.cookies, timeout=30) as http:
                    return http.request(method, path, json=body, headers={"origin": self.address})
            except httpx.TransportError:  # a worker was killed
                time.sleep(0.02)

    def act(self, table, command, key, number=None):
        answer = self.ask("POST", f"/api/tables/{table}/act", {"command": command, "key": key, "number": number})
        if answer.status_code != 200:
            self.refused.append((command["type"], answer.json()["reason"]))
        return answer


def workers_of(process):
    found = []
    for child in psutil.Process(process.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # killed, and not noted yet
            if "serve" in child.cmdline():
                found.append(child)
    return found


def play(house, process, kills):
    """Play a game between two people and a bot over new connections; return what was refused."""
    ada, bat = Player(house, "Ada"), Player(house, "Bat")
    keys = map(str, count())
    table = ada.ask("POST", "/api/tables", {"game": "sixnimmt", "players": 3, "options": {"rounds": 1}}).json()["id"]
    ada.act(table, {"type": "Sit"}, next(keys))
    bat.act(table, {"type": "Sit"}, next(keys))
    ada.act(table, {"type": "AddBot", "level": "random"}, next(keys))
    ada.act(table, {"type": "Start"}, next(keys))
    moves, until = 0, time.monotonic() + 100
    while (seen := ada.ask("GET", f"/api/tables/{table}").json())["phase"] != "over":
        assert time.monotonic() < until, seen
        for person in (ada, bat):
            seen = person.ask("GET", f"/api/tables/{table}").json()
            if seen["moves"]:
                key = f"move at {seen['number']}"
                answer = person.act(table, {"type": "Move", "move": seen["moves"][0]}, key, seen["number"])
                again = person.ask(
                    "POST",
                    f"/api/tables/{table}/act",
                    {"command": {"type": "Move", "move": seen["moves"][0]}, "key": key, "number": seen["number"]},
                )
                if answer.status_code == 200:
                    assert again.json() == answer.json(), "the same key at any process"
                    moves += 1
                    if moves in kills:
                        workers_of(process)[0].kill()
    assert moves >= 10
    return ada.refused + bat.refused


def test_games_are_played_through_two_workers_and_nothing_is_refused_wrongly(house):
    process, address = house
    assert [why for why in play(address, process, ()) if why[1] != "stale"] == []


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no processor affinity")
def test_the_event_loop_of_a_worker_stays_on_a_processor_if_there_is_a_worker_for_each(house):
    process, _ = house
    while len(workers := workers_of(process)) < 2:
        time.sleep(0.05)
    everything, until = os.sched_getaffinity(0), time.monotonic() + 60
    while not all(worker.net_connections("tcp") for worker in workers):  # they have come to serve
        assert time.monotonic() < until
        time.sleep(0.05)
    loops = {frozenset(os.sched_getaffinity(worker.pid)) for worker in workers}
    assert loops == ({frozenset({one}) for one in everything} if len(everything) == 2 else {frozenset(everything)})
    assert os.sched_getaffinity(process.pid) == everything, "who starts them is not kept anywhere"


def test_a_worker_is_killed_in_the_middle_of_a_game(house):
    process, address = house
    while len(workers_of(process)) < 2:
        time.sleep(0.05)
    assert [why for why in play(address, process, (3, 6)) if why[1] != "stale"] == []


def holder_of(workers, connection):
    """Return the number of the worker that holds the other end of a connection."""
    own = connection.getsockname()
    for worker in workers:
        if any(one.raddr == own for one in worker.net_connections() if one.raddr):
            return int(worker.environ()["SARAI_WORKER"].split(",")[0])
    return None


def asked(stack, port, path):
    """Send a request on a connection of its own, which is kept; return the connection and how the answer begins."""
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: house\r\n\r\n".encode())
    return connection, connection.recv(100)


def test_streams_and_requests_of_a_table_end_up_in_one_process(house):
    process, address = house
    port, until = int(address.rpartition(":")[2]), time.monotonic() + 60
    made = Player(address, "Ada").ask("POST", "/api/tables", {"game": "sixnimmt", "players": 3}).json()["id"]
    homes = min(2, processors())
    tables = [next(id for n in count() if home_of(id := f"nobody{n:04}", homes) == home) for home in range(homes)]
    with contextlib.ExitStack() as stack:
        for table in tables:  # a worker that was killed has to come back first
            while True:
                connection, answer = asked(stack, port, f"/api/tables/{table}")
                assert b" 404 " in answer
                if holder_of(workers_of(process), connection) == home_of(table, homes):
                    break
                assert time.monotonic() < until
                time.sleep(0.2)
        for table in (*tables, made) * 3:
            path = f"/tables/{table}/stream" if table == made else f"/tables/{table}"
            connection, answer = asked(stack, port, path)
            assert (b" 200 " if table == made else b" 404 ") in answer
            assert holder_of(workers_of(process), connection) == home_of(table, homes)
