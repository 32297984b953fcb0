"""Files that browsers fetch: each at an address that has a hash of its content, so it may be kept for ever and is never stale."""

import hashlib
import importlib.util
import re
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from sarai.core.registry import game, game_ids

HERE = Path(__file__).parent / "static"
KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
PICTURE = re.compile(r"url\(([\w.-]+\.svg)\)")
FOREVER = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file as it is sent."""

    body: bytes
    kind: str
    address: str


def game_folder(game_id: str) -> Path:
    """Return the folder of a game's package."""
    found = importlib.util.find_spec(game(game_id).package)
    assert found is not None and found.origin is not None
    return Path(found.origin).parent


class Assets:
    """All files, read once."""

    def __init__(self) -> None:
        self._by_name: dict[str, Asset] = {}
        for path in sorted(
            HERE.iterdir(), key=lambda path: (path.suffix == ".css", path.name)
        ):  # styles last: they name pictures
            if path.suffix in KINDS:
                self._add(path.name, path)
        for game_id in game_ids():
            folder = game_folder(game_id)
            path = folder / "board.css"
            if path.exists():
                self._add(f"{folder.name}.css", path)
        self._by_address = {asset.address: asset for asset in self._by_name.values()}
        self.version = hashlib.sha256(" ".join(sorted(self._by_address)).encode()).hexdigest()[:12]

    def _add(self, name: str, path: Path) -> None:
        body = path.read_bytes()
        if path.suffix == ".css":
            body = PICTURE.sub(lambda found: f"url({self.address(found[1])})", body.decode()).encode()
        stem, _, suffix = name.rpartition(".")
        address = f"/static/{stem}-{hashlib.sha256(body).hexdigest()[:12]}.{suffix}"
        self._by_name[name] = Asset(body, KINDS[path.suffix], address)

    def address(self, name: str) -> str:
        """Return the address of a file by its plain name."""
        return self._by_name[name].address

    def style_of(self, game_id: str) -> str | None:
        """Return the address of a game's own style, if it has one."""
        asset = self._by_name.get(f"{game_folder(game_id).name}.css")
        return asset.address if asset else None

    def styles(self) -> list[str]:
        """Return the addresses of all games' styles, for a page that shows all their pictures."""
        return sorted({address for game_id in game_ids() if (address := self.style_of(game_id))})

    async def serve(self, request: Request) -> Response:
        """Send a file."""
        asset = self._by_address.get(request.url.path)
        if asset is None:
            return Response("", 404, {"cache-control": "no-store"})
        return Response(asset.body, 200, {"cache-control": FOREVER}, asset.kind)
