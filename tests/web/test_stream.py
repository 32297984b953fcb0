"""The stream: all parts first, then what changed; a client that missed something gets everything."""

import asyncio
import contextlib
import json

import pytest
from starlette.requests import Request

from sarai.web.api.handlers import Api
from sarai.web.compression import Body
from sarai.web.cookies import COOKIE
from sarai.web.live.stream import AS_SHOWN, STILL_HERE, EventStream, TableStream


def request(visitor, query="", host="house.test", **headers):
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
    raw = [
        (b"host", host.encode()),
        (b"cookie", cookies.encode()),
        *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()),
    ]
    return Request({"type": "http", "method": "GET", "path": "/", "query_string": query.encode(), "headers": raw})


class Listener:
    def __init__(self, house, visitor, table, query="", **headers):
        self.house, self.table, self.request = house, table, request(visitor, query, **headers)

    async def __aenter__(self):
        self.watch = self.house.house.watch(self.table)
        numbers = await self.watch.__aenter__()
        visit = await self.house.site.visit(self.request)
        self.events = TableStream(self.house.site).events(self.request, visit, self.table, numbers)
        return self

    async def __aexit__(self, *error):
        await self.events.aclose()
        await self.watch.__aexit__(*error)

    async def blocks(self):
        return await asyncio.wait_for(anext(self.events), 60)

    async def next(self):
        while True:
            text = Body(is_gzip=False).encode(await self.blocks()).decode()
            if text.startswith("id: "):
                number, data = text.removesuffix("\n\n").split("\ndata: ")
                news = json.loads(data)
                assert number == f"id: {news['number']}"
                return news


def test_everything_comes_first_and_then_what_changed(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        async with Listener(house, ann, table) as mine, Listener(house, bo, table, last_event_id="3") as others:
            first, other = await mine.next(), await others.next()
            assert (
                {"stage", "status", "players", "actions", "dice-words", "summary", "moves", "result"}
                == set(first["parts"])
                == set(other["parts"])
            )
            assert set((await mine.next())["parts"]) == set((await others.next())["parts"]) == {"chat", "host"}
            assert (
                first["log"]["from"] == 0
                and first["version"] == house.site.assets.version
                and first["phase"] == "playing"
            )
            assert "Choose a card to play." in first["parts"]["status"]
            move = (await ann.sees(table))["moves"][0]
            assert sorted(first["choices"][""].values()) == (await ann.sees(table))["moves"]
            await ann.act(table, {"type": "Move", "move": move})
            news, seen = await mine.next(), await others.next()
            assert "stage" not in news["parts"] and "chat" not in news["parts"] and "version" not in news
            assert f"You have chosen {move + 1}. Waiting for <bdi>Bo</bdi> to choose a card." in news["parts"]["status"]
            assert news["choices"] in ({}, {"": {}}) and "choices" not in seen
            assert len(news["log"]["lines"]) == 1 and news["log"]["from"] > 0
            assert f"You choose {move + 1}" in news["log"]["lines"][0] and "being chosen" in seen["log"]["lines"][0]
            await bo.act(table, {"type": "Chat", "text": "well"})
            assert set((await mine.next())["parts"]) == {"chat"}

    web(go)


def test_a_fresh_page_is_not_sent_again(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        number = (await ann.sees(table))["number"]
        async with (
            Listener(house, ann, table, f"at={number}") as fresh,
            Listener(house, ann, table, f"at={number}", last_event_id=str(number)) as again,
        ):
            assert await fresh.blocks() is AS_SHOWN
            assert "stage" in (await again.next())["parts"], "whoever comes back gets everything"
            await bo.act(table, {"type": "Chat", "text": "hello"})
            assert set((await fresh.next())["parts"]) == {"chat"}
        async with Listener(house, ann, table, "at=1") as old:
            assert "stage" in (await old.next())["parts"]

    web(go)


def test_whoever_sits_down_sees_the_table_from_there(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = (await ann.post("/api/tables", {"game": "sixnimmt", "players": 2})).json()["id"]
        await house.house.games.wait("sixnimmt")
        async with Listener(house, bo, table) as stream:
            assert "Sit here" in (await stream.next())["parts"]["stage"]
            assert set((await stream.next())["parts"]) == {"chat", "host"}
            await bo.act(table, {"type": "Sit"})
            assert "Stand up" in (await stream.next())["parts"]["stage"]
            await ann.act(table, {"type": "Start"})
            begun = await stream.next()
            assert (
                begun["phase"] == "playing"
                and "Choose a card to play." in begun["parts"]["status"]
                and begun["choices"][""]
            )

    web(go)


def test_clocks_come_with_the_news(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo, clock={"kind": "live", "minutes": 5, "increment": 3})
        async with Listener(house, ann, table) as stream:
            clocks = (await stream.next())["clocks"]
            assert [runs for _, runs in clocks] == [True, True] and all(290 < left <= 300 for left, _ in clocks)

    web(go)


def test_a_silent_stream_says_that_it_is_still_here(web, monkeypatch):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        monkeypatch.setattr("sarai.web.live.stream.HEARTBEAT", 0.02)
        async with Listener(house, ann, table) as mine:
            assert "stage" in (await mine.next())["parts"] and "chat" in (await mine.next())["parts"]
            assert [await mine.blocks() for _ in range(3)] == [STILL_HERE] * 3
            await bo.act(table, {"type": "Chat", "text": "well"})
            assert "well" in (await mine.next())["parts"]["chat"]

    web(go)


def test_who_listens_is_present(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        sent, gone = asyncio.Queue(), asyncio.Event()

        async def receive():
            await gone.wait()
            return {"type": "http.disconnect"}

        scope = {**request(ann).scope, "path_params": {"id": table}}
        running = asyncio.create_task(TableStream(house.site)(scope, receive, sent.put))
        assert (await sent.get())["status"] == 200
        assert (await sent.get())["body"] == b"retry: 700\n\n"
        assert (await sent.get())["body"].startswith(b"id: ")
        assert await house.house.present(table) == [0]
        gone.set()
        await asyncio.wait_for(running, 60)
        assert await house.house.present(table) == []

    web(go)


def test_streams_of_a_waiting_table_share_a_page_whatever_host_they_name(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        table = await house.table(ann, players=2)
        pages, rendered = house.site.viewer_pages, []
        real = pages._render_gathering
        pages._render_gathering = lambda *args: rendered.append(args) or real(*args)
        async with contextlib.AsyncExitStack() as stack:
            streams = [
                await stack.enter_async_context(Listener(house, ann, table, host=f"h{number}.example"))
                for number in range(10)
            ]
            first = [await stream.next() for stream in streams]
            assert len(rendered) == 1 and all(f'href="/tables/{table}"' in one["parts"]["stage"] for one in first)
            for number in range(10):
                page = await ann.get(f"/tables/{table}", headers={"host": f"g{number}.example"})
                assert f"http://g{number}.example/tables/{table}</a>" in page.text, "without script it is whole"
            assert len(pages._pages[table]) == 1, "they take nobody's place"
            del rendered[:]
            await ann.act(table, {"type": "Chat", "text": "hello"})
            for stream, before in zip(streams, first, strict=True):
                news = before
                while news["number"] == before["number"]:
                    news = await stream.next()
                assert "stage" not in news["parts"], "it is sent what changed"
            assert len(rendered) == 1

    web(go)


def test_when_the_house_closes_every_stream_ends(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        for stream in (TableStream(house.site), EventStream(house.site, Api(house.site).numbers)):
            sent, scope = asyncio.Queue(), {**request(ann).scope, "path_params": {"id": table}}
            running = asyncio.create_task(stream(scope, asyncio.Event().wait, sent.put))
            assert (await sent.get())["status"] == 200
            assert (await sent.get())["more_body"]
            house.site.close()
            await asyncio.wait_for(running, 60)
            *_, last = [sent.get_nowait() for _ in range(sent.qsize())]
            assert last == {"type": "http.response.body", "body": b""}
        assert await house.house.present(table) == []

    web(go)


def test_a_room_that_is_given_up_ends_its_watches(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        async with house.house.watch(table) as numbers:
            assert await anext(numbers) == (await house.house.table(table)).number
            room = house.house.rooms.find(table)
            room.table.apply = lambda *_: 1 / 0
            assert (await ann.act(table, {"type": "Chat", "text": "x"})).status_code == 500
            with pytest.raises(StopAsyncIteration):
                await anext(numbers)
            assert house.house.rooms.find(table) is not room
        assert (await ann.sees(table))["chat"][0]["text"] == "x"

    web(go)


def test_a_cookie_that_is_not_ours_watches(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        liar = house.visitor()
        liar.http.cookies[COOKIE] = "x.y"
        async with Listener(house, liar, table) as stream:
            first = await stream.next()
            assert not first["choices"].get("") and "Waiting for" in first["parts"]["status"]

    web(go)
