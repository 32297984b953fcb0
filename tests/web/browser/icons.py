"""Make the pictures of the installed app from the logo: `python tests/web/browser/icons.py` writes them beside it."""

import shutil

from playwright.sync_api import sync_playwright

from sarai.web.assets import STATIC

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOGO = (STATIC / "logo.svg").read_text(encoding="utf-8")
# The system cuts its own shape: colour up to the edges. The arch and the star are within four fifths already.
MASKABLE = LOGO.replace(' rx="14"', "").replace("v9a14 14 0 0 1-14 14H14A14 14 0 0 1 0 50z", "v23H0z")
# The system takes the shape alone.
BADGE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="7 5 50 50"><path fill="#fff" fill-rule="evenodd"
d="M18 48V29c0-9 6-14 14-19 8 5 14 10 14 19v19zM25 48V32c0-5 3-8 7-11 4 3 7 6 7 11v16z"/></svg>"""
ICONS = {
    "icon-192.png": (LOGO, 192),
    "icon-512.png": (LOGO, 512),
    "icon-maskable-512.png": (MASKABLE, 512),
    "badge.png": (BADGE, 96),
}


def main() -> None:
    """Let a browser draw each picture."""
    assert MASKABLE.count("14") < LOGO.count("14") - 3, "the logo has other shapes now"
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name, (svg, size) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f'<body style="margin:0">{svg.replace("<svg ", f"<svg width={size} height={size} ", 1)}')
            page.screenshot(path=STATIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
