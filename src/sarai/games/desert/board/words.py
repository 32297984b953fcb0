"""The words on the desert's board, in a viewer's language; the position in words, and what is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.messages import Say, isolated_text


class Words:
    """Every text of the board, said once per language; fragments are memoised by this object."""

    def __init__(self, say: Say) -> None:
        self.map = say("The desert")
        self.zoom, self.fit, self.near = say("How much of the map is shown"), say("Whole map"), say("Near")
        self.piles = say("Camels left in the piles")
        self.sizes = say("Camels in each caravan")
        self.tokens = say("Water tokens taken")
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
        self._leader_step = say("Now choose a hex for your {colour} leader.")
        self._camel_step = say("Now choose a hex for a {colour} camel.")
        self.first_colour = say("First choose a colour: {colours}.")
        self.no_place = say("There is no hex for this colour now.")
        self.no_leader_there, self.no_camel_there = (
            say("None of your leaders can begin there now."),
            say("None of your caravans can grow there now."),
        )
        self.mountain = say("Mountains are not in play.")
        self._pile, self._ridden = (
            say("{colour}: {n} camels left"),
            say("{colour}: your leader is to be placed; {n} camels left"),
        )
        self._caravan = say("{name}: {colour} caravan, {n}")
        self._chip, self._aside = say("{colour} caravan: {n}"), say("{colour} leader: out of the game")
        self._water = say("{hex}, water {n}")

    def step(self, colour: str, leaders: bool) -> str:
        """Say what comes after a colour was chosen."""
        return (self._leader_step if leaders else self._camel_step).format(colour=self.colours[colour])

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


def summary(words: Words, view: Mapping[str, Any], names: Sequence[str], shown: Iterable[int]) -> Markup:
    """Say the position in a few sentences, with the points of the seats whose points are shown."""
    name = isolated_text(names[view["actor"]]) if view["actor"] >= 0 else ""
    said = [words.turns[view["phase"]].format(name=name, n=view["camels_left"])]
    for seat in shown:
        points = sum(view["points"][seat].values())
        said.append(words.has.format(name=isolated_text(names[seat]), rider=words.riders[seat], n=points))
    piles = ", ".join([f"{words.colours[colour]} {count}" for colour, count in view["piles"].items()])
    said.append(words.left.format(piles=piles))
    return escape(" ".join(said))


@lru_cache(maxsize=256)
def prompt(phase: str, left: int, say: Say) -> Prompt | None:
    """Say what is expected of the viewer, and of others, who are `{names}`, by the phase and the camels of the turn."""
    if phase == "over":
        return None
    if phase == "leaders":
        return Prompt(
            say("Choose one of your leaders, then a hex for it."), say("Waiting for {names} to place a leader.")
        )
    if left > 1:
        return Prompt(
            say("Place two camels: choose a colour, then a hex."), say("Waiting for {names} to place two camels.")
        )
    if phase == "camels":
        return Prompt(
            say("Place your second camel: choose a colour, then a hex."),
            say("Waiting for {names} to place a second camel."),
        )
    return Prompt(say("Place a camel: choose a colour, then a hex."), say("Waiting for {names} to place a camel."))
