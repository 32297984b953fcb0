"""A host's decisions by every channel: pages, streams, JSON, lists, records; and the panel, without a script."""

import asyncio
import html
import re
import tracemalloc

import pytest

from sarai.web.live.host_panel import GuestLine, panel

CHANNELS = ["/tables/{}", "/tables/{}/moves", "/tables/{}/record", "/tables/{}/stream"]
CHANNELS += [f"/api{path}".replace("/stream", "/numbers") for path in CHANNELS]
CHANNELS.append("/tables/{}/why?at=row-1")


async def reasons(visitor, table):
    """Return by channel why a visitor gets nothing of a table; None where they do."""
    found = {}
    for path in CHANNELS:
        if path.endswith(("/stream", "/numbers")):
            try:
                answer = await asyncio.wait_for(visitor.get(path.format(table), headers=JSON), 1.0)
            except TimeoutError:  # it goes on
                continue
        else:
            answer = await visitor.get(path.format(table), headers=JSON)
        found[path] = answer.json()["reason"] if answer.status_code >= 400 else None
    return set(found.values())


JSON = {"accept": "application/json"}


async def done(answer):
    assert (await answer).status_code in (200, 303)


async def gathered(trial, **more):
    ann, bo, cy = [await trial.visitor().named(name) for name in ("Ann", "Bo", "Cy")]
    table = (await ann.post("/api/tables", {"game": "sixnimmt", "players": 3, "public": True, **more})).json()["id"]
    for one in (bo, cy):
        await done(one.act(table, {"type": "Sit"}))
    return table, ann, bo, cy


def test_who_is_banned_gets_nothing_by_any_channel_and_streams_end_at_once(web):
    async def go(trial):
        table, ann, bo, cy = await gathered(trial)
        streams = [
            asyncio.create_task(bo.get(path)) for path in (f"/tables/{table}/stream", f"/api/tables/{table}/numbers")
        ]
        other = asyncio.create_task(cy.get(f"/api/tables/{table}/numbers"))
        while len(trial.site.streams) < 3:
            await asyncio.sleep(0.01)
        await done(ann.act(table, {"type": "Ban", "guest": 1}))
        ended = await asyncio.wait_for(asyncio.gather(*streams), 30)
        assert "event: gone" in ended[0].text and not other.done()
        other.cancel()
        assert await reasons(bo, table) == {"banned"}
        for command in ({"type": "Sit"}, {"type": "Chat", "text": "x"}, {"type": "Mute", "guest": 0}):
            assert (await bo.act(table, command)).json()["reason"] == "banned"
        assert (await bo.form(f"/tables/{table}/sit", {"name": "Bo"}, **JSON)).json()["reason"] == "banned"
        assert (await bo.get("/api/me/tables")).json() == [] and table not in (await bo.get("/mine")).text
        page = await bo.get(f"/tables/{table}")
        assert page.status_code == 403 and "banned you" in page.text
        assert "Ann" not in page.text.replace(table, "")
        await done(ann.act(table, {"type": "Ban", "guest": 1, "on": False}))
        assert (await bo.sees(table))["id"] == table

    web(go)


def test_without_watchers_nobody_else_looks_at_the_game_or_its_record(web):
    async def go(trial):
        table, ann, bo, cy = await gathered(trial)
        watcher, unknown = await trial.visitor().named("Dee"), trial.visitor()
        stream = asyncio.create_task(watcher.get(f"/tables/{table}/stream"))
        while not trial.site.streams:
            await asyncio.sleep(0.01)
        await done(ann.act(table, {"type": "ChangeAccess", "watching": False}))
        assert (await unknown.get(f"/tables/{table}")).status_code == 200, "whoever may sit down sees the table"
        await trial.house.games.wait("sixnimmt")
        await done(ann.act(table, {"type": "Start"}))
        assert "event: gone" in (await asyncio.wait_for(stream, 30)).text
        for one in (watcher, unknown):
            assert await reasons(one, table) == {"no_watchers"}
        assert None in await reasons(bo, table)
        for one in (ann, bo, cy):
            await done(one.act(table, {"type": "Resign"}))
        assert (await ann.sees(table))["phase"] == "over"
        assert await reasons(watcher, table) == {"no_watchers"}, "nor at the record of the finished game"
        assert (await bo.get(f"/tables/{table}/record")).status_code == 200
        await done(ann.act(table, {"type": "ChangeAccess", "watching": True}))
        assert (await unknown.get(f"/tables/{table}/record")).status_code == 200

    web(go)


def test_a_closed_table_is_gone(web):
    async def go(trial):
        table, ann, bo, _ = await gathered(trial)
        await done(ann.form(f"/tables/{table}/act", {"type": "Close"}))
        for one in (ann, bo, trial.visitor()):
            assert await reasons(one, table) == {"table_closed"}
        assert (await ann.get("/api/me/tables")).json() == [] == (await bo.get("/api/tables")).json()

    web(go)


def forms_of(page, command):
    """Return the fields of all forms of a command on a page."""
    found = []
    for form in re.findall(rf'<form[^>]*data-live="{command}".*?</form>', page, re.S):
        fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
        found.append({name: html.unescape(value) for name, value in fields})
    return found


def test_the_panel_is_the_hosts_alone_and_every_form_of_it_works(web):
    async def go(trial):
        table, ann, bo, _ = await gathered(trial)
        place = f"/tables/{table}"
        for one in (bo, trial.visitor()):
            page = (await one.get(place)).text
            assert '<details id="host" hidden></details>' in page
            assert not [name for name in COMMANDS if forms_of(page, name)]
            assert (await one.sees(table))["guests"] is None
        page = (await ann.get(place)).text
        assert len(forms_of(page, "RemovePerson")) == len(forms_of(page, "PassHost")) == 2
        (lock,) = [fields for fields in forms_of(page, "ChangeAccess") if "locked" in fields]
        talks = [fields for fields in forms_of(page, "ChangeAccess") if "talk" in fields]
        (watch,) = [fields for fields in forms_of(page, "ChangeAccess") if "watching" in fields]
        for fields in (lock, watch, *talks, forms_of(page, "RemovePerson")[0], forms_of(page, "Ban")[1]):
            await done(ann.form(f"{place}/act", fields))
        seen = await ann.sees(table)
        assert seen["access"] == {"locked": True, "watching": False, "talk": "off", "kept": {}}
        assert [(one["name"], one["banned"], one["removed"]) for one in seen["guests"]] == [
            ("Bo", False, True),
            ("Cy", True, False),
        ]
        page = (await ann.get(place)).text
        assert (
            "switched off the talk" in page and len(forms_of(page, "Ban")) == 3
        )  # two may come back, one can be banned
        await done(ann.form(f"{place}/act", forms_of(page, "PassHost")[0]))
        assert not (await ann.sees(table))["host"]

    web(go)


COMMANDS = ["RemovePerson", "Ban", "ChangeAccess", "PassHost", "FreeSeat", "Close"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stranger_cannot_use_a_hosts_command_even_if_the_host_stands(web, command):
    async def go(trial):
        table, ann, bo, _ = await gathered(trial)
        await done(ann.act(table, {"type": "Stand"}))
        number = (await ann.sees(table))["number"]
        fields = {"RemovePerson": {"seat": 2}, "Ban": {"guest": 2}, "PassHost": {"guest": 1}, "FreeSeat": {"seat": 0}}
        answer = await bo.act(table, {"type": command, **fields.get(command, {})})
        assert (answer.status_code, answer.json()["reason"]) == (403, "host_only")
        assert (await ann.sees(table))["number"] == number

    web(go)


def test_a_locked_table_offers_no_seat_and_says_why(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        table = (await ann.post("/api/tables", {"game": "sixnimmt", "players": 3})).json()["id"]
        for one in (trial.visitor(), await trial.visitor().named("Bo")):
            page = (await one.get(f"/tables/{table}")).text
            assert forms_of(page, "Sit") or '/sit"' in page
            await done(ann.act(table, {"type": "ChangeAccess", "locked": True}))
            page = (await one.get(f"/tables/{table}")).text
            assert not forms_of(page, "Sit") and '/sit"' not in page and "locked this table" in page
            await done(ann.act(table, {"type": "ChangeAccess", "locked": False}))

    web(go)


def test_in_a_rematch_the_page_keeps_seats_and_lets_people_decline(web):
    async def go(trial):
        ann, bo, dee = [await trial.visitor().named(name) for name in ("Ann", "Bo", "Dee")]
        table = await trial.playing(ann, bo)
        await done(ann.act(table, {"type": "Resign"}))
        await done(ann.form(f"/tables/{table}/act", {"type": "Rematch"}))
        again = (await ann.sees(table))["rematch"]
        assert (await dee.sees(again))["access"]["kept"] == {"1": "Bo"}
        assert (await dee.act(again, {"type": "Sit", "seat": 1})).json()["reason"] == "seat_kept"
        page = (await dee.get(f"/tables/{again}")).text
        assert not forms_of(page, "Sit") and not forms_of(page, "FreeSeat")
        page = (await bo.get(f"/tables/{again}")).text
        assert forms_of(page, "Sit") == [{"type": "Sit", "seat": "1"}] and "kept for you" in page
        assert "A seat is kept for you: sit down if you play again." in page
        page_of_host = (await ann.get(f"/tables/{again}")).text
        assert forms_of(page_of_host, "FreeSeat") and "still free" not in page_of_host
        assert "Waiting for <bdi>Bo</bdi>: a seat is kept for them." in page_of_host
        await done(bo.form(f"/tables/{again}/act", forms_of(page, "FreeSeat")[0]))
        assert (await dee.act(again, {"type": "Sit"})).status_code == 200

    web(go)


def test_a_line_of_talk_says_from_which_seat_it_came(web):
    async def go(trial):
        table, ann, bo, _ = await gathered(trial)
        watcher = await trial.visitor().named("Во")  # noqa: RUF001
        text = "  /resign  <b>&amp;</b>  "
        await done(bo.act(table, {"type": "Chat", "text": text}))
        await done(watcher.form(f"/tables/{table}/act", {"type": "Chat", "text": text}))
        lines = (await ann.sees(table))["chat"]
        assert [(line["seat"], line["text"]) for line in lines] == [(1, text), (None, text)]
        assert lines[0]["name"] == "Bo" and lines[1]["name"] == "Во (2)"  # noqa: RUF001
        page = (await ann.get(f"/tables/{table}")).text
        shown = re.findall(
            r'<li id="said-\d+"><b>(.*?)</b> <span class="role">(.*?)</span>: <bdi class="said">(.*?)</bdi>', page
        )
        assert [role for _, role, _ in shown] == ["seat 2", "watching"]
        assert [html.unescape(said) for _, _, said in shown] == [text, text]

    web(go)


def test_panels_with_many_guests_are_not_kept():
    def rendered(sent_away):
        guests = tuple(GuestLine(number, f"Guest {number}", None, number < sent_away, False) for number in range(300))
        return len(panel("T" * 10, True, (False, True, "all"), guests, "en"))

    rows, times = rendered(0), 40
    rendered(times)  # each row is kept, by itself
    tracemalloc.start()
    for number in range(times):
        rendered(number)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows > 50_000 and kept < 5 * rows
