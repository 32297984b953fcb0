"""Sessions between processes, and over days."""

import pytest

from houses import Time, opened, run
from sarai.table.clock import DAY
from sarai.table.storage.sessions import MOST_OF_A_PERSON


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
            await two.news.hear()
        assert await two.sessions.find(token) is None
        await two.people.person(ada.id)
        await one.rename(ada, "Beth")
        while (await two.people.person(ada.id)).name == "Ada":
            await two.news.hear()


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
