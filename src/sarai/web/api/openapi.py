"""The OpenAPI document of the JSON interface: schemas come from the types themselves, the rest is written here beside each route."""

from __future__ import annotations

from typing import Any

import msgspec

import sarai
from sarai.table.storage.summaries import Summary
from sarai.web.api.handlers import Act, Introduction, NewTable, Token, Wish

BODIES: dict[str, type[msgspec.Struct]] = {
    "POST /api/tables/{id}/act": Act,
    "POST /api/tables": NewTable,
    "POST /api/play": Wish,
    "POST /api/me": Introduction,
    "POST /api/me/redeem": Token,
}
SAYS: dict[str, tuple[str, int, str]] = {  # what each does, the status when it is done, and the schema of the answer
    "POST /api/tables/{id}/act": ("Ask something of a table: sit, add a bot, begin, move, talk …", 200, "Number"),
    "GET /api/tables/{id}": ("A table as you see it.", 200, "Table"),
    "GET /api/tables/{id}/moves": ("Your moves in words.", 200, "Moves"),
    "GET /api/tables/{id}/record": (
        "The record: the whole of a finished game, what you saw of a running one.",
        200,
        "Record",
    ),
    "GET /api/tables/{id}/numbers": ("The table's number whenever it grows, as server-sent events.", 200, "Events"),
    "GET /api/tables": ("Public tables with a free seat.", 200, "Summaries"),
    "POST /api/tables": ("Lay a table and sit down.", 201, "Id"),
    "POST /api/play": ("Begin a game against bots at once.", 201, "Id"),
    "GET /api/games": ("The games, their options, and how far each is prepared.", 200, "Games"),
    "GET /api/me": ("Who you are.", 200, "Person"),
    "POST /api/me": ("Give a name; the answer sets the cookie that is you.", 200, "Person"),
    "GET /api/me/tables": ("Your tables.", 200, "Summaries"),
    "POST /api/me/link": ("A link that takes you to another device, once.", 201, "Link"),
    "POST /api/me/redeem": ("Be who made a link.", 200, "Person"),
    "GET /api/openapi.json": ("This document.", 200, "Document"),
}
REFUSALS = {
    "POST": ("401", "403", "404", "409", "413", "415", "422", "429", "503"),
    "GET": ("401", "404", "503"),
}


def thing(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object."""
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


def listing(of: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": of}


TEXT, WHOLE, YES, ANY = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "object"}


def maybe(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that may be null too."""
    return {"anyOf": [schema, {"type": "null"}]}


ANSWERS: dict[str, dict[str, Any]] = {
    "Refusal": thing({"reason": TEXT, "sentence": TEXT}, number=WHOLE),
    "Number": thing({"number": WHOLE}),
    "Id": thing({"id": TEXT}),
    "Person": thing({"name": TEXT, "language": TEXT}),
    "Link": thing({"token": TEXT, "url": TEXT}),
    "Moves": thing({"number": WHOLE, "moves": listing(thing({"move": WHOLE, "words": TEXT}))}),
    "Record": ANY,
    "Document": ANY,
    "Games": listing(
        thing(
            {
                "id": TEXT,
                "title": TEXT,
                "players": listing(WHOLE),
                "rules_version": WHOLE,
                "levels": listing(TEXT),
                "options": listing(ANY),
                "ready": YES,
            }
        )
    ),
    "Table": thing(
        {
            "id": TEXT,
            "game": TEXT,
            "players": WHOLE,
            "options": ANY,
            "public": YES,
            "clock": ANY,
            "phase": {"enum": ["gathering", "playing", "over"]},
            "starting": YES,
            "number": WHOLE,
            "seat": maybe(WHOLE),
            "host": YES,
            "seats": listing(thing({"name": TEXT, "bot": maybe(TEXT), "lent": maybe(TEXT), "resigned": YES})),
            "to_act": listing(WHOLE),
            "moves": listing(WHOLE),
            "view": maybe(ANY),
            "seen": listing(thing({"number": WHOLE, "key": TEXT, "args": ANY})),
            "chat": listing(thing({"number": WHOLE, "guest": WHOLE, "seat": maybe(WHOLE), "name": TEXT, "text": TEXT})),
            "take_back": maybe(ANY),
            "clocks": maybe(listing({"type": "array"})),
            "commitment": TEXT,
            "secret": maybe(TEXT),
            "result": maybe(ANY),
            "rematch": maybe(TEXT),
        }
    ),
}


def document(base: str) -> dict[str, Any]:
    """Return the document."""
    schemas, components = msgspec.json.schema_components(
        [*BODIES.values(), list[Summary]], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(BODIES.values(), schemas, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for route, (says, status, schema) in SAYS.items():
        method, path = route.split(" ")
        paths.setdefault(path, {})[method.lower()] = operation(route, says, status, schema, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sarai",
            "version": sarai.__version__,
            "description": "A house for five table games. Everything its pages do; who you are is a cookie that `POST /api/me` sets.",
        },
        "servers": [{"url": base}],
        "paths": paths,
        "components": {
            "schemas": {**components, **ANSWERS, "Summaries": schemas[-1]},
            "securitySchemes": {"cookie": {"type": "apiKey", "in": "cookie", "name": "sarai"}},
        },
        "security": [{}, {"cookie": []}],
    }


def operation(
    route: str, says: str, status: int, schema: str, by_type: dict[type[msgspec.Struct], dict[str, Any]]
) -> dict[str, Any]:
    """Describe one route."""
    method = route.split(" ")[0]
    content = (
        {"text/event-stream": {"schema": TEXT}}
        if schema == "Events"
        else json_of({"$ref": f"#/components/schemas/{schema}"})
    )
    answers = {str(status): {"description": says, "content": content}}
    if route == "POST /api/me":
        answers["201"] = answers["200"]
    for code in REFUSALS[method]:
        answers[code] = {
            "description": "Refused; nothing changed.",
            "content": json_of({"$ref": "#/components/schemas/Refusal"}),
        }
    described: dict[str, Any] = {"summary": says, "responses": answers}
    if "{id}" in route:
        described["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    if route in BODIES:
        described["requestBody"] = {"required": True, "content": json_of(by_type[BODIES[route]])}
    return described


def json_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a JSON body."""
    return {"application/json": {"schema": schema}}
