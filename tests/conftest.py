"""Fixtures for the house in the browser: one in this process, with bots that choose at once."""

import asyncio
import contextlib
import json

import httpx
import pytest

ADDRESS = "http://house.test"


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, app):
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app, raise_app_exceptions=False), base_url=ADDRESS)

    async def named(self, name):
        answer = await self.post("/api/me", {"name": name})
        assert answer.status_code == 201
        return self

    async def get(self, path, **more):
        return await self.http.get(path, **more)

    async def post(self, path, body, **headers):
        return await self.http.post(path, content=json.dumps(body), headers={"content-type": "application/json", "origin": ADDRESS, **headers})

    async def form(self, path, fields=None, **headers):
        return await self.http.post(path, data=fields or {}, headers={"origin": ADDRESS, **({} if fields else FORM), **headers})

    async def act(self, table, command, key=None, number=None):
        return await self.post(f"/api/tables/{table}/act", {"command": command, "key": key, "number": number})

    async def sees(self, table):
        return (await self.get(f"/api/tables/{table}")).json()


FORM = {"content-type": "application/x-www-form-urlencoded"}


class Trial:
    """A house that is open for a test."""

    def __init__(self, house, site, app):
        self.house, self.site, self.app, self.visitors = house, site, app, []

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
async def open_trial(folder):
    from sarai.table.botroom import QuickBots
    from sarai.table.house import House
    from sarai.web.app import make_app, make_site

    house = await House.open(f"sqlite:///{folder}/house.db", QuickBots())
    site = await make_site(house)
    trial = Trial(house, site, make_app(site))
    try:
        yield trial
    finally:
        for visitor in trial.visitors:
            await visitor.http.aclose()
        await house.close()


@pytest.fixture
def web(tmp_path):
    """Run a test's coroutine in an open house."""

    def run(test):
        async def inside():
            async with open_trial(tmp_path) as trial:
                return await asyncio.wait_for(test(trial), 120)

        return asyncio.run(inside())

    return run
