"""The host's panel and the page about oneself in a real browser: by keyboard, wide and narrow."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SIZES = {"wide": (1280, 800), "narrow": (360, 740)}
pytestmark = pytest.mark.program


def pictured(page, name, tmp_path):
    """Check a page wide and narrow, and take its picture."""
    folder = Path(os.environ.get("SARAI_PICTURES") or tmp_path)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{name} sticks out of {width} px"
        page.screenshot(path=folder / f"{name}-{size}.png", full_page=True)
    violations = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []


def named(visitor, name):
    page = visitor()
    page.goto("/me")
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_role("button", name="Save the name").click()
    return page


def test_a_host_sends_somebody_away_and_their_page_says_so_at_once(visitor, server, tmp_path):
    ann, bo = named(visitor, "Ann"), named(visitor, "Ann")
    ann.goto("/tables/new?game=sixnimmt")
    ann.get_by_role("button", name="Make the table").click()
    bo.goto(ann.url)
    bo.get_by_role("button", name="Sit here").first.click()
    bo.get_by_label("Say something").fill("  /hello  <b>you</b>")
    bo.get_by_role("button", name="Say", exact=True).click()
    expect(ann.locator("#chat-lines .said")).to_have_text("  /hello  <b>you</b>", use_inner_text=True)
    expect(ann.locator("#chat-lines li")).to_contain_text("Ann (2) seat 2")
    expect(bo.locator("#host")).to_be_hidden()
    panel = ann.locator("#host")
    panel.locator("summary").focus()
    ann.keyboard.press("Enter")
    panel.get_by_role("button", name="Only players talk").click()
    expect(panel).to_contain_text("Only players may talk.")
    pictured(ann, "host", tmp_path)
    panel.get_by_role("button", name="Ban: Ann (2)").click()
    expect(bo.get_by_role("heading", name="That did not work")).to_be_visible()
    expect(bo.locator("main")).to_contain_text("The host has banned you from this table.")
    expect(panel.get_by_role("button", name="Allow again: Ann (2)")).to_be_visible()


def test_the_page_about_oneself_lists_sessions_and_erases(visitor, server, tmp_path):
    ann = named(visitor, "Ann")
    pictured(ann, "me", tmp_path)
    expect(ann.locator(".sessions li")).to_have_count(1)
    ann.locator(".erase summary").focus()
    ann.keyboard.press("Enter")
    ann.get_by_label("Type your name to confirm").fill("Ann")
    pictured(ann, "erase", tmp_path)
    ann.get_by_role("button", name="Erase everything about me").click()
    expect(ann.locator(".house-head .me")).to_have_text("Your name")
