"""The pages of lessons: what they show follows from the address, and only how far somebody came is kept."""

import re

import pytest

import sarai
from sarai.core.lessons import accepted, lesson_of, position_of
from sarai.web.cookies import HINTS_COOKIE, PROGRESS_COOKIE

SIX = sarai.game("sixnimmt")


def move_of(number, text):
    return SIX.parse_move(position_of(SIX, lesson_of(SIX).steps[number - 1].position), text)


def test_a_step_is_told_and_its_moves_are_forms_that_need_no_script(web):
    async def go(house):
        page = (await house.visitor().get("/learn/sixnimmt/1")).text
        assert "play your 35" in page and 'action="/learn/sixnimmt/1"' in page
        assert re.findall(r'name="move" value="(\d+)"', page) == ["34", "60", "89"]
        assert 'id="next"' not in page and PROGRESS_COOKIE not in page

    web(go)


def test_a_right_move_is_told_and_remembered_and_leads_on(web):
    async def go(house):
        ann = house.visitor()
        answer = await ann.get(f"/learn/sixnimmt/1?move={move_of(1, '35')}")
        assert "Your 35 followed 33" in answer.text and "35 joins row 2." in answer.text
        assert 'href="/learn/sixnimmt/2#lesson"' in answer.text
        assert ann.http.cookies[PROGRESS_COOKIE] == "sixnimmt.1.6"
        assert (await ann.get("/learn/sixnimmt")).headers["location"] == "/learn/sixnimmt/2"
        assert "Go on learning: step 2 of 6" in (await ann.get("/")).text
        assert "Go on learning: step 2 of 6" in (await ann.get("/rules/sixnimmt")).text
        assert (await ann.get("/learn/desert")).headers["location"] == "/learn/desert/1"
        await ann.get(f"/learn/sixnimmt/4?move={move_of(4, 'r2')}")
        await ann.get(f"/learn/sixnimmt/1?move={move_of(1, '35')}")
        assert ann.http.cookies[PROGRESS_COOKIE] == "sixnimmt.4.6", "who looks back has not forgotten"

    web(go)


def test_a_wrong_move_is_explained_and_not_remembered(web):
    async def go(house):
        ann = house.visitor()
        page = (await ann.get(f"/learn/sixnimmt/3?move={move_of(3, '46')}")).text
        assert "took it, with 13 bull heads" in page and "Try again" in page
        page = (await ann.get("/learn/sixnimmt/2?answer=0")).text
        assert "12 is lower, but 41 is nearer" in page
        page = (await ann.get("/learn/sixnimmt/3?move=0")).text
        assert "Card 1 is not in your hand." in page and 'name="move"' in page, "the rules' own reason"
        assert PROGRESS_COOKIE not in ann.http.cookies

    web(go)


def test_a_tap_on_what_cannot_be_chosen_gets_the_rules_reason(web):
    async def go(house):
        ann = house.visitor()
        answer = await ann.get("/learn/sixnimmt/4/why?at=hand-48")
        assert answer.text == "Your card is lower than every row: take a row."
        assert (await ann.get("/learn/sixnimmt/4/why?at=row-2")).status_code == 204, "that can be chosen"
        assert (await ann.get("/learn/sixnimmt/2/why?at=row-2")).status_code == 204, "nothing can at a question"
        answer = await ann.get("/learn/desert/1/why?at=d-pile-mint")
        assert answer.text == "Your mint leader already stands on the board."

    web(go)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/learn/sixnimmt/0", 404),
        ("/learn/sixnimmt/7", 404),
        ("/learn/sixnimmt/x", 404),
        ("/learn/sixnimmt/1?answer=0", 404),
        ("/learn/sixnimmt/2?answer=4", 404),
        ("/learn/sixnimmt/2?move=3", 404),
        ("/learn/sixnimmt/1?move=9999", 200),
        ("/learn/sixnimmt/1?move=-1", 200),
        ("/learn/sixnimmt/1?move=99999999999", 200),
        ("/learn/chess", 404),
    ],
)
def test_addresses_that_mean_nothing_are_refused(web, path, status):
    async def go(house):
        assert (await house.visitor().get(path)).status_code == status

    web(go)


@pytest.mark.parametrize("kept", ["", "x", "sixnimmt", "sixnimmt.9.6", "sixnimmt.-1.6", "sixnimmt.1.2.3", "_._", "é"])
def test_progress_that_cannot_be_read_counts_for_nothing(web, kept):
    async def go(house):
        cookie = {"cookie": f"{PROGRESS_COOKIE}={kept}".encode()}
        assert (await house.visitor().get("/", headers=cookie)).status_code == 200
        assert (await house.visitor().get("/learn/sixnimmt", headers=cookie)).headers["location"] == "/learn/sixnimmt/1"

    web(go)


def test_every_game_offers_its_lesson_on_its_card_in_its_rules_and_while_people_wait(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        for game in sarai.game_ids():
            assert f'href="/learn/{game}"' in (await ann.get("/")).text
            assert f'href="/learn/{game}"' in (await ann.get(f"/rules/{game}")).text
        table = await house.table(ann, await house.visitor().named("Bo"))
        assert 'href="/learn/sixnimmt"' in (await ann.get(f"/tables/{table}")).text

    web(go)


def test_the_lesson_ends_in_a_game_against_novices_with_hints(web):
    async def go(house):
        ann = house.visitor()
        page = (await ann.get(f"/learn/sixnimmt/6?move={accepted(SIX, lesson_of(SIX).steps[5])[0]}")).text
        assert 'name="first"' in page and 'action="/play"' in page
        begun = await ann.form("/play", {"game": "sixnimmt", "first": "yes"})
        place = begun.headers["location"]
        assert f"/tables/{ann.http.cookies[HINTS_COOKIE]}" == place
        table = await ann.sees(place.removeprefix("/tables/"))
        assert [seat["bot"] for seat in table["seats"]][1:] == ["novice"] * 3
        hint = lesson_of(SIX).hints[0].text
        page = (await ann.get(place)).text
        assert (
            hint in page
            and "first_game_tips.js" not in re.sub(r"first_game_tips-\w+\.js", "", page)
            and re.search(r"first_game_tips-\w+\.js", page)
        )
        later = (await ann.form("/play", {"game": "sixnimmt"})).headers["location"]
        assert hint not in (await ann.get(later)).text, "another game has none"

    web(go)
