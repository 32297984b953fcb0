"""What is refused changes nothing, and a client that leaves is nothing to complain about: found by `fuzz.py`."""

import asyncio
import logging

import pytest
from sqlalchemy import func, select

from sarai.table.storage import schema


async def people_in(trial):
    async with trial.house.store.engine.connect() as connection:
        return (await connection.execute(select(func.count()).select_from(schema.people))).scalar()


@pytest.mark.parametrize(
    "fields",
    [
        {"players": "0", "bots": "0"},
        {"players": "2", "bots": "2"},
        {"players": "3", "bots": "1", "level": "angel"},
        {"players": "2", "bots": "0", "option-rounds": "no number"},
    ],
)
def test_nobody_is_made_for_a_table_that_cannot_be(web, fields):
    async def go(trial):
        answer = await trial.visitor().form("/tables", {"game": "sixnimmt", "name": "Eve", **fields})
        assert answer.status_code == 422
        assert await people_in(trial) == 0

    web(go)


def test_nobody_is_made_who_finds_no_seat(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.table(ann, bo)
        eve = trial.visitor()
        assert (await eve.form(f"/tables/{table}/sit", {"name": "Eve"})).status_code == 409
        assert await people_in(trial) == 2
        assert (await bo.act(table, {"type": "Stand"})).status_code == 200
        assert (await eve.form(f"/tables/{table}/sit", {"name": "Eve"})).status_code == 303
        assert await people_in(trial) == 3

    web(go)


@pytest.mark.parametrize(("method", "path"), [("POST", "/api/me"), ("DELETE", "/mine"), ("POST", "/nowhere")])
def test_a_client_that_leaves_in_the_middle_of_its_body_is_no_mistake_of_ours(web, caplog, method, path):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        messages = [{"type": "http.request", "body": b'{"na', "more_body": True}, {"type": "http.disconnect"}]
        cookie = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
        scope = {
            "type": "http",
            "method": method,
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"cookie", cookie.encode())],
            "client": ("127.0.0.1", 1),
            "server": ("house.test", 80),
        }
        sent = []

        async def receive():
            return messages.pop(0)

        async def send(message):
            sent.append(message)

        await trial.app(scope, receive, send)
        assert sent[0]["status"] < 500

    with caplog.at_level(logging.ERROR):
        web(go)
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/notices", "/tables/{id}/stream", "/api/tables/{id}/numbers"])
def test_a_stream_ends_when_its_client_leaves_at_any_moment(web, path):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.playing(ann, bo)
        cookie = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())

        async def leave_after(steps):
            async def receive():
                for _ in range(steps):
                    await asyncio.sleep(0)
                return {"type": "http.disconnect"}

            async def send(_):
                pass

            scope = {
                "type": "http",
                "method": "GET",
                "scheme": "http",
                "path": path.format(id=table),
                "query_string": b"",
                "headers": [(b"cookie", cookie.encode())],
                "client": ("127.0.0.1", 1),
                "server": ("house.test", 80),
            }
            async with asyncio.timeout(8):  # less than the ten seconds after which a silent stream looks up
                await trial.app(scope, receive, send)

        for steps in range(12):
            await leave_after(steps)
        assert not trial.site.streams

    web(go)
