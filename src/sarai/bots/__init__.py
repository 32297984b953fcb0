"""Bots: searches that know no game, guided by each game's policy, and a ladder of named levels."""

from sarai.bots.bot import Bot
from sarai.bots.named_bots import bot
from sarai.core.policy.levels import LEVELS, Budget

__all__ = ["LEVELS", "Bot", "Budget", "bot"]
