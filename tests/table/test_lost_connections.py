"""Connections that are waited for in the event loop: the loss of one is seen, and the next one is heard."""

import asyncio
import contextlib
import socket
import struct

import psycopg
import pytest
import uvloop
from sqlalchemy import make_url

from houses import run
from sarai.table.storage.listen_notify import connect, quiet
from sarai.table.storage.postgres_transactions import BEGIN, Session
from sarai.table.storage.store import Store

FIELDS = b"SWARNING\0C57P02\0Mterminating\0\0"
NOTICE = b"N" + struct.pack("!i", 4 + len(FIELDS)) + FIELDS


async def cut(url, connection):
    """End a connection at the database."""
    async with await connect(url) as other:
        await other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])


async def closed_by_libpq(connection):
    """Wait until libpq has seen that a connection is lost."""
    while connection.pgconn.status != psycopg.pq.ConnStatus.BAD:
        await asyncio.sleep(0)


@contextlib.contextmanager
def heard_at(number):
    """Wait in the event loop for a new socket that has a number; give what sends to it, and what is set then."""
    taken, sender = socket.socketpair()
    heard = asyncio.Event()
    with taken, sender:
        assert taken.fileno() == number
        asyncio.get_running_loop().add_reader(taken, heard.set)
        yield sender, heard
        asyncio.get_running_loop().remove_reader(taken)


@pytest.mark.program
@run
async def test_a_database_that_is_silent_on_the_network_counts_as_gone_after_seconds(shared):
    store = await Store.open(f"{shared}&keepalives_idle=7")
    try:
        async with await connect(store.engine.url) as writing, store.engine.connect() as reading:
            driver = (await reading.get_raw_connection()).driver_connection
            for connection in (writing, driver):
                told = connection.info.get_parameters()
                assert told["tcp_user_timeout"] == "15000" and told["connect_timeout"] == "10"
                assert told["keepalives_idle"] == "7", "the address says so itself"
    finally:
        await store.close()


@pytest.mark.program
@run
async def test_a_lost_connection_that_listened_leaves_the_next_one_alone(shared):
    url = make_url(shared)
    connection = await connect(url)
    number = connection.pgconn.socket
    listening = asyncio.create_task(quiet(connection, print, lambda: 0.0))
    await asyncio.sleep(0)
    await cut(url, connection)
    await closed_by_libpq(connection)
    with heard_at(number) as (sender, heard):
        with pytest.raises(psycopg.OperationalError):
            await listening
        sender.send(b".")
        await asyncio.wait_for(heard.wait(), 5)


@pytest.mark.program
@run
async def test_a_lost_connection_that_wrote_leaves_the_next_one_alone(shared):
    url = make_url(shared)
    connection = await connect(url)
    number, session = connection.pgconn.socket, Session(connection)
    await cut(url, connection)
    await closed_by_libpq(connection)
    assert session.is_lost
    with heard_at(number) as (sender, heard):
        await session.close()
        sender.send(b".")
        await asyncio.wait_for(heard.wait(), 5)


@contextlib.asynccontextmanager
async def copied(*ends):
    """Copy what comes at either of two sockets to the other."""
    loop = asyncio.get_running_loop()

    async def copy(source, target):
        while data := await loop.sock_recv(source, 65536):
            await loop.sock_sendall(target, data)

    tasks = [asyncio.create_task(copy(*both)) for both in (ends, ends[::-1])]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def wait_for_a_reset(url, folder):
    """Be reset while an answer is waited for, just after a notice, by somebody between here and the database."""
    loop, (listener, database) = asyncio.get_running_loop(), (socket.socket(socket.AF_UNIX) for _ in range(2))
    with listener, database:
        for opened in (listener, database):
            opened.setblocking(False)
        listener.bind(str(folder / ".s.PGSQL.5432"))
        listener.listen()
        database.connect(f"{url.query['host']}/.s.PGSQL.5432")
        connecting = asyncio.create_task(connect(url.update_query_dict({"host": str(folder)})))
        client, _ = await loop.sock_accept(listener)
        with client:
            async with copied(client, database):
                session = Session(await connecting)
                await session.prepare([BEGIN])
            answer = asyncio.create_task(session.run([(BEGIN, {})]))
            await asyncio.sleep(0.1)
            client.send(NOTICE)
        with pytest.raises(psycopg.OperationalError):
            await asyncio.wait_for(answer, 10)
        await session.close()


@pytest.mark.program
def test_who_waits_for_an_answer_sees_that_the_connection_was_reset(shared, tmp_path):
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # which says so once
        runner.run(asyncio.wait_for(wait_for_a_reset(make_url(shared), tmp_path), 60))
