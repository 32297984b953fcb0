"""Push messages: who is told of what and when; and what people try whose endpoints are not push services."""

import asyncio
import gc
import json
import warnings
from ipaddress import ip_address

import pytest

from conftest import ADDRESS
from in_memory_table import PEOPLE, Sitting
from push_service import PushService, encode
from sarai.table.clock import DAY, ClockRule
from sarai.table.commands import Lend
from sarai.table.refusals import Refused
from sarai.table.service import presence
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.push_subscriptions import PushSubscriptions, Subscription
from sarai.web.cookies import COOKIE, verify
from sarai.web.push import encrypt_and_post, endpoints, subscribe_and_send, turn_messages
from sarai.web.push.encrypt_and_post import Delivery, seconds
from sarai.web.push.endpoints import Endpoints, is_public
from sarai.web.push.message_types import Answer, Message
from sarai.web.push.turn_messages import is_worth_a_message, turn_of
from sarai.web.push.vapid import VapidKey, contact_of
from sarai.web.rate_limits_by_route import COSTS

DAYS = {"kind": "days", "days": 2}
PLACE = "/api/push/subscriptions"
ADA, BAT = PEOPLE[:2]


@pytest.fixture(scope="module")
def shared_service():
    with PushService() as service:
        yield service


@pytest.fixture
def service(shared_service):
    """A push service that has got nothing yet."""
    while not shared_service.requests.empty():
        shared_service.requests.get()
    return shared_service


async def session_of(trial, visitor):
    return await trial.house.sessions.find(verify(trial.site.secret, visitor.http.cookies[COOKIE]))


async def subscribed(visitor, device):
    answer = await visitor.post(PLACE, device.subscription)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Whoever has no page open is gone: the tests do not wait for that."""
    monkeypatch.setattr(presence, "GRACE", 0.0)


async def message_to(service):
    return await asyncio.to_thread(service.next_message)


async def next_round(table, *visitors):
    """Let both play a card, the highest, and whoever has to take a row take one, until both are to play a card."""
    moves = [(await visitor.sees(table))["moves"] for visitor in visitors]
    while True:
        for visitor, known in zip(visitors, moves, strict=True):
            if known:
                assert (await visitor.act(table, {"type": "Move", "move": known[-1]})).is_success
        moves = [(await visitor.sees(table))["moves"] for visitor in visitors]
        if all(moves):
            return


# --- who is told ----------------------------------------------------------------------------------------------------


def test_who_is_away_is_told_of_each_turn_once_and_nothing_of_the_game(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        device = service.device()
        await subscribed(ann, device)
        key = (await ann.get("/api/push")).json()["key"]
        table = await trial.playing(ann, bo, clock=DAYS)
        text, headers, told = await message_to(service)
        assert told is device and headers["sender"] == key
        assert text == {
            "title": "It is your turn: 6 nimmt!",
            "path": f"/tables/{table}",
            "lang": "en",
            "dir": "ltr",
        }
        assert headers["content-encoding"] == "aes128gcm" and 1.9 * DAY < int(headers["ttl"]) <= 2 * DAY
        assert len(headers["topic"]) == 32 and table not in str(headers), "who has the address may come in"
        await bo.act(table, {"type": "Chat", "text": "Where are you?"})
        await next_round(table, ann, bo)
        again, second, _ = await message_to(service)
        assert again == text and second["topic"] == headers["topic"], "the newer takes the place of the older"
        await asyncio.sleep(0.3)
        assert service.requests.empty(), "of one turn nobody is told twice"

    web(go, push=service.settings())


def test_it_is_told_in_the_persons_language_if_it_is_offered(web, service, all_languages):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        await ann.post("/api/me", {"name": "Ann", "language": "fa"})
        await subscribed(ann, service.device())
        await trial.playing(ann, bo, clock=DAYS)
        text, _, _ = await message_to(service)
        assert (text["lang"], text["dir"]) == ("fa", "rtl") and text["title"].startswith("fa·It is your turn")

    web(go, push=service.settings())


def test_who_has_a_page_open_is_told_there(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        devices = [service.device(), service.device()]
        for visitor, device in zip((ann, bo), devices, strict=True):
            await subscribed(visitor, device)
        table = await trial.table(ann, bo, clock=DAYS)
        await trial.house.games.wait("sixnimmt")
        person = await trial.house.people.person((await trial.house.table(table)).seats[0].person)
        await trial.house.arrive(table, person)
        await ann.act(table, {"type": "Start"})
        assert (await message_to(service))[2] is devices[1]
        await asyncio.sleep(0.3)
        assert service.requests.empty()
        await trial.house.leave(table, person)
        await next_round(table, ann, bo)  # whose own card leads to the next turn sees it
        assert (await message_to(service))[2] is devices[0]

    web(go, push=service.settings())


def test_what_is_a_turn_that_somebody_is_told_of():
    for clock, players, wanted in (
        (ClockRule("days", days=2), 2, True),
        (ClockRule("live", 5), 2, False),
        (ClockRule(), 2, True),
    ):
        sitting = Sitting("sixnimmt", players, {"rounds": 1}, clock).begin()
        table = sitting.table
        assert is_worth_a_message(table, ADA.id) is wanted
        assert turn_of(table, ADA.id) == table.last_change_for(0) and turn_of(table, "nobody") is None
        sitting.do(ADA, Lend(0))
        assert turn_of(table, ADA.id) is None, "a bot plays"
        assert turn_of(table, BAT.id) is not None
        table.seats[1].person, table.seats[1].bot = None, "regular"
        assert is_worth_a_message(table, ADA.id) is (clock.kind == "days"), "bots can wait"


def test_a_restart_tells_of_no_turn_twice_and_of_those_that_were_not_told(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        await subscribed(ann, device)
        tables.append(await trial.playing(ann, bo))

    async def told(trial):
        assert (await message_to(service))[0]["path"] == f"/tables/{tables[0]}"

    async def told_once(trial):
        await trial.house.games.wait("sixnimmt")
        await trial.house.table(tables[0])
        await asyncio.sleep(0.4)
        assert service.requests.empty()

    device, tables = service.device(), []
    web(go, push=service.settings(grace=1000.0))
    web(told, push=service.settings())
    web(told_once, push=service.settings())


def test_nobody_is_told_without_end(web, service, monkeypatch):
    monkeypatch.setattr(turn_messages, "LIMIT", (1, 3600.0))

    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        await subscribed(ann, service.device())
        for _ in range(3):
            await trial.playing(ann, bo)
        await message_to(service)
        await asyncio.sleep(0.3)
        assert service.requests.empty()

    web(go, push=service.settings())


# --- services that do not take a message ----------------------------------------------------------------------------


def test_a_subscription_that_has_ended_is_dropped_and_a_busy_service_is_asked_again(web, service, monkeypatch):
    monkeypatch.setattr(turn_messages, "FIRST_PAUSE", 0.05)

    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        once = service.device("once")
        for device in (once, service.device("gone"), service.device("missing"), service.device("forbidden")):
            await subscribed(ann, device)
        table = await trial.playing(ann, bo)
        asked = [(await message_to(service))[2] for _ in range(5)]
        assert asked.count(once) == 2
        kept, person = PushSubscriptions(trial.house.store.engine), (await trial.house.table(table)).seats[0].person
        for _ in range(200):
            left = {found.endpoint.split("/")[3]: found.failures for found in await kept.of(person)}
            if left == {"once": 0, "forbidden": 1}:
                break
            await asyncio.sleep(0.02)
        assert left == {"once": 0, "forbidden": 1}

    web(go, push=service.settings())


def test_a_message_that_the_end_of_the_house_forestalls_leaves_no_warning(web, service):
    async def go(trial):
        messages, begin = trial.site.push._messages, trial.house.start

        def begin_and_close(work):
            task = begin(work)
            task.cancel()  # as the house does when it is closed at this moment
            return task

        trial.house.start = begin_and_close
        messages.turn_began("somebody", "a table")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            running = asyncio.create_task(messages.run())
            while messages._begun:
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.sleep(0.01)
            gc.collect()
        assert [str(warning.message) for warning in told if warning.category is RuntimeWarning] == []

    web(go, push=service.settings())


@pytest.mark.parametrize("reason", ["database_away", "database_busy"])
def test_a_turn_that_begins_while_the_database_is_away_is_told_of_later(web, service, monkeypatch, caplog, reason):
    monkeypatch.setattr(turn_messages, "AGAIN", 0.05)

    async def go(trial):
        subscriptions, asked = trial.site.push._messages._subscriptions, []
        find = subscriptions.of

        async def find_when_it_is_back(person):
            asked.append(person)
            if len(asked) < 3:
                raise StorageFailed(reason)
            return await find(person)

        subscriptions.of = find_when_it_is_back
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        await subscribed(ann, service.device())
        await trial.playing(ann, bo, clock=DAYS)
        assert (await message_to(service))[0]["title"] == "It is your turn: 6 nimmt!"
        assert len(asked) > 2 and "a push message" not in caplog.text

    web(go, push=service.settings())


def test_turns_that_wait_to_be_told_leave_the_connections_of_the_database_to_requests(web, service):
    async def go(trial):
        messages, under_way = trial.site.push._messages, []
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo, clock=DAYS)
        release, person = asyncio.Event(), (await trial.house.table(table)).seats[0].person

        async def find_slowly(person):
            under_way.append(person)
            await release.wait()
            return []

        messages._subscriptions.of = find_slowly
        messages._is_here = lambda _: False
        telling = [asyncio.create_task(messages._tell(person, table)) for _ in range(30)]
        await asyncio.sleep(0.05)
        assert len(under_way) == turn_messages.LOOKUPS
        release.set()
        await asyncio.gather(*telling)
        assert len(under_way) == 30

    web(go, push=service.settings())


def test_a_slow_service_holds_up_nobody(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        for _ in range(3):
            await subscribed(ann, service.device("slow"))
        quick = service.device()
        await subscribed(bo, quick)
        table = await trial.playing(ann, bo)
        assert quick in [(await message_to(service))[2] for _ in range(4)]
        await next_round(table, bo, ann)
        assert (await message_to(service))[2] is quick

    web(go, push=service.settings())


def post(service, device, **settings):
    """Post a message to a device; return the answer, and how long it took by the loop's clock."""

    async def go():
        options = service.settings()
        key = VapidKey("1" * 64, options.contact)
        sender = Delivery(key, settings.get("endpoints", options.endpoints), settings.get("tls", options.tls))
        keys = device.subscription["keys"]
        subscription = Subscription("id", device.endpoint, keys["p256dh"], keys["auth"])
        return await sender.post(subscription, Message(b"{}", 60, "topic"))

    return asyncio.run(asyncio.wait_for(go(), 60))


def test_a_redirect_is_not_followed(service):
    assert post(service, service.device("redirect")) == Answer(307)
    assert service.requests.qsize() == 1


def test_who_does_not_answer_is_left(service, monkeypatch):
    monkeypatch.setattr(encrypt_and_post, "TOTAL_SECONDS", 0.3)
    assert post(service, service.device("slow")) == Answer(0)


@pytest.mark.parametrize("how", ["headers", "body"])
def test_an_answer_without_end_is_not_read(service, how):
    service.flooded = 0
    assert post(service, service.device(how)).status in (0, 201)
    assert service.flooded < 20_000_000


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(service):
    assert post(service, service.device(), tls=None) == Answer(0)
    assert service.requests.empty()


def test_a_name_that_means_another_address_later_is_not_connected_to(service, monkeypatch):
    monkeypatch.setattr(endpoints, "look_up", lambda _: ["127.0.0.1"])
    assert post(service, service.device()) == Answer(201)
    assert post(service, service.device(), endpoints=Endpoints(ports=None)) == Answer(0)
    assert service.requests.qsize() == 1
    asked = []
    monkeypatch.setattr(endpoints, "look_up", lambda host: asked.append(host) or ["127.0.0.1"])
    monkeypatch.setattr("socket.getaddrinfo", lambda host, *_, **__: pytest.fail(f"{host} was looked up again"))
    post(service, service.device())
    assert asked == ["localhost"], "the address that was checked is the one that is connected to"


def test_how_long_a_service_makes_us_wait():
    assert [seconds(text) for text in (b"120", b"", b"-1", b"Wed, 21 Oct 2026 07:28:00 GMT", b"9" * 20, b"999999")] == [
        120,
        0,
        0,
        0,
        0,
        encrypt_and_post.LONGEST_RETRY,
    ]


# --- endpoints that are none ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/x",
        "https://127.0.0.1/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://[::1]/x",
        "https://push.example:8443/x",
        "https://push.example:22/x",
        "https://user@push.example/x",
        "https://push.example@127.0.0.1/x",
        "https://push.example\\@127.0.0.1/x",
        "https://push.example/x y",
        "https://push.example/x\r\nhost: other",
        "https://push.example/x#part",
        "https://push.example",
        "https:///x",
        "file:///etc/passwd",
        "https://push.example/" + "x" * 1024,
    ],
)
def test_what_has_not_the_form_of_an_endpoint_is_refused(endpoint):
    with pytest.raises(Refused) as error:
        Endpoints().target(endpoint)
    assert error.value.key == "push_endpoint"


@pytest.mark.parametrize(
    ("address", "is_ours"),
    [
        ("142.250.1.95", True),
        ("2a00:1450:4001:82a::200a", True),
        ("64:ff9b::8efa:15f", True),  # a public address behind NAT64
        ("64:ff9b::7f00:1", False),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("::7f00:1", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fec0::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:142.250.1.95", False),
        ("2002:7f00:1::", False),
    ],
)
def test_only_public_addresses_are_posted_to(address, is_ours):
    assert is_public(ip_address(address)) is is_ours


@pytest.mark.parametrize(
    ("found", "status"),
    [(["142.250.1.95"], 201), (["142.250.1.95", "127.0.0.1"], 422), (["::ffff:10.0.0.1"], 422), ([], 422), (None, 422)],
)
def test_a_subscription_is_refused_if_any_address_of_its_host_is_not_public(web, service, monkeypatch, found, status):
    def look_up(host):
        if found is None:
            raise OSError("not known")
        return found

    async def go(trial):
        ann = await trial.visitor().named("Ann")
        wanted = {**service.device().subscription, "endpoint": "https://push.example/x"}
        answer = await ann.post(PLACE, wanted)
        assert answer.status_code == status and (status == 201 or answer.json()["reason"] == "push_endpoint")
        assert (await ann.post(PLACE, {**wanted, "endpoint": "https://localhost/x"})).status_code == status

    monkeypatch.setattr(endpoints, "look_up", look_up)
    web(go)


def test_a_name_of_this_machine_is_refused(web, service):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        answer = await ann.post(PLACE, {**service.device().subscription, "endpoint": "https://localhost/x"})
        assert (answer.status_code, answer.json()["reason"]) == (422, "push_endpoint")

    web(go)


# --- subscriptions --------------------------------------------------------------------------------------------------


def test_keys_have_their_form(web, service):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        good = service.device().subscription
        off_curve = encode(b"\x04" + b"\x01" * 64)
        for name, values in {
            "p256dh": ["", "x", good["keys"]["auth"], off_curve, good["keys"]["p256dh"] * 40, "é"],
            "auth": ["", "AAAA", good["keys"]["p256dh"]],
        }.items():
            for value in values:
                answer = await ann.post(PLACE, {**good, "keys": {**good["keys"], name: value}})
                assert (answer.status_code, answer.json()["reason"]) == (422, "push_keys"), (name, value)
        for wrong in ({}, {"endpoint": good["endpoint"]}, {**good, "keys": None}, [good]):
            answer = await ann.post(PLACE, wrong)
            assert (answer.status_code, answer.json()["reason"]) == (422, "bad_json")
        large = await ann.post(PLACE, {**good, "more": "x" * 70_000})
        assert (large.status_code, large.json()["reason"]) == (413, "too_large")

    web(go, push=service.settings())


def test_only_a_known_visitor_of_our_own_pages_subscribes_and_only_the_owner_unsubscribes(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        device = service.device()
        assert (await trial.visitor().post(PLACE, device.subscription)).status_code == 401
        assert (await ann.post(PLACE, device.subscription, origin="http://evil.example")).status_code == 403
        id = await subscribed(ann, device)
        assert await subscribed(ann, device) == id
        kept = PushSubscriptions(trial.house.store.engine)
        owner = await trial.house.people.person((await session_of(trial, ann)).person)
        place, origin = f"{PLACE}/{id}", {"origin": ADDRESS}
        assert (await bo.http.delete(place, headers=origin)).status_code == 200
        assert len(await kept.of(owner.id)) == 1
        assert (await ann.http.delete(place, headers={"origin": "http://evil.example"})).status_code == 403
        assert (await trial.visitor().http.delete(place, headers=origin)).status_code == 401
        assert (await ann.http.delete(place, headers=origin)).json() == {"id": id}
        assert await kept.of(owner.id) == []

    web(go, push=service.settings())


def test_nobody_subscribes_without_end(web, service):
    async def go(trial):
        most = COSTS["subscription"].person.most
        ann = await trial.visitor().named("Ann")
        answers = [await ann.post(PLACE, service.device().subscription) for _ in range(most + 1)]
        assert [answer.status_code for answer in answers] == [201] * most + [429]

    web(go, push=service.settings())


# --- the house ------------------------------------------------------------------------------------------------------


def test_the_key_is_made_at_the_first_start_and_kept(web):
    async def go(trial):
        return (await trial.visitor().get("/api/push")).json()["key"]

    first = web(go)
    assert len(first) == 87 and web(go) == first


def test_every_secret_makes_a_key_of_the_curve():
    keys = {VapidKey(secret, "mailto:a@b.example").public for secret in ("0" * 64, "f" * 64, "8" * 64)}
    assert len(keys) == 3


def test_whom_services_may_write_to():
    assert contact_of("https://play.example.org:8443/sarai") == "https://play.example.org"
    assert contact_of("http://play.example.org") == contact_of(None) == "mailto:nobody@example.org"
    assert contact_of("https://play.example.org", "mailto:ann@example.org") == "mailto:ann@example.org"
    for wrong in ("ann@example.org", "http://play.example.org", "mailto:ann", "mailto:a@b.example\n"):
        with pytest.raises(Refused) as error:
            contact_of(None, wrong)
        assert error.value.key == "bad_push_contact"


def test_without_the_extra_the_house_works_and_says_what_is_possible(web, monkeypatch):
    monkeypatch.setattr(subscribe_and_send, "find_spec", lambda _: None)

    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo, clock=DAYS)
        await next_round(table, ann, bo)
        for answer in (
            await ann.get("/api/push"),
            await ann.post(PLACE, {"endpoint": "", "keys": {"p256dh": "", "auth": ""}}),
        ):
            assert (answer.status_code, answer.json()["reason"]) == (404, "no_push")
        page = (await ann.get("/settings")).text
        assert "This house cannot do that" in page and "push.js" not in page and 'id="push"' not in page

    web(go)


def test_the_settings_say_what_is_possible_without_script_and_without_a_name(web):
    async def go(trial):
        assert "Give your name first." in (await trial.visitor().get("/settings")).text
        page = (await (await trial.visitor().named("Ann")).get("/settings")).text
        assert "<noscript><p>This needs JavaScript.</p></noscript>" in page
        section = page.partition('id="push"')[2].partition("</section>")[0]
        assert section.count("data-state=") == 6 and section.count(" hidden>") == 7

    web(go)


def test_nothing_of_a_subscription_is_shown_to_others(web, service):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        device = service.device()
        id = await subscribed(ann, device)
        table = await trial.playing(ann, bo, public=True)
        for visitor in (ann, bo, trial.visitor()):
            for path in (f"/tables/{table}", f"/api/tables/{table}", "/settings", "/me", "/mine", "/api/me"):
                text = (await visitor.get(path)).text
                assert id not in text and json.dumps(device.endpoint) not in text

    web(go, push=service.settings())


def test_a_session_that_is_ended_takes_its_subscription_along(web, service):
    async def go(trial):
        ann, phone = await trial.visitor().named("Ann"), trial.visitor()
        token = (await ann.post("/api/me/link", {})).json()["token"]
        await phone.post("/api/me/redeem", {"token": token})
        await subscribed(ann, service.device())
        await subscribed(phone, service.device())
        kept, owner = PushSubscriptions(trial.house.store.engine), (await session_of(trial, ann)).person
        assert len(await kept.of(owner)) == 2
        await ann.http.delete("/api/me/sessions", headers={"origin": ADDRESS})
        assert len(await kept.of(owner)) == 1, "a device that was signed out hears nothing any more"

    web(go, push=service.settings())
