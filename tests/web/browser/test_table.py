"""The table in a real browser and the real server: by clicking, by keyboard, without JavaScript."""

import contextlib
import re
import time
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Error, Page, expect

import sarai
from browsing import WHILE_PREPARING, act, begin, click_something, make_table, phase, play_out, sit_down
from sarai.core.records import load

pytestmark = pytest.mark.program


@pytest.mark.parametrize("game", sarai.game_ids())
def test_two_people_and_bots_play_a_game_by_clicking(visitor, server, game):
    server.wait_for(game)
    ann, bo = visitor(), visitor()
    place = make_table(ann, game, 3, 1, "regular", **({"rounds": "1"} if game == "sixnimmt" else {}))
    sit_down(bo, place, "Bo")
    expect(ann.locator("#stage")).to_contain_text("Bo")
    begin(ann)
    expect(bo.locator("main")).to_have_attribute("data-phase", "playing", timeout=20_000)
    play_out([ann, bo])
    for page in (ann, bo):
        expect(page.locator("#result")).to_be_visible()
        expect(page.locator("#status")).to_contain_text("win")
    with ann.expect_download() as download:
        ann.get_by_role("link", name="Download the record").click()
    assert load(Path(download.value.path())).result is not None
    ann.get_by_role("button", name="Rematch").click()
    expect(bo.get_by_role("link", name="To the rematch")).to_be_visible()
    expect(ann).not_to_have_url(place)  # who asked is there already
    expect(ann.locator("main")).to_have_attribute("data-phase", "gathering")


def test_a_game_is_played_by_keyboard_alone(visitor):
    page = visitor()
    page.goto("/tables/new?game=sixnimmt")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.locator("#name").focus()
    page.keyboard.type("Ann")
    for field, keys in (("#players", "2"), ("#bots", "1"), ("#level", "r")):
        page.locator(field).focus()
        page.keyboard.type(keys)
    page.locator("#option-rounds").focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-phase", "gathering")
    page.get_by_role("button", name="Begin the game").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-phase", "playing", timeout=WHILE_PREPARING)
    until, walked = time.monotonic() + 120, 0
    while phase(page) != "over":
        assert time.monotonic() < until
        if not page.locator("#status.yours").count() or not page.locator("#stage .lit").count():
            time.sleep(0.05)
            continue
        number = page.get_attribute("main", "data-number")
        for _ in range(60):  # Tab leads to what is lit
            if page.evaluate("() => document.activeElement.matches('#stage .lit')"):
                break
            page.keyboard.press("Tab")
        before = page.evaluate("() => document.activeElement.dataset.spot")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        after = page.evaluate("() => document.activeElement.dataset.spot")
        walked += after != before
        page.keyboard.press("Enter")
        with contextlib.suppress(Error):
            page.wait_for_selector(f'main:not([data-number="{number}"])', timeout=5000)
    expect(page.locator("#result")).to_be_visible()
    assert walked > 2, "arrow keys lead from spot to spot"


def test_a_game_is_played_without_javascript(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor(java_script_enabled=False)
    make_table(page, "sixnimmt", 2, 1, rounds="1")
    page.get_by_role("button", name="Begin the game").click()
    until = time.monotonic() + 120
    while phase(page) != "over":
        assert time.monotonic() < until
        if page.locator("#move-list button").count():
            page.locator("#moves summary").click()
            page.locator("#move-list button").first.click()
        else:
            page.reload()
    expect(page.locator("#result")).to_be_visible()


def test_a_newcomer_plays_within_three_clicks(visitor, server):
    server.wait_for("desert")
    page = visitor()
    page.goto("/")
    page.locator("#game-desert").get_by_role("button", name="Play now against bots").click()
    expect(page.locator("#status.yours")).to_be_visible(timeout=20_000)
    page.locator("#stage .pick.open").first.click()
    number = page.get_attribute("main", "data-number")
    page.locator("#stage .lit").first.dispatch_event("click")
    page.wait_for_selector(f'main:not([data-number="{number}"])', timeout=20_000)


def test_a_killed_server_comes_back_and_every_page_is_right_again(visitor, server):
    ann, watcher = visitor(), visitor()
    place = make_table(ann, "sixnimmt", 3, 2, rounds="1")
    begin(ann)
    watcher.goto(place)
    expect(ann.locator("#status.yours")).to_be_visible(timeout=20_000)
    server.kill()
    expect(ann.locator("#connection")).to_be_visible(timeout=20_000)
    server.start()
    expect(ann.locator("#connection")).to_be_hidden(timeout=WHILE_PREPARING)
    play_out([ann])
    expect(watcher.locator("#result")).to_be_visible(timeout=20_000)


def test_what_others_do_is_told_and_after_the_game_a_rematch_begins_at_once(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor()
    place = make_table(page, "sixnimmt", 2, 1, rounds="1")
    begin(page)
    expect(page.locator("#log li").first).to_contain_text("being chosen")
    expect(page.locator("#log li").last).to_have_text("The cards are dealt.")
    expect(page.locator("#status")).to_have_text("Choose a card to play.")
    page.locator("#stage .lit").first.dispatch_event("click")
    expect(page.locator("#log")).to_contain_text("turns up")
    told = page.locator("#announcement p")  # read out to who cannot see the board
    turned_up = told.filter(has_text="turns up").last  # the bot may have chosen its next card since
    assert turned_up.inner_text() in page.inner_text("#log").replace("\n", " ")
    play_out([page])
    expect(page.locator("#result-title")).to_contain_text("win")
    expect(page.locator("#result .first").first).to_be_visible()  # there may be two
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(place)
    expect(page.locator("main")).to_have_attribute("data-phase", "playing")


def test_talking_taking_back_and_two_taps(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor()
    page.goto("/settings")
    page.get_by_label("Two: the first shows, the second plays").check()
    page.get_by_role("button", name="Keep").click()
    make_table(page, "sixnimmt", 2, 1, rounds="1")
    begin(page)
    page.get_by_label("Say something").fill("Hello <b>you</b>")
    page.get_by_label("Say something").press("Enter")
    expect(page.locator("#chat-lines")).to_have_text("Ann seat 1: Hello <b>you</b>")
    expect(page.get_by_label("Say something")).to_have_value("")
    expect(page.locator("#stage .lit")).to_have_count(10, timeout=20_000)
    expect(page.locator("#log")).to_contain_text("being chosen")  # the bot, so that nothing else happens
    first = page.locator("#stage .lit").first
    number = page.get_attribute("main", "data-number")
    first.dispatch_event("click")
    expect(page.locator("#stage .armed")).to_have_count(1)
    assert page.get_attribute("main", "data-number") == number
    first.dispatch_event("click")
    page.wait_for_selector(f'main:not([data-number="{number}"])')
    page.get_by_role("button", name="Take back").click()  # cards were turned up, but nobody else has to be asked
    expect(page.locator("#log")).to_contain_text("You take back a move.")
    expect(page.locator("#stage .lit")).to_have_count(10, timeout=20_000)


def test_a_refusal_is_said_on_the_page(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor()
    place = make_table(page, "sixnimmt", 2, 1, rounds="1").removeprefix(server.address)
    begin(page)
    for line in range(5):
        act(page, place, "Chat", text=f"line {line}")
    page.get_by_label("Say something").fill("line 5")
    page.get_by_label("Say something").press("Enter")
    expect(page.locator("#refusal")).to_contain_text("That was a lot at once")


def test_a_reload_a_second_tab_and_a_lost_connection_come_to_the_same_table(visitor, server):
    server.wait_for("sixnimmt")
    ann, bo = visitor(), visitor()
    place = make_table(ann, "sixnimmt", 2, 0, rounds="1")
    sit_down(bo, place, "Bo")
    begin(ann)
    expect(bo.locator("#stage .lit")).to_have_count(10, timeout=20_000)
    tab = ann.context.new_page()
    tab.goto(place)
    expect(tab.locator("#stage .lit")).to_have_count(10)
    ann.locator("#stage .lit").first.dispatch_event("click")
    for page in (ann, tab):  # the other tab without doing anything
        expect(page.locator("#stage .lit")).to_have_count(0)
    ann.reload()
    same_number(ann, tab)
    ann.context.set_offline(True)
    bo.locator("#stage .lit").first.dispatch_event("click")
    expect(bo.locator("#stage .lit")).not_to_have_count(10)
    ann.context.set_offline(False)
    for page in (ann, tab):
        same_number(page, bo)
    expect(ann.locator("#log")).to_have_text(tab.inner_text("#log"), use_inner_text=True)


def same_number(page: Page, other: Page) -> None:
    """Wait until a page shows what another one shows."""
    expect(page.locator("main")).to_have_attribute(
        "data-number", other.get_attribute("main", "data-number") or "", timeout=30_000
    )


def test_a_first_visit_is_light_a_second_one_lighter_and_the_stream_is_compressed(visitor, server):
    page = visitor()
    network, sizes, encodings = page.context.new_cdp_session(page), [], {}
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.on("response", lambda answer: encodings.update({answer.url: answer.headers.get("content-encoding")}))
    page.goto("/", wait_until="networkidle")
    first, answers = sum(sizes), len(sizes)
    assert answers > 6 and first < 60_000
    sizes.clear()
    page.goto("/", wait_until="networkidle")
    print(f"the first visit: {first} bytes, {answers} answers; the second: {sum(sizes)}")
    assert sum(sizes) < 3_000, "the page did not change, and files are kept for ever"
    server.wait_for("sixnimmt")
    page.locator("#game-sixnimmt").get_by_role("button", name="Play now").click()
    expect(page.locator("#status")).to_have_class(re.compile("yours"))
    click_something(page, Random(1))
    expect(page.locator("#log")).to_contain_text("You")
    assert [how for url, how in encodings.items() if "/stream" in url] == ["gzip"]
