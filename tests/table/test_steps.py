"""The rules play every move and outcome once: deciding a move hands its state on to chance and to the table."""

import asyncio
import contextlib

import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from quick_bots import QuickBots
from sarai.core.kernels import python_entry_points
from sarai.table import event_types
from sarai.table.chance import follows
from sarai.table.commands import AddBot, Chat, Move, Sit, Start
from sarai.table.decide import decide
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.table import Table


@pytest.fixture
def steps(monkeypatch):
    """Count how often the step kernels are called."""
    calls = {"step": 0, "step_traced": 0}

    def counted(name, kernel):
        def call(*arguments):
            calls[name] += 1
            return kernel(*arguments)

        return call

    for name in calls:
        monkeypatch.setattr(python_entry_points, name, counted(name, getattr(python_entry_points, name)))
    return calls


def played(events):
    """Return how many moves and draws there are among events."""
    return sum(isinstance(event, event_types.Moved | event_types.Drawn) for event in events)


@pytest.mark.parametrize("game", sarai.game_ids())
def test_moves_of_people_and_bots_and_draws_are_played_once(game, steps):
    sitting = Sitting(game, 3, {"rounds": 1} if game == "sixnimmt" else {}).begin(people=2)
    assert steps == {"step": 0, "step_traced": played(event for _, event in sitting.entries)}
    movers = set()
    for turn in range(40):
        if sitting.table.phase == "over":
            break
        number, seat = sitting.table.number, sitting.table.to_act[0]
        moves = sitting.table.state.legal(seat)
        steps["step_traced"] = 0
        sitting.move(moves[turn % len(moves)], seat)
        added = [event for _, event in sitting.entries[number:]]
        assert steps == {"step": 0, "step_traced": played(added)}
        assert isinstance(added[0], event_types.Moved)
        movers.add(seat)
    assert movers == {0, 1, 2}, "people and a bot moved"
    assert sitting.table.drawn > 0, "chance was drawn"
    steps["step_traced"] = 0
    again = Table.fold("x", sitting.entries)
    assert again.state == sitting.table.state
    assert steps == {"step": 0, "step_traced": played(event for _, event in sitting.entries)}


def test_a_refused_move_is_tried_once_and_changes_nothing(steps):
    sitting = Sitting(options={"rounds": 1}).begin()
    before, number = sitting.table.state, sitting.table.number
    absent = next(card for card in range(104) if card not in before.legal(0))
    steps["step_traced"] = 0
    with pytest.raises(Refused):
        sitting.do(PEOPLE[0], Move(absent))
    assert steps == {"step": 0, "step_traced": 1}
    assert sitting.table.state is before and sitting.table.number == number


def test_what_was_played_from_another_state_is_played_again(steps):
    """Another process was faster: what was decided before is not taken over."""
    sitting = Sitting(options={"rounds": 1}).begin()
    table, first = sitting.table, sitting.table.state
    move = first.legal(0)[0]
    stale = decide(table, Move(move), PEOPLE[0], sitting.now)
    sitting.move(first.legal(1)[0], 1)
    steps["step_traced"] = 0
    table.apply(table.number + 1, stale[0].event, stale[0].played)
    assert steps["step_traced"] == 1
    assert table.state == first.play(first.legal(1)[0], 1).play(move, 0)
    assert follows(table, [], sitting.secret, sitting.now) == []


@contextlib.asynccontextmanager
async def game_of(path, people, bots, steps):
    """Open a house with a table of 6 nimmt! that has begun; steps are counted from its start on."""
    house = await House.open(str(path), QuickBots())
    try:
        known = [await house.people.new_person(name) for name in ("Ada", "Bat")[:people]]
        id = await house.create(known[0], "sixnimmt", people + bots, {"rounds": 1})
        for person in known:
            await house.act(id, person, Sit())
        for _ in range(bots):
            await house.act(id, known[0], AddBot(level="random"))
        await house.games.wait("sixnimmt")
        steps |= {"step": 0, "step_traced": 0}
        await house.act(id, known[0], Start())
        yield house, await house.table(id), known
    finally:
        await house.close()


def test_a_house_plays_moves_of_people_and_bots_once(tmp_path, steps):
    async def go():
        async with game_of(tmp_path / "house.db", 1, 2, steps) as (house, table, (ada,)):
            while table.phase == "playing":
                if 0 in table.to_act:
                    await house.act(table.id, ada, Move(table.state.legal(0)[0]))
                else:
                    await asyncio.sleep(0.001)
            events = [entry.event for entry in await house.store.log(table.id)]
            assert any(isinstance(event, event_types.Moved) and event.by is None for event in events), "bots moved"
            assert steps == {"step": 0, "step_traced": played(events)}

    asyncio.run(asyncio.wait_for(go(), 120))


@pytest.mark.program
def test_a_house_that_loses_a_race_plays_what_the_other_wrote_and_then_its_own_move(shared, steps, monkeypatch):
    async def nothing(*_):
        return []

    # neither hears of the other's moves, for both count in `steps`
    monkeypatch.setattr("sarai.table.service.process_messages.listen", nothing)
    monkeypatch.setattr("sarai.table.storage.store.Store.changed_since", nothing)

    async def go():
        async with game_of(shared, 2, 0, steps) as (house, table, (ada, bat)):
            append = house.store.writer.append
            other = await House.open(shared, QuickBots())
            await other.games.wait("sixnimmt")
            await other.table(table.id)
            moves = table.state.legal(0)[0], table.state.legal(1)[0]
            conflicts = []

            async def slow(write):
                """Let the other house be faster, once."""
                if write.events and not conflicts:
                    conflicts.append(await other.act(table.id, bat, Move(moves[1])))
                    steps["step_traced"] = 0
                await append(write)

            house.store.writer.append = slow
            begun = table.number
            await house.act(table.id, ada, Move(moves[0]))
            events = [entry.event for entry in await house.store.log(table.id, begun)]
            assert [(event.seat, event.move) for event in events[:2]] == [(1, moves[1]), (0, moves[0])]
            assert steps == {"step": 0, "step_traced": played(events)}, "the other's once, its own once more"
            again = Table.fold("x", [(entry.number, entry.event) for entry in await house.store.log(table.id)])
            assert again.state == table.state
            await other.close()

    asyncio.run(asyncio.wait_for(go(), 120))


def test_nothing_is_played_for_what_is_no_move(steps):
    sitting = Sitting(options={"rounds": 1}).begin()
    steps["step_traced"] = 0
    sitting.do(PEOPLE[0], Chat("hello"))
    assert steps == {"step": 0, "step_traced": 0}
