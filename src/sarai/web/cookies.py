"""The cookie that says who a visitor is: the token of a session, signed, so that it cannot be made up."""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from functools import lru_cache

from starlette.datastructures import Headers

COOKIE = "sarai"
HOST_COOKIE = "__Host-sarai"  # over HTTPS: no other host, and no page without HTTPS, can set it
LANGUAGE_COOKIE = "lang"
PROGRESS_COOKIE = "lessons"  # how many steps of which game somebody has done in this browser: `desert.3.7_sixnimmt.6.6`
HINTS_COOKIE = "hints"  # the table of somebody's first game after a lesson
LONGEST = 100  # letters of a signed token; ours have 76
ID_LETTERS = 22  # of a person's id, which cookies held before there were sessions
SETTINGS = {"scheme": ("light", "dark"), "motion": ("off",), "confirm": ("on",), "sound": ("on",), "notify": ("on",)}
MOST_READ = 8192  # letters of all cookies
AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie longer


# signed with the text, so that what this host gave over HTTPS is worth nothing as the cookie that others can set
LABELS = {COOKIE: b"sarai cookie 1\0", HOST_COOKIE: b"sarai cookie 1 of this host\0"}


NAMES = (*LABELS, LANGUAGE_COOKIE, PROGRESS_COOKIE, HINTS_COOKIE, *SETTINGS)
OURS = re.compile(rf"(?:^|;)\s*({'|'.join(map(re.escape, NAMES))})=([^;]*)")


def read_cookies(headers: Headers) -> dict[str, str]:
    """Return the cookies that this site sets; what else a browser sends, however much, is not read."""
    return {name: value.strip() for name, value in OURS.findall("; ".join(headers.getlist("cookie"))[:MOST_READ])}


def sign(secret: bytes, text: str, name: str = COOKIE) -> str:
    """Return a text with its signature, so that it can be given away and trusted when it comes back by that name."""
    signature = hmac.digest(secret, LABELS[name] + text.encode(), hashlib.sha256)
    return f"{text}.{urlsafe_b64encode(signature).decode().rstrip('=')}"


def verify(secret: bytes, signed: str, name: str = COOKIE) -> str | None:
    """Return the text that was signed, None if the signature is not ours; the host's cookie may have the older one."""
    return _verify(secret, signed, name) if len(signed) <= LONGEST else None  # nothing long is kept


@lru_cache(maxsize=4096)  # a browser sends the same cookie with every request
def _verify(secret: bytes, signed: str, name: str) -> str | None:
    text = signed.rpartition(".")[0]
    if not text:
        return None
    ours = [sign(secret, text, label).encode() for label in dict.fromkeys((name, COOKIE))]
    return text if any(hmac.compare_digest(one, signed.encode(errors="replace")) for one in ours) else None
