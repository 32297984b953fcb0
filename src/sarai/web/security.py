"""What every request and answer goes through: headers that keep browsers safe, and a refusal of what came from elsewhere or is too large."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sarai.web.refusals import Refused

LARGEST_BODY = 64 * 1024
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
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
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Middleware around the whole app."""

    def __init__(self, app: ASGIApp, is_https: bool = False) -> None:
        self.app = app
        self.headers = [*RAW_HEADERS, *([(b"strict-transport-security", b"max-age=31536000")] if is_https else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *self.headers]
                if b"cache-control" not in given:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self.app(scope, receive, send_guarded)


def check_origin(headers: Headers, public_origin: str | None) -> None:
    """Refuse a request that changes something if another site's page made it."""
    origin = headers.get("origin")
    if origin is None:
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused("bad_origin")
        return
    try:
        place = urlsplit(origin).netloc
    except ValueError:
        raise Refused("bad_origin") from None
    if origin != public_origin and (not place or place != headers.get("host")):
        raise Refused("bad_origin")


async def read_body(request: Request) -> bytes:
    """Return a request's body, unless it is too large."""
    stated = request.headers.get("content-length", "0")
    if not stated.isdecimal() or len(stated) > 9 or int(stated) > LARGEST_BODY:
        raise Refused("too_large", most=LARGEST_BODY)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refused("too_large", most=LARGEST_BODY)
    return bytes(body)
