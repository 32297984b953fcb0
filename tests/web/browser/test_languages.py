"""Games and pages in the languages of their readers: played, looked at wide and narrow; nothing English, nothing cut.

`make pictures` keeps the pictures of all of them: PAGE-LANGUAGE-WIDTH.png.
"""

import contextlib
import os
import re
from html import escape
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

import sarai
from browsing import act, ask, click_something, early_moves, lay_table, phase
from catalogs import is_translated
from cli.person import Person, Terminal
from sarai.cli import run
from seen_texts import keep_picture

pytestmark = pytest.mark.program

FOLDER = os.environ.get("SARAI_LANGUAGES", "")
LOCALES = {"fa": "fa-IR", "he": "he-IL", "el": "el-GR", "en": "en-GB"}
PERSONS = {"fa": "پروین", "he": "דנה", "el": "Νίκος", "en": "Josephine"}
SIZES = {"1280": (1280, 800), "360": (360, 740)}
TRANSLATED = {code: [game for game in sarai.game_ids() if is_translated(sarai.game(game), code)] for code in LOCALES}
PLAYED = [(game, "fa") for game in TRANSLATED["fa"]] + [("desert", "he"), ("anubixx", "el")]
if FOLDER:
    PLAYED = [(game, code) for code in LOCALES for game in TRANSLATED[code]]
MOVES = 4
LINES = 400  # of a game in the terminal
ESCAPES = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")  # colours, and what clears the screen
PATHS = {
    "front": "/",
    "new-table": "/tables/new?game=sixnimmt",
    "my-games": "/mine",
    "settings": "/settings",
    "me": "/me",
}
MORE = {  # only in pictures: the words of these pages are those of others, or checked elsewhere
    **{f"new-{game}": f"/tables/new?game={game}" for game in sarai.game_ids()},
    **{f"rules-{game}": f"/rules/{game}" for game in sarai.game_ids()},
    "rules": "/rules",
    "about": "/about",
    "offline": "/offline",
    "missing": "/tables/nothere",
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
    in_english = [game for game in sarai.game_ids() if game not in TRANSLATED[code]]  # their titles and pitches, too
    untranslated = [UNTRANSLATED.replace("{code}", code), *(f"#game-{game}" for game in in_english)]
    titles = {sarai.game(game).title for game in in_english}
    texts = page.evaluate(SEEN, ", ".join(untranslated))
    found = [text for text in texts if text not in titles and ENGLISH[code].search(KNOWN.sub("", text))]
    assert found == [], name
    for width, (wide, high) in SIZES.items():
        page.set_viewport_size({"width": wide, "height": high})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= wide, f"{name} sticks out of {wide} px"
        assert page.evaluate(CUT) == [], f"{name}: names are cut at {wide} px"
        assert page.evaluate(MISPLACED) == [], f"{name} at {wide} px"
        if FOLDER:
            page.wait_for_timeout(200)
            keep_picture(page, Path(FOLDER) / f"{name}-{code}-{width}.png")
    if FOLDER:
        keep_opened(page, name, code)
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["1280"], strict=True)))


def keep_opened(page: Page, name: str, code: str) -> None:
    """Keep a wide picture of a page with everything open that can be opened."""
    page.set_viewport_size({"width": 1280, "height": 800})
    closed = "details:not([open])"
    if page.locator(closed).count():
        page.evaluate("(closed) => document.querySelectorAll(closed).forEach((one) => { one.open = true })", closed)
        keep_picture(page, Path(FOLDER) / f"{name}-opened-{code}-1280.png")


@pytest.mark.skipif(not FOLDER, reason="for people who look at them: make pictures")
@pytest.mark.parametrize("code", LOCALES)
def test_pictures_of_all_other_pages(visitor, server, code):
    page = visitor(locale=LOCALES[code], viewport={"width": 1280, "height": 800})
    for game in sarai.game_ids():
        server.wait_for(game)
        ask(page, "/api/me", {"name": PERSONS[code]})
        table = ask(page, "/api/tables", {"game": game, "players": 3, "bots": ["random"]})["id"]
        page.goto(f"/tables/{table}")
        keep_picture(page, Path(FOLDER) / f"{game}-gathering-{code}-1280.png")
        keep_opened(page, f"{game}-gathering", code)
    for name, path in MORE.items():
        page.goto(path)
        page.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })")
        page.locator("#main img").evaluate_all("(images) => Promise.all(images.map((image) => image.decode()))")
        keep_picture(page, Path(FOLDER) / f"{name}-{code}-1280.png")
        keep_opened(page, name, code)


@pytest.mark.skipif(not FOLDER, reason="for people who look at them: make pictures")
@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("game", sarai.game_ids())
def test_pictures_of_a_game_in_the_terminal(visitor, monkeypatch, tmp_path, game, code):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    person = Person(["help", "a1", "nothing", "log", "board"])
    person.screen = Terminal()
    monkeypatch.setattr("sys.stdin", person)
    with contextlib.redirect_stdout(person.screen):
        run(["play", game, "--players", "3", "--seed", "5", "--language", code, "--bots", "random"])
    lines = ESCAPES.sub("", person.screen.getvalue()).splitlines()[:LINES]
    page = visitor(viewport={"width": 1000, "height": 800})
    page.set_content("".join(f'<pre dir="ltr">{escape(line)} </pre>' for line in lines))
    cells = 'font-feature-settings: "rlig" 0, "liga" 0'  # as in a terminal: lam and alef have two cells, not one
    page.add_style_tag(content=f"pre {{ margin: 0; white-space: pre-wrap; {cells} }}")
    keep_picture(page, Path(FOLDER) / f"terminal-{game}-{code}-1000.png")


@pytest.mark.parametrize(("game", "code"), PLAYED)
def test_a_short_game_is_played_in_the_readers_language(visitor, server, game, code):
    server.wait_for(game)
    page = visitor(locale=LOCALES[code])
    options = {"rounds": 1} if game == "sixnimmt" else {}
    place = lay_table([page], [PERSONS[code]], game, ["random", "random"], **options)
    page.goto(place)
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    check(page, f"{game}-start", code)
    rng, made, wanted = Random(3), 0, early_moves(game, 3, MOVES)
    while made < wanted and phase(page) == "playing":
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
