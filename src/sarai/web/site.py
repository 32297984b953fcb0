"""What all pages share: the house, the files, the templates, and who is visiting."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import jinja2
import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import sarai
from sarai.core.errors import REASONS, Error
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.web.assets import Assets
from sarai.web.cookies import AGE, COOKIE, seal, unseal
from sarai.web.language import TONGUES, Language, choose, language
from sarai.web.live import board, parts
from sarai.web.live.viewer import Gallery, Kind
from sarai.web.pitches import PITCHES
from sarai.web.refusals import Refused
from sarai.web.security import check_origin, read_body

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.table.people import Person
    from sarai.table.service.house import House
    from sarai.table.table import Table

SETTINGS = {"scheme": ("light", "dark"), "motion": ("off",), "confirm": ("on",)}
LANGUAGE_COOKIE = "lang"
HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


class Visit(NamedTuple):
    """Who visits, and how they read."""

    person: Person | None
    language: Language
    is_forged: bool = False

    @property
    def id(self) -> str | None:
        """The person's id, if somebody is known."""
        return self.person.id if self.person else None

    def somebody(self) -> Person:
        """Return the person; Refused if nobody is known."""
        if self.person is None:
            raise Refused("bad_identity" if self.is_forged else "no_identity")
        return self.person


def say_refusal(error: Error, tongue: Language) -> str:
    """Say a refusal as a sentence."""
    facts = {name: tongue.say(value) if isinstance(value, str) else value for name, value in error.facts.items()}
    return tongue.say(REASONS[error.key]).format(**facts)


class Site:
    """The house as a web site."""

    def __init__(self, house: House, secret: bytes, public_url: str | None = None) -> None:
        self.house, self.secret = house, secret
        self.public_url = public_url.rstrip("/") if public_url else None
        self.public_origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.public_url)) if self.public_url else None
        self.is_https = bool(self.public_url and self.public_url.startswith("https:"))
        self.assets = Assets()
        self.templates = jinja2.Environment(
            loader=jinja2.PackageLoader("sarai.web"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            asset=self.assets.address, tongues=TONGUES.values(), sarai_version=sarai.__version__
        )
        self.gallery = Gallery(self.gather)
        self.streams: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End all streams: browsers come back by themselves when the house is open again."""
        for stream in self.streams:
            stream.cancel()

    # --- who visits -----------------------------------------------------------------------------------------------------------------

    async def visit(self, request: Request) -> Visit:
        """Return who visits; a cookie that this house did not sign is nobody's."""
        tongue = self.language_of(request)
        sealed = request.cookies.get(COOKIE)
        if not sealed:
            return Visit(None, tongue)
        person_id = unseal(self.secret, sealed)
        person = await self.house.person(person_id) if person_id else None
        return Visit(person, tongue, person is None)

    def language_of(self, request: Request) -> Language:
        """Return the language to speak to a visitor."""
        return language(
            choose(
                request.query_params.get("lang"),
                request.cookies.get(LANGUAGE_COOKIE),
                request.headers.get("accept-language", ""),
            )
        )

    async def changing(self, request: Request) -> Visit:
        """Return who wants to change something, unless another site's page does."""
        check_origin(request.headers, self.public_origin)
        visit = await self.visit(request)
        if visit.is_forged:
            raise Refused("bad_identity")
        return visit

    async def form(self, request: Request) -> dict[str, str]:
        """Return the fields of a form."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        if kind != "application/x-www-form-urlencoded":
            raise Refused("wrong_type", wanted="application/x-www-form-urlencoded")
        try:
            return dict(
                parse_qsl(
                    (await read_body(request)).decode(), keep_blank_values=True, errors="strict", max_num_fields=100
                )
            )
        except ValueError:
            raise Refused("bad_form", why="it is no form") from None

    def remember(self, response: Response, person: Person) -> None:
        """Give a visitor the mark of who they are."""
        response.set_cookie(
            COOKIE, seal(self.secret, person.id), max_age=AGE, httponly=True, samesite="lax", secure=self.is_https
        )

    # --- pages ----------------------------------------------------------------------------------------------------------------------

    def page(self, request: Request, visit: Visit, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """Return a page."""
        settings = {
            name: value if (value := request.cookies.get(name, "")) in values else ""
            for name, values in SETTINGS.items()
        }
        html = self.templates.get_template(template).render(
            lang=visit.language,
            say=visit.language.say,
            me=visit.person,
            version=self.assets.version,
            refusal=None,
            **settings | context,
        )
        response = HTMLResponse(html, status)
        if (asked := request.query_params.get("lang")) in TONGUES:
            response.set_cookie(LANGUAGE_COOKIE, str(asked), max_age=AGE, samesite="lax", secure=self.is_https)
        if visit.is_forged:
            response.delete_cookie(COOKIE)
        return response

    def base(self, request: Request) -> str:
        """Return the address by which others reach this house."""
        if self.public_url:
            return self.public_url
        host = request.headers.get("host", "")
        return f"{request.url.scheme}://{host if HOST.fullmatch(host) else 'localhost'}"

    def game_cards(self) -> list[dict[str, Any]]:
        """Return what the front page tells of each game."""
        return [self.game_card(find(game_id)) for game_id in game_ids()]

    def game_card(self, game: Game) -> dict[str, Any]:
        """Return what the front page tells of a game."""
        return {
            "id": game.id,
            "title": game.title,
            "pitch": PITCHES.get(game.id, ""),
            "fewest": game.players[0],
            "most": game.players[-1],
            "folder": board.folder(game.id),
            "icon": Markup(board.icon(game.id)),
        }

    def gather(self, table: Table, kind: Kind) -> str:
        """Draw the stage of a table that waits for its players."""
        tongue = language(kind.language)
        return self.templates.get_template("gathering.html").render(
            table=table,
            kind=kind,
            lang=tongue,
            say=tongue.say,
            may_host=parts.may_host(table, kind),
            is_full=not any(seat.empty for seat in table.seats),
            options=[option for option in table.game.options if table.options[option.name] != option.default],
            icon=Markup(board.icon(table.game.id)),
            folder=board.folder(table.game.id),
            form=lambda *args, **more: Markup(parts.form(table.id, *args, **more)),
            button=parts.button,
            word_form=Markup(parts.word_form(table, kind, tongue)),
            invite=f"{kind.base}/tables/{table.id}",
            qr=qr(f"{kind.base}/tables/{table.id}"),
        )


def qr(text: str) -> Markup:
    """Draw a text as a QR code."""
    return Markup(segno.make(text, error="m").svg_inline(omitsize=True, lineclass="qr-line", svgclass=None, border=2))
