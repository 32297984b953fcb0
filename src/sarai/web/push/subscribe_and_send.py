"""Web push as the site has it: the key, the subscriptions, and the messages that are sent by themselves."""

from __future__ import annotations

import asyncio
import binascii
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sarai.table.refusals import Refused
from sarai.table.storage.push_subscriptions import PushSubscriptions, Subscription
from sarai.web.push.endpoints import Endpoints
from sarai.web.push.message_types import Answer, Message
from sarai.web.push.turn_messages import GRACE, TurnMessages
from sarai.web.push.vapid import VapidKey

if TYPE_CHECKING:
    from sarai.table.person import Person
    from sarai.table.service.house import House
    from sarai.web.push.encrypt_and_post import Delivery

POINT, SECRET = 65, 16  # bytes of a browser's public key and of its secret
NEEDED = ("pywebpush", "py_vapid", "cryptography", "h11", "certifi")


@dataclass(frozen=True)
class PushSettings:
    """Whom push services may write to; the rest is for tests, whose push service is on their own machine."""

    contact: str
    endpoints: Endpoints = field(default_factory=Endpoints)
    tls: ssl.SSLContext | None = None
    grace: float = GRACE


def is_installed() -> bool:
    """Say whether the extra `push` is installed."""
    return all(find_spec(name) for name in NEEDED)


class WebPush:
    """The push messages of a house."""

    def __init__(self, house: House, secret: str, settings: PushSettings) -> None:
        self._key = VapidKey(secret, settings.contact)
        self._house, self._settings = house, settings
        self._subscriptions = PushSubscriptions(house.store.engine)
        self._delivery: Delivery | None = None  # made when the first message is sent
        self._messages = TurnMessages(
            house, self._subscriptions, self._post, house.presence.is_here, bytes.fromhex(secret), settings.grace
        )

    @classmethod
    async def open(cls, house: House, settings: PushSettings) -> WebPush | None:
        """Begin to tell people of their turns; None if the extra `push` is not installed."""
        if not is_installed():
            return None
        push = cls(house, await house.setting("push"), settings)
        house.turns.on_turn.append(push._messages.turn_began)
        house.start(push._messages.run())
        return push

    async def subscribe(self, person: Person, endpoint: str, p256dh: str, auth: str, session: str | None = None) -> str:
        """Keep a subscription of a person's browser and return its id; Refused if it is none that we can use."""
        target = self._settings.endpoints.target(endpoint)
        point, secret = read_key(p256dh, POINT), read_key(auth, SECRET)
        await asyncio.to_thread(check_point, point)
        await self._settings.endpoints.addresses(target.host)
        return await self._subscriptions.add(
            person.id, endpoint, write_key(point), write_key(secret), self._house.now(), session
        )

    async def unsubscribe(self, person: Person, id: str) -> None:
        """Forget a subscription of a person."""
        await self._subscriptions.remove(id, person.id)

    async def public_key(self) -> str:
        """Return the key that browsers subscribe with."""
        return await asyncio.to_thread(lambda: self._key.public)

    async def _post(self, subscription: Subscription, message: Message) -> Answer:
        if self._delivery is None:
            self._delivery = await asyncio.to_thread(self._make_delivery)
        return await self._delivery.post(subscription, message)

    def _make_delivery(self) -> Delivery:
        from sarai.web.push.encrypt_and_post import Delivery

        return Delivery(self._key, self._settings.endpoints, self._settings.tls)


def read_key(text: str, length: int) -> bytes:
    """Return the bytes of a key in base64url; Refused if there are not as many as it has."""
    try:
        key = urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)) if len(text) < 100 else b""
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != length:
        raise Refused("push_keys")
    return key


def write_key(key: bytes) -> str:
    """Return a key in base64url, as it is stored."""
    return urlsafe_b64encode(key).decode().rstrip("=")


def check_point(key: bytes) -> None:
    """Refuse a public key that is not an uncompressed point of the curve P-256."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError:
        raise Refused("push_keys") from None
