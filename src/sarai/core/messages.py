"""Texts that people read: a function that says one in the reader's language, and a mark for those said elsewhere."""

from collections.abc import Callable

Say = Callable[[str], str]  # a text of ours in the reader's language


def mark(text: str) -> str:
    """Mark a text that will be said in the reader's language somewhere else, so that catalogs contain it."""
    return text


def isolated_text(name: str) -> str:
    """Put a name between marks that keep its direction from the text around it."""
    return f"\u2068{name}\u2069"
