"""The arena on a Ray cluster: two nodes on this machine play the same match as two processes."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import sarai
from sarai.arena.cluster import knock

NODE = (
    "-m",
    "ray.scripts.scripts",
    "start",
    "--block",
    "--num-cpus=1",
    "--object-store-memory=80000000",
    "--node-ip-address=127.0.0.1",
)
COUNT = "import ray, sys; ray.init(address=sys.argv[1], logging_level='ERROR', log_to_driver=False); print(sum(node['Alive'] for node in ray.nodes()))"
MATCH = (
    "sixnimmt",
    "random",
    "novice",
    "--players",
    "3",
    "--games",
    "24",
    "--option",
    "rounds=2",
    "--seed",
    "4",
    "--json",
)


def environment(folder: Path) -> dict[str, str]:
    paths = [str(Path(sarai.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "XDG_STATE_HOME": str(folder),
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONPATH": os.pathsep.join(paths),
    }


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def cluster(folder: Path):
    """Start a head and a second node, wait until both are there, and stop them in the end."""
    address = f"127.0.0.1:{free_port()}"
    roles = [("--head", f"--port={address.rpartition(':')[2]}", "--include-dashboard=false"), (f"--address={address}",)]
    nodes: list[subprocess.Popen[bytes]] = []
    try:
        for number, role in enumerate(roles, 1):
            with (folder / f"node-{number}.log").open("wb") as log:
                nodes.append(
                    subprocess.Popen(
                        [sys.executable, *NODE, *role],
                        env=environment(folder),
                        stdout=log,
                        stderr=log,
                        stdin=subprocess.DEVNULL,
                    )
                )
            wait_for(lambda number=number: alive(address, folder) >= number, nodes)
        yield address
    finally:
        for node in reversed(nodes):
            node.terminate()
            node.wait(60)


def alive(address: str, folder: Path) -> int:
    """Return how many nodes of the cluster are there."""
    try:
        knock(address)
    except OSError:
        return 0
    done = subprocess.run(
        [sys.executable, "-c", COUNT, address],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return int(done.stdout) if done.returncode == 0 else 0


def wait_for(condition, nodes) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "the cluster does not start"
        assert all(node.poll() is None for node in nodes), "a node stopped"
        time.sleep(0.2)


def arena(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from sarai.cli import main; main()"
    command = [sys.executable, "-c", code, "arena", *MATCH, *arguments]
    return subprocess.run(command, env=environment(folder), capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.program
def test_a_cluster_of_two_nodes_gives_the_table_of_two_processes(tmp_path):
    with cluster(tmp_path) as address:
        there = arena(tmp_path, "--cluster", address)
        assert there.returncode == 0, there.stderr
    here = arena(tmp_path, "--jobs", "2")
    assert here.returncode == 0, here.stderr
    assert there.stdout == here.stdout != ""
    lost = arena(tmp_path, "--cluster", address)
    assert (lost.returncode, lost.stdout) == (2, "")
    assert lost.stderr == f"There is no Ray cluster at {address}: Connection refused.\n"


def test_an_address_is_checked():
    for address in ("auto", "localhost", "host:port", ":80", "localhost:99999", "ray"):
        with pytest.raises(ValueError, match="HOST:PORT"):
            knock(address)
    with pytest.raises(OSError):
        knock(f"127.0.0.1:{free_port()}")


def test_something_else_at_the_address_is_noticed():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            caller, _ = listener.accept()
            with caller:
                caller.recv(1000)
                caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ValueError, match="something else"):
            knock(f"127.0.0.1:{listener.getsockname()[1]}")
        thread.join()
