"""Leaks, by bytes: histories that are the same to a viewer give the same pages, stream, answers and record."""

import asyncio
import contextlib
import itertools
from functools import cache
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from starlette.requests import Request

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly
from sarai.core.result import CHANCE
from sarai.table.bots.pool import READY
from sarai.table.clock import ClockRule
from sarai.table.service.presence import Presence
from sarai.table.service.rate_limit import Limiter
from sarai.table.service.room import Absent
from sarai.table.storage.sessions import Session
from sarai.table.storage.summaries import waiting_turns
from sarai.testing.boards import scenes, tree
from sarai.testing.generators import steps
from sarai.testing.knowledge import other_step, seen
from sarai.web.app import make_app
from sarai.web.compression import Body
from sarai.web.cookies import COOKIE, sign
from sarai.web.language import find_language
from sarai.web.live.stream import TableStream
from sarai.web.live.waiting_turns import describe_turns
from sarai.web.site import Site

SECRET = b"the same for both"
ID = "T" * 10
PATHS = [
    f"/tables/{ID}",
    f"/tables/{ID}?lang=fa",
    f"/tables/{ID}/moves",
    f"/tables/{ID}/record",
    f"/tables/{ID}/picture.svg",
    f"/api/tables/{ID}",
    f"/api/tables/{ID}/moves",
    f"/api/tables/{ID}/record",
]
TAPS = {  # things to be asked about that are, or are not, a viewer's to choose; of other games things on the board
    "sixnimmt": [*(f"at=hand-{card}" for card in range(1, 105, 9)), "at=row-2", "at=open-50"],
    "camelup": ["at=tent-blue", "at=pile-winner", "at=card-green", "at=seat-1", "pick=side-1&at=track&x=60&y=300"],
    "desert": ["at=d-pile-mint", "at=d-map&x=240&y=240", "pick=sky&at=d-map&x=240&y=240"],
    "anubixx": ["at=x-s-p1-2", "at=x-s-al1", "at=x-s-f2-2", "at=x-dice"],
}


@cache
def taps(game):
    """Return what is asked about at tables of a game."""
    if game.folder.name in TAPS:
        return TAPS[game.folder.name]
    board = tree(game.module("board").render(next(scenes(game, 3, {}, 1))))
    ids = [element.get("id") for element in board.iter() if element.get("id")]
    return [f"at={id}" for id in ids[:: len(ids) // 12 + 1]]


class StillHouse:
    """A house with one table, which only moves when a test moves it."""

    def __init__(self, sitting):
        self.sitting = sitting
        self.games = SimpleNamespace(status=lambda _: READY)
        self.presence = Presence(self.now)
        self.turns = SimpleNamespace(of=self.turns_of)
        self.limiter = Limiter(itertools.count(0.0, 1000.0).__next__)

    def turns_of(self, person):
        return [turn for who, turn in waiting_turns(self.sitting.table).items() if who == person]

    def now(self):
        return self.sitting.now

    async def table(self, _):
        return self.sitting.table

    async def watchers(self, _):
        return 3

    async def look(self, *_):
        return self.sitting.table

    @property
    def mutes(self):
        return self

    async def of(self, *_):
        return frozenset()

    @property
    def sessions(self):
        return self

    async def find(self, token):
        return Session("session", token[:22], "", 0.0, 0.0)

    def note_address(self, *_):
        pass

    async def absent(self, _):
        return Absent([], [])

    @property
    def people(self):
        return self

    async def person(self, id):
        return next(person for person in PEOPLE if person.id == id)


class Channels:
    """All that one viewer gets of one sitting."""

    def __init__(self, sitting, viewer):
        self.site = Site(StillHouse(sitting), SECRET)
        cookies = {} if viewer is None else {COOKIE: sign(SECRET, f"{PEOPLE[viewer].id} in a session")}
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=make_app(self.site)), base_url="http://house.test", cookies=cookies
        )
        self.pokes = asyncio.Queue()
        cookie = [(b"cookie", f"{COOKIE}={cookies[COOKIE]}".encode())] if cookies else []
        self.request = Request(
            {
                "type": "http",
                "method": "GET",
                "path": "/",
                "query_string": b"",
                "headers": [(b"host", b"house.test"), *cookie],
            }
        )
        self.events = None
        self.person = PEOPLE[viewer].id if viewer is not None else None

    def noticed(self):
        return describe_turns(self.site.house.turns_of(self.person), find_language("en"))

    async def __aiter__(self):
        while True:
            yield await self.pokes.get()

    async def streamed(self):
        self.pokes.put_nowait(0)
        if self.events is None:
            self.events = TableStream(self.site).events(self.request, await self.site.visit(self.request), ID, self)
            return await self.next() + await self.next()  # all of the table, and what was said there
        return await self.next()

    async def next(self):
        return Body(is_gzip=False).encode(await asyncio.wait_for(anext(self.events), 20))

    async def fetched(self):
        answers = [await self.http.get(path) for path in PATHS]
        assert all(answer.status_code == 200 for answer in answers), answers
        for tap in taps(self.site.house.sitting.table.game):
            answers.append(await self.http.get(f"/tables/{ID}/why?{tap}"))
            assert answers[-1].status_code in (200, 204), answers[-1]
        return [(answer.headers.raw, answer.content) for answer in answers]

    async def close(self):
        await self.http.aclose()
        with contextlib.suppress(AttributeError):
            await self.events.aclose()


@pytest.mark.parametrize("viewer", [None, 0, 2])
@pytest.mark.parametrize("game", sarai.game_ids())
def test_every_channel_gives_the_same_bytes_for_histories_that_are_the_same_to_a_viewer(game, viewer):
    async def go():
        rng = Random(f"{game} {viewer}")
        record = play_randomly(sarai.game(game), 3, {"rounds": 1} if game == "sixnimmt" else {}, rng.randrange(1000))
        twin, differs = record.start(), False
        sittings = [Sitting(game, 3, record.options, ClockRule("live", 30, 5)).begin_without_draws() for _ in range(2)]
        channels = [Channels(sitting, viewer) for sitting in sittings]
        for count, (before, seat, move, _) in enumerate(list(steps(record))[: 90 if COMPILED else 45]):
            other = other_step(twin, seat, move, seen(before, move, seat, viewer), viewer, rng)
            if other is None:
                break
            choices = [outcome for outcome, _ in twin.chance()] if seat == CHANCE else twin.legal(seat)
            its = next(
                choice for choice in ([move] if move in choices else []) + choices if twin.play(choice, seat) == other
            )
            sittings[0].follow([(seat, move)])
            sittings[1].follow([(seat, its)])
            twin, differs = other, differs or its != move
            if sittings[0].table.state.actor == CHANCE:
                continue
            one, two = [await channel.streamed() for channel in channels]
            assert one == two and one.startswith(b"id: %d\n" % sittings[0].table.number)
            assert channels[0].noticed() == channels[1].noticed()
            if count % 12 == 0:
                pages, its_pages = [await channel.fetched() for channel in channels]
                for path, mine, its_own in zip(PATHS, pages, its_pages, strict=False):
                    assert mine == its_own, path
                assert pages == its_pages, "why something cannot be chosen"
        last, its_last = [await channel.fetched() for channel in channels]
        assert last == its_last
        for channel in channels:
            await channel.close()
        return differs

    differs = asyncio.run(go())
    if game == "sixnimmt":
        assert differs, "hidden cards were changed"


def test_no_channel_names_a_person_or_the_secret():
    async def go():
        sitting = Sitting("sixnimmt", 3, {"rounds": 1}).begin(words=("sand",))
        for viewer in (None, 0, 1):
            channel = Channels(sitting, viewer)
            everything = b"".join(body for _, body in await channel.fetched()) + await channel.streamed()
            assert sitting.secret.encode() not in everything
            assert not any(person.id.encode() in everything for person in PEOPLE)
            await channel.close()

    asyncio.run(go())
