"""What every route and command costs, and how much of it a person, an address, a table and the house may have.

The numbers let thirty people behind one address (a school, a party, a family) load pages and play. One address cannot
keep the house busy with them, nor fill a disk: what stays on it (people, tables, talk) comes back slowly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sarai.table import commands
from sarai.table.service.rate_limit import Limit, Limiter, OpenCount
from sarai.table.storage.lock_by_address import ADDRESS
from sarai.web.address_queues import AddressQueues
from sarai.web.client_addresses import ADDRESSES_OF_SITE, address_of, site_of, with_site
from sarai.web.compression import LARGE

if TYPE_CHECKING:
    from sarai.table.table import Table

MINUTE, TEN_MINUTES, HOUR = 60.0, 600.0, 3600.0
COST = "sarai.cost"  # in the scope of a request: what it costs, until it is known who sent it
PERSON = "sarai.person"  # in the scope of a request: who sent it, as soon as that is known
TURN = "sarai.turn"  # in the scope of a request: what ends the turn of its address


class Cost(NamedTuple):
    """How much may be had of what costs the same; None where there is no limit."""

    person: Limit | None = None
    address: Limit | None = None
    table: Limit | None = None
    house: Limit | None = None


COSTS = {
    # what is read
    "file": Cost(address=Limit(3000, 30)),
    "page": Cost(person=Limit(150, 30), address=Limit(900, 30)),
    "read": Cost(person=Limit(300, 30), address=Limit(1800, 30)),
    # drawing one takes as long as several pages, and every name by which the house is called has its own
    "qr code": Cost(person=Limit(60, MINUTE), address=Limit(120, MINUTE), house=Limit(1200, MINUTE)),
    "record": Cost(person=Limit(30, MINUTE), address=Limit(120, MINUTE), house=Limit(1200, MINUTE)),
    "personal data": Cost(person=Limit(6, HOUR), address=Limit(60, HOUR), house=Limit(600, HOUR)),  # reads everything
    "erasing": Cost(person=Limit(6, HOUR), address=Limit(60, HOUR), house=Limit(600, HOUR)),  # so does this
    "stream": Cost(person=Limit(90, 30), address=Limit(900, 30)),
    # what is sent, whatever it asks for
    "request": Cost(person=Limit(600, 30), address=Limit(3000, 30)),
    "account": Cost(person=Limit(60, MINUTE), address=Limit(300, MINUTE)),
    # another name is an event at many tables; who had none pays for a new person
    "name": Cost(person=Limit(20, TEN_MINUTES), address=Limit(30, TEN_MINUTES)),
    # what it asks of a table
    # what one person sends must not keep another from moving, or the host from anything: players share no limit
    "move": Cost(person=Limit(600, 30)),
    "event": Cost(person=Limit(90, 30), address=Limit(1500, TEN_MINUTES)),
    # of those who do not sit there; one address has at most half of what they share
    "seat": Cost(person=Limit(30, 30), address=Limit(300, MINUTE), table=Limit(600, MINUTE)),
    "outsider's event": Cost(person=Limit(60, 30), address=Limit(300, MINUTE), table=Limit(600, MINUTE)),
    "outsider's talk": Cost(Limit(20, MINUTE), Limit(60, MINUTE), Limit(120, MINUTE), Limit(20_000, HOUR)),
    # others must not be able to keep a player from opening a word for the dice in time
    "commitment": Cost(person=Limit(60, 30), address=Limit(1500, TEN_MINUTES)),
    "word": Cost(person=Limit(60, 30)),
    "talk": Cost(person=Limit(40, MINUTE), address=Limit(600, TEN_MINUTES), house=Limit(20_000, HOUR)),
    # what stays
    "new table": Cost(person=Limit(30, MINUTE), address=Limit(150, HOUR), house=Limit(5000, HOUR)),
    "new person": Cost(address=Limit(120, HOUR), house=Limit(10_000, HOUR)),
    "link": Cost(person=Limit(10, TEN_MINUTES), address=Limit(90, HOUR), house=Limit(5000, HOUR)),
    "redeem": Cost(address=Limit(90, TEN_MINUTES), house=Limit(5000, HOUR)),
    "subscription": Cost(person=Limit(20, HOUR), address=Limit(120, HOUR), house=Limit(5000, HOUR)),
}
OTHER = "page"  # what a request costs for which there is no route, or that another site's page sent
ONLY_KNOWN = ("personal data", "erasing", "link", "subscription", "name")  # of people: who has no name pays for a page

ROUTES = {
    ("GET", "/health"): "file",
    ("GET", "/ready"): "read",
    ("GET", "/static/{name}"): "file",
    ("GET", "/manifest.webmanifest"): "file",
    ("GET", "/service-worker.js"): "file",
    ("GET", "/offline"): "page",
    ("GET", "/"): "page",
    ("GET", "/rules"): "page",
    ("GET", "/rules/{game}"): "page",
    ("GET", "/rules/{game}/panel"): "read",
    ("GET", "/rules/{game}/{language}/{picture}.svg"): "file",
    ("GET", "/learn/{game}"): "page",
    ("GET", "/learn/{game}/{step}"): "page",
    ("GET", "/learn/{game}/{step}/why"): "read",
    ("GET", "/about"): "page",
    ("GET", "/mine"): "page",
    ("GET", "/me"): "page",
    ("POST", "/me"): "name",
    ("POST", "/me/link"): "link",
    ("POST", "/me/sessions"): "account",
    ("GET", "/me/data"): "personal data",
    ("POST", "/me/erase"): "erasing",
    ("GET", "/come/{token}"): "page",
    ("POST", "/come/{token}"): "redeem",
    ("GET", "/settings"): "page",
    ("POST", "/settings"): "account",
    ("POST", "/play"): "new table",
    ("GET", "/tables/new"): "page",
    ("POST", "/tables"): "new table",
    ("GET", "/tables/{id}"): "page",
    ("GET", "/tables/{id}/moves"): "read",
    ("GET", "/tables/{id}/why"): "read",
    ("GET", "/tables/{id}/qr.svg"): "qr code",
    ("GET", "/tables/{id}/rules"): "read",
    ("GET", "/tables/{id}/record"): "record",
    ("GET", "/tables/{id}/picture.svg"): "record",
    ("GET", "/tables/{id}/stream"): "stream",
    ("POST", "/tables/{id}/act"): "request",
    ("POST", "/tables/{id}/sit"): "request",
    ("GET", "/notices"): "stream",
    ("GET", "/api/openapi.json"): "read",
    ("GET", "/api/games"): "read",
    ("GET", "/api/me"): "read",
    ("POST", "/api/me"): "name",
    ("GET", "/api/me/tables"): "read",
    ("POST", "/api/me/link"): "link",
    ("POST", "/api/me/redeem"): "redeem",
    ("GET", "/api/me/sessions"): "read",
    ("DELETE", "/api/me/sessions"): "account",
    ("GET", "/api/me/data"): "personal data",
    ("POST", "/api/me/erase"): "erasing",
    ("DELETE", "/api/me/sessions/{id}"): "account",
    ("POST", "/api/play"): "new table",
    ("GET", "/api/tables"): "read",
    ("POST", "/api/tables"): "new table",
    ("GET", "/api/tables/{id}"): "read",
    ("GET", "/api/tables/{id}/moves"): "read",
    ("GET", "/api/tables/{id}/record"): "record",
    ("GET", "/api/tables/{id}/numbers"): "stream",
    ("POST", "/api/tables/{id}/act"): "request",
    ("GET", "/api/push"): "read",
    ("POST", "/api/push/subscriptions"): "subscription",
    ("DELETE", "/api/push/subscriptions/{id}"): "account",
}

COMMANDS: dict[type, str] = {
    commands.Sit: "seat",
    commands.Stand: "event",
    commands.AddBot: "event",
    commands.RemoveBot: "event",
    commands.GiveWord: "event",
    commands.CommitWord: "commitment",
    commands.OpenWord: "word",
    commands.Start: "event",
    commands.Move: "move",
    commands.AskBack: "event",
    commands.AnswerBack: "event",
    commands.Resign: "event",
    commands.AskEnd: "event",
    commands.AnswerEnd: "event",
    commands.Chat: "talk",
    commands.React: "talk",
    commands.UseName: "event",
    commands.Mute: "event",
    commands.RemovePerson: "event",
    commands.Ban: "event",
    commands.ChangeAccess: "event",
    commands.PassHost: "event",
    commands.FreeSeat: "event",
    commands.Close: "event",
    commands.Lend: "event",
    commands.Return: "event",
    commands.CallOff: "event",
    commands.Rematch: "new table",
}

OUTSIDERS = {  # what those pay who do not sit at the table
    "talk": "outsider's talk",
    **dict.fromkeys(("event", "move", "commitment", "word"), "outsider's event"),  # refused, but players wait for that
}
STREAMS_OF_PERSON, STREAMS_OF_ADDRESS, STREAMS_OF_HOUSE = 24, 240, 20_000  # open at once
LARGE_OF_ADDRESS = 24  # answers of more than a piece that are being sent: each is in memory until it is read
REFUSED_AT_ONCE = 32  # answers to refused requests of one address that are made at the same time
READ_AT_ONCE = 8  # requests of one address that are being answered; no one's pages hold up the moves of others
ENDLESS = "stream"  # what is answered as long as somebody listens
REFUSED_SECONDS = 1.0  # that who has had too much waits for the answer, so that asking on does not keep the house busy
STREAM_SECONDS, LARGE_SECONDS = 5, 5  # after which a stream, or a large answer, that was refused may be tried again


def names() -> dict[str, Limit]:
    """Return every limit by its name, such as `talk:address`; a site of IPv6 has that of some addresses."""
    named = {
        f"{cost}:{scope}": limit
        for cost, limits in COSTS.items()
        for scope, limit in limits._asdict().items()
        if limit is not None
    }
    for cost, limits in COSTS.items():
        if limits.address is not None:
            named[f"{cost}:site"] = Limit(ADDRESSES_OF_SITE * limits.address.most, limits.address.seconds)
    return named


class Limits:
    """The limits of a site; `limiter` counts."""

    def __init__(self, limiter: Limiter) -> None:
        self.limiter = limiter
        limiter.limits.update(names())
        self.refused_seconds = REFUSED_SECONDS
        self._streams, self._large = OpenCount(STREAM_SECONDS), OpenCount(LARGE_SECONDS)
        self.reading, self.refusing = AddressQueues(READ_AT_ONCE), AddressQueues(REFUSED_AT_ONCE)

    def pay(
        self, cost: str, *, person: str | None = None, address: str | None = None, table: str | None = None
    ) -> None:
        """Count a cost for all who are named; Refused if one of them has had too much.

        What others share comes last: who has had too much takes nothing from them.
        """
        limits = COSTS[cost]
        if limits.person is not None and person is not None:
            self.limiter.spend(f"{cost}:person", person)
        if limits.address is not None and address is not None:
            self.limiter.spend(f"{cost}:address", address)
            if (site := site_of(address)) is not None:
                self.limiter.spend(f"{cost}:site", site)
        if limits.table is not None and table is not None:
            self.limiter.spend(f"{cost}:table", table)

    def enter(self, cost: str, scope: Scope) -> None:
        """Let the address of a request pay what it costs; its person, and the house, pay when it is known who it is."""
        scope[COST] = cost
        self.pay(OTHER if cost in ONLY_KNOWN else cost, address=address_of(scope))

    def know(self, scope: Scope, person: str | None) -> None:
        """Charge a request to its person (None for an anonymous visitor) and to the house, once."""
        if person is not None:
            scope[PERSON] = person
        cost = scope.pop(COST, None)
        if cost is None or (cost in ONLY_KNOWN and person is None):
            return
        self.pay(cost, person=person, address=address_of(scope) if cost in ONLY_KNOWN else None)
        self._pay_house(cost, person)

    def command(self, scope: Scope, person: str | None, table: Table, command: commands.Command) -> None:
        """Let a person and their address pay for what they ask of a table, and those who do not sit there together.

        So these cannot keep the players from anything.
        """
        cost = COMMANDS.get(type(command), "event")
        if table.seat_of(person) is None and person != table.host:
            cost = OUTSIDERS.get(cost, cost)
        self.make(cost, scope, person, table.id)

    def make(self, cost: str, scope: Scope, person: str | None = None, table: str | None = None) -> None:
        """Let all pay for something that a request makes."""
        self.pay(cost, person=person, address=address_of(scope), table=table)
        self._pay_house(cost, person)

    def _pay_house(self, cost: str, person: str | None) -> None:
        """Charge the house; anonymous visitors have a share of their own, so they cannot use up that of people."""
        if COSTS[cost].house is not None:
            self.limiter.spend(f"{cost}:house", "nameless" if person is None else "all")

    async def hold_up(self, scope: Scope) -> None:
        """Let who has had too much wait for the answer; nobody at the address waits for that."""
        if TURN in scope:
            await scope[TURN].aclose()
        await asyncio.sleep(self.refused_seconds)

    @contextmanager
    def stream(self, scope: Scope) -> Iterator[None]:
        """Have a stream open; Refused if a person, an address, its site or the house has too many."""
        person, address = scope.get(PERSON), address_of(scope)
        wanted = [(f"person:{person}", STREAMS_OF_PERSON)] if person is not None else []
        wanted += with_site(address, STREAMS_OF_ADDRESS)
        with counted(self._streams, [*wanted, ("house", STREAMS_OF_HOUSE)]):
            yield

    def large(self, address: str | None) -> AbstractContextManager[None]:
        """Have a large answer under way; Refused if an address or its site has too many."""
        return counted(self._large, with_site(address, LARGE_OF_ADDRESS))


@contextmanager
def counted(count: OpenCount, wanted: Iterable[tuple[str, int]]) -> Iterator[None]:
    """Have something open for some keys, of which each may have so many."""
    with ExitStack() as opened:
        for key, most in wanted:
            count.open(key, most)
            opened.callback(count.close, key)
        yield


class LimitedRoute:
    """The app of a route that is entered only within its limits."""

    def __init__(self, app: ASGIApp, limits: Limits, path: str, is_foreign: Callable[[Scope], bool]) -> None:
        self.app, self.limits, self.is_foreign = app, limits, is_foreign
        self.costs = {method: cost for (method, of), cost in ROUTES.items() if of == path}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        cost = OTHER if self.is_foreign(scope) else self.costs.get(method, OTHER)
        self.limits.enter(cost, scope)
        address = address_of(scope)
        ADDRESS.set(address or "")
        scope[LARGE] = partial(self.limits.large, address)
        if method != "GET" or cost == ENDLESS or address is None:
            await self.app(scope, receive, send)
            return
        async with AsyncExitStack() as turn:
            scope[TURN] = turn
            await self._begin_turn(turn, address, receive)

            async def send_without_turn(message: Message) -> None:
                await turn.aclose()  # a client that reads slowly does not keep others at its address waiting
                await send(message)

            await self.app(scope, receive, send_without_turn)

    async def _begin_turn(self, turn: AsyncExitStack, address: str, receive: Receive) -> None:
        """Begin the turn of an address when there is one; whoever hangs up before waits no longer."""
        turns = self.limits.reading
        if turns.has_free(address):
            await turn.enter_async_context(turns.turn(address))
            return
        begun = asyncio.ensure_future(turn.enter_async_context(turns.turn(address)))
        hung_up = asyncio.ensure_future(until_hung_up(receive))
        try:
            await asyncio.wait((begun, hung_up), return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_begun = begun.done()
            begun.cancel()
            hung_up.cancel()
        if not is_begun:
            raise ClientDisconnect


async def until_hung_up(receive: Receive) -> None:
    """Wait until the client of a request is gone; a body is not read, as of a request that only asks."""
    while (await receive())["type"] != "http.disconnect":
        pass


def limit_routes(routes: list[Route], limits: Limits, is_foreign: Callable[[Scope], bool]) -> list[Route]:
    """Put every route behind its limits; what `is_foreign` says that another site's page sent is refused there."""
    for route in routes:
        route.app = LimitedRoute(route.app, limits, route.path, is_foreign)
    return routes
