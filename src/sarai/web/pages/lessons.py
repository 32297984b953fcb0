"""The pages of lessons. What a page shows follows from its address; only how far somebody came is kept, in a cookie."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sarai.core.lessons import Lesson, has_lesson, lesson_of
from sarai.core.markup import EMPTY, join, markup
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.refusals import Refused
from sarai.web.cookies import AGE, PROGRESS_COOKIE
from sarai.web.language import Language
from sarai.web.live import board
from sarai.web.live.lesson_view import LessonView
from sarai.web.live.tap_refusals import read_tap
from sarai.web.live.viewer_page import encode
from sarai.web.site import Site, Visit

if TYPE_CHECKING:
    from sarai.core.game import Game

NO_CONTENT, SEE_OTHER = 204, 303
PATIENCE = 5.0  # seconds that a page waits for a game to be loaded


class Progress(NamedTuple):
    """How many steps of a lesson somebody has done, and of how many."""

    done: int = 0
    steps: int = 0

    @property
    def next(self) -> int:
        """The step to go on with; the first one again when all are done."""
        return self.done + 1 if self.done < self.steps else 1


def read_progress(cookies: Mapping[str, str]) -> dict[str, Progress]:
    """Return how far a visitor came in every lesson there is; what cannot be read counts for nothing."""
    kept = dict[str, Progress]()
    for part in cookies.get(PROGRESS_COOKIE, "").split("_"):
        game_id, *numbers = part.split(".")
        done, steps = [number_in(number) or 0 for number in numbers] if len(numbers) == 2 else (0, 0)
        kept[game_id] = Progress(min(done, steps), steps)
    return {game_id: kept.get(game_id, Progress()) for game_id in game_ids() if has_lesson(find(game_id))}


def write_progress(progress: dict[str, Progress]) -> str:
    """Return how far somebody came as a cookie's value."""
    return "_".join(f"{game_id}.{done}.{steps}" for game_id, (done, steps) in progress.items() if done)


def number_in(text: str) -> int | None:
    """Return a number that stands in an address or a cookie, None if there is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else None


def hints(game: Game, language: Language) -> Markup:
    """Return the hints for a first game: a list, of which a script shows the one that matters now."""
    lesson = lesson_of(game)
    if lesson is None or not lesson.hints:
        return EMPTY
    rows = [
        markup('<li data-for="{selector}">{text}</li>', selector=hint.selector, text=language.say(hint.text))
        for hint in lesson.hints
    ]
    return markup(
        '<section id="hints" class="hints" aria-labelledby="hints-title"><h2 id="hints-title">{title}</h2>'
        '<ul role="status">{rows}</ul><button type="button" class="quiet" hidden>{stop}</button></section>',
        title=language.say("Hints for your first game"),
        rows=join(rows),
        stop=language.say("No more hints"),
    )


class LessonPages:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/learn/{game}", self.go_on),
            Route("/learn/{game}/{step}", self.show),
            Route("/learn/{game}/{step}/why", self.why),
        ]

    def lesson(self, request: Request) -> tuple[Game, Lesson]:
        """Return the lesson of an address."""
        game = find(request.path_params["game"])
        lesson = lesson_of(game)
        if lesson is None:
            raise Refused("no_lesson", title=game.title)
        return game, lesson

    async def view(self, visit: Visit) -> LessonView:
        """Return the step of an address; Refused while the rules are being prepared for longer than a moment."""
        game, lesson = self.lesson(visit.request)
        number = number_in(visit.request.path_params["step"])
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.site.house.games.wait(game.id), PATIENCE)
        self.site.house.rooms.require_ready(game.id)
        return LessonView(game, lesson, number or 0, visit.language)

    async def go_on(self, request: Request) -> Response:
        """Send a visitor to the next step."""
        visit = await self.site.visit(request)
        game, lesson = self.lesson(request)
        step = min(read_progress(visit.cookies)[game.id].next, len(lesson.steps))
        return RedirectResponse(f"/learn/{game.id}/{step}", SEE_OTHER)

    async def show(self, request: Request) -> Response:
        """Show a step; with a move or an answer in the address, what becomes of it."""
        visit = await self.site.visit(request)
        view = await self.view(visit)
        move, answer = (number_in(request.query_params.get(name, "")) for name in ("move", "answer"))
        if move is not None:
            view.make_move(move)
        elif answer is not None:
            view.give_answer(answer)
        response = self.site.public_page(
            visit,
            "lesson.html",
            game=view.game,
            view=view,
            css_class=board.css_class(view.game),
            style=self.site.assets.style_of(view.game),
            explanations=board.explanations(view.game, visit.language),
            choices=encode(view.choices).decode(),
            show=encode(view.show).decode(),
        )
        progress = read_progress(visit.cookies)
        if view.is_right and progress[view.game.id].done < view.number:
            progress[view.game.id] = Progress(view.number, len(view.lesson.steps))
            secure = self.site.is_https
            response.set_cookie(PROGRESS_COOKIE, write_progress(progress), max_age=AGE, samesite="lax", secure=secure)
        return response

    async def why(self, request: Request) -> Response:
        """Say why what was tapped on the board cannot be chosen."""
        view = await self.view(await self.site.visit(request))
        said = view.why_not(read_tap(request.query_params))
        return Response(status_code=NO_CONTENT) if said is None else HTMLResponse(said)
