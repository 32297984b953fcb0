"""What programs send to the JSON interface; the OpenAPI document is made from these types."""

from msgspec import Struct

from sarai.table import commands
from sarai.table.clock import ClockRule


class NewName(Struct, forbid_unknown_fields=True):
    """The name that a person wants to have, and the language."""

    name: str
    language: str | None = None


class LinkToken(Struct, forbid_unknown_fields=True):
    """What a link to another device ends with."""

    token: str


class Erasure(Struct, forbid_unknown_fields=True):
    """What a person types to have everything erased that is stored of them: the own name."""

    name: str


class QuickGame(Struct, forbid_unknown_fields=True):
    """A game to begin at once against bots; `digest` commits to a word for its dice, of seat 0 (`CommitWord`)."""

    game: str
    digest: str | None = None


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made; the person who asks gets the first seat, and the bots named take the next ones."""

    game: str
    players: int
    options: dict[str, str | int] = {}
    public: bool = False
    clock: ClockRule = ClockRule()
    bots: list[str] = []


class SubscriptionKeys(Struct):
    """The keys of a browser's push subscription, in base64url."""

    p256dh: str
    auth: str


class NewSubscription(Struct):
    """A browser's push subscription, as `PushSubscription.toJSON()` gives it."""

    endpoint: str
    keys: SubscriptionKeys


class Action(Struct, forbid_unknown_fields=True):
    """A command to a table; the same key again does nothing again, a number says which moment it is meant for."""

    command: commands.Command
    key: str | None = None
    number: int | None = None
