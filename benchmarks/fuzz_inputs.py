"""Hostile values for `fuzz.py`: texts, numbers, JSON, forms, headers, commands and raw requests, drawn from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any, get_args
from urllib.parse import quote, quote_from_bytes, urlencode

from msgspec import NODEFAULT
from msgspec.structs import fields

from sarai.core.policy.levels import LEVELS
from sarai.core.registry import game_ids
from sarai.table import commands
from sarai.web.api.openapi import OPERATIONS

COMMANDS = get_args(commands.Command)
WORDS = (
    *(
        "",
        " ",
        "a",
        "Ada",
        "null",
        "None",
        "NaN",
        "-1",
        "0",
        "1e999",
        "0x10",
        "٣",
        "\uff11\uff12",
        "½",
        "²",
        "true",
        "[]",
    ),
    *("\x00", "a\x00b", "\r\n", "a\r\nset-cookie: x=y", "\x7f", "\x1b[2J", "\ufeff", "\u200b", "\u202e", "\u2066x"),
    *(
        "e\u0301" * 3,
        "a" + "\u0300" * 60,
        "👩‍👩‍👧",
        "\ud800",
        "\udfff\ud800",
        "\U0010ffff",
        "\ufffe",
        "ﷺ" * 24,
        "ß" * 24,
    ),
    *("<script>alert(1)</script>", "\"'>", "{0}", "{number}", "{", "%s", "%n", "%00", "%ff", "../../etc/passwd", "\\"),
    *(
        "' OR 1=1 --",
        "a" * 24,
        "a" * 25,
        "a" * 300,
        "a" * 5000,
        "😀" * 301,
        "\U0001d4d0\U0001d4ed\U0001d4ea",
        "\u0410da",
        "Ad\u0430",
        "ada ",
        "\u3164",
    ),
)
NUMBERS: tuple[Any, ...] = (
    *(0, -0, 1, -1, 2, 3, 5, 9, 10, 99, 103, 104, 255, 256, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, -(2**63)),
    *(2**64, 10**30, 10**400, -(10**400), 0.5, 1.0, -0.0, 1e308, 5e-324, float("nan"), float("inf"), float("-inf")),
)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "get", "")
TYPES = ("application/json", "application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", "")
FORM_FIELDS = (
    *(
        "game",
        "players",
        "bots",
        "clock",
        "level",
        "public",
        "name",
        "option-rounds",
        "option-memory",
        "type",
        "number",
    ),
    *("key", "move", "seat", "text", "yes", "question", "guest", "on", "lang", "scheme", "motion", "confirm", "token"),
)
HEADERS: dict[str, tuple[str, ...]] = {
    "accept": ("application/json", "text/html", "*/*", ""),
    "accept-encoding": ("gzip", "gzip;q=0", "br, gzip;q=x", "*", "identity;q=0"),
    "accept-language": ("fa", "he;q=0.9,el", "*;q=-1", "x" * 4000, "en;q=1e400", "en;q=nan", ";;;,,,", "el-\xff"),
    "content-length": ("0", "-1", "9" * 30, "٣", "1.5", "70000"),
    "content-type": TYPES,
    "cookie": ("sarai=", "sarai", "sarai=a.b", "lang=\xff", "sarai=" + "a" * 9000, "scheme=dark; motion=off; =;;", '"'),
    "host": ("", "127.0.0.1", "evil.example", "[::1", "a b", "\xff", "x" * 3000, "localhost:99999"),
    "if-modified-since": ("never", "Thu, 01 Jan 1970 00:00:00 GMT"),
    "if-none-match": ("*", '""'),
    "last-event-id": ("0", "-1", "9" * 30, "x", "\xff"),
    "origin": ("null", "https://evil.example", "http://", "://", "http://127.0.0.1", "http://127.0.0.1:80/x", "\xff"),
    "range": ("bytes=0-0", "bytes=-1", "bytes=5-2,,,"),
    "sec-fetch-site": ("same-origin", "cross-site", "none", "?"),
    "x-forwarded-for": ("1.2.3.4", "::1", "a,b,,,c", "\xff" * 50),
}


class Draw:
    """Values drawn by one random generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.chance = rng, rng.random

    def text(self) -> str:
        """Return a text that may mean trouble."""
        rng, kind = self.rng, self.chance()
        if kind < 0.7:
            return rng.choice(WORDS)
        if kind < 0.8:
            return rng.choice(WORDS) + rng.choice(WORDS)
        if kind < 0.9:
            return rng.choice((*LEVELS, *game_ids()))
        return "".join(chr(rng.randrange(rng.choice((128, 0x800, 0x110000)))) for _ in range(rng.randrange(12)))

    def number(self) -> int | float:
        """Return a number that may mean trouble."""
        number: int | float = self.rng.choice(NUMBERS) if self.chance() < 0.6 else self.rng.randrange(-3, 120)
        return number

    def value(self, depth: int = 0) -> Any:
        """Return anything that JSON can hold, and some that it cannot."""
        kind = self.chance()
        if kind < 0.35 or depth > 3:
            return self.text()
        if kind < 0.7:
            return self.number()
        if kind < 0.85:
            return self.rng.choice((None, True, False, [], {}))
        if kind < 0.93:
            return [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        return {self.text(): self.value(depth + 1) for _ in range(self.rng.randrange(4))}

    def changed(self, data: Any) -> Any:
        """Return data with one place of it changed."""
        rng = self.rng
        if isinstance(data, dict) and data and self.chance() < 0.9:
            data, name = dict(data), rng.choice(list(data))
            kind = self.chance()
            if kind < 0.65:
                data[name] = self.changed(data[name])
            elif kind < 0.8:
                del data[name]
            elif kind < 0.9:
                data[self.text()] = self.value()
            else:
                data[rng.choice(list(data))] = data[name]
            return data
        if isinstance(data, list) and data and self.chance() < 0.9:
            data, place = list(data), rng.randrange(len(data))
            kind = self.chance()
            if kind < 0.6:
                data[place] = self.changed(data[place])
            elif kind < 0.75:
                del data[place]
            elif kind < 0.9:
                data.insert(place, data[rng.randrange(len(data))])
            else:
                data[place:] = []
            return data
        if isinstance(data, str) and data and self.chance() < 0.5:
            return self.changed_text(data)
        if isinstance(data, int) and self.chance() < 0.5:
            return data + rng.choice((-1, 1, 2, -data))
        return self.value()

    def changed_text(self, text: str) -> str:
        """Return a text with a letter or a part of it changed."""
        rng, place = self.rng, self.rng.randrange(len(text) + 1)
        kind, end = self.chance(), min(len(text), place + rng.randrange(1, 5))
        if kind < 0.3:
            return text[:place] + text[end:]
        if kind < 0.55:
            return text[:place] + rng.choice("0123456789-,;:=+/. abcxyzABCXYZ") + text[place + 1 :]
        if kind < 0.7:
            return text[:place] + self.text() + text[place:]
        if kind < 0.85:
            other = rng.randrange(len(text) + 1)
            return text[:place] + text[other : other + rng.randrange(1, 12)] + text[place:]
        words = text.split(" ")
        rng.shuffle(words)
        return " ".join(words[: rng.randrange(1, len(words) + 1)])

    def changed_bytes(self, data: bytes) -> bytes:
        """Return bytes with some of them changed."""
        changed = bytearray(data)
        for _ in range(self.rng.choice((1, 1, 1, 2, 8))):
            place, kind = self.rng.randrange(len(changed) + 1), self.chance()
            if kind < 0.4 and changed:
                changed[place - 1] = self.rng.randrange(256)
            elif kind < 0.6:
                changed[place:place] = self.rng.randbytes(self.rng.randrange(1, 5))
            elif kind < 0.8:
                del changed[place : place + self.rng.randrange(1, 9)]
            else:
                del changed[place:]
        return bytes(changed)

    def json(self, data: Any) -> bytes:
        """Return data as JSON, sometimes as something that only looks like it."""
        is_escaped = self.chance() < 0.7
        body = json.dumps(data, ensure_ascii=is_escaped).encode(errors="surrogatepass")
        kind = self.chance()
        if kind < 0.8:
            return body
        if kind < 0.9:
            return self.changed_bytes(body)
        if kind < 0.93:
            return b"[" * self.rng.choice((10, 1000, 60_000))
        if kind < 0.95:
            return b'{"a":' * self.rng.choice((10, 1000, 12_000)) + b"1" + b"}" * 12_000
        if kind < 0.97:
            return body[:-1] + b"," + body[1:] if body.startswith(b"{") else body * 2  # names that stand there twice
        return self.rng.randbytes(self.rng.randrange(200))

    def form(self, data: Any) -> bytes:
        """Return data as the body of a form."""
        data = data if isinstance(data, dict) else {self.text(): data}
        flat = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in data.items()}
        body = urlencode(flat, errors="surrogatepass").encode()
        kind = self.chance()
        if kind < 0.85:
            return body
        return self.changed_bytes(body) if kind < 0.95 else b"&".join([body] * self.rng.choice((2, 101)))

    def some_fields(self) -> dict[str, Any]:
        """Return fields of some form."""
        names = self.rng.sample(FORM_FIELDS, self.rng.randrange(6))
        return {name: self.value(3) if self.chance() < 0.7 else self.rng.choice(game_ids()) for name in names}

    def query(self) -> bytes:
        """Return a query string, mostly none."""
        kind = self.chance()
        if kind < 0.6:
            return b""
        if kind < 0.9:
            name = self.rng.choice(("lang", "game", "at", "after", "before", "most", "page"))
            return f"{name}={quote(self.text(), errors='surrogatepass')}".encode()
        return quote_from_bytes(self.rng.randbytes(20), safe="%&=;").encode()

    def path_part(self, known: str) -> str:
        """Return a part of a path, percent-encoded: mostly one that is known."""
        kind = self.chance()
        if kind < 0.75:
            return known
        text = self.changed_text(known) if kind < 0.85 else self.text()
        return quote(text, safe="", errors="surrogatepass") if text else "%20"

    def headers(self) -> dict[str, str]:
        """Return headers that a client may send, few of them at a time."""
        found = {}
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 4))):
            name = self.rng.choice(list(HEADERS))
            found[name] = self.rng.choice(HEADERS[name])
        return found

    def command(self, value_of: Callable[[str, Any], Any]) -> dict[str, Any]:
        """Return a command with all fields that it needs and some of the others; `value_of` a field and its type."""
        kind = self.rng.choice(COMMANDS) if self.chance() < 0.6 else commands.Move
        given = {"type": kind.__name__}
        for field in fields(kind):
            is_needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
            if is_needed or self.chance() < 0.6:
                given[field.name] = value_of(field.name, field.type)
        return given

    def body_of(self, route: str) -> dict[str, Any] | None:
        """Return a body as the JSON interface wants it at a route; None if it wants none."""
        operation = OPERATIONS.get(route)
        if operation is None or operation.body is None:
            return None
        return {field.name: self.plausible(field.name, field.type) for field in fields(operation.body)}

    def plausible(self, name: str, kind: Any) -> Any:
        """Return a value for a field by its name, or else by its type."""
        rng = self.rng
        by_name: dict[str, Callable[[], Any]] = {
            "game": lambda: rng.choice(game_ids()),
            "players": lambda: rng.randrange(2, 6),
            "options": dict,
            "clock": lambda: rng.choice(({}, {"kind": "live", "minutes": 5}, {"kind": "days", "days": 2})),
            "bots": lambda: [rng.choice(list(LEVELS)) for _ in range(rng.randrange(3))],
            "level": lambda: rng.choice(list(LEVELS)),
            "language": lambda: rng.choice(("en", "fa", "he", "el")),
            "name": lambda: rng.choice(("Bat", "Cem", "Dov 7")),
            "endpoint": lambda: "https://push.example/" + str(rng.randrange(100)),
            "keys": lambda: {"p256dh": "B" * 87, "auth": "A" * 22},
        }
        if name in by_name:
            return by_name[name]()
        text = str(kind)
        if "bool" in text:
            return rng.random() < 0.5
        if "int" in text:
            return rng.randrange(6)
        return rng.choice(("hello", f"{rng.getrandbits(256):064x}", "word"))

    def raw_request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """Return a request as bytes on the wire, mostly broken somewhere."""
        rng = self.rng
        lines = [f"{method} {path} HTTP/{rng.choice(('1.1', '1.1', '1.1', '1.0', '2.0', '9'))}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if rng.random() < 0.15:
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:]) if part)
            lines.append("transfer-encoding: chunked")
            body = chunks + rng.choice((b"0\r\n\r\n", b"", b"-1\r\n\r\n", b"ffffffffffffffffff\r\n"))
        elif rng.random() < 0.9:
            lines.append(f"content-length: {len(body) + rng.choice((0, 0, 0, 0, 5, -1))}")
        if rng.random() < 0.05:
            lines += [f"x-{number}: {'y' * rng.choice((1, 900))}" for number in range(rng.choice((5, 200)))]
        whole = "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body
        return self.changed_bytes(whole) if rng.random() < 0.5 else whole
