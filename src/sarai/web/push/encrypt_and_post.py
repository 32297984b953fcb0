"""Posting a message to a push service: encrypted, to the addresses that were checked, and never for long.

Imported when the first message is sent, in a thread: it needs the extra `push`, and a moment.
"""

from __future__ import annotations

import asyncio
import ssl

import certifi
import h11
from pywebpush import WebPusher

from sarai.table.refusals import Refused
from sarai.table.storage.push_subscriptions import Subscription
from sarai.web.push.endpoints import Endpoints, Target
from sarai.web.push.message_types import Answer, Message
from sarai.web.push.vapid import VapidKey

CONNECT_SECONDS, TOTAL_SECONDS = 5.0, 15.0  # for each address, and for everything
LARGEST_HEAD = 16 * 1024  # bytes of an answer
LONGEST_RETRY = 24 * 3600.0  # seconds that a service can make us wait


class Delivery:
    """Posts messages; `tls` says which certificates are trusted."""

    def __init__(self, key: VapidKey, endpoints: Endpoints, tls: ssl.SSLContext | None = None) -> None:
        self._key, self._endpoints = key, endpoints
        self._tls = tls or ssl.create_default_context(cafile=certifi.where())

    async def post(self, subscription: Subscription, message: Message) -> Answer:
        """Post a message; whatever the service does, an answer comes soon."""
        try:
            async with asyncio.timeout(TOTAL_SECONDS):
                target = self._endpoints.target(subscription.endpoint)
                request, body = await asyncio.to_thread(self._encrypt, subscription, target, message)
                return await self._send(target, request, body)
        except (Refused, OSError, h11.ProtocolError, ValueError):  # a time that is over is an OSError too
            return Answer(0)

    def _encrypt(self, subscription: Subscription, target: Target, message: Message) -> tuple[h11.Request, bytes]:
        """Return the request that sends a message to a subscription, and its body."""
        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
        body = bytes(pusher.encode(message.text, "aes128gcm")["body"])
        headers = {
            "host": target.origin.removeprefix("https://"),
            "authorization": self._key.authorization(target.origin),
            "content-encoding": "aes128gcm",
            "content-length": str(len(body)),
            "content-type": "application/octet-stream",
            "ttl": str(message.ttl),
            "topic": message.topic,
            "urgency": "normal",
            "connection": "close",
        }
        path = subscription.endpoint[len("https://") :].partition("/")[2]
        return h11.Request(method="POST", target=f"/{path}", headers=list(headers.items())), body

    async def _send(self, target: Target, request: h11.Request, body: bytes) -> Answer:
        """Post a body and read the head of the answer, no more; a redirect is an answer like others."""
        reader, writer = await self._connect(target)
        try:
            connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)
            for sent in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(connection.send(sent) or b"")
            await writer.drain()
            while not isinstance(event := connection.next_event(), h11.Response):
                if event is h11.NEED_DATA:
                    connection.receive_data(await reader.read(LARGEST_HEAD))
                elif not isinstance(event, h11.InformationalResponse):
                    raise OSError("the connection was closed without an answer")
            return Answer(event.status_code, seconds(dict(event.headers).get(b"retry-after", b"")))
        finally:
            writer.transport.abort()  # whatever else the service has to say

    async def _connect(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to one of the addresses that were checked; the certificate must be that of the name."""
        failure = OSError()
        for address in await self._endpoints.addresses(target.host):
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(
                        address, target.port, ssl=self._tls, server_hostname=target.host, limit=LARGEST_HEAD
                    )
            except OSError as error:
                failure = error
        raise failure


def seconds(retry_after: bytes) -> float:
    """Return the seconds of a Retry-After header; 0 if it names none."""
    return min(float(retry_after), LONGEST_RETRY) if retry_after.isdigit() and len(retry_after) < 10 else 0.0
