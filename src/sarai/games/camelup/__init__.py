"""Camel Up by Steffen Bogen, both editions: camels that carry each other, a pyramid of dice, and bets on what comes of it."""

from sarai.core.game import Game
from sarai.core.options import Option

MONEY = Option(
    "money",
    "open",
    "hidden: the page shows no other player's pounds until the end.",
    choices=("open", "hidden"),
    display=True,
)
PARTNERSHIPS = Option(
    "partnerships", "auto", "auto: partnership cards with six or more players; off: none.", choices=("auto", "off")
)

REASONS = {
    "betting_stack_empty": "No bet on the {camel} camel is left in this leg.",
    "no_tile_on_first_space": "No tile may ever lie on space 1.",
    "tile_on_camel": "Space {space} is not empty: a camel stands there.",
    "tile_on_tile": "Space {space} is not empty: a tile lies there.",
    "tile_next_to_tile": "Space {space} is next to a space with a tile.",
    "tile_stays_in_place": "Your tile already lies on space {space}: it can only move to another space.",
    "no_race_card_left": "You have laid all your race cards.",
    "race_card_laid": "You have laid your {camel} race card already.",
    "no_partnerships": "There are no partnerships in this game.",
    "no_such_partner": "There is no player in seat {partner}.",
    "partner_is_self": "You cannot be your own partner.",
    "partner_bound": "You already have a partner in this leg.",
    "partner_not_available": "The player in seat {partner} already has a partner in this leg.",
}

FIRST_EDITION = Game(
    id="camelup-2014",
    title="Camel Up (2014)",
    players=range(2, 9),
    options=(MONEY,),
    rules_version=1,
    num_actions=46,
    num_chance=20,
    max_moves=10_000,
    score_bounds=(0, 80_003),
    kit_path="sarai.games.camelup.kit:FIRST_KIT",
    reasons=REASONS,
)

SECOND_EDITION = Game(
    id="camelup-2018",
    title="Camel Up (2018)",
    players=range(2, 9),
    options=(MONEY, PARTNERSHIPS),
    rules_version=1,
    num_actions=54,
    num_chance=26,
    max_moves=10_000,
    score_bounds=(0, 80_003),
    kit_path="sarai.games.camelup.kit:SECOND_KIT",
    reasons=REASONS,
)
