"""Games and pages in the languages of their readers: played, looked at wide and narrow; nothing English, nothing cut.

`make pictures` keeps the pictures of all of them: PAGE-LANGUAGE-WIDTH.png.
"""

import os
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

import sarai
from browsing import act, click_something, lay_table, phase

pytestmark = pytest.mark.program

FOLDER = os.environ.get("SARAI_LANGUAGES", "")
LOCALES = {"fa": "fa-IR", "he": "he-IL", "el": "el-GR", "en": "en-GB"}
PERSONS = {"fa": "پروین", "he": "דנה", "el": "Νίκος", "en": "Josephine"}
SIZES = {"1280": (1280, 800), "360": (360, 740)}
PLAYED = [(game, "fa") for game in sarai.game_ids()] + [("desert", "he"), ("anubixx", "el")]
if FOLDER:
    PLAYED = [(game, code) for code in LOCALES for game in sarai.game_ids()]
MOVES = 4
PATHS = {
    "front": "/",
    "new-table": "/tables/new?game=sixnimmt",
    "my-games": "/mine",
    "settings": "/settings",
    "me": "/me",
}

# What is not said in any language: the letters of camels and dice, hexes, addresses, the numbers in pictures of games.
UNTRANSLATED = (
    '[lang]:not(html, :lang({code})), bdi[dir="ltr"], code, kbd, .link, .qr, .axis, .picture, '
    ".letter, .die-letter, .tag, .gone"
)
SEEN = """(untranslated) => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
        if (!text || element.closest("script, style, noscript, template") || element.closest(untranslated)) continue;
        found.push(text);
    }
    for (const element of document.querySelectorAll("[aria-label], [data-do], [title], [placeholder], [alt]"))
        for (const name of ["aria-label", "data-do", "title", "placeholder", "alt"])
            if (element.hasAttribute(name) && !element.closest(untranslated)) found.push(element.getAttribute(name));
    return [document.title, ...found];
}"""
CUT = """() => [...document.querySelectorAll(".house-head .me, .chair-name, .who, bdi.name")]
    .filter((name) => name.checkVisibility() && name.scrollWidth > name.clientWidth + 1)
    .map((name) => name.textContent)"""
MISPLACED = """() => {
    const found = [], edge = (box) => box.right; // numbers stand ones below ones in every direction
    for (const element of document.querySelectorAll(".rest, .fate"))
        if (getComputedStyle(element).direction !== document.documentElement.dir) found.push(element.className);
    const names = [...document.querySelectorAll(".sources thead bdi")], used = document.querySelector(".dice .where");
    for (const [at, number] of [...document.querySelectorAll(".sources tbody tr:first-child td")].entries()) {
        const text = document.createRange();
        text.selectNodeContents(number);
        const apart = Math.abs(edge(text.getBoundingClientRect()) - edge(names[at].getBoundingClientRect()));
        if (apart > 6) found.push(`${names[at].textContent}: ${apart} px`);
    }
    for (const die of used ? document.querySelectorAll(".die.used .x-face") : [])
        if (die.getBoundingClientRect().bottom > used.getBoundingClientRect().top + 1) found.push(used.textContent);
    return found;
}"""  # what is read in the wrong direction; names away from their numbers; a label over dice
KNOWN = re.compile(
    r"\u2066[^\u2069]*\u2069|Camel Up|6 nimmt!|Anubixx|\b[a-r][0-9]{1,2}\b|"  # notation, brands, hexes
    r"SHA-256|\b[0-9a-f]{64}\b|HTTPS|http|Chrome, Linux|"
    r"\b(?:browser|Tab|Enter|Shift|Escape|Esc|Space)\b"  # Greeks say browser; keys
)
ENGLISH = {  # what no text of a language has
    "fa": re.compile("[A-Za-z]{2,}|[0-9]"),
    "he": re.compile("[A-Za-z]{2,}"),
    "el": re.compile("[A-Za-z]{2,}"),
    "en": re.compile(r"[\u0370-\u06ff]"),
}


def check(page: Page, name: str, code: str) -> None:
    """Look at a page wide and narrow: it is in its language, and nothing sticks out sideways."""
    assert page.get_attribute("html", "lang") == code
    texts = page.evaluate(SEEN, UNTRANSLATED.replace("{code}", code))
    found = [text for text in texts if ENGLISH[code].search(KNOWN.sub("", text))]
    assert found == [], name
    for width, (wide, high) in SIZES.items():
        page.set_viewport_size({"width": wide, "height": high})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= wide, f"{name} sticks out of {wide} px"
        assert page.evaluate(CUT) == [], f"{name}: names are cut at {wide} px"
        assert page.evaluate(MISPLACED) == [], f"{name} at {wide} px"
        if FOLDER:
            page.evaluate("() => scrollTo(0, 0)")
            page.wait_for_timeout(200)
            page.screenshot(path=Path(FOLDER) / f"{name}-{code}-{width}.png", full_page=True)
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["1280"], strict=True)))


@pytest.mark.parametrize(("game", "code"), PLAYED)
def test_a_short_game_is_played_in_the_readers_language(visitor, server, game, code):
    server.wait_for(game)
    page = visitor(locale=LOCALES[code])
    options = {"rounds": 1} if game == "sixnimmt" else {}
    place = lay_table([page], [PERSONS[code]], game, ["random", "random"], **options)
    page.goto(place)
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    check(page, f"{game}-start", code)
    rng, made = Random(3), 0
    while made < MOVES and phase(page) == "playing":
        expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
        made += click_something(page, rng)
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    check(page, f"{game}-middle", code)
    act(page, place, "Lend", seat=0, level="random")
    page.goto("about:blank")
    expect_over(page, place)
    page.goto(place)
    check(page, f"{game}-result", code)


def expect_over(page: Page, place: str) -> None:
    """Wait until bots have played a game to its end."""
    for _ in range(600):
        if page.request.get(f"/api{place}").json()["phase"] == "over":
            return
        page.wait_for_timeout(100)
    raise AssertionError("the game is not over")


@pytest.mark.parametrize("code", LOCALES)
def test_pages_are_in_the_readers_language(visitor, server, code):
    server.wait_for("sixnimmt")
    page = visitor(locale=LOCALES[code])
    lay_table([page], [PERSONS[code]], "sixnimmt", ["random"], rounds=1)
    for name, path in PATHS.items():
        page.goto(path)
        check(page, name, code)


def test_the_first_letter_of_a_label_keeps_its_accent(visitor):
    page = visitor(locale=LOCALES["el"])
    page.goto("/tables/new?game=sixnimmt")
    assert "Όριο" in page.locator(".field > label:first-child").all_inner_texts()
