"""Serving: the address, the port, what is printed, and that it stops when asked."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import uvicorn

from houses import opened, playing, run
from sarai.core.processor_affinity import stay_on_processor
from sarai.table.refusals import Refused
from sarai.web import serve
from sarai.web.serve import (
    USUAL_PORT,
    ServeSettings,
    has_desktop,
    inherited_sockets,
    listen,
    listen_all,
    load_played,
    replace_process,
    url_of,
)

SERVE = [sys.executable, "-c", "from sarai.cli import main; main()", "serve", "--no-browser"]


def test_a_port_that_was_asked_for_and_is_taken_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Refused) as error:
        listen("127.0.0.1", taken.getsockname()[1])
    assert error.value.key == "port_taken"
    with pytest.raises(Refused) as error:
        listen("203.0.113.1", 8080)
    assert error.value.key == "cannot_listen"


def test_otherwise_the_next_free_port_is_taken():
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        ports = [opened.getsockname()[1] for opened in (first, second)]
        assert ports[0] >= USUAL_PORT and ports[1] > ports[0]
        assert url_of(first) == f"http://127.0.0.1:{ports[0]}"
    with listen("0.0.0.0", 0) as everywhere:
        assert url_of(everywhere).startswith("http://localhost:")


def test_a_browser_is_opened_only_where_somebody_sees_it(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_desktop()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_desktop()


def test_a_server_that_replaces_itself_keeps_its_sockets_that_for_metrics_too(monkeypatch):
    def nobody(*_):
        raise ChildProcessError

    started = []
    monkeypatch.setattr(os, "execve", lambda *command: started.append(command))
    monkeypatch.setattr(os, "waitpid", nobody)
    opened = listen_all(ServeSettings(host="127.0.0.1", port=0, metrics_port=0))
    places = [one.getsockname() for one in opened]
    assert {host for host, _ in places} == {"127.0.0.1"} and len(set(places)) == 2
    replace_process(opened)
    (_, _, environment) = started[0]
    assert all(one.get_inheritable() for one in opened)
    monkeypatch.setenv("SARAI_SOCKET", environment["SARAI_SOCKET"])
    for one in opened:
        one.detach()
    inherited = inherited_sockets()
    assert [one.getsockname() for one in inherited] == places and not any(one.get_inheritable() for one in inherited)
    for one in inherited:
        one.close()
    assert inherited_sockets() == [], "once"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no processor affinity")
def test_a_server_that_replaces_itself_may_run_on_all_processors_again(monkeypatch):
    allowed = []
    monkeypatch.setattr(os, "execve", lambda *_: allowed.append(os.sched_getaffinity(0)))

    def replace():
        stay_on_processor(0)
        replace_process([])

    with ThreadPoolExecutor(1) as thread:
        thread.submit(replace).result(60)
    assert allowed == [os.sched_getaffinity(0)]


def test_metrics_are_served_at_this_machine_whatever_the_host_is():
    opened = listen_all(ServeSettings(host="0.0.0.0", port=0, metrics_port=0))
    assert [one.getsockname()[0] for one in opened] == ["0.0.0.0", "127.0.0.1"]
    taken = opened[1].getsockname()[1]
    with pytest.raises(Refused) as error:
        listen_all(ServeSettings(port=0, metrics_port=taken))
    assert error.value.key == "port_taken"
    for one in opened:
        one.close()


@run
async def test_a_server_that_comes_back_loads_what_is_played_before_it_answers(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        id, _, _ = await playing(house)
        await house.store.writer.drain()
    async with opened(tmp_path / "house.db") as house:
        await load_played(house)
        assert (await house.table(id)).phase == "playing"
        assert house.games.is_ready("sixnimmt") and not house.games.is_ready("desert")


@pytest.mark.program
def test_the_house_opens_says_where_and_closes_at_ctrl_c(tmp_path):
    environment = {**os.environ, "SARAI_DATA_DIR": str(tmp_path / "data"), "SARAI_PORT": "0", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(SERVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        address = re.fullmatch(r"Sarai is open: (http://127\.0\.0\.1:\d+)\n", first)[1]
        assert str(tmp_path / "data" / "sarai.db") in second and "\x1b" not in first + second
        assert httpx.get(f"{address}/health").text == "ok\n"
        with httpx.stream("GET", f"{address}/static/none"):
            process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)
        assert rest == ("", "") and process.returncode in (0, 130)
    finally:
        process.kill()


@pytest.mark.program
def test_a_database_that_cannot_be_opened_is_one_sentence(tmp_path):
    done = subprocess.run(
        [*SERVE, "--port", "0", "--db", str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "cannot be opened" in done.stderr


def test_a_server_that_is_told_to_stop_does_not_wait_for_its_next_look(monkeypatch):
    monkeypatch.setattr(serve, "LOOK_SECONDS", 1000.0)
    server = serve.Server(uvicorn.Config(app=None, lifespan="off"), site=None, place=None)

    async def stopped():
        threading.Timer(0.05, setattr, (server, "should_exit", True)).start()  # as a signal and other threads do
        async with asyncio.timeout(20):
            await server.main_loop()

    asyncio.run(stopped())
    assert server.should_exit
