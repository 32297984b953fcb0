"""A seat of a table."""

from msgspec import Struct


class Seat(Struct):
    """A seat with its person or bot; a bot may also play for the person."""

    person: str | None = None
    name: str = ""
    bot: str | None = None  # the level of the bot that sits there
    lent: str | None = None  # the level of the bot that plays for the person
    resigned: bool = False
    late: bool = False  # the person's time ran out
    lender: str | None = None  # the person who lent the seat; None if the clock did

    @property
    def empty(self) -> bool:
        """Whether the seat is free."""
        return self.person is None and self.bot is None

    @property
    def played_by(self) -> str | None:
        """The level of the bot that plays the seat, None if its person does."""
        return self.bot or self.lent
