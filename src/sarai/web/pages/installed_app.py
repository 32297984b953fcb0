"""What a browser needs to install the site as an app: the manifest, the service worker, the offline page."""

from __future__ import annotations

import hashlib

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.web.compression import PublicResponse
from sarai.web.site import Site, Visit

OFFLINE = "/offline"
OFFLINE_FILES = ("site.css", "offline_page.js", "logo.svg")
ICONS = (  # file, size, media type, purpose
    ("logo.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
BACKGROUND, THEME = "#fbf4e6", "#2c2766"


class InstalledApp:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/manifest.webmanifest", self.manifest),
            Route("/service-worker.js", self.service_worker),
            Route(OFFLINE, self.offline),
        ]

    async def manifest(self, request: Request) -> Response:
        """Return the manifest, in the visitor's language."""
        visit = await self.site.visit(request)
        language = visit.language
        manifest = {
            "id": "/",
            "name": language.say("Sarai"),
            "short_name": language.say("Sarai"),
            "description": language.say("A house for table games: play in the browser, with friends and with bots."),
            "lang": language.code,
            "dir": language.direction,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": BACKGROUND,
            "theme_color": THEME,
            "icons": [
                {"src": self.site.assets.address(name), "sizes": sizes, "type": media_type, "purpose": purpose}
                for name, sizes, media_type, purpose in ICONS
            ],
        }
        return PublicResponse(msgspec.json.encode(manifest), "application/manifest+json")

    async def service_worker(self, request: Request) -> Response:
        """Return the service worker; it changes with what it keeps, so that browsers fetch that again."""
        visit = await self.site.visit(request)
        page = bytes(self.offline_page(visit).body)
        settings = {
            "cache": f"offline-{hashlib.sha256(page).hexdigest()[:12]}",
            "page": OFFLINE,
            "files": [self.site.assets.address(name) for name in OFFLINE_FILES],
            "icon": self.site.assets.address("icon-192.png"),
            "badge": self.site.assets.address("badge.png"),
        }
        script = self.site.templates.get_template("service-worker.js").render(settings=settings)
        return PublicResponse(script, "text/javascript")

    async def offline(self, request: Request) -> Response:
        """Return the page that browsers keep and show when they do not reach us."""
        return self.offline_page(await self.site.visit(request))

    def offline_page(self, visit: Visit) -> Response:
        """Return the offline page: the same for everybody who reads a language."""
        return self.site.page(visit, "offline.html")
