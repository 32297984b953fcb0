"""The words on Anubixx's board, in a viewer's language."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.markup import isolated
from sarai.core.messages import Choice, Message, Name, Notation, Said, Say, Series, Term, mark, number, signed
from sarai.games.anubixx.scoring import BONUS_POINTS
from sarai.games.anubixx.state import IDLE_LIMITS, STONES
from sarai.games.anubixx.words import stone_words

DIE, QUARRY, JOKER = "dqj"  # … by which messages select too


SHEET = mark("sheet {letter}, {n, plural, one {# joker} other {# jokers}}")
PAID = mark("{how, select, d {with the {colour} die} q {from the quarry} other {with a joker}}")
PAID_SKIPPING = mark(
    "{n, plural, one {from the quarry, skipping # quarry stone} other {from the quarry, skipping # quarry stones}}"
)
PAID_TWICE = mark(
    "{how, select, d {with the {colour} die} q {from the quarry} other {with a joker}} "
    "and {how2, select, d {with the {colour2} die} q {from the quarry} other {with a joker}}"
)
PAID_TWICE_SKIPPING = mark(
    "{how, select, d {with the {colour} die} q {from the quarry} other {with a joker}} "
    "and {how2, select, d {with the {colour2} die} q {from the quarry} other {with a joker}}, "
    "skipping {n, plural, one {# quarry stone} other {# quarry stones}}"
)
PAY_STONE = mark(
    "{n, plural, =0 {Pay: a quarry stone or a joker.} one {Pay: a quarry stone, skipping # stone, or a joker.} "
    "other {Pay: a quarry stone, skipping # stones, or a joker.}}"
)
IDLE = mark("Rounds without a stone: {n}; {limit, plural, one {# ends the game} other {# end the game}}.")
NOTHING_MARKED = mark(
    "The game is over: {limit, plural, one {# round without a stone} other {# rounds without a stone}}."
)
BUILDS = mark("{name} builds: up to two stones, or a relief pair.")
BUILDS_MORE = mark("{name} may mark one more stone of pyramid or arch.")


class Payment(NamedTuple):
    """How one stone or two are paid: a letter and the colour for each, and how many quarry stones are skipped."""

    stones: tuple[tuple[str, str], ...]
    skipped: int = 0

    @property
    def name(self) -> str:
        """Return the same name for what costs the same."""
        return "-".join(sorted(how if how == JOKER else f"{how}-{colour}" for how, colour in self.stones))

    @property
    def in_order(self) -> list[tuple[str, str]]:
        """Return what pays in the same order for all pairs: dice, quarry stones, jokers."""
        return sorted(self.stones, key=lambda stone: ("dqj".index(stone[0]), stone[1]))


class Words:
    """Every text of the board in one language: one object for each, so fragments are memoised by it."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self.dice = say("Dice")
        self.used = say("used")  # translators: below the dice that have paid for stones
        self.stop, self.mark_nothing = say("Stop"), say("Mark nothing")
        self.your_sheet = say("Your sheet")
        self.quarry, self.jokers = say("Quarry"), say("Jokers")
        self.bonuses = say(
            "Bonuses, {points, plural, one {# point} other {# points}} each",
            points=BONUS_POINTS,
        )
        self.open, self.closed = say("open"), say("closed")  # translators: a bonus that can still be won, or not
        self.pay = say("Pay with")
        self.buildings = {"pyramid": say("Pyramid"), "arch": say("Triumphal arch"), "relief": say("Floor relief")}
        self.sources = {**self.buildings, "bonuses": say("Bonuses"), "quarry": self.quarry, "jokers": self.jokers}
        self.symbols = {
            "scarab": say("scarab"),
            "snake": say("snake"),
            "eye": say("eye"),
            "ankh": say("ankh"),
            "falcon": say("falcon"),
            "lotus": say("lotus"),
            "cat": say("cat"),
            "end": say("end"),  # translators: the name of the bonus for two buildings, which ends the game
        }
        self.pay_pair = say("Choose how to pay for both stones.")
        self.stone_first = say("Choose a stone: dice, quarry stones and jokers pay for it.")
        self.pairs_only = say("Relief stones are marked in pairs: choose the bar between two of them.")
        self.no_pair = say("No pair with this stone can be paid now.")
        self._places = {stone: stone_words(stone, say) for stone in STONES}

    def number(self, value: int) -> str:
        """Write a number that stands by itself."""
        return number(value, self._say)

    def change(self, points: int) -> str:
        """Write what somebody gets or loses."""
        return signed(points, self._say)

    # --- stones and dice ---

    def place(self, stone: str) -> str:
        """Name a stone by where it is, and by its symbol."""
        return self._places[stone]

    def stone(self, stone: str, colour: str, is_marked: bool) -> str:
        """Name a stone with its colour, and say whether it is marked."""
        place, term = Said(self.place(stone)), Term(colour, "stone")
        if is_marked:
            return self._say("{stone}: {colour}, marked", stone=place, colour=term)
        return self._say("{stone}: {colour}", stone=place, colour=term)

    def stone_to_mark(self, stone: str, colour: str, payments: Sequence[Payment]) -> str:
        """Name a stone that can be marked, and say how it is paid, or that this is to be chosen."""
        place, term = Said(self.place(stone)), Term(colour, "stone")
        if len(payments) > 1:
            return self._say("{stone}: {colour}, choose how to pay", stone=place, colour=term)
        paid = Said(self.paid(payments[0]))
        return self._say("{stone}: {colour}, {payment}", stone=place, colour=term, payment=paid)

    def pair_to_mark(self, stones: Sequence[tuple[str, str]], payments: Sequence[Payment]) -> str:
        """Name two stones that can be marked together, and say how they are paid, or that this is to be chosen."""
        named = [Said(self.stone(stone, colour, False)) for stone, colour in stones]
        if len(payments) > 1:
            return self._say("{stones}, choose how to pay", stones=named)
        return self._say("{stones}, {payment}", stones=named, payment=Said(self.paid(payments[0])))

    def quarry_stone(self, colour: str, is_crossed: bool, is_lost: bool) -> str:
        """Name a stone of the quarry, and say what became of it."""
        term = Term(colour, "stone")
        if is_crossed:
            return self._say("{colour} stone, crossed off", colour=term)
        return self._say("{colour} stone, lost", colour=term) if is_lost else self._say("{colour} stone", colour=term)

    def die(self, colour: str) -> str:
        """Name a die."""
        return self._say("{colour} die", colour=Term(colour, "die"))

    def jokers_left(self, jokers: int) -> str:
        """Say how many jokers are left."""
        return self._say("Jokers: {n}", n=jokers)

    def sheet(self, letter: str, jokers: int) -> str:
        """Name a sheet, with the jokers of its player."""
        return self._say(SHEET, letter=Notation(letter), n=jokers)

    # --- payments ---

    def paid(self, payment: Payment) -> str:
        """Say how one stone or two are paid, and what it costs besides."""
        hows = [Choice(how) for how, _ in payment.stones]
        dice = [Term(colour, "die") for _, colour in payment.stones]
        if len(hows) == 1:
            message = PAID_SKIPPING if payment.skipped else PAID
            return self._say(message, how=hows[0], colour=dice[0], n=payment.skipped)
        return self._say(
            PAID_TWICE_SKIPPING if payment.skipped else PAID_TWICE,
            how=hows[0],
            colour=dice[0],
            how2=hows[1],
            colour2=dice[1],
            n=payment.skipped,
        )

    def cost(self, how: str, colour: str) -> str:
        """Say briefly what pays for one stone."""
        if how == DIE:
            return self.die(colour)
        return self._say("{colour} quarry stone", colour=Term(colour, "stone")) if how == QUARRY else self._say("joker")

    def skips(self, skipped: int) -> str:
        """Say briefly how many quarry stones are lost because a payment skips them."""
        return self._say("{n, plural, one {# more is lost} other {# more are lost}}", n=skipped)

    def pay_stone(self, skipped: int) -> str:
        """Say how a stone can be paid if there is a choice, and how many quarry stones would be skipped."""
        return self._say(PAY_STONE, n=skipped)

    # --- the game ---

    def round(self, number: int) -> str:
        """Say which round it is."""
        return self._say("Round {n}", n=number)

    def idle(self, rounds: int, rules_version: int) -> str:
        """Say for how many rounds nobody has marked a stone."""
        return self._say(IDLE, n=rounds, limit=IDLE_LIMITS[rules_version])

    def over(self, ending: str, rules_version: int) -> str:
        """Say why the game is over."""
        if ending == "two_buildings":
            return self._say("The game is over: two buildings are completed.")
        if ending == "nothing_marked":
            return self._say(NOTHING_MARKED, limit=IDLE_LIMITS[rules_version])
        return self._say("The game is over.")

    def bonus(self, bonus: str, is_closed: bool, winners: Sequence[str]) -> str:
        """Say of a bonus whether it is open, and who has won it."""
        term = Term("two_buildings_completed", "bonus") if bonus == "end" else Term(bonus, "bonus")
        if not winners:
            return self._say("{bonus}: closed", bonus=term) if is_closed else self._say("{bonus}: open", bonus=term)
        names = [Name(name) for name in winners]
        if is_closed:
            return self._say("{bonus}: closed, won by {names}", bonus=term, names=names)
        return self._say("{bonus}: open, won by {names}", bonus=term, names=names)

    # --- the summary ---

    def turn(self, phase: str, is_second: bool, name: str) -> Markup:
        """Say what happens in a phase before the end."""
        if phase == "deal":
            return escape(self._say("The sheets are dealt."))
        message = mark("{name} rolls the dice.")
        if phase == "build":
            message = BUILDS_MORE if is_second else BUILDS
        return escape(self._say(message, name=isolated(name)))

    def in_middle(self, colours: Sequence[str]) -> str:
        """Say which dice lie in the middle."""
        if not colours:
            return self._say("Dice in the middle: none.")
        return self._say("Dice in the middle: {dice}.", dice=Series(Term(colour, "die") for colour in colours))

    def has(self, name: str, points: int) -> Markup:
        """Say how many points a player has."""
        message = mark("{name}: {n, plural, one {# point} other {# points}}.")
        return escape(self._say(message, name=isolated(name), n=points))


@lru_cache(maxsize=64)
def words_of(say: Say) -> Words:
    """Return the words of a language."""
    return Words(say)


@lru_cache(maxsize=64)
def prompt(say: Say, is_second: bool, has_singles: bool, has_pairs: bool) -> Prompt:
    """Say what is expected, by whether a stone was marked in this turn, and what can be marked."""
    if is_second:
        waiting = Message(mark("Waiting for {names} to mark one more stone or stop."))
        return Prompt(say("Mark one more lit stone, or stop."), waiting)
    waiting = Message(mark("Waiting for {names} to mark stones."))
    if has_singles and has_pairs:
        return Prompt(say("Mark a lit stone, or two by the bar between them."), waiting)
    if has_pairs:
        return Prompt(say("Mark two stones of the relief: choose the bar between them."), waiting)
    return Prompt(say("Mark a lit stone.") if has_singles else say("No stone fits the dice: mark nothing."), waiting)
