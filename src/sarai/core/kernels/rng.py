"""Random numbers in kernels. A generator is an array of one uint64 (SplitMix64), copied and saved like a record."""

from typing import Any

import numpy as np

from sarai.core.kernels.compile import COMPILED, Array, kernel

GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1

if COMPILED:
    _GOLDEN, _MIX_1, _MIX_2 = np.uint64(GOLDEN), np.uint64(MIX_1), np.uint64(MIX_2)
    _27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
    _LOW = np.uint64(0xFFFFFFFF)

    @kernel
    def random_bits(rng: Array) -> Any:
        """Return the next 64 random bits."""
        rng[0] += _GOLDEN
        z = rng[0]
        z = (z ^ (z >> _30)) * _MIX_1
        z = (z ^ (z >> _27)) * _MIX_2
        return z ^ (z >> _31)

    @kernel
    def below(rng: Array, count: int) -> int:
        """Return a number 0 … count-1, exactly uniform (multiply and shift, with rejection); 0 if count is 0."""
        if count <= 0:
            return 0
        n = np.uint64(count)
        product = (random_bits(rng) >> _32) * n
        if (product & _LOW) < n:
            threshold = np.uint64(0x100000000) % n
            while (product & _LOW) < threshold:
                product = (random_bits(rng) >> _32) * n
        return np.int64(product >> _32)  # type: ignore[return-value]

    @kernel
    def uniform(rng: Array) -> float:
        """Return a number in [0, 1)."""
        return np.int64(random_bits(rng) >> np.uint64(11)) * (1.0 / (1 << 53))
else:

    def random_bits(rng: Array) -> Any:
        """Return the next 64 random bits."""
        z = (int(rng[0]) + GOLDEN) & _MASK
        rng[0] = z
        z = ((z ^ (z >> 30)) * MIX_1) & _MASK
        z = ((z ^ (z >> 27)) * MIX_2) & _MASK
        return z ^ (z >> 31)

    def below(rng: Array, count: int) -> int:
        """Return a number 0 … count-1, exactly uniform (multiply and shift, with rejection); 0 if count is 0."""
        if count <= 0:
            return 0
        n = int(count)
        threshold = (1 << 32) % n
        product = (random_bits(rng) >> 32) * n
        while product & 0xFFFFFFFF < threshold:
            product = (random_bits(rng) >> 32) * n
        return int(product >> 32)

    def uniform(rng: Array) -> float:
        """Return a number in [0, 1)."""
        return float((random_bits(rng) >> 11) * (1.0 / (1 << 53)))
