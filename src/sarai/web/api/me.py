"""The JSON interface of a person's sessions and data."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.web.api import answers
from sarai.web.api.handlers import JSON, answer
from sarai.web.api.requests import Erasure
from sarai.web.personal_data import data_file, erase
from sarai.web.request_body import read_body
from sarai.web.session_list import OTHERS, describe_sessions, end_session
from sarai.web.site import Site, Visit

decode_erasure = msgspec.json.Decoder(Erasure).decode


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
            Route("/api/me/data", self.data, methods=["GET"]),
            Route("/api/me/erase", self.erase, methods=["POST"]),
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

    async def data(self, request: Request) -> Response:
        """Return all that is stored of a person."""
        return await data_file(self.site.house, (await self.visit(request)).require_person())

    async def erase(self, request: Request) -> Response:
        """Erase a person, who confirmed it by the name."""
        person = (await self.visit(request)).require_person()
        name = (await read_body(request, JSON, decode_erasure, "bad_json")).name
        await erase(self.site.house, person, name)
        response = answer(answers.Erased(True))
        self.site.forget(response)
        return response
