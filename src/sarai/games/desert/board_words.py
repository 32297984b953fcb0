"""The words on the desert's board, in a viewer's language."""

from functools import lru_cache

from sarai.core.messages import Say


def isolated(name: str) -> str:
    """Put a name between marks that keep its direction from the text around it."""
    return f"\u2068{name}\u2069"


class Words:
    """Every text of the board, said once per language; two of one language are the same object, so fragments are remembered by it."""

    def __init__(self, say: Say) -> None:
        self.map = say("The desert")
        self.piles = say("Camels left in the piles")
        self.sizes = say("Camels in each caravan")
        self.tokens = say("Water tokens taken")
        self.total = say("Points so far, the largest caravans as they stand")
        self.has = say("{name} ({rider}): {n} points.")
        self.left = say("Camels left: {piles}.")
        self.colours = {
            "lilac": say("lilac"),
            "mint": say("mint"),
            "lemon": say("lemon"),
            "sky": say("sky"),
            "salmon": say("salmon"),
        }
        self.riders = (
            say("red rider"),
            say("blue rider"),
            say("green rider"),
            say("orange rider"),
            say("violet rider"),
        )
        self.sources = {
            "water": say("Water"),
            "oases": say("Oases"),
            "areas": say("Enclosed areas"),
            "largest": say("Largest caravans"),
        }
        self.turns = {
            "aside": say("Leaders are set aside."),
            "palms": say("Palms are planted."),
            "water": say("Water tokens are laid."),
            "leaders": say("{name} is to place a leader."),
            "first": say("{name} is to place a camel, {n} left in this turn."),
            "camels": say("{name} is to place a camel, {n} left in this turn."),
            "over": say("The game is over."),
        }
        self._leader, self._camel = say("{colour} leader"), say("{colour} camel")
        self._pile, self._ridden = (
            say("{colour}: {n} camels left"),
            say("{colour}: your leader is to be placed; {n} camels left"),
        )
        self._caravan = say("{name}: {colour} caravan, {n}")
        self._chip, self._aside = say("{colour} caravan: {n}"), say("{colour} leader: out of the game")
        self._water = say("{hex}, water {n}")

    def pick(self, colour: str, leaders: bool) -> str:
        """Name a first choice."""
        return (self._leader if leaders else self._camel).format(colour=self.colours[colour])

    def pile(self, colour: str, count: int, ridden: bool) -> str:
        """Name a pile."""
        return (self._ridden if ridden else self._pile).format(colour=self.colours[colour], n=count)

    def caravan(self, name: str, colour: str, count: int) -> str:
        """Name a caravan."""
        return self._caravan.format(name=name, colour=self.colours[colour], n=count)

    def chip(self, colour: str, count: int, aside: bool) -> str:
        """Name a caravan's size, or say why there is none."""
        return (self._aside if aside else self._chip).format(colour=self.colours[colour], n=count)

    def hex(self, hex: str, value: int) -> str:
        """Name a hex and its water."""
        return self._water.format(hex=hex, n=value) if value else hex


@lru_cache(maxsize=64)
def words_of(say: Say) -> Words:
    """Return the words of a language."""
    return Words(say)
