"""The OpenAPI document of the JSON interface: a line for each route, schemas from the types of requests and answers."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec

import sarai
from sarai.table.storage.summaries import Summary
from sarai.web.api import answers
from sarai.web.api.requests import Action, Erasure, LinkToken, NewName, NewSubscription, NewTable, QuickGame


class Operation(NamedTuple):
    """What a route does: the type of its answer, the status when it is done, and the type of the request's body."""

    summary: str
    answer: Any
    status: int = 200
    body: type[msgspec.Struct] | None = None
    media_type: str = "application/json"  # of the answer


OBJECT = dict[str, Any]
OPERATIONS = {
    "POST /api/tables/{id}/act": Operation(
        "Ask something of a table: sit, add a bot, begin, move, talk …", answers.Number, body=Action
    ),
    "GET /api/tables/{id}": Operation("A table as you see it.", answers.Table),
    "GET /api/tables/{id}/moves": Operation("Your moves in words.", answers.Moves),
    "GET /api/tables/{id}/record": Operation(
        "The record: the whole of a finished game, what you saw of a running one.", OBJECT
    ),
    "GET /api/tables/{id}/numbers": Operation(
        "The table's number whenever it grows, as server-sent events.", str, media_type="text/event-stream"
    ),
    "GET /api/tables": Operation("Public tables with a free seat.", list[Summary]),
    "POST /api/tables": Operation("Make a table and sit down.", answers.Id, 201, NewTable),
    "POST /api/play": Operation("Begin a game against bots at once.", answers.Id, 201, QuickGame),
    "GET /api/games": Operation("The games, their options, and how far each is prepared.", list[answers.Game]),
    "GET /api/me": Operation("Who you are.", answers.Person),
    "POST /api/me": Operation("Give a name; the answer sets the cookie that is you.", answers.Person, body=NewName),
    "GET /api/me/tables": Operation("Your tables.", list[Summary]),
    "POST /api/me/link": Operation("A link that takes you to another device, once.", answers.Link, 201),
    "POST /api/me/redeem": Operation("Become the person who made a link.", answers.Person, body=LinkToken),
    "GET /api/me/sessions": Operation("Your sessions, this one first.", list[answers.Session]),
    "DELETE /api/me/sessions": Operation("End all your sessions but this one.", list[answers.Session]),
    "DELETE /api/me/sessions/{id}": Operation("End a session of yours.", list[answers.Session]),
    "GET /api/me/data": Operation("All that is stored of you.", OBJECT),
    "POST /api/me/erase": Operation(
        "Erase all that is stored of you, for good; moves and dice stay.", answers.Erased, body=Erasure
    ),
    "GET /api/push": Operation("The key to subscribe to messages for devices without an open page.", answers.PushKey),
    "POST /api/push/subscriptions": Operation(
        "Be told on this device when it is your turn.", answers.Subscription, 201, NewSubscription
    ),
    "DELETE /api/push/subscriptions/{id}": Operation("Be told no more.", answers.Subscription),
    "GET /api/openapi.json": Operation("This document.", OBJECT),
}
REFUSALS = {
    "POST": ("401", "403", "404", "409", "413", "415", "422", "429", "503", "507"),
    "GET": ("401", "403", "404", "429", "503"),
    "DELETE": ("401", "403", "404", "429", "503"),
}


@cache
def paths_and_schemas() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is the same at every address, made once: it takes as long as twenty other answers."""
    types: list[Any] = [answers.Refusal, str]
    for operation in OPERATIONS.values():
        types += [operation.answer, *([operation.body] if operation.body else [])]
    found, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(types, found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route, operation in OPERATIONS.items():
        method, path = route.split(" ")
        paths.setdefault(path, {})[method.lower()] = describe(route, operation, schemas)
    return paths, components


def document(base_url: str) -> dict[str, Any]:
    """Return the document."""
    paths, components = paths_and_schemas()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sarai",
            "version": sarai.__version__,
            "description": "A house for table games. Everything its pages do; "
            "who you are is a cookie that `POST /api/me` sets.",
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"cookie": {"type": "apiKey", "in": "cookie", "name": "sarai"}},
        },
        "security": [{}, {"cookie": []}],
    }


def describe(route: str, operation: Operation, schemas: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """Describe one route, with the schemas of all types."""

    def content(kind: Any, media_type: str = "application/json") -> dict[str, Any]:
        return {media_type: {"schema": schemas[kind]}}

    done = {"description": operation.summary, "content": content(operation.answer, operation.media_type)}
    responses = {str(operation.status): done}
    if route == "POST /api/me":
        responses["201"] = done
    for status in REFUSALS[route.split(" ")[0]]:
        responses[status] = {"description": "Refused; nothing changed.", "content": content(answers.Refusal)}
    described: dict[str, Any] = {"summary": operation.summary, "responses": responses}
    if "{id}" in route:
        described["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": schemas[str]}]
    if operation.body:
        described["requestBody"] = {"required": True, "content": content(operation.body)}
    return described
