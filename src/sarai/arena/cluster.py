"""Deals played on a Ray cluster. A deal depends on the match and its number alone, not on the machine that plays it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Sequence
from typing import Any

from sarai.arena.deals import WARM_UP, Deal, attempt
from sarai.arena.errors import ArenaError
from sarai.arena.match_settings import Match

CONNECT_SECONDS = 5.0
HTTP2_SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # an empty frame of settings
QUEUED = 2  # deals for every processor of the cluster, so that none waits for the next


def play_on_cluster(
    match: Match, deals: Sequence[int], address: str, keep_moves: bool = False, ready: Callable[[], None] = lambda: None
) -> Generator[Deal, None, None]:
    """Play deals on the cluster at an address; yield each when it is over, in no order. Closing it stops the tasks."""
    ray = connect(address)
    try:
        # A deal may be played again elsewhere when a machine is lost: its results are the same.
        task = ray.remote(num_cpus=1, max_retries=3)(attempt)
        fetch(ray, task.remote(match, WARM_UP, keep_moves))
        ready()
        left = iter(deals)
        running: list[Any] = []
        while True:
            room = QUEUED * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(running)
            running += [task.remote(match, deal, keep_moves) for _, deal in zip(range(room), left, strict=False)]
            if not running:
                return
            over, running = ray.wait(running)
            for one in over:
                if (deal := fetch(ray, one)) is not None:
                    yield deal
    finally:
        ray.shutdown()


def fetch(ray: Any, one: Any) -> Deal | None:
    """Return what a task returned, or raise its error."""
    try:
        answer: Deal | Exception | None = ray.get(one)
    except ray.exceptions.RayError as error:  # the cluster's own: errors in a deal are returned as values
        raise ArenaError("cluster_failed", why=first_line(error)) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def connect(address: str) -> Any:
    """Connect to a cluster, and return Ray itself."""
    os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # to reach a cluster; read when Ray is imported
    try:
        import ray
    except ImportError:
        raise ArenaError("no_ray") from None
    try:
        check_address(address)
        ray.init(address=address, logging_level="ERROR", log_to_driver=False, configure_logging=True)
    except OSError as error:
        raise ArenaError("cluster_unreachable", address=address, why=error.strerror or first_line(error)) from None
    except (RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise ArenaError("cluster_unreachable", address=address, why=first_line(error)) from None
    return ray


def first_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def check_address(address: str) -> None:
    """Fail at once where no cluster listens; Ray itself would try for minutes.

    A server that speaks gRPC, as Ray does, answers the preface of HTTP/2 with a frame of settings; others do not.
    """
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise ValueError("an address is HOST:PORT")
    with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS) as connection:
        if os.environ.get("RAY_USE_TLS", "0") == "0":
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HTTP2_SETTINGS)
            if connection.recv(len(HTTP2_SETTINGS))[3:4] != HTTP2_SETTINGS[3:4]:
                raise ValueError("something else listens there")
