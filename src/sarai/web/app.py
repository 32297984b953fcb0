"""The app: all routes, with what every request goes through."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import ASGIApp

from sarai.core.errors import Error
from sarai.table.service.house import House
from sarai.web.api.handlers import Api
from sarai.web.api.me import MeApi
from sarai.web.api.push import PushApi
from sarai.web.error_answers import ErrorAnswers
from sarai.web.live.turn_stream import TurnStream
from sarai.web.monitoring import ByPort, CountedApp
from sarai.web.pages.installed_app import InstalledApp
from sarai.web.pages.lessons import LessonPages
from sarai.web.pages.me import MePages
from sarai.web.pages.rules_pages import RulesPages
from sarai.web.pages.site_pages import SitePages
from sarai.web.pages.table_page import TablePage
from sarai.web.push.subscribe_and_send import PushSettings, WebPush
from sarai.web.push.vapid import contact_of
from sarai.web.rate_limits_by_route import limit_routes
from sarai.web.security_headers import SecurityHeaders
from sarai.web.site import Site


def routes(site: Site) -> list[Route]:
    """Return all routes."""
    found = [
        *Api(site).routes(),
        *PushApi(site).routes(),
        *MeApi(site).routes(),
        Route("/static/{name}", site.assets.serve),
        *SitePages(site).routes(),
        *RulesPages(site).routes(),
        *MePages(site).routes(),
        *LessonPages(site).routes(),
        *TablePage(site).routes(),
        Route("/notices", TurnStream(site), methods=["GET"]),
        *InstalledApp(site).routes(),
        *site.monitoring.routes(),
    ]
    return limit_routes(found, site.limits, site.is_foreign)


async def make_site(house: House, public_url: str | None = None, push: PushSettings | None = None) -> Site:
    """Make the site of a house; the key that signs its cookies, and that of its push messages, are in its database."""
    site = Site(house, bytes.fromhex(await house.setting("cookies")), public_url)
    site.push = await WebPush.open(house, push or PushSettings(contact_of(public_url)))
    house.people.on_forget.append(site.end_streams)
    house.on_table.append(site.viewer_pages.forget)
    house.start(site.monitoring.lag.run())
    return site


def make_app(site: Site, metrics_port: int | None = None) -> ASGIApp:
    """Return the app of a site; connections to `metrics_port` get its metrics and nothing else."""
    errors = ErrorAnswers(site)
    handlers = {
        Error: errors.refused,
        HTTPException: errors.no_route,
        ClientDisconnect: errors.gone,
        Exception: errors.failed,
    }
    answering = CountedApp(routes=routes(site), exception_handlers=handlers)
    answering.router.redirect_slashes = False  # it would answer before any limit, and lead wherever a Host header says
    app = SecurityHeaders(answering, site.is_https)
    return app if metrics_port is None else ByPort(app, metrics_port, site.monitoring.metrics_app())
