"""Push messages and the offline page in a real browser, with a push service of the test's own."""

import json
from itertools import count

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from push_service import PushService
from sarai.table.service import presence
from served_house import ServedHouse

pytestmark = pytest.mark.program

# A real subscription needs the service of the browser's maker: this one's endpoint is the test's service.
SUBSCRIBE = """
const subscription = (kept) => ({ ...kept, unsubscribe: async () => localStorage.removeItem("subscription") });
PushManager.prototype.subscribe = async (options) => {
  localStorage.setItem("asked", JSON.stringify(options));
  localStorage.setItem("subscription", JSON.stringify(DEVICE));
  return subscription(DEVICE);
};
PushManager.prototype.getSubscription = async () => {
  const kept = localStorage.getItem("subscription");
  return kept && subscription(JSON.parse(kept));
};
"""
NOTIFICATIONS = """async () => {
  const shown = await registration.getNotifications();
  return shown.map(({ title, tag, lang, dir }) => ({ title, tag, lang, dir }));
}"""
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) found.push(...(await (await caches.open(name)).keys()));
  return found.map(({ url }) => new URL(url).pathname);
}"""
# An event that no person made may neither open nor focus a page: what the worker asks for is noted instead.
CLICK = """async () => {
  const asked = [];
  clients.openWindow = async (url) => asked.push("open " + url);
  WindowClient.prototype.focus = async function () { asked.push("focus " + this.url) };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  const done = new Promise((resolve) => Object.defineProperty(event, "waitUntil", { value: resolve }));
  self.dispatchEvent(event);
  await done;
  return asked;
}"""
COUNT_LOOKS = """() => {
  const matchAll = clients.matchAll.bind(clients);
  self.looks = 0;
  clients.matchAll = (wanted) => matchAll(wanted).finally(() => self.looks++);
}"""
ACTIVE = "async () => Boolean((await navigator.serviceWorker.ready).active)"


@pytest.fixture(scope="module")
def service():
    with PushService() as service:
        yield service


@pytest.fixture
def server(service, tmp_path, monkeypatch):
    """A house in this process, which may post to this machine, and does soon after a page is closed."""
    monkeypatch.setattr(presence, "GRACE", 0.0)
    with ServedHouse(tmp_path, push=service.settings(grace=1.0)) as served:
        yield served


def named(page: Page) -> Page:
    """Give a name, and wait for the service worker."""
    page.goto("/me")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Save the name").click()
    page.wait_for_function(ACTIVE)
    return page


def problems(page: Page) -> list[object]:
    return [(found["id"], found["nodes"][0]["html"]) for found in Axe().run(page).response["violations"]]


def begin_game(server: ServedHouse, ann: Page) -> str:
    """Let Bo make a table by days, Ann sit down there, and the game begin; return its path."""
    with httpx.Client(base_url=server.address, headers={"origin": server.address}) as bo:
        bo.post("/api/me", json={"name": "Bo"})
        wanted = {"game": "sixnimmt", "players": 2, "clock": {"kind": "days", "days": 3}}
        table = bo.post("/api/tables", json=wanted).json()["id"]
        assert ann.request.post(f"/api/tables/{table}/act", data={"command": {"type": "Sit"}}).ok
        ann.close()
        assert bo.post(f"/api/tables/{table}/act", json={"command": {"type": "Start"}}).is_success
    return f"/tables/{table}"


def test_a_turn_is_told_while_the_page_is_closed_and_a_click_leads_to_the_table(visitor, server, service):
    device = service.device()
    page = visitor(permissions=["notifications"])
    context = page.context
    context.add_init_script(SUBSCRIBE.replace("DEVICE", json.dumps(device.subscription)))
    named(page).goto("/settings")
    section = page.get_by_role("region", name="Tell me on this device when it is my turn")
    expect(section.get_by_role("status")).to_have_text("Off: this device is not told.", use_inner_text=True)
    section.get_by_role("button", name="Turn on").focus()
    page.keyboard.press("Enter")
    expect(section.get_by_role("status")).to_have_text("On: this device is told.", use_inner_text=True)
    expect(section.get_by_role("button", name="Turn off")).to_be_focused()
    key = page.request.get("/api/push").json()["key"]
    asked = page.evaluate("() => JSON.parse(localStorage.getItem('asked'))")
    assert asked == {"userVisibleOnly": True, "applicationServerKey": key}
    assert problems(page) == []
    page.reload()
    expect(section.get_by_role("button", name="Turn off")).to_be_visible()

    worker, blank, registrations = context.service_workers[0], context.new_page(), []
    browser = context.new_cdp_session(blank)
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda news: registrations.extend(news["registrations"]))
    browser.send("ServiceWorker.enable")
    worker.evaluate(COUNT_LOOKS)

    def deliver(shown: bool) -> list[object]:
        """Hand the message to the service worker; when it has looked around (and shown it), return what is shown.

        It is handed over again now and then: a page that was just closed may still have been seen as an open one.
        """
        looks = worker.evaluate("() => self.looks")
        for attempt in count():
            if attempt % 100 == 0:
                message = {"origin": server.address, "registrationId": registrations[-1]["registrationId"]}
                browser.send("ServiceWorker.deliverPushMessage", {**message, "data": json.dumps(text)})
            if worker.evaluate("() => self.looks") != looks and (not shown or worker.evaluate(NOTIFICATIONS)):
                break
            blank.wait_for_timeout(20)
        return list(worker.evaluate(NOTIFICATIONS))

    path = begin_game(server, page)  # and the page is closed
    text, headers, told = service.next_message()
    assert told is device and headers["sender"] == key
    notification = {"title": "It is your turn: 6 nimmt!", "tag": path, "lang": "en", "dir": "ltr"}
    assert deliver(shown=True) == [notification]
    assert worker.evaluate(CLICK) == [f"open {server.address}{path}"]
    assert worker.evaluate(NOTIFICATIONS) == []

    assert deliver(shown=True) == [notification]
    blank.goto(path)  # who is at the table needs no message of it
    expect(blank.locator("#status.yours")).to_be_visible()
    while worker.evaluate(NOTIFICATIONS):
        blank.wait_for_timeout(20)
    assert deliver(shown=False) == [], "who sees a page of the house is not told besides"
    worker.evaluate("(path) => registration.showNotification('x', { data: { path } })", path)
    assert worker.evaluate(CLICK) == [f"focus {server.address}{path}"]

    blank.goto("/settings")
    section = blank.get_by_role("region", name="Tell me on this device when it is my turn")
    section.get_by_role("button", name="Turn off").click()
    expect(section.get_by_role("status")).to_have_text("Off: this device is not told.", use_inner_text=True)
    assert blank.evaluate("() => localStorage.getItem('subscription')") is None


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("Object.defineProperty(Notification, 'permission', { value: 'denied' })", "This browser blocks messages"),
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "Browsers allow this only over HTTPS"),
        ("delete window.PushManager", "This browser cannot do that."),
    ],
)
def test_the_settings_say_what_is_possible(visitor, script, sentence):
    page = visitor()
    page.add_init_script(script)
    named(page).goto("/settings")
    expect(page.locator("#push [role=status]")).to_contain_text(sentence)
    expect(page.locator("#push p:visible")).to_have_count(1)
    expect(page.locator("#push button")).to_be_hidden()


def test_without_a_connection_a_page_says_so_and_comes_back_by_itself(visitor, server, tmp_path, service):
    page = visitor()
    page.goto("/")
    page.wait_for_function(ACTIVE)
    page.context.set_offline(True)
    page.goto("/rules/desert")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.querySelector('main')).display") == "grid", "with its style"
    assert problems(page) == []
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Through the Desert")
    assert sorted(path.partition("-")[0] for path in page.evaluate(KEPT)) == [
        "/offline",
        "/static/logo",
        "/static/offline_page",
        "/static/site",
    ]
    server.__exit__()
    page.goto("/mine")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    with ServedHouse(tmp_path, port=server.port, push=service.settings()):
        expect(page.get_by_role("heading", name="My games")).to_be_visible()
        assert page.url.endswith("/mine")
