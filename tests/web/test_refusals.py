"""What bad input gets: the right status, a reason key, a sentence; and nothing changes."""

import httpx
import pytest

from sarai.core.errors import REASONS
from sarai.web.cookies import COOKIE, sign
from sarai.web.request_body import LARGEST_BODY
from sarai.web.site_refusal_reasons import STATUS


def refused(answer, status, reason):
    assert (answer.status_code, answer.json()["reason"]) == (status, reason), answer.text
    assert answer.json()["sentence"]
    return answer.json()


def test_every_refusal_has_a_status_and_a_sentence():
    assert set(STATUS) <= set(REASONS)
    assert set(STATUS.values()) <= {401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503, 507}


def test_nobody_plays_without_a_name(web):
    async def go(house):
        ann, stranger = await house.visitor().named("Ann"), house.visitor()
        table = await house.table(ann, await house.visitor().named("Bo"))
        refused(await stranger.act(table, {"type": "Chat", "text": "hi"}), 401, "no_identity")
        refused(await stranger.get("/api/me"), 401, "no_identity")
        refused(await stranger.get("/api/me/tables"), 401, "no_identity")
        refused(await stranger.post("/api/tables", {"game": "desert", "players": 2}), 401, "no_identity")
        assert (await stranger.form(f"/tables/{table}/act", {"type": "Chat", "text": "hi"})).status_code == 401
        assert (await ann.sees(table))["chat"] == []

    web(go)


def test_a_forged_cookie_is_nobodys(web):
    async def go(house):
        ann, liar = await house.visitor().named("Ann"), house.visitor()
        table = await house.table(ann, await house.visitor().named("Bo"))
        real = ann.http.cookies[COOKIE]
        for forged in (
            "x",
            "x.y",
            real[:-1] + ("A" if real[-1] != "A" else "B"),
            "é.é",
            sign(b"another secret", real.partition(".")[0]),
            sign(house.site.secret, "nobody"),
            sign(house.site.secret, "a" * 22),  # as cookies were before, but of nobody
            sign(house.site.secret, "a" * 32),
        ):
            liar.http.cookies.clear()
            liar.http.headers["cookie"] = f"{COOKIE}={forged}"
            number = (await ann.sees(table))["number"]
            reason = "session_ended" if forged.startswith(("nobody", "a" * 22)) else "bad_identity"
            refused(await liar.act(table, {"type": "Chat", "text": "hi"}), 401, reason)
            refused(await liar.get(f"/api/tables/{table}"), 401, reason)
            page = await liar.get(f"/tables/{table}")
            assert page.status_code == 200 and f"{COOKIE}=" in page.headers["set-cookie"], "it is taken off"
            assert (await ann.sees(table))["number"] == number

    web(go)


def test_other_sites_cannot_act(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        table = await house.table(ann, await house.visitor().named("Bo"))
        body = {"command": {"type": "Chat", "text": "hi"}}
        for headers in ({"origin": "http://evil.test"}, {"origin": "null"}, {"origin": "http://house.test.evil.test"}):
            refused(await ann.post(f"/api/tables/{table}/act", body, **headers), 403, "bad_origin")
            assert (await ann.form("/play", {"game": "desert"}, **headers)).status_code == 403
        cross = await ann.http.post(f"/api/tables/{table}/act", json=body, headers={"sec-fetch-site": "cross-site"})
        refused(cross, 403, "bad_origin")
        assert (await ann.http.post(f"/api/tables/{table}/act", json=body)).status_code == 200, (
            "programs send no origin"
        )
        assert len((await ann.sees(table))["chat"]) == 1

    web(go)


def test_what_is_not_there_is_404(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        for path in (
            "/api/tables/0123456789",
            "/api/tables/x",
            "/api/tables/0123456789/moves",
            "/api/tables/0123456789/record",
            "/api/tables/%3Cscript%3E",
        ):
            refused(await ann.get(path), 404, "no_such_table")
        refused(await ann.get("/api/nothing"), 404, "no_such_page")
        refused(await ann.act("0123456789", {"type": "Sit"}), 404, "no_such_table")
        refused(await ann.post("/api/play", {"game": "chess"}), 404, "unknown_game")
        refused(await ann.post("/api/me/redeem", {"token": "x"}), 404, "bad_token")
        for path in ("/tables/0123456789", "/nothing", "/rules/chess", "/tables/0123456789/stream"):
            answer = await ann.get(path)
            assert answer.status_code == 404 and "<h1>" in answer.text
        assert (await ann.http.delete("/api/me")).status_code == 405

    web(go)


def test_moves_are_refused_with_their_reason(web):
    async def go(house):
        ann, bo, cem = [await house.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await house.playing(ann, bo)
        told = await ann.sees(table)
        number, move = told["number"], told["moves"][0]
        strange = next(card for card in range(104) if card not in told["moves"])
        refused(await cem.act(table, {"type": "Move", "move": move}), 403, "not_seated")
        refused(await ann.act(table, {"type": "Move", "move": strange}, number=number), 422, "card_not_in_hand")
        refused(await ann.act(table, {"type": "Move", "move": 9999}), 422, "unknown_move")
        assert (await ann.form(f"/tables/{table}/act", {"type": "Move", "move": str(strange)})).status_code == 422
        assert (await ann.sees(table))["number"] == number
        done = await ann.act(table, {"type": "Move", "move": move}, key="one", number=number)
        assert done.status_code == 200
        again = await ann.act(table, {"type": "Move", "move": move}, key="one", number=number)
        assert (again.status_code, again.json()) == (200, done.json()), "the same key does nothing twice"
        refused(await ann.act(table, {"type": "Move", "move": told["moves"][1]}), 409, "not_your_turn")
        await bo.act(table, {"type": "Move", "move": (await bo.sees(table))["moves"][0]})
        late = refused(await ann.act(table, {"type": "Move", "move": told["moves"][1]}, number=number), 409, "stale")
        assert late["number"] == (await ann.sees(table))["number"]

    web(go)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"command": 3}',
        b'{"command": {"type": "Fly"}}',
        b'{"command": {"type": "Move"}}',
        b'{"command": {"type": "Move", "move": "1"}}',
        b'{"command": {"type": "Sit", "more": 1}}',
        b"\xff\xfe",
        b'{"command": {"type": "Sit", "seat": 1e400}}',
        b"[" * 30_000,
        b'{"command": {"type": "Sit"}, "key": ""}',
    ],
    ids=range(13),
)
def test_bad_json_is_422(web, body):
    async def go(house):
        ann = await house.visitor().named("Ann")
        table = await house.table(ann, await house.visitor().named("Bo"))
        answer = await ann.http.post(
            f"/api/tables/{table}/act", content=body, headers={"content-type": "application/json"}
        )
        refused(answer, 422, "bad_json")

    web(go)


def test_bodies_are_of_the_right_type_and_not_too_large(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        table = await house.table(ann, await house.visitor().named("Bo"))
        place = f"/api/tables/{table}/act"
        refused(await ann.http.post(place, content=b"{}", headers={"content-type": "text/plain"}), 415, "wrong_type")
        refused(
            await ann.http.post(place, content=b"x" * (LARGEST_BODY + 1), headers={"content-type": "application/json"}),
            413,
            "too_large",
        )

        async def endless():
            for _ in range(100):
                yield b" " * 1024

        refused(
            await ann.http.post(place, content=endless(), headers={"content-type": "application/json"}),
            413,
            "too_large",
        )
        assert (
            await ann.http.post(f"/tables/{table}/act", content=b"{}", headers={"content-type": "application/json"})
        ).status_code == 415
        assert (await ann.form(f"/tables/{table}/act", {"type": "Fly"})).status_code == 422

    web(go)


BAD_NAMES = {
    "": "name_empty",
    "   ": "name_empty",
    "\u202eevil": "name_unprintable",
    "a\u2066b": "name_unprintable",
    "a\x00b": "name_unprintable",
    "<b>bold</b>": "name_markup",
    "<script>alert(1)</script>": "name_too_long",
    "x" * 25: "name_too_long",
}


@pytest.mark.parametrize("name", BAD_NAMES, ids=range(len(BAD_NAMES)))
def test_names_that_would_disturb_a_page_are_refused(web, name):
    async def go(house):
        ann = house.visitor()
        refused(await ann.post("/api/me", {"name": name}), 422, BAD_NAMES[name])
        assert (await ann.form("/me", {"name": name})).status_code == 422
        refused(await ann.get("/api/me"), 401, "no_identity")

    web(go)


def test_what_people_write_stays_text(web):
    async def go(house):
        ann = await house.visitor().named("A&\"b'{{7*7}}")
        table = await house.table(ann, await house.visitor().named("Bo"))
        await ann.act(table, {"type": "Chat", "text": "<img src=x onerror=alert(1)> {number}"})
        page = (await ann.get(f"/tables/{table}")).text
        assert "<img src=x" not in page and "&lt;img src=x onerror=alert(1)&gt; {number}" in page
        assert "A&amp;&#34;b&#39;{{7*7}}" in page or "A&amp;&quot;b&#x27;{{7*7}}" in page

    web(go)


def test_a_flood_of_talk_is_stopped_and_somebody_can_be_muted(web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.table(ann, bo)
        answers = [await ann.act(table, {"type": "Chat", "text": f"line {n}"}) for n in range(8)]
        assert [answer.status_code for answer in answers[:5]] == [200] * 5
        refused(answers[-1], 429, "chat_flood")
        assert (await ann.form(f"/tables/{table}/act", {"type": "Chat", "text": "more"})).status_code == 429
        guest = (await bo.sees(table))["chat"][0]["guest"]
        await bo.act(table, {"type": "Mute", "guest": guest})
        assert (await bo.sees(table))["chat"] == []
        assert (
            "line 1" not in (await bo.get(f"/tables/{table}")).text
            and "line 1" in (await ann.get(f"/tables/{table}")).text
        )

    web(go)


def test_tables_that_cannot_be_are_refused(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        refused(await ann.post("/api/tables", {"game": "sixnimmt", "players": 99}), 422, "wrong_player_count")
        refused(
            await ann.post("/api/tables", {"game": "sixnimmt", "players": 2, "options": {"nonsense": 1}}),
            422,
            "unknown_option",
        )
        refused(
            await ann.post("/api/tables", {"game": "sixnimmt", "players": 2, "bots": ["regular", "regular"]}),
            422,
            "too_many_bots",
        )
        refused(
            await ann.post("/api/tables", {"game": "sixnimmt", "players": 2, "bots": ["genius"]}), 422, "unknown_level"
        )
        refused(
            await ann.post("/api/tables", {"game": "sixnimmt", "players": 2, "clock": {"kind": "sand"}}),
            422,
            "bad_clock",
        )
        form = {"game": "sixnimmt", "players": "2", "bots": "0"}
        for bad in ({"players": "x"}, {"bots": "-1"}, {"clock": "sand"}, {"option-target": "0"}, {"bots": "2"}):
            assert (await ann.form("/tables", form | bad)).status_code == 422, bad
        assert (await ann.get("/api/me/tables")).json() == []

    web(go)


def test_a_refusal_speaks_the_visitors_language_and_is_a_page_for_people(web, all_languages):
    async def go(house):
        ann = house.visitor()
        page = await ann.get("/tables/0123456789?lang=fa")
        assert page.status_code == 404 and 'dir="rtl"' in page.text and "fa·There is no such table." in page.text
        assert isinstance(page, httpx.Response) and page.headers["content-type"].startswith("text/html")

    web(go)


def test_a_mistake_of_the_house_is_said_to_be_one(web, monkeypatch, caplog):
    async def go(house):
        ann = house.visitor()

        async def broken(**more):
            raise RuntimeError("secret detail")

        monkeypatch.setattr(house.house, "tables", broken)
        answer = await ann.get("/api/tables")
        refused(answer, 500, "house_mistake")
        assert "secret detail" not in answer.text and answer.headers["x-content-type-options"] == "nosniff"

    web(go)
    assert "secret detail" in caplog.text
