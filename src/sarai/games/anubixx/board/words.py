"""The words on Anubixx's board, in a viewer's language."""

from functools import lru_cache
from typing import NamedTuple

from sarai.core.board import Prompt
from sarai.core.messages import Say
from sarai.games.anubixx.state import IDLE_LIMITS, STONES
from sarai.games.anubixx.words import stone_words

DIE, QUARRY, JOKER = "dqj"


class Payment(NamedTuple):
    """How one stone or two are paid: a letter and the colour for each, and how many quarry stones are skipped."""

    stones: tuple[tuple[str, str], ...]
    skipped: int = 0

    @property
    def name(self) -> str:
        """Return the same name for what costs the same."""
        return "-".join(sorted(how if how == JOKER else f"{how}-{colour}" for how, colour in self.stones))


class Words:
    """Every text of the board, said once per language: one object for each, so fragments are memoised by it."""

    def __init__(self, say: Say) -> None:
        self.dice = say("Dice")
        self.used = say("used")
        self.stop, self.mark_nothing = say("Stop"), say("Mark nothing")
        self.your_sheet = say("Your sheet")
        self.sheet = say("sheet {letter}")
        self.quarry, self.jokers = say("Quarry"), say("Jokers")
        self.bonuses = say("Bonuses, 3 points each")
        self.open, self.closed = say("open"), say("closed")
        self.won_by = say("won by {names}")
        self.pay = say("Pay with")
        self.idle = say("Rounds without a stone: {n}; {limit} end the game.")
        self.round = say("Round {n}")
        self.has = say("{name}: {n} points.")
        self.in_middle = say("Dice in the middle: {dice}.")
        self.none = say("none")
        self.buildings = {"pyramid": say("Pyramid"), "arch": say("Triumphal arch"), "relief": say("Floor relief")}
        self.sources = {**self.buildings, "bonuses": say("Bonuses"), "quarry": self.quarry, "jokers": self.jokers}
        self.colours = {
            "red": say("red"),
            "orange": say("orange"),
            "yellow": say("yellow"),
            "green": say("green"),
            "blue": say("blue"),
            "violet": say("violet"),
        }
        self.symbols = {
            "scarab": say("scarab"),
            "snake": say("snake"),
            "eye": say("eye"),
            "ankh": say("ankh"),
            "falcon": say("falcon"),
            "lotus": say("lotus"),
            "cat": say("cat"),
            "end": say("end"),
        }
        self.two = say("two buildings completed")
        self._endings = {
            "two_buildings": say("The game is over: two buildings are completed."),
            "nothing_marked": say("The game is over: {limit} rounds without a stone."),
            "move_limit": say("The game is over."),
        }
        self.dealing, self.rolling = say("The sheets are dealt."), say("{name} rolls the dice.")
        self.builds, self.builds_more = (
            say("{name} builds: up to two stones, or a relief pair."),
            say("{name} may mark one more stone of pyramid or arch."),
        )
        self._costs = {DIE: say("{colour} die"), QUARRY: say("quarry"), JOKER: say("joker")}
        self._by = {DIE: say("with the {colour} die"), QUARRY: say("from the quarry"), JOKER: say("with a joker")}
        self._skipping = "", say(", skipping 1 quarry stone"), say(", skipping {count} quarry stones")
        self.skips = say("skips {n}")
        self.choose = say("choose how to pay")
        self._pay_stone = (
            say("Pay: a quarry stone or a joker."),
            say("Pay: a quarry stone, skipping 1, or a joker."),
            say("Pay: a quarry stone, skipping {n}, or a joker."),
        )
        self.pay_pair = say("Choose how to pay for both stones.")
        self.stone_first = say("Choose a stone: dice, quarry stones and jokers pay for it.")
        self.pairs_only = say("Relief stones are marked in pairs: choose a joint between two stones.")
        self.no_pair = say("No pair with this stone can be paid now.")
        self._places = {stone: stone_words(stone, say) for stone in STONES}
        self._pair = say("{one} and {other}")
        self._stone = say("{stone}: {colour}")
        self.marked, self.crossed, self.lost = say("marked"), say("crossed off"), say("lost")

    def place(self, stone: str) -> str:
        """Name a stone by where it is, and by its symbol."""
        return self._places[stone]

    def stone(self, stone: str, colour: str) -> str:
        """Name a stone with its colour."""
        return self._stone.format(stone=self.place(stone), colour=self.colours[colour])

    def pair(self, one: str, other: str) -> str:
        """Name two stones."""
        return self._pair.format(one=one, other=other)

    def paid(self, payment: Payment) -> str:
        """Say how one stone or two are paid, and what it costs besides."""
        said = [self._by[how].format(colour=self.colours[colour]) for how, colour in payment.stones]
        skipping = self._skipping[min(payment.skipped, 2)].format(count=payment.skipped)
        return (self.pair(*said) if len(said) > 1 else said[0]) + skipping

    def cost(self, how: str, colour: str) -> str:
        """Say briefly what pays for one stone."""
        return self._costs[how].format(colour=self.colours[colour])

    def pay_stone(self, skipped: int) -> str:
        """Say how a stone can be paid if there is a choice, and how many quarry stones would be skipped."""
        return self._pay_stone[min(skipped, 2)].format(n=skipped)

    def over(self, ending: str, rules_version: int) -> str:
        """Say why the game is over."""
        return self._endings[ending].format(limit=IDLE_LIMITS[rules_version])


@lru_cache(maxsize=64)
def words_of(say: Say) -> Words:
    """Return the words of a language."""
    return Words(say)


@lru_cache(maxsize=64)
def prompt(say: Say, is_second: bool, can_mark: bool) -> Prompt:
    """Say what is expected, by whether a stone was marked in this turn, and whether there is one to mark."""
    waiting = say("Waiting for {names} to mark stones.")
    if is_second:
        waiting = say("Waiting for {names} to mark one more stone or stop.")
        return Prompt(say("Mark one more lit stone, or stop."), waiting)
    if can_mark:
        return Prompt(say("Mark a lit stone, or a pair of the relief at its joint."), waiting)
    return Prompt(say("No stone fits the dice: mark nothing."), waiting)
