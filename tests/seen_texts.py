"""Pictures of pages with the texts on them and where each stands, so that a translation can be judged at its place."""

import json
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

SEEN = """() => {
    const seen = [], said = ["aria-label", "title", "placeholder", "alt"]
    const place = (element) => {
        const box = element.getBoundingClientRect()
        return [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round)
    }
    const isShown = (element) => { // not scrolled out of what it stands in
        const box = element.getBoundingClientRect()
        if (box.width < 4 || box.height < 4 || element.closest(".visually-hidden, .sr")) return false
        for (let around = element.parentElement; around; around = around.parentElement) {
            if (getComputedStyle(around).overflow === "visible" || around === document.documentElement) continue
            const edge = around.getBoundingClientRect(), middle = box.y + box.height / 2
            if (middle < edge.top || middle > edge.bottom) return false
            if (box.right < edge.left || box.left > edge.right) return false
        }
        return true
    }
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest("script, style, noscript, template, svg defs")) continue
        if (!element.checkVisibility({visibilityProperty: true}) || !isShown(element)) continue
        const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
        if (own) seen.push([element.textContent, place(element)])
        for (const name of said)
            if (element.getAttribute(name)) seen.push([element.getAttribute(name), place(element)])
    }
    return seen
}"""


class SeenText(NamedTuple):
    """A text of a page and where it stands in its picture: x, y, width, height."""

    text: str
    box: tuple[int, int, int, int]


def keep_picture(page: Page, path: Path, *, full_page: bool = True) -> None:
    """Keep a picture of the whole page, or of what is on the screen, and beside it the texts that are on it."""
    page.evaluate("() => scrollTo(0, 0)")
    page.screenshot(path=path, full_page=full_page)
    seen = page.evaluate(SEEN)
    if not full_page:
        seen = [[text, box] for text, box in seen if box[1] + box[3] <= page.viewport_size["height"]]
    path.with_suffix(".json").write_text(json.dumps(seen, ensure_ascii=False))


def read_texts(path: Path) -> list[SeenText]:
    return [SeenText(text, tuple(box)) for text, box in json.loads(path.read_text())]
