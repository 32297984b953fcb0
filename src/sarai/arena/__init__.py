"""Matches between bots: the same deals for everybody, many processes or a cluster, and numbers with intervals."""

from sarai.arena.deals import Deal, play_deal
from sarai.arena.journal import Journal
from sarai.arena.match import Match
from sarai.arena.numbers import Table, tabulate

__all__ = ["Deal", "Journal", "Match", "Table", "play_deal", "tabulate"]
