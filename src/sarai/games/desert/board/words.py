"""The words on the desert's board, in a viewer's language; the position in words, and what is asked for."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.board import Prompt
from sarai.core.markup import join, markup
from sarai.core.messages import Either, Message, Name, Notation, Said, Say, Series, Term, mark, number, signed
from sarai.games.desert.state import COLOURS

SPACE = Markup(" ")
CHOSEN = {  # colours by themselves
    "lilac": Term("lilac", "colour"),
    "mint": Term("mint", "colour"),
    "lemon": Term("lemon", "colour"),
    "sky": Term("sky", "colour"),
    "salmon": Term("salmon", "colour"),
}


class Words:
    """Every text of the board, said once per language; fragments are memoised by this object."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.map = say("The desert")
        self.zoom, self.fit, self.near = say("How much of the map is shown"), say("Whole map"), say("Near")
        self.piles = say("Camels left in the piles")
        self.sizes = say("Camels in each caravan")
        self.tokens = say("Water tokens taken")
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
        self.largest_now = say("Largest caravans, if the game ended now")
        self._borders = {
            (True, False): say("mountains"),
            (False, True): say("the edge"),
            (True, True): say("mountains and the edge"),
        }
        self.no_place = say("There is no hex for this colour now.")
        self.no_leader_there = say("None of your leaders can begin there now.")
        self.no_camel_there = say("None of your caravans can grow there now.")
        self.mountain = say("Mountains are not in play.")
        self._leader_steps = {
            colour: say("Now choose a hex for your {colour} leader.", colour=Term(colour, "leader"))
            for colour in COLOURS
        }
        self._camel_steps = {
            colour: say("Now choose a hex for a {colour} camel.", colour=Term(colour, "camel")) for colour in COLOURS
        }

    def number(self, value: int) -> str:
        """Write a number that stands by itself."""
        return number(value, self.say)

    def gain(self, points: int) -> str:
        """Write points that somebody gets."""
        return signed(points, self.say)

    def step(self, colour: str, leaders: bool) -> str:
        """Say what comes after a colour was chosen."""
        return self._leader_steps[colour] if leaders else self._camel_steps[colour]

    def first_colour(self, colours: Sequence[str]) -> str:
        """Say that a colour has to be chosen before a hex."""
        return self.say("First choose a colour: {colours}.", colours=Either([CHOSEN[colour] for colour in colours]))

    def pile(self, colour: str, count: int, ridden: bool) -> str:
        """Name a pile."""
        message = mark("{n, plural, one {{colour}: # camel left} other {{colour}: # camels left}}")
        if ridden:
            message = mark(
                "{n, plural, one {{colour}: place your leader; # camel left} "
                "other {{colour}: place your leader; # camels left}}"
            )
        return self.say(message, colour=Term(colour, "camel"), n=count)

    def caravan(self, name: str, colour: str, count: int) -> str:
        """Name a caravan."""
        return self.say(
            "{n, plural, one {{name}: {colour} caravan, # camel} other {{name}: {colour} caravan, # camels}}",
            name=Name(name),
            colour=Term(colour, "caravan"),
            n=count,
        )

    def chip(self, colour: str, count: int, aside: bool) -> str:
        """Name a caravan's size, or say why there is none."""
        if aside:
            return self.say("{colour} leader: out of the game", colour=Term(colour, "leader"))
        return self.say("{colour} caravan: {n}", colour=Term(colour, "caravan"), n=count)

    def hex(self, hex: str, value: int, is_oasis: bool) -> str:
        """Name a hex on which no camel stands, and its water or its palm."""
        if value:
            return self.say("{hex}, water {n}", hex=Notation(hex), n=value)
        message = mark("{hex}, oasis") if is_oasis else mark("{hex}, empty")
        return self.say(message, hex=Notation(hex))

    def border(self, mountains: bool, edge: bool) -> str:
        """Name what is beside a hex where no hex is in play, "" if hexes are all around it."""
        return self._borders.get((mountains, edge), "")

    def camel(self, hex: str, colour: str, name: str, leads: bool) -> str:
        """Name a camel on its hex."""
        if leads:
            return self.say(
                "{hex}: {colour} leader of {name}",
                hex=Notation(hex),
                colour=Term(colour, "leader"),
                name=Name(name),
            )
        return self.say(
            "{hex}: {colour} camel of {name}", hex=Notation(hex), colour=Term(colour, "camel"), name=Name(name)
        )

    def area(self, name: str, hexes: Sequence[str]) -> str:
        """Say which hexes a player has enclosed."""
        return self.say(
            "{n, plural, one {{name}: # enclosed hex: {hexes}} other {{name}: # enclosed hexes: {hexes}}}",
            name=Name(name),
            n=len(hexes),
            hexes=Series([Notation(hex) for hex in hexes]),
        )

    def turn(self, phase: str, name: str, left: int) -> str:
        """Say whose turn it is, and how many camels are left to place in it."""
        if phase == "aside":
            return self.say("Leaders are set aside.")
        if phase == "palms":
            return self.say("Palms are planted.")
        if phase == "water":
            return self.say("Water tokens are laid.")
        if phase == "leaders":
            return self.say("{name} is to place a leader.", name=Name(name))
        if phase == "over":
            return self.say("The game is over.")
        return self.say(
            "{n, plural, one {{name} is to place a camel.} other {{name} is to place # camels.}}",
            name=Name(name),
            n=left,
        )

    def points(self, seat: int, name: str, points: int) -> str:
        """Say what a player has."""
        return self.say(
            "{n, plural, one {{name} ({rider}): # point.} other {{name} ({rider}): # points.}}",
            name=Name(name),
            rider=Said(self.riders[seat]),
            n=points,
        )

    def camels_left(self, lilac: int, mint: int, lemon: int, sky: int, salmon: int) -> str:
        """Say how many camels are left in the piles."""
        return self.say(
            "Camels left: lilac {lilac}, mint {mint}, lemon {lemon}, sky {sky}, salmon {salmon}.",
            lilac=lilac,
            mint=mint,
            lemon=lemon,
            sky=sky,
            salmon=salmon,
        )


@lru_cache(maxsize=64)
def words_of(say: Say) -> Words:
    """Return the words of a language."""
    return Words(say)


def summary(words: Words, view: Mapping[str, Any], names: Sequence[str], totals: Mapping[int, int]) -> Markup:
    """Say the position in a few sentences, with the points of the seats whose points are shown."""
    said = [
        turn_sentence(words, view["phase"], names[view["actor"]] if view["actor"] >= 0 else "", view["camels_left"])
    ]
    said += [points_sentence(words, seat, names[seat], total) for seat, total in totals.items()]
    said.append(camels_sentence(words, *view["piles"].values()))
    return join(said, SPACE)


@lru_cache(maxsize=1024)
def turn_sentence(words: Words, phase: str, name: str, left: int) -> Markup:
    """Return the sentence of whose turn it is, in an element of its own."""
    return markup("<span>{said}</span>", said=words.turn(phase, name, left))


@lru_cache(maxsize=4096)
def points_sentence(words: Words, seat: int, name: str, points: int) -> Markup:
    """Return the sentence of what a player has, in an element of its own."""
    return markup("<span>{said}</span>", said=words.points(seat, name, points))


@lru_cache(maxsize=4096)
def camels_sentence(words: Words, *piles: int) -> Markup:
    """Return the sentence of what is left in the piles, in an element of its own."""
    return markup("<span>{said}</span>", said=words.camels_left(*piles))


@lru_cache(maxsize=256)
def prompt(phase: str, left: int, say: Say) -> Prompt | None:
    """Say what is expected of the viewer, and of others, who are `{names}`, by the phase and the camels of the turn."""
    if phase == "over":
        return None
    if phase == "leaders":
        return Prompt(
            say("Choose one of your leaders, then a hex for it."),
            Message(mark("Waiting for {names} to place a leader.")),
        )
    if left > 1:
        return Prompt(
            say("Place two camels: choose a colour, then a hex."),
            Message(mark("Waiting for {names} to place two camels.")),
        )
    if phase == "camels":
        return Prompt(
            say("Place your second camel: choose a colour, then a hex."),
            Message(mark("Waiting for {names} to place a second camel.")),
        )
    return Prompt(
        say("Place a camel: choose a colour, then a hex."), Message(mark("Waiting for {names} to place a camel."))
    )
