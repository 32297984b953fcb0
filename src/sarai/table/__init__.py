"""A game between people: seats, clocks, chat, fair dice, an event log that loses nothing. There is no HTTP in here."""

from sarai.table.refusals import Refused

__all__ = ["Refused"]
