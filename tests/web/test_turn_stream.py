"""Notices: the turns that wait for a person, on every page and in one small stream, and nothing else."""

import asyncio
import contextlib
import itertools
import json
import socket
import struct
from types import SimpleNamespace

import pytest
import uvicorn

from sarai.table.service.presence import GRACE
from sarai.web.language import find_language
from sarai.web.live import turn_stream
from sarai.web.live.turn_stream import TurnStream
from sarai.web.serve import UNANSWERED, listen


def stream_of(house, person):
    async def messages():
        async with contextlib.aclosing(TurnStream(house.site).events(person, find_language("en"))) as events:
            async for event in events:
                yield b"".join(block.plain for block in event)

    return contextlib.aclosing(messages())


def content(message):
    assert message.startswith(b"data: ") and message.endswith(b"\n\n")
    return json.loads(message.removeprefix(b"data: "))


async def seats_of(house, table):
    return [seat.person for seat in (await house.house.table(table)).seats]


async def two_at_a_table(house):
    ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
    return ann, bo, await house.playing(ann, bo)


async def move(visitor, table):
    answer = await visitor.act(table, {"type": "Move", "move": (await visitor.sees(table))["moves"][0]})
    assert answer.status_code == 200


def test_the_stream_has_the_waiting_turns_and_nothing_else(web):
    async def go(house):
        ann, bo, table = await two_at_a_table(house)
        person, other = await seats_of(house, table)
        async with stream_of(house, person) as mine, stream_of(house, other) as others:
            sent = [await anext(mine)]
            assert content(sent[0]).keys() == {"turns", "count", "label"}
            (turn,) = content(sent[0])["turns"]
            assert (turn.keys(), turn["table"], turn["title"]) == ({"table", "title", "since"}, table, "6 nimmt!")
            assert content(sent[0])["label"] == "Your turn at 1 table"
            assert content(await anext(others))["turns"] == content(sent[0])["turns"]
            news = asyncio.create_task(anext(others))
            await move(ann, table)
            sent.append(await anext(mine))
            assert content(sent[1]) == {"turns": [], "count": "0", "label": "Your turn at 0 tables"}
            await ann.act(table, {"type": "Chat", "text": "well"})
            assert not news.done(), "what another player chose in secret is no news"
            await move(bo, table)
            sent.append(await anext(mine) if 0 in (await house.house.table(table)).to_act else b"")
            everything = b"".join([*sent, await news]).replace(table.encode(), b"")  # an id may hold any letters
            for hidden in (person, other, "Ann", "Bo", "well"):
                assert hidden.encode() not in everything
            assert all(len(message) < 200 for message in sent)

    web(go)


def test_a_stream_beats_is_renewed_and_ends_if_nobody_does(web, monkeypatch):
    async def go(house):
        _, _, table = await two_at_a_table(house)
        monkeypatch.setattr(turn_stream, "HEARTBEAT", 0.02)
        monkeypatch.setattr(turn_stream, "RENEW", 0.1)
        monkeypatch.setattr(turn_stream, "PATIENCE", 0.1)
        ticks = itertools.count(0.0, 0.02)  # each look at the clock is a beat later, however busy the machine is
        monkeypatch.setattr(turn_stream, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
        async with stream_of(house, (await seats_of(house, table))[0]) as messages:
            sent = [message async for message in messages]
        assert sent[0].startswith(b"data: ") and sent[1] == b":\n\n"
        assert sent.count(b"event: renew\ndata: 1\n\n") == 1 and set(sent[1:]) == {
            b":\n\n",
            b"event: renew\ndata: 1\n\n",
        }

    web(go)


def test_who_reads_the_stream_is_here_and_a_stranger_is_refused(web, monkeypatch):
    async def go(house):
        _, _, table = await two_at_a_table(house)
        person, _ = await seats_of(house, table)
        presence, now = house.house.presence, house.house.now() + GRACE + 1
        monkeypatch.setattr(house.house, "now", lambda: now)
        assert not presence.is_here(person)
        async with stream_of(house, person) as messages:
            await anext(messages)
            assert presence.is_here(person)
        monkeypatch.setattr(house.house, "now", lambda: now + GRACE + 1)
        assert not presence.is_here(person)
        answer = await house.visitor().get("/notices", headers={"accept": "application/json"})
        assert (answer.status_code, answer.json()["reason"]) == (401, "no_identity")

    web(go)


def test_a_closed_and_a_broken_connection_are_noticed_at_once(web):
    async def go(house):
        ann, _, table = await two_at_a_table(house)
        person, _ = await seats_of(house, table)
        opened = listen("127.0.0.1", 0)
        server = uvicorn.Server(
            uvicorn.Config(house.app, log_level="error", lifespan="off", ws="none", http="httptools")
        )
        server.capture_signals = contextlib.nullcontext
        serving = asyncio.create_task(server.serve(sockets=[opened]))
        cookie = "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())
        pages = house.house.presence._pages
        for is_broken in (False, True):
            reader, writer = await asyncio.open_connection(*opened.getsockname()[:2])
            writer.write(f"GET /notices HTTP/1.1\r\nHost: house.test\r\nCookie: {cookie}\r\n\r\n".encode())
            await reader.readuntil(b"data: ")
            assert pages[person] == 1
            if is_broken:  # a browser that was killed: no farewell
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.close()
            for _ in range(100):
                if person not in pages:
                    break
                await asyncio.sleep(0.02)
            assert person not in pages
        server.should_exit = True
        await serving

    web(go)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no such option")
def test_a_connection_that_nobody_acknowledges_is_given_up():
    with listen("127.0.0.1", 0) as opened, socket.create_connection(opened.getsockname()):
        connection, _ = opened.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNANSWERED


def test_every_page_counts_the_waiting_turns_without_a_script(web):
    async def go(house):
        ann, bo, table = await two_at_a_table(house)
        await house.playing(ann, bo)
        quiet = await house.table(ann, bo)
        for path in ("/", "/mine", "/settings", f"/tables/{table}", "/nowhere"):
            page = (await ann.get(path)).text
            assert '<span aria-hidden="true">2</span><span class="visually-hidden">Your turn at 2 tables' in page, path
            assert f'href="{house.site.assets.address("logo-turn.svg")}"' in page
        await move(ann, table)
        page = (await ann.get("/mine")).text
        assert page.index(quiet) > page.index("your turn") and "Your turn at" in page, "what waits comes first"
        stranger = (await house.visitor().get("/")).text
        assert 'id="turns"' not in stranger and "turn_notifications" not in stranger
        cem = await house.visitor().named("Cem")
        page = (await cem.get("/")).text
        assert " hidden><span" in page and f'href="{house.site.assets.address("logo.svg")}"' in page

    web(go)


def test_sound_and_notifications_are_off_until_they_are_wanted(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        page = (await ann.get("/settings")).text
        assert "data-sound" not in page and "data-notify" not in page
        assert (await ann.form("/settings", {"sound": "on", "notify": "on"})).status_code == 303
        page = (await ann.get("/")).text
        assert 'data-sound="on"' in page and 'data-notify="on"' in page
        await ann.form("/settings", {"sound": "loud"})
        assert "data-sound" not in (await ann.get("/")).text

    web(go)
