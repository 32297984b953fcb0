"""Headers of every answer that keep browsers safe."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
NOT_KEPT = "no-store, no-transform"  # not compressed by a proxy, either: compression could give away a secret
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


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
