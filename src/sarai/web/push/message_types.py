"""A push message, and what a push service answers."""

from typing import NamedTuple

GONE = (404, 410)
TOO_MANY, SERVER_ERRORS = 429, 500


class Message(NamedTuple):
    """What to send: the text, how many seconds it is worth delivering, and a topic; a newer one replaces it."""

    text: bytes
    ttl: int
    topic: str


class Answer(NamedTuple):
    """What a push service answered; the status is 0 if no answer came."""

    status: int
    retry_after: float = 0.0

    @property
    def is_done(self) -> bool:
        """Whether the service took the message."""
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the subscription has ended."""
        return self.status in GONE

    @property
    def is_passing(self) -> bool:
        """Whether the same message may be taken later."""
        return self.status in (0, TOO_MANY) or self.status >= SERVER_ERRORS
