"""Push subscriptions in the database, of either kind."""

import asyncio

import pytest

from houses import opened, playing, run
from sarai.table.commands import Chat, Move
from sarai.table.storage.push_subscriptions import MOST_FAILURES, MOST_OF_A_PERSON, PushSubscriptions, WaitingTurn


def endpoint(number):
    return f"https://push.example/{number}"


async def endpoints_of(subscriptions, person):
    return sorted(found.endpoint for found in await subscriptions.of(person))


@run
async def test_a_person_has_few_and_a_browser_belongs_to_one_person(db):
    async with opened(db) as house:
        kept = PushSubscriptions(house.store.engine)
        ids = [await kept.add("ada", endpoint(n), "p", "a", float(n)) for n in range(MOST_OF_A_PERSON + 2)]
        assert await endpoints_of(kept, "ada") == sorted(endpoint(n) for n in range(2, MOST_OF_A_PERSON + 2))
        await asyncio.gather(*(kept.add("bat", endpoint(5), "p2", "a2", 50.0) for _ in range(3)))
        assert endpoint(5) not in await endpoints_of(kept, "ada")
        assert [(found.endpoint, found.p256dh) for found in await kept.of("bat")] == [(endpoint(5), "p2")]
        await kept.remove(ids[5], "ada")
        assert await endpoints_of(kept, "bat") == [endpoint(5)], "nobody removes what is another's"
        for nothing in ("", "\x00", "\ud800", "x" * 10_000):
            await kept.remove(nothing, "bat")
        await kept.remove(ids[5], "bat")
        assert await kept.of("bat") == []


@run
async def test_one_that_fails_again_and_again_is_dropped(db):
    async with opened(db) as house:
        kept = PushSubscriptions(house.store.engine)
        id = await kept.add("ada", endpoint(1), "p", "a", 1.0)
        assert [await kept.count_failure(id) for _ in range(3)] == [1, 2, 3]
        await kept.clear_failures(id)
        assert (await kept.of("ada"))[0].failures == 0
        assert [await kept.count_failure(id) for _ in range(MOST_FAILURES)][-1] == MOST_FAILURES
        assert await kept.of("ada") == []


@pytest.mark.program
@run
async def test_a_turn_is_told_once_by_whichever_process(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, bat), table = await playing(one)
        kept, also = PushSubscriptions(one.store.engine), PushSubscriptions(two.store.engine)
        await kept.add(ada.id, endpoint(1), "p", "a", 1.0)
        await one.store.writer.write_index()
        assert await kept.waiting_turns() == [WaitingTurn(ada.id, id, "sixnimmt")]
        turn = table.last_change_for(0)
        claims = await asyncio.gather(*(store.claim(ada.id, id, turn) for store in (kept, also, kept)))
        assert sorted(claims) == [False, False, True]
        assert await also.waiting_turns() == []
        await one.act(id, bat, Chat("a word is no turn"))
        assert table.last_change_for(0) == turn and not await also.claim(ada.id, id, turn)
        for person, seat in ((ada, 0), (bat, 1)):
            await one.act(id, person, Move(table.state.legal(seat)[0]))
        assert table.last_change_for(0) > turn and await also.claim(ada.id, id, table.last_change_for(0))
        assert not await also.claim("nobody", id, 99)
