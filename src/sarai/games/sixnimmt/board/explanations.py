"""What the cards, rows and numbers of 6 nimmt! are, for people who point at them."""

from sarai.core.board_tooltips import Explanation
from sarai.core.messages import Say
from sarai.games.sixnimmt.board.cards import HEADS_OF
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT


def explanations(game_id: str, say: Say) -> list[Explanation]:
    """Explain everything on the table."""
    return [
        Explanation(
            "#hand .card",
            say("A card of your hand"),
            say(
                "It goes behind the nearest lower card that ends a row. "
                "A card lower than the end of every row takes a row that its player chooses."
            ),
        ),
        Explanation(".open .card", say("A card that lies open"), say("You take turns to take a card into your hand.")),
        Explanation(".turned .card", say("A card of the last trick"), say("The lowest card is placed first.")),
        Explanation(
            ".row .card",
            say("A card in a row"),
            say("Bull heads are bad points: you get those of the cards that you take. Fewest heads win."),
        ),
        Explanation(
            ".cost",
            say("What a row costs"),
            say("Whoever takes this row gets this many bull heads, which are bad points."),
        ),
        Explanation(
            ".sixth",
            say("Sixth place"),
            say(
                "{limit, plural, one {The card that would come here takes the # card of the row and is then "
                "its first card.} "
                "other {The card that would come here takes the # cards of the row and is then its first card.}}",
                limit=ROW_LIMIT,
            ),
        ),
        Explanation(
            ".taken",
            say("Row taken"),
            say("This player took the cards that lay here; the number is what they cost in bull heads."),
        ),
        Explanation(
            ".row",
            say("A row"),
            say(
                "Cards are added to its end, each higher than the one before. A sixth card takes the {limit} before "
                "it. A card lower than the end of every row takes a row that its player chooses.",
                limit=ROW_LIMIT,
            ),
        ),
        Explanation(
            ".tally i",
            say("Bull heads of this round"),
            say("They are among the total already; the cards lie before the player until the round ends."),
        ),
        Explanation(".tally", say("Bull heads"), say("All heads so far, of this round too. Fewest heads win.")),
        Explanation(
            ".bar",
            say("How near the end is"),
            say(
                "The game ends after the round in which a player's bar is full: "
                "then that player has more heads than allowed."
            ),
        ),
        Explanation(".down", say("A card face down"), say("This player has chosen. All cards are turned up together.")),
        Explanation(
            ".chip",
            say("A card in small"),
            say(
                "The large number is the card, the small one its bull heads: from {least} to {most}.",
                least=min(HEADS_OF[1:]),
                most=max(HEADS_OF),
            ),
        ),
        Explanation(
            ".fate",
            say("What became of the card"),
            say("The row that it joined, or that it took; a number is the bull heads that this cost."),
        ),
        Explanation(
            ".where",
            say("Round and trick"),
            say(
                "A round has {tricks, plural, one {# trick} other {# tricks}}: in each, everybody plays a card. "
                "Then the cards are dealt anew.",
                tricks=HAND,
            ),
        ),
    ]
