"""What all pages share: the tables, the files, the templates, and who is visiting."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import jinja2
from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

import sarai
from sarai.core.errors import REASONS
from sarai.core.language import capitalised
from sarai.core.lessons import has_lesson
from sarai.core.messages import Name, Notation, Said, Term
from sarai.core.policy.levels import LEVELS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.refusals import Refused
from sarai.web.assets import Assets
from sarai.web.client_addresses import site_or_address
from sarai.web.compression import PublicResponse
from sarai.web.cookies import (
    AGE,
    COOKIE,
    HOST_COOKIE,
    ID_LETTERS,
    LANGUAGE_COOKIE,
    SETTINGS,
    read_cookies,
    sign,
    verify,
)
from sarai.web.language import LANGUAGES, Language, choose, find_language, offered_languages
from sarai.web.live import board, status_players_actions
from sarai.web.live.dice import gathering_dice
from sarai.web.live.form_elements import button, form
from sarai.web.live.names import shown_names
from sarai.web.live.viewer_page import ViewerPages
from sarai.web.live.waiting_turns import describe_turns
from sarai.web.long_work import LongWork
from sarai.web.monitoring import Monitoring
from sarai.web.rate_limits_by_route import Limits
from sarai.web.request_body import read_body, take_body
from sarai.web.security_headers import NEW_COOKIES, SAFE_METHODS
from sarai.web.user_agent import device_name

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.table.person import Person
    from sarai.table.service.house import House
    from sarai.table.storage.sessions import Session
    from sarai.table.table import Table
    from sarai.web.live.viewer import Viewer
    from sarai.web.push.subscribe_and_send import WebPush

HOST = re.compile(r"[\w.:\[\]-]{1,100}", re.ASCII)
SESSION = "sarai.session"  # in the scope of a request: the session by which its sender is known
TOKEN_IS_NEW = "sarai.token_is_new"  # in the scope of a request: it came with a cookie that is replaced
ASKED_LANGUAGE = re.compile(rb"(?:^|&)lang=([a-z]{2,8})(?=&|$)")
FORM = "application/x-www-form-urlencoded"


class Visit:
    """Who visits, and which language they read."""

    def __init__(
        self,
        request: Request,
        person: Person | None = None,
        reason: str | None = None,
        token: str | None = None,
        session: Session | None = None,
    ) -> None:
        self.request, self.person = request, person
        self.reason = reason  # why the cookie counts for nothing
        self.token, self.session = token, session

    @property
    def is_forged(self) -> bool:
        """Whether the cookie counts for nothing."""
        return self.reason is not None

    @property
    def person_id(self) -> str | None:
        """The person's id, if the visitor is known."""
        return self.person.id if self.person else None

    @property
    def device(self) -> str:
        """What the visitor's browser calls itself."""
        return device_name(self.request.headers.get("user-agent", ""))

    @cached_property
    def cookies(self) -> dict[str, str]:
        """The cookies of this site that the visitor's browser sent."""
        return read_cookies(self.request.headers)

    @property
    def asked_language(self) -> str | None:
        """The language that the address asks for, found without reading all of it: that of a refusal, too."""
        return found[-1].decode() if (found := ASKED_LANGUAGE.findall(self.request.scope["query_string"])) else None

    @cached_property
    def language(self) -> Language:
        """The language of the page: the best of those that are offered."""
        return find_language(self._choose(offered_languages().keys()))

    @cached_property
    def preferred_language(self) -> str:
        """The code of the language that the visitor would like best, offered or not; it is kept for the person."""
        return self._choose(LANGUAGES.keys())

    def _choose(self, codes: Collection[str]) -> str:
        headers = self.request.headers.get("accept-language", "")
        return choose(self.asked_language, self.cookies.get(LANGUAGE_COOKIE), headers, codes)

    def require_person(self) -> Person:
        """Return the person; Refused if the visitor is not known."""
        if self.person is None:
            raise Refused(self.reason or "no_identity")
        return self.person


class Site:
    """All pages of one process, with what they share."""

    def __init__(self, house: House, secret: bytes, public_url: str | None = None) -> None:
        self.house, self.secret = house, secret
        self.public_url = public_url.rstrip("/") if public_url else None
        self.public_origin = origin_of(self.public_url) if self.public_url else None
        self.is_https = bool(self.public_url and self.public_url.startswith("https:"))
        self.cookie = HOST_COOKIE if self.is_https else COOKIE
        self.assets = Assets()
        self.templates = jinja2.Environment(
            loader=jinja2.PackageLoader("sarai.web"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            asset=self.assets.address,
            capitalised=capitalised,
            offered_languages=offered_languages,
            sarai_version=sarai.__version__,
        )
        self.templates.globals.update({kind.__name__: kind for kind in (Name, Notation, Said, Term)})
        self.viewer_pages = ViewerPages(self.render_gathering, self.assets.version)
        self.long_work = LongWork()
        self.streams: dict[asyncio.Task[None], Session | None] = {}
        self.push: WebPush | None = None  # if the extra is installed
        self.limits = Limits(house.limiter)
        self.monitoring = Monitoring(house, self.streams)

    def close(self) -> None:
        """End all streams; browsers connect again by themselves when the server is back."""
        self.long_work.close()
        for stream in self.streams:
            stream.cancel()

    # --- who visits -----------------------------------------------------------------------------------------------

    async def visit(self, request: Request) -> Visit:
        """Return who visits; a cookie that this site did not sign counts for nothing.

        A request that changes something is refused if another site's page sent it, or with such a cookie.
        """
        headers, may_change = request.headers, request.method not in SAFE_METHODS
        if may_change:
            if self.is_foreign(request.scope):
                raise Refused("bad_origin")
            await take_body(request)  # who sends it slowly may have been signed out, or erased, before its end
        cookies = read_cookies(headers)
        signed = cookies.get(self.cookie)
        is_old = signed is None and self.is_https
        if is_old:  # from before the house had HTTPS, or this cookie: it is taken once, and replaced
            signed = cookies.get(COOKIE)
        name = COOKIE if is_old else self.cookie
        visit = await self._recognised(request, signed, name) if signed else Visit(request)
        if visit.token is not None and (is_old or request.scope.get(TOKEN_IS_NEW)):
            replacing = Response()
            self._set_cookie(replacing, visit.token)
            if is_old:
                replacing.delete_cookie(COOKIE)
            request.scope[NEW_COOKIES] = [header for header in replacing.raw_headers if header[0] == b"set-cookie"]
        self.limits.know(request.scope, visit.person_id)
        if visit.person_id is not None:
            self.house.note_address(visit.person_id, site_or_address(request.scope))
        if visit.reason is not None and may_change:
            raise Refused(visit.reason)
        return visit

    def is_foreign(self, scope: Scope) -> bool:
        """Say whether another site's page sent a request that may change something."""
        if scope["method"] in SAFE_METHODS:
            return False
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        host = origin.partition("://")[2].partition("/")[0]
        is_own = origin == self.public_origin
        if not self.is_https:  # a house at home is reached by several addresses
            is_own |= host != "" and host == headers.get("host")
        return not is_own

    async def _recognised(self, request: Request, signed: str, name: str) -> Visit:
        """Return who comes with a cookie; one that holds a person's id is replaced by a session."""
        token, sessions = verify(self.secret, signed, name), self.house.sessions
        if token is None:
            return Visit(request, reason="bad_identity")
        if len(token) == ID_LETTERS:
            token = await sessions.replace_old(token, device_name(request.headers.get("user-agent", "")))
            request.scope[TOKEN_IS_NEW] = True
        session = await sessions.find(token) if token is not None else None
        person = await self.house.people.person(session.person) if session is not None else None
        if person is None or session is None:
            return Visit(request, reason="session_ended")
        request.scope[SESSION] = session
        return Visit(request, person, token=token, session=session)

    async def new_person(self, visit: Visit, name: str, language: str | None = None) -> Person:
        """Make a new person of a visitor."""
        self.limits.make("new person", visit.request.scope)
        return await self.house.people.new_person(name, language or visit.preferred_language)

    async def form(self, request: Request) -> dict[str, str]:
        """Return the fields of a form."""
        return await read_body(request, FORM, decode_form, "bad_form")

    async def redeem(self, visit: Visit, link: str) -> tuple[Person, str]:
        """Return the person of a link, which is used up, and what the cookie of the session holds that it began."""
        id, token = await self.house.sessions.redeem(link, visit.device)
        if (person := await self.house.people.person(id)) is None:
            raise Refused("bad_token")
        return person, token

    async def remember(self, response: Response, visit: Visit, person: Person, begun: str | None = None) -> None:
        """Set the cookie that says who the visitor is: the one they came with, or that of a session begun for them."""
        token, old = visit.token, visit.session
        if token is None or old is None or old.person != person.id or begun is not None:
            token = begun if begun is not None else await self.house.sessions.begin(person.id, visit.device)
            if old is not None:  # nobody can use it any more
                await self.house.sessions.end(old.person, old.id)
        self._set_cookie(response, token)

    def _set_cookie(self, response: Response, token: str) -> None:
        signed = sign(self.secret, token, self.cookie)
        response.set_cookie(self.cookie, signed, max_age=AGE, httponly=True, samesite="lax", secure=self.is_https)

    def end_streams(self, person: str) -> None:
        """End the streams of a person whose sessions were ended, in a moment."""
        streams = [(task, session) for task, session in self.streams.items() if session and session.person == person]
        if streams:
            self.house.start(self._end_streams(person, streams))

    async def _end_streams(self, person: str, streams: list[tuple[asyncio.Task[None], Session]]) -> None:
        left = {session.id for session in await self.house.sessions.of(person)}
        for task, session in streams:
            if session.id not in left:
                task.cancel()

    # --- pages ----------------------------------------------------------------------------------------------------

    def page(self, visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
        """Return a page; it is never compressed, for it may hold a secret beside text that others chose."""
        return self.with_cookies(visit, HTMLResponse(self.html(visit, template, **context), status))

    def public_page(self, visit: Visit, template: str, **context: Any) -> Response:
        """Return a page that holds no secret: it is compressed, and kept by browsers."""
        html = self.html(visit, template, **context)
        return self.with_cookies(visit, PublicResponse(html, "text/html"))

    def html(self, visit: Visit, template: str, **context: Any) -> str:
        """Render a page."""
        settings = {
            name: value if (value := visit.cookies.get(name, "")) in values else "" for name, values in SETTINGS.items()
        }
        waiting = None
        if visit.person is not None:
            self.house.presence.saw(visit.person.id)
            waiting = describe_turns(self.house.turns.of(visit.person.id), visit.language)
        return self.templates.get_template(template).render(
            lang=visit.language,
            say=visit.language.say,
            me=visit.person,
            waiting=waiting,
            version=self.assets.version,
            **settings | context,
        )

    def with_cookies(self, visit: Visit, response: Response) -> Response:
        """Keep the language that a visitor chose, and take off a cookie that this site did not sign."""
        if (asked := visit.asked_language) is not None and asked in LANGUAGES:
            response.set_cookie(LANGUAGE_COOKIE, asked, max_age=AGE, samesite="lax", secure=self.is_https)
        if visit.is_forged:
            self.forget(response)
        return response

    def forget(self, response: Response) -> None:
        """Take off the cookie, and the one of before."""
        for name in {COOKIE, self.cookie}:
            response.delete_cookie(name, secure=self.is_https)

    def base_url(self, request: Request) -> str:
        """Return the address by which others reach this site."""
        if self.public_url:
            return self.public_url
        host = request.headers.get("host", "")
        return f"{request.url.scheme}://{host if HOST.fullmatch(host) else 'localhost'}"

    def invitation(self, base_url: str, table: Table) -> str:
        """Return the address of a table, to give away."""
        return f"{base_url}/tables/{table.id}"

    def game_cards(self) -> list[dict[str, Any]]:
        """Return what the front page shows of each game."""
        return [self.game_card(find(game_id)) for game_id in game_ids()]

    def game_card(self, game: Game) -> dict[str, Any]:
        """Return what the front page shows of a game."""
        return {
            "id": game.id,
            "title": game.title,
            "pitch": game.pitch,
            "fewest": game.players[0],
            "most": game.players[-1],
            "css_class": board.css_class(game),
            "icon": board.icon(game),
            "about": board.about(game),
        }

    def render_gathering(self, table: Table, viewer: Viewer) -> Markup:
        """Render a table that waits for its players, in the place of the board."""
        language = find_language(viewer.language)
        html = self.templates.get_template("gathering.html").render(
            table=table,
            names=shown_names(table.seats, language),
            viewer=viewer,
            lang=language,
            say=language.say,
            may_host=status_players_actions.may_host(table, viewer),
            why_not_sit=language.say(REASONS["table_locked" if table.access.locked else "removed"]),
            is_full=not any(seat.empty for seat in table.seats),
            options=[option for option in table.game.options if table.options[option.name] != option.default],
            levels=LEVELS,
            icon=board.icon(table.game),
            css_class=board.css_class(table.game),
            form=partial(form, table.id),
            button=button,
            has_lesson=has_lesson(table.game),
            is_beginning=table.starting or table.dice.is_running,
            dice=gathering_dice(table, viewer, language),
            invitation=self.invitation(viewer.base_url or self.public_url or "", table),
        )
        return Markup(html)  # a template's output: values were escaped there


def origin_of(url: str) -> str:
    """Return the origin of an address as browsers write it: in small letters, without the usual port."""
    parts = urlsplit(url)
    host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    host = f"[{host}]" if ":" in host else host
    is_usual = port in (None, {"https": 443, "http": 80}.get(parts.scheme))
    return f"{parts.scheme}://{host}" if is_usual else f"{parts.scheme}://{host}:{port}"


def decode_form(body: bytes) -> dict[str, str]:
    """Return the fields of a form's body; ValueError if it is none."""
    return dict(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=100))
