"""The page and the interface by which people get their data, or have it erased."""

from sarai.web.cookies import COOKIE


def test_people_get_their_data_as_a_file(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.table(ann, bo)
        await ann.act(table, {"type": "Chat", "text": "my own words"})
        for path in ("/me/data", "/api/me/data"):
            answer = await ann.get(path)
            assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
            assert answer.json()["name"] == "Ann" and "my own words" in answer.text
            assert "Bo" not in answer.text.replace(table, "")  # an id may hold any letters
            assert (await trial.visitor().get(path)).status_code == 401
        assert 'href="/me/data"' in (await ann.get("/me")).text

    web(go)


def test_nobody_is_erased_without_the_own_name(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        for wrong in ("", "ann", "Bo"):
            answer = await ann.post("/api/me/erase", {"name": wrong})
            assert (answer.status_code, answer.json()["reason"]) == (422, "erase_unsure")
        assert (await ann.form("/me/erase", {"name": "x"})).status_code == 422
        assert (await ann.form("/me/erase", {"name": "Ann"}, origin="http://evil.example")).status_code == 403
        assert (await ann.get("/api/me")).json()["name"] == "Ann"

    web(go)


def test_who_is_erased_is_signed_out_everywhere_and_shown_nowhere(web):
    async def go(trial):
        ann, bo, phone = await trial.visitor().named("Ann"), await trial.visitor().named("Bo"), trial.visitor()
        table = await trial.table(ann, bo)
        await ann.act(table, {"type": "Chat", "text": "my own words"})
        token = (await ann.post("/api/me/link", {})).json()["token"]
        await phone.post("/api/me/redeem", {"token": token})
        late = (await ann.post("/api/me/link", {})).json()["token"]
        assert ">Ann<" in (await bo.get(f"/tables/{table}")).text
        answer = await ann.form("/me/erase", {"name": "Ann"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/") and COOKIE not in ann.http.cookies
        assert (await phone.get("/api/me")).status_code == 401
        assert (await trial.visitor().post("/api/me/redeem", {"token": late})).status_code == 404
        for path in (f"/tables/{table}", f"/api/tables/{table}", "/mine"):
            answer = await bo.get(path)
            text = answer.text.replace(table, "")
            assert answer.status_code == 200 and "Ann" not in text and "my own words" not in text
        assert (await bo.act(table, {"type": "Chat", "text": "bye"})).status_code == 200

    web(go)
