"""What the pieces, signs and numbers of Camel Up are, for people who point at them, in each edition's terms."""

from sarai.core.explanations import Explanation
from sarai.core.messages import Say
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.state import DICE_PER_LEG, LAST_SPACE, PRIZES, SECOND, STARTING_POUNDS


def explanations(game_id: str, say: Say) -> list[Explanation]:
    """Explain everything on the board of an edition."""
    edition = SECOND if game_id.endswith("2018") else 1 - SECOND
    return [*_on_the_track(edition, say), *_bets(edition, say), *_players(edition, say)]


def _on_the_track(edition: int, say: Say) -> list[Explanation]:
    """Explain camels, tiles, the pyramid and the track."""
    crazy = [
        Explanation(
            ".crazy",
            say("A crazy camel"),
            say(
                "It runs the other way and carries those on top of it along. It is never first or last: no bets on it."
            ),
        ),
        Explanation(
            "#die-grey", say("The grey die"), say("It moves one of the crazy camels: the one of the colour it shows.")
        ),
    ]
    tile = say("A unit that stops here pays its owner 1 pound. +1: it goes one space on, −1: one back and underneath.")
    return [
        *(crazy if edition == SECOND else []),
        Explanation(
            ".camel",
            say("A camel"),
            say("When it runs, all camels on top of it ride along. Ahead is who is further, in a stack who is higher."),
        ),
        Explanation(".tile", say(EDITIONS[edition].tile), tile),
        Explanation(
            ".place",
            say("A space for your tile"),
            say("No camel and no tile is here, and no tile next to it. On space 1 there are never tiles."),
        ),
        Explanation(
            ".die",
            say("A die"),
            say(
                "With a number it has come out in this leg and its camel has run; without, it is still in the pyramid."
            ),
        ),
        Explanation(
            ".pyramid",
            say("The pyramid"),
            say(
                "As your turn you can let a die come out: its camel runs 1 to 3 spaces. "
                "You get a triangle, worth 1 pound; the last of {dice} ends the leg."
            ).format(dice=DICE_PER_LEG),
        ),
        Explanation(
            ".leg",
            say("The leg"),
            say("It ends when {dice} dice have come out. Then bets on the leg are paid, and tiles go back.").format(
                dice=DICE_PER_LEG
            ),
        ),
        Explanation(
            ".space-number",
            say("A space of the track"),
            say("Camels run from lower to higher numbers; behind space {last} is the finish line.").format(
                last=LAST_SPACE
            ),
        ),
        Explanation(
            ".finish",
            say("Finish line"),
            say("When a camel crosses it the game ends at once: the leg is paid, then the bets on the race."),
        ),
    ]


def _bets(edition: int, say: Say) -> list[Explanation]:
    """Explain the bets on the leg and on the race, and the own tile."""
    box = EDITIONS[edition]
    pays = say("At the end of the leg it pays its number if its camel leads, 1 if second, and costs 1 otherwise.")
    prizes = say("Right cards pay {prizes} and then {last} each, in the order of laying; wrong ones cost 1.").format(
        prizes=", ".join(map(str, PRIZES[:-1].tolist())), last=int(PRIZES[-1])
    )
    first = say("The camel that is ahead of all when the race ends.")
    last = say("The racing camel that is behind all others when the race ends.")
    return [
        Explanation(
            ".rank", say("Place in the race"), say("How the camels stand now; 1 leads. Bets are paid at the leg's end.")
        ),
        Explanation(".tent", say(box.ticket), f"{pays} {say('Below it are the ones with the small numbers.')}"),
        Explanation(".winner", say("Overall winner"), f"{first} {prizes}"),
        Explanation(".loser", say("Overall loser"), f"{last} {prizes}"),
        Explanation(
            ".own-card",
            say(box.card),
            f"{say('Lay it face down on a pile as your turn: it stays there to the end.')} {prizes}",
        ),
        Explanation(
            "#own-tile-title",
            say("Your tile"),
            say("As your turn you can lay it, or move it if it lies already: pick a side first, then a space."),
        ),
        Explanation(
            "#side-0",
            say("Your tile, one further"),
            say("Camels that stop on it go one space on, on top of those there. Each time you get 1 pound."),
        ),
        Explanation(
            "#side-1",
            say("Your tile, one back"),
            say("Camels that stop on it go one space back, underneath those there. Each time you get 1 pound."),
        ),
        Explanation(".bet", say(box.ticket), pays),
    ]


def _players(edition: int, say: Say) -> list[Explanation]:
    """Explain what players have."""
    box = EDITIONS[edition]
    partners = [
        Explanation(
            ".has-pair, .ask",
            say("Partner"),
            say("At the end of the leg both also get what the other's best bet or pyramid ticket pays."),
        )
    ]
    return [
        Explanation(
            ".badge", say("The player's number"), say("It stands on this player's tile and on the cards on the piles.")
        ),
        Explanation(
            ".purse",
            say("Pounds"),
            say("Everybody begins with {pounds}. Most pounds win at the end of the race.").format(
                pounds=STARTING_POUNDS
            ),
        ),
        Explanation(".flag", say("Start marker"), say("This player began the leg.")),
        Explanation(
            ".has-pyramid",
            say(box.pyramid_ticket),
            say("One for each die that this player let come out in this leg: 1 pound each at its end."),
        ),
        Explanation(
            ".has-card", say(box.card), say("Cards in hand, for bets on the overall winner and the overall loser.")
        ),
        Explanation(
            ".has-plank, .has-plank-out",
            say(box.tile),
            say("With a number it lies on that space of the track; without, it can still be laid."),
        ),
        *(partners if edition == SECOND else []),
        Explanation(".change", say("Pounds just got or lost"), say("By the last move.")),
    ]
