"""The same deals on a Ray cluster. A deal depends on the match and its number alone, so it comes out the same on whichever machine plays it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Sequence
from typing import Any

from sarai.arena.deals import WARM_UP, Deal, attempt
from sarai.arena.match import Match
from sarai.core.errors import Error

PATIENCE = 5.0  # seconds to wait for somebody at an address
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
AHEAD = 2  # deals that every processor of the cluster has before it, so that none waits for the next


def play_there(
    match: Match, deals: Sequence[int], address: str, keep_moves: bool = False, ready: Callable[[], None] = lambda: None
) -> Generator[Deal, None, None]:
    """Play deals on the cluster at an address; yield each as it is over, in no order. Whoever stops listening stops the tasks."""
    ray = connect(address)
    try:
        # A deal may be played again elsewhere when a machine is lost: it comes out the same.
        task = ray.remote(num_cpus=1, max_retries=3)(attempt)
        fetch(ray, task.remote(match, WARM_UP, keep_moves))
        ready()
        left = iter(deals)
        running: list[Any] = []
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(running)
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
    """Return what came of a task; its error is ours."""
    try:
        answer: Deal | Exception | None = ray.get(one)
    except ray.exceptions.RayError as error:  # the cluster's own: whatever goes wrong in a deal is returned as a value
        raise Error("cluster_failed", why=first_line(error)) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def connect(address: str) -> Any:
    """Connect to a cluster, and return Ray itself."""
    os.environ.setdefault(
        "RAY_NUM_REDIS_GET_RETRIES", "1"
    )  # how often Ray tries to reach a cluster, read when it is imported
    try:
        import ray
    except ImportError:
        raise Error("no_ray") from None
    try:
        knock(address)
        ray.init(address=address, logging_level="ERROR", log_to_driver=False, configure_logging=True)
    except OSError as error:
        raise Error("cluster_unreachable", address=address, why=error.strerror or first_line(error)) from None
    except (RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise Error("cluster_unreachable", address=address, why=first_line(error)) from None
    return ray


def first_line(error: Exception) -> str:
    """Return what an error says, the part that is for people."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def knock(address: str) -> None:
    """Fail at once where no cluster listens; Ray itself would try for minutes.

    Whoever speaks gRPC, as Ray does, answers the greeting of HTTP/2 with a frame of settings; Ray's own dashboard, for one, does not.
    """
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise ValueError("an address is HOST:PORT")
    with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line:
        if os.environ.get("RAY_USE_TLS", "0") == "0":
            line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SETTINGS)
            if line.recv(len(SETTINGS))[3:4] != SETTINGS[3:4]:
                raise ValueError("something else listens there")
