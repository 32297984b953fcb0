"""The JSON interface of push messages: the key, and a person's subscriptions."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.table.refusals import Refused
from sarai.web.api import answers
from sarai.web.api.handlers import JSON, answer
from sarai.web.api.requests import NewSubscription
from sarai.web.push.subscribe_and_send import WebPush
from sarai.web.request_body import read_body
from sarai.web.site import Site

decode_subscription = msgspec.json.Decoder(NewSubscription).decode


class PushApi:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/api/push", self.key, methods=["GET"]),
            Route("/api/push/subscriptions", self.subscribe, methods=["POST"]),
            Route("/api/push/subscriptions/{id}", self.unsubscribe, methods=["DELETE"]),
        ]

    @property
    def push(self) -> WebPush:
        """The push messages of this house; Refused if it has none."""
        if self.site.push is None:
            raise Refused("no_push")
        return self.site.push

    async def key(self, _: Request) -> Response:
        """Return the key that browsers subscribe with."""
        return answer(answers.PushKey(await self.push.public_key()))

    async def subscribe(self, request: Request) -> Response:
        """Keep a subscription of the visitor's browser."""
        visit = await self.site.visit(request)
        person, session = visit.require_person(), visit.session.id if visit.session else None
        wanted = await read_body(request, JSON, decode_subscription, "bad_json")
        id = await self.push.subscribe(person, wanted.endpoint, wanted.keys.p256dh, wanted.keys.auth, session)
        return answer(answers.Subscription(id), 201)

    async def unsubscribe(self, request: Request) -> Response:
        """Forget a subscription of the visitor."""
        person, id = (await self.site.visit(request)).require_person(), request.path_params["id"]
        await self.push.unsubscribe(person, id)
        return answer(answers.Subscription(id))
