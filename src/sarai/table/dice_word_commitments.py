"""Words that were given for the dice: what commits to them, what they add to a draw, what a record says about them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from sarai.core.errors import BadRecord
from sarai.core.messages import Message, mark

if TYPE_CHECKING:
    from sarai.table.dice_words import DiceWords

VERSION = 2  # of the proof of the dice, for new tables; 1: plain words, which could be changed until the start
FIRST_LINES = {"word": "Sarai fair dice 2: a word", "draw": "Sarai fair dice 2: a draw"}
OTHER_FORM = mark("that of seat {seat} has another form")
OTHER_WORD = mark("that of seat {seat} is not the one that was committed to")
DIGEST = re.compile(r"[0-9a-f]{64}")
NONCE = re.compile(r"(?:[0-9a-f]{2}){16,32}")


class GivenWord(Struct, frozen=True):
    """A word that a seat opened, with the random bytes (in hexadecimal) that kept it hidden until then."""

    seat: int
    nonce: str
    word: str

    @property
    def commitment(self) -> str:
        """The SHA-256 that the seat had to publish before."""
        lines = [FIRST_LINES["word"], str(self.seat), self.nonce, self.word]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def draw_lines(words: Iterable[GivenWord]) -> list[str]:
    """Return the lines that go into every draw of version 2 before counter and attempt; no word has a line break."""
    lines = [FIRST_LINES["draw"]]
    for given in words:
        lines += [str(given.seat), given.nonce, given.word]
    return lines


class WordsOfRecord(NamedTuple):
    """What a record says about the words; in version 1 nobody knows whose they are, and nobody can lose one."""

    version: int
    lines: list[str]  # that go into every draw
    given: Sequence[GivenWord] = ()
    lost: Sequence[tuple[int, int]] = ()  # seat and round
    missing: Sequence[int] = ()
    rounds: int = 0


def words_to_json(dice: DiceWords, lines: list[str]) -> dict[str, Any]:
    """Return what a record says about the words of a table."""
    if dice.version < 2:
        return {"words": lines}
    words = [
        {"seat": given.seat, "nonce": given.nonce, "word": given.word, "commitment": given.commitment}
        for given in dice.given
    ]
    return {
        "version": dice.version,
        "words": words,
        "rounds": dice.round,
        "failed": [{"seat": lost.seat, "round": lost.round} for lost in dice.lost],
        "missing": dice.missing,
    }


def read_words(fairness: Mapping[str, Any], players: int) -> WordsOfRecord:
    """Return what a proof says about the words; BadRecord if it cannot be so, KeyError and the like if it is no proof.

    A round after the first needs a seat that failed in the one before: so nobody can have had more deals to choose
    from than there are seats that failed, and one.
    """
    version = fairness.get("version", 1)
    if version == 1:
        return WordsOfRecord(1, list(map(str, fairness["words"])))
    if version != VERSION:
        raise ValueError(f"version {version} is not known")
    given = [GivenWord(int(word["seat"]), str(word["nonce"]), str(word["word"])) for word in fairness["words"]]
    for word, raw in zip(given, fairness["words"], strict=True):
        if not NONCE.fullmatch(word.nonce) or any(unicodedata.category(letter) == "Cc" for letter in word.word):
            raise BadRecord("fairness_words", why=Message(OTHER_FORM, {"seat": word.seat}))
        if raw["commitment"] != word.commitment:
            raise BadRecord("fairness_words", why=Message(OTHER_WORD, {"seat": word.seat}))
    lost = [(int(entry["seat"]), int(entry["round"])) for entry in fairness["failed"]]
    missing, rounds = [int(seat) for seat in fairness["missing"]], int(fairness["rounds"])
    seats = [word.seat for word in given]
    if seats != sorted(seats):
        raise BadRecord("fairness_words", why="they are not in the order of seats")
    named = [*seats, *(seat for seat, _ in lost), *missing]
    if len(set(named)) != len(named) or not all(0 <= seat < players for seat in named):
        raise BadRecord("fairness_words", why="a seat is named twice, or is none")
    failures = sorted({round for _, round in lost})
    if failures != list(range(1, len(failures) + 1)) or rounds != len(failures) + bool(given) or (missing and not lost):
        raise BadRecord("fairness_words", why="a round was begun again, and nobody had failed")
    return WordsOfRecord(VERSION, draw_lines(given), given, lost, missing, rounds)
