"""Text of any script: decimal digits as 0 to 9, and a first letter made a capital."""

import unicodedata


def with_plain_digits(text: str) -> str:
    """Return a text with the digits of every script as 0 to 9, as notation writes them."""
    return "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, its accent kept: styles take it from Greek letters."""
    return text[:1].upper() + text[1:]
