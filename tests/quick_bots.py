"""Bots for tests: they choose at random, in this process, at once."""

from sarai.table.bots.pool import READY


class QuickBots:
    is_interpreted = False
    thinks = True
    is_busy = False

    def prepare_later(self, game_id):
        pass

    def prepare_soon(self, game_id):
        pass

    def status(self, _):
        return READY

    async def choose(self, view, _, seed, asker=None):
        moves = view.legal()
        return moves[seed % len(moves)]
