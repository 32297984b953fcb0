"""Check the dice of a Sarai record without Sarai: `python verify.py FILE`. `fair-dice.md` explains what is checked."""

import hashlib
import hmac
import json
import re
import sys


def number_below(secret: bytes, lines: list[str], counter: int, limit: int) -> int:
    """Return the number from 0 to limit - 1 that belongs to a counter."""
    attempt = 0
    while True:
        message = "\n".join([*lines, str(counter), str(attempt)]).encode()
        number = int.from_bytes(hmac.digest(secret, message, "sha256"), "big")
        if number < 2**256 - 2**256 % limit:
            return number % limit
        attempt += 1


def drawn(secret: bytes, lines: list[str], counter: int, outcomes: list[int], weights: list[int]) -> int:
    """Return the outcome that had to come."""
    number = number_below(secret, lines, counter, sum(weights))
    for outcome, weight in zip(outcomes, weights, strict=True):
        if number < weight:
            return outcome
        number -= weight
    raise AssertionError


def lines_of(proof: dict) -> list[str]:
    """Return what goes into every draw before the counter: in version 1 the words, in version 2 all about them."""
    if proof.get("version", 1) == 1:
        return list(proof["words"])
    lines = ["Sarai fair dice 2: a draw"]
    for given in proof["words"]:
        lines += [str(given["seat"]), given["nonce"], given["word"]]
    return lines


def check_words(proof: dict, players: int) -> str:
    """Return what is wrong with the words of version 2: each must be what its seat committed to."""
    for given in proof["words"]:
        lines = ["Sarai fair dice 2: a word", str(given["seat"]), given["nonce"], given["word"]]
        if "\n" in given["word"] or not re.fullmatch("([0-9a-f]{2}){16,32}", given["nonce"]):
            return f"the word of seat {given['seat']} has another form"
        if hashlib.sha256("\n".join(lines).encode()).hexdigest() != given["commitment"]:
            return f"the word of seat {given['seat']} is not the one that was committed to"
    seats, failed = [given["seat"] for given in proof["words"]], [lost["seat"] for lost in proof["failed"]]
    named, rounds = [*seats, *failed, *proof["missing"]], sorted({lost["round"] for lost in proof["failed"]})
    if seats != sorted(seats) or len(named) != len(set(named)):
        return "the words are not in the order of seats, or a seat is named twice"
    if not all(type(seat) is int and 0 <= seat < players for seat in named):
        return "a seat is named that is none"
    is_unasked = proof["missing"] and not failed
    if rounds != list(range(1, len(rounds) + 1)) or proof["rounds"] != len(rounds) + bool(seats) or is_unasked:
        return "a round was begun again, and nobody had failed"
    return ""


def check_history(record: dict) -> str:
    """Return what is wrong with the moves that stand, and with draws that are void: only a seat makes them so."""
    proof, standing, drawn = record["fairness"], {}, []
    taken_back, history = set(proof.get("taken_back", [])), proof.get("history", record["moves"])
    for place, entry in enumerate(history):
        if place not in taken_back:
            standing[place] = entry
            drawn += [place] if entry[0] == -1 else []
        elif not entry or not set(entry) <= standing.keys() or standing[entry[0]][0] == -1:
            return "what was taken back was not there"
        else:
            for old in set(entry):
                del standing[old]
    if list(standing.values()) != record["moves"] or not taken_back <= set(range(len(history))):
        return "the moves are not those that were not taken back"
    if [history[place][1] if place in standing else None for place in drawn] != [
        None if draw.get("voided") else draw["drawn"] for draw in proof["draws"]
    ]:
        return "the moves are not those that were drawn, or a draw is void that nobody took back"
    return ""


def check(record: dict) -> str:
    """Return what is wrong with a record's dice, nothing if they were fair."""
    proof = record["fairness"]
    if proof is None:
        return "the record has no proof of its dice"
    if proof.get("version", 1) not in (1, 2):
        return "the proof has another version than 1 and 2"
    secret = bytes.fromhex(proof["secret"])
    if hashlib.sha256(secret).hexdigest() != proof["commitment"]:
        return "the secret is not the one that was committed to"
    if proof.get("version", 1) == 2 and (wrong := check_words(proof, record["players"])):
        return wrong
    for counter, draw in enumerate(proof["draws"]):
        weights = draw.get("weights", [1] * len(draw["outcomes"]))
        if draw["outcomes"] != sorted(set(draw["outcomes"])) or min(weights) < 1 or sum(weights) > 2**256:
            return f"draw {counter} has impossible outcomes or weights"
        if drawn(secret, lines_of(proof), counter, draw["outcomes"], weights) != draw["drawn"]:
            return f"draw {counter} did not bring what it had to"
    return check_history(record)


def describe(proof: dict) -> list[str]:
    """Say which words went into the dice, and who had draws made again."""
    said = []
    for place in proof.get("taken_back", []):
        undone = [proof["history"][old][0] for old in proof["history"][place]]
        said.append(f"Seat {undone[0]} took back a move; draws that are void by that: {undone.count(-1)}.")
    if proof.get("version", 1) == 1:
        return [*said, f"Version 1: {len(proof['words'])} plain words, which the server knew before the game began."]
    said += [f"Seat {given['seat']} gave the word {given['word']!a}." for given in proof["words"]]
    said += [f"Seat {lost['seat']} did not open its word in round {lost['round']}." for lost in proof["failed"]]
    said += [f"Seat {seat} did not make a new word." for seat in proof["missing"]]
    return [*said, f"Rounds of opening words: {proof['rounds']}."]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        sys.exit("This is no record: it is not JSON.")
    wrong = check(read)
    print(f"Not fair: {wrong}." if wrong else "\n".join([*describe(read["fairness"]), "The dice were fair."]))
    sys.exit(1 if wrong else 0)
