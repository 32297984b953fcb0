"""Send a house a million inputs that nobody should send, and judge that it stands: no 5xx, no traceback, no change.

`python benchmarks/fuzz.py --inputs 1000000 --seed 1` calls the app directly (routes, commands, forms, headers,
cookies), writes to a socket of its server, and reads texts and records; it prints what it did and ends with 1 if
anything is wrong. After every input that was refused not a row of the database may have changed; every thousand inputs
the tables in memory are compared with their logs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import multiprocessing
import random
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from rich.progress import Progress

sys.path += [str(Path(__file__).parents[1] / "tests")]

from fuzz_house import HOST, Answer, Target, open_target
from fuzz_inputs import METHODS, Draw
from fuzz_texts import Texts
from sarai.core.registry import game_ids
from sarai.web.app import routes
from sarai.web.connection_limits import server_config

KINDS = {"command": 38, "form": 12, "route": 27, "body": 10, "text": 12, "socket": 0.1}  # shares of all inputs
RENEWAL = 60  # inputs after which a table is replaced
COMPARISON = 1000  # inputs after which memory is compared with the logs
BUNDLE = 20  # requests that are written to sockets at the same time
SILENCE = 0.05  # seconds after which a socket is not read any further
MOST_PROBLEMS = 20  # after which it ends
SLOW = 1.0  # processor seconds that no answer may take


class Request(NamedTuple):
    """A request to the app."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    leaves: bool = False


class Complaints(logging.Handler):
    """Keeps what is logged as an error, or with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, if it says that something is wrong."""
        if record.levelno >= logging.ERROR or record.exc_info or record.name == "py.warnings":
            self.kept.append(logging.Formatter().format(record))


class Fuzz:
    """One run: draws inputs, sends them, judges what came of each."""

    def __init__(self, target: Target, texts: Texts, seed: str) -> None:
        self.target, self.texts, self.seed = target, texts, seed
        self.patterns = [(route.path, sorted(route.methods or METHODS[:1])) for route in routes(target.site)]
        self.done: Counter[str] = Counter()
        self.problems: list[str] = []
        self.slowest: list[tuple[float, str]] = []
        self.log = Complaints()
        logging.getLogger().addHandler(self.log)
        logging.captureWarnings(True)

    async def run(self, inputs: int, on_progress: Callable[[int], None]) -> None:
        """Send inputs until there were enough of them or too much is wrong."""
        self.server = server = uvicorn.Server(server_config(self.target.app))
        opened = socket.create_server((HOST, 0))
        self.port = opened.getsockname()[1]
        serving = asyncio.create_task(server.serve(sockets=[opened]))
        while not server.started:
            await asyncio.sleep(0.01)
        number = 0
        while number < inputs and len(self.problems) < MOST_PROBLEMS:
            draw = Draw(random.Random(f"{self.seed} {number}"))
            kind = draw.rng.choices(list(KINDS), list(KINDS.values()))[0]
            sent = await self.send(kind, draw)
            self.done[f"{kind} inputs"] += sent
            before, number = number, number + sent
            if number // RENEWAL > before // RENEWAL:
                await self.target.renew(number // RENEWAL)
            if number // COMPARISON > before // COMPARISON or number >= inputs:
                self.problems += [f"memory differs from the log: {one}" for one in await self.target.differing()]
            if number // 100 > before // 100:
                on_progress(number)
        self.done["inputs"] = number
        server.should_exit = True
        await serving

    async def send(self, kind: str, draw: Draw) -> int:
        """Send one input of a kind, a bundle for sockets; return how many it were."""
        while self.target.is_busy():  # with what somebody asked for who has hung up
            await asyncio.sleep(0)
        before, sent = self.target.changes.count(), ""
        try:
            if kind == "text":
                sent, is_refusal = "a text", True
                self.done[self.texts.read_one(draw)] += 1
            elif kind == "socket":
                requests = [self.raw(draw) for _ in range(BUNDLE)]
                sent = repr(requests)
                is_refusal = await self.write_all(requests)
            else:
                request = await self.request(kind, draw)
                sent = repr(request)
                is_refusal = self.judge(request, await self.target.call(*request[:4], leaves=request.leaves))
            if not is_refusal:
                await self.target.settle()
            elif changed := self.target.changes.since(before):
                self.wrong(f"refused, but changed {', '.join(changed)}", sent)
        except Exception:
            self.wrong(traceback.format_exc(), sent)
        if self.log.kept:
            self.wrong("logged: " + "\n".join(self.log.kept), sent)
            self.log.kept.clear()
        return BUNDLE if kind == "socket" else 1

    def judge(self, request: Request, answer: Answer) -> bool:
        """Judge an answer by itself; say whether it is a refusal."""
        reason = ""
        if answer.is_refusal and answer.headers.get("content-type") == "application/json" and request.method != "HEAD":
            reason = " " + json.loads(answer.body)["reason"]
        self.done[f"answer {answer.status}{reason}"] += 1
        if answer.status >= 500:
            self.wrong(f"answered {answer.status}{reason}", repr(request))
        if answer.seconds > SLOW:
            self.wrong(f"took {answer.seconds:.1f} s", repr(request))
        self.slowest = sorted([*self.slowest, (answer.seconds, f"{request.method} {request.target[:60]}")])[-3:]
        return answer.is_refusal

    def wrong(self, what: str, sent: str) -> None:
        """Note a problem, once for each kind of it."""
        self.problems.append(f"{what}\n  {sent[:3000]}")

    # --- drawing requests -------------------------------------------------------------------------------------------

    async def request(self, kind: str, draw: Draw) -> Request:
        """Draw a request to the app."""
        who = draw.rng.choice(list(self.target.people))
        table = draw.rng.choice(list(self.target.tables.values()))
        headers = {"host": HOST, "cookie": self.target.people[who]}
        if draw.chance() < 0.1:
            headers["cookie"] = draw.rng.choice(("", draw.changed_text(headers["cookie"]), "sarai=" + "A" * 66))
        query, leaves = draw.query().decode(), draw.chance() < 0.01
        if kind == "command":
            method, path, body = "POST", f"/api/tables/{table}/act", await self.action(draw, table, who)
            headers["content-type"] = "application/json"
        elif kind == "form":
            method, path = "POST", f"/tables/{table}/act"
            command = await self.command(draw, table, who)
            number = (await self.target.house.table(table)).number
            fields = command | ({"number": number} if draw.chance() < 0.7 else {})
            body = draw.form(draw.changed(fields) if draw.chance() < 0.4 else fields)
            headers["content-type"] = "application/x-www-form-urlencoded"
        else:
            method, path, body = self.route(draw, table, headers, is_right=kind == "body")
        if draw.chance() < 0.5:
            headers |= draw.headers()
        target = f"{path}?{query}" if query else path
        return Request(method, target, headers, body, leaves)

    def route(self, draw: Draw, table: str, headers: dict[str, str], is_right: bool) -> tuple[str, str, bytes]:
        """Draw a request for any route; with the method and the kind of body it wants, if it is to be `is_right`."""
        pattern, methods = draw.rng.choice(self.patterns)
        if is_right:
            while "POST" not in methods:
                pattern, methods = draw.rng.choice(self.patterns)
        method = draw.rng.choice(methods) if is_right or draw.chance() < 0.8 else draw.rng.choice(METHODS)
        known = {"{id}": table, "{game}": draw.rng.choice(game_ids()), "{name}": "site.css", "{token}": "a" * 32}
        path = pattern
        for name, value in known.items():
            if name in path:
                path = path.replace(name, draw.path_part(value))
        if method in ("GET", "HEAD", "OPTIONS"):
            return method, path, b""
        wanted = draw.body_of(f"{method} {pattern}")
        if pattern.startswith("/api/"):
            headers["content-type"] = "application/json"
            data = draw.value() if wanted is None else draw.changed(wanted) if draw.chance() < 0.7 else wanted
            return method, path, draw.json(data)
        headers["content-type"] = "application/x-www-form-urlencoded"
        return method, path, draw.form(draw.some_fields())

    async def action(self, draw: Draw, table: str, who: str) -> bytes:
        """Draw the body of a command in JSON: right, or changed somewhere."""
        action: dict[str, Any] = {"command": await self.command(draw, table, who)}
        if draw.chance() < 0.5:
            action["key"] = draw.text() if draw.chance() < 0.3 else str(draw.rng.randrange(50))
        if draw.chance() < 0.5:
            action["number"] = (await self.target.house.table(table)).number - draw.rng.choice((0, 0, 0, 1, 5))
        return draw.json(action) if draw.chance() < 0.4 else draw.json(draw.changed(action))

    async def command(self, draw: Draw, table_id: str, who: str) -> dict[str, Any]:
        """Draw a command that could be right for a person at a table."""
        table = await self.target.house.table(table_id)
        seat = next((number for number, chair in enumerate(table.seats) if chair.name == who), None)
        moves = table.state.legal(seat) if table.state is not None and seat in table.to_act else []

        def value_of(name: str, kind: Any) -> Any:
            if name == "move" and moves and draw.chance() < 0.8:
                return draw.rng.choice(moves)
            if name == "question" and table.take_back is not None and draw.chance() < 0.8:
                return table.take_back.number
            return draw.plausible(name, kind)

        return draw.command(value_of)

    # --- sockets ----------------------------------------------------------------------------------------------------

    def raw(self, draw: Draw) -> bytes:
        """Draw bytes for a socket."""
        table = draw.rng.choice(list(self.target.tables.values()))
        headers = {"host": HOST, "cookie": draw.rng.choice(list(self.target.people.values()))}
        method, path, body = self.route(draw, table, headers, is_right=draw.chance() < 0.5)
        return draw.raw_request(method, path, headers | (draw.headers() if draw.chance() < 0.3 else {}), body)

    async def write_all(self, requests: list[bytes]) -> bool:
        """Write requests to sockets, each to its own; say whether all were refused."""
        refused = await asyncio.gather(*map(self.write, requests))
        while self.server.server_state.connections or self.server.server_state.tasks:
            await asyncio.sleep(0.001)  # what nobody waits for any longer is still done
        return all(refused)

    async def write(self, request: bytes) -> bool:
        """Write a request to a socket, and read what comes; say whether it was refused."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        answered = b""
        try:
            writer.write(request)
            writer.write_eof()
            while chunk := await asyncio.wait_for(reader.read(1 << 16), SILENCE):
                answered += chunk
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.close()
        statuses = [int(part[:3]) for part in answered.split(b"HTTP/1.1 ")[1:] if part[:3].isdigit()]
        for status in statuses:
            self.done[f"socket answer {status}"] += 1
            if status >= 500:
                self.wrong(f"answered {status} to a socket", repr(request))
        return bool(statuses) and all(status >= 400 for status in statuses)


def run(inputs: int, seed: str, on_progress: Callable[[int], None]) -> tuple[Counter[str], list[str], list[Any]]:
    """Attack a house of one's own; return what was done, what was wrong, and what took longest."""

    async def go() -> Fuzz:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
            async with open_target(Path(folder), random.Random(seed)) as target:
                fuzz = Fuzz(target, Texts(seed), seed)
                await fuzz.run(inputs, on_progress)
                return fuzz

    fuzz = asyncio.run(go())
    return fuzz.done, fuzz.problems, fuzz.slowest


def run_part(inputs: int, seed: str, counter: Any, results: Any) -> None:
    """Attack in a process of its own."""

    def on_progress(number: int) -> None:
        counter.value = number

    results.put(run(inputs, seed, on_progress))


def main() -> None:
    """Attack, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="each attacks a house of its own")
    given = parser.parse_args()
    print(f"{time.strftime('%Y-%m-%d')}, seed {given.seed}, {given.inputs:,} inputs, {given.processes} processes")
    context, began = multiprocessing.get_context("spawn"), time.perf_counter()
    results, parts = context.Queue(), []
    for number in range(given.processes):
        share = given.inputs // given.processes + (number < given.inputs % given.processes)
        counter = context.Value("q", 0, lock=False)
        process = context.Process(target=run_part, args=(share, f"{given.seed} {number}", counter, results))
        parts.append((process, counter))
        process.start()
    found: list[Any] = []
    with Progress() as progress:
        bar = progress.add_task("inputs", total=given.inputs)
        while len(found) < len(parts):
            progress.update(bar, completed=sum(counter.value for _, counter in parts))
            if not results.empty():
                found.append(results.get())
            elif any(process.exitcode for process, _ in parts):
                sys.exit("a process ended by itself")
            time.sleep(0.2)
    done, problems, slowest = Counter[str](), list[str](), []
    for part_done, part_problems, part_slowest in found:
        done += part_done
        problems += part_problems
        slowest += part_slowest
    passed = time.perf_counter() - began
    total = done.pop("inputs")
    print(f"{total:,} inputs in {passed:.0f} s, {total / passed:.0f} a second")
    for what, times in sorted(done.items()):
        print(f"{times:9,} {what}")
    for seconds, what in sorted(slowest)[-3:]:
        print(f"slowest: {1000 * seconds:.0f} ms {what}")
    print(f"{len(problems)} problems")
    for problem in problems[:MOST_PROBLEMS]:
        print("-", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
