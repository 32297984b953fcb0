"""Check the dice of a Sarai record without Sarai: `python verify.py FILE`. `fair-dice.md` explains what is checked."""

import hashlib
import hmac
import json
import sys


def number_below(secret: bytes, words: list[str], counter: int, limit: int) -> int:
    """Return the number from 0 to limit - 1 that belongs to a counter."""
    attempt = 0
    while True:
        message = "\n".join([*words, str(counter), str(attempt)]).encode()
        number = int.from_bytes(hmac.digest(secret, message, "sha256"), "big")
        if number < 2**256 - 2**256 % limit:
            return number % limit
        attempt += 1


def drawn(secret: bytes, words: list[str], counter: int, outcomes: list[int], weights: list[int]) -> int:
    """Return the outcome that had to come."""
    number = number_below(secret, words, counter, sum(weights))
    for outcome, weight in zip(outcomes, weights, strict=True):
        if number < weight:
            return outcome
        number -= weight
    raise AssertionError


def check(record: dict) -> str:
    """Return what is wrong with a record's dice, nothing if they were fair."""
    proof = record["fairness"]
    if proof is None:
        return "the record has no proof of its dice"
    secret = bytes.fromhex(proof["secret"])
    if hashlib.sha256(secret).hexdigest() != proof["commitment"]:
        return "the secret is not the one that was committed to"
    for counter, draw in enumerate(proof["draws"]):
        weights = draw.get("weights", [1] * len(draw["outcomes"]))
        if draw["outcomes"] != sorted(set(draw["outcomes"])) or min(weights) < 1:
            return f"draw {counter} has impossible outcomes or weights"
        if drawn(secret, proof["words"], counter, draw["outcomes"], weights) != draw["drawn"]:
            return f"draw {counter} did not bring what it had to"
    drawn_moves = [draw["drawn"] for draw in proof["draws"] if not draw.get("voided")]
    if drawn_moves != [move for seat, move in record["moves"] if seat == -1]:
        return "the moves are not those that were drawn"
    return ""


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        wrong = check(json.load(file))
    print(f"Not fair: {wrong}." if wrong else "The dice were fair.")
    sys.exit(1 if wrong else 0)
