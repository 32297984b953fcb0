"""A start on an empty cache: the first turn is played while games are compiled, and the server replaces itself."""

import os
import shutil
import time
from random import Random

import httpx
import psutil
import pytest
from playwright.sync_api import expect

from browsing import click_something
from conftest import PREPARED, Server
from sarai.core.kernels.cache import kernel_directory


@pytest.fixture
def cold_server(tmp_path):
    """A server that finds compiled kernels, so that the test need not wait for them, but no game marked as compiled."""
    kernels = kernel_directory()
    shutil.copytree(
        kernels, tmp_path / "cache" / kernels.name, ignore=shutil.ignore_patterns("prepared-*"), copy_function=os.link
    )
    served = Server(tmp_path / "house", SARAI_CACHE_DIR=str(tmp_path / "cache"))
    yield served
    served.stop()


def test_the_first_turn_is_played_while_games_are_compiled_and_the_page_outlives_the_server(cold_server, chromium):
    page = chromium.new_page(base_url=cold_server.address, reduced_motion="reduce")
    page.goto("/")
    page.locator("form[action='/play']", has=page.locator("input[value=sixnimmt]")).get_by_role("button").click()
    expect(page.locator("#status progress")).to_be_visible()
    expect(page.locator("#status.yours")).to_be_visible()
    page.evaluate("() => { window.isSame = true }")
    rng = Random(1)
    played_at = httpx.get(f"{cold_server.address}/api/games").json()
    assert not all(game["prepared"] == [1, 1] for game in played_at), "compiled already"

    def play():
        """Play a turn, and wait until the bots have played theirs."""
        number = page.get_attribute("main", "data-number")
        until = time.monotonic() + PREPARED
        while page.get_attribute("main", "data-number") == number or not page.locator("#status.yours").count():
            assert time.monotonic() < until
            if not click_something(page, rng):
                time.sleep(0.05)

    play()
    process, until = psutil.Process(cold_server.process.pid), time.monotonic() + PREPARED
    while "SARAI_SOCKET" not in process.environ():
        assert time.monotonic() < until, "the server was not replaced"
        time.sleep(0.1)
    play()
    expect(page.locator("#status progress")).to_have_count(0)
    assert page.evaluate("() => window.isSame"), "the page was loaded again"
    page.close()
