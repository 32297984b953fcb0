"""Files that browsers fetch: an address has a hash of the content, so that it can be kept for ever."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from sarai import core
from sarai.core.game import Game
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.web.compression import Block, PublicResponse

STATIC = Path(__file__).parent / "static"
TOKENS = Path(core.__file__).parent / "tokens.css"  # colours and fonts, which pictures have too
SITE_STYLE = "site.css"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
COMMENT = re.compile(r"[ \n]*/\*.*?\*/", re.DOTALL)  # of a style sheet; no text in one has these signs
PICTURE = re.compile(r"url\(([\w.-]+\.svg)\)")
MODULE = re.compile(r'(?<=from "\./)([\w.-]+\.js)(?=";)')
FOREVER = "public, max-age=31536000, immutable"
LEVEL = 9  # of zlib: a file is compressed once, when it is first asked for


class Asset(NamedTuple):
    """A file as it is sent."""

    block: Block
    media_type: str
    address: str
    digest: str


def style_name(game: Game) -> str:
    """Return the name of a game's own style sheet among all files."""
    return f"{game.folder.name}.css"


class Assets:
    """All files, read once: those of the site, and each game's `board/style.css`."""

    def __init__(self) -> None:
        self._by_name: dict[str, Asset] = {}
        for path in sorted(path for path in STATIC.iterdir() if path.suffix in MEDIA_TYPES):
            self._add(path.name, path)
        for game in map(find, game_ids()):
            path = game.folder / "board" / "style.css"
            if path.exists():
                self._add(style_name(game), path)
        self._by_address = {asset.address: asset for asset in self._by_name.values()}
        self.version = hashlib.sha256(" ".join(sorted(self._by_address)).encode()).hexdigest()[:12]

    def _add(self, name: str, path: Path) -> None:
        """Read a file, and those that it names before it: their addresses stand in it."""
        if name in self._by_name:
            return
        body = TOKENS.read_bytes() + path.read_bytes() if name == SITE_STYLE else path.read_bytes()
        if path.suffix == ".css":
            style = COMMENT.sub("", body.decode())
            body = PICTURE.sub(lambda found: f"url({self._named(found[1])})", style).encode()
        elif path.suffix == ".js":
            body = MODULE.sub(lambda found: self._named(found[1]).rpartition("/")[2], body.decode()).encode()
        stem, _, suffix = name.rpartition(".")
        digest = hashlib.sha256(body).hexdigest()[:12]
        address = f"/static/{stem}-{digest}.{suffix}"
        self._by_name[name] = Asset(Block(body, LEVEL), MEDIA_TYPES[path.suffix], address, digest)

    def _named(self, name: str) -> str:
        self._add(name, STATIC / name)
        return self.address(name)

    def address(self, name: str) -> str:
        """Return the address of a file by its plain name."""
        return self._by_name[name].address

    def style_of(self, game: Game) -> str | None:
        """Return the address of a game's own style sheet, if it has one."""
        asset = self._by_name.get(style_name(game))
        return asset.address if asset else None

    def game_styles(self) -> list[str]:
        """Return the addresses of all games' style sheets, for a page that shows all their pictures."""
        return sorted({address for game_id in game_ids() if (address := self.style_of(find(game_id)))})

    async def serve(self, request: Request) -> Response:
        """Send a file."""
        asset = self._by_address.get(request.url.path)
        if asset is None:
            return Response("", 404)
        return PublicResponse(asset.block, asset.media_type, FOREVER, asset.digest)
