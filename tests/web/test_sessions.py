"""Sessions: listed, ended at once and everywhere, not made up, and not paid for with a query."""

import asyncio

import pytest
from sqlalchemy import event, update

from conftest import ADDRESS
from sarai.table.storage.schema import people
from sarai.web.cookies import COOKIE, sign, verify
from sarai.web.user_agent import device_name

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def second_device(trial, person):
    """Return another browser of a person, by a link."""
    other, token = trial.visitor(), (await person.post("/api/me/link", {})).json()["token"]
    assert (await other.post("/api/me/redeem", {"token": token})).status_code == 200
    return other


async def end(visitor, id=""):
    return await visitor.http.delete(f"/api/me/sessions{id and '/'}{id}", headers={"origin": ADDRESS})


async def listed(visitor):
    return (await visitor.get("/api/me/sessions")).json()


def test_sessions_are_listed_and_ended_one_by_one_and_all_others(web):
    async def go(trial):
        ann, bo = trial.visitor(), await trial.visitor().named("Bo")
        ann.http.headers["user-agent"] = FIREFOX
        await ann.named("Ann")
        assert [(one["device"], one["current"]) for one in await listed(ann)] == [("Firefox, Linux", True)]
        phone, tablet, stolen = [await second_device(trial, ann) for _ in range(3)]
        ids = {one["id"] for one in await listed(ann)}
        assert len(ids) == 4 and (await listed(ann))[0]["current"]
        (gone,) = [one["id"] for one in await listed(stolen) if one["current"]]
        assert (await end(bo, gone)).status_code == 404, "only one's own"
        assert (await end(ann, "nothing")).status_code == 404
        left = (await end(ann, gone)).json()
        assert {one["id"] for one in left} == ids - {gone}
        answer = await stolen.post("/api/me", {"name": "Me"})
        assert (answer.status_code, answer.json()["reason"]) == (401, "session_ended")
        assert COOKIE not in stolen.http.cookies and (await stolen.get("/api/me")).json()["reason"] == "no_identity"
        assert (await phone.get("/api/me")).json()["name"] == (await tablet.get("/api/me")).json()["name"] == "Ann"
        assert len((await end(phone)).json()) == 1
        assert {(await one.get("/api/me")).status_code for one in (ann, tablet)} == {401}
        (own,) = [one["id"] for one in await listed(phone)]
        assert (await end(phone, own)).status_code == 200 and COOKIE not in phone.http.cookies

    web(go)


@pytest.mark.parametrize("how", ["all others", "that one"])
def test_who_is_signed_out_does_not_come_back_by_a_link_made_before(web, how):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        stolen = await second_device(trial, ann)
        (id,) = [one["id"] for one in await listed(stolen) if one["current"]]
        link, other = [(await one.post("/api/me/link", {})).json()["token"] for one in (stolen, bo)]
        assert (await end(ann, id if how == "that one" else "")).status_code == 200
        answer = await trial.visitor().post("/api/me/redeem", {"token": link})
        assert (answer.status_code, answer.json()["reason"]) == (404, "bad_token")
        assert (await trial.visitor().post("/api/me/redeem", {"token": other})).status_code == 200, "others keep theirs"

    web(go)


def test_the_page_lists_sessions_and_ends_them_without_a_script(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        phone = await second_device(trial, ann)
        page = (await ann.get("/me")).text
        assert page.count('action="/me/sessions"') == 3 and "this one" in page
        answer = await ann.form("/me/sessions", {"end": "others"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/me")
        assert (await phone.get("/api/me")).status_code == 401
        (own,) = await listed(ann)
        answer = await ann.form("/me/sessions", {"end": own["id"]})
        assert answer.headers["location"] == "/" and (await ann.get("/api/me")).status_code == 401
        assert (await trial.visitor().form("/me/sessions", {"end": "others"})).status_code == 401

    web(go)


def test_a_cookie_holds_nothing_by_which_somebody_is_known_elsewhere(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        token = verify(trial.site.secret, ann.http.cookies[COOKIE])
        session = await trial.house.sessions.find(token)
        assert session.person not in ann.http.cookies[COOKIE] and token not in session.id
        for forged in (session.id, session.person, session.id[:32]):  # what the database holds is no cookie
            liar = trial.visitor()
            liar.http.cookies[COOKIE] = sign(trial.site.secret, forged)[: None if len(forged) < 60 else 100]
            assert (await liar.get("/api/me")).status_code == 401

    web(go)


def test_streams_of_an_ended_session_end(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.table(ann, bo)
        phone = await second_device(trial, ann)
        reading = [
            asyncio.create_task(phone.get(path))  # which answers when the stream has ended
            for path in (f"/tables/{table}/stream", f"/api/tables/{table}/numbers", "/notices")
        ]
        own = asyncio.create_task(ann.get("/notices"))
        while len(trial.site.streams) < 4:
            await asyncio.sleep(0.01)
        await end(ann)
        assert [answer.status_code for answer in await asyncio.wait_for(asyncio.gather(*reading), 30)] == [200] * 3
        assert not own.done()
        own.cancel()

    web(go)


def test_a_known_visitor_costs_no_query(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        await ann.get("/api/me")
        queries = []
        event.listen(
            trial.house.store.engine.sync_engine, "before_cursor_execute", lambda *args: queries.append(args[2])
        )
        for _ in range(5):
            assert (await ann.get("/api/me")).status_code == 200
        assert not [query for query in queries if "sessions" in query or "people" in query]

    web(go)


def test_cookies_of_before_are_replaced_until_their_person_ends_them(web):
    async def go(trial):
        person = await trial.house.people.new_person("Ann")
        old = {COOKIE: sign(trial.site.secret, person.id)}
        ann, phone, late = trial.visitor(), trial.visitor(), trial.visitor()
        for one in (ann, phone, late):
            one.http.cookies.update(old)
        assert (await ann.get("/api/me")).status_code == 401, "people who came later never had such a cookie"
        async with trial.house.store.engine.begin() as connection:
            await connection.execute(update(people).where(people.c.id == person.id).values(old_cookies=True))
        ann.http.cookies.update(old)
        phone.http.headers["user-agent"] = FIREFOX
        answers = await asyncio.gather(*(ann.get("/api/me") for _ in range(4)), phone.get("/mine"))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.headers["set-cookie"].partition(";")[0] for answer in answers[:4]}) == 1
        assert len(await listed(ann)) == 2
        await end(ann)
        assert (await late.get("/api/me")).status_code == 401
        assert [one["current"] for one in await listed(ann)] == [True]

    web(go)


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("python-httpx/0.28", ""),
        ("<script>" * 1000, ""),
    ],
)
def test_devices_have_rough_names(user_agent, name):
    assert device_name(user_agent) == name


@pytest.mark.parametrize("ending", ["session", "person"])
def test_a_body_that_is_sent_slowly_does_not_outlive_the_session(web, ending):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        other, table = await second_device(trial, ann), await trial.table(bo, ann)
        body = b'{"command":{"type":"Chat","text":"after the end"}}'

        async def slowly():
            yield body[:-1]
            await (end(ann) if ending == "session" else ann.post("/api/me/erase", {"name": "Ann"}))
            yield body[-1:]

        headers = {"content-type": "application/json", "origin": ADDRESS}
        answer = await other.http.post(f"/api/tables/{table}/act", content=slowly(), headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (401, "session_ended")
        assert not (await trial.house.table(table)).chat

    web(go)


@pytest.mark.parametrize("path", ["/tables/{}/stream", "/api/tables/{}/numbers"])
def test_a_stream_that_is_opened_while_its_session_is_ended_ends(web, monkeypatch, path):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table, phone, look = await trial.table(ann, bo), await second_device(trial, ann), trial.house.look

        async def look_slowly(*asked):
            found = await look(*asked)
            await end(ann)
            return found

        monkeypatch.setattr(trial.house, "look", look_slowly)
        assert (await asyncio.wait_for(phone.get(path.format(table)), 20)).status_code == 200
        assert not trial.site.streams

    web(go)
