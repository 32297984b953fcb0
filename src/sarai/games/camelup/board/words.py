"""The words on the board of Camel Up and above it, in a viewer's language and an edition's terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sarai.core.board import Prompt
from sarai.core.messages import Say
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.state import FIRST, MOST_PLAYERS, PARTNER, PYRAMID, TILE, WIN


@dataclass(frozen=True, eq=False)
class Words:
    """An edition's names and a board's phrases; one object per edition and language, so that fragments are memoised."""

    order: tuple[str, ...]  # the camels by their English names, which are keys of the view
    letters: str
    dice: tuple[str, ...]
    sides: tuple[str, str]
    camels: dict[str, str]
    die_names: dict[str, str]
    side_names: tuple[str, str]
    space: str
    lying: str
    stack: str
    crossed: str
    crossed_back: str
    die_shows: str
    die_inside: str
    roll: str
    leg: str
    pyramid: str
    pyramid_do: str
    pyramid_left: str
    tickets: str
    bet: str
    stack_left: str
    stack_gone: str
    rank: str
    winner: str
    loser: str
    pile_do: str
    pile_holds: str
    unknown: str
    own_tile: str
    own_tile_lies: str
    own_cards: str
    all_laid: str
    card: str
    card_do: str
    card_step: str
    card_first: str
    side_do: str
    side_step: str
    side_first: str
    no_space: str
    on_track: str
    pounds: str
    pounds_hidden: str
    pyramid_tickets: str
    cards_left: str
    starts: str
    partner: str
    partner_do: str
    partner_ask: str
    ticket_held: str
    players: str
    wins: str
    tile_at_home: str
    bet_on_leg: str
    lay_tile: str
    bet_on_race: str
    take_partner: str
    roll_die: str
    comma: str
    or_last: str
    your_turn: str
    waiting: str


@lru_cache(maxsize=32)
def words_of(edition: int, say: Say) -> Words:
    """Return the words of an edition in a language."""
    box, first = EDITIONS[edition], edition == FIRST
    camels = {
        "blue": say("blue camel"),
        "green": say("green camel"),
        "orange": say("orange camel"),
        "yellow": say("yellow camel"),
        "red": say("red camel"),
        "purple": say("purple camel"),
        "white": say("white camel") if first else say("crazy white camel"),
        "black": say("crazy black camel"),
    }
    dice = {
        "blue": say("blue die"),
        "green": say("green die"),
        "orange": say("orange die"),
        "yellow": say("yellow die"),
        "red": say("red die"),
        "purple": say("purple die"),
        "white": say("white die"),
        "grey": say("grey die"),
    }
    return Words(
        order=box.camels,
        letters=box.letters.upper(),
        dice=box.dice,
        sides=box.sides,
        camels=camels,
        die_names=dice,
        side_names=(say("oasis: one further"), say("mirage: one back"))
        if first
        else (say("cheering: one further"), say("booing: one back")),
        space=say("space {space}"),
        lying=say("desert tile of {name} on space {space}, {side}")
        if first
        else say("spectator tile of {name} on space {space}, {side}"),
        stack=say("space {space}, from the bottom: {camels}"),
        crossed=say("over the finish line, from the bottom: {camels}"),
        crossed_back=say("backwards over the finish line, from the bottom: {camels}"),
        die_shows=say("{die}: out, {camel} {number}"),
        die_inside=say("{die}: in the pyramid"),
        roll=say("Roll"),
        leg=say("Leg {leg}"),
        pyramid=say("pyramid"),
        pyramid_do=say("Take a pyramid tile and let a die come out")
        if first
        else say("Take a pyramid ticket and let a die come out"),
        pyramid_left=say("pyramid tiles left: {left}") if first else say("pyramid tickets left: {left}"),
        tickets=say("Bets on the leg"),
        bet=say("Bet on the {camel}: take its betting tile worth {worth}")
        if first
        else say("Bet on the {camel}: take its betting ticket worth {worth}"),
        stack_left=say("{camel}: bets left {left}"),
        stack_gone=say("{camel}: no bets left"),
        rank=say("place {place}"),
        winner=say("Overall winner"),
        loser=say("Overall loser"),
        pile_do=say("lay the picked card here"),
        pile_holds=say("{pile}: {cards}"),
        unknown=say("unknown camel"),
        own_tile=say("Your tile: side, then space"),
        own_tile_lies=say("Tile on space {space}: side, then space"),
        own_cards=say("Your race cards: card, then pile") if first else say("Your finish cards: card, then pile"),
        all_laid=say("all laid"),
        card=say("race card: {camel}") if first else say("finish card: {camel}"),
        card_do=say("Pick the race card: {camel}") if first else say("Pick the finish card: {camel}"),
        card_step=say("Now choose a pile: overall winner or loser."),
        card_first=say("First choose one of your race cards.")
        if first
        else say("First choose one of your finish cards."),
        side_do=say("Pick the side of your tile: {side}"),
        side_step=say("Now choose a space for your tile."),
        side_first=say("First choose a side of your tile."),
        no_space=say("There is no space for your tile now."),
        on_track=say("on space {space}"),
        pounds=say("pounds: {pounds}"),
        pounds_hidden=say("pounds: hidden"),
        pyramid_tickets=say("pyramid tiles: {count}") if first else say("pyramid tickets: {count}"),
        cards_left=say("race cards in hand: {count}") if first else say("finish cards in hand: {count}"),
        starts=say("start marker"),
        partner=say("partner: {name}"),
        partner_do=say("Become the partner of {name} for this leg"),
        partner_ask=say("partner?"),
        ticket_held=say("bet on the {camel} worth {worth}"),
        players=say("the players"),
        wins=say("wins"),
        tile_at_home=say("tile not laid"),
        bet_on_leg=say("bet on the leg"),
        lay_tile=say("lay your tile"),
        bet_on_race=say("bet on the race"),
        take_partner=say("take a partner"),
        roll_die=say("roll"),
        comma=say(", "),
        or_last=say("{things} or {last}"),
        your_turn=say("Your turn: {what}."),
        waiting=say("Waiting for {names} to bet, lay a tile or roll."),
    )


def prompt(moves: Sequence[int], words: Words) -> Prompt:
    """Return what the status line says: what kinds of moves there are, and what others are waited for."""
    kinds = (
        (words.bet_on_leg, range(TILE)),
        (words.lay_tile, range(TILE, PYRAMID)),
        (words.bet_on_race, range(WIN, PARTNER)),
        (words.take_partner, range(PARTNER, PARTNER + MOST_PLAYERS)),
        (words.roll_die, range(PYRAMID, WIN)),
    )
    *first, last = [kind for kind, ids in kinds if any(move in ids for move in moves)] or [""]
    what = words.or_last.format(things=words.comma.join(first), last=last) if first else last
    return Prompt(words.your_turn.format(what=what), words.waiting)
