"""A game between people: seats, clocks, chat, fair dice, and a log of events that loses nothing. No HTTP in here."""

from sarai.table import refusals  # with its reasons, so that whatever a module of this package raises can be said

__all__ = ["refusals"]
