"""What the pieces, signs and numbers of Camel Up are, for people who point at them, in each edition's terms."""

from sarai.core.board_tooltips import Explanation
from sarai.core.messages import Argument, Say, Series
from sarai.games.camelup.state import LAST_SPACE, PRIZES, SECOND, STARTING_POUNDS


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
    tile = say("Camels that stop here bring its owner 1 pound. +1: they go one space on, −1: one back and underneath.")
    return [
        *(crazy if edition == SECOND else []),
        Explanation(
            ".camel, .heard",
            say("A camel"),
            say(
                "When it runs, all camels on top of it ride along. Who is further is ahead; in a stack, who is higher."
            ),
        ),
        Explanation(".tile", say("A spectator tile") if edition == SECOND else say("A desert tile"), tile),
        Explanation(
            ".space-number",
            say("A space of the track"),
            say("Camels run from lower to higher numbers; behind space {last} is the finish line.", last=LAST_SPACE),
        ),
        Explanation(
            ".place",
            say("A space of the track"),
            say("Your tile can lie where no camel and no tile is, and no tile next to it; never on space 1."),
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
                "On your turn you can let a die come out: its camel runs 1 to 3 spaces. "
                "You get a triangle, worth 1 pound; the fifth die ends the leg."
            ),
        ),
        Explanation(
            ".leg",
            say("The leg"),
            say("It ends when five dice have come out. Then bets on the leg are paid, and tiles go back."),
        ),
        Explanation(
            ".finish",
            say("Finish line"),
            say("When a camel crosses it the game ends at once: the leg is paid, then the bets on the race."),
        ),
    ]


def _bets(edition: int, say: Say) -> list[Explanation]:
    """Explain the bets on the leg and on the race, and the own tile."""
    ticket = say("A betting ticket") if edition == SECOND else say("A betting tile")
    prizes: dict[str, Argument] = {"prizes": Series(PRIZES[:-1].tolist()), "last": PRIZES[-1]}
    return [
        Explanation(
            ".rank", say("Place in the race"), say("How the camels stand now; 1 leads. Bets are paid at the leg's end.")
        ),
        Explanation(
            ".tent",
            ticket,
            say(
                "At the end of the leg it pays its number if its camel leads, 1 if second, and costs 1 otherwise. "
                "Below it lie those worth less."
            ),
        ),
        Explanation(
            ".bet",
            ticket,
            say("At the end of the leg it pays its number if its camel leads, 1 if second, and costs 1 otherwise."),
        ),
        Explanation(
            ".winner",
            say("Overall winner"),
            say(
                "The camel that is ahead of all when the race ends. "
                "Right cards pay {prizes} and then {last} each, in the order they were laid; wrong ones cost 1.",
                **prizes,
            ),
        ),
        Explanation(
            ".loser",
            say("Overall loser"),
            say(
                "The racing camel that is behind all others when the race ends. "
                "Right cards pay {prizes} and then {last} each, in the order they were laid; wrong ones cost 1.",
                **prizes,
            ),
        ),
        Explanation(
            ".own-card",
            say("A finish card") if edition == SECOND else say("A race card"),
            say(
                "On your turn you can lay it face down on a pile: it stays there to the end. "
                "Right cards pay {prizes} and then {last} each, in the order they were laid; wrong ones cost 1.",
                **prizes,
            ),
        ),
        Explanation(
            "#own-tile-title",
            say("Your tile"),
            say("On your turn you can lay it, or move it if it lies already: pick a side first, then a space."),
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
    ]


def _players(edition: int, say: Say) -> list[Explanation]:
    """Explain what players have."""
    second = edition == SECOND
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
            say(
                "{pounds, plural, one {Everybody begins with # pound. Most pounds win at the end of the race.} "
                "other {Everybody begins with # pounds. Most pounds win at the end of the race.}}",
                pounds=STARTING_POUNDS,
            ),
        ),
        Explanation(".flag", say("Start marker"), say("This player began the leg.")),
        Explanation(
            ".has-pyramid",
            say("Pyramid tickets") if second else say("Pyramid tiles"),
            say("One for each die that this player let come out in this leg: 1 pound each at its end."),
        ),
        Explanation(
            ".has-card",
            say("Finish cards") if second else say("Race cards"),
            say("Cards in hand, for bets on the overall winner and the overall loser."),
        ),
        Explanation(
            ".has-plank, .has-plank-out",
            say("The player's spectator tile") if second else say("The player's desert tile"),
            say("With a number it lies on that space of the track; without, it can still be laid."),
        ),
        *(partners if second else []),
        Explanation(".change", say("Pounds just won or lost"), say("In the last move.")),
    ]
