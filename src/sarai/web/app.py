"""The app: all routes, wired by hand."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.core.errors import Error
from sarai.table.refusals import WRONG
from sarai.table.service.house import House
from sarai.web.api.handlers import Api, answer
from sarai.web.api.openapi import document
from sarai.web.cookies import COOKIE
from sarai.web.pages.site_pages import Pages
from sarai.web.pages.table_page import Tables
from sarai.web.refusals import STATUS, Refused
from sarai.web.security import Guard
from sarai.web.site import Site, Visit, say_refusal

NOT_YET = 503
AGAIN = 2  # seconds after which a page that was not ready is asked for again
log = logging.getLogger("sarai.web")


class Refusals:
    """Turns every error into an answer: JSON for programs, a page for people."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def refused(self, request: Request, error: Exception) -> Response:
        """Answer what was refused."""
        assert isinstance(error, Error)
        status = STATUS.get(error.key, WRONG)
        tongue = self.site.language_of(request)
        sentence = say_refusal(error, tongue)
        response: Response
        if wants_json(request):
            number = {"number": error.facts["number"]} if error.key == "stale" else {}
            response = answer({"reason": error.key, "sentence": sentence, **number}, status)
        else:
            visit = Visit(None, tongue) if status in (401, 413) else await self.site.visit(request)
            table_id = request.path_params.get("id")
            back = (
                f"/tables/{table_id}"
                if table_id and status != 404
                else "/" + request.url.path.lstrip("/\\")
                if request.method == "GET"
                else None
            )
            heading = tongue.say("One moment …") if status == NOT_YET else tongue.say("That did not work")
            response = self.site.page(
                request, visit, "refused.html", status, heading=heading, sentence=sentence, back=back
            )
        if status == NOT_YET:
            response.headers["retry-after"] = response.headers["refresh"] = str(AGAIN)
        if error.key == "bad_identity":
            response.delete_cookie(COOKIE)
        return response

    async def http(self, request: Request, error: Exception) -> Response:
        """Answer what no route was found for."""
        assert isinstance(error, HTTPException)
        return await self.refused(request, Refused("wrong_method" if error.status_code == 405 else "no_such_page"))

    async def mistake(self, request: Request, error: Exception) -> Response:
        """Answer when the house itself made a mistake."""
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        return await self.refused(request, Refused("house_mistake"))


def wants_json(request: Request) -> bool:
    """Say whether a program asks."""
    return request.url.path.startswith("/api/") or request.headers.get("accept", "").startswith("application/json")


def routes(site: Site) -> list[Route]:
    """Return all routes."""
    api = Api(site)

    async def openapi(request: Request) -> Response:
        return answer(document(site.base(request)))

    async def health(request: Request) -> Response:
        return Response("ok\n", media_type="text/plain")

    return [
        *api.routes(),
        Route("/api/openapi.json", openapi, methods=["GET"]),
        Route("/static/{name}", site.assets.serve),
        *Pages(site).routes(),
        *Tables(site).routes(),
        Route("/health", health),
    ]


async def make_site(house: House, public_url: str | None = None) -> Site:
    """Make the site of a house; what signs its cookies is kept in its database."""
    return Site(house, bytes.fromhex(await house.setting("cookies")), public_url)


def make_app(site: Site) -> Guard:
    """Return the app of a site."""
    refusals = Refusals(site)
    handlers = {Error: refusals.refused, HTTPException: refusals.http, Exception: refusals.mistake}
    return Guard(Starlette(routes=routes(site), exception_handlers=handlers), site.is_https)
