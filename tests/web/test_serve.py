"""Serving: the address, the port, what is printed, and that it stops when asked."""

import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from sarai.table.refusals import Refused
from sarai.web.serve import USUAL_PORT, has_desktop, listen, url_of

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
