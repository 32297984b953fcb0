"""Sessions between processes, and over days."""

import asyncio

import pytest

from houses import Time, key_of, opened, run
from sarai.table.clock import DAY
from sarai.table.storage.push_subscriptions import PushSubscriptions
from sarai.table.storage.sessions import MOST_OF_A_PERSON, StoredSessions


@pytest.mark.program
@run
async def test_what_one_process_changes_of_a_person_another_hears(served):
    *_, uri = served
    async with opened(uri) as one, opened(uri) as two:
        ada = await one.people.new_person("Ada")
        token = await one.sessions.begin(ada.id, "")
        session, heard = await two.sessions.find(token), []
        assert session.person == ada.id
        two.people.on_forget.append(heard.append)
        await one.sessions.end(ada.id, session.id)
        assert await one.sessions.find(token) is None
        while not heard:  # it looks every second
            await two.invalidations.hear()
        assert await two.sessions.find(token) is None
        await two.people.person(ada.id)
        await one.rename(ada, "Beth")
        while (await two.people.person(ada.id)).name == "Ada":
            await two.invalidations.hear()


@run
async def test_the_day_of_the_last_use_is_noted_and_no_hour(file):
    time = Time()
    async with opened(file, now=time) as house:
        ada = await house.people.new_person("Ada")
        token = await house.sessions.begin(ada.id, "Firefox, Linux")
        time.now += 3 * DAY + 5000
        await house.sessions.find(token)
        (session,) = await house.sessions.of(ada.id)
        assert session.seen == time.now // DAY * DAY and session.device == "Firefox, Linux"


@run
async def test_a_session_that_is_ended_while_it_is_read_is_not_kept(file):
    time = Time()
    async with opened(file, now=time) as house:
        ada = await house.people.new_person("Ada")
        token = await house.sessions.begin(ada.id, "")
        house.sessions.forget(ada.id)
        time.now += DAY  # its day is noted, too
        read = house.sessions._stored.find

        async def ended_meanwhile(id):
            found = await read(id)
            await house.sessions.end(ada.id, id)
            return found

        house.sessions._stored.find = ended_meanwhile
        await house.sessions.find(token)
        house.sessions._stored.find = read
        assert await house.sessions.find(token) is None


@pytest.mark.parametrize("ends", ["signed out", "erased"])
@run
async def test_a_link_that_is_used_while_its_owner_signs_out_leaves_no_session(db, ends, monkeypatch):
    async with opened(db) as house:
        ada = await house.people.new_person("Ada")
        kept = await house.sessions.find(await house.sessions.begin(ada.id, "own"))
        link, ending = await house.people.move_token(ada), []

        async def slowly(self, connection, *args, real=StoredSessions._add):
            """Begin a session while the owner ends all others: before it is on disk, if that can be."""
            end = house.sessions.end_others(ada.id, kept.id) if ends == "signed out" else house.erasing.begin(ada.id)
            ending.append(asyncio.create_task(end))
            await asyncio.wait(ending, timeout=0.3)
            return await real(self, connection, *args)

        monkeypatch.setattr(StoredSessions, "_add", slowly)
        _, cookie = await house.sessions.redeem(link, "a thief's")
        await asyncio.gather(*ending)
        assert [one.device for one in await house.sessions.of(ada.id)] == (["own"] if ends == "signed out" else [])
        house.sessions.forget(ada.id)
        assert await house.sessions.find(cookie) is None


@run
async def test_a_session_that_is_ended_while_it_begins_is_not_kept(file):
    async with opened(file) as house:
        ada, begin = await house.people.new_person("Ada"), house.sessions._stored.add

        async def ended_meanwhile(*args):
            begun = await begin(*args)
            await house.sessions.end_others(ada.id, None)
            return begun

        house.sessions._stored.add = ended_meanwhile
        assert await house.sessions.find(await house.sessions.begin(ada.id, "")) is None


@run
async def test_who_was_signed_out_makes_no_link_and_no_subscription(db):
    async with opened(db) as house:
        ada = await house.people.new_person("Ada")
        session = await house.sessions.find(await house.sessions.begin(ada.id, ""))
        subscriptions = PushSubscriptions(house.store.engine)
        await house.people.move_token(ada, session.id)
        await subscriptions.add(ada.id, "https://push.example/1", "p", "a", 0.0, session.id)
        await house.sessions.end_others(ada.id, None)
        assert await key_of(house.people.move_token(ada, session.id)) == ("session_ended", 401)
        late = subscriptions.add(ada.id, "https://push.example/2", "p", "a", 0.0, session.id)
        assert await key_of(late) == ("session_ended", 401)
        assert await subscriptions.of(ada.id) == []


@run
async def test_a_person_has_so_many_sessions_and_no_more(file):
    time = Time()
    async with opened(file, now=time) as house:
        ada = await house.people.new_person("Ada")
        first = await house.sessions.begin(ada.id, "")
        for _ in range(MOST_OF_A_PERSON):
            time.now += DAY
            last = await house.sessions.begin(ada.id, "")
        assert len(await house.sessions.of(ada.id)) == MOST_OF_A_PERSON
        house.sessions.forget(ada.id)
        assert await house.sessions.find(first) is None and await house.sessions.find(last) is not None
