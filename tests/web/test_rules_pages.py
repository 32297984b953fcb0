"""The pages of the rules: for people and for referees, their pictures, and the panel of a table."""

from xml.etree import ElementTree

import pytest

import sarai
from sarai.web.pages.rulebook import pictures_of, render_picture

HTML, JSON = {"accept": "text/html"}, {"accept": "application/json"}


@pytest.mark.parametrize("id", sarai.game_ids())
def test_the_rules_are_for_people_and_the_clauses_an_appendix(web, id):
    async def go(house):
        text = (await house.visitor().get(f"/rules/{id}")).text
        rulebook, clauses = text.index('<article class="book rulebook">'), text.index('<details class="clauses">')
        assert rulebook < text.index('id="rule-questions"') < clauses < text.index("<strong>Decision</strong> marks")

    web(go)


@pytest.mark.parametrize("code", ["en", "fa", "he", "el"])
def test_rules_are_in_the_readers_language(web, code):
    async def go(house):
        text = (await house.visitor().get(f"/rules/desert?lang={code}")).text
        rulebook = text.split('<article class="book rulebook">')[1].split("</article>")[0]
        assert ("Questions people ask" in rulebook) == (code == "en")
        assert f'src="/rules/desert/{code}/0-light.svg"' in rulebook and f"/rules/desert/{code}/0-dark.svg" in rulebook

    web(go)


def test_pictures_are_kept_by_browsers_and_there_are_no_others(web):
    async def go(house):
        ann = house.visitor()
        answer = await ann.get("/rules/sixnimmt/en/0-dark.svg")
        assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
        again = await ann.get("/rules/sixnimmt/en/0-dark.svg", headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304 and not again.content
        count = len(pictures_of(sarai.game("sixnimmt")))
        for name in (f"en/{count}-light", "en/x-light", "en/0-blue", "en/-1-light", "xx/0-light", "en/²-light"):
            assert (await ann.get(f"/rules/sixnimmt/{name}.svg")).status_code == 404
        assert (await ann.get("/rules/chess/en/0-light.svg")).status_code == 404

    web(go)


def test_a_picture_is_drawn_once_whoever_asks_for_all_of_them():
    assert render_picture.cache_info().maxsize is None


def test_a_set_scheme_chooses_the_pictures(web):
    async def go(house):
        ann = house.visitor()
        await ann.form("/settings", {"scheme": "dark"})
        text = (await ann.get("/rules/anubixx")).text
        assert "/rules/anubixx/en/0-dark.svg" in text and "-light.svg" not in text and "<source" not in text

    web(go)


def test_the_panel_is_the_rulebook_alone_and_is_fetched_once(web):
    async def go(house):
        ann, bob = house.visitor(), house.visitor()
        panel = await ann.get("/rules/camelup-2018/panel")
        assert panel.text in (await ann.get("/rules/camelup-2018")).text and "C2-01" not in panel.text
        again = await bob.get("/rules/camelup-2018/panel", headers={"if-none-match": panel.headers["etag"]})
        assert again.status_code == 304, "the same for all, by its content"

    web(go)


def test_at_a_table_the_rules_open_where_it_matters(web):
    async def go(house):
        ann = house.visitor()
        place = (await ann.form("/play", {"game": "camelup-2014"})).headers["location"]
        page = (await ann.get(place)).text
        assert f'href="{place}/rules" data-panel="/rules/camelup-2014/panel"' in page
        assert "Questions people ask" not in page, "the rules are no part of the table's page"
        answer = await ann.get(f"{place}/rules", headers=HTML)
        assert (answer.status_code, answer.headers["location"]) == (303, "/rules/camelup-2014#rule-turn")
        told = await ann.get(f"{place}/rules?pick=side-1", headers=JSON)
        assert told.json() == {"section": "rule-tile"}
        assert (await ann.get("/tables/0123456789/rules", headers=JSON)).status_code == 404
        assert (await house.visitor().get(f"{place}/rules", headers=HTML)).status_code in (303, 403, 404)

    web(go)


def test_before_the_game_begins_the_rules_open_at_their_beginning(web):
    async def go(house):
        ann = house.visitor()
        fields = {"game": "desert", "name": "Ann", "players": "2", "bots": "0", "level": "random"}
        place = (await ann.form("/tables", fields)).headers["location"]
        answer = await ann.get(f"{place}/rules", headers=HTML)
        assert answer.headers["location"] == "/rules/desert#rule-about"

    web(go)
