"""The key by which push services know this house (VAPID, RFC 8292), and whom they may write to."""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sarai.table.refusals import Refused

if TYPE_CHECKING:
    from py_vapid import Vapid02

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
VALID_SECONDS = 12 * 3600  # of a signature; at most a day is allowed
CONTACT = re.compile(r"mailto:[^\s@]+@[^\s@]+|https://[^\s/]+\S*")
NO_CONTACT = "mailto:nobody@example.org"  # services want one, and refuse some forms of a local address


def contact_of(public_url: str | None, contact: str | None = None) -> str:
    """Return whom push services may write to: as given, or the house's own address if it has HTTPS."""
    if contact is not None:
        if not CONTACT.fullmatch(contact):
            raise Refused("bad_push_contact", contact=contact)
        return contact
    parts = urlsplit(public_url or "")
    return f"https://{parts.hostname}" if parts.scheme == "https" and parts.hostname else NO_CONTACT


class VapidKey:
    """A key pair made from a secret of 64 hexadecimal digits."""

    def __init__(self, secret: str, contact: str) -> None:
        self._number = int(secret, 16) % (ORDER - 1) + 1
        self._contact = contact

    @cached_property
    def _pair(self) -> Vapid02:
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid import Vapid02

        # our contact is checked already, and may have a port
        return Vapid02(ec.derive_private_key(self._number, ec.SECP256R1()), conf={"no-strict": True})

    @cached_property
    def public(self) -> str:
        """The public key as browsers want it, an uncompressed point in base64url."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self._pair.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).decode().rstrip("=")

    def authorization(self, origin: str) -> str:
        """Return the header that shows a push service who sends."""
        claims = {"sub": self._contact, "aud": origin, "exp": int(time.time()) + VALID_SECONDS}
        return str(self._pair.sign(claims)["Authorization"])
