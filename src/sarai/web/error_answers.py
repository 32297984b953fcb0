"""The answer to every error: JSON for programs, a page for people."""

from __future__ import annotations

import contextlib
import logging

from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sarai.core.errors import Error
from sarai.core.refusal_sentences import say_refusal
from sarai.table import metrics
from sarai.table.refusals import LASTING, TOO_MANY, WRONG, Refused
from sarai.web.api import answers
from sarai.web.api.handlers import answer
from sarai.web.client_addresses import address_of
from sarai.web.monitoring import route_of
from sarai.web.rate_limits_by_route import OTHER
from sarai.web.site import Site, Visit
from sarai.web.site_refusal_reasons import STATUS

NOT_YET = 503
RETRY_SECONDS = 2  # after which a page that was not ready is asked for again
log = logging.getLogger("sarai.web")


class ErrorAnswers:
    """Turns every error into an answer: JSON for programs, a page for people."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def refused(self, request: Request, error: Exception) -> Response:
        """Answer what was refused."""
        assert isinstance(error, Error)
        status = STATUS.get(error.key, WRONG)
        metrics.REFUSALS.labels(error.key).inc()
        if status == TOO_MANY:
            await self.site.limits.hold_up(request.scope)
        async with self.site.limits.refusing.turn(address_of(request.scope)):
            return await self.refusal(request, error, status)

    async def refusal(self, request: Request, error: Error, status: int) -> Response:
        """Return the answer to what was refused."""
        visit = Visit(request)
        sentence = say_refusal(error, visit.language)
        if wants_json(request):
            number = error.facts["number"] if error.key == "stale" else None
            refusal = answers.Refusal(error.key, sentence, number if isinstance(number, int) else UNSET)
            response = answer(refusal, status)
        else:
            response = await self.refusal_page(visit, status, sentence, error.key not in LASTING)
        if status == NOT_YET and error.key not in LASTING:
            response.headers["retry-after"] = response.headers["refresh"] = str(RETRY_SECONDS)
        if status == TOO_MANY and isinstance(seconds := error.facts.get("seconds"), int):
            response.headers["retry-after"] = str(seconds)
        if error.key in ("bad_identity", "session_ended"):
            self.site.forget(response)
        return response

    async def refusal_page(self, visit: Visit, status: int, sentence: str, may_pass: bool) -> Response:
        """Return the page that says what was refused."""
        request, say = visit.request, visit.language.say
        if status not in (401, 413, TOO_MANY):
            with contextlib.suppress(Refused, ClientDisconnect):
                visit = await self.site.visit(request)
        back, table_id = None, request.path_params.get("id")
        if table_id and status != 404:
            back = f"/tables/{table_id}"
        elif request.method == "GET":
            back = "/" + request.url.path.lstrip("/\\")
        heading = say("One moment …") if status == NOT_YET and may_pass else say("That did not work")
        return self.site.page(visit, "refused.html", status, heading=heading, sentence=sentence, back=back)

    async def no_route(self, request: Request, error: Exception) -> Response:
        """Answer a request for which there is no route."""
        assert isinstance(error, HTTPException)
        refusal = Refused("wrong_method" if error.status_code == 405 else "no_such_page")
        try:
            self.site.limits.enter(OTHER, request.scope)
        except Refused as too_much:
            refusal = too_much.with_traceback(None)  # which holds this call, which would hold it: garbage
        return await self.refused(request, refusal)

    async def gone(self, request: Request, error: Exception) -> Response:
        """Answer a client that left in the middle of its request: nobody reads it, and nothing is wrong here."""
        return Response(status_code=WRONG)

    async def failed(self, request: Request, error: Exception) -> Response:
        """Answer a request that failed by a mistake of ours, and log it."""
        log.error("%s %s", request.method, route_of(request.scope), exc_info=error)
        return await self.refused(request, Refused("house_mistake"))


def wants_json(request: Request) -> bool:
    """Say whether a program asks."""
    return request.url.path.startswith("/api/") or request.headers.get("accept", "").startswith("application/json")
