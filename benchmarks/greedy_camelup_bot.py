"""A reference bot for Camel Up: it makes the move that brings most pounds by exact odds, without any search.

PYTHONPATH=benchmarks sarai arena camelup-2014 master greedy_camelup_bot:Greedy --players 4
"""

from collections import Counter

from sarai import Game, View
from sarai.bots import Budget
from sarai.games.camelup.edition import edition_of
from sarai.games.camelup.notation import side_of, space_of
from sarai.games.camelup.odds import LegOdds, leg_odds, race_odds, tile_odds
from sarai.games.camelup.state import LOSER, PARTNER, PRIZES, PYRAMID, RACING, TICKET_WORTH, TILE, WIN, WINNER

SAMPLED_RACES = 4_000
SAME_CAMEL = 0.7  # the share of the cards on a pile that show the same camel as the own one


class Greedy:
    """Bets, tiles and race cards by what they pay in the mean; a roll is a pound."""

    def __init__(self, _: Game, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return the move that pays most."""
        self.seed += 1
        leg, race = leg_odds(view), race_odds(view, SAMPLED_RACES, self.seed)
        chances = {WINNER: race.win, LOSER: race.lose}
        laid = Counter(view._cell["card_pile"][0, : view._cell["laid"][0]].tolist())
        tiles = self.tiles(view, leg)

        def pay(move: int) -> float:
            if move < TILE:
                bet = leg.bets[move]
                return float(bet.pay) if bet else 0.0
            if move < PYRAMID:
                return tiles[space_of(move), side_of(move)]
            if move == PYRAMID:
                return 1.0
            if move >= PARTNER:
                return 0.5
            pile, camel = divmod(move - WIN, RACING)
            chance = chances[pile][camel]
            return chance * float(PRIZES[min(4, int(SAME_CAMEL * laid[pile]))]) - (1 - chance)

        return max(view.legal(), key=pay)

    def tiles(self, view: View, leg: LegOdds) -> dict[tuple[int, int], float]:
        """Return what a tile pays by space and side, with what it does to own tickets, beyond where it lies."""
        sides = edition_of(view._cell).sides
        now = self.tickets(view, leg) + float(leg.tile_pays[view.seat or 0] or 0)
        return {
            (tried.space, sides.index(tried.side)): float(tried.pay) + self.tickets(view, tried.leg) - now
            for tried in tile_odds(view)
        }

    def tickets(self, view: View, leg: LegOdds) -> float:
        """Return what the own tickets pay in the mean."""
        pounds, worths = 0.0, TICKET_WORTH[int(view._cell["edition"][0])].tolist()
        for places, owners in zip(leg.places, view._cell["tickets"][0].tolist(), strict=True):
            for worth, owner in zip(worths, owners, strict=True):
                if owner - 1 == view.seat:
                    pounds += places[0] * worth + places[1] - (1 - places[0] - places[1])
        return pounds
