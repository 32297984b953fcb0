"""How the pounds of a race came about: by source, and after every leg."""

from collections.abc import Sequence

from sarai.core.messages import Say, Term
from sarai.core.score_sheet import NumberedEvent, PointsAfter, ScoreRow, ScoreSheet, Sources
from sarai.games.camelup.state import STARTING_POUNDS


def score_sheet(events: Sequence[NumberedEvent], players: int, points_after: PointsAfter, say: Say) -> ScoreSheet:
    """Read the score sheet from what was paid; a loss that somebody could not pay was forgiven (C1-25)."""
    start, bets, pyramid, partner = (
        say("At the start"),
        say("Bets on legs"),
        say("Pyramid"),
        say("Partner's best ticket"),
    )
    tiles, forgiven = say("Tiles"), say("Losses forgiven")
    piles = {"winner": say("Bets on the overall winner"), "loser": say("Bets on the overall loser")}
    sources = Sources(players, (start, bets, pyramid, partner, forgiven, tiles, *piles.values()))
    for seat in range(players):
        sources.add(start, seat, STARTING_POUNDS)
    course, leg, are_cards_shown, note = [ScoreRow(say("Start"), sources.totals())], 0, False, ""
    for _, (key, args, _) in events:
        if key == "leg_over":
            assert isinstance(args["leg"], int)
            leg = args["leg"]
        elif key == "leg_paid":
            parts = [value for name in ("bets", "pyramid", "shared") if isinstance(value := args[name], int)]
            for label, points in zip((bets, pyramid, partner), parts, strict=True):
                sources.add(label, args["seat"], points)
            assert isinstance(args["change"], int)
            sources.add(forgiven, args["seat"], args["change"] - sum(parts))
            if args["seat"] == players - 1:
                course.append(ScoreRow(say("Leg {leg}", leg=leg), sources.totals()))
        elif key == "tile_paid":
            sources.add(tiles, args["seat"], 1)
        elif key == "race_over":
            first, last = (Term(str(args[name]), "camel") for name in ("first", "last"))
            note = say("The race is over: the {first} camel wins, the {last} camel loses.", first=first, last=last)
        elif key == "card_shown":
            are_cards_shown = True
            sources.add(piles[str(args["pile"])], args["seat"], args["change"])
    if are_cards_shown:
        course.append(ScoreRow(say("Bets on the race"), sources.totals()))
    return ScoreSheet(say("Pounds"), sources.rows(), course, note)
