"""The JSON interface under random requests: it answers as its document says, and never with a mistake of its own."""

import asyncio
import socket
import threading

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi import checks

from quick_bots import QuickBots
from sarai.table.service.house import House
from sarai.web.api.openapi import OPERATIONS
from sarai.web.app import make_app, make_site

PROMISES = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]


class Served(threading.Thread):
    """The app on a real socket, in a thread with a loop of its own."""

    def __init__(self, folder):
        super().__init__()
        self.folder, self.ready = folder, threading.Event()

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        import uvicorn

        house = await House.open(f"sqlite:///{self.folder}/house.db", QuickBots())
        opened = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{opened.getsockname()[1]}"
        self.server = uvicorn.Server(
            uvicorn.Config(
                make_app(await make_site(house)), log_level="error", lifespan="off", timeout_graceful_shutdown=1
            )
        )
        self.ready.set()
        await self.server.serve(sockets=[opened])
        await house.close()

    def __enter__(self):
        self.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *error):
        self.server.should_exit = True
        self.join(60)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("served")) as thread:
        yield thread


@pytest.mark.parametrize("route", [route for route in OPERATIONS if "numbers" not in route])
def test_random_requests_are_answered_as_the_document_says(served, route):
    method, path = route.split(" ")
    schema = schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")
    with httpx.Client(base_url=served.address) as ann:
        ann.post("/api/me", json={"name": "Ann"})
        table = ann.post("/api/tables", json={"game": "sixnimmt", "players": 2}).json()["id"]
        cookies = dict(ann.cookies)

    def check(case, cookies):
        answer = case.call(cookies=cookies)
        assert answer.status_code < 500 or answer.status_code == 503, answer.content
        case.validate_response(answer, checks=PROMISES)

    operation, quietly = (
        schema[path][method],
        settings(
            max_examples=12,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        ),
    )
    quietly(given(case=operation.as_strategy())(lambda case: check(case, None)))()
    if "{id}" in path:
        known = operation.as_strategy(path_parameters={"id": table})
        quietly(given(case=known)(lambda case: check(case, cookies)))()
