"""Many tabs of one browser: few connections, and all are told of a turn, if wanted by sound and notification too."""

import statistics
import time
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.program

SOON = 2.0  # seconds in which a hidden tab is told
AT_ONCE = 300  # milliseconds in which a move is made
TABS = 8

HIDING = """
Object.defineProperty(document, "hidden", {get: () => window.isHidden ?? false});
window.hide = (isHidden) => { window.isHidden = isHidden; document.dispatchEvent(new Event("visibilitychange")); };
window.sources = [];
window.EventSource = class extends EventSource { constructor(url) { super(url); sources.push(this); } };
window.streams = () => sources.filter(({readyState}) => readyState !== 2).map(({url}) => new URL(url).pathname);
"""
WITHOUT_LOCKS = 'Object.defineProperty(Navigator.prototype, "locks", {get: () => undefined});'
HEARING = """
Object.defineProperty(Navigator.prototype, "serviceWorker", {get: () => undefined});
window.notes = [];
window.AudioContext = class { state = "running"; currentTime = 0; destination = {}; close() {} };
window.OscillatorNode = class {
    constructor(_, {frequency}) { notes.push(frequency); } connect(next) { return next; } start() {} stop() {} };
window.GainNode = class {
    gain = {setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {}};
    connect(next) { return next; } };
window.notified = [];
window.Notification = class {
    static permission = localStorage.permission ?? "default";
    static async requestPermission() { return this.permission = localStorage.permission = "granted"; }
    constructor(title, {body, tag}) { this.told = [title, body, tag]; notified.push(this); }
    close() {} };
"""
CLICK = """() => new Promise((done) => {
    const number = () => document.querySelector("main").dataset.number, before = number(), begun = performance.now();
    new MutationObserver((_, observer) => {
        if (number() !== before) { observer.disconnect(); done(performance.now() - begun); }
    }).observe(document, {subtree: true, attributeFilter: ["data-number"]});
    document.querySelector("#stage .lit").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
})"""


class Player:
    """A person with a browser; what is done without a page takes none of its connections."""

    def __init__(self, page: Page, name: str, script: str = "") -> None:
        self.context: BrowserContext = page.context
        self.context.add_init_script(HIDING + script)
        page.close()
        self.post("/api/me", {"name": name})

    def post(self, path: str, body: object) -> dict:
        answer = self.context.request.post(path, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def tab(self, path: str) -> Page:
        page = self.context.new_page()
        page.goto(path)
        return page

    def table(self, *others: "Player", **more: object) -> str:
        players = 1 + len(others) + len(more.get("bots", ()))
        table = self.post("/api/tables", {"game": "sixnimmt", "players": players, **more})["id"]
        for other in others:
            other.act(table, {"type": "Sit"})
        self.act(table, {"type": "Start"})
        return table

    def act(self, table: str, command: dict) -> None:
        self.post(f"/api/tables/{table}/act", {"command": command})

    def moves(self, table: str) -> list[int]:
        return self.context.request.get(f"/api/tables/{table}").json()["moves"]

    def move(self, table: str) -> None:
        self.act(table, {"type": "Move", "move": Random(1).choice(self.moves(table))})


def end_turn(player: Player, table: str) -> None:
    """Let a player act until somebody else is to act."""
    while player.moves(table):
        player.move(table)


def give_turn(player: Player, other: Player, table: str) -> float:
    """Let the other player act until it is a player's turn; return when it was."""
    while not player.moves(table):
        begun = time.monotonic()
        other.move(table)
    return begun


def wait_for_mark(tabs: list[Page], is_marked: bool) -> None:
    for tab in tabs:
        tab.wait_for_function("(isMarked) => document.title.startsWith('● ') === isMarked", arg=is_marked)


def leader(tabs: list[Page]) -> Page:
    """Return the tab that keeps the stream, when there is one."""
    until = time.monotonic() + 60
    while len(found := [tab for tab in tabs if tab.evaluate("streams()") == ["/notices"]]) != 1:
        assert time.monotonic() < until, len(found)
        time.sleep(0.02)
    return found[0]


@pytest.mark.parametrize("script", ["", WITHOUT_LOCKS], ids=["locks", "no locks"])
def test_hidden_tabs_are_told_and_another_takes_over_when_one_is_closed(visitor, server, script):
    server.wait_for("sixnimmt")
    ann, bo = Player(visitor(), "Ann", script), Player(visitor(), "Bo")
    table = ann.table(bo)
    end_turn(ann, table)
    tabs = [ann.tab("/rules"), ann.tab(f"/tables/{table}"), ann.tab("/settings")]
    for tab in tabs:
        tab.evaluate("hide(true)")
    waits = []
    while len(tabs) > 1:
        wait_for_mark(tabs, False)
        first = leader(tabs)
        assert all(tab.evaluate("streams()") == [] for tab in tabs if tab is not first), "of the table there is none"
        begun = give_turn(ann, bo, table)
        wait_for_mark(tabs, True)
        waits.append(time.monotonic() - begun)
        for tab in tabs:
            expect(tab.locator("#turns")).to_have_text("1Your turn at 1 table")
            assert "logo-turn" in tab.get_attribute("#icon", "href")
        tabs.remove(first)
        first.close()
        end_turn(ann, table)
    assert min(waits) < SOON
    wait_for_mark(tabs, False)
    expect(tabs[0].locator("#turns")).to_be_hidden()


def test_a_tab_that_sleeps_loses_the_stream_to_one_in_view(visitor):
    ann = Player(visitor(), "Ann")
    tabs = [ann.tab("/rules"), ann.tab("/about")]
    asleep, seen = sorted(tabs, key=lambda tab: tab is not leader(tabs))
    seen.evaluate("hide(true)")
    asleep.evaluate("BroadcastChannel.prototype.postMessage = () => null")
    seen.evaluate("hide(false)")
    seen.wait_for_function("() => streams().length")
    asleep.wait_for_function("() => !streams().length")
    assert leader(tabs) is seen


def test_eight_tabs_in_view_do_not_freeze_the_house(visitor, server):
    server.wait_for("sixnimmt")
    ann = Player(visitor(), "Ann")
    tables = [ann.table(bots=["random"]) for _ in range(TABS)]
    tabs = [ann.tab(f"/tables/{table}") for table in tables]

    def open_streams() -> list[str]:
        return sorted(path for tab in tabs for path in tab.evaluate("streams()"))

    def paths(*numbers: int) -> list[str]:
        return sorted(["/notices", *(f"/tables/{tables[number]}/stream" for number in numbers)])

    def wait_for_streams(*numbers: int) -> None:
        until = time.monotonic() + 60
        while (found := open_streams()) != paths(*numbers):
            assert time.monotonic() < until, found
            time.sleep(0.02)

    for tab in tabs:
        expect(tab.locator("#stage .lit")).to_have_count(10)
    wait_for_streams(5, 6, 7)
    rounds = []
    while not rounds or (
        statistics.median(rounds[-1]) >= AT_ONCE and len(rounds) < 3
    ):  # a busy machine may be slow once
        for tab in tabs:
            expect(tab.locator("#stage .lit")).not_to_have_count(0)
        rounds.append([tab.evaluate(CLICK) for tab in tabs])
    assert statistics.median(rounds[-1]) < AT_ONCE, rounds
    wait_for_streams(5, 6, 7)
    tabs[7].evaluate("hide(true)")  # there is room for another
    wait_for_streams(4, 5, 6)
    number = int(tabs[0].get_attribute("main", "data-number"))
    ann.act(tables[0], {"type": "Chat", "text": "hello"})
    expect(tabs[0].locator("#chat-lines")).to_contain_text("hello")  # it has no stream, but looks from time to time
    assert int(tabs[0].get_attribute("main", "data-number")) > number
    tabs[0].evaluate("dispatchEvent(new Event('focus'))")
    assert paths(0)[1] in open_streams()


def test_a_turn_is_told_by_sound_and_notification_to_who_wants_it(visitor, server):
    server.wait_for("sixnimmt")
    ann, bo = Player(visitor(), "Ann", HEARING), Player(visitor(), "Bo")
    table = ann.table(bo)
    end_turn(ann, table)
    settings = ann.tab("/settings")
    settings.get_by_label("With two soft notes").check()
    settings.get_by_role("button", name="Listen").click()
    settings.wait_for_function("() => notes.length === 2")
    expect(settings.get_by_text("Your browser has not been asked yet.")).to_be_visible()
    settings.get_by_role("button", name="Ask the browser").click()  # granted, and kept
    expect(settings.get_by_text("Your browser allows them.")).to_be_visible()
    expect(settings.get_by_label("On your turn, when no page of this house is in view")).to_be_checked()
    expect(settings.get_by_label("With two soft notes")).to_be_checked()
    there = ann.tab(f"/tables/{table}")
    tabs = [settings, there]

    def count(name: str) -> int:
        return sum(tab.evaluate(f"{name}.length") for tab in tabs)

    wait_for_mark(tabs, False)
    there.evaluate("hide(true)")
    give_turn(ann, bo, table)
    wait_for_mark(tabs, True)
    settings.wait_for_timeout(700)
    assert count("notes") == 2 and count("notified") == 0, "one tab is in view"
    settings.evaluate("hide(true)")
    end_turn(ann, table)
    wait_for_mark(tabs, False)
    give_turn(ann, bo, table)
    settings.wait_for_function("() => notified.length")
    assert settings.evaluate("notified[0].told") == ["6 nimmt!", "It is your turn.", f"/tables/{table}"]
    settings.wait_for_timeout(700)
    assert count("notes") == 4 and count("notified") == 1
    with ann.context.expect_page() as opened:
        settings.evaluate("notified[0].onclick()")
    opened.value.wait_for_url(f"**/tables/{table}")


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("Notification.permission = 'denied';", "Your browser blocks them."),
        ("delete window.Notification;", "They are not possible here"),
        ("Object.defineProperty(window, 'isSecureContext', {value: false});", "They are not possible here"),
    ],
    ids=["blocked", "unknown", "without HTTPS"],
)
def test_the_settings_say_where_notifications_are_not_possible(visitor, script, sentence):
    page = visitor()
    page.context.add_init_script(HEARING + script)
    page.goto("/settings")
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.get_by_role("button", name="Ask the browser")).to_be_hidden()
