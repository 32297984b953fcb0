"""Through the Desert by Reiner Knizia: caravans of five colours grow to water, to oases, and around the sand."""

from sarai.core.game import Game
from sarai.core.options import Option
from sarai.games.desert.terrain import BOARD, IS_STANDARD, PALMS

SCORES = Option(
    "scores",
    "open",
    "hidden: the page keeps the points taken on the way face down until the end.",
    choices=("open", "hidden"),
    display=True,
)


def board_options() -> tuple[Option, ...]:
    """Name a board that is not the standard one, so that its records and positions are refused on any other."""
    if IS_STANDARD:
        return ()
    return (
        Option(
            "board", BOARD.fingerprint, "The board that is loaded, by its fingerprint.", choices=(BOARD.fingerprint,)
        ),
    )


THROUGH_THE_DESERT = Game(
    id="desert",
    title="Through the Desert",
    pitch="Place pastel camels from hex to hex: to the water, to the oases, around whole stretches of sand.",
    players=range(2, 6),
    options=(SCORES, *board_options()),
    rules_version=2,
    num_actions=5 * len(BOARD.places),
    num_chance=max(5, len(BOARD.palm_spaces)),
    max_moves=200,
    score_bounds=(0, len(BOARD.places) + 90 + 50 + 5 * 5 * PALMS),
    package=__name__,
    reasons={
        "leader_already_placed": "Your {colour} leader already stands on the board.",
        "leader_is_set_aside": "Your {colour} leader is out of the game.",
        "leader_colour_used": "Another player placed a {colour} leader in this round: choose another colour.",
        "leader_colour_needed": "If you use {colour} now, a later player has no colour left for this round.",
        "leader_on_water": "A leader cannot begin on a water hole such as {hex}.",
        "leader_next_to_oasis": "{hex} is next to an oasis: a leader cannot begin there.",
        "leader_next_to_leader": "{hex} is next to a leader.",
        "hex_not_in_play": "{hex} is beyond the line and only in play with four or five players.",
        "hex_is_oasis": "{hex} is an oasis.",
        "hex_has_camel": "A camel already stands on {hex}.",
        "hex_enclosed": "{hex} is in an enclosed area.",
        "camel_pile_empty": "There is no {colour} camel left.",
        "camel_without_caravan": "You have no {colour} caravan.",
        "camel_not_touching": "{hex} does not touch your {colour} caravan.",
        "camel_touches_other": "{hex} touches a {colour} caravan of another player.",
    },
)
