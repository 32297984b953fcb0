"""Importing this module loads all games and all bots: processes that are copies of one that did share the memory."""

import gc
import logging

from sarai.core.registry import game_ids
from sarai.table.bots.worker import LEVELS, NICE_THINKING, be_nice, prepare

be_nice(NICE_THINKING)
for game_id in game_ids():
    try:
        for _ in prepare(game_id, LEVELS):
            pass
    except Exception as error:  # it will be said again when a bot of this game is to choose
        logging.getLogger("sarai.table").error("%s cannot be loaded", game_id, exc_info=error)
gc.collect()
gc.freeze()  # the collector would write to all of it
