"""One folder per game; calling the package lists them, since `sarai.games()` and this folder share a name."""

import sys
from types import ModuleType

from sarai.core import registry


class _Games(ModuleType):
    def __call__(self) -> list[str]:
        """Return the ids of all games."""
        return registry.games()


sys.modules[__name__].__class__ = _Games
