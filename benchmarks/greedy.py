"""A yardstick for bots of Camel Up: it takes whatever brings most pounds by exact odds, and looks no further.

PYTHONPATH=benchmarks sarai arena camelup-2014 master greedy:Greedy --players 4
"""

from collections import Counter

from sarai import Game, View
from sarai.bots import Budget
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.odds import LegOdds, leg_odds, race_odds, tile_odds
from sarai.games.camelup.state import LOSER, PARTNER, PRIZES, PYRAMID, RACING, TILE, WIN, WINNER, TICKET_WORTH

RACES = 4_000
SAME = 0.7  # how many of the cards before one's own on a pile show the same camel


class Greedy:
    """Bets, tiles and race cards by what they pay in the mean; a roll is a pound."""

    def __init__(self, _: Game, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return the move that pays most."""
        self.seed += 1
        leg, race = leg_odds(view), race_odds(view, RACES, self.seed)
        chances = {WINNER: race.win, LOSER: race.lose}
        laid = Counter(view._cell["card_pile"][0, : view._cell["laid"][0]].tolist())
        tiles = self.tiles(view, leg)

        def pay(move: int) -> float:
            if move < TILE:
                bet = leg.bets[move]
                return float(bet.pay) if bet else 0.0
            if move < PYRAMID:
                return tiles[(move - TILE) // 2 + 2, (move - TILE) % 2]
            if move == PYRAMID:
                return 1.0
            if move >= PARTNER:
                return 0.5
            pile, camel = divmod(move - WIN, RACING)
            chance = chances[pile][camel]
            return chance * float(PRIZES[min(4, int(SAME * laid[pile]))]) - (1 - chance)

        return max(view.legal(), key=pay)

    def tiles(self, view: View, leg: LegOdds) -> dict[tuple[int, int], float]:
        """Return what a tile on a space pays, by side, more than where it lies; its effect on the own tickets counts."""
        sides = EDITIONS[int(view._cell["edition"][0])].sides
        now = self.tickets(view, leg) + float(leg.tile_pays[view.seat or 0] or 0)
        return {
            (tried.space, sides.index(tried.side)): float(tried.pay) + self.tickets(view, tried.leg) - now
            for tried in tile_odds(view)
        }

    def tickets(self, view: View, leg: LegOdds) -> float:
        """Return what one's tickets pay in the mean."""
        whole = 0.0
        for places, owners in zip(leg.places, view._cell["tickets"][0].tolist(), strict=True):
            for worth, owner in zip(TICKET_WORTH[int(view._cell["edition"][0])].tolist(), owners, strict=True):
                if owner - 1 == view.seat:
                    whole += places[0] * worth + places[1] - (1 - places[0] - places[1])
        return whole
