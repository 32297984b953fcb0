"""Checks of the texts that people type: names, talk, and words for the dice."""

import unicodedata

from sarai.table.refusals import Refused

LONGEST = {"name": 24, "chat": 300, "word": 40}
MOST_PARTS = 4  # characters that one of a text may be made of before it is composed
MOST_MARKS = {"name": 2, "chat": 4, "word": 4}  # that follow each other on one letter
MOST_POINTS = 3  # on one letter of a Hebrew or Arabic name
NOT_JOINER, JOINER = "\u200c", "\u200d"  # Persian needs the first, families of emoji the second
JOINERS = NOT_JOINER + JOINER
SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))  # say how the character before them is drawn
# letters and marks by their category, but invisible
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xE0100, 0xE01F0))
)
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean(text: str, kind: str) -> str:
    """Return a text that a person typed; Refused if it is empty, too long or has invisible characters.

    Characters that change the direction of writing are refused too. Markup stays text, and talk stays as it is; names
    and words have no spaces around them, names single ones within.
    """
    if kind != "chat":
        text = text.strip()
    if len(text) > LONGEST[kind] * MOST_PARTS:  # composing takes time that grows with the square of the marks in a row
        raise Refused(f"{kind}_too_long", most=LONGEST[kind])
    text = unicodedata.normalize("NFC", text)
    if any(is_invisible(letter) for letter in text) or has_loose_marks(text, kind):
        raise Refused(f"{kind}_unprintable")
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in text):
        raise Refused(f"{kind}_empty")
    if kind == "name":
        text = " ".join(text.split())
        if has_loose_joiners(text):
            raise Refused("name_unprintable")
    if len(text) > LONGEST[kind]:
        raise Refused(f"{kind}_too_long", most=LONGEST[kind])
    return text


def is_invisible(letter: str) -> bool:
    """Say whether a character shows nothing, or changes how others are shown."""
    return letter in BLANKS or (unicodedata.category(letter) in INVISIBLE and letter not in JOINERS)


def has_loose_marks(text: str, kind: str) -> bool:
    """Say whether marks stand on nothing, or too many on one letter; or whether a selector follows a letter."""
    base, count = "", 0
    for letter in text:
        if letter in SELECTORS:  # emoji have them, and digits on keys
            if not (base and (unicodedata.category(base) in ("So", "Sm") or base in "0123456789#*")):
                return True
        elif unicodedata.category(letter)[0] == "M":
            count += 1
            is_pointed = bool(base) and unicodedata.name(base, "").startswith(("HEBREW", "ARABIC"))
            if count > (max(MOST_MARKS[kind], MOST_POINTS) if is_pointed else MOST_MARKS[kind]):
                return True
            if not base or base.isspace():
                return True
        elif letter not in JOINERS:
            base, count = letter, 0
    return False


def has_loose_joiners(text: str) -> bool:
    """Say whether a joiner stands where it joins nothing: not between Arabic letters, or pictures."""
    letters = [letter for letter in text if unicodedata.category(letter)[0] != "M"]
    return any(
        not (0 < place < len(letters) - 1 and all(map(may_be_joined, (letters[place - 1], letters[place + 1]))))
        for place, letter in enumerate(letters)
        if letter in JOINERS
    )


def may_be_joined(letter: str) -> bool:
    """Say whether a joiner beside a character means something."""
    if unicodedata.category(letter) in ("So", "Sk"):
        return True
    return unicodedata.category(letter) == "Lo" and unicodedata.name(letter, "").startswith("ARABIC")
