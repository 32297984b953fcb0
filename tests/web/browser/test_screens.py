"""Boards on small and large screens, with forced colours and long names; where the focus goes."""

import re
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from playwright.sync_api import Page, expect

import sarai
from browsing import act, click_something, lay_table
from sarai.core.board import Scene
from sarai.core.language import find_language
from sarai.games.anubixx.board.players import bonus_item
from sarai.games.anubixx.board.words import words_of
from sarai.games.camelup.board import render as render_camel_up
from sarai.testing.boards import plain

pytestmark = pytest.mark.program

LAPTOPS = ((1280, 720), (1366, 657), (1440, 700), (1024, 768))
LITTLE_HEIGHT = ((740, 360), (640, 360), (844, 390))  # phones on their side; a laptop at 200 %
NEEDED = {  # what must be in view at once to play, by folder; of other games all that can be chosen
    "camelup": (".track > svg", ".bets", ".hand", ".piles"),
    "sixnimmt": (".rows > svg", ".hand"),
    "desert": (".piles", ".map"),
    "anubixx": (".tray", ".own"),
}
LONG_NAMES = (  # of 24 letters; the wide ones are twice as wide
    "Maximiliane-Wilhelmine W",
    "漢字" * 12,
    "W" * 24,
    "\N{WOMAN}\u200d\N{GIRL}" * 8,
    "שלום" * 6,
)


class Tables:
    """A page at a table of each game, in the middle of a game and with the viewer to act; made when it is asked for."""

    def __init__(self, chromium, server) -> None:
        self.context = chromium.new_context(base_url=server.address, reduced_motion="reduce")
        self.server, self.pages = server, {}

    def at(self, game: str) -> Page:
        if game not in self.pages:
            self.server.wait_for(game)
            page = self.context.new_page()
            bots = 2 if game == "desert" else min(4, sarai.game(game).players[-1] - 1)
            page.goto(lay_table([page], ["Ann"], game, ["random"] * bots))
            rng = Random(3)
            for _ in range(6 if game == "desert" else 2):
                expect(page.locator("#status.yours")).to_be_visible()
                click_something(page, rng)
            expect(page.locator("#status.yours")).to_be_visible()
            self.pages[game] = page
        page = self.pages[game]
        page.bring_to_front()
        page.emulate_media(forced_colors="none")
        return page


@pytest.fixture(scope="module")
def tables(chromium, shared_server) -> Iterator[Tables]:
    made = Tables(chromium, shared_server)
    yield made
    made.context.close()


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width, "the page sticks out sideways"


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(f"#stage {selector}").first.bounding_box()
    assert found, selector
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def to_choose(page: Page) -> list[str]:
    """Return selectors of all that can be chosen, each by itself; what a map scrolls to need not be in view."""
    something = ":is(.lit, .pick.open):not(.map *)"
    found = page.locator(f"#stage {something}").count()
    return [f":nth-match({something}, {at})" for at in range(1, found + 1)] or [".map"]


# --- what is lit, pointed at, focused or picked ----------------------------------------------------------------------

OUTLINED = """(element) => {
    const probe = element.appendChild(document.createElement("i"))
    const colour = (value) => { probe.style.color = value; return getComputedStyle(probe).color }
    const marks = ["var(--lit)", "var(--d-lit-line, var(--lit))", "var(--accent)", "CanvasText"].map(colour)
    const ink = colour("var(--ink)")
    probe.remove()
    if (getComputedStyle(element).stroke === ink && parseFloat(getComputedStyle(element).strokeWidth) >= 4) return true
    return [element, ...element.querySelectorAll("*")].some((part) => {
        const style = getComputedStyle(part)
        if (part instanceof SVGElement && marks.includes(style.stroke) && parseFloat(style.strokeWidth) > 1) return true
        if (part instanceof SVGElement && marks.includes(style.fill) && part.matches(".x-pin")) return true
        if (part !== element) return false
        const isBordered = parseFloat(style.borderTopWidth) > 1 && !/^rgba.*, 0\\)$/.test(style.borderTopColor)
        return style.outlineStyle !== "none" || style.boxShadow !== "none" || isBordered
    })
}"""


@pytest.mark.parametrize("game", sarai.game_ids())
def test_F1_F5_what_can_be_chosen_stays_outlined_when_pointed_at_focused_and_picked(tables, game):
    page = tables.at(game)
    resize(page, 1280, 720)
    for colours in ("none", "active"):
        page.emulate_media(forced_colors=colours)
        for kind in (".pick.open", ".lit"):
            for one in page.locator(f"#stage {kind}").all()[:2]:
                what = one.evaluate("(element) => element.outerHTML.slice(0, 100)")
                assert one.evaluate(OUTLINED), (what, "at rest", colours)
                assert one.evaluate("(element) => element.role === 'button' && element.ariaLabel"), what
                one.hover(force=True)
                assert one.evaluate(OUTLINED), (what, "pointed at", colours)
                page.mouse.move(0, 0)
                page.keyboard.press("Shift")
                one.focus()
                assert one.evaluate(OUTLINED), (what, "focused", colours)
                one.evaluate("(element) => element.blur()")
            if kind == ".pick.open" and page.locator("#stage .pick.open").count():
                if not page.locator("#stage .picked").count():
                    page.locator("#stage .pick.open").first.dispatch_event("click")
                assert page.locator("#stage .picked").first.evaluate(OUTLINED), f"picked, {colours}"


@pytest.mark.parametrize("game", sarai.game_ids())
def test_F5_forced_colours_mark_who_is_to_act_by_a_line(tables, game):
    page = tables.at(game)
    page.emulate_media(forced_colors="active")
    style = "(element) => getComputedStyle(element).outlineStyle + getComputedStyle(element).outlineWidth"
    marked = [f".turn-{seat} ~ #seat-{seat}, .acts-{seat} ~ .player.r{seat}" for seat in range(8)]
    to_act = f":is({', '.join(marked)}, .seat.acts, .player.acting, .head.acting)"
    acting = f"#stage {to_act}, #players .acting, #status.yours"
    assert page.locator(acting).count() >= 3
    assert set(page.locator(acting).evaluate_all(f"(all) => all.map({style})")) == {"solid3px"}
    others = page.locator(f"#stage :is(.seat, .player):not({to_act}), #players .chair:not(.acting)")
    assert all(one.startswith("none") for one in others.evaluate_all(f"(all) => all.map({style})"))


# --- sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["camelup-2014", "camelup-2018"])
def test_F2_camel_up_has_two_columns_on_laptops(tables, game):
    page = tables.at(game)
    for width, height in LAPTOPS:
        resize(page, width, height)
        assert box(page, ".bets")["x"] >= box(page, ".track")["right"], (width, height)
        for part in NEEDED["camelup"]:
            assert box(page, part)["bottom"] <= height, (part, width, height)
        log = page.locator("#log").bounding_box()
        assert log and log["height"] > 80, "what happened can be read"


@pytest.mark.parametrize("game", sarai.game_ids())
def test_F3_F6_a_board_fits_little_height(tables, game):
    page = tables.at(game)
    for (width, height), language in product(LITTLE_HEIGHT, ("en", "he")):  # lines of Hebrew are higher
        resize(page, width, height)
        page.evaluate("(language) => { scrollTo(0, 0); document.documentElement.lang = language }", language)
        status = page.locator("#status").bounding_box()
        assert status
        for part in NEEDED.get(sarai.game(game).folder.name) or to_choose(page):
            found = box(page, part)
            assert found["y"] >= status["y"] + status["height"] and found["bottom"] <= height, (part, width, height)
            assert found["x"] >= 0 and found["right"] <= width, (part, width, height)
    page.evaluate("() => { document.documentElement.lang = 'en' }")
    for lit in page.locator("#stage :is(.lit, .pick.open):not(.hex, .joint, .place, .stone)").all():
        size = lit.bounding_box()
        assert size and min(size["width"], size["height"]) >= 24, "large enough for a finger"


# --- the desert's map -------------------------------------------------------------------------------------------------

IN_VIEW = """(piece) => {
    const here = piece.closest(".map").getBoundingClientRect(), box = piece.getBoundingClientRect()
    return box.left >= here.left && box.right <= here.right && box.top >= here.top && box.bottom <= here.bottom
}"""


IS_WHOLE = "(map) => map.scrollWidth <= map.clientWidth && map.scrollHeight <= map.clientHeight"


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_F4_the_map_follows_the_last_move_and_can_be_seen_whole(visitor, server, size):
    server.wait_for("desert")
    width, height = size
    ann, bo = (visitor(viewport={"width": width, "height": height}, has_touch=True) for _ in range(2))
    place = lay_table([ann, bo], ["Ann", "Bo"], "desert")

    def seen(page: Page) -> dict:
        return page.request.get(f"/api{place}").json()

    if seen(ann)["to_act"] != [0]:
        act(bo, place, "Move", move=seen(bo)["moves"][0])
    ann.goto(place)
    ann.locator("#stage .pick.open").first.tap()
    spot = ann.locator("#stage .hex.lit").nth(0)
    spot.scroll_into_view_if_needed()
    number, before = ann.get_attribute("main", "data-number"), scroll_of(ann)
    spot.tap()
    ann.wait_for_selector(f'main:not([data-number="{number}"])')
    assert scroll_of(ann) == before, "what the person chose stays where it is"
    for last in (True, False):  # far to the right, then far to the left
        number = ann.get_attribute("main", "data-number")
        choices = seen(bo)["moves"]
        far = sorted(choices, key=lambda move: column_of(move))[-1 if last else 0]
        act(bo, place, "Move", move=far)
        ann.wait_for_selector(f'main:not([data-number="{number}"])')
        assert ann.locator("#stage .piece.new").evaluate(IN_VIEW), "the last move is in view"
        act(ann, place, "Move", move=seen(ann)["moves"][0])
    expect(ann.get_by_role("button", name="Near")).to_have_attribute("aria-pressed", "true")
    ann.get_by_role("button", name="Whole map").tap()
    assert ann.locator("#stage .map").evaluate(IS_WHOLE)
    ann.reload()  # it is kept
    expect(ann.get_by_role("button", name="Whole map")).to_have_attribute("aria-pressed", "true")
    number = ann.get_attribute("main", "data-number")
    ann.locator("#stage .hex").nth(9).tap(force=True)  # too small for a finger: goes near, and chooses nothing
    expect(ann.get_by_role("button", name="Near")).to_have_attribute("aria-pressed", "true")
    assert ann.locator("#stage .hex").nth(9).evaluate(IN_VIEW)
    assert ann.get_attribute("main", "data-number") == number
    ann.get_by_role("button", name="Whole map").tap()
    ann.get_by_role("button", name="Near").tap()
    assert not ann.locator("#stage .map").evaluate(IS_WHOLE)
    assert ann.locator("#stage .piece.new").evaluate(IN_VIEW)


def scroll_of(page: Page) -> list[float]:
    return page.locator("#stage .map").evaluate("(map) => [map.scrollLeft, map.scrollTop]")


def column_of(move: int) -> int:
    from sarai.games.desert.state import HEXES
    from sarai.games.desert.terrain import BOARD

    return int(BOARD.places[move % HEXES][0])


# --- long names and much at once -------------------------------------------------------------------------------------

STICKS_OUT = """() => [...document.querySelectorAll("header *, main *")].filter((element) => {
    if (!element.checkVisibility() || element.closest("svg, .fan") || element.querySelector(".fan")) return false
    const isClipped = getComputedStyle(element).overflowX !== "visible"
    return !isClipped && element.clientWidth && element.scrollWidth > element.clientWidth + 1
}).map((element) => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("game", [game for game in sarai.game_ids() if game != "camelup-2014"])  # as the newer edition
def test_F6_long_names_stick_out_of_nothing(visitor, server, game):
    server.wait_for(game)
    names = LONG_NAMES[: sarai.game(game).players[-1]]
    pages = [visitor() for _ in names]
    pages[0].goto(lay_table(pages, names, game))
    for width, height in ((1280, 720), (740, 360), (360, 740), (320, 640)):
        resize(pages[0], width, height)
        assert pages[0].evaluate(STICKS_OUT) == [], (width, height)


TILES_AND_STACKS = (
    "camelup-2018 players=5 phase=turn moves=17 leg=1 turn=2 start=0 camels=3:ybprg,16:WK dice=b1.y1 "
    "tiles=4-,6-,8-,10-,13- tickets=4/-/-/2/2 pyramid=0,1,0,1,0 pounds=3,5,3,3,3 cards=-"
)
INSIDE = """() => {
    const cell = document.querySelector("#stage .road").getBoundingClientRect().width / 5
    const road = document.querySelector("#stage .road").getBoundingClientRect()
    const boxes = (found) => [...document.querySelectorAll(found)].map((each) => each.getBoundingClientRect())
    const camels = boxes("#stage .camel"), numbers = boxes("#stage .space-number")
    const overlap = (from, to, begin, end) => from < end - 1 && begin < to - 1
    const meet = (one, other) => overlap(one.left, one.right, other.left, other.right) &&
        overlap(one.top, one.bottom, other.top, other.bottom)
    return [...document.querySelectorAll("#stage .owner")].flatMap((owner) => {
        const box = owner.getBoundingClientRect(), column = Math.floor((box.left - road.left) / cell)
        const wrong = []
        if (box.right > road.left + (column + 1) * cell + 2) wrong.push("too wide")
        if (camels.some((camel) => meet(camel, box))) wrong.push("under camels")
        if (numbers.some((number) => meet(number, box))) wrong.push("over a number")
        return wrong.map((what) => `${owner.textContent}: ${what}`)
    })
}"""


def test_F6_a_tiles_owner_is_read_beside_a_stack_of_camels(visitor, server):
    state = sarai.game("camelup-2018").parse(TILES_AND_STACKS)
    page = visitor(viewport={"width": 1280, "height": 720})
    page.goto("/about")
    show(page, "camelup", render_camel_up(Scene(state.view(None).to_json(), [], LONG_NAMES, plain)).whole())
    assert page.locator("#stage .owner").count() == 5
    assert page.evaluate(INSIDE) == []


ALL_CAMELS = {"camelup-2014": "gobwy", "camelup-2018": "gWypKrb"}
MEET_NUMBERS = """(boards) => boards.flatMap((board, at) => {
    document.querySelector("#stage").innerHTML = board
    const boxes = (found) => [...document.querySelectorAll(`#stage ${found}`)].map((each) =>
        [each.textContent || each.className.baseVal, each.getBoundingClientRect()])
    const meet = ([, one], [, other]) => one.left < other.right && other.left < one.right &&
        one.top < other.bottom && other.top < one.bottom
    const things = boxes(":is(.camel, .slab, .disc, .owner, .die, .pyramid, .finish, .way)")
    const numbers = boxes(".space-number"), whole = document.querySelector("#track").getBoundingClientRect()
    return numbers.flatMap((number, which) => {
        const wrong = [...things, ...numbers.slice(0, which)].filter((thing) => meet(number, thing))
        const { left, right, bottom } = number[1]
        const isInside = left >= whole.left && right <= whole.right && bottom <= whole.bottom
        return [...wrong.map(([what]) => what), ...(isInside ? [] : ["the end of the picture"])]
            .map((what) => `all on ${at + 1}: ${number[0]} meets ${what}`)
    })
})"""


def all_on(game: str, space: int) -> str:
    """Return the position with all camels on one space and a tile on every second one beside it."""
    tiles = [f"{other}+" for other in range(3 - space % 2, 17, 2)]
    nothing = ",".join("0" * 8)
    partners = f" partners={','.join('-' * 8)}" if game == "camelup-2018" else ""
    return (
        f"{game} players=8 phase=turn moves=9 leg=1 turn=0 start=0 camels={space}:{ALL_CAMELS[game]} dice=- "
        f"tiles={','.join([*tiles, '-'][:8])} tickets=-/-/-/-/- pyramid={nothing} pounds={nothing}{partners} cards=-"
    )


@pytest.mark.parametrize(("game", "code"), [("camelup-2014", "en"), ("camelup-2018", "fa")])
def test_F6_nothing_covers_the_number_of_a_space(visitor, server, game, code):
    names, say = [*LONG_NAMES, *LONG_NAMES][:8], find_language(code).say
    views = [sarai.game(game).parse(all_on(game, space)).view(None).to_json() for space in range(1, 17)]
    boards = [render_camel_up(Scene(view, [], names, say)).whole() for view in views]
    page = visitor()
    page.goto("/about")
    show(page, "camelup", boards[0])
    for width, height in ((1280, 720), (360, 740)):
        resize(page, width, height)
        assert page.locator("#stage .space-number").count() == 16
        assert page.evaluate(MEET_NUMBERS, boards) == [], (width, height)


def test_F6_a_bonus_won_by_five_players_holds_their_badges(visitor, server):
    page = visitor()
    page.goto("/about")
    won = bonus_item(words_of(plain), "scarab", False, tuple(range(5)), LONG_NAMES, False)
    listed = "".join(str(won).replace("x-bonus-scarab", f"x-bonus-{number}") for number in range(8))
    show(page, "anubixx", f'<div class="board anubixx n5"><ul class="bonuses">{listed}</ul></div>')
    outside = """() => [...document.querySelectorAll("#stage .bonus .seat-number")].filter((badge) => {
        const box = badge.getBoundingClientRect(), here = badge.closest(".bonus").getBoundingClientRect()
        return box.right > here.right || box.bottom > here.bottom
    }).length"""
    for width in (1280, 1024, 360):
        resize(page, width, 720)
        assert page.locator("#stage .bonus .seat-number").count() == 40
        assert page.evaluate(outside) == 0, width


def show(page: Page, game: str, board: str) -> None:
    """Show a board on a page of the house, with the game's style."""
    front = page.request.get("/").text()
    style = re.search(rf'href="(/static/{game}-[0-9a-f]+\.css)"', front)
    assert style
    page.evaluate(
        """([style, board]) => new Promise((done) => {
            const link = document.createElement("link")
            link.rel = "stylesheet"
            link.href = style
            link.onload = done
            document.head.append(link)
            document.querySelector("main").innerHTML = `<div id="stage" class="stage">${board}</div>`
        })""",
        [style[1], board],
    )


# --- the focus --------------------------------------------------------------------------------------------------------


def test_F8_the_focus_never_falls_to_the_body(visitor, server):
    server.wait_for("sixnimmt")
    ann, bo = visitor(), visitor()
    place = lay_table([ann, bo], ["Ann", "Bo"], "sixnimmt", rounds=1)
    ann.goto(place)

    def play_first(of: Page) -> None:
        act(of, place, "Move", move=of.request.get(f"/api{place}").json()["moves"][0])

    def focus() -> str:
        """Say where the focus is, after a frame in which the browser takes it from what cannot have it."""
        return ann.evaluate(
            """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
                const here = document.activeElement, around = here.closest("#stage, #actions, #moves, main, body")
                done(here.closest("form")?.dataset.live ?? around.id)
            })))"""
        )

    def after(do) -> str:
        number = ann.request.get(f"/api{place}").json()["number"]
        ann.wait_for_selector(f'main[data-number="{number}"]')  # what happened before is shown
        do()
        ann.wait_for_selector(f'main:not([data-number="{number}"])')
        return focus()

    ann.locator("#stage .lit").nth(4).focus()
    card = ann.evaluate("() => document.activeElement.id")
    assert after(lambda: ann.keyboard.press("Enter")) == "stage", "a card that was chosen"
    assert ann.evaluate("() => document.activeElement.id") == card
    ann.get_by_role("button", name="Take back").focus()
    assert after(lambda: ann.keyboard.press("Enter")) == "actions", "a button that is gone, not the next one"
    ann.locator("#stage .lit").nth(4).focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#stage .lit")).to_have_count(0)
    assert after(lambda: play_first(bo)) == "stage", "a card that left the hand"
    if ann.locator("#stage .lit").count():
        ann.keyboard.press("ArrowRight")
        assert ann.evaluate("() => document.activeElement.matches('.lit')"), "arrows lead on from there"
    while not ann.evaluate("() => Boolean(document.querySelector('body:has(#status.yours) #stage .lit'))"):
        after(lambda: play_first(bo))  # Bo takes a row first
    ann.locator("#moves summary").click()
    ann.locator("#move-list button").first.focus()
    assert after(lambda: ann.keyboard.press("Enter")) == "moves", "a move in the list"
