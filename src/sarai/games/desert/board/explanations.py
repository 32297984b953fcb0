"""What the pieces, signs and numbers of the desert are, for people who point at them."""

from sarai.core.board_tooltips import Explanation
from sarai.core.messages import Say
from sarai.games.desert.state import LARGEST_POINTS, OASIS_POINTS, TIED_POINTS, VALUES, WHOLE_BOARD


def explanations(game_id: str, say: Say) -> list[Explanation]:
    """Explain everything on the board."""
    oasis = say(
        "A caravan with a camel next to it is linked: {points, plural, one {# point} other {# points}}, "
        "once for each caravan and oasis.",
        points=OASIS_POINTS,
    )
    largest = say(
        "At the end the caravan with the most camels of its colour is worth "
        "{points, plural, one {# point} other {# points}}; if several have as many, each is worth {tied}.",
        points=LARGEST_POINTS,
        tied=TIED_POINTS,
    )
    area = say("Each hex of an area that you enclosed is worth 1 point. Nobody can place camels there.")
    water = say("The first camel placed on it takes it: as many points as it shows, 1 to {most}.", most=VALUES)
    return [
        *_on_the_map(say, water),
        Explanation(
            ".pile",
            say("A pile of camels"),
            say("Camels that anybody can place. When a pile is empty, the game ends after the turn."),
        ),
        Explanation(
            ".seat-number",
            say("The player's number"),
            say("It stands on this player's leaders and areas; the colour is that of the riders."),
        ),
        Explanation(
            ".total",
            say("Points so far"),
            say(
                "Water, oases and enclosed areas are certain. Largest caravans are counted at the end: "
                "what they would bring now stands below with a plus. Most points win."
            ),
        ),
        Explanation(".water", say("Points for water"), water),
        Explanation(".oases", say("Points for oases"), oasis),
        Explanation(".areas", say("Points for areas"), area),
        Explanation(".largest", say("Points for the largest caravans"), largest),
        Explanation(".chips", say("The sizes of the caravans"), largest),
        Explanation(
            ".drops",
            say("Water tokens taken"),
            say("The value of the tokens, and how many of them this player has taken."),
        ),
    ]


def _on_the_map(say: Say, water: str) -> list[Explanation]:
    """Explain what lies on the map."""
    return [
        Explanation(".token", say("Water"), water),
        Explanation(
            ".palm",
            say("Oasis"),
            say(
                "A caravan with a camel next to it is linked: {points, plural, one {# point} other {# points}}, "
                "once for each caravan and oasis. No camel can stand on it.",
                points=OASIS_POINTS,
            ),
        ),
        Explanation(
            ".leader",
            say("A leader"),
            say(
                "The rider shows whose caravan this is. A caravan starts here. It grows by camels of its colour "
                "next to its own, never next to another player's camel of the same colour."
            ),
        ),
        Explanation(
            ".caravan, .caravan .border",
            say("A caravan"),
            say(
                "It grows by camels of its colour next to its own, "
                "never next to another player's camel of the same colour."
            ),
        ),
        Explanation(
            ".area",
            say("An enclosed area"),
            say(
                "Each hex of an area that you enclosed is worth 1 point. Nobody can place camels there. "
                "Its water and oases were paid at once."
            ),
        ),
        Explanation(
            ".for-leaders ~ g .hex",
            say("A place for a leader"),
            say("Leaders begin on empty sand, not next to an oasis or to another leader."),
        ),
        Explanation(
            ".hex",
            say("A place for a camel"),
            say("The picked camel fits here: next to its caravan, and next to no other caravan of its colour."),
        ),
        Explanation(
            ".hole, .print",
            say("A printed hole"),
            say("Water is laid here before the game, or a palm is planted. No leader begins here."),
        ),
        Explanation(
            ".rock, .peaks",
            say("Mountains"),
            say("Nobody can go there. Like the edge of the board they help to enclose an area."),
        ),
        Explanation(
            ".beyond",
            say("Beyond the line"),
            say(
                "{players, plural, one {Only games of # player or more use this part; with fewer, the line is "
                "the edge of the board.} "
                "other {Only games of # players or more use this part; with fewer, the line is "
                "the edge of the board.}}",
                players=WHOLE_BOARD,
            ),
        ),
        Explanation(
            ".border",
            say("The thick line"),
            say("With so few players it is the edge of the board, and helps to enclose an area."),
        ),
        Explanation(".gain", say("Points just made"), say("By the last camel, on this hex.")),
        Explanation(".axis", say("Columns and rows"), say("Letters and numbers name the hexes, as in the log.")),
    ]
