"""The body of a request: read whole if it is not too large, and decoded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request

from sarai.table.refusals import Refused

LARGEST_BODY = 64 * 1024
BODY = "sarai.body"  # in the scope of a request: its body, when all of it has come
T = TypeVar("T")


async def take_body(request: Request) -> bytes:
    """Return the body of a request when all of it has come; Refused if it is too large."""
    if BODY not in request.scope:
        stated = request.headers.get("content-length", "0")
        if not stated.isdecimal() or len(stated) > 9 or int(stated) > LARGEST_BODY:
            raise Refused("too_large", most=LARGEST_BODY)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                raise Refused("too_large", most=LARGEST_BODY)
        request.scope[BODY] = bytes(body)
    found: bytes = request.scope[BODY]
    return found


async def read_body(request: Request, media_type: str, decode: Callable[[bytes], T], reason: str) -> T:
    """Return the decoded body of a request; Refused if it has another type, is too large or cannot be decoded."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != media_type:
        raise Refused("wrong_type", wanted=media_type)
    body = await take_body(request)
    try:
        return decode(body)
    except (ValueError, RecursionError) as error:
        raise Refused(reason, why=str(error)) from None
