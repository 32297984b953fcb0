"""Compression: only for those who accept it, each block by itself, and never a secret beside text that others chose."""

import asyncio
import contextlib
import gzip
import re
import zlib
from random import Random

import pytest
from markupsafe import Markup
from starlette.datastructures import Headers

from conftest import ADDRESS
from in_memory_table import Sitting
from sarai.core.registry import game_ids
from sarai.web import compression
from sarai.web.app import routes
from sarai.web.compression import LONGEST_STORED, SMALLEST, Block, Body, accepts_gzip, deflate
from sarai.web.cookies import COOKIE
from sarai.web.create_table import usual_players
from sarai.web.language import find_language
from sarai.web.live import viewer_page
from sarai.web.live.stream import TableStream
from sarai.web.live.viewer import LiveInfo, Viewer
from sarai.web.live.viewer_page import PageUpdates, ViewerPages

GZIP, PLAIN = {"accept-encoding": "gzip"}, {"accept-encoding": "identity"}
TALK = "a-word-that-another-player-chose"


def is_whole(block):
    """Say whether a compressed block ends there, where an empty last one can follow."""
    inflater = zlib.decompressobj(-15)
    with contextlib.suppress(zlib.error):
        inflater.decompress(block + b"\3\0")
    return inflater.eof


def blocks_of(body):
    """Return what each block of a gzip body says by itself, without those before it."""
    assert gzip.decompress(body)
    found, rest = [], body[10:-10]
    while rest:
        if rest[0] == 0:
            end = 5 + int.from_bytes(rest[1:3], "little")
            found.append(rest[5:end])
        else:
            end = next(mark.end() for mark in re.finditer(b"\0\0\xff\xff", rest) if is_whole(rest[: mark.end()]))
            found.append(zlib.decompressobj(-15).decompress(rest[:end]))
        rest = rest[end:]
    return found


async def raw(visitor, path, method="GET", **headers):
    """Return an answer with its body as it was sent."""
    asked = visitor.http.build_request(method, path, headers={**GZIP, **headers})
    answer = await visitor.http.send(asked, stream=True)
    answer.body = b"".join([piece async for piece in answer.aiter_raw()])
    return answer


# --- what clients accept ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "accepts"),
    [
        ("gzip, deflate, br, zstd", True),
        ("gzip", True),
        ("x-gzip", True),
        ("GZip ; Q=0.5", True),
        ("br;q=1.0, gzip;q=0.001", True),
        ("*", True),
        ("gzip;q=1, *;q=0", True),
        ("gzip;q=0.5, identity;q=0.5", True),
        ("", False),
        ("identity", False),
        ("br, deflate", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000, *", False),
        ("*;q=0", False),
        ("gzip;q=0.5, identity", False),
        ("gzip;q=0.4, identity;q=0.5", False),
        ("gzip;q=much", False),
        ("gzip;q=2", False),
        ("gzippy", False),
    ],
)
def test_gzip_is_for_clients_that_accept_it_and_do_not_prefer_none(header, accepts):
    assert accepts_gzip(Headers({"accept-encoding": header})) is accepts


def test_several_lines_of_a_header_count_as_one():
    assert accepts_gzip(Headers(raw=[(b"accept-encoding", b"br"), (b"accept-encoding", b"gzip")]))
    assert not accepts_gzip(Headers(raw=[]))


# --- blocks ----------------------------------------------------------------------------------------------------------

CONTENTS = [b"x", b"y" * (SMALLEST - 1), b"ab" * SMALLEST, bytes(range(256)) * 600, b""]


def test_blocks_are_one_gzip_file_and_each_can_be_read_alone():
    body = Body(is_gzip=True)
    sent = b""
    for content in CONTENTS:
        blocks = (Block(content), Block(b"!"))
        sent += body.encode(blocks)
        body.count(blocks)
    sent += body.end()
    assert gzip.decompress(sent) == b"".join(content + b"!" for content in CONTENTS)
    assert b"".join(blocks_of(sent)) == gzip.decompress(sent)
    for content in CONTENTS:
        assert zlib.decompressobj(-15).decompress(deflate(content, 1)) == content


def test_small_blocks_are_stored_and_large_ones_in_pieces():
    assert deflate(b"x" * (SMALLEST - 1), 9)[5:] == b"x" * (SMALLEST - 1)
    assert len(deflate(b"x" * SMALLEST, 1)) < 30
    long = b"z" * (LONGEST_STORED + 1)
    assert zlib.decompressobj(-15).decompress(compression.store(long)) == long


def test_an_answer_that_ends_without_a_block_is_an_empty_file():
    assert gzip.decompress(Body(is_gzip=True).end()) == b"" == Body(is_gzip=False).end()


def test_a_block_is_compressed_once_and_only_if_somebody_wants_it(monkeypatch):
    counted = []
    monkeypatch.setattr(compression, "deflate", lambda *given: counted.append(given) or deflate(*given))
    block = Block(b"board " * 100)
    assert Body(is_gzip=False).encode((block,)) == block.plain and not counted
    assert Body(is_gzip=True).encode((block,)) == Body(is_gzip=True).encode((block,))
    assert len(counted) == 1 and block.deflated is block.deflated


# --- answers ---------------------------------------------------------------------------------------------------------


def test_pages_files_and_json_are_compressed_and_say_so(web):
    async def go(house):
        ann = house.visitor()
        script = house.site.assets.address("live_table.js")
        for path in ["/", "/rules/desert", "/api/openapi.json", "/api/games", script]:
            small, large, head = [await raw(ann, path, **more) for more in ({}, PLAIN, {"method": "HEAD"})]
            assert small.headers["content-encoding"] == "gzip" and "content-encoding" not in large.headers
            assert gzip.decompress(small.body) == large.body and len(small.body) < 0.5 * len(large.body)
            assert small.headers["vary"] == large.headers["vary"] == "accept-encoding"
            assert small.headers["content-length"] == str(len(small.body))
            assert small.headers["etag"] != large.headers["etag"]
            assert dict(head.headers) == dict(small.headers)
        tiny = await raw(ann, house.site.assets.address("moon.svg"))
        assert "content-encoding" not in tiny.headers and tiny.headers["vary"] == "accept-encoding"

    web(go)


def test_what_did_not_change_is_not_sent_again(web):
    async def go(house):
        ann = house.visitor()
        for path in ["/", "/rules", "/about", "/api/games", house.site.assets.address("site.css")]:
            first = await raw(ann, path)
            tag, kept = first.headers["etag"], first.headers["cache-control"]
            assert "immutable" in kept if path.startswith("/static/") else kept == "private, no-cache"
            for condition in (tag, f"W/{tag}", f'"other", {tag}', "*"):
                again = await raw(ann, path, **{"if-none-match": condition})
                assert again.status_code == 304 and again.body == b"", condition
                assert again.headers["etag"] == tag and again.headers["cache-control"] == kept
                assert again.headers["vary"] == "accept-encoding"
                assert not {"content-encoding", "content-length", "content-type"} & set(again.headers)
            for condition in ('"other"', tag.replace('-gzip"', '"'), ""):
                assert (await raw(ann, path, **{"if-none-match": condition})).status_code == 200, condition
        before = (await raw(ann, "/about")).headers["etag"]
        await ann.named("Ann")
        changed = await raw(ann, "/about", **{"if-none-match": before})
        assert changed.status_code == 200 and b"Ann" in gzip.decompress(changed.body)

    web(go)


def test_the_first_visit_is_small(web):
    async def go(house):
        ann, waiting, known = house.visitor(), ["/"], {"/"}
        total = 0
        while waiting:
            answer = await raw(ann, waiting.pop())
            total += len(answer.body) + sum(len(name) + len(value) + 4 for name, value in answer.headers.raw) + 19
            text = gzip.decompress(answer.body) if "content-encoding" in answer.headers else answer.body
            found = set(re.findall(r"/static/[\w.-]+", text.decode())) - known
            waiting += found
            known |= found
        assert len(known) > 8 and total < 60_000
        print(f"the first visit: {total} bytes, {len(known)} answers")

    web(go)


# --- secrets ---------------------------------------------------------------------------------------------------------

SAFE = {  # what is compressed, and why that gives nothing away
    "GET /": "tables that are public, and one's own name",
    "GET /tables/new": "the same for all",
    "GET /rules": "the same for all",
    "GET /rules/{game}": "the same for all",
    "GET /rules/{game}/panel": "the same for all",
    "GET /rules/{game}/{language}/{picture}.svg": "the same for all",
    "GET /learn/{game}/{step}": "the same for all",
    "GET /about": "the same for all",
    "GET /settings": "what the visitor set",
    "GET /static/{name}": "the same for all",
    "GET /manifest.webmanifest": "the same for all",
    "GET /service-worker.js": "the same for all",
    "GET /tables/{id}": "talk in a block of its own; names are chosen before cards are dealt, or see below",
    "GET /tables/{id}/moves": "nothing that others write",
    "GET /tables/{id}/record": "no talk; names are chosen before cards are dealt, or see below",
    "GET /tables/{id}/picture.svg": "no talk; names are chosen before cards are dealt, or see below",
    "GET /api/tables/{id}": "talk in a block of its own; names are chosen before cards are dealt, or see below",
    "GET /api/tables/{id}/moves": "nothing that others write",
    "GET /api/tables/{id}/record": "no talk; names are chosen before cards are dealt, or see below",
    "GET /api/tables": "tables that are public",
    "GET /api/games": "the same for all",
    "GET /api/openapi.json": "the same for all",
}
STREAMS = {"GET /tables/{id}/stream", "GET /api/tables/{id}/numbers", "GET /notices"}  # tested below
JSON = {
    "/api/tables/{id}/act": {"command": {"type": "Chat", "text": "hello"}},
    "/api/tables": {"game": "desert", "players": 2},
    "/api/play": {"game": "desert"},
    "/api/me": {"name": "Ann"},
    "/api/me/link": {},
    "/api/me/redeem": {"token": "no such"},
    "/api/me/erase": {"name": "another"},
    "/api/push/subscriptions": {"endpoint": "https://push.test/x", "keys": {"p256dh": "", "auth": ""}},
}
FORMS = {
    "/play": {"game": "desert"},
    "/tables": {"game": "desert", "players": "2", "bots": "0"},
    "/me": {"name": "Ann"},
    "/me/link": {},
    "/me/sessions": {"end": "others"},
    "/me/erase": {"name": "another"},
    "/come/{token}": {},
    "/settings": {"scheme": "dark"},
    "/tables/{id}/act": {"type": "Chat", "text": "hello"},
    "/tables/{id}/sit": {"name": "Ann"},
}


def test_no_secret_is_compressed_beside_text_that_others_chose(web, monkeypatch):
    """Ask every route; a new one fails here until it is known what it answers."""
    monkeypatch.setattr(compression, "SMALLEST", 1)

    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table, private = await house.playing(ann, bo), await house.table(ann, bo)
        await bo.act(table, {"type": "Chat", "text": TALK})
        token = re.search(r"/come/([\w-]+)", (await ann.form("/me/link")).text)[1]
        signed = ann.http.cookies[COOKIE]
        secrets = [token, signed, signed.partition(".")[0], private, house.house.rooms.find(table).secret]
        script = house.site.assets.address("live_table.js")[8:]
        named = {"id": table, "token": token, "game": "sixnimmt", "name": script}
        named |= {"language": "en", "picture": "0-light", "step": "1"}
        asked = set()
        for route in routes(house.site):
            for method in sorted(route.methods - {"HEAD"}):
                name, path = f"{method} {route.path}", re.sub(r"{(\w+)}", lambda key: named[key[1]], route.path)
                asked.add(name)
                if name in STREAMS:
                    continue
                if method == "GET":
                    answer = await raw(ann, path)
                elif method == "DELETE":
                    answer = await ann.http.delete(path, headers={"origin": ADDRESS, **GZIP})
                elif route.path.startswith("/api/"):
                    answer = await ann.post(path, JSON[route.path], **GZIP)
                else:
                    answer = await ann.form(path, FORMS[route.path], **GZIP)
                assert answer.status_code < 500, name
                assert (answer.headers.get("content-encoding") == "gzip") == (name in SAFE), name
                if name in SAFE:
                    check_blocks(blocks_of(answer.body), secrets)
                elif name != "GET /health":
                    assert "no-store" in answer.headers["cache-control"], "a proxy keeps and compresses nothing"
                    assert "no-transform" in answer.headers["cache-control"]
        assert asked >= set(SAFE) | STREAMS
        for path in (f"/nowhere/{token}", f"/api/nowhere/{token}", f"/rules/{token}"):
            answer = await raw(ann, path)
            assert answer.status_code == 404 and "content-encoding" not in answer.headers, "addresses can be secret"

    web(go)


def check_blocks(blocks, secrets):
    for block in map(bytes.decode, blocks):
        assert not any(secret in block for secret in secrets)
        if TALK in block:
            assert not re.search(r'id="stage"|"view":|"seen":|"moves":|data-initial|id="log"', block)


def test_talk_and_board_are_blocks_of_their_own_in_a_table(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        await bo.act(table, {"type": "Chat", "text": TALK})
        for path in (f"/tables/{table}", f"/api/tables/{table}"):
            blocks = blocks_of((await raw(ann, path)).body)
            # in JSON the words for the dice follow, and what comes after them
            assert [TALK.encode() in block for block in blocks].count(True) == 1
            (talk,) = [block for block in blocks if TALK.encode() in block]
            assert b"stage" not in talk and b'"view"' not in talk
            assert b"".join(blocks) == (await raw(ann, path, **PLAIN)).body

    web(go)


def test_names_that_watchers_choose_in_the_game_are_never_beside_a_hand(web):
    async def go(house):
        ann, bo, eve = [await house.visitor().named(name) for name in ("Ann", "Bo", "Eve guesses 55")]
        table = await house.playing(ann, bo)
        await eve.act(table, {"type": "Chat", "text": "Hello"})
        for path in (f"/tables/{table}", f"/api/tables/{table}"):  # Ann is the host: she is shown all guests
            blocks = [block for block in blocks_of((await raw(ann, path)).body) if b"Eve guesses" in block]
            assert blocks and not any(b'id="stage"' in block or b'"view"' in block for block in blocks)
        client = Client(house, ann, table, **GZIP)
        await client.headers()
        board = zlib.decompressobj(31).decompress(client.begin + await client.body())
        assert b'"stage"' in board and b"Eve guesses" not in board
        for number in (7, 8):
            await eve.post("/api/me", {"name": f"Eve guesses {number}"})
            await eve.act(table, {"type": "Chat", "text": "and"})
        await ann.act(table, {"type": "Move", "move": (await ann.sees(table))["moves"][0]})
        for _ in range(3):
            event = zlib.decompressobj(-15).decompress(await client.body())
            assert not (b"Eve guesses" in event and b'"log"' in event)
        await client.leave()

    web(go)


def test_hands_are_not_compressed_beside_names_that_players_choose_in_the_game(web):
    async def go(house):
        ann, bo = [await house.visitor().named(name) for name in ("Ann", "Bo")]
        table = await house.playing(ann, bo)
        client = Client(house, ann, table, **GZIP)
        await client.headers()
        assert b'"stage"' not in await client.body() and await client.body(), "nobody has chosen one yet"
        paths = {
            f"/tables/{table}": b'id="stage"',
            f"/tables/{table}/record": b'"view":',
            f"/api/tables/{table}": b'"view":',
            f"/api/tables/{table}/record": b'"view":',
        }
        for name in ("Bo guesses 55", "Bo guesses 7"):
            await bo.post("/api/me", {"name": name})
            event, guests = await client.body(), zlib.decompressobj(-15).decompress(await client.body())
            assert name.encode() in event and b'"parts"' in event
            assert name.encode() in guests and b'"log"' not in guests and b'"players"' not in guests
            for path, hand in paths.items():
                answer = await raw(ann, path)
                assert answer.headers["content-encoding"] == "gzip"
                assert name.encode() in answer.body and hand in answer.body, "as it is"
        later = Client(house, ann, table, **GZIP)
        await later.headers()
        first = await later.body()
        assert b'"stage"' in first and b"Bo guesses 7" in first
        await client.leave()
        await later.leave()
        await bo.act(table, {"type": "Resign"})
        for path, hand in paths.items():
            assert hand not in (await raw(ann, path)).body, "there is nothing to hide any more"

    web(go)


# --- streams ---------------------------------------------------------------------------------------------------------


class Client:
    """A client of a stream, as a server runs it."""

    def __init__(self, house, visitor, table, stream=TableStream, **headers):
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
        raw_headers = [(b"host", b"house.test"), (b"cookie", cookies.encode())]
        raw_headers += [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "path_params": {"id": table}}
        self.sent, self.gone = asyncio.Queue(), asyncio.Event()
        self.running = asyncio.create_task(
            stream(house.site)({**scope, "headers": raw_headers}, self.receive, self.sent.put)
        )

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def headers(self):
        headers = Headers(raw=(await self.sent.get())["headers"])
        self.begin = await self.body()  # when to connect again
        return headers

    async def body(self):
        return (await asyncio.wait_for(self.sent.get(), 60))["body"]

    async def leave(self):
        self.gone.set()
        await asyncio.wait_for(self.running, 60)


def test_each_event_can_be_read_at_once_and_the_stream_ends_as_a_whole_file(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo, clock={"kind": "live", "minutes": 5, "increment": 3})
        small, plain = Client(house, ann, table, **GZIP), Client(house, ann, table, **PLAIN)
        compressed, uncompressed = await small.headers(), await plain.headers()
        assert compressed["content-encoding"] == "gzip" and "content-encoding" not in uncompressed
        for headers in (compressed, uncompressed):
            assert headers["x-accel-buffering"] == "no" and headers["vary"] == "accept-encoding"
        inflater, sizes = zlib.decompressobj(31), [0, 0]
        assert inflater.decompress(small.begin) == plain.begin == b"retry: 700\n\n"
        moves = (await ann.sees(table))["moves"]
        for command in (None, {"type": "Move", "move": moves[0]}, {"type": "Chat", "text": TALK}):
            if command:
                await ann.act(table, command)
            for _ in range(1 if command else 2):
                sent, same = await small.body(), await plain.body()
                event = inflater.decompress(sent)
                assert re.sub(rb'"clocks":.*', b"", event) == re.sub(rb'"clocks":.*', b"", same)
                assert event.startswith(b"id: ") and event.endswith(b"\n\n") and event.count(b"\n\n") == 1
                sizes = [sizes[0] + len(sent), sizes[1] + len(same)]
        assert sizes[0] < 0.35 * sizes[1]
        house.site.close()
        await asyncio.gather(small.running, plain.running)
        assert inflater.decompress(await small.body()) == b"" == await plain.body() and inflater.eof

    web(go)


def test_talk_and_board_never_come_in_one_event(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        await bo.act(table, {"type": "Chat", "text": TALK})
        client = Client(house, ann, table, **GZIP)
        await client.headers()
        first, second = await client.body(), await client.body()
        board = zlib.decompressobj(31).decompress(client.begin + first)
        talk = zlib.decompressobj(-15).decompress(second)  # refers to nothing before it
        assert b'"stage"' in board and TALK.encode() not in board
        assert TALK.encode() in talk and talk.startswith(b"id: ") and b'"stage"' not in talk
        await bo.act(table, {"type": "Chat", "text": TALK * 2})
        await ann.act(table, {"type": "Move", "move": (await ann.sees(table))["moves"][0]})
        for _ in range(2):
            event = zlib.decompressobj(-15).decompress(await client.body())
            assert (TALK.encode() in event) != (b'"log"' in event)
        await client.leave()

    web(go)


def test_equal_viewers_are_sent_the_same_bytes_which_are_compressed_once(web, monkeypatch):
    counted = []
    monkeypatch.setattr(compression, "deflate", lambda *given: counted.append(given[0]) or deflate(*given))

    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        watchers = [house.visitor() for _ in range(10)]
        clients = [Client(house, watcher, table, **GZIP) for watcher in watchers]
        for client in clients:
            await client.headers()
            await client.body()
            await client.body()
        counted.clear()
        await bo.act(table, {"type": "Chat", "text": TALK})
        bodies = [await client.body() for client in clients]
        await ann.act(table, {"type": "Move", "move": (await ann.sees(table))["moves"][0]})
        bodies += [await client.body() for client in clients]
        assert len(set(bodies)) == 2
        large = [data for data in counted if len(data) >= SMALLEST and b"id: " in data]
        assert len(large) == len(set(large)) == 2, "one board, one chat, for ten viewers"
        for client in clients:
            await client.leave()

    web(go)


def test_what_is_kept_for_equal_viewers_is_bounded(monkeypatch):
    monkeypatch.setattr(viewer_page, "MOST_BYTES", 1000)
    recent = viewer_page.RecentBlocks()
    blocks = [recent.get(number, lambda: b"x" * 300) for number in range(9)]
    assert recent.get(8, list) is blocks[8] and recent.get(6, list) is blocks[6]
    assert sum(len(block.plain) for block in recent._blocks.values()) <= 1000


# --- sizes -----------------------------------------------------------------------------------------------------------

LARGEST_STEP = 6000  # bytes on the wire for any viewer, in a random game with the usual number of players


@pytest.mark.parametrize("game", game_ids())
def test_a_step_is_small(game):
    rng, players = Random(game), usual_players(game)
    sitting = Sitting(game, players).begin()
    pages, language = ViewerPages(lambda *_: Markup("<div></div>"), "1"), find_language("en")
    seats = [None, *range(players)]
    viewers = [Viewer(seat, seat == 0, seat is not None, language.code, "") for seat in seats]
    updates = [PageUpdates(pages.page(sitting.table, viewer), None) for viewer in viewers]
    sizes = []
    for _ in range(60):
        for connection in updates:
            snapshot = connection.page.snapshot(sitting.table, LiveInfo())
            body = Body(is_gzip=True)
            sizes.append(sum(len(body.encode(event)) for event in connection.events(sitting.table, snapshot, None)))
        if sitting.table.phase != "playing":
            break
        seat = rng.choice(sitting.table.to_act)
        sitting.move(rng.choice(sitting.table.state.legal(seat)), seat)
    steps = sizes[len(viewers) :]
    print(f"a step of {game}: {sorted(steps)[len(steps) // 2]} bytes, at most {max(steps)}; all: {sizes[1]}")
    assert max(steps) <= LARGEST_STEP


def test_what_was_said_is_rendered_once_for_all_who_have_no_name():
    sitting = Sitting("sixnimmt", 2).begin()
    pages = ViewerPages(lambda *_: Markup("<div></div>"), "1")
    page = pages.page(sitting.table, Viewer(None, False, False, "en", ""))
    one, two, known = (PageUpdates(page, person) for person in (None, None, "somebody"))
    said = one.chat(sitting.table, frozenset())
    assert two.chat(sitting.table, frozenset()) is said
    assert "chat-form" in known.chat(sitting.table, frozenset()) and "chat-form" not in said
