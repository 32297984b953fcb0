"""Where compiled kernels are kept: a directory named by a hash of all that decides what they compile to.

A file in it for each game says that the game and all its bots were compiled there.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import tempfile
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

SOURCES = (Path("core/kernels"), Path("core/policy"), Path("core/result.py"), Path("games"), Path("bots"))
OWN_DATA = "SARAI_DATA_"  # how the name of a variable begins that names a file with other data for a game
KEEP_DAYS = 30
SHOWN = frozenset({"board", "lessons", "terminal.py", "words.py"})  # of a game's folder: they show what kernels did
# Where kernels are kept does not change them, and without a compiler nothing is kept.
WITHOUT_EFFECT = frozenset({"NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES", "NUMBA_DISABLE_JIT"})
TEXTS = frozenset({".md", ".pyc", ".nbi", ".nbc"})


def is_compiled(path: Path) -> bool:
    """Tell whether kernels may depend on a file, named by its path in the package."""
    is_shown = path.parts[0] == "games" and len(path.parts) > 2 and path.parts[2] in SHOWN
    return path.suffix not in TEXTS and not is_shown


def is_hashed(path: Path, package: Path) -> bool:
    """Tell whether a file is one of the package's that name the directory of kernels."""
    if not path.is_relative_to(package):
        return False
    inside = path.relative_to(package)
    return any(inside.is_relative_to(source) for source in SOURCES) and is_compiled(inside)


def source_hash(package: Path) -> str:
    """Hash the sources and data of the folders that hold kernels, and the flags that change generated code."""
    digest = hashlib.sha256()
    for source in SOURCES:
        for path in sorted([package / source, *(package / source).rglob("*")]):
            if path.is_file() and is_compiled(path.relative_to(package)):
                digest.update(f"{path.relative_to(package).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    for name, value in sorted(os.environ.items()):
        if name.startswith(OWN_DATA) and Path(value).is_file() and os.access(value, os.R_OK):
            digest.update(f"{name}\0".encode() + Path(value).read_bytes() + b"\0")
    flags = [
        f"{name}={value}"
        for name, value in sorted(os.environ.items())
        if name.startswith("NUMBA_") and name not in WITHOUT_EFFECT
    ]
    versions = [platform.python_version(), *map(version, ("numba", "llvmlite", "numpy"))]
    digest.update("\n".join(flags + versions).encode())
    return digest.hexdigest()[:20]


def cache_root() -> Path:
    """Return the directory of all kernel caches: `SARAI_CACHE_DIR`, the user's cache folder, or a temporary one."""
    root = Path(os.environ.get("SARAI_CACHE_DIR") or platformdirs.user_cache_path("sarai"))
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.mkdtemp(prefix="sarai-"))


@cache
def kernel_directory() -> Path:
    """Return, and make, the directory for kernels of exactly these sources."""
    root = cache_root()
    made = root / f"kernels-{source_hash(Path(__file__).parents[2])}"
    made.mkdir(exist_ok=True)
    os.utime(made)
    for old in root.glob("kernels-*"):
        with contextlib.suppress(OSError):  # another process may be clearing away too
            if time.time() - old.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(old, ignore_errors=True)
    return made


def compiled_marker(game_id: str) -> Path:
    """Return the file that marks a game, as its sources are now, as compiled with all its bots."""
    return kernel_directory() / f"prepared-{game_id}"


def was_compiled(game_id: str) -> bool:
    """Say whether a game only has to be loaded; reading the sources for that takes a moment."""
    return compiled_marker(game_id).exists()


def mark_compiled(game_id: str) -> None:
    """Mark a game as compiled with all its bots."""
    with contextlib.suppress(OSError):
        compiled_marker(game_id).touch()


def failed_marker(game_id: str) -> Path:
    """Return the file that marks a game, as its sources are now, as one that could not be compiled."""
    return kernel_directory() / f"failed-{game_id}"


def was_tried(game_id: str) -> bool:
    """Say whether a game was compiled, or could not be: no other game has to wait for it."""
    return was_compiled(game_id) or failed_marker(game_id).exists()


def mark_failed(game_id: str) -> None:
    """Mark a game as one that could not be compiled with all its bots; it is tried again at every start."""
    with contextlib.suppress(OSError):
        failed_marker(game_id).touch()
