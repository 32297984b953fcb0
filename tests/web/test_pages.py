"""The pages: each is there, says what it should, and is safe to look at."""

import asyncio
import dataclasses
import re

import pytest
import segno

import sarai
from sarai.core import registry
from sarai.core.board import Scene
from sarai.table.service.room import Absent
from sarai.web.assets import STATIC
from sarai.web.live.board import css_class, render_without_board
from sarai.web.pages.rules_markdown import rules_page, to_html
from sarai.web.security_headers import HEADERS

PAGES = [
    "/",
    "/tables/new",
    "/tables/new?game=desert",
    "/mine",
    "/rules",
    "/about",
    "/me",
    "/settings",
    "/offline",
    *(f"/rules/{id}" for id in sarai.game_ids()),
    *(f"/learn/{id}/1" for id in sarai.game_ids()),
]
EVERYWHERE = ["turn_notifications.js", "dice_words.js", "service_worker_registration.js"]
LESSON = ["map.js", "animation.js", "lesson.js", "explain.js", *EVERYWHERE]


@pytest.mark.parametrize("code", ["en", "fa", "he", "el"])
def test_every_page_is_there_in_every_complete_language_with_safe_headers(web, code, all_languages):
    async def go(house):
        ann = house.visitor()
        for path in PAGES:
            answer = await ann.get(path, headers={"accept-language": code})
            assert answer.status_code == 200, path
            assert f'lang="{code}" dir="{"rtl" if code in ("fa", "he") else "ltr"}"' in answer.text
            assert answer.text.count("<main") == answer.text.count("<h1") == 1
            assert {name: answer.headers[name] for name in HEADERS} == HEADERS

    web(go)


def test_no_page_has_an_inline_script_or_style_or_asks_another_site(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        table = await house.playing(ann, await house.visitor().named("Bo"))
        scripts = {
            "/settings": ["push.js", *EVERYWHERE],
            "/offline": ["offline_page.js"],
            **{path: LESSON for path in PAGES if path.startswith("/learn/")},
            f"/tables/{table}": [
                "map.js",
                "animation.js",
                "table_notices.js",
                "rules_panel.js",
                "keys.js",
                "explain.js",
                *EVERYWHERE,
                "live_table.js",
            ],
        }
        for path in [*PAGES, f"/tables/{table}"]:
            text = (await ann.get(path)).text.replace('href="/manifest.webmanifest"', "")
            assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text), path
            found = re.findall(r'(?:src|<link[^>]* href)="([^"]*)"', text)
            assert all(address.startswith(("/static/", "/rules/")) for address in found)
            wanted = [house.site.assets.address(name) for name in scripts.get(path, EVERYWHERE)]
            assert re.findall(r'<script(?: type="module")? src="([^"]*)"', text) == wanted
            assert text.count("<script") == len(wanted)

    web(go)


def test_files_are_kept_for_ever_at_an_address_with_their_hash(web):
    async def go(house):
        ann = house.visitor()
        for address in re.findall(r'"(/static/[^"]+)"', (await ann.get("/")).text):
            answer = await ann.get(address)
            assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        assert "url(/static/banner-" in (await ann.get(house.site.assets.address("site.css"))).text
        assert (await ann.get("/static/site.css")).status_code == 404

    web(go)


def test_styles_use_logical_properties_only():
    text = (STATIC / "site.css").read_text(encoding="utf-8")
    assert not re.findall(
        r"\b(?:margin|padding|border|inset)-(?:left|right|top|bottom)\b|[;{]\s*(?:left|right|top|bottom|width|height|float)\s*:",
        text,
    )


@pytest.mark.parametrize("id", sarai.game_ids())
def test_one_click_seats_a_newcomer_with_bots_and_begins(web, id):
    async def go(house):
        await house.house.games.wait(id)
        ann = house.visitor()
        answer = await ann.form("/play", {"game": id})
        assert answer.status_code == 303
        page = await ann.get(answer.headers["location"])
        assert page.status_code == 200 and 'data-phase="playing"' in page.text
        assert (await ann.get("/api/me")).json() == {"name": "Guest", "language": "en"}
        text = (await ann.get("/mine")).text
        assert answer.headers["location"] in text

    web(go)


def test_a_table_is_made_with_options_bots_and_a_clock(web):
    async def go(house):
        ann = house.visitor()
        fields = {
            "game": "sixnimmt",
            "name": "Ann",
            "players": "3",
            "bots": "1",
            "level": "expert",
            "public": "yes",
            "clock": "live",
        }
        answer = await ann.form(
            "/tables", {**fields, "option-rounds": "2", "option-target": "66", "option-variant": "standard"}
        )
        assert answer.status_code == 303
        told = await ann.sees(answer.headers["location"].rpartition("/")[2])
        assert told["options"]["rounds"] == 2 and told["public"] and told["clock"]["kind"] == "live"
        assert [(seat["name"] != "", seat["bot"]) for seat in told["seats"]] == [
            (True, None),
            (True, "expert"),
            (False, None),
        ]
        assert "Ann" in (await house.visitor().get("/")).text
        page = (await ann.get(answer.headers["location"])).text
        assert f'href="http://house.test{answer.headers["location"]}"' in page
        assert f'src="{answer.headers["location"]}/qr.svg"' in page
        code = await house.visitor().get(f"{answer.headers['location']}/qr.svg")
        assert code.headers["content-type"] == "image/svg+xml" and code.text.startswith("<svg xmlns=")
        assert (await ann.get("/tables/abcdefghij/qr.svg")).status_code == 404

    web(go)


def test_whatever_a_visitor_calls_the_house_no_page_draws_a_qr_code(web, monkeypatch):
    drawn = []
    monkeypatch.setattr(segno, "make", lambda text, real=segno.make, **more: drawn.append(text) or real(text, **more))

    async def go(house):
        ann = house.visitor()
        await ann.named("Ann")
        address = f"/tables/{await house.table(ann, players=2)}"
        for number in range(10):
            page = await ann.get(address, headers={"host": f"house-{number}.test"})
            assert f'href="http://house-{number}.test{address}"' in page.text
        assert drawn == [], "that takes longer than the page"
        for host in ("one.test", "two.test", "one.test"):
            assert (await ann.get(f"{address}/qr.svg", headers={"host": host})).status_code == 200
        assert drawn == [f"http://one.test{address}", f"http://two.test{address}"]
        page = await ann.get(address, headers={"host": "h" * 101})
        assert f'href="http://localhost{address}"' in page.text, "the longer, the longer it takes"

    web(go)


def test_a_game_is_played_with_forms_alone(web):
    async def go(house):
        ann = house.visitor()
        made = await ann.form(
            "/tables",
            {"game": "sixnimmt", "name": "Ann", "players": "2", "bots": "1", "level": "random", "option-rounds": "1"},
        )
        place = made.headers["location"]
        await house.house.games.wait("sixnimmt")
        assert (await ann.form(f"{place}/act", {"type": "Start"})).status_code == 303
        for _ in range(500):
            page = (await ann.get(place)).text
            if 'data-phase="over"' in page:
                break
            found = re.search(r'name="number" value="(\d+)">.*?name="move" value="(\d+)"', page, re.DOTALL)
            if not found:
                await asyncio.sleep(0.02)
            else:
                assert (
                    await ann.form(f"{place}/act", {"type": "Move", "number": found[1], "move": found[2]})
                ).status_code == 303
                again = await ann.form(f"{place}/act", {"type": "Move", "number": found[1], "move": found[2]})
                assert again.status_code == 303, "the same form again does nothing, and is not refused"
        assert 'data-phase="over"' in page and "Fair dice: the proof" in page
        record = await ann.get(f"{place}/record")
        assert (
            "attachment" in record.headers["content-disposition"]
            and record.json()["result"]["reason"] == "rounds_played"
        )

    web(go)


def test_a_link_takes_somebody_to_another_device(web):
    async def go(house):
        ann, phone = await house.visitor().named("Ann"), house.visitor()
        page = (await ann.form("/me/link")).text
        place = re.search(r"http://house\.test(/come/[\w-]+)", page)[1]
        assert "Is this your other device?" in (await phone.get(place)).text
        assert (await phone.form(place)).headers["location"] == "/mine"
        assert (await phone.get("/api/me")).json()["name"] == "Ann"
        assert (await house.visitor().form(place)).status_code == 404, "it works once"

    web(go)


def test_a_link_that_no_device_can_have_made_is_no_form_to_somewhere_else(web):
    async def go(house):
        for token in ("..%5Csettings", "%22%3E", "x" * 65, "a%0Ab"):
            answer = await house.visitor().get(f"/come/{token}")
            assert answer.status_code == 404 and "<form" not in answer.text.split("<main")[1], token

    web(go)


def test_settings_are_kept_in_cookies(web):
    async def go(house):
        ann = house.visitor()
        await ann.form("/settings", {"scheme": "dark", "motion": "off", "confirm": "nonsense"})
        text = (await ann.get("/")).text
        assert 'data-scheme="dark"' in text and 'data-motion="off"' in text and "data-confirm" not in text

    web(go)


@pytest.mark.parametrize("id", sarai.game_ids())
def test_rules_are_for_players(id):
    text, clauses = rules_page(sarai.game(id)), sarai.game(id).rules_text().count("\n- **")
    assert "tests/" not in text and "<strong>Decision</strong> marks" in text and text.count("<li>") >= clauses > 0


MARKDOWN = """# Title

A *word* and `code` <b>.

## Part
- **A** one
  more
- [two](desert.md), [three](RULES.md), [away](http://x) and ![picture](x.svg) <script>

| a | b |
|---|---|
| 1 | 2 |

```
x < y
```
"""
HTML = """<p>A <em>word</em> and <code>code</code> &lt;b&gt;.</p>
<h2>Part</h2>
<ul>
<li><strong>A</strong> one
more</li>
<li><a href="/rules/desert">two</a>, <a href="/rules/camelup-2014">three</a>, away and !picture &lt;script&gt;</li>
</ul>
<div class="wide"><table>
<thead>
<tr>
<th>a</th>
<th>b</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td>2</td>
</tr>
</tbody>
</table></div>
<pre><code>x &lt; y
</code></pre>
"""


def test_rules_are_rendered_from_markdown():
    assert to_html(MARKDOWN, sarai.game("camelup-2018")) == HTML


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_game_without_a_rules_text_says_so(web, monkeypatch, accept):
    bare = dataclasses.replace(sarai.game("desert"), id="bare", title="Bare", rules_file="NONE.md")
    find = registry._load
    monkeypatch.setitem(registry.GAMES, "bare", "not loaded by its name")
    monkeypatch.setattr(registry, "_load", lambda wanted: bare if wanted == "bare" else find(wanted))

    async def go(house):
        answer = await house.visitor().get("/rules/bare", headers={"accept": accept})
        assert answer.status_code == 404
        assert "The rules of Bare have not been written down yet." in answer.text

    web(go)


def test_a_game_brings_its_colours_and_pictures_itself():
    text = (STATIC / "site.css").read_text(encoding="utf-8")
    for game in map(sarai.game, sarai.game_ids()):
        name, style = css_class(game), (game.folder / "board" / "style.css").read_bytes().decode()
        assert f".{name}" not in text and f".house-{name} {{" in style


def test_a_game_without_a_board_is_played_from_the_list_of_moves():
    state = sarai.game("sixnimmt").start(2)
    view = {**state.view(None).to_json(), "note": "<b>"}
    board = render_without_board(Scene(view, [3, 7], ["Ann", "Bo"], str))
    assert board.choices == {"": {"move-3": 3, "move-7": 7}}
    assert "<dt>note</dt><dd>&lt;b&gt;</dd>" in board.whole() and board.prompt is None


def test_what_can_be_done_at_a_table_is_offered(web, monkeypatch):
    async def go(house):
        ann, bo, cem = [await house.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await house.playing(ann, bo)
        place = f"/tables/{table}"
        page = (await ann.get(place)).text
        assert "Take back" not in page and "Give up" in page and "Bot for me" in page and "Let a bot play" not in page
        watched = (await cem.get(place)).text
        assert (
            "you are watching" in watched
            and "Give up" not in watched
            and "Waiting for <bdi>Ann</bdi> and <bdi>Bo</bdi> to choose a card." in watched
        )

        async def absent(table):
            return Absent(away=[1], lendable=[1])

        with monkeypatch.context() as patched:
            patched.setattr(house.house, "absent", absent)
            assert (
                "Let a bot play" in (await ann.get(place)).text and "Let a bot play" not in (await cem.get(place)).text
            )
        await ann.act(table, {"type": "Move", "move": (await ann.sees(table))["moves"][0]})
        assert "Take back" in (await ann.get(place)).text
        assert (await ann.form(f"{place}/act", {"type": "AskBack"})).status_code == 303
        assert (await ann.form(f"{place}/act", {"type": "Lend", "seat": "0", "level": "random"})).status_code == 303
        page = (await ann.get(place)).text
        assert "Play myself" in page and "Bot for me" not in page
        assert (await ann.form(f"{place}/act", {"type": "Return"})).status_code == 303
        for visitor in (bo, ann):
            if moves := (await visitor.sees(table))["moves"]:
                await visitor.act(table, {"type": "Move", "move": moves[0]})
        assert (await bo.form(f"{place}/act", {"type": "AskBack"})).status_code == 303
        assert "<bdi>Bo</bdi> would like to take back a move. Do you agree?" in (await ann.get(place)).text
        assert (
            "Yes, take it back" in (await ann.get(place)).text and "Yes, take it back" not in (await bo.get(place)).text
        )
        question = re.search(r'name="question" value="(\d+)"', (await ann.get(place)).text)[1]
        answered = await ann.form(f"{place}/act", {"type": "AnswerBack", "yes": "true", "question": question})
        assert answered.status_code == 303
        assert "<bdi>Bo</bdi> takes back a move." in (await ann.get(place)).text
        assert (await ann.form(f"{place}/act", {"type": "Resign"})).status_code == 303
        page = (await ann.get(place)).text
        assert "<bdi>Bo</bdi> wins!" in page and "You gave up." in page
        page = (await bo.get(place)).text
        assert "You win!" in page and "<bdi>Ann</bdi> gave up." in page

    web(go)


def test_a_table_gathers(web):
    async def go(house):
        ann, guest = await house.visitor().named("Ann"), house.visitor()
        table = (await ann.post("/api/tables", {"game": "sixnimmt", "players": 3})).json()["id"]
        place = f"/tables/{table}"
        assert "2 seats are still free." in (await ann.get(place)).text
        assert "Sit down" in (await guest.get(place)).text and "Add a bot" not in (await guest.get(place)).text
        assert (await guest.form(f"{place}/sit", {"name": "Bo"})).status_code == 303
        assert "Stand up" in (await guest.get(place)).text
        assert (await ann.form(f"{place}/act", {"type": "AddBot", "seat": "2", "level": "novice"})).status_code == 303
        page = (await ann.get(place)).text
        assert "Everybody is here: begin when you like." in page and "Begin the game" in page and "bot · novice" in page
        assert (
            "the host begins the game" in (await guest.get(place)).text
            and "Begin the game" not in (await guest.get(place)).text
        )
        assert "Bo</bdi>: no word" in (await ann.get(place)).text
        await guest.form(f"{place}/act", {"type": "CommitWord", "digest": "ab" * 32})
        assert "Bo</bdi>: has a word" in (await ann.get(place)).text
        await guest.form(f"{place}/act", {"type": "Stand"})
        assert "1 seat is still free." in (await ann.get(place)).text

    web(go)
