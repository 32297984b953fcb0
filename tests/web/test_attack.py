"""What people try who want to cheat, to fill the memory, or to stop the server."""

import asyncio
import logging
import re

import pytest
from sqlalchemy.exc import OperationalError

from in_memory_table import PEOPLE, Sitting
from sarai.core.errors import BadRecord
from sarai.table import commands, event_types
from sarai.table.clock import DAY, ClockRule
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.service import timeouts_and_catch_up
from sarai.table.service.rate_limit import Limit, RateLimit
from sarai.table.table import LEND_SECONDS, Table
from sarai.web.cookies import COOKIE, LONGEST, sign, verify
from sarai.web.language import LANGUAGES, best_accepted, choose
from sarai.web.rate_limits_by_route import COSTS

ADA, BAT = PEOPLE[:2]
MOST_TABLES = COSTS["new table"].person.most


def choosing(clock):
    """Return a table at which two people choose cards at the same time."""
    return Sitting("sixnimmt", 2, {"rounds": 1}, clock).begin()


# --- time -----------------------------------------------------------------------------------------------------------


def test_a_move_that_is_made_and_taken_back_again_and_again_brings_no_time():
    sitting = choosing(ClockRule("live", 1, 30))
    for _ in range(5):
        sitting.do(ADA, commands.Move(sitting.table.state.legal(0)[0]))
        sitting.do(ADA, commands.AskBack())
    assert sitting.table.clocks(sitting.now)[0] == 60 - 5
    sitting.do(ADA, commands.Move(sitting.table.state.legal(0)[0]))
    assert sitting.table.clocks(sitting.now)[0] == 60 - 6 + 30, "the move that stands does"


@pytest.mark.parametrize("trick", ["take back", "lend"])
def test_nobody_gets_another_day_by_undoing_what_they_did(trick):
    sitting = choosing(ClockRule("days", days=2))
    if trick == "lend":
        sitting.do(ADA, commands.Lend(0), later=1.5 * DAY)
        sitting.do(ADA, commands.Return(), later=0)
    else:
        sitting.do(ADA, commands.Move(sitting.table.state.legal(0)[0]), later=1.5 * DAY)
        sitting.do(ADA, commands.AskBack())
    assert sitting.table.clocks(sitting.now)[0] == 0.5 * DAY


@pytest.mark.parametrize("trick", ["take back", "lend"])
def test_nobody_holds_up_a_game_without_a_clock_by_undoing_what_they_did(trick):
    sitting = choosing(ClockRule())
    for _ in range(6):
        move = commands.Move(sitting.table.state.legal(0)[0])
        sitting.do(ADA, commands.Lend(0) if trick == "lend" else move, later=DAY)
        sitting.do(ADA, commands.Return() if trick == "lend" else commands.AskBack(), later=0)
    sitting.do(BAT, commands.Move(sitting.table.state.legal(1)[0]), later=0)
    assert sitting.table.overdue(sitting.now) == []
    sitting.do(BAT, commands.CallOff(0), later=DAY)
    assert sitting.table.ending == "called_off"


def test_who_returns_after_a_bot_moved_has_the_time_for_the_next_move():
    sitting = choosing(ClockRule("days", days=2))
    sitting.do(ADA, commands.Lend(0), later=1.5 * DAY)
    sitting.move(sitting.table.state.legal(0)[0], 0)
    sitting.do(BAT, commands.Move(sitting.table.state.legal(1)[0]))
    sitting.do(ADA, commands.Return())
    assert 0 not in sitting.table.to_act or sitting.table.clocks(sitting.now)[0] == 2 * DAY


@pytest.mark.parametrize("clock", [ClockRule("live", 1, 0), ClockRule("days", days=1)], ids=["live", "days"])
def test_nobody_thinks_for_nothing_while_a_bot_has_the_seat(clock):
    sitting = choosing(clock)
    began = sitting.table.clocks(sitting.now)[0]
    for _ in range(5):  # the bot takes a moment, and whoever returns in time can lend again
        sitting.do(ADA, commands.Lend(0), later=0)
        sitting.do(ADA, commands.Return(), later=4)
    assert sitting.table.clocks(sitting.now)[0] == began - 20
    sitting.do(ADA, commands.Lend(0), later=0)
    with pytest.raises(Refused) as error:
        sitting.do(ADA, commands.Return(), later=began)
    assert error.value.key == "time_over"
    assert Table.fold("T" * 10, sitting.entries).clocks(sitting.now) == sitting.table.clocks(sitting.now)


def test_a_seat_that_is_lent_while_others_are_to_move_or_the_house_is_closed_loses_no_time():
    sitting = choosing(ClockRule("live", 1, 0))
    sitting.do(ADA, commands.Move(sitting.table.state.legal(0)[0]), later=10)
    sitting.do(ADA, commands.Lend(0))
    sitting.do(ADA, commands.Return(), later=30)
    assert sitting.table.clocks(sitting.now)[0] == 50
    sitting = choosing(ClockRule("live", 1, 0))
    sitting.do(ADA, commands.Lend(0), later=10)
    sitting.now += 1000
    sitting.store([Change(event_types.Paused(sitting.now, sitting.now - 1000))])
    sitting.do(ADA, commands.Return(), later=5)
    assert sitting.table.clocks(sitting.now)[0] == 45


def betting(clock):
    """Return a game of Camel Up of two people, and the first bet that may be made."""
    sitting = Sitting("camelup-2014", 2, None, clock).begin()
    table, (seat,) = sitting.table, sitting.table.to_act
    bet = next(move for move in table.state.legal(seat) if table.game.move_text(table.state, move) != "roll")
    return sitting, seat, bet


def test_nobody_takes_the_time_of_others_by_moving_and_taking_back():
    sitting, seat, bet = betting(ClockRule("live", 1, 10))
    began, shown = sitting.table.clocks(sitting.now), 0.0
    for _ in range(3):
        sitting.do(PEOPLE[seat], commands.Move(bet), later=0)
        shown += sitting.table.show_time.until - sitting.now  # in which nobody's clock runs
        sitting.do(PEOPLE[seat], commands.AskBack(), later=15)
    left = sitting.table.clocks(sitting.now)
    assert left[1 - seat] == began[1 - seat], "the other thought about moves that were not made"
    assert left[seat] == began[seat] - 45 + shown, "and this one pays for it: both have no more time than before"
    sitting.do(PEOPLE[seat], commands.Move(bet), later=0)
    with pytest.raises(Refused) as error:
        sitting.do(PEOPLE[seat], commands.AskBack(), later=20)
    assert error.value.key == "time_over", "there is not enough left to pay with"
    assert Table.fold("T" * 10, sitting.entries).clocks(sitting.now) == sitting.table.clocks(sitting.now)


def test_who_chooses_at_the_same_time_pays_the_own_time_whatever_others_take_back():
    sitting = choosing(ClockRule("live", 1, 0))
    began = sitting.table.clocks(sitting.now)
    sitting.do(ADA, commands.Move(sitting.table.state.legal(0)[0]), later=5)
    sitting.do(ADA, commands.AskBack(), later=20)
    assert sitting.table.clocks(sitting.now) == [began[0] - 5, began[1] - 25]


def test_old_logs_keep_the_times_that_they_had():
    sitting, seat, bet = betting(ClockRule("live", 1, 0))
    sitting.do(PEOPLE[seat], commands.Move(bet), later=0)
    sitting.now = sitting.table.show_time.until + 15
    sitting.store([Change(event_types.TakenBack(sitting.now, seat, [sitting.table.number]))])
    assert sorted(sitting.table.clocks(sitting.now)) == [45.0, 60.0]


def test_what_a_clock_does_not_use_is_not_kept(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        for clock in (
            {"kind": "none", "minutes": 10**30},
            {"kind": "none", "days": 10**400},
            {"kind": "live", "minutes": 5, "days": 2**70},
        ):
            answer = await ann.post("/api/tables", {"game": "sixnimmt", "players": 2, "clock": clock})
            assert answer.status_code == 201
            kept = (await ann.sees(answer.json()["id"]))["clock"]
            assert kept == ({"kind": "live", "minutes": 5} if clock["kind"] == "live" else {})

    web(go)


def test_the_clocks_of_the_house_go_on_when_the_database_was_busy(web, monkeypatch):
    monkeypatch.setattr(timeouts_and_catch_up, "TICK", 0.01)

    async def go(trial):
        ticked = asyncio.Event()
        failures = [OperationalError("UPDATE", {}, Exception("database is locked")), ValueError("a mistake")]

        async def tick():
            if failures:
                raise failures.pop()
            ticked.set()

        monkeypatch.setattr(trial.house.background, "tick", tick)
        await asyncio.wait_for(ticked.wait(), 60)

    web(go)


def test_a_table_that_cannot_be_read_does_not_stop_the_clocks_of_others(web, monkeypatch):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        tables = [await trial.playing(ann, bo, clock={"kind": "live", "minutes": 1}) for _ in range(2)]
        await trial.house.store.writer.drain()
        real, now = trial.house.rooms.get, trial.house.now()

        async def room(id):
            if id == bad:
                raise BadRecord("record_rules_version", found=1, known=2, game="sixnimmt")
            return await real(id)

        (bad, _), (good, _) = await trial.house.store.due(now + 100)
        assert {bad, good} == set(tables)
        monkeypatch.setattr(trial.house.rooms, "get", room)
        monkeypatch.setattr(trial.house.rooms, "now", lambda: now + 100)
        await trial.house.background.tick()
        assert any(isinstance(entry.event, event_types.TimeOver) for entry in await trial.house.store.log(good))

    web(go)


# --- other people's seats -------------------------------------------------------------------------------------------


def test_who_plays_without_a_stream_is_not_away(web, monkeypatch):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo)
        later = trial.house.now() + LEND_SECONDS + 10
        monkeypatch.setattr(trial.house, "now", lambda: later)
        assert (await trial.house.absent(table)).lendable == [0, 1]
        await bo.act(table, {"type": "Move", "move": (await bo.sees(table))["moves"][0]})
        answer = await ann.act(table, {"type": "Lend", "seat": 1})
        assert (answer.status_code, answer.json()["reason"]) == (403, "not_away")

    web(go)


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u115f\u1160", "Ann\u3164", "\u034fAnn", "\uffa0"])
def test_a_name_that_nobody_sees_is_refused(web, name):
    async def go(trial):
        answer = await trial.visitor().post("/api/me", {"name": name})
        assert (answer.status_code, answer.json()["reason"]) == (422, "name_unprintable")

    web(go)


def test_a_table_with_bots_that_there_are_not_is_not_laid(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        answer = await ann.form(
            "/tables", {"game": "sixnimmt", "players": "3", "bots": "2", "level": "<b>"}, accept="application/json"
        )
        assert (answer.status_code, answer.json()["reason"]) == (422, "unknown_level")
        assert (await ann.get("/api/me/tables")).json() == []

    web(go)


def test_who_leaves_in_the_moment_of_coming_back_is_gone(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo)
        await ann.act(table, {"type": "Lend", "seat": 0})
        person = await trial.house.people.person((await trial.house.table(table)).seats[0].person)
        room = await trial.house.rooms.get(table)
        async with room.lock:
            coming = asyncio.create_task(trial.house.arrive(table, person))
            await asyncio.sleep(0.01)
            assert await trial.house.present(table) == [0]
            coming.cancel()
            await asyncio.wait([coming])
        assert coming.cancelled() and await trial.house.present(table) == []

    web(go)


# --- floods ---------------------------------------------------------------------------------------------------------


def test_nobody_fills_the_log_with_what_is_not_a_move(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        trial.stop_limiter_clock()
        table = await trial.table(ann, bo)
        answers = [
            await bo.act(table, {"type": "Mute", "guest": 0, "on": turn % 2 == 0})
            for turn in range(COSTS["event"].person.most + 5)
        ]
        assert (answers[-1].status_code, answers[-1].json()["reason"]) == (429, "too_much")
        assert (await ann.sees(table))["number"] <= COSTS["event"].person.most + 5
        assert (await ann.act(table, {"type": "Chat", "text": "others are not held up"})).status_code == 200

    web(go)


@pytest.mark.parametrize(
    ("cost", "flood", "wanted"),
    [
        ("outsider's event", {"type": "Resign"}, {"type": "Lend", "seat": 0, "level": "random"}),
        ("outsider's talk", {"type": "Chat", "text": "!" * 301}, {"type": "Chat", "text": "Hello"}),
    ],
)
def test_strangers_cannot_use_up_what_the_players_of_a_table_have(web, cost, flood, wanted):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        trial.stop_limiter_clock()
        trial.house.limiter.limits[f"{cost}:table"] = Limit(5, 60.0)
        table = await trial.table(ann, bo)
        await ann.act(table, {"type": "Start"})
        trial.house.limiter._uses.clear()
        eve = await trial.visitor().named("Eve")
        answers = [(await eve.act(table, flood)).status_code for _ in range(7)]
        assert answers[5:] == [429, 429] and 429 not in answers[:5]
        assert (await ann.act(table, wanted)).status_code == 200

    web(go)


def test_nobody_shares_a_limit_of_moves_with_others():
    shared = [COSTS["move"].table, COSTS["move"].house, COSTS["move"].address, COSTS["word"].table]
    assert shared == [None] * 4, "whoever sends many would take the others' time"


def test_a_table_that_is_not_there_is_not_counted(web):
    async def go(trial):
        eve = await trial.visitor().named("Eve")
        for table in ("nothing", "N" * 10, "N" * 20_000):
            for wanted in ("Start", "Resign"):
                assert (await eve.act(table, {"type": wanted})).json()["reason"] == "no_such_table"
        assert not trial.house.limiter._uses.get("event:table"), "whatever an address says is not kept"

    web(go)


def test_nobody_lays_tables_without_end(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        trial.stop_limiter_clock()
        answers = [await ann.post("/api/tables", {"game": "sixnimmt", "players": 2}) for _ in range(MOST_TABLES + 1)]
        assert [answer.status_code for answer in answers] == [201] * MOST_TABLES + [429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= COSTS["new table"].person.seconds
        assert (await bo.post("/api/tables", {"game": "sixnimmt", "players": 2})).status_code == 201

    web(go)


def test_requests_are_counted_for_each_and_forgotten():
    limit = RateLimit(2, 10.0)
    for who, now in (("a", 0.0), ("a", 1.0), ("b", 2.0)):
        limit.count(who, now)
    with pytest.raises(Refused) as error:
        limit.count("a", 5.5)
    assert (error.value.key, error.value.status, error.value.facts) == ("too_much", 429, {"seconds": 5})
    limit.count("a", 10.0)


# --- headers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["http://[", "null", "", "http://house.test.evil.example", "http://evil.example/house.test"]
)
def test_an_odd_origin_is_another_site(web, origin):
    async def go(trial):
        answer = await trial.visitor().post("/api/me", {"name": "Ann"}, origin=origin)
        assert answer.status_code == 403, answer.text

    web(go)


def test_a_stream_is_only_got(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.table(ann, bo)
        for method, status in (("POST", 405), ("PUT", 405), ("HEAD", 200)):
            answer = await asyncio.wait_for(ann.http.request(method, f"/tables/{table}/stream"), 60)
            assert answer.status_code == status and b"data:" not in answer.content

    web(go)


def test_a_length_of_thousands_of_digits_is_too_large(web):
    async def go(trial):
        answer = await trial.visitor().post("/api/me", {"name": "Ann"}, **{"content-length": "9" * 5000})
        assert answer.status_code == 413

    web(go)


def test_no_page_leads_to_another_site(web):
    async def go(trial):
        for path in ("//evil.example/x", "///evil.example", "/%5Cevil.example", "/%09/evil.example"):
            page = await trial.visitor().get(f"http://house.test{path}")
            assert page.status_code == 404
            assert 'href="//' not in page.text and 'href="/\\' not in page.text and 'href="/\t' not in page.text

    web(go)


def test_a_strange_host_is_not_repeated_and_many_fill_no_memory(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.table(ann, bo)
        for host in ("x" * 5000, 'a"><script>', "a b"):
            page = await ann.get(f"/tables/{table}", headers={"host": host})
            assert page.status_code == 200 and host not in page.text
        for number in range(20):
            await ann.get(f"/tables/{table}", headers={"host": f"h{number}.test"})
        assert table not in trial.site.viewer_pages._pages, "no page is kept for one of many addresses"
        await trial.house.games.wait("sixnimmt")
        await ann.act(table, {"type": "Start"})
        for number in range(5):
            await ann.get(f"/tables/{table}", headers={"host": f"h{number}.test"})
        assert len(trial.site.viewer_pages._pages[table]) == 1

    web(go)


def test_long_cookies_and_headers_are_not_remembered(web):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        assert verify(trial.site.secret, ann.http.cookies[COOKIE]) is not None
        assert verify(trial.site.secret, sign(trial.site.secret, "x" * LONGEST)) is None
        best_accepted.cache_clear()
        for end in range(5):
            asked, kept, accepted = "x" * 50_000 + str(end), "y" * 50_000 + str(end), "fa," * 20_000 + str(end)
            assert choose(asked, kept, accepted, LANGUAGES) == "fa"
        assert best_accepted.cache_info().currsize == 1

    web(go)


def test_an_error_of_the_database_tells_no_secret(web, caplog):
    async def go(trial):
        ann = await trial.visitor().named("Ann")
        async with trial.house.store.engine.begin() as connection:
            await connection.exec_driver_sql("ALTER TABLE tables RENAME TO elsewhere")
        with caplog.at_level(logging.ERROR):
            answer = await ann.post("/api/tables", {"game": "sixnimmt", "players": 2})
        assert answer.status_code == 500
        assert "no such table: tables" in caplog.text
        assert not re.search("[0-9a-f]{64}", caplog.text), "neither the secret of the dice nor what promises it"

    web(go)
