"""The turns that wait for people: exactly those, known without looking at all tables, told when they begin."""

import asyncio
import contextlib
import json
from itertools import pairwise

import pytest

from houses import Time, opened, play_out, playing, run, tick
from sarai.table.commands import Chat, Lend, Move, Resign, Return
from sarai.table.storage.summaries import Turn, index_row, read_summary, read_turns, waiting_turns


def tables(house, person):
    return [turn.table for turn in house.turns.of(person.id)]


@run
async def test_turns_wait_exactly_for_those_who_are_to_act(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        began = time.now
        assert house.turns.of(ada.id) == [Turn(id, "6 nimmt!", began, table.last_change_for(0))]
        time.now += 60
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        assert tables(house, ada) == [] and house.turns.of(bat.id)[0].since == began
        await house.act(id, bat, Chat("well"))
        assert house.turns.of(bat.id)[0].since == began, "talk changes no turn"
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        for seat, person in enumerate((ada, bat)):
            assert tables(house, person) == [id] * (seat in table.to_act)
        assert all(turn.since == time.now for person in (ada, bat) for turn in house.turns.of(person.id))
        await house.act(id, ada, Lend(0))
        assert tables(house, ada) == [], "a bot plays"
        await house.act(id, bat, Resign())
        assert tables(house, bat) == []


@run
async def test_a_list_comes_whenever_it_changes_and_only_then(file):
    async with opened(file) as house:
        id, (ada, bat), table = await playing(house, 2, 1)
        lists = {ada.id: [], bat.id: []}

        async def collect(person):
            async with house.turns.watch(person.id) as changes:
                async for turns in changes:
                    lists[person.id].append(turns)

        watching = [asyncio.create_task(collect(person)) for person in (ada, bat)]
        await asyncio.sleep(0)
        await play_out(house, id, (ada, bat))
        await asyncio.sleep(0)
        for task in watching:
            task.cancel()
        await asyncio.wait(watching)
        assert table.phase == "over"
        for seen in lists.values():
            assert len(seen) > 9 and seen[-1] == [] and len(seen[0]) == 1
            assert all(before != after for before, after in pairwise(seen))
        assert house.turns._watches == {}


@run
async def test_who_wants_to_know_is_called_when_a_turn_begins(file, caplog):
    called, later = [], []

    async def slowly(*turn):
        await asyncio.sleep(0)
        later.append(turn)
        raise ValueError("later")

    def wrongly(*_):
        raise ValueError("at once")

    async with opened(file) as house:
        house.turns.on_turn += [lambda *turn: called.append(turn), wrongly, slowly]
        id, (ada, bat), table = await playing(house)
        assert {turn[:3] for turn in called} == {(ada.id, id, "6 nimmt!"), (bat.id, id, "6 nimmt!")}
        assert {turn[3] for turn in called} == {table.last_change_for(0)}
        called.clear()
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        await house.act(id, bat, Chat("well"))
        assert called == []
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        assert {turn[0] for turn in called} == ({ada.id} if 0 in table.to_act else set()), "bat has just acted"
        called.clear()
        acting = next(person for seat, person in enumerate((ada, bat)) if seat in table.to_act)
        await house.act(id, acting, Lend(table.seat_of(acting.id)))
        await house.act(id, acting, Return())
        assert [turn[0] for turn in called] == [acting.id]
        await asyncio.sleep(0.01)
        assert len(later) >= 3
        assert {record.exc_info[1].args for record in caplog.records} == {("at once",), ("later",)}


@run
async def test_the_list_is_read_from_the_index_after_a_restart(file):
    async with opened(file) as house:
        id, (ada, bat), table = await playing(house)
        other, (_, cem), _ = await playing(house)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        before = house.turns.of(bat.id)
    async with opened(file) as house:
        assert house.turns.of(bat.id) == []
        assert (await house.people.person(bat.id)).name == "Bat" and (await house.people.person(ada.id)).name == "Ada"
        assert house.turns.of(bat.id) == before and tables(house, ada) == []
        assert house.rooms.find(id) is None, "no table was opened for it"
        mine = {person: (await house.tables(of=person))[0].my_turn for person in (ada, bat)}
        assert mine == {ada: False, bat: True}
        await house.games.wait("sixnimmt")
        called = []
        house.turns.on_turn.append(lambda *turn: called.append(turn))
        await house.table(id)
        assert house.turns.of(bat.id) == before and called == [], "it began before"
        async with house.turns.watch(cem.id) as lists:  # whoever is watched need not have been asked for
            assert [turn.table for turn in await anext(lists)] == [other]


@run
async def test_people_who_are_forgotten_are_read_again(file, monkeypatch):
    monkeypatch.setattr("sarai.table.service.people.MOST_KNOWN", 3)
    async with opened(file) as house:
        id, (ada, bat), _ = await playing(house)
        async with house.turns.watch(ada.id) as lists:
            await anext(lists)
            for number in range(4):
                await house.people.new_person(f"P{number}")
            assert tables(house, ada) == [id] and not house.turns.knows(bat.id)
            await house.rename(bat, "Bet")
            await house.people.person(bat.id)
            assert tables(house, bat) == [id]


@pytest.mark.program
@run
async def test_what_another_process_does_is_known_without_opening_the_table(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, bat), table = await playing(one)
        await one.store.writer.drain()
        assert await two.people.person(ada.id) and await two.people.person(bat.id)
        assert tables(two, ada) == tables(two, bat) == [id]
        called = []
        two.turns.on_turn.append(lambda *turn: called.append(turn))
        async with two.turns.watch(ada.id) as lists:
            assert len(await anext(lists)) == 1
            await one.act(id, ada, Move(table.state.legal(0)[0]))
            await one.store.writer.drain()
            await tick(two)
            assert await asyncio.wait_for(anext(lists), 20) == []
            await one.act(id, bat, Move(table.state.legal(1)[0]))
            await one.store.writer.drain()
            await tick(two)
            assert tables(two, ada) == [id] * (0 in table.to_act)
        assert two.rooms.find(id) is None
        assert called == [], "the process that wrote it tells"
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(two.games.wait("sixnimmt"), 20)
        await two.table(id)
        assert tables(two, ada) == [id] * (0 in table.to_act) and called == []


@pytest.mark.program
@run
async def test_games_of_people_whom_a_process_does_not_know_are_not_read_with_every_move(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, people, table = await playing(one)
        await two.people.new_person("Cyd")
        asked, indexed = [], two.store.indexed

        async def counted(ids):
            asked.extend(ids)
            return await indexed(ids)

        async def move():
            seat = table.to_act[0]
            await one.act(id, people[seat], Move(table.state.legal(seat)[0]))
            await one.store.writer.drain()
            await tick(two)

        two.store.indexed = counted
        await move()
        known = list(asked)
        assert set(known) == {id}
        for _ in range(3):
            await move()
        assert asked == known, "nobody here sits there"
        for person in people:
            assert await two.people.person(person.id)
        for _ in range(3):
            await move()
            for seat, person in enumerate(people):
                assert tables(two, person) == [id] * (seat in table.to_act)
        assert two.rooms.find(id) is None


@pytest.mark.program
@run
async def test_who_is_at_another_process_now_is_not_kept_up_to_date_for_ever(shared, monkeypatch):
    monkeypatch.setattr("sarai.table.service.waiting_turns.UNUSED", 0.01)
    async with opened(shared) as one, opened(shared) as two:
        id, people, table = await playing(one)
        await one.store.writer.drain()
        for person in people:
            assert await two.people.person(person.id)

        async def move():
            seat = table.to_act[0]
            await one.act(id, people[seat], Move(table.state.legal(seat)[0]))
            await one.store.writer.drain()
            await asyncio.sleep(0.05)
            await tick(two)

        async with two.turns.watch(people[0].id) as lists:
            await anext(lists)
            await move()
            assert [two.turns.knows(person.id) for person in people] == [True, False], "the first has a page open here"
            assert tables(two, people[0]) == [id] * (0 in table.to_act)
        await move()
        assert not any(two.turns.knows(person.id) for person in people)
        assert all(one.turns.knows(person.id) for person in people), "their table is there"
        for seat, person in enumerate(people):
            assert await two.people.person(person.id)
            assert tables(two, person) == [id] * (seat in table.to_act)


@run
async def test_a_summary_that_was_stored_before_says_who_may_act(file):
    async with opened(file) as house:
        id, (ada, bat), table = await playing(house)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        data = index_row(table)["summary"]
        assert read_turns(data) == (id, {ada.id: None, bat.id: waiting_turns(table)[bat.id]})
        old = json.loads(data)
        del old["turns"], old["summary"]["my_turn"]
        data = json.dumps(old).encode()
        assert read_turns(data)[1] == {ada.id: None, bat.id: Turn(id, "6 nimmt!", table.changed, table.number)}
        assert [read_summary(data, person.id).my_turn for person in (ada, bat)] == [False, True]
