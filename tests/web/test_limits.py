"""Limits: every entrance has one, nobody waits longer than its time, and thirty people behind one address can play."""

import asyncio
import contextlib
import typing

import httpx
import pytest
import starlette.requests
from starlette.datastructures import Headers

from sarai.table import commands
from sarai.table.refusals import Refused
from sarai.table.service import rate_limit
from sarai.table.service.house import MOST_RENAMED
from sarai.table.service.rate_limit import Limit, Limiter
from sarai.table.storage.lock_by_address import ADDRESS
from sarai.web import app, compression
from sarai.web import rate_limits_by_route as limits_module
from sarai.web.address_queues import AddressQueues
from sarai.web.client_addresses import ADDRESSES_OF_SITE, TrustedProxies, address_of, counted_address, read_proxies
from sarai.web.compression import PIECE, BlockResponse, blocks
from sarai.web.error_answers import ErrorAnswers
from sarai.web.rate_limits_by_route import (
    COMMANDS,
    COSTS,
    LARGE_OF_ADDRESS,
    ONLY_KNOWN,
    OTHER,
    OUTSIDERS,
    READ_AT_ONCE,
    REFUSED_AT_ONCE,
    ROUTES,
    LimitedRoute,
    Limits,
    names,
)
from sarai.web.site import Visit
from served_house import ServedHouse

HOME = "203.0.113.7"


# --- every entrance has a row ---------------------------------------------------------------------------------------


def test_every_route_has_a_row_and_every_row_a_route(web):
    async def go(trial):
        found = {
            (method, route.path) for route in app.routes(trial.site) for method in (route.methods or {"GET"}) - {"HEAD"}
        }
        assert found == ROUTES.keys()

    web(go)


def test_every_command_has_a_row():
    assert set(typing.get_args(commands.Command)) == COMMANDS.keys()


def test_every_cost_is_somebodys_and_limits_somebody():
    assert {*ROUTES.values(), *COMMANDS.values(), *OUTSIDERS.values(), OTHER, "new person"} == COSTS.keys()
    for cost in COSTS.values():
        limits = [limit for limit in cost if limit is not None]
        assert limits and all(limit.most > 0 and 0 < limit.seconds <= 3600 for limit in limits)
    assert all(COSTS[cost].address for method, cost in ROUTES.items()), "a stranger has no name, but an address"


def test_new_names_bring_no_more_events_than_commands_may():
    names, events = COSTS[ROUTES["POST", "/me"]].address, COSTS["event"].address
    assert names.most * MOST_RENAMED <= events.most and names.seconds >= events.seconds


@pytest.mark.parametrize("cost", [cost for cost, limits in COSTS.items() if limits.table is not None])
def test_one_address_has_at_most_half_of_what_those_share_who_do_not_sit_at_a_table(cost):
    limits = COSTS[cost]
    assert cost == "seat" or cost in OUTSIDERS.values(), "players share nothing"
    assert 2 * limits.address.most <= limits.table.most
    assert 2 * limits.address.most / limits.address.seconds <= limits.table.most / limits.table.seconds


class Gathering:
    """A table at which nobody sits but its host."""

    id, host = "table", "host"

    def seat_of(self, person):
        return 0 if person == self.host else None


def came_from(host):
    return {"type": "http", "client": (host, 1)}


def is_refused(pay, *arguments):
    try:
        pay(*arguments)
    except Refused as error:
        return error.key == "too_much"
    return False


@pytest.mark.parametrize(
    "flood", [commands.Stand(), commands.Chat("hello"), commands.Sit(), commands.Move(1), commands.OpenWord("a", "b")]
)
@pytest.mark.parametrize("wanted", [commands.Sit(), commands.Chat("hello"), commands.UseName()])
def test_forty_people_behind_one_address_keep_nobody_else_from_a_seat(flood, wanted):
    limits, table = Limits(Limiter(lambda: 1000.0)), Gathering()
    refusals = [is_refused(limits.command, came_from(HOME), f"p{n % 40}", table, flood) for n in range(4000)]
    assert all(refusals[-40:])
    limits.command(came_from("198.51.100.9"), "ann", table, wanted)
    limits.command(came_from(HOME), "host", table, commands.Start())


def test_a_flood_by_those_who_sit_keeps_the_host_from_nothing():
    limits, table = Limits(Limiter(lambda: 1000.0)), Gathering()
    table.seat_of = lambda _: 1
    for person in range(9):
        while not is_refused(limits.command, came_from(HOME), f"p{person}", table, commands.AddBot(1, "novice")):
            pass
    limits.command(came_from("198.51.100.9"), "host", table, commands.Start())


def test_who_has_had_too_much_takes_nothing_from_what_others_share():
    limits, table = Limits(Limiter(lambda: 1000.0)), Gathering()
    used = limits.limiter._uses
    while not is_refused(limits.command, came_from(HOME), "eve", table, commands.Stand()):
        pass
    before = used["outsider's event:table"]["table"].used
    for _ in range(100):
        assert is_refused(limits.command, came_from(HOME), "eve", table, commands.Stand())
    assert used["outsider's event:table"]["table"].used == before == COSTS["outsider's event"].person.most


@pytest.mark.parametrize("cost", [cost for cost, limits in COSTS.items() if limits.house is not None])
def test_who_has_no_name_cannot_use_up_what_people_have(cost):
    limits = Limits(Limiter(lambda: 1000.0))

    def ask(host, person):
        scope = came_from(host)
        limits.enter(cost, scope)
        limits.know(scope, person)

    for number in range(3 * COSTS[cost].house.most):
        is_refused(ask, f"198.51.{number // 250}.{number % 250}", None)
    ask("203.0.113.200", "ann")


@pytest.mark.parametrize("cost", ONLY_KNOWN)
def test_what_only_people_have_is_not_paid_by_who_is_refused_it(cost):
    limits = Limits(Limiter(lambda: 1000.0))
    for _ in range(2 * COSTS[cost].address.most):
        scope = came_from(HOME)
        limits.enter(cost, scope)
        limits.know(scope, None)
    scope = came_from(HOME)
    limits.enter(cost, scope)
    limits.know(scope, "ann")
    assert all(f"{cost}:{who}" in limits.limiter._uses for who in ("person", "address"))


def test_pages_of_other_sites_use_up_nothing_but_pages(web):
    async def go(trial):
        trial.stop_limiter_clock()
        ann = await trial.visitor().named("Ann")
        foreign, evil = trial.visitor(), {"origin": "https://evil.example"}
        paths = ("/api/tables", "/api/me/link", "/api/me/erase", "/api/me/redeem", "/api/me", "/api/play")
        for path in paths:
            for _ in range(100):
                assert (await foreign.http.post(path, headers=evil, json={})).status_code == 403
        assert {name for name, used in trial.house.limiter._uses.items() if len(used)} <= {
            "name:address",
            "name:person",
            "new person:address",
            "new person:house",
            "page:address",
        }
        wanted = {"game": "sixnimmt", "players": 2}
        assert (await ann.http.post("/api/tables", json=wanted)).status_code in (200, 201)
        assert (await ann.http.post("/api/me/link")).status_code in (200, 201)

    web(go)


# --- counting -------------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def limiter(most=4, seconds=8.0):
    clock = Clock()
    return clock, Limiter(clock, {"talk:person": Limit(most, seconds)})


def refused(counting, who="ann"):
    """Return after how many seconds it may be tried again, 0 if it was allowed."""
    try:
        counting.spend("talk:person", who)
    except Refused as error:
        return error.facts["seconds"] if (error.key, error.status) == ("too_much", 429) else None
    return 0


def test_so_many_at_once_and_then_as_they_come_back():
    clock, counting = limiter()
    assert [refused(counting) for _ in range(5)] == [0, 0, 0, 0, 2]
    assert refused(counting, "bo") == 0
    clock.now += 2
    assert [refused(counting), refused(counting)] == [0, 2]
    clock.now += 100
    assert [refused(counting) for _ in range(5)] == [0, 0, 0, 0, 2], "no more than at first"


@pytest.mark.parametrize("jump", [-1e6, -3610.0, 0.0, 7.9])
def test_nobody_waits_longer_than_the_time_of_the_limit_whatever_the_clock_does(jump):
    clock, counting = limiter()
    for _ in range(4):
        refused(counting)
    clock.now += jump
    for _ in range(20):
        assert refused(counting) <= 8
    clock.now += 8
    assert refused(counting) == 0


def test_what_is_counted_is_bounded_and_the_oldest_is_forgotten_first(monkeypatch):
    monkeypatch.setattr(rate_limit, "MOST_KEYS", 100)
    _, counting = limiter()
    for number in range(1000):
        refused(counting, "always")
        refused(counting, f"person {number}")
    assert len(counting._uses["talk:person"]) == 100 and refused(counting, "always") > 0


def test_many_who_use_one_limit_do_not_make_another_forgotten(monkeypatch):
    monkeypatch.setattr(rate_limit, "MOST_KEYS", 100)
    _, counting = limiter()
    counting.limits["file:address"] = Limit(10, 30.0)
    while not refused(counting):
        pass
    for number in range(1000):  # networks of one site of IPv6, which has 65,536
        counting.spend("file:address", f"2001:db8:0:{number:x}::/64")
    assert refused(counting) > 0


def test_processes_tell_each_other_what_was_used():
    clock, here = limiter(16, 60.0)
    there, told = Limiter(clock, here.limits), []
    here.on_spent = lambda key, amount: (told.append(amount), there.hear(key, amount))
    for _ in range(16):
        assert refused(here) == 0
    assert told == [2] * 8 and refused(there) > 0, "all of it was used elsewhere"
    there.hear("no:such:limit", 5)
    there.hear("nonsense", 5)
    there.hear("talk:person:eve", 10**9)
    clock.now += 61
    assert refused(there, "eve") == 0, "what others tell is not more than the limit"


# --- addresses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("::ffff:127.0.0.1", None),
        ("::1", None),
        ("127.0.0.2", "127.0.0.2"),
        ("unix:", "unknown"),
        ("x" * 5000, "unknown"),
        ("", "unknown"),
    ],
)
def test_an_address_is_counted_as_itself_or_as_its_network(host, counted):
    assert counted_address(host) == counted and address_of({"client": (host, 1)}) == counted


def test_a_site_of_ipv6_has_as_much_as_five_addresses_however_many_networks_it_has():
    counting = Limits(Limiter(Clock()))
    most, refusals = COSTS["new person"].address.most, 0
    for network in range(6):
        for _ in range(most):
            try:
                counting.pay("new person", address=counted_address(f"2001:db8:7:{network:x}::1"))
            except Refused:
                refusals += 1
    assert refusals == most
    counting.pay("new person", address=counted_address("2001:db8:8::1"))
    counting.pay("new person", address=counted_address("192.0.2.1"))


def test_a_socket_without_addresses_is_one_visitor():
    assert address_of({"client": None}) == address_of({}) == "unknown"


def test_proxies_are_addresses_and_networks():
    proxies = read_proxies(" 10.0.0.0/8, ::1,127.0.0.1 ")
    trusted = TrustedProxies(proxies)
    assert all(host in trusted for host in ("10.1.2.3", "::ffff:10.1.2.3", "::1", "127.0.0.1", "::ffff:127.0.0.1"))
    assert not any(host in trusted for host in ("11.0.0.1", "127.0.0.2", "::2", "", "nonsense"))
    assert read_proxies("") == []
    for bad in ("proxy.example.org", "*", "10.0.0.0/33", "10.0.0.1/8"):
        with pytest.raises(Refused) as error:
            read_proxies(bad)
        assert error.value.key == "bad_proxy"


# --- a served house -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house behind a proxy that it trusts: these tests, which say where a visitor comes from."""
    with ServedHouse(tmp_path_factory.mktemp("house"), proxies=read_proxies("127.0.0.1")) as served:
        served.house.limiter._now = lambda: 1000.0  # a busy machine may take as long as it needs
        yield served


def visitor(house, forwarded, **more):
    return httpx.Client(base_url=house.address, headers={"x-forwarded-for": forwarded, **more}, timeout=60)


def test_one_address_cannot_fill_the_house_with_people_and_others_are_not_held_up(house):
    most, seconds = COSTS["new person"].address
    with visitor(house, "198.51.100.1") as flood:
        answers = []
        for number in range(most + 3):
            flood.cookies.clear()
            # what a visitor wrote comes first, what the proxy saw last
            flood.headers["x-forwarded-for"] = f"10.0.0.{number % 200}, 198.51.100.1"
            answers.append(flood.post("/api/me", json={"name": "Eve"}))
    assert [answer.status_code for answer in answers] == [201] * most + [429] * 3
    assert answers[-1].json()["reason"] == "too_much"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= seconds
    with visitor(house, "198.51.100.2") as other:
        assert other.post("/api/me", json={"name": "Ann"}).status_code == 201


@pytest.mark.parametrize(
    ("forwarded", "counted"),
    [("198.51.100.9", "198.51.100.9"), ("2001:db8:9:1::1", "2001:db8:9::/48"), ("127.0.0.1", None)],
)
def test_bots_time_is_shared_by_the_address_at_which_people_were_last(house, forwarded, counted, monkeypatch):
    monkeypatch.setattr(house.house._bot_moves, "_addresses", known := {})
    with visitor(house, "198.51.100.8") as guest:
        assert guest.post("/api/me", json={"name": "Ann"}).status_code == 201
        assert guest.get("/api/me").status_code == 200
        ((person, address),) = known.items()
        assert address == "198.51.100.8"
        guest.headers["x-forwarded-for"] = forwarded
        guest.get("/api/me")
        assert known == {person: counted or person}, "this machine may be a proxy for many"


def test_requests_that_write_are_known_by_their_address(house, monkeypatch):
    found, add = [], house.house.store.add_person

    async def add_person(*args):
        found.append(ADDRESS.get())
        await add(*args)

    monkeypatch.setattr(house.house.store, "add_person", add_person)
    for address in ("198.51.100.18", "198.51.100.19", "127.0.0.1"):
        with visitor(house, address) as guest:
            assert guest.post("/api/me", json={"name": "Ann"}).status_code == 201
    assert found == ["198.51.100.18", "198.51.100.19", ""]


def test_a_network_of_ipv6_is_one_visitor(house):
    most = COSTS["redeem"].address.most
    with visitor(house, "") as flood:
        statuses = []
        for number in range(most + 1):
            flood.headers["x-forwarded-for"] = f"2001:db8:5:5::{number:x}"
            statuses.append(flood.post("/api/me/redeem", json={"token": "x"}).status_code)
        assert statuses == [404] * most + [429]
        flood.headers["x-forwarded-for"] = "2001:db8:5:6::1"
        assert flood.post("/api/me/redeem", json={"token": "x"}).status_code == 404


def test_what_is_not_there_is_limited_too_and_people_read_a_page(web):
    async def go(trial):
        trial.stop_limiter_clock()
        trial.house.limiter.limits["page:address"] = Limit(20, 30)
        transport = httpx.ASGITransport(app=trial.app, client=(HOME, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as flood:
            answers = [await flood.get("/no/such/page") for _ in range(25)]
            assert [answer.status_code for answer in answers[:21]] == [404] * 20 + [429]
            assert answers[20].text.count("That was a lot at once") == 1
            assert 1 <= int(answers[20].headers["retry-after"]) <= 30
            assert (await flood.get("/about")).status_code == 429, "they are counted as pages are"
            assert (await flood.post("/about")).status_code == 429, "and so is a wrong method"
            assert (await flood.get("/health")).status_code == 200
        assert (await trial.visitor().get("/about")).status_code == 200

    web(go)


LONG = {
    "query": {"query_string": b"a&" * 15_000 + b"lang=el"},
    "cookies": {"headers": [(b"cookie", b'a="\\101"; ' * 700 + b"lang=el")]},
    "languages": {"headers": [(b"accept-language", b"el," * 10_000)]},
}


@pytest.mark.parametrize("more", LONG.values(), ids=LONG)
def test_the_language_of_a_refusal_is_found_without_reading_all_that_was_sent(more, monkeypatch):
    def fail(*_, **__):
        raise AssertionError("that takes milliseconds, of refused requests too")

    for name in ("QueryParams", "cookie_parser"):
        monkeypatch.setattr(starlette.requests, name, fail)
    request = starlette.requests.Request({"type": "http", "method": "GET", "headers": [], "query_string": b"", **more})
    assert Visit(request).preferred_language == "el"


def test_what_a_client_accepts_is_not_read_without_end(monkeypatch):
    read = []
    monkeypatch.setattr(compression, "prefers_gzip", read.append)
    compression.accepts_gzip(Headers(raw=[(b"accept-encoding", b"a," * 15_000)] * 2))
    assert len(read[0]) <= 500


def test_a_slash_too_many_leads_nowhere_and_is_counted(web):
    async def go(trial):
        trial.house.limiter.limits["page:address"] = Limit(1, 30)
        transport = httpx.ASGITransport(app=trial.app, client=(HOME, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            answers = [await client.get("/about/", headers={"host": "elsewhere.test"}) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [404, 429]
            assert not any("location" in answer.headers for answer in answers)

    web(go)


def test_who_has_had_too_much_waits_for_the_answer(web):
    async def go(trial):
        trial.house.limiter.limits["page:address"] = Limit(1, 30)
        trial.site.limits.refused_seconds, loop = 0.3, asyncio.get_running_loop()
        transport = httpx.ASGITransport(app=trial.app, client=(HOME, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as flood:
            assert (await flood.get("/about")).status_code == 200
            before = loop.time()
            assert (await flood.get("/about")).status_code == 429
            assert loop.time() - before >= 0.29, "else asking on would keep the house busy"

    web(go)


def test_nobody_talks_without_end_at_many_tables(web):
    async def go(trial):
        trial.stop_limiter_clock()
        ann = await trial.visitor().named("Ann")
        tables = [await trial.table(ann, ann, game="anubixx") for _ in range(10)]
        most = COSTS["talk"].person.most
        answers = [
            await ann.act(tables[line % len(tables)], {"type": "Chat", "text": f"line {line}"})
            for line in range(most + 1)
        ]
        assert [answer.status_code for answer in answers] == [200] * most + [429]

    web(go)


def test_who_has_bots_think_at_many_tables_waits_for_them(web):
    async def never(*_):
        await asyncio.Event().wait()

    async def go(trial):
        trial.house._bot_moves._bots.choose = never
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        await trial.house.games.wait("sixnimmt")
        answers = [await ann.post("/api/play", {"game": "sixnimmt"}) for _ in range(21)]
        assert [answer.status_code for answer in answers] == [201] * 20 + [429]
        assert answers[-1].json()["reason"] == "bots_busy"
        assert (await bo.post("/api/play", {"game": "sixnimmt"})).status_code == 201
        assert len((await ann.get("/api/me/tables")).json()) == 20, "what was refused left no table behind"

    web(go)


@pytest.mark.program
def test_thirty_people_behind_one_address_load_pages_and_play(house):
    """Each opens pages and files, sits down with another, keeps two streams open, plays, talks and plays again."""

    async def person(number, tables):
        limits = httpx.Limits(max_connections=6)
        async with httpx.AsyncClient(
            base_url=house.address, headers={"x-forwarded-for": HOME}, timeout=120, limits=limits
        ) as client:

            async def ask(method, path, status, **more):
                answer = await client.request(method, path, **more)
                assert answer.status_code in status, (path, answer.status_code, answer.text[:200])
                return answer

            front = await ask("GET", "/", {200})
            files = {part.split('"')[0] for part in front.text.split('href="')[1:] + front.text.split('src="')[1:]}
            for path in sorted(path for path in files if path.startswith("/static/")):
                await ask("GET", path, {200})
            for path in ("/rules/anubixx", "/tables/new?game=anubixx", "/manifest.webmanifest", "/service-worker.js"):
                await ask("GET", path, {200})
            await ask("POST", "/api/me", {201}, json={"name": f"Person {number}"})
            if number % 2 == 0:
                made = await ask("POST", "/api/tables", {201}, json={"game": "anubixx", "players": 2})
                tables[number // 2].set_result(made.json()["id"])
            id = await tables[number // 2]
            if number % 2:
                await ask("POST", f"/api/tables/{id}/act", {200}, json={"command": {"type": "Sit"}})
            await ask("GET", f"/tables/{id}", {200})
            async with client.stream("GET", "/notices") as notices, client.stream("GET", f"/tables/{id}/stream") as own:
                assert (notices.status_code, own.status_code) == (200, 200)
                for turn in range(8):
                    seen = (await ask("GET", f"/api/tables/{id}", {200})).json()
                    if seen["phase"] == "gathering" and seen["host"]:
                        command = {"type": "Start"}
                    else:
                        command = {"type": "Move", "move": seen["moves"][0]} if seen["moves"] else None
                    if command is not None:
                        await ask("POST", f"/api/tables/{id}/act", {200, 409, 422}, json={"command": command})
                    if turn % 4 == 0:
                        talk = {"type": "Chat", "text": f"turn {turn}"}
                        await ask("POST", f"/api/tables/{id}/act", {200}, json={"command": talk})
            await ask("GET", f"/tables/{id}/record", {200})
            await ask("POST", "/api/play", {201}, json={"game": "anubixx"})

    async def party():
        tables = [asyncio.get_running_loop().create_future() for _ in range(15)]
        await asyncio.gather(*(person(number, tables) for number in range(30)))

    asyncio.run(asyncio.wait_for(party(), 280))


# --- turns of addresses -----------------------------------------------------------------------------------------------


async def stays():
    """Receive nothing: the client waits."""
    await asyncio.Event().wait()


async def gone():
    """Receive that the client has hung up."""
    return {"type": "http.disconnect"}


def test_one_address_has_a_few_pages_under_way_at_a_time_and_others_do_not_wait_for_the_rest():
    async def go():
        under_way, most, may_answer = [0], [0], asyncio.Event()

        async def page(scope, receive, send):
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
            await may_answer.wait()
            under_way[0] -= 1
            await send({"type": "http.response.start", "status": 200, "headers": []})

        limits, sent = Limits(Limiter(Clock())), []
        route = LimitedRoute(page, limits, "/rules", lambda _: False)

        async def ask(address):
            async def send(_):
                sent.append(address)

            await route({"type": "http", "method": "GET", "client": (address, 1)}, stays, send)

        flood = [asyncio.create_task(ask(HOME)) for _ in range(5 * READ_AT_ONCE)]
        await asyncio.sleep(0)
        honest = asyncio.create_task(ask("198.51.100.9"))
        await asyncio.sleep(0.01)
        assert most[0] == READ_AT_ONCE + 1, "of the flood, and the other one"
        may_answer.set()
        await asyncio.gather(honest, *flood)
        assert len(sent) == len(flood) + 1 and sent.index("198.51.100.9") <= READ_AT_ONCE
        assert not limits.reading.addresses

    asyncio.run(go())


def test_an_address_has_a_few_large_answers_on_their_way():
    async def go():
        may_read = asyncio.Event()

        async def page(scope, receive, send):
            content = b"x" * (3 * PIECE if scope["path"] == "/large" else 9)
            await BlockResponse(blocks(content), "text/plain")(scope, receive, send)

        limits, sent = Limits(Limiter(Clock())), []
        route = LimitedRoute(page, limits, "/rules", lambda _: False)

        async def ask(host, path="/large"):
            async def send(message):
                if path == "/large":
                    await may_read.wait()
                sent.append(message)

            await route(
                {"type": "http", "method": "GET", "path": path, "headers": [], "client": (host, 1)}, stays, send
            )

        hosts = [f"2001:db8:1:{number % 10:x}::1" for number in range(10 * LARGE_OF_ADDRESS)]
        slow = [asyncio.create_task(ask(host)) for host in hosts]
        await asyncio.sleep(0.05)
        refused = [task for task in slow if task.done()]
        assert len(slow) - len(refused) == ADDRESSES_OF_SITE * LARGE_OF_ADDRESS, "of a site"
        assert all(isinstance(task.exception(), Refused) for task in refused), "before anything of it was sent"
        with pytest.raises(Refused):
            await ask(hosts[0])
        await asyncio.wait_for(ask(hosts[0], "/small"), 10)
        may_read.set()
        await asyncio.wait([task for task in slow if task not in refused])
        assert not limits._large._open
        await ask(hosts[0])
        assert b"".join(message.get("body", b"") for message in sent[-3:]) == b"x" * 3 * PIECE

    asyncio.run(go())


def test_a_site_of_ipv6_has_as_many_streams_and_turns_as_some_addresses(monkeypatch):
    monkeypatch.setattr(limits_module, "STREAMS_OF_ADDRESS", 4)
    limits = Limits(Limiter(Clock()))
    scopes = [{"client": (f"2001:db8:1:{network:x}::1", 1)} for network in range(100)]
    with contextlib.ExitStack() as held:
        for scope in scopes:
            with contextlib.suppress(Refused):
                held.enter_context(limits.stream(scope))
        assert limits._streams._open["house"] == 4 * ADDRESSES_OF_SITE
        held.enter_context(limits.stream({"client": ("2001:db8:2::1", 1)}))
    assert not limits._streams._open

    async def turns():
        queues, under_way = AddressQueues(2), []

        async def work(address):
            async with queues.turn(address):
                under_way.append(address)
                await asyncio.sleep(600)

        tasks = [asyncio.create_task(work(counted_address(scope["client"][0]))) for scope in scopes]
        await asyncio.sleep(0.01)
        assert len(under_way) == 2 * ADDRESSES_OF_SITE
        assert not queues.has_free(counted_address("2001:db8:1:ffff::1")) and queues.has_free("192.0.2.1")
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert not queues.addresses

    asyncio.run(turns())


def test_refusals_of_one_address_are_answered_some_at_a_time(web, monkeypatch):
    under_way, most = [0], [0]
    real = ErrorAnswers.refusal

    async def slow(*arguments):
        under_way[0] += 1
        most[0] = max(most)
        most.append(under_way[0])
        await asyncio.sleep(0.001)
        under_way[0] -= 1
        return await real(*arguments)

    monkeypatch.setattr(ErrorAnswers, "refusal", slow)

    async def go(trial):
        transport = httpx.ASGITransport(app=trial.app, client=(HOME, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as flood:
            answers = await asyncio.gather(*[flood.post("/about") for _ in range(3 * REFUSED_AT_ONCE)])
        assert {answer.status_code for answer in answers} == {405}
        assert max(most) == REFUSED_AT_ONCE

    web(go)


def test_a_client_that_reads_slowly_has_no_turn_meanwhile():
    async def go():
        may_read = asyncio.Event()

        async def page(scope, receive, send):
            await send({"type": "http.response.start", "status": 200, "headers": []})

        limits, answered = Limits(Limiter(Clock())), []
        route = LimitedRoute(page, limits, "/rules", lambda _: False)

        async def ask(is_slow):
            async def send(_):
                if is_slow:
                    await may_read.wait()
                answered.append(is_slow)

            await route({"type": "http", "method": "GET", "client": (HOME, 1)}, stays, send)

        slow = [asyncio.create_task(ask(True)) for _ in range(READ_AT_ONCE)]
        await asyncio.sleep(0.01)
        await asyncio.wait_for(ask(False), 10)
        assert answered == [False]
        may_read.set()
        await asyncio.gather(*slow)

    asyncio.run(go())


def test_who_hangs_up_before_the_turn_comes_waits_no_longer():
    async def go():
        may_answer, begun = asyncio.Event(), []

        async def page(scope, receive, send):
            begun.append(receive)
            await may_answer.wait()

        limits = Limits(Limiter(Clock()))
        route = LimitedRoute(page, limits, "/rules", lambda _: False)
        request = {"type": "http", "method": "GET", "client": (HOME, 1)}
        held = [asyncio.create_task(route(dict(request), stays, None)) for _ in range(READ_AT_ONCE)]
        waits = asyncio.create_task(route(dict(request), stays, None))
        await asyncio.sleep(0)
        for _ in range(3):
            with pytest.raises(starlette.requests.ClientDisconnect):
                await asyncio.wait_for(route(dict(request), gone, None), 10)
        assert limits.reading.addresses[HOME].users == READ_AT_ONCE + 1, "those who are still there"
        may_answer.set()
        await asyncio.gather(waits, *held)
        assert begun == (READ_AT_ONCE + 1) * [stays]
        assert not limits.reading.addresses

    asyncio.run(go())


def test_who_has_had_too_much_waits_without_a_turn():
    async def go():
        limits = Limits(Limiter(Clock()))
        limits.refused_seconds = 600.0

        async def page(scope, receive, send):
            if scope["path"] == "/refused":
                await limits.hold_up(scope)

        route = LimitedRoute(page, limits, "/rules", lambda _: False)
        request = {"type": "http", "method": "GET", "client": (HOME, 1)}
        held = [asyncio.create_task(route({**request, "path": "/refused"}, stays, None)) for _ in range(READ_AT_ONCE)]
        await asyncio.sleep(0.01)
        await asyncio.wait_for(route({**request, "path": "/"}, stays, None), 10)
        for one in held:
            assert one.cancel()
        await asyncio.wait(held)
        assert not limits.reading.addresses

    asyncio.run(go())


def test_a_limit_that_nobody_knows_is_a_mistake_of_ours():
    counting = Limits(Limiter(Clock()))
    assert counting.limiter.limits == names()
    with pytest.raises(KeyError):
        counting.pay("no such cost", address=HOME)
