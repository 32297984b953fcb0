"""Handing over: a request about a table is answered by that table's worker, and by any other if that one cannot."""

import asyncio
import contextlib
import socket
from itertools import count

import pytest
import uvicorn
import uvloop

from sarai.web import connection_routing
from sarai.web.connection_limits import server_config
from sarai.web.connection_routing import MOST_UNTAKEN, ConnectionRouting, home_of, sockets_folder

TABLES = [next(f"table{n:05}" for n in count() if home_of(f"table{n:05}", 2) == home) for home in (0, 1)]


class Worker(uvicorn.Server):
    """A worker in the test's own process: it says its number, who asks, and what it was sent."""

    def __init__(self, folder, number, homes=None):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.number = self.socket.getsockname()[1], number
        self.routing = ConnectionRouting(folder, number, 2 if homes is None else homes + 1, self.port, homes)

        async def app(scope, receive, send):
            await self.answer(scope, receive, send)

        super().__init__(server_config(app, [], self.routing))
        self.config.load()
        self.lifespan = self.config.lifespan_class(self.config)

    async def answer(self, scope, receive, send):
        body, message = b"", await receive()
        while message.get("more_body"):
            body, message = body + message["body"], await receive()
        said = f"{self.number} {scope['client'][1]} {(body + message.get('body', b'')).decode()}".encode()
        is_stream = scope["path"].endswith("/stream")
        length = [] if is_stream else [(b"content-length", b"%d" % len(said))]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": said, "more_body": is_stream})
        if is_stream:
            await asyncio.sleep(0.05)
            await send({"type": "http.response.body", "body": b"the end"})

    async def begin(self):
        await self.startup([self.socket])
        self.routing.open(self.take)

    async def end(self):
        await self.routing.close()
        await self.shutdown([self.socket])

    def take(self, first):
        protocol = self.config.http_protocol_class(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        protocol.first = first
        return protocol


class Client:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.port = writer.get_extra_info("sockname")[1]

    def send(self, path, body=b"", method="GET", headers=""):
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: house\r\n{headers}{length}\r\n".encode() + body)

    async def answer(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        number, port, body = (await self.reader.readexactly(length)).decode().split(" ", 2)
        assert int(port) == self.port, "the address of the client, whoever answers"
        return int(number), body

    async def ask(self, path, *args):
        self.send(path, *args)
        return (await self.answer())[0]


@contextlib.asynccontextmanager
async def serving(*numbers, homes=None):
    """Run workers of two, or of one more than homes; give them, their sockets' folder, and what connects to one."""
    async with contextlib.AsyncExitStack() as stack:
        folder = connection_routing.Path(stack.enter_context(sockets_folder())[connection_routing.FOLDER])
        workers = {number: Worker(folder, number, homes) for number in numbers}
        for worker in workers.values():
            worker.routing.port = workers[0].port  # they share a socket
            await worker.begin()

        async def connect(number):
            client = Client(*await asyncio.open_connection("127.0.0.1", workers[number].port))
            stack.callback(client.writer.close)
            return client

        try:
            yield workers, folder, connect
        finally:
            for worker in workers.values():
                await worker.end()


def run(test):
    """Run a coroutine function as a test, on the loop that servers use."""

    def on_loop():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(asyncio.wait_for(test(), 60))

    on_loop.__name__, on_loop.__doc__ = test.__name__, test.__doc__
    return on_loop


@run
async def test_requests_about_a_table_are_answered_by_its_worker_on_one_connection():
    async with serving(0, 1) as (workers, _, connect):
        client = await connect(0)
        for path, number in [
            (f"/tables/{TABLES[1]}", 1),
            (f"/api/tables/{TABLES[1]}/act", 1),
            ("/", 1),  # where the connection is
            (f"/tables/{TABLES[0]}?at=5", 0),
            ("/tables/new", 0),
            (f"/tables/{TABLES[1]}/stream/", 1),
        ]:
            assert await client.ask(path) == number, path
        assert not workers[0].server_state.connections and len(workers[1].server_state.connections) == 1
        bounds = [worker.config.http.bounds for worker in workers.values()]
        assert [len(one._open) for one in bounds] == [0, 1], "counted where it is"


@run
async def test_a_worker_beyond_the_processors_passes_on_whatever_comes_by_who_asks_and_answers_if_nobody_takes_it():
    """It knows no table and no person then, and need not be told of them."""
    cookies = [f"Cookie: lang=fa; __Host-sarai={n}.x; hints=1\r\n" for n in range(20)]

    async def ask(number, *args):
        client = await connect(number)
        client.send(*args)
        return (await client.answer())[0]

    async with serving(0, 1, 2, homes=2) as (workers, _, connect):
        for worker in workers.values():
            worker.routing.port = worker.port
        for _ in range(2):
            found = [await ask(2, "/mine", b"", "GET", cookie) for cookie in cookies]
            assert found == [home_of(f"{n}.x", 2) for n in range(20)] and set(found) == {0, 1}
        assert {await ask(2, "/", b"all of it", "POST") for _ in range(40)} == {0, 1}, "those without a session, too"
        assert [await ask(2, f"/tables/{table}", b"", "GET", cookies[0]) for table in TABLES] == [0, 1]
        assert [await ask(0, "/mine", b"", "GET", cookie) for cookie in cookies] == [0] * 20, "those that are sent some"
        await workers[0].routing.close()
        await workers[1].routing.close()
        assert [await ask(2, "/mine", b"", "GET", cookie) for cookie in cookies] == [2] * 20


@run
async def test_a_body_that_is_still_coming_and_requests_sent_at_once_arrive_whole():
    async with serving(0, 1) as (_, _, connect):
        client = await connect(0)
        client.send(f"/tables/{TABLES[1]}", b"x" * 50_000, "POST")
        assert await client.answer() == (1, "x" * 50_000)
        head = f"POST /tables/{TABLES[0]} HTTP/1.1\r\nHost: house\r\nContent-Length: 6\r\n\r\nabc".encode()
        client.writer.write(head)
        await asyncio.sleep(0.05)
        client.writer.write(b"def")
        assert await client.answer() == (0, "abcdef")
        client.send(f"/tables/{TABLES[1]}")
        client.send("/", b"and this")  # comes with the first, or while that is answered: in order all the same
        assert [await client.answer() for _ in range(2)] == [(1, ""), (1, "and this")]


@run
async def test_half_a_header_stays_where_it_comes_in_and_so_do_connections_to_another_port():
    async with serving(0, 1) as (workers, _, connect):
        client = await connect(0)
        client.writer.write(f"GET /tables/{TABLES[1]} HTTP/1.1\r\nHost".encode())
        await asyncio.sleep(0.05)
        assert len(workers[0].server_state.connections) == 1 and not workers[1].server_state.connections
        client.writer.write(b": house\r\n\r\n")
        assert (await client.answer())[0] == 0
        workers[0].routing.port += 1
        assert await (await connect(0)).ask(f"/tables/{TABLES[1]}") == 0, "that of the metrics"


@run
async def test_a_worker_that_is_not_there_comes_later_or_stops_is_not_waited_for():
    async with serving(0) as (workers, folder, connect):
        client = await connect(0)
        assert await client.ask(f"/tables/{TABLES[1]}") == 0
        other = Worker(folder, 1)
        other.routing.port = workers[0].port
        await other.begin()
        assert await client.ask(f"/tables/{TABLES[1]}") == 0, "it is tried again after a while"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(connection_routing, "RETRY", 0.0)
            workers[0].routing._peers[1]._not_before = 0.0
            assert await client.ask(f"/tables/{TABLES[1]}") == 1
            await other.routing.close()
            assert await (await connect(0)).ask(f"/tables/{TABLES[1]}") == 0
            assert await client.ask(f"/tables/{TABLES[1]}") == 1, "what it has it answers"
            await other.end()


@run
async def test_what_was_sent_to_a_worker_that_stops_is_answered_and_its_streams_end_in_order():
    async with serving(0, 1) as (workers, _, connect):
        clients = [await connect(0) for _ in range(5)]
        for client in clients:
            client.send(f"/tables/{TABLES[1]}/stream")
        first = workers[0].routing
        while len(first._peers[1]._sent) < 5:  # sent in one turn of the loop, in which the other may take nothing
            await asyncio.sleep(0)
        await workers[1].routing.close()
        for client in clients:
            stream = await asyncio.wait_for(client.reader.readuntil(b"the end"), 10)
            assert b"\r\n1 %d " % client.port in stream


@run
async def test_a_worker_that_takes_nothing_gets_a_few_connections_and_one_that_is_full_none_for_a_while():
    async with serving(0) as (workers, folder, connect):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stuck:
            stuck.bind(str(folder / "1"))
            stuck.listen(1)
            for _ in range(MOST_UNTAKEN):
                (await connect(0)).send(f"/tables/{TABLES[1]}")
            while len(workers[0].routing._peers[1]._sent) < MOST_UNTAKEN:
                await asyncio.sleep(0)
            for _ in range(3):
                assert await (await connect(0)).ask(f"/tables/{TABLES[1]}") == 0
        (folder / "1").unlink()
    async with serving(0, 1) as (workers, _, connect):
        workers[1].config.http.bounds.most = 4
        clients = [await connect(0) for _ in range(6)]
        assert [await client.ask(f"/tables/{TABLES[1]}") for client in clients] == [1, 1, 1, 1, 0, 0]


def test_only_as_many_workers_as_there_are_processors_are_sent_tables(monkeypatch):
    ids = [f"table{number:05}" for number in range(200)]
    with sockets_folder() as variables:
        monkeypatch.setenv(connection_routing.FOLDER, variables[connection_routing.FOLDER])
        monkeypatch.setattr(connection_routing, "processors", lambda: 2)
        workers = [ConnectionRouting.of_worker(number, 4, 80) for number in range(4)]
    assert [worker.homes for worker in workers] == [2, 2, 2, 2]
    own = [{id for id in ids if worker.may_make(id)} for worker in workers]
    assert own[0] | own[1] == set(ids) and not own[0] & own[1] and own[0] and own[1]
    assert own[2] == own[3] == set(ids), "a worker without tables can make any, for others"
    assert [worker.processor for worker in workers] == [0, 1, None, None]


def test_no_worker_is_kept_on_a_processor_if_there_are_more_processors(monkeypatch):
    with sockets_folder() as variables:
        monkeypatch.setenv(connection_routing.FOLDER, variables[connection_routing.FOLDER])
        monkeypatch.setattr(connection_routing, "processors", lambda: 3)
        workers = [ConnectionRouting.of_worker(number, 2, 80) for number in range(2)]
    assert [worker.processor for worker in workers] == [None, None]
