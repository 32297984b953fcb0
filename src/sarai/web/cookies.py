"""Who somebody is: a signed cookie that holds a person's id, and nothing that can be made up."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from functools import lru_cache

from sarai.table.people import clean
from sarai.web.refusals import Refused

COOKIE = "sarai"
LONGEST = 100  # letters of a mark; ours have 66
AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie longer


def seal(secret: bytes, text: str) -> str:
    """Sign a text, so that it can be given away and trusted when it comes back."""
    mark = hmac.digest(secret, b"sarai cookie 1\0" + text.encode(), hashlib.sha256)
    return f"{text}.{urlsafe_b64encode(mark).decode().rstrip('=')}"


def unseal(secret: bytes, sealed: str) -> str | None:
    """Return the text if the signature is ours."""
    return _unseal(secret, sealed) if len(sealed) <= LONGEST else None  # long ones would fill the memory


@lru_cache(20_000)
def _unseal(secret: bytes, sealed: str) -> str | None:
    text = sealed.rpartition(".")[0]
    return text if text and hmac.compare_digest(seal(secret, text).encode(), sealed.encode(errors="replace")) else None


def read_name(raw: object) -> str:
    """Return a name as it will be shown; refuse one that is empty, too long, or made of markup or of characters that nobody sees."""
    name = clean(" ".join(raw.split(" ")) if isinstance(raw, str) else "", "name")
    if set("<>") & set(name):
        raise Refused("name_markup")
    return name
