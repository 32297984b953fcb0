"""A house: what is answered is on disk, the same key does nothing twice, and a watcher gets the newest number."""

import asyncio
import json

import pytest

from houses import Time, key_of, opened, play_out, playing, run, same, seated, stored
from sarai.table.clock import ClockRule
from sarai.table.commands import AnswerBack, AskBack, Chat, CommitWord, Move, OpenWord, Rematch, Sit, Start
from sarai.table.dice_word_commitments import GivenWord, draw_lines
from sarai.table.refusals import Refused

# --- a whole evening --------------------------------------------------------------------------------------------------


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
        ada, bat = await house.people.new_person("Ada"), await house.people.new_person("Bat")
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


# --- keys, numbers, refusals ------------------------------------------------------------------------------------------


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
async def test_time_in_which_a_move_waits_for_other_commands_is_nobodys(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, known, table = await playing(house, clock=ClockRule("live", 1, 0))
        seat = table.to_act[0]
        time.now = max(time.now, table.show_time.until) + 5
        left = table.clocks(time.now)[seat]
        room = await house.rooms.get(id)
        async with room.lock:  # as if others asked for a lot
            moving = asyncio.create_task(house.act(id, known[seat], Move(table.state.legal(seat)[0])))
            await asyncio.sleep(0.01)
            time.now += 30
        await moving
        assert table.clock_state.left[seat] == pytest.approx(left)
        with pytest.raises(Refused):
            await house.act(id, known[seat], Move(0), number=0)


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
        ada = await house.people.new_person("Ada")
        for id in ("", "x" * 10, "../../etc/", "a" * 99, "no'table;-"):
            assert await key_of(house.table(id)) == ("no_such_table", 404)
            assert await key_of(house.act(id, ada, Sit())) == ("no_such_table", 404)
        assert await key_of(house.create(ada, "chess", 2)) == ("unknown_game", 404)
        assert await key_of(house.create(ada, "sixnimmt", 99)) == ("wrong_player_count", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, {"colour": 1})) == ("unknown_option", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, {"rounds": -1})) == ("bad_option_value", 422)
        assert await key_of(house.create(ada, "sixnimmt", 2, clock=ClockRule("live"))) == ("bad_clock", 422)
        assert await house.people.person("nobody") is None
        assert await key_of(house.sessions.redeem("nothing", "")) == ("bad_token", 404)
        assert await key_of(house.people.new_person("x" * 25)) == ("name_too_long", 422)
        assert await key_of(house.people.new_person("x", "tlh")) == ("bad_language", 422)


@run
async def test_people_have_names_and_take_them_to_other_devices(db):
    time = Time()
    async with opened(db, now=time) as house:
        ada = await house.people.new_person(" عَلی ", "fa")
        assert len(ada.id) == 22
        ada = await house.rename(ada, "Ada", "el")
        token = await house.people.move_token(ada)
        secret = await house.setting("cookies")
        id, cookie = await house.sessions.redeem(token, "")
        assert id == ada.id == (await house.sessions.find(cookie)).person
        assert await key_of(house.sessions.redeem(token, "")) == ("bad_token", 404)
        token = await house.people.move_token(ada)
        time.now += 3600
        assert await key_of(house.sessions.redeem(token, "")) == ("bad_token", 404)
    async with opened(db) as house:
        assert await house.people.person(ada.id) == ada
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

        async def slow(write):
            await asyncio.sleep(0.05)
            shown.append(table.number)
            await real(write)
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


@run
async def test_words_go_into_the_dice(file):
    async with opened(file) as house:
        id, (ada, bat) = await seated(house)
        first, second = GivenWord(0, "0a" * 16, "first"), GivenWord(1, "0b" * 16, "second")
        await house.act(id, bat, CommitWord(second.commitment))
        await house.act(id, ada, CommitWord(first.commitment))
        await house.act(id, ada, Start())
        await house.act(id, bat, OpenWord(second.nonce, "second"))
        assert (await house.table(id)).phase == "gathering"
        await house.act(id, ada, OpenWord(first.nonce, "first"))
        table = await house.table(id)
        assert table.phase == "playing" and table.dice_words == draw_lines([first, second])
