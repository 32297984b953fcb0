"""The pages about the visitor: the name, other devices, sessions."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sarai.web.form_fields import read_name
from sarai.web.pages.site_pages import SEE_OTHER
from sarai.web.personal_data import data_file, erase
from sarai.web.qr import render_qr
from sarai.web.session_list import describe_sessions, end_session
from sarai.web.site import Site, Visit


class MePages:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/me", self.me),
            Route("/me", self.rename, methods=["POST"]),
            Route("/me/link", self.link, methods=["POST"]),
            Route("/me/sessions", self.end_sessions, methods=["POST"]),
            Route("/me/data", self.data),
            Route("/me/erase", self.erase, methods=["POST"]),
        ]

    async def page(self, visit: Visit, link: str | None = None) -> Response:
        """Show the visitor's name, a link to another device if there is one, and the sessions."""
        known = await describe_sessions(self.site.house, visit) if visit.person is not None else []
        days = date.fromisoformat
        sessions = [(session, days(session.created), days(session.seen)) for session in known]
        qr = render_qr(link) if link is not None else None
        return self.site.page(visit, "me.html", link=link, qr=qr, sessions=sessions)

    async def me(self, request: Request) -> Response:
        """Show the visitor's name."""
        return await self.page(await self.site.visit(request))

    async def rename(self, request: Request) -> Response:
        """Give the visitor a name."""
        visit = await self.site.visit(request)
        name = read_name((await self.site.form(request)).get("name"))
        response = RedirectResponse("/me", SEE_OTHER)
        if visit.person is None:
            person = await self.site.new_person(visit, name)
            await self.site.remember(response, visit, person)
        else:
            await self.site.house.rename(visit.person, name)
        return response

    async def link(self, request: Request) -> Response:
        """Make a link that takes the visitor to another device."""
        visit = await self.site.visit(request)
        token = await self.site.house.people.move_token(visit.require_person(), visit.session and visit.session.id)
        return await self.page(visit, f"{self.site.base_url(request)}/come/{token}")

    async def end_sessions(self, request: Request) -> Response:
        """End one of the visitor's sessions, or all others."""
        visit = await self.site.visit(request)
        visit.require_person()
        ended = await end_session(self.site.house, visit, (await self.site.form(request)).get("end", ""))
        response = RedirectResponse("/" if ended else "/me", SEE_OTHER)
        if ended:
            self.site.forget(response)
        return response

    async def data(self, request: Request) -> Response:
        """Return all that is stored of the visitor, as a file."""
        return await data_file(self.site.house, (await self.site.visit(request)).require_person())

    async def erase(self, request: Request) -> Response:
        """Erase the visitor, who confirmed it."""
        visit = await self.site.visit(request)
        person = visit.require_person()
        await erase(self.site.house, person, (await self.site.form(request)).get("name", ""))
        response = RedirectResponse("/", SEE_OTHER)
        self.site.forget(response)
        return response
