"""Players: searches that know no game, fed by what each game knows about good play, and a ladder of named levels."""

from sarai.bots.bot import Bot
from sarai.bots.ladder import LEVELS, bot
from sarai.core.policy.plan import Budget

__all__ = ["LEVELS", "Bot", "Budget", "bot"]
