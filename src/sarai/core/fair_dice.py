"""Fair dice: outcomes follow from a secret committed to in advance, the players' words and a counter.

`docs/fair-dice.md` describes the protocol.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from math import lcm

SECRET_BYTES = 32
DIGEST = 1 << 256  # how many numbers an HMAC can be


def new_secret() -> str:
    """Return a new random secret in hexadecimal."""
    return secrets.token_hex(SECRET_BYTES)


def commitment(secret: str) -> str:
    """Return the promise that is published for a secret before anything is drawn."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def whole_weights(chances: Sequence[tuple[int, Fraction]]) -> list[int]:
    """Return exact probabilities as the smallest whole numbers in the same ratio."""
    whole = lcm(*{chance.denominator for _, chance in chances})
    return [chance.numerator * (whole // chance.denominator) for _, chance in chances]


def number_below(secret: str, words: Sequence[str], counter: int, limit: int) -> int:
    """Return a number from 0 to limit - 1, all equally likely: HMACs that would favour some are passed over."""
    for attempt in count():
        message = "\n".join([*words, str(counter), str(attempt)]).encode()
        found = int.from_bytes(hmac.digest(bytes.fromhex(secret), message, "sha256"), "big")
        if found < DIGEST - DIGEST % limit:
            return found % limit
    raise AssertionError


def draw(secret: str, words: Sequence[str], counter: int, outcomes: Sequence[int], weights: Sequence[int]) -> int:
    """Return the outcome that a draw of that counter brings."""
    left = number_below(secret, words, counter, sum(weights))
    for outcome, weight in zip(outcomes, weights, strict=True):
        if left < weight:
            return outcome
        left -= weight
    raise AssertionError
