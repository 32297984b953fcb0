"""Words for the dice in real browsers: made, committed to, kept and opened without a click, in hidden tabs too."""

import hashlib
import json
import time

import pytest
from playwright.sync_api import Page, expect

from browsing import make_table, sit_down
from sarai.table.dice_word_commitments import GivenWord
from sarai.table.dice_words import OPEN_SECONDS

pytestmark = pytest.mark.program

HIDING = """
Object.defineProperty(document, "hidden", {get: () => window.isHidden ?? false});
window.hide = (isHidden) => { window.isHidden = isHidden; document.dispatchEvent(new Event("visibilitychange")); };
"""
AT_HOME = """
Object.defineProperty(Crypto.prototype, "subtle", {get: () => undefined});
Object.defineProperty(Navigator.prototype, "locks", {get: () => undefined});
"""  # as on a page that does not come by HTTPS


def table_of(page: Page) -> dict:
    """Return what the interface says of the table that a page shows."""
    return page.request.get(f"/api/tables/{page.get_attribute('main', 'data-table')}").json()


def kept(page: Page) -> dict:
    return page.evaluate("() => JSON.parse(localStorage.getItem('sarai-words') ?? '{}')")


def has_word(page: Page, name: str) -> None:
    expect(page.locator("#dice li", has_text=name)).to_contain_text("has a word")


def expect_playing(page: Page) -> None:
    expect(page.locator("main")).to_have_attribute("data-phase", "playing")


def checked_words(seen: dict) -> list[GivenWord]:
    """Return the words of a table; each is what its seat committed to."""
    given = [GivenWord(**word) for word in seen["dice"]["words"]]
    assert {str(word.seat): word.commitment for word in given} == seen["dice"]["digests"]
    return given


def test_words_are_opened_without_a_click_and_who_does_not_open_is_named(visitor, server):
    server.wait_for("sixnimmt")
    # A table at which the other player commits and never opens; its tab goes on hidden, for fifteen seconds.
    ann, cheat = visitor(), visitor()
    ann.context.add_init_script(HIDING)
    place = make_table(ann, "sixnimmt", 2, 0, rounds="1")
    assert cheat.request.post("/api/me", data={"name": "Bo"}).ok
    act = f"/api{place.removeprefix(server.address)}/act"
    for command in ({"type": "Sit"}, {"type": "CommitWord", "digest": "ab" * 32}):
        assert cheat.request.post(act, data={"command": command}).ok
    has_word(ann, "Ann")
    has_word(ann, "Bo")
    (first,) = kept(ann)
    asked = time.monotonic()
    ann.get_by_role("button", name="Begin the game").click()
    expect(ann.locator("#status")).to_contain_text("The words for the dice are being opened")
    ann.evaluate("() => hide(true)")

    # Another table meanwhile: both have the page open, one of them in a hidden tab of a browser at home.
    cem, dov = visitor(), visitor()
    dov.context.add_init_script(HIDING + AT_HOME)
    other = make_table(cem, "sixnimmt", 2, 0, rounds="1")
    sit_down(dov, other, "Dov")
    for name in ("Ann", "Dov"):  # the form says Ann
        has_word(cem, name)
    cem.locator("#dice summary").click()
    own = cem.get_by_label("Your word for the dice")
    assert own.input_value() in [word["word"] for word in kept(cem).values()]
    own.fill(" a wo\u0301rd of \U0001f42a mine ")
    before = table_of(cem)["dice"]["digests"]["0"]
    own.press("Enter")
    cem.wait_for_function(
        "(old) => JSON.parse(document.getElementById('dice').dataset.dice).digests[0] !== old", arg=before
    )
    expect(own).to_have_value("a wórd of 🐪 mine")
    dov.evaluate("() => hide(true)")
    cem.get_by_role("button", name="Begin the game").click()
    expect_playing(cem)
    words = checked_words(table_of(cem))
    assert [word.seat for word in words] == [0, 1] and words[0].word == "a wórd of 🐪 mine"
    assert words[1].commitment in kept(dov) and words[1].commitment not in kept(cem)
    expect(cem.locator("#dice-words")).to_contain_text("gave a word")

    # Back to the first one.
    assert time.monotonic() - asked < OPEN_SECONDS + 30
    ann.wait_for_timeout(max(0.0, OPEN_SECONDS - (time.monotonic() - asked)) * 1000)
    until = time.monotonic() + 30
    while (seen := table_of(ann))["phase"] != "playing":
        assert time.monotonic() < until, seen["dice"]
        ann.wait_for_timeout(100)
    assert (seen["dice"]["lost"], seen["dice"]["round"]) == ([1], 2)
    (word,) = checked_words(seen)
    assert word.seat == 0 and word.commitment != first and word.commitment in kept(ann)
    ann.evaluate("() => hide(false)")
    expect(ann.locator("#log")).to_contain_text("Bo did not open the word for the dice in time")


CHANGE_NOTE = """(change) => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("sarai-opened "));
    localStorage.setItem(key, JSON.stringify({...JSON.parse(localStorage.getItem(key)), ...change}));
}"""

READ_NOTE = """() => JSON.parse(localStorage.getItem(
    Object.keys(localStorage).find((key) => key.startsWith("sarai-opened "))))"""
TELL = """(dice) => {
    const proof = document.getElementById("proof");
    proof.dataset.dice = JSON.stringify(dice);
    document.dispatchEvent(new Event("shown"));
    return [...proof.querySelectorAll("[data-kept]:not([hidden])")].map((line) => line.dataset.kept);
}"""


def test_play_now_has_a_word_and_the_proof_is_compared_with_what_the_browser_saw(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor()
    page.goto("/")
    page.locator("#game-sixnimmt").get_by_role("button", name="Play now").click()
    expect_playing(page)
    (word,) = checked_words(table_of(page))
    assert word.seat == 0 and list(kept(page)) == [word.commitment]
    page.request.post(
        f"/api/tables/{page.get_attribute('main', 'data-table')}/act", data={"command": {"type": "Resign"}}
    )
    expect(page.locator("main")).to_have_attribute("data-phase", "over")
    page.locator("#proof summary").click()
    expect(page.locator("#proof [data-kept=same]")).to_be_visible()
    expect(page.locator("#proof [data-kept=other]")).to_be_hidden()
    page.evaluate(CHANGE_NOTE, {"count": 2})
    page.reload()
    page.locator("#proof summary").click()
    expect(page.locator("#proof [data-kept=other]")).to_be_visible()  # it opened two words, the proof knows of one
    page.evaluate(CHANGE_NOTE, {"count": 1})
    page.reload()
    page.locator("#proof summary").click()
    expect(page.locator("#proof [data-kept=same]")).to_be_visible()
    promise = page.evaluate(READ_NOTE)["promise"]
    page.evaluate(CHANGE_NOTE, {"promise": "of another deal"})
    page.reload()
    page.locator("#proof summary").click()
    expect(page.locator("#proof [data-kept=other]")).to_be_visible()
    page.evaluate(CHANGE_NOTE, {"promise": promise})

    # What a house may say of a game into which that word did not go.
    real = json.loads(page.get_attribute("#proof", "data-dice"))
    tell = lambda **dice: page.evaluate(TELL, {**real, **dice})  # noqa: E731
    dropped = {"digests": {}, "words": []}
    assert tell() == ["same"]
    assert tell(**dropped, round=0) == ["other"], "it is left out, and nobody is named"
    assert tell(digests={"1": "ab" * 32}) == ["other"]
    assert tell(**dropped, lost=[0], failed=[[0, 1]]) == ["late"], "it was accepted in time"
    assert tell(**dropped, lost=[0], failed=[[0, 2]], round=2) == ["late"], "nobody failed in the round before"
    assert tell(**dropped, missing=[0]) == ["late"]
    assert tell(**dropped, lost=[0, 1], failed=[[1, 1], [0, 2]], round=2) == [], "a second word did not come in time"
    assert tell(**dropped, lost=[1], failed=[[1, 1]], missing=[0]) == []
    assert tell(**dropped, lost=[0], failed=[[0, 1]], commitment="cd" * 32) == ["other"], "another secret"
    page.evaluate(CHANGE_NOTE, {"taken": False})
    assert tell(**dropped, lost=[0], failed=[[0, 1]]) == [], "it may have come late"
    page.evaluate(CHANGE_NOTE, {"count": 2})
    assert tell(round=2) == ["other"], "two words, and nobody is named who failed"

    page.get_by_role("button", name="Rematch").click()
    expect_playing(page)
    assert len(checked_words(table_of(page))) == 1, "a rematch that begins at once has a word too"


SENT = """() => {
    window.sent = [];
    window.fetch = async (path, {body}) => {
        sent.push(JSON.parse(body).command);
        return new Response('{"number": 0}', {headers: {"Content-Type": "application/json"}});
    };
    window.ask = async (dice, wanted = 0) => {
        const panel = document.getElementById("dice"), before = sent.length;
        panel.dataset.dice = JSON.stringify({...JSON.parse(panel.dataset.dice), ...dice});
        document.dispatchEvent(new Event("shown"));
        const until = performance.now() + 30000;
        do await new Promise((go) => setTimeout(go, 200));  // other tabs are waited for
        while (sent.length - before < wanted && performance.now() < until);
        return sent.slice(before);
    };
}"""


# A house that shows invented tables, at each of which the browser commits.
FLOOD = """async (count) => {
    const real = window.fetch, before = sent.length;
    const dice = {version: 2, asking: "seats", round: 0, waiting: [], digests: {}, lost: []};
    window.fetch = async (path, options) =>
        options ? real(path, options) : new Response(JSON.stringify({number: 9999, seat: 0, commitment: "c", dice}));
    await new Promise((go) => setTimeout(go, 5));  // a later millisecond
    document.dispatchEvent(new CustomEvent("words", {detail: Array.from({length: count}, (_, n) => `invented-${n}`)}));
    while (sent.length < before + count) await new Promise((go) => setTimeout(go, 5));
    window.fetch = real;
}"""


def opened_here(page: Page) -> int:
    """Return how many words a browser knows to have opened at the table that it shows."""
    table = page.get_attribute("main", "data-table")
    return page.evaluate("(table) => JSON.parse(localStorage.getItem(`sarai-opened ${table}`)).count", table)


def test_a_browser_opens_a_word_once_and_not_for_a_round_that_nobody_failed_in(visitor):
    page = visitor()
    make_table(page, "sixnimmt", 2, 0)
    has_word(page, "Ann")
    page.evaluate(SENT)
    (digest,) = kept(page)

    def ask(**dice):
        return page.evaluate("(dice) => ask(dice)", dice)

    def ask_for_one(**dice):
        (command,) = page.evaluate("(dice) => ask(dice, 1)", dice)
        return command

    digests = {"0": digest, "1": "ab" * 32}
    asked = {"asking": "open", "asked": [0, 1], "waiting": [0, 1], "lost": []}
    assert ask(**asked, round=2, digests=digests) == [], "nobody failed in a round before"
    assert ask(**asked, round=1, digests={**digests, "0": "cd" * 32}) == [], "another device has that word"
    opened = ask_for_one(**asked, round=1, digests=digests)
    assert GivenWord(0, opened["nonce"], opened["word"]).commitment == digest
    assert ask(**asked, round=1, digests={**digests, "1": "ef" * 32}) == [], "the others have changed theirs"
    anew = {"asking": "commit", "asked": [0], "waiting": [0], "lost": [], "round": 1, "digests": {}}
    second = ask_for_one(**anew)
    for lost in ([], [0]):
        again = {**asked, "lost": lost, "digests": {"0": second["digest"], "1": "ab" * 32}}
        assert ask(**again, round=1) == [], "another word, and no other seat is named for it"
    renewing = {"asking": "commit", "asked": [0], "waiting": [0], "lost": [1], "round": 1, "digests": {}}
    fresh = ask_for_one(**renewing)
    assert fresh["type"] == "CommitWord" and fresh["digest"] not in digests.values()
    again = {"asking": "open", "asked": [0], "waiting": [0], "lost": [1], "digests": {"0": fresh["digest"]}}
    opened = ask_for_one(**again, round=2)
    assert GivenWord(0, opened["nonce"], opened["word"]).commitment == fresh["digest"]
    assert len(opened["nonce"]) == 64
    third = ask_for_one(**renewing)
    again["digests"], again["lost"] = {"0": third["digest"]}, [1, 1]
    assert ask(**again, round=2) == [], "a seat can fail once"
    assert opened_here(page) == 2
    again["lost"] = [1, 50, 51]
    assert ask(**again, round=2) == ask(**again, round=4) == [], "seats that had no word cannot have failed"

    # A house that makes it forget all its words learns no further one.
    page.evaluate(FLOOD, 110)
    assert set(kept(page)).isdisjoint({digest, fresh["digest"], third["digest"]})
    late = ask_for_one(asking="seats", asked=[], waiting=[], lost=[], round=1, digests={})
    assert ask(**asked, round=1, digests={"0": late["digest"], "1": "ab" * 32}) == []
    assert opened_here(page) == 2
    page.evaluate(
        "() => { for (let n = 0; n < 2000; n++) localStorage.setItem(`sarai-opened ${n}`, '{\"at\": 9e15}'); }"
    )
    page.evaluate("() => localStorage.removeItem(`sarai-opened ${document.querySelector('main').dataset.table}`)")
    assert ask(**asked, round=1, digests={"0": late["digest"], "1": "ab" * 32}) == [], "there is no room to note it"
    page.evaluate("() => localStorage.setItem('sarai-opened 0', '{\"at\": 0}')")
    opened = ask_for_one(**asked, round=1, digests={"0": late["digest"], "1": "ab" * 32})
    assert opened["type"] == "OpenWord"


# Asks for a word while another tab notes at the same time that it opens another one: neither saw the other's note.
WITH_ANOTHER_TAB = """async ({dice, other}) => {
    const wait = window.setTimeout, timers = [], key = `sarai-opened ${document.querySelector("main").dataset.table}`;
    window.setTimeout = (go) => timers.push(go);
    const asked = ask(dice);
    window.setTimeout = wait;
    const own = JSON.parse(localStorage.getItem(key));
    if (other) localStorage.setItem(key, JSON.stringify({...own, digest: other, promise: other}));
    timers.forEach((go) => go());  // what was waited for is over
    await asked;
    await new Promise((go) => wait(go, 50));
    return [own.digest, sent.filter((command) => command.type === "OpenWord").length];
}"""


def test_if_two_tabs_are_asked_for_two_words_at_once_one_is_opened(visitor, server):
    page = visitor()
    make_table(page, "sixnimmt", 2, 0)
    has_word(page, "Ann")
    link = page.locator("a[data-address]")
    expect(link).to_have_text(page.url)  # the stream does not know by which address the page came
    assert link.get_attribute("href") == page.url.removeprefix(server.address)
    (digest,) = kept(page)
    page.evaluate(SENT)
    dice = {"asking": "open", "asked": [0], "waiting": [0], "lost": [], "round": 1, "digests": {"0": digest}}
    other = "cd" * 32
    assert page.evaluate(WITH_ANOTHER_TAB, {"dice": dice, "other": other}) == [digest, 0], (
        "the other tab opens its word"
    )
    assert page.evaluate("(dice) => ask(dice)", dice) == [], "and no other one is opened later"
    page.evaluate("() => localStorage.removeItem(`sarai-opened ${document.querySelector('main').dataset.table}`)")
    assert page.evaluate(WITH_ANOTHER_TAB, {"dice": dice, "other": None}) == [digest, 1]


def test_sha_256_of_our_own(visitor):
    page = visitor()
    page.goto("/about")
    address = page.get_attribute("script[src*='/dice_words-']", "src")
    texts = ["", "abc", *("aé"[n % 2] * n for n in range(50, 130)), "🐪" * 1000]
    found = page.evaluate(
        "async ([address, texts]) => { const {sha256} = await import(address); return texts.map(sha256); }",
        [address, texts],
    )
    assert found == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
