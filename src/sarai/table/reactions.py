"""Quick reactions: a few symbols with words, said with one click instead of a line of talk."""

from typing import NamedTuple


class Reaction(NamedTuple):
    """A symbol, and the English words for it."""

    symbol: str
    words: str

    @property
    def text(self) -> str:
        """The reaction as a line of talk."""
        return f"{self.symbol} {self.words}"


REACTIONS = {
    "hello": Reaction("👋", "Hello!"),
    "well_played": Reaction("👏", "Well played!"),
    "thanks": Reaction("🙏", "Thank you!"),
    "laugh": Reaction("😄", "Ha!"),
    "oops": Reaction("🙈", "Oops!"),
    "thinking": Reaction("🤔", "Let me think."),
}
ERASED = Reaction("…", "")  # what is left of one when its person was erased
