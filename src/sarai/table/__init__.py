"""A game between people: seats, clocks, chat, fair dice, and a log of events that loses nothing. No HTTP in here."""
