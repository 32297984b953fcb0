"""The words on the board of Camel Up and above it, in a viewer's language and an edition's terms."""

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.markup import isolated
from sarai.core.messages import (
    Argument,
    Either,
    Message,
    Name,
    Notation,
    Said,
    Say,
    Series,
    Term,
    mark,
    number,
    numbers,
    signed,
)
from sarai.games.camelup.edition import EDITIONS, GREY_DIE
from sarai.games.camelup.state import FIRST, LAST_SPACE, MOST_PLAYERS, PARTNER, PRIZES, PYRAMID, TILE, WIN


class Words:
    """An edition's names and a board's phrases; one object per edition and language, so that fragments are memoised."""

    waiting = Message(mark("Waiting for {names} to bet, lay a tile or roll."))

    def __init__(self, edition: int, say: Say) -> None:
        box, first = EDITIONS[edition], edition == FIRST
        self._say, self._first = say, first
        self.order = box.camels  # by their English names, which are keys of the view
        self.letters = box.letters.upper()
        self.dice = box.dice
        self.sides = box.sides
        self.camels = {
            "blue": say("blue camel"),
            "green": say("green camel"),
            "orange": say("orange camel"),
            "yellow": say("yellow camel"),
            "red": say("red camel"),
            "purple": say("purple camel"),
            "white": say("white camel") if first else say("crazy white camel"),
            "black": say("crazy black camel"),
        }
        self.side_names = (
            (say("oasis: one further"), say("mirage: one back"))
            if first
            else (say("cheering: one further"), say("booing: one back"))
        )
        self.on_track = say("camels on the track")
        self.finish = say("finish line")
        self.roll = say("Roll")  # translators: on the pyramid: let a die come out
        self.tickets = say("Bets on the leg")
        self.winner = say("Overall winner")
        self.loser = say("Overall loser")
        self.own_tile = say("Your tile: choose a side, then a space")
        self.own_cards = (
            say("Your race cards: choose one, then a pile")
            if first
            else say("Your finish cards: choose one, then a pile")
        )
        self.all_laid = say("all laid")
        self.card_step = say("Now choose a pile: overall winner or loser.")
        self.prizes = tuple(int(prize) for prize in PRIZES)  # of right cards, in the order they were laid
        self.card_first = (
            say("First choose one of your race cards.") if first else say("First choose one of your finish cards.")
        )
        self.side_step = say("Now choose a space for your tile.")
        self.side_first = say("First choose a side of your tile.")
        self.no_space = say("There is no space for your tile now.")
        self.pounds_hidden = say("pounds: hidden")
        self.starts = say("start marker")
        self.partner_ask = say("partner?")  # translators: a button at another player: become partners for this leg
        self.players = say("the players")
        self.wins = say("most pounds")  # translators: beside the name of who has won
        self.tile_at_home = say("tile not laid")

    def number(self, value: int) -> str:
        """Write a number that stands by itself."""
        return number(value, self._say)

    def numbers(self, values: tuple[int, ...]) -> str:
        """Write numbers one after the other."""
        return numbers(values, self._say)

    def rank(self, place: int) -> str:
        """Write the place of a camel in the race, on the badge of its tickets."""
        return self._say("{n}.", n=place)  # translators: the place of a camel in the race, on a small badge

    def change(self, amount: int) -> str:
        """Write what somebody gets or loses, or how far something goes on or back."""
        return signed(amount, self._say)

    # --- the track ---------------------------------------------------------------------------------------------------

    def empty_space(self, space: int) -> str:
        """Name a space of the track on which nothing is."""
        return self._say("space {space}, empty", space=space)

    def tile(self, owner: str, space: int, side: int) -> str:
        """Say whose tile lies where, and what it does."""
        if self._first:
            message = (
                mark("desert tile of {name} on space {space}, mirage: one back")
                if side
                else mark("desert tile of {name} on space {space}, oasis: one further")
            )
        else:
            message = (
                mark("spectator tile of {name} on space {space}, booing: one back")
                if side
                else mark("spectator tile of {name} on space {space}, cheering: one further")
            )
        return self._say(message, name=Name(owner), space=space)

    def stack(self, space: int, camels: Sequence[str]) -> str:
        """Tell a stack of camels, or who crossed the finish line."""
        named = self.listed(camels)
        if 1 <= space <= LAST_SPACE:
            return self._say("space {space}, from the bottom: {camels}", space=space, camels=named)
        if space > LAST_SPACE:
            return self._say("over the finish line, from the bottom: {camels}", camels=named)
        return self._say("backwards over the finish line, from the bottom: {camels}", camels=named)

    def stacks(self, stacks: Sequence[tuple[int, Sequence[str]]]) -> str:
        """Tell all stacks, one after the other: spaces, and the camels on them from the bottom."""
        told = ""
        for space, camels in stacks:
            stack = self.stack(space, camels)
            told = self._say("{stacks}; {stack}", stacks=Said(told), stack=Said(stack)) if told else stack
        return told or "–"

    def track(self, stacks: Sequence[tuple[int, Sequence[str]]]) -> str:
        """Tell where the camels stand, as a sentence."""
        return self._say("On the track: {stacks}.", stacks=Said(self.stacks(stacks)))

    def ranking(self, camels: Sequence[str]) -> str:
        """Tell how the racing camels stand, as a sentence."""
        return self._say("The order of the race: {camels}.", camels=self.listed(camels))

    def listed(self, camels: Sequence[str]) -> Series:
        """List camels by their names."""
        return Series([Said(self.camels[camel]) for camel in camels])

    def die(self, die: str, camel: str, number: int) -> str:
        """Say what a die shows, or (0) that it is still in the pyramid."""
        if die == GREY_DIE:
            if not number:
                return self._say("grey die: in the pyramid")
            return self._say("grey die: out, shows {camel} {number}", camel=Term(camel, "number"), number=number)
        if not number:
            return self._say("{die} die: in the pyramid", die=Term(die, "die"))
        return self._say("{die} die: out, shows {number}", die=Term(die, "die"), number=number)

    def leg(self, leg: int) -> str:
        """Number a leg."""
        return self._say("Leg {leg}", leg=leg)

    def in_leg(self, leg: int) -> str:
        """Number a leg, as a sentence."""
        return self._say("This is leg {leg}.", leg=leg)

    def pyramid(self, left: int) -> str:
        """Say how many pyramid tickets the pyramid has left."""
        message = (
            mark("pyramid; pyramid tiles left: {left}")
            if self._first
            else mark("pyramid; pyramid tickets left: {left}")
        )
        return self._say(message, left=left)

    def pyramid_do(self, left: int) -> str:
        """Say what choosing the pyramid does."""
        message = (
            mark("Take a pyramid tile and let a die come out; pyramid tiles left: {left}")
            if self._first
            else mark("Take a pyramid ticket and let a die come out; pyramid tickets left: {left}")
        )
        return self._say(message, left=left)

    # --- bets --------------------------------------------------------------------------------------------------------

    def bets(self, camel: str, left: Sequence[int], place: int) -> str:
        """Say which bets on a camel are left, and its place in the race, 0 for none yet."""
        facts: dict[str, Argument] = {"camel": Term(camel, "camel"), "left": Series(left), "place": place}
        if left:
            message = (
                mark("{camel} camel: bets left {left}; place {place}")
                if place
                else mark("{camel} camel: bets left {left}")
            )
        else:
            message = (
                mark("{camel} camel: no bets left; place {place}") if place else mark("{camel} camel: no bets left")
            )
        return self._say(message, **facts)

    def bet_do(self, camel: str, left: Sequence[int], place: int) -> str:
        """Say what a bet takes, what is left now, and the camel's place in the race, 0 for none yet."""
        if self._first:
            message = (
                mark("Bet on the {camel} camel: take its betting tile worth {worth}; bets left {left}; place {place}")
                if place
                else mark("Bet on the {camel} camel: take its betting tile worth {worth}; bets left {left}")
            )
        else:
            message = (
                mark("Bet on the {camel} camel: take its betting ticket worth {worth}; bets left {left}; place {place}")
                if place
                else mark("Bet on the {camel} camel: take its betting ticket worth {worth}; bets left {left}")
            )
        return self._say(message, camel=Term(camel, "camel"), worth=left[0], left=Series(left), place=place)

    def bet(self, camel: str, worth: int) -> str:
        """Name a betting ticket that somebody has."""
        return self._say("bet on the {camel} camel worth {worth}", camel=Term(camel, "camel"), worth=worth)

    def pile(self, which: str, cards: Sequence[tuple[str, str]]) -> str:
        """Say which cards lie on a pile, as far as they are known: their owners and camels."""
        message = mark("Overall winner: {cards}") if which == "winner" else mark("Overall loser: {cards}")
        return self._say(message, cards=self._cards(cards))

    def pile_do(self, which: str, cards: Sequence[tuple[str, str]]) -> str:
        """Say which cards lie on a pile, and that one can be laid on it."""
        message = (
            mark("Overall winner: {cards}; lay the picked card here")
            if which == "winner"
            else mark("Overall loser: {cards}; lay the picked card here")
        )
        return self._say(message, cards=self._cards(cards))

    def _cards(self, cards: Sequence[tuple[str, str]]) -> Argument:
        return Series([Said(self._card_of(owner, camel)) for owner, camel in cards]) or Notation("–")

    def _card_of(self, owner: str, camel: str) -> str:
        if not camel:
            return self._say("{name}: unknown camel", name=Name(owner))
        return self._say("{name}: {camel}", name=Name(owner), camel=Said(self.camels[camel]))

    # --- what players have -------------------------------------------------------------------------------------------

    def own_tile_lies(self, space: int) -> str:
        """Title the own tile that lies on the track."""
        return self._say("Your tile on space {space}: choose a side, then another space", space=space)

    def side_do(self, side: int) -> str:
        """Say what picking a side of the own tile does."""
        return self._say("Pick the side of your tile: {side}", side=Said(self.side_names[side]))

    def card(self, camel: str) -> str:
        """Name a race card."""
        message = mark("race card: {camel}") if self._first else mark("finish card: {camel}")
        return self._say(message, camel=Said(self.camels[camel]))

    def card_do(self, camel: str) -> str:
        """Say what picking a race card does."""
        message = mark("Pick the race card: {camel}") if self._first else mark("Pick the finish card: {camel}")
        return self._say(message, camel=Said(self.camels[camel]))

    def pounds(self, pounds: int) -> str:
        """Say how many pounds somebody has, -1 for hidden ones."""
        return self.pounds_hidden if pounds < 0 else self._say("pounds: {pounds}", pounds=pounds)

    def purse(self, name: str, pounds: int) -> Markup:
        """Say how many pounds a player has, -1 for hidden ones, as a sentence."""
        if pounds < 0:
            return escape(self._say("{name}: pounds hidden.", name=isolated(name)))
        message = mark("{pounds, plural, one {{name}: # pound.} other {{name}: # pounds.}}")
        return escape(self._say(message, name=isolated(name), pounds=pounds))

    def pyramid_tickets(self, count: int) -> str:
        """Say how many pyramid tickets somebody has."""
        return self._say(
            mark("pyramid tiles: {count}") if self._first else mark("pyramid tickets: {count}"), count=count
        )

    def cards_left(self, count: int) -> str:
        """Say how many race cards somebody has in hand."""
        message = mark("race cards in hand: {count}") if self._first else mark("finish cards in hand: {count}")
        return self._say(message, count=count)

    def tile_lies(self, space: int) -> str:
        """Say where somebody's tile lies."""
        return self._say("tile on space {space}", space=space)

    def partner(self, name: str) -> str:
        """Name somebody's partner."""
        return self._say("partner: {name}", name=Name(name))

    def partner_do(self, name: str) -> str:
        """Say what choosing a partner does."""
        return self._say("Become the partner of {name} for this leg", name=Name(name))

    # --- the status line ---------------------------------------------------------------------------------------------

    def your_turn(self, moves: Sequence[int]) -> str:
        """Say what kinds of moves there are."""
        say = self._say
        kinds = (
            (say("bet on the leg"), range(TILE)),
            (say("lay your tile"), range(TILE, PYRAMID)),
            (say("bet on the race"), range(WIN, PARTNER)),
            (say("take a partner"), range(PARTNER, PARTNER + MOST_PLAYERS)),
            (say("roll"), range(PYRAMID, WIN)),
        )
        found = Either([Said(kind) for kind, ids in kinds if any(move in ids for move in moves)])
        return say("Your turn: {moves}.", moves=found) if found else say("Your turn.")


@lru_cache(maxsize=32)
def words_of(edition: int, say: Say) -> Words:
    """Return the words of an edition in a language."""
    return Words(edition, say)


def prompt(moves: Sequence[int], words: Words) -> Prompt:
    """Return what the status line says: what kinds of moves there are, and what others are waited for."""
    return Prompt(words.your_turn(moves), words.waiting)
