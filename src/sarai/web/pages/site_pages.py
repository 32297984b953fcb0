"""The pages around the tables."""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sarai.core.language import with_plain_digits
from sarai.core.messages import Name, Series
from sarai.core.policy.levels import LEVELS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.decide_dice_words import check_digest
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.storage.summaries import Summary
from sarai.table.table import FINISHED, PLAYING
from sarai.web.cookies import AGE, HINTS_COOKIE, SETTINGS
from sarai.web.create_table import CLOCKS, GUEST_NAME, check_table, make_table, play_now, usual_players
from sarai.web.form_fields import read_name
from sarai.web.language import Language
from sarai.web.live import board
from sarai.web.live.names import shown_names
from sarai.web.pages.lessons import read_progress
from sarai.web.pages.my_games import RUNNING, choices, describe_own, read_filter
from sarai.web.site import Site, Visit

SEE_OTHER = 303
SHOWN = 30  # tables of a kind on the front page
TOKEN = re.compile("[A-Za-z0-9_-]{1,64}")  # of a link; in the address of a form nothing else has a meaning


def describe_table(table: Summary, language: Language) -> dict[str, Any]:
    """Describe a table in a list."""
    if table.phase == FINISHED:
        state = language.say("over")
    elif table.phase == PLAYING:
        state = language.say("your turn") if table.my_turn else language.say("being played")
    else:
        state = language.say("{n, plural, one {# free seat} other {# free seats}}", n=table.free)
    return {
        "id": table.id,
        "title": language.say(find(table.game).title),
        "names": language.render(Series(Name(name) for name in shown_names(table.seats, language) if name)),
        "state": state,
        "your_turn": table.my_turn,
        "day": "",
        "won": False,
    }


def asks_name(visit: Visit) -> bool:
    """Say whether a visitor has not given a name yet: unknown, or a guest after a game begun at once."""
    return visit.person is None or visit.person.name == visit.language.say(GUEST_NAME)


class SitePages:
    """The handlers of all pages but the table's."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where the pages are."""
        return [
            Route("/", self.front),
            Route("/play", self.play, methods=["POST"]),
            Route("/tables/new", self.new),
            Route("/tables", self.make, methods=["POST"]),
            Route("/mine", self.mine),
            Route("/about", self.about),
            Route("/come/{token}", self.come),
            Route("/come/{token}", self.redeem, methods=["POST"]),
            Route("/settings", self.settings),
            Route("/settings", self.keep_settings, methods=["POST"]),
        ]

    async def known_person(self, visit: Visit, name: str | None = None) -> Person:
        """Return the visitor; a new one gets the given name or a guest's, and a guest may be given a name."""
        if visit.person is not None:
            return await self.site.house.rename(visit.person, read_name(name)) if name else visit.person
        chosen = read_name(name) if name is not None else visit.language.say(GUEST_NAME)
        return await self.site.new_person(visit, chosen)

    async def redirect_as(self, address: str, visit: Visit, person: Person, begun: str | None = None) -> Response:
        """Send a visitor on after a form, remembering who they are."""
        response = RedirectResponse(address, SEE_OTHER)
        await self.site.remember(response, visit, person, begun)
        return response

    async def front(self, request: Request) -> Response:
        """Show the games and the open tables."""
        visit = await self.site.visit(request)
        house = self.site.house
        tables, played = await house.public_tables(), await house.public_tables(phases=(PLAYING,))
        own = visit.person and await self.site.house.tables(of=visit.person, phases=RUNNING, most=1)
        return self.site.public_page(
            visit,
            "front.html",
            is_playing=bool(own),
            games=self.site.game_cards(),
            lessons=read_progress(visit.cookies),
            styles=self.site.assets.game_styles(),
            tables=[describe_table(table, visit.language) for table in tables[:SHOWN]],
            played=[describe_table(table, visit.language) for table in played[:SHOWN] if table.watching],
        )

    async def play(self, request: Request) -> Response:
        """Begin a game against bots at once."""
        visit = await self.site.visit(request)
        fields = await self.site.form(request)
        game_id, digest = find(fields.get("game", "")).id, fields.get("digest") or None
        if digest is not None:
            check_digest(digest)
        is_first = "first" in fields  # after a lesson
        person = await self.known_person(visit)
        table_id = await play_now(self.site.house, person, game_id, digest, "novice" if is_first else "regular")
        response = await self.redirect_as(f"/tables/{table_id}", visit, person)
        if is_first:
            response.set_cookie(HINTS_COOKIE, table_id, max_age=AGE, samesite="lax", secure=self.site.is_https)
        return response

    async def new(self, request: Request) -> Response:
        """Ask for everything about a new table."""
        visit = await self.site.visit(request)
        game = find(request.query_params.get("game") or game_ids()[0])
        return self.site.public_page(
            visit,
            "new_table.html",
            game=game,
            games=[find(other) for other in game_ids()],
            css_class=board.css_class(game),
            style=self.site.assets.style_of(game),
            levels=LEVELS,
            players=usual_players(game.id),
            asks_name=asks_name(visit),
        )

    async def make(self, request: Request) -> Response:
        """Make a table."""
        visit = await self.site.visit(request)
        fields = await self.site.form(request)
        game = find(fields.get("game", ""))
        options = {
            name.removeprefix("option-"): with_plain_digits(value)
            for name, value in fields.items()
            if name.startswith("option-")
        }
        defaults = {option.name: str(option.default) for option in game.options}
        # Options that were left as they are never conflict with others.
        changed = {name: value for name, value in options.items() if value != defaults.get(name)}
        counts = [fields.get(name, "0") for name in ("players", "bots")]
        if not all(count.isascii() and count.isdecimal() and len(count) < 3 for count in counts):
            raise Refused("bad_form", why="a count is no number")
        if fields.get("clock", "none") not in CLOCKS:
            raise Refused("bad_form", why="there is no such clock")
        players, bots = map(int, counts)
        clock, level = CLOCKS[fields.get("clock", "none")], fields.get("level", "regular")
        check_table(game.id, players, changed, clock, [level] * bots)
        person = await self.known_person(visit, fields.get("name") if asks_name(visit) else None)
        table_id = await make_table(
            self.site.house, person, game.id, players, changed, fields.get("public") == "yes", clock, [level] * bots
        )
        return await self.redirect_as(f"/tables/{table_id}", visit, person)

    async def mine(self, request: Request) -> Response:
        """List the visitor's tables, those that wait for them first."""
        visit = await self.site.visit(request)
        chosen = {name: request.query_params.get(name, "") for name in ("show", "game")}
        phases, game = read_filter(**chosen)
        tables = list[Summary]()
        if visit.person is not None:
            tables = await self.site.house.tables(of=visit.person, phases=phases, game=game or None, most=100)
        tables.sort(key=lambda table: not table.my_turn)
        return self.site.page(
            visit,
            "mine.html",
            tables=[describe_own(table, visit.language) for table in tables],
            chosen=chosen,
            choices=choices(visit.language),
            is_filtered=any(chosen.values()),
        )

    async def about(self, request: Request) -> Response:
        """Show what this site is."""
        return self.site.public_page(await self.site.visit(request), "about.html")

    async def come(self, request: Request) -> Response:
        """Ask before a link makes the visitor another person: a browser may fetch addresses ahead."""
        visit, token = await self.site.visit(request), request.path_params["token"]
        if not TOKEN.fullmatch(token):
            raise Refused("bad_token")
        return self.site.page(visit, "come.html", token=token)

    async def redeem(self, request: Request) -> Response:
        """Make the visitor the person who made the link."""
        visit = await self.site.visit(request)
        person, begun = await self.site.redeem(visit, request.path_params["token"])
        return await self.redirect_as("/mine", visit, person, begun)

    async def settings(self, request: Request) -> Response:
        """Show what can be set for this browser."""
        return self.site.public_page(await self.site.visit(request), "settings.html", push=self.site.push is not None)

    async def keep_settings(self, request: Request) -> Response:
        """Keep what was set, in cookies."""
        await self.site.visit(request)
        fields = await self.site.form(request)
        response = RedirectResponse("/settings", SEE_OTHER)
        for name, values in SETTINGS.items():
            if fields.get(name) in values:
                response.set_cookie(name, fields[name], max_age=AGE, samesite="lax", secure=self.site.is_https)
            else:
                response.delete_cookie(name)
        return response
