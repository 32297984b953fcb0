"""The decorator that compiles a rule, and the types that compiled rules work on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba import config, njit
from numba.core.caching import UserProvidedCacheLocator

from sarai.core.kernels.cache import is_hashed, kernel_directory

COMPILED = not config.DISABLE_JIT
Array = np.ndarray[Any, np.dtype[Any]]  # of numbers, or of records
Cell = np.ndarray[Any, np.dtype[Any]]  # an array of one record, which costs less than the record to pass to a kernel

F = TypeVar("F", bound=Callable[..., Any])


MAKERS = {
    "array",
    "arange",
    "copy",
    "empty",
    "full",
    "ones",
    "zeros",
}  # what a kernel that makes an array of its own calls


PACKAGE = Path(__file__).parents[2]


class KernelLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Finds a kernel by its place in the package: another checkout or environment with equal sources shares it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder of a kernel; Numba's own name for it holds the whole path of the source."""
        path = Path(py_file)
        if is_hashed(path, PACKAGE):
            return "-".join(path.relative_to(PACKAGE).parent.parts)
        return str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> object:
        """Return what changes with the source; the directory of all kernels is named by ours already."""
        return "" if is_hashed(Path(self._py_file), PACKAGE) else super().get_source_stamp()


LOCATOR = f"{__name__}.{KernelLocator.__name__}"


def kernel(function: F) -> F:
    """Compile a rule and cache it in the directory of these sources, leaving Numba's own cache settings alone.

    Kernels borrow their arrays and return numbers, so they are compiled without reference counts, which would cost an
    atomic operation for each array passed on. Kernels that make an array are recognised by the functions in MAKERS.
    """
    counts = not MAKERS.isdisjoint(function.__code__.co_names)
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(kernel_directory()), LOCATOR
    try:
        compiled: F = njit(cache=True, error_model="numpy", _nrt=counts)(function)
        return compiled
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
