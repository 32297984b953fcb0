"""How long one waits for the first turn, and how much the house takes: on an empty cache, and when all is compiled.

Run it with `python benchmarks/first_turn.py`: for every game it starts `sarai serve` on an empty cache of its own, asks
for a game with bots as soon as the front page is there, and waits until it is the person's turn; then the same with all
games compiled. Memory is that of the whole house a minute after the last game was ready.
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import psutil

import sarai

PATIENCE = 600  # seconds for what takes one or two minutes
QUIET = 60  # seconds after which memory is measured


class House:
    """`sarai serve` on a folder of its own, and one person."""

    def __init__(self, folder: Path, cache: Path) -> None:
        environment = os.environ | {"SARAI_CACHE_DIR": str(cache), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", "from sarai.cli import main; main()"]
        command += ["serve", "--port", "0", "--data-dir", str(folder), "--no-browser"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.process = psutil.Process(self.server.pid)
        self.started = self.process.create_time()
        self.address = re.search(r"http://\S+", self.server.stdout.readline())[0]
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, body: object = None) -> object:
        """Return the answer to a request."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        with self.opener.open(request, timeout=60) as answer:
            read = answer.read()
        return json.loads(read) if path.startswith("/api/") else read

    def first_turns(self, game: str) -> tuple[float, float]:
        """Return the seconds from the click to the first turn, and from its end to the second, bots between."""
        self.ask("/")
        began = time.perf_counter()
        table = self.ask("/api/play", {"game": game})["id"]
        shown = self.wait_for_turn(table)
        first = time.perf_counter() - began
        command = {"type": "Move", "move": shown["moves"][0]}
        began = time.perf_counter()
        self.ask(f"/api/tables/{table}/act", {"command": command, "number": shown["number"]})
        self.wait_for_turn(table)
        return first, time.perf_counter() - began

    def wait_for_turn(self, table: str) -> dict:
        """Return a table when it is the person's turn."""
        while not (shown := self.ask(f"/api/tables/{table}"))["moves"]:
            time.sleep(0.02)
        return shown

    def processes(self) -> list[psutil.Process]:
        """Return all processes of the house."""
        return [self.process, *self.process.children(recursive=True)]

    def processor_seconds(self) -> float:
        """Return the processor seconds of all processes of the house so far, those that ended included."""
        total = 0.0
        for process in self.processes():
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
        return total

    def memory(self) -> float:
        """Return the memory of all processes in megabytes, what they share counted once."""
        return sum(process.memory_full_info().pss for process in self.processes()) / 1e6

    def wait_until_compiled(self, is_cold: bool) -> float:
        """Return the seconds until all games are compiled, and the server, replaced on an empty cache, uses them."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(0.5)
            is_ready = all(game["ready"] and game["prepared"] == [1, 1] for game in self.ask("/api/games"))
            if is_ready and (not is_cold or "SARAI_SOCKET" in self.process.environ()):
                return time.time() - self.started
        raise TimeoutError("the games were not compiled")

    def stop(self) -> None:
        """Close the house."""
        self.server.send_signal(signal.SIGINT)
        self.server.wait(30)


def measure(game: str, folder: Path, cache: Path, runs: int) -> list[float]:
    """Return the medians: seconds to the first turn and to the second, processor seconds until then, megabytes."""
    rows = []
    for run in range(runs):
        house = House(folder / f"{game}-{cache.name}-{run}", cache)
        rows.append((*house.first_turns(game), house.processor_seconds(), house.memory()))
        house.stop()
        if cache.name == "cold":
            shutil.rmtree(cache)
    return [statistics.median(column) for column in zip(*rows, strict=True)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="of which the median is printed")
    parser.add_argument("--games", nargs="*", default=list(sarai.game_ids()))
    parser.add_argument("--quiet", type=float, default=QUIET, help="seconds before memory is measured")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = House(folder / "compiling", folder / "warm")
        house.first_turns(arguments.games[0])
        compiled, work = house.wait_until_compiled(is_cold=True), house.processor_seconds()
        time.sleep(arguments.quiet)
        print(f"empty cache: all games compiled after {compiled:.0f} s ({work:.0f} processor seconds)")
        print(f"  memory {arguments.quiet:.0f} s later: {house.memory():.0f} MB in {len(house.processes())} processes")
        house.stop()
        print("game          cache   click to turn   bots, next turn   processor seconds     MB")
        for game in arguments.games:
            for cache in ("cold", "warm"):
                first, second, work, memory = measure(game, folder, folder / cache, arguments.runs)
                print(f"{game:13} {cache}  {first:13.1f} s {second:15.1f} s {work:19.1f} {memory:6.0f}", flush=True)
        house = House(folder / "loaded", folder / "warm")
        house.wait_until_compiled(is_cold=False)
        time.sleep(arguments.quiet)
        print(f"all compiled before: memory {house.memory():.0f} MB in {len(house.processes())} processes")
        house.stop()


if __name__ == "__main__":
    main()
