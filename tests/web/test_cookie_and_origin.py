"""With an https public URL: a cookie that only this host can set, the old one taken once, and one origin."""

import httpx
import pytest
from sqlalchemy import update

from sarai.table.storage.schema import people
from sarai.web import cookies
from sarai.web.app import make_app
from sarai.web.cookies import COOKIE, HOST_COOKIE, LONGEST, sign, verify
from sarai.web.site import origin_of

PUBLIC = "https://play.example.org"


def browser(house, **cookies):
    transport = httpx.ASGITransport(app=make_app(house.site))
    return httpx.AsyncClient(transport=transport, base_url=PUBLIC, headers={"origin": PUBLIC}, cookies=cookies)


def test_the_cookie_is_of_this_host_only(web):
    async def go(house):
        async with browser(house) as ann:
            answer = await ann.post("/api/me", json={"name": "Ann"})
            assert answer.status_code == 201
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith(f"{HOST_COOKIE}=") and "Domain" not in cookie
            assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
            assert (await ann.get("/api/me")).json()["name"] == "Ann"

    web(go, public_url=PUBLIC)


async def known_before_sessions(house, name):
    """Return a person of a database from before there were sessions."""
    person = await house.house.people.new_person(name)
    async with house.house.store.engine.begin() as connection:
        await connection.execute(update(people).where(people.c.id == person.id).values(old_cookies=True))
    return person


@pytest.mark.parametrize("path", ["/", "/api/me", "/mine", "/settings"])
def test_the_old_cookie_is_taken_once_and_replaced(web, path):
    async def go(house):
        person, other = await known_before_sessions(house, "Ann"), await known_before_sessions(house, "Bo")
        async with browser(house, **{COOKIE: sign(house.site.secret, person.id)}) as ann:
            answer = await ann.get(path)
            assert answer.status_code == 200
            new, gone = answer.headers.get_list("set-cookie")
            assert new.startswith(f"{HOST_COOKIE}=") and "Secure" in new and person.id not in new
            assert gone.startswith(f'{COOKIE}=""') and "Max-Age=0" in gone
            new = new.partition("=")[2].partition(";")[0]
        both = {COOKIE: sign(house.site.secret, other.id), HOST_COOKIE: new}
        async with browser(house, **both) as ann:
            answer = await ann.get("/api/me")
            assert answer.json()["name"] == "Ann" and "set-cookie" not in answer.headers, "the old one counts no more"

    web(go, public_url=PUBLIC)


def test_nobody_becomes_another_by_a_cookie_that_a_neighbouring_host_can_set(web):
    async def go(house):
        async with browser(house) as eve:
            await eve.post("/api/me", json={"name": "Eve"})
            own = eve.cookies[HOST_COOKIE]
        async with browser(house, **{COOKIE: own}) as victim:  # a page of example.org sets it for all its hosts
            assert (await victim.get("/api/me")).status_code == 401
        token = verify(house.site.secret, own, HOST_COOKIE)
        async with browser(house, **{HOST_COOKIE: sign(house.site.secret, token)}) as eve:
            assert (await eve.get("/api/me")).json()["name"] == "Eve", "one from before they were told apart"

    web(go, public_url=PUBLIC)


def test_a_forged_cookie_is_taken_off_under_both_names(web):
    async def go(house):
        for name in (COOKIE, HOST_COOKIE):
            async with browser(house, **{name: "forged.x"}) as ann:
                answer = await ann.get("/api/me")
                assert answer.status_code == 401
                taken = answer.headers.get_list("set-cookie")
                assert {cookie.partition("=")[0] for cookie in taken} == {COOKIE, HOST_COOKIE}
                assert all("Secure" in cookie for cookie in taken)

    web(go, public_url=PUBLIC)


def test_long_cookies_that_others_make_up_are_not_kept():
    before = cookies._verify.cache_info().currsize
    for number in range(10):
        assert verify(b"secret", f"{number}{'x' * LONGEST}.x") is None
    assert cookies._verify.cache_info().currsize == before
    assert verify(b"secret", sign(b"secret", "text")) == "text"


def test_without_https_the_cookie_is_as_before(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        assert set(ann.http.cookies) == {COOKIE}

    web(go)


def test_only_pages_of_the_public_address_change_anything(web):
    async def go(house):
        async with browser(house) as ann:
            for origin, host in (
                ("http://play.example.org", "play.example.org"),
                ("https://play.example.org:8443", "play.example.org:8443"),
                ("https://rebound.evil.example", "rebound.evil.example"),
                ("http://127.0.0.1:8080", "127.0.0.1:8080"),
                ("null", "null"),
            ):
                answer = await ann.post("/api/me", json={"name": "Ann"}, headers={"origin": origin, "host": host})
                assert (answer.status_code, answer.json()["reason"]) == (403, "bad_origin"), origin
            inside = {"host": "127.0.0.1:8080"}  # as a proxy may pass it on
            assert (await ann.post("/api/me", json={"name": "Ann"}, headers=inside)).status_code == 201

    web(go, public_url=PUBLIC)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Play.Example.org", "https://play.example.org"),
        ("https://play.example.org:443/", "https://play.example.org"),
        ("http://play.example.org:8080", "http://play.example.org:8080"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_origin_of_an_address_is_written_as_browsers_do(url, origin):
    assert origin_of(url) == origin
