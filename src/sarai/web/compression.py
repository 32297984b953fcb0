"""Answers and streams as gzip, made of blocks that are compressed without regard to each other.

The length of compressed data tells how much its parts have in common. Whoever can add text to an answer (talk, a name)
and sees its length could guess a secret in it (a token, a hand) letter by letter. So a `Response` of Starlette is never
compressed; what is compressed says so by being a `BlockResponse`, and keeps the two in different blocks. Players' names
may share a block with a hand, as they are chosen before cards are dealt. If one changed since, it is stored.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING

from isal import isal_zlib
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sarai.table.table import PLAYING

if TYPE_CHECKING:
    from sarai.table.table import Table

SMALLEST = 200  # bytes; less is sent as it is
STREAM_LEVEL = 1  # of ISA-L, which takes a third of the time of zlib's for an event, and makes it as small
PAGE_LEVEL = 6  # of zlib
STORED = 0  # in place of a level: not compressed
WINDOW, MEMORY = 14, 7  # as small as with zlib's own 15 and 8, which take 16 µs more to allocate
GZIP_HEAD = b"\x1f\x8b\x08" + bytes(6) + b"\xff"  # deflate, no name, no time, any system
LAST_BLOCK = b"\x03\x00"  # empty
LONGEST_STORED = 0xFFFF
WEIGHT = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")
PIECE = 64 * 1024  # bytes of an answer that are sent at once
UNCHANGED = 304
ASK_AGAIN = "private, no-cache"  # kept by the browser, which asks each time whether it is still the same
LONGEST_READ = 500  # letters of what a client accepts
LARGE = "sarai.large"  # in the scope of a request: what counts an answer of several pieces while it is sent


def accepts_gzip(headers: Headers) -> bool:
    """Say whether a client accepts gzip, and does not like it less than uncompressed answers (RFC 9110, 12.5.3)."""
    return prefers_gzip(",".join(headers.getlist("accept-encoding"))[:LONGEST_READ])


@lru_cache(1000)
def prefers_gzip(accepted: str) -> bool:
    """Say whether a list of encodings prefers gzip to none."""
    weights: dict[str, float] = {}
    for item in accepted.lower().split(","):
        coding, *parameters = [part.strip() for part in item.split(";")]
        found = [WEIGHT.fullmatch(parameter) for parameter in parameters]
        weights[coding] = min([float(weight[1]) if weight else 0.0 for weight in found], default=1.0)
    gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return gzip > 0 and gzip >= weights.get("identity", 0.0)


def store(data: bytes) -> bytes:
    """Return data as blocks of a deflate stream that are not compressed."""
    pieces = []
    for start in range(0, len(data), LONGEST_STORED):
        piece = data[start : start + LONGEST_STORED]
        pieces += [pack("<xHH", len(piece), len(piece) ^ 0xFFFF), piece]
    return b"".join(pieces)


def level_of(table: Table, usual: int) -> int:
    """Return how much to compress what holds a hand and the names of players, who may choose others in the game."""
    return STORED if table.is_renamed and table.phase == PLAYING else usual


def deflate(data: bytes, level: int) -> bytes:
    """Return data as whole bytes of a deflate stream that refer to nothing before them."""
    if len(data) < SMALLEST or level == STORED:
        return store(data)
    library = isal_zlib if level == STREAM_LEVEL else zlib
    compressor = library.compressobj(level, zlib.DEFLATED, -WINDOW, MEMORY)
    deflated: bytes = compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return deflated


class Block:
    """Bytes for any number of clients: as they are, and compressed once, when the first client wants that."""

    __slots__ = ("_deflated", "level", "plain")

    def __init__(self, plain: bytes, level: int = STREAM_LEVEL) -> None:
        self.plain, self.level = plain, level
        self._deflated: bytes | None = None

    @property
    def deflated(self) -> bytes:
        """The same bytes as a piece of a deflate stream."""
        if self._deflated is None:
            self._deflated = deflate(self.plain, self.level)
        return self._deflated


Blocks = tuple[Block, ...]


def blocks(*contents: str | bytes, level: int = PAGE_LEVEL) -> Blocks:
    """Return the contents of an answer as blocks, in their order."""
    return tuple([Block(content.encode() if isinstance(content, str) else content, level) for content in contents])


class Body:
    """The bytes of one answer that is sent in blocks, plain or as gzip; for its end it counts what was sent."""

    def __init__(self, is_gzip: bool) -> None:
        self.is_gzip = is_gzip
        self._size = self._checksum = 0

    def encode(self, blocks: Iterable[Block]) -> bytes:
        """Return what to send for some blocks."""
        if not self.is_gzip:
            return b"".join([block.plain for block in blocks])
        return b"".join([b"" if self._size else GZIP_HEAD, *[block.deflated for block in blocks]])

    def count(self, blocks: Iterable[Block]) -> None:
        """Note that blocks were sent."""
        if self.is_gzip:
            for block in blocks:
                self._size += len(block.plain)
                self._checksum = isal_zlib.crc32(block.plain, self._checksum)

    def end(self) -> bytes:
        """Return what to send after the last block."""
        if not self.is_gzip:
            return b""
        head = b"" if self._size else GZIP_HEAD
        return head + LAST_BLOCK + pack("<LL", self._checksum, self._size & 0xFFFFFFFF)


class BlockResponse(Response):
    """An answer that is compressed for clients that accept it, each block by itself."""

    def __init__(self, blocks: Blocks, media_type: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(b"".join([block.plain for block in blocks]), 200, headers, media_type)
        self.blocks = blocks
        self.headers["vary"] = "accept-encoding"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer in an encoding that the client accepts."""
        asked = Headers(scope=scope)
        self.encode(asked, len(self.body) >= SMALLEST and accepts_gzip(asked))
        self.blocks = ()  # a slow reader keeps one copy in memory
        if len(self.body) <= PIECE:
            await super().__call__(scope, receive, send)
            return
        with scope.get(LARGE, nullcontext)():
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for start in range(0, len(self.body), PIECE):  # and the connection holds no more than a piece of it
                piece, is_last = self.body[start : start + PIECE], start + PIECE >= len(self.body)
                await send({"type": "http.response.body", "body": piece, "more_body": not is_last})

    def encode(self, asked: Headers, is_gzip: bool) -> None:
        """Make the body and its headers what the client asked for."""
        if is_gzip:
            body = Body(is_gzip)
            content = body.encode(self.blocks)
            body.count(self.blocks)
            self.body = content + body.end()
            self.headers["content-encoding"] = "gzip"
            self.headers["content-length"] = str(len(self.body))


class PublicResponse(BlockResponse):
    """An answer that holds no secret, in one block; a browser keeps it and is told if it is still the same."""

    def __init__(
        self, content: Block | str | bytes, media_type: str, cache_control: str = ASK_AGAIN, digest: str | None = None
    ) -> None:
        block = (content,) if isinstance(content, Block) else blocks(content)
        super().__init__(block, media_type, {"cache-control": cache_control})
        self.digest = digest or blake2b(self.body, digest_size=12).hexdigest()

    def encode(self, asked: Headers, is_gzip: bool) -> None:
        """Tag the body by its content and encoding; leave it out if the client has the one with this tag."""
        tag = f'"{self.digest}-gzip"' if is_gzip else f'"{self.digest}"'
        self.headers["etag"] = tag
        if not is_among(tag, asked.getlist("if-none-match")):
            super().encode(asked, is_gzip)
            return
        self.status_code, self.body = UNCHANGED, b""
        del self.headers["content-length"]
        del self.headers["content-type"]


def is_among(tag: str, conditions: list[str]) -> bool:
    """Say whether an entity tag is among those of a request's If-None-Match; a proxy may have made them weak."""
    tags = [given.strip().removeprefix("W/") for condition in conditions for given in condition.split(",")]
    return tag in tags or tags == ["*"]
