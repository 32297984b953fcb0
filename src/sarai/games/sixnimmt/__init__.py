"""6 nimmt! by Wolfgang Kramer: cards join four rows, and the bull heads of a row that is taken are bad points."""

from sarai.core.errors import BadStart
from sarai.core.game import Game
from sarai.core.options import Option, Value

TARGET = 66


def complete_options(players: int, options: dict[str, Value]) -> dict[str, Value]:
    """Complete the variant's options and refuse what does not go together (N-14 … N-18)."""
    options = dict(options)
    if options["rounds"] and options["target"] != TARGET:
        raise BadStart(
            "conflicting_options",
            first=f"target={options['target']}",
            second=f"rounds={options['rounds']}",
            why="a game ends by one of them",
        )
    if options["variant"] == "tactical":
        options |= {"deck": "known", "deal": "draft"}
    if options["deal"] == "draft" and options["deck"] != "known":
        raise BadStart(
            "conflicting_options", first="deal=draft", second="deck=full", why="only a known deck can be drafted"
        )
    if options["deck"] == "known" and players > 6:
        raise BadStart(
            "conflicting_options",
            first="deck=known",
            second=f"players={players}",
            why="the variant is for 2 to 6 players",
        )
    if options["deal"] == "draft":
        options["variant"] = "tactical"
    return options


SIX_NIMMT = Game(
    id="sixnimmt",
    title="6 nimmt!",
    pitch="Everybody plays a card at once, and whoever has to lay the sixth in a row takes them all. "
    "Nobody wants bulls.",
    players=range(2, 11),
    options=(
        Option(
            "target",
            TARGET,
            "The game ends after the round in which somebody has more heads than this.",
            numbers=range(1, 501),
        ),
        Option(
            "rounds", 0, "Play exactly so many rounds instead of to a target; 0: to the target.", numbers=range(0, 51)
        ),
        Option("variant", "standard", "tactical: known deck and drafted hands.", choices=("standard", "tactical")),
        Option("deck", "full", "known: only the cards 1 to 10 × players + 4.", choices=("full", "known")),
        Option("deal", "random", "draft: all cards lie open and are taken in turn.", choices=("random", "draft")),
        Option(
            "memory",
            "off",
            "on: the page lists the cards already seen this round.",
            choices=("off", "on"),
            display=True,
        ),
    ),
    rules_version=1,
    num_actions=108,
    num_chance=104,
    max_moves=30_000,
    score_bounds=(0, 30_000),
    package=__name__,
    reasons={
        "no_card_to_choose": "Now is not the time to choose a card.",
        "card_not_in_hand": "Card {card} is not in your hand.",
        "card_not_on_table": "Card {card} no longer lies on the table.",
        "no_row_to_take": "Now is not the time to take a row.",
        "row_must_be_taken": "Your card is lower than every row: take a row.",
    },
    complete_options=complete_options,
)
