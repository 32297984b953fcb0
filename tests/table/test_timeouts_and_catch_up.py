"""What a house does without being asked: it begins games when their rules are ready, ends time, closes questions."""

import asyncio

from houses import ONE_ROUND, Time, key_of, opened, play_out, playing, run, same, seated, stored, tick
from quick_bots import QuickBots
from sarai.core.animation import LONGEST
from sarai.core.errors import Error
from sarai.core.kernels import cache
from sarai.table import event_types
from sarai.table.bots.pool import READY, Progress
from sarai.table.bots.worker import USES
from sarai.table.clock import DAY, ClockRule
from sarai.table.commands import AddBot, AskBack, Lend, Move, Resign, Sit, Stand, Start
from sarai.table.service import timeouts_and_catch_up
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.store import Store
from sarai.table.table import LEND_SECONDS

# --- rules that are not ready -----------------------------------------------------------------------------------------


class SlowBots(QuickBots):
    """Bots whose rules are ready when a test says so."""

    def __init__(self):
        self.progress = Progress(False, "start", 1, 12)

    def status(self, _):
        return self.progress


def test_what_was_compiled_is_remembered_beside_the_kernels(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "kernel_directory", lambda: tmp_path)
    assert not cache.was_compiled("sixnimmt")
    cache.mark_compiled("sixnimmt")
    assert cache.was_compiled("sixnimmt") and not cache.was_compiled("desert")
    cache.mark_failed("desert")
    assert not cache.was_compiled("desert"), "it is tried again at the next start"
    assert cache.was_tried("sixnimmt") and cache.was_tried("desert") and not cache.was_tried("anubixx")


class InterpretedBots(SlowBots):
    """Bots of a server that runs without a compiler."""

    is_interpreted = True


@run
async def test_without_a_compiler_a_game_is_played_while_it_is_compiled(file):
    bots = InterpretedBots()
    async with opened(file, bots) as house:
        id, known, table = await playing(house, 1, 2)
        assert table.phase == "playing" and house.games.is_ready("sixnimmt")
        assert house.games.status("sixnimmt") == bots.progress, "pages show how far it is"
        await play_out(house, id, known)
        bots.progress = READY
        assert await house.games.wait_for_compiler("sixnimmt")
        assert house.games.status("sixnimmt") == READY
        bots.progress = Progress(False, "expert", 9, 12, "no memory")
        assert not await house.games.wait_for_compiler("sixnimmt")
        assert house.games.status("sixnimmt") == READY, "nobody waits for what never comes"


@run
async def test_a_start_waits_for_the_rules_even_through_a_restart(file):
    slow = SlowBots()
    async with opened(file, slow) as house:
        ada = await house.people.new_person("Ada")
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


@run
async def test_a_game_that_waited_for_its_rules_begins_though_the_database_was_away_at_the_start(file, monkeypatch):
    """The error was lost, and nobody looked again."""
    slow, lagging, failures = SlowBots(), Store.lagging, ["database_away", "database_busy"]

    async def failing(self):
        if failures:
            raise StorageFailed(failures.pop())
        return await lagging(self)

    async with opened(file, slow) as house:
        ada = await house.people.new_person("Ada")
        id = await house.create(ada, "sixnimmt", 2, ONE_ROUND)
        for command in (Sit(), AddBot(), Start()):
            await house.act(id, ada, command)
        assert (await house.table(id)).starting
    slow.progress = READY
    monkeypatch.setattr(Store, "lagging", failing)
    monkeypatch.setattr(timeouts_and_catch_up, "RETRY", 0.01)
    async with opened(file, slow) as house, asyncio.timeout(60):
        while (await house.table(id)).phase != "playing":
            await asyncio.sleep(0.01)
    assert not failures


class FailingBots(QuickBots):
    """Bots that could not be prepared: at a step of the rules, or of the bots after them."""

    def __init__(self, done):
        self.done = done

    def status(self, _):
        return Progress(False, "", self.done, len(USES) + 4, "no idea")

    async def choose(self, *_):
        raise Error("bot_lost", why="no idea")


@run
async def test_where_only_bots_cannot_be_prepared_games_are_played_with_random_moves(file):
    async with opened(file, FailingBots(len(USES))) as house:
        id, known, table = await playing(house, 1, 2)
        assert house.games.status("sixnimmt") == READY
        await play_out(house, id, known)
        assert table.phase == "over"


@run
async def test_rules_that_cannot_be_prepared_are_refused_clearly(file):
    async with opened(file) as house:
        id, _, _ = await playing(house)
    async with opened(file, FailingBots(2)) as house:
        await asyncio.wait_for(house.games.prepare_ahead("sixnimmt"), 30)
        await asyncio.wait_for(house.games.wait("sixnimmt"), 30)
        assert not house.games.is_ready("sixnimmt")
        assert house.games.status("sixnimmt").failure == "no idea"
        assert await key_of(house.table(id)) == ("not_prepared", 503)
        new, (ada, _) = await seated(house)
        assert await key_of(house.act(new, ada, Start())) == ("not_prepared", 503)
        assert not (await house.table(new)).starting


class BrokenBots(QuickBots):
    """Bots that cannot think."""

    async def choose(self, *_):
        raise Error("bot_lost", why="it is tired")


@run
async def test_a_bot_that_cannot_think_does_not_hold_up_people(file):
    async with opened(file, BrokenBots()) as house:
        id, known, table = await playing(house, 1, 2)
        await play_out(house, id, known)
        assert table.phase == "over"


# --- clocks and presence ----------------------------------------------------------------------------------------------


@run
async def test_when_time_runs_out_a_bot_plays_on(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house, clock=ClockRule("live", 1, 0))
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        await house.store.writer.drain()
        time.now += 61
        await tick(house)
        assert table.seats[0].late
        assert not table.seats[1].late
        assert await key_of(house.act(id, ada, Move(0))) == ("seat_lost", 403)
        while table.to_act != (1,):  # a bot plays on for the other
            await asyncio.sleep(0.01)
        await house.store.writer.drain()
        time.now += 61 + LONGEST  # the clock runs when the trick has been shown
        await tick(house)
        assert (table.phase, table.ending) == ("over", "abandoned")
        same(table, await stored(house, id))


@run
async def test_days_run_out_at_tables_that_nobody_has_open(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, _, _ = await playing(house, clock=ClockRule("days", days=1))
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        time.now += 2 * DAY
        assert not house.rooms.loaded()
        await tick(house)
        events = [type(entry.event) for entry in await house.store.log(id)]
        assert events.count(event_types.TimeOver) == 2


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
        assert (await house.absent(id)).away == []
        assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += 100
        assert (await house.absent(id)).away == [1]
        assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += LEND_SECONDS
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
        await tick(house)
        assert table.take_back is not None
        time.now += 61
        await tick(house)
        assert table.take_back is None
        while table.bots_to_act:  # it goes on, and what it writes after the log was read would not be in the log
            await asyncio.sleep(0.01)
        same(table, await stored(house, id))


@run
async def test_a_table_at_which_many_commands_wait_does_not_hold_up_the_clocks_of_others(file):
    async with opened(file) as house:
        clock = ClockRule("live", minutes=1, increment=0)
        crowded, other = [(await playing(house, 2, 1, clock=clock))[2] for _ in range(2)]
        room = await house.rooms.get(crowded.id)
        await room.lock.acquire()  # as if commands were waiting
        try:
            house.now.now += 3600
            async with asyncio.timeout(30):
                while other.clock_state.running or not house.background._waiting_for:
                    await house.background.tick()
                    await asyncio.sleep(0.01)
                await house.background.tick()
            assert crowded.clock_state.running
            assert house.background._waiting_for == {crowded.id}, "nobody waits twice"
        finally:
            room.lock.release()
        async with asyncio.timeout(30):
            while crowded.clock_state.running or house.background._waiting_for:
                await asyncio.sleep(0.01)
