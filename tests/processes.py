"""The processes that tests start, a plugin of pytest: they end when a test takes too long, and when a worker is lost.

They are known by their environment, which those that they start in turn inherit.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Mapping

import psutil
import pytest

WORKER = "SARAI_TEST_WORKER"  # which worker of the tests started a process
CURRENT = "PYTEST_CURRENT_TEST"  # in which part of which test, set by pytest: "tests/…::test_… (call)"


def pytest_configure():
    """Mark what this worker starts, and let Ctrl-C reach it even if the tests run in the background of a shell."""
    os.environ[WORKER] = name_of_worker()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer():
    """When a test has taken too long, end its processes before it fails: it may be waiting for them."""
    answer = yield
    fail = signal.getsignal(signal.SIGALRM)

    def expire(number, frame):
        end_processes_of_current_test()
        fail(number, frame)

    if callable(fail):
        signal.signal(signal.SIGALRM, expire)
    return answer


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """When a worker is gone, end what it left behind."""
    lost = name_of_worker(node.workerinput["testrunuid"], node.gateway.id)
    end_processes(lambda found: found.get(WORKER) == lost)


def name_of_worker(run: str | None = None, worker: str | None = None) -> str:
    """Return a name for a worker of pytest-xdist, or for this process if there is none."""
    run = run or os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"pid {os.getpid()}"
    return f"{run} {worker or os.environ.get('PYTEST_XDIST_WORKER', '')}"


def end_processes(is_ours: Callable[[Mapping[str, str]], bool]) -> None:
    """Kill every process, apart from this one, whose environment says that it is ours."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and is_ours(process.environ()):
                process.kill()


def end_processes_of_current_test() -> None:
    """Kill what the running part of a test started; servers that tests share were started in the setup of the first."""
    worker, now = name_of_worker(), os.environ.get(CURRENT, "")
    parts = {now, now.replace("(teardown)", "(call)")}
    end_processes(lambda found: found.get(WORKER) == worker and found.get(CURRENT) in parts)
