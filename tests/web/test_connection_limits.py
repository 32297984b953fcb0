"""Connections, by raw sockets: who sends slowly or endlessly, and who does not read, is cut off; others are not."""

import contextlib
import gc
import json
import logging
import re
import socket
import struct
import time
import weakref
from types import SimpleNamespace

import httpx
import pytest

from sarai.table.service.rate_limit import Limit, OpenCount
from sarai.web import connection_limits
from sarai.web.client_addresses import ADDRESSES_OF_SITE
from sarai.web.connection_limits import (
    BODY_SECONDS,
    HEADER_SECONDS,
    MOST_BODY_BYTES,
    MOST_BODY_PARTS,
    MOST_HEADER_BYTES,
    MOST_LINE_BYTES,
    WRITE_SECONDS,
)
from sarai.web.live import turn_stream
from sarai.web.rate_limits_by_route import STREAMS_OF_PERSON
from sarai.web.serve import listen
from served_house import ServedHouse

PATIENCE = 60.0  # seconds that a busy machine may take
HEAD = b"GET /health HTTP/1.1\r\nHost: house\r\n"
POST = b"POST /api/me HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection_limits, "SWEEP", 0.02)
        patch.setattr(connection_limits, "MOST_OF_ADDRESS", 20)
        with ServedHouse(tmp_path_factory.mktemp("house")) as served:
            yield served


@pytest.fixture
def bounds(house):
    """The connections of the house, and a clock that a test may set forward."""
    bounds = house.server.config.http.bounds
    yield bounds
    bounds.now = time.monotonic


def later(bounds, seconds):
    bounds.now = lambda: time.monotonic() + seconds


@contextlib.contextmanager
def connected(house, source="127.0.0.1", sent=b""):
    with socket.create_connection(("127.0.0.1", house.port), PATIENCE, source_address=(source, 0)) as opened:
        opened.sendall(sent)
        yield opened


def rest(opened):
    """Return all that still comes, until the other side closes."""
    received = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while data := opened.recv(65536):
            received += data
    return received


def until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def answered(opened, sent=HEAD + b"\r\n"):
    """Send a request and say whether it is answered."""
    opened.sendall(sent)
    received = opened.recv(65536)
    while b"\r\n\r\n" not in received or (b"content-length: 3" in received and not received.endswith(b"ok\n")):
        if not (more := opened.recv(65536)):
            break
        received += more
    return received.startswith(b"HTTP/1.1 200")


SLOW = {
    "nothing at all": (b"", HEADER_SECONDS),
    "half a line": (b"GET /hea", HEADER_SECONDS),
    "half a header": (HEAD + b"X-Long: ", HEADER_SECONDS),
    "half a body": (POST + b"Content-Length: 100\r\n\r\n{", BODY_SECONDS),
    "half a chunk": (POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", BODY_SECONDS),
    "half a body that nobody reads": (HEAD + b"Content-Length: 100\r\n\r\n{", BODY_SECONDS),
}


@pytest.mark.parametrize(("sent", "seconds"), SLOW.values(), ids=SLOW)
def test_a_request_has_a_time_in_which_it_is_complete_whatever_trickles_in(house, bounds, caplog, sent, seconds):
    with caplog.at_level(logging.WARNING), connected(house, sent=sent) as opened:
        until(lambda: len(bounds._open) >= 1)
        time.sleep(0.05)
        later(bounds, seconds - 5)
        if sent:
            opened.sendall(b"x")
        time.sleep(0.1)
        assert not is_closed(opened), "slow people have some seconds"
        later(bounds, seconds + 5)
        rest(opened)
    assert not caplog.records, "what strangers do is not written down"


def is_closed(opened):
    """Say whether the other side has closed; what has come is thrown away."""
    opened.setblocking(False)
    try:
        while opened.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        opened.settimeout(PATIENCE)


def test_bytes_between_requests_buy_no_time(house, bounds):
    with connected(house) as opened:
        assert answered(opened)
        opened.sendall(b"\r\n")
        until(lambda: all(one.deadline is not None for one in bounds._open))
        later(bounds, HEADER_SECONDS + 5)
        assert rest(opened) == b""


def test_who_keeps_a_connection_and_asks_again_is_served(house, bounds):
    with connected(house) as opened:
        for minute in range(20):
            assert answered(opened)
            later(bounds, 60 * minute)
            time.sleep(0.03)


LARGE = {
    "a long line": HEAD + b"X-Long: " + b"x" * (2 * MOST_HEADER_BYTES),
    "many lines": HEAD + b"X-Line: x\r\n" * 200 + b"\r\n",
    "many long lines": HEAD + (b"X-Line: " + b"x" * 3000 + b"\r\n") * 20 + b"\r\n",
    "one line that is too long": HEAD + b"X-Long: " + b"x" * (MOST_LINE_BYTES + 1) + b"\r\n\r\n",
    "an address that is too long": b"GET /health?" + b"a&" * 1024 + b" HTTP/1.1\r\nHost: house\r\n\r\n",
    "a long address": b"GET /" + b"x" * (2 * MOST_HEADER_BYTES) + b" HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("sent", LARGE.values(), ids=LARGE)
def test_a_header_has_a_size(house, bounds, sent):
    with connected(house) as opened:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            opened.sendall(sent)
        received = rest(opened)
    assert received.startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 414 ")) or received == b"", received[:100]


def test_a_usual_browser_with_many_cookies_is_served(house, bounds):
    lines = b"".join(b"X-Line-%d: %s\r\n" % (number, b"x" * 300) for number in range(60))
    with connected(house) as opened:
        assert answered(opened, HEAD + lines + b"\r\n")


def test_an_endless_body_ends(house, bounds):
    with connected(house) as opened:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            opened.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            for _ in range(64):
                opened.sendall(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
        assert rest(opened).count(b"HTTP/1.1 200") <= 1


@pytest.mark.parametrize(("parts", "status"), [(10, b"201"), (MOST_BODY_PARTS + 100, b"400")])
def test_a_body_in_very_many_parts_is_not_read_to_its_end(house, bounds, parts, status):
    with connected(house) as opened, contextlib.suppress(ConnectionResetError, BrokenPipeError):
        body = b"".join(b"1\r\n%c\r\n" % letter for letter in b'{"name":"Ann"}'.ljust(parts))
        opened.sendall(POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n")
        assert rest(opened).split(b" ", 2)[1] == status


AROUND_THE_BODY = {
    "a line after it": b"2\r\n{}\r\n0\r\nX-Long: ",
    "an extension of a chunk": b"2;x=",
    "between requests": b"",
}


@pytest.mark.parametrize("begun", AROUND_THE_BODY.values(), ids=AROUND_THE_BODY)
def test_what_is_around_a_body_has_a_size_too(house, bounds, begun):
    with connected(house) as opened:
        opened.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n" + (begun or b"2\r\n{}\r\n0\r\n\r\n"))
        more = (b"x" if begun else b"\r\n") * (32 * MOST_BODY_BYTES)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):  # it was read, and kept, for half a minute
            opened.sendall(more)


def test_a_flood_of_requests_in_one_go_is_not_kept(house, bounds):
    with connected(house) as opened:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            opened.sendall((HEAD + b"\r\n") * 2000)
        assert rest(opened).count(b"HTTP/1.1 200") < 100
    with connected(house) as opened:
        opened.sendall((HEAD + b"\r\n") * 4 + HEAD + b"Connection: close\r\n\r\n")
        assert rest(opened).count(b"HTTP/1.1 200") == 5, "a few are answered in order"


RESTS = {
    "too many": b"GET / HTTP/1.1\r\nHost: house\r\n\r\n" * 20,
    "rubbish": b"rubbish\r\n\r\n",
    "one and rubbish": HEAD + b"\r\nrubbish\r\n\r\n",
    "too large": HEAD + b"X-Long: " + b"x" * (2 * MOST_HEADER_BYTES),
}


@pytest.mark.parametrize("more", RESTS.values(), ids=RESTS)
def test_what_follows_a_request_that_is_being_answered_is_no_error_of_the_house(house, bounds, caplog, more):
    sent = b"GET / HTTP/1.1\r\nHost: house\r\n\r\n" + more
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            with connected(house) as opened:
                with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                    opened.sendall(sent)
                received = rest(opened)
                assert received == b"" or received.startswith(b"HTTP/1.1 200"), "a refusal is no answer to the first"
        until(lambda: not bounds._open)
    assert not caplog.records, "what strangers do is not written down"


def test_a_stream_ends_with_its_connection_whatever_was_asked_for_after_it(house, bounds, person, monkeypatch):
    monkeypatch.setattr(turn_stream, "HEARTBEAT", 0.1)  # writing tells it: nothing is read before the first answer
    open_streams, before = house.site.limits._streams._open, dict(house.site.limits._streams._open)
    asked = b"GET /notices HTTP/1.1\r\nHost: house\r\n" + cookie(person) + b"\r\n"
    with connected(house, sent=asked) as opened:
        assert opened.recv(100).startswith(b"HTTP/1.1 200")
        assert open_streams != before
        opened.sendall(HEAD + b"\r\n")
        until(lambda: any(one.pipeline for one in bounds._open))
    until(lambda: open_streams == before)


def reset(opened):
    """Close a connection so that the other side reads an error, as when a program is stopped."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    opened.close()


LONG_BODY = b"Content-Length: 60000\r\n\r\n" + 60_000 * b"b"


@pytest.mark.parametrize("sent", [HEAD + LONG_BODY, HEAD + b"\r\n" + 3 * (POST + LONG_BODY), HEAD + LONG_BODY[:30_000]])
def test_what_a_connection_sent_that_was_cut_off_is_kept_by_nothing(house, bounds, sent):
    before = set(bounds._open)
    gc.disable()  # what is kept by a cycle would stay for minutes
    try:
        with connected(house, sent=sent) as opened:
            assert opened.recv(65536)
            (server_side,) = map(weakref.ref, bounds._open - before)
            reset(opened)
        until(lambda: server_side() is None)
    finally:
        gc.enable()


def test_a_body_that_nobody_reads_is_not_kept_by_a_connection_that_waits(house, bounds):
    before = set(bounds._open)
    with connected(house, sent=HEAD + LONG_BODY) as opened:
        assert opened.recv(65536)
        (server_side,) = bounds._open - before
        until(lambda: not server_side.cycle.body)


def test_an_address_has_so_many_connections_and_others_have_theirs(house, bounds):
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(house, "127.0.0.2")) for _ in range(20)]
        assert all(map(answered, held))
        assert rest(stack.enter_context(connected(house, "127.0.0.2"))) == b""
        assert answered(stack.enter_context(connected(house, "127.0.0.3")))
        here = [stack.enter_context(connected(house)) for _ in range(30)]
        assert all(map(answered, here)), "this machine itself has no limit by address"
        held.pop().close()
        until(lambda: bounds._of_address["127.0.0.2"] == 19)
        assert answered(stack.enter_context(connected(house, "127.0.0.2")))
    until(lambda: not bounds._of_address)


def test_an_address_begins_so_many_connections_in_a_while_and_others_theirs(house, bounds, monkeypatch):
    monkeypatch.setitem(bounds._begun.limits, "address", Limit(5, 3000.0))
    for _ in range(5):
        with connected(house, "127.0.0.4") as opened:
            assert answered(opened)
    with connected(house, "127.0.0.4") as opened:
        assert rest(opened) == b""
    with connected(house, "127.0.0.5") as opened:
        assert answered(opened)


class Begun:
    """A connection that has just begun."""

    def __init__(self, host):
        self.client, self.counted_as = (host, 1), None
        self.loop = SimpleNamespace(call_later=lambda *_: True)


def test_a_site_of_ipv6_has_as_many_connections_as_some_addresses(monkeypatch):
    monkeypatch.setattr(connection_limits, "MOST_OF_ADDRESS", 4)
    bounds = connection_limits.Connections([], 1000)
    opened = [Begun(f"2001:db8:1:{network:x}::1") for network in range(100)]
    admitted = [one for one in opened if bounds.admit(one)]
    assert len(admitted) == 4 * ADDRESSES_OF_SITE
    assert bounds.admit(Begun("2001:db8:2::1")), "another site has its own"
    bounds.leave(admitted[0])
    assert bounds.admit(opened[-1])
    fast = connection_limits.Connections([], 1000)
    fast._begun.limits["site"] = Limit(7, 3000.0)
    assert sum(fast.admit(Begun(f"2001:db8:1:{network:x}::1")) for network in range(100)) == 7


def test_the_kernel_holds_little_for_a_client_that_does_not_read():
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as client:
        server, _ = listening.accept()
        with server:
            server.setblocking(False)
            held = 0
            with contextlib.suppress(BlockingIOError):
                while True:
                    held += server.send(b"x" * 65536)
            assert held < 1 << 20, "it would be more than two megabytes otherwise"
            assert client.recv(10)


REFUSED = {
    "no such page": (b"GET /no/such/page HTTP/1.1\r\nHost: house\r\n\r\n", b"404"),
    "no such page, too often": (b"GET /no/such/page HTTP/1.1\r\nHost: house\r\n\r\n", b"429"),
    "too often": (b"GET /about HTTP/1.1\r\nHost: house\r\n\r\n", b"429"),
    "a wrong method": (b"POST /about HTTP/1.1\r\nHost: house\r\ncontent-length: 0\r\n\r\n", b"405"),
    "no such table": (b"GET /api/tables/nonsense00 HTTP/1.1\r\nHost: house\r\n\r\n", b"404"),
    "nonsense": (POST + b"Content-Length: 1\r\n\r\n{", b"422"),
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED)
def test_refused_requests_leave_nothing_for_the_collector(house, bounds, sent, status, monkeypatch):
    """It is kept from running for minutes, so that a flood of such requests would fill the memory."""
    monkeypatch.setattr(connection_limits, "KEEP_ALIVE", 60)
    if status == b"429":
        monkeypatch.setitem(house.site.limits.limiter.limits, "page:address", Limit(0.5, 3000.0))
    count = 40
    with connected(house, f"127.0.1.{[*REFUSED.values()].index((sent, status)) + 1}") as opened:

        def ask(times):
            for _ in range(times):
                opened.sendall(sent)
                received = opened.recv(65536)
                assert received.split()[1] == status
                length = int(re.search(rb"content-length: (\d+)", received)[1])
                while len(received.partition(b"\r\n\r\n")[2]) < length:
                    received += opened.recv(65536)

        ask(3)
        gc.collect()
        gc.disable()
        try:
            ask(count)
            assert gc.collect() < 10 * count, "an exception that holds its own traceback leaves more than 50"
        finally:
            gc.enable()


@pytest.fixture
def person(house):
    with httpx.Client(base_url=house.address, timeout=PATIENCE) as client:
        assert client.post("/api/me", json={"name": "Ann"}).status_code == 201
        yield client


def cookie(person):
    return b"Cookie: " + "; ".join(f"{name}={value}" for name, value in person.cookies.items()).encode() + b"\r\n"


def test_a_person_has_so_many_streams(house, bounds, person):
    ask = b"GET /notices HTTP/1.1\r\nHost: house\r\n" + cookie(person) + b"\r\n"
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(house)) for _ in range(STREAMS_OF_PERSON)]
        assert all(answered(opened, ask) for opened in held)
        refused = stack.enter_context(connected(house, sent=ask)).recv(65536)
        assert refused.startswith(b"HTTP/1.1 429 ") and b"retry-after: 5" in refused.lower()
        held.pop().close()
        until(lambda: answered(stack.enter_context(connected(house)), ask))


def test_counts_of_what_is_open_are_forgotten_when_it_is_closed():
    count = OpenCount(5)
    count.open("a", 1)
    count.close("a")
    assert not count._open


def test_a_client_that_does_not_read_takes_no_memory_and_is_cut_off(house, bounds, person):
    table = person.post("/api/tables", json={"game": "sixnimmt", "players": 2}).json()["id"]
    opened, before = socket.socket(), set(bounds._open)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    opened.settimeout(PATIENCE)
    with opened:
        opened.connect(("127.0.0.1", house.port))
        until(lambda: bounds._open - before)
        (server_side,) = bounds._open - before
        # the kernel would hold some megabytes by itself
        server_side.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        opened.sendall(f"GET /tables/{table}/stream HTTP/1.1\r\nHost: house\r\n".encode() + cookie(person) + b"\r\n")
        for turn in range(30):  # each changes seats, which sends the whole table again
            command = {"type": "Sit" if turn % 2 else "Stand"}
            answer = person.post(f"/api/tables/{table}/act", json={"command": command})
            assert answer.status_code == 200, answer.text
            assert server_side.transport.get_write_buffer_size() < 256 * 1024
        assert server_side.write_deadline is not None, "it waits for the client to read"
        later(bounds, WRITE_SECONDS + 5)
        until(lambda: server_side not in bounds._open)


def test_a_proxy_that_is_trusted_may_have_any_number_of_connections(tmp_path, monkeypatch):
    monkeypatch.setattr(connection_limits, "MOST_OF_ADDRESS", 3)
    with ServedHouse(tmp_path, proxies=["127.0.0.9/32"]) as house, contextlib.ExitStack() as stack:
        held = [stack.enter_context(connected(house, "127.0.0.9")) for _ in range(8)]
        assert all(map(answered, held))
        others = [stack.enter_context(connected(house, "127.0.0.8")) for _ in range(3)]
        assert all(map(answered, others))
        assert rest(stack.enter_context(connected(house, "127.0.0.8"))) == b""


def test_json_is_still_json(house, person):
    assert json.loads(person.get("/api/me").content)["name"] == "Ann"
