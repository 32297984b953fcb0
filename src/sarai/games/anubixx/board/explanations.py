"""What the stones, signs and numbers of Anubixx are, for people who point at them."""

from sarai.core.board_tooltips import Explanation
from sarai.core.messages import Say, Series
from sarai.games.anubixx.scoring import BONUS_POINTS, JOKER_POINTS
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import STONES


def explanations(game_id: str, say: Say) -> list[Explanation]:
    """Explain everything on the board."""
    quarry = say(
        "It pays for a stone of its colour when no die does. It is used up from left to right: those skipped are lost. "
        "At the end each one to the right of the last one used is worth 1."
    )
    joker = say(
        "It pays for a stone of any colour when no die does. "
        "Unused it is worth {points, plural, one {# point} other {# points}}.",
        points=JOKER_POINTS,
    )
    bonus = say(
        "Whoever is first to mark all stones with this symbol wins {points, plural, one {# point} other {# points}}; "
        "so does everybody who does it in the same round.",
        points=BONUS_POINTS,
    )
    return [
        *_dice(say),
        Explanation(
            ".cost",
            say("What it costs"),
            say("No die pays for this stone: a star is a joker, a rock a quarry stone of its colour."),
        ),
        Explanation(".symbol", say("A symbol"), bonus),
        *_buildings(say),
        Explanation(".joker, .quarry b", say("A joker"), joker),
        Explanation(".quarry li", say("The quarry"), quarry),
        Explanation(
            "#x-bonus-end",
            say("Bonus: the end"),
            say(
                "{points, plural, one {# point} other {# points}} for all who have two buildings completed "
                "when the game ends.",
                points=BONUS_POINTS,
            ),
        ),
        Explanation(".bonus", say("A bonus"), bonus),
        *_players(say, quarry, joker, bonus),
    ]


def _dice(say: Say) -> list[Explanation]:
    """Explain the dice and the buttons beside them."""
    return [
        Explanation(
            ".used",
            say("A used die"),
            say("Dice that the active player used are out of this round; others get theirs back for the next player."),
        ),
        Explanation(".die", say("A die"), say("It pays for one stone of its colour. The active player rolled it.")),
        Explanation(
            ".stop", say("Stop"), say("You mark up to two stones of pyramid and arch, or a relief pair, or nothing.")
        ),
        Explanation(".pay", say("How to pay"), say("Marks the picked stone, or pair, and pays for it like this.")),
        Explanation(
            ".round", say("Round"), say("The active player rolls and marks, then the others with the same dice.")
        ),
    ]


def _buildings(say: Say) -> list[Explanation]:
    """Explain the three buildings and their points."""
    pyramid, arch, relief = SHEETS.pyramid_points, SHEETS.arch_points, SHEETS.relief_points
    levels = say("The pyramid counts the level of its highest marked stone: {points}.", points=Series(pyramid[1:]))
    columns = say(
        "The arch counts the level that both columns have reached: {points}; with the keystone {key}.",
        points=Series(arch[1:-1]),
        key=arch[-1],
    )
    pairs = say("The relief counts its marked stones: the small number is how many, the large one the points.")
    return [
        Explanation("#x-pyramid-points", say("Points of the pyramid"), levels),
        Explanation("#x-arch-points", say("Points of the arch"), columns),
        Explanation("#x-relief-points", say("Points of the relief"), pairs),
        Explanation(
            ", ".join(f"#x-s-{stone.replace('.', '-')}" for stone in STONES if stone.startswith("p1.")),
            say("A stone at the bottom of the pyramid"),
            say(
                "It can be marked at any time, with a die of its colour, a quarry stone of its colour or a joker. "
                "Two of them side by side carry the stone above."
            ),
        ),
        Explanation(
            "#x-pyramid .stone",
            say("A stone of the pyramid"),
            say(
                "It can be marked once both stones beneath it are; "
                "the whole pyramid is worth {points, plural, one {# point} other {# points}}.",
                points=pyramid[-1],
            ),
        ),
        Explanation(
            "#x-arch .stone",
            say("A stone of the arch"),
            say("Each column is marked upwards, the keystone when both are complete."),
        ),
        Explanation(
            ".joint",
            say("A pair of the relief"),
            say("The two stones that the bar connects are marked together, as a whole turn."),
        ),
        Explanation(
            "#x-relief .stone",
            say("A stone of the relief"),
            say(
                "Marked in pairs that share an edge, as a whole turn; "
                "all of them are worth {points, plural, one {# point} other {# points}}.",
                points=relief[-1],
            ),
        ),
    ]


def _players(say: Say, quarry: str, joker: str, bonus: str) -> list[Explanation]:
    """Explain what players have."""
    return [
        Explanation(
            ".seat-number",
            say("The player's number"),
            say("On a bonus it says who has won it."),
        ),
        Explanation(".total", say("Points so far"), say("As if the game ended now. Most points win.")),
        Explanation(
            ".from-pyramid, .from-arch, .from-relief",
            say("Points of a building"),
            say("What the building is worth as it stands."),
        ),
        Explanation(
            ".from-bonuses",
            say("Points for bonuses"),
            say("{points, plural, one {# point} other {# points}} for each.", points=BONUS_POINTS),
        ),
        Explanation(".from-quarry", say("Points for the quarry"), quarry),
        Explanation(".from-jokers", say("Points for jokers"), joker),
        Explanation(
            ".little",
            say("Another player's sheet"),
            say("Stones with a letter are not marked yet; stars are jokers, the row below is the quarry."),
        ),
    ]
