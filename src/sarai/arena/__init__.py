"""Matches between bots: the same deals for every line-up, many processes or a cluster, results with intervals."""

from sarai.arena.deals import Deal, play_deal
from sarai.arena.journal import Journal
from sarai.arena.match_settings import Match
from sarai.arena.results import ResultTable, tabulate

__all__ = ["Deal", "Journal", "Match", "ResultTable", "play_deal", "tabulate"]
