"""Camel Up by Steffen Bogen, both editions: camels carry each other, dice leave a pyramid, players bet on the race."""

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
    "no_odds": "There are no odds for {title}.",
    "no_odds_now": "There are odds only while all camels are on the track and the race goes on.",
}

FIRST_EDITION = Game(
    id="camelup-2014",
    title="Camel Up (2014)",
    pitch="Five camels race and ride on each other around a pyramid; bet on who is ahead before everybody knows.",
    players=range(2, 9),
    options=(MONEY,),
    rules_version=1,
    num_actions=46,
    num_chance=20,
    max_moves=10_000,
    score_bounds=(0, 80_003),
    package=__name__,
    definition_name="FIRST",
    reasons=REASONS,
)

SECOND_EDITION = Game(
    id="camelup-2018",
    title="Camel Up (2018)",
    pitch="The race again, with two crazy camels that run the wrong way and mix everything up.",
    players=range(2, 9),
    options=(MONEY, PARTNERSHIPS),
    rules_version=1,
    num_actions=54,
    num_chance=26,
    max_moves=10_000,
    score_bounds=(0, 80_003),
    package=__name__,
    definition_name="SECOND",
    rules_file="RULES-2018.md",
    reasons=REASONS,
)
