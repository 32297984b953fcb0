"""When somebody is told by a push message: a turn waits for them, and they have no page open."""

from __future__ import annotations

import asyncio
import hmac
import logging
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from sarai.core.messages import Name
from sarai.table.clock import DAY
from sarai.table.refusals import Refused
from sarai.table.service.rate_limit import RateLimit
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.outage_log import AWAY, BUSY
from sarai.table.storage.push_subscriptions import MOST_FAILURES, PushSubscriptions, Subscription
from sarai.web.language import ENGLISH, find_language, offered_languages
from sarai.web.push.message_types import Answer, Message

if TYPE_CHECKING:
    from sarai.table.person import Person
    from sarai.table.service.house import House
    from sarai.table.table import Table

GRACE = 8.0  # seconds in which a person may come (a page loads again) or move before they are told
TICK = 1.0
MOST_BEGUN = 20_000  # turns that are in their grace
AGAIN = 2.0  # seconds before the database is asked again
LIMIT = 30, 3600.0  # messages to a person, in seconds
AT_ONCE = 50  # messages under way
LOOKUPS = 2  # in the database at the same time: requests need its connections, too
TRIES = 4  # to deliver a message, further apart each time
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0  # seconds before another try
USUAL_TTL, LONGEST_TTL = 3 * DAY, 28 * DAY  # seconds that a service keeps a message for a device that is off
logger = logging.getLogger("sarai.web")

Post = Callable[[Subscription, Message], Awaitable[Answer]]


def turn_of(table: Table, person_id: str) -> int | None:
    """Return the number of the turn that waits for a person at a table; None if none does."""
    seat = table.seat_of(person_id)
    if seat is None or seat not in table.to_act or table.seats[seat].played_by:
        return None
    return table.last_change_for(seat)


def is_worth_a_message(table: Table, person_id: str) -> bool:
    """Say whether a game goes on while its people are elsewhere: it is played by days, or others wait for them."""
    if table.clock.kind != "none":
        return table.clock.kind == "days"
    return any(seat.person not in (None, person_id) and table.is_playing(seat) for seat in table.seats)


class TurnMessages:
    """Tells people of their turns, each of one turn once; `is_here` says whether a person has a page open."""

    def __init__(
        self,
        house: House,
        subscriptions: PushSubscriptions,
        post: Post,
        is_here: Callable[[str], bool],
        secret: bytes,
        grace: float = GRACE,
    ) -> None:
        self._house, self._subscriptions, self._post, self._is_here = house, subscriptions, post, is_here
        self._secret, self._grace = secret, grace
        self._begun: dict[tuple[str, str], float] = {}  # when the turn of a person at a table began, the oldest first
        self._limit = RateLimit(*LIMIT)
        self._at_once, self._looking_up = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(LOOKUPS)
        self._not_before: dict[str, float] = {}  # by subscription: when the next message may be tried

    def turn_began(self, person_id: str, table_id: str, title: str = "", number: int = 0) -> None:
        """Tell a person soon of a turn, unless they are here then; what exactly waits is looked up then, too."""
        self._begun.pop((person_id, table_id), None)
        if len(self._begun) < MOST_BEGUN:
            self._begun[person_id, table_id] = asyncio.get_running_loop().time()

    async def run(self) -> None:
        """Tell people of their turns, for ever."""
        self._house.start(self._logged(self._find_untold))
        while True:
            await asyncio.sleep(min(TICK, self._grace))
            before = asyncio.get_running_loop().time() - self._grace
            while self._begun and next(iter(self._begun.values())) <= before:
                person_id, table_id = next(iter(self._begun))
                del self._begun[person_id, table_id]
                if not self._is_here(person_id):
                    self._house.start(self._logged(self._tell, person_id, table_id))

    async def _logged(self, work: Callable[..., Awaitable[None]], *about: str) -> None:
        """Do something, if the house is not closed first; log what goes wrong, so that it does not hold up others.

        While the database is away or busy, which is told elsewhere, it waits.
        """
        while True:
            try:
                return await work(*about)
            except Exception as error:
                if not (isinstance(error, StorageFailed) and error.key in (AWAY, BUSY)):
                    return logger.error("a push message", exc_info=error)
            await asyncio.sleep(AGAIN)

    async def _find_untold(self) -> None:
        """Take up the turns that began just before the last process stopped."""
        for turn in await self._subscriptions.waiting_turns():
            await self._house.games.wait(turn.game)
            self.turn_began(turn.person, turn.table_id)

    async def _waiting(self, person_id: str, table_id: str) -> tuple[Table, int] | None:
        """Return a table and the number of the turn that waits there for a person who is not here."""
        try:
            table = await self._house.table(table_id)
        except Refused:
            return None
        number = turn_of(table, person_id)
        if number is None or self._is_here(person_id) or not is_worth_a_message(table, person_id):
            return None
        return table, number

    async def _tell(self, person_id: str, table_id: str) -> None:
        """Tell a person of a turn, on all devices that asked for it."""
        async with self._looking_up:
            waiting = await self._waiting(person_id, table_id)
            subscriptions = await self._subscriptions.of(person_id) if waiting else []
            person = await self._house.people.person(person_id) if subscriptions else None
            if waiting is None or person is None:
                return
            table, number = waiting
            try:
                self._limit.count(person_id, self._house.elapsed())
            except Refused:
                return
            if not await self._subscriptions.claim(person_id, table_id, number):
                return
        message = self._message(table, person)
        await asyncio.gather(
            *(self._deliver(subscription, message, person_id, table_id, number) for subscription in subscriptions)
        )

    def _message(self, table: Table, person: Person) -> Message:
        """Return what a person is told: whose turn it is in which game, and nothing of the game."""
        language = find_language(person.language if person.language in offered_languages() else ENGLISH)
        text = {
            "title": language.say("It is your turn: {title}", title=Name(language.say(table.game.title))),
            "path": f"/tables/{table.id}",
            "lang": language.code,
            "dir": language.direction,
        }
        left, seat = table.clocks(self._house.now()), table.seat_of(person.id)
        ttl = USUAL_TTL if left is None or seat is None else min(left[seat], LONGEST_TTL)
        # a service sees the topic: it must not be the table's address, which lets everybody in
        topic = urlsafe_b64encode(hmac.digest(self._secret, table.id.encode(), "sha256")[:24]).decode()
        return Message(msgspec.json.encode(text), int(ttl), topic)

    async def _deliver(
        self, subscription: Subscription, message: Message, person_id: str, table_id: str, number: int
    ) -> None:
        """Deliver a message to one device, again later if its service is busy, as long as the turn waits."""
        id, failures, loop = subscription.id, subscription.failures, asyncio.get_running_loop()
        for _ in range(TRIES):
            if (pause := self._not_before.get(id, 0.0) - loop.time()) > 0:
                await asyncio.sleep(pause)
                waiting = await self._waiting(person_id, table_id)
                if waiting is None or waiting[1] != number:
                    return
            async with self._at_once:
                answer = await self._post(subscription, message)
            if answer.is_done:
                self._not_before.pop(id, None)
                if failures:
                    await self._subscriptions.clear_failures(id)
                return
            if answer.is_gone:
                await self._subscriptions.remove(id)
                return
            failures = await self._subscriptions.count_failure(id)
            if failures >= MOST_FAILURES or not answer.is_passing:
                return
            if len(self._not_before) >= MOST_BEGUN:
                self._not_before.clear()
            pause = min(FIRST_PAUSE * 2.0 ** (failures - 1), LONGEST_PAUSE)
            self._not_before[id] = loop.time() + max(pause, answer.retry_after)
