"""The JSON interface of a person's sessions."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.web.api.handlers import answer
from sarai.web.sessions import OTHERS, describe_sessions, end_session
from sarai.web.site import Site, Visit


class MeApi:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/api/me/sessions", self.sessions, methods=["GET"]),
            Route("/api/me/sessions", self.end_sessions, methods=["DELETE"]),
            Route("/api/me/sessions/{id}", self.end_sessions, methods=["DELETE"]),
        ]

    async def visit(self, request: Request) -> Visit:
        """Return who asks; Refused if the visitor is not known."""
        visit = await self.site.visit(request)
        visit.require_person()
        return visit

    async def sessions(self, request: Request) -> Response:
        """List the sessions of a person."""
        return answer(await describe_sessions(self.site.house, await self.visit(request)))

    async def end_sessions(self, request: Request) -> Response:
        """End a session of a person, or all others; return those that are left."""
        visit = await self.visit(request)
        ended = await end_session(self.site.house, visit, request.path_params.get("id", OTHERS))
        response = answer(await describe_sessions(self.site.house, visit))
        if ended:
            self.site.forget(response)
        return response
