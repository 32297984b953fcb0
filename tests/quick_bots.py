"""Bots for tests: they choose at random, in this process, at once."""

from sarai.table.bots.pool import READY


class QuickBots:
    def prepare_later(self, game_id):
        pass

    def prepare_soon(self, game_id, is_compiled=False):
        pass

    def status(self, _):
        return READY

    async def choose(self, view, _, seed):
        moves = view.legal()
        return moves[seed % len(moves)]
