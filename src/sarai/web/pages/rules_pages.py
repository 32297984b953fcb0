"""The pages of the rules: for people, with pictures, and at a table the part that matters now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sarai.core.language import offered_languages
from sarai.core.markup import EMPTY
from sarai.core.registry import game as find
from sarai.core.rulebook import read_rulebook
from sarai.table.refusals import Refused
from sarai.web.compression import PublicResponse
from sarai.web.language import find_language
from sarai.web.live.board import about
from sarai.web.pages.lessons import read_progress
from sarai.web.pages.rulebook import picture_once, pictures_of, rulebook_page, section_now
from sarai.web.pages.rules_markdown import rules_page

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request

    from sarai.core.game import Game
    from sarai.web.site import Site, Visit

HTML, SVG = "text/html", "image/svg+xml"
SEE_OTHER = 303
SCHEMES = ("light", "dark")


class RulesPages:
    """The handlers of the rules. What games play for examples and pictures is made in threads, once."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/rules", self.all_games),
            Route("/rules/{game}", self.rules),
            Route("/rules/{game}/panel", self.panel),
            Route("/rules/{game}/{language}/{picture}.svg", self.picture),
            Route("/tables/{id}/rules", self.at_table),
        ]

    async def all_games(self, request: Request) -> Response:
        """Show of which games there are rules."""
        visit = await self.site.visit(request)
        return self.site.public_page(visit, "rules.html", game=None, games=self.site.game_cards())

    async def rules(self, request: Request) -> Response:
        """Show the rules of a game: for people, and clause by clause."""
        visit = await self.site.visit(request)
        game = find(request.path_params["game"])
        rulebook = await self.rulebook(game, visit)
        clauses = rules_page(game) if game.rules_text() is not None or not rulebook else EMPTY
        lesson = read_progress(visit.cookies).get(game.id)
        return self.site.public_page(
            visit, "rules.html", game=game, about=about(game), rulebook=rulebook, clauses=clauses, lesson=lesson
        )

    async def rulebook(self, game: Game, visit: Visit) -> Markup:
        """Return the rules for people in a visitor's language and colours, empty if a game has none."""
        if read_rulebook(game) is None:
            return EMPTY
        scheme = visit.cookies.get("scheme", "")
        return await asyncio.to_thread(rulebook_page, game, visit.language, scheme if scheme in SCHEMES else "")

    async def panel(self, request: Request) -> Response:
        """Return the rules for people alone, for the panel of a table's page; a browser keeps them."""
        visit = await self.site.visit(request)
        game = find(request.path_params["game"])
        rulebook = await self.rulebook(game, visit)
        if not rulebook:
            raise Refused("no_rules_text", title=game.title)
        return self.site.with_cookies(visit, PublicResponse(rulebook, HTML))

    async def picture(self, request: Request) -> Response:
        """Return a picture of the rules; its name is its number on the page and light or dark."""
        game = find(request.path_params["game"])
        code, (number, _, scheme) = request.path_params["language"], request.path_params["picture"].partition("-")
        if read_rulebook(game) is None or code not in offered_languages() or scheme not in SCHEMES:
            raise Refused("no_such_page")
        if not (number.isascii() and number.isdecimal() and len(number) < 4 and int(number) < len(pictures_of(game))):
            raise Refused("no_such_page")
        svg = await asyncio.to_thread(picture_once, game, int(number), find_language(code), scheme)
        return PublicResponse(svg, SVG)

    async def at_table(self, request: Request) -> Response:
        """Lead to the section of the rules that matters to a viewer of a table now; a script is told its id."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        seat = table.seat_of(visit.person_id)
        view = table.state.view(seat).to_json() if table.state is not None else None
        section = section_now(table.game, view, request.query_params.get("pick", ""))
        if request.headers.get("accept", "").startswith("application/json"):
            return JSONResponse({"section": section})
        return RedirectResponse(f"/rules/{table.game.id}#{section}", SEE_OTHER)
