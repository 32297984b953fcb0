"""What every request and answer goes through: headers that keep browsers safe, and limits for the body of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sarai.table.refusals import Refused

LARGEST_BODY = 64 * 1024
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})  # they change nothing
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
NEW_COOKIES = "sarai.new_cookies"  # in the scope of a request: headers that its answer gets, whoever makes it
BODY = "sarai.body"  # in the scope of a request: its body, when all of it has come
NOT_KEPT = "no-store, no-transform"  # not compressed by a proxy, either: compression could give away a secret
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


T = TypeVar("T")


class SecurityHeaders:
    """Middleware around the whole app: adds the headers to every answer."""

    def __init__(self, app: ASGIApp, is_https: bool = False) -> None:
        self.app = app
        self.headers = [*RAW_HEADERS, *([(b"strict-transport-security", b"max-age=31536000")] if is_https else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *self.headers, *scope.get(NEW_COOKIES, [])]
                if b"cache-control" not in given:
                    message["headers"].append((b"cache-control", NOT_KEPT.encode()))
            await send(message)

        await self.app(scope, receive, send_with_headers)


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
