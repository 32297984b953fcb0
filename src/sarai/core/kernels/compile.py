"""The decorator that compiles a rule, and the types that compiled rules work on."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import config, njit

from sarai.core.kernels.cache import kernel_directory

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


def kernel(function: F) -> F:
    """Compile a rule and cache it in the directory of these sources, leaving Numba's own cache directory alone.

    Kernels borrow their arrays and return numbers, so they are compiled without reference counts, which would cost an
    atomic operation for each array passed on. Kernels that make an array are recognised by the functions in MAKERS.
    """
    counts = not MAKERS.isdisjoint(function.__code__.co_names)
    before, config.CACHE_DIR = config.CACHE_DIR, str(kernel_directory())
    try:
        compiled: F = njit(cache=True, error_model="numpy", _nrt=counts)(function)
        return compiled
    finally:
        config.CACHE_DIR = before
