"""A person is erased: no name, id or talk is left in the database, moves and dice stay; it can be killed in between."""

import asyncio
import contextlib
import gc
import json
import sqlite3
import threading

import msgspec
import pytest
from sqlalchemy import func, select, update

from houses import ONE_ROUND, Time, opened, play_out, playing, run, seated, stored
from sarai.core.records import from_json
from sarai.table import anonymize
from sarai.table.anonymize import NAME, SAID
from sarai.table.commands import AddBot, Ban, Chat, CommitWord, Mute, PassHost, Rematch, Sit, Start
from sarai.table.confusable_names import appearances
from sarai.table.dice_proof import check
from sarai.table.refusals import Refused
from sarai.table.service import erasing
from sarai.table.service.erasing import Erasing
from sarai.table.service.invalidation_poller import InvalidationPoller
from sarai.table.storage import schema
from sarai.table.storage.backup_and_move import check as check_database
from sarai.table.storage.backup_and_move import connected
from sarai.table.storage.erase_person import Erasures
from sarai.table.storage.personal_data import personal_data

UNUSUAL = "Xerxes-Quirin"
SECRETLY = "nobody-says-this-word"


@pytest.fixture
def at_once(monkeypatch):
    """Erase as if everybody had heard of it."""
    monkeypatch.setattr(erasing, "HEARD_SECONDS", 0)


async def lived(house):
    """Return a person who did everything here, and the ids of a finished, a running and a waiting table."""
    person, other = await house.people.new_person(UNUSUAL), await house.people.new_person("Bat")
    finished = await house.create(person, "sixnimmt", 2, ONE_ROUND, public=True)
    for one in (person, other):
        await house.act(finished, one, Sit())
        await house.act(finished, one, Chat(f"{SECRETLY} {one.name}" if one is person else "hello"))
    await house.games.wait("sixnimmt")
    await house.act(finished, person, Start())
    await play_out(house, finished, [person, other])
    await house.act(finished, other, Rematch())
    running = await house.create(other, "sixnimmt", 3, ONE_ROUND)
    for one in (other, person):
        await house.act(running, one, Sit())
    await house.act(running, other, AddBot(level="random"))
    await house.act(running, other, Start())
    watched = await house.create(other, "sixnimmt", 2)
    await house.act(watched, person, Chat(SECRETLY), key=f"say {SECRETLY}")
    await house.act(watched, person, Mute(0))
    waiting = await house.create(person, "sixnimmt", 2)
    await house.act(waiting, person, Sit())
    await house.sessions.begin(person.id, "Firefox, Linux")
    await house.people.move_token(person)
    return person, other, finished, running, watched, waiting


async def occurrences(house, *words):
    """Return in which tables of the database any of some words stand."""
    found = []
    async with house.store.engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                text = b" ".join(value if isinstance(value, bytes) else str(value).encode() for value in row)
                found += [table.name for word in words if word.encode() in text]
    return found


@run
async def test_nothing_of_an_erased_person_is_left_and_records_still_verify(db, tmp_path, at_once):
    async with opened(db) as house:
        person, other, finished, running, watched, waiting = await lived(house)
        before = (await house.table(finished)).record(None)
        moves = [entry.event for entry in await house.store.log(running)]
        await house.erase(person)
        await house.store.writer.drain()
        assert await occurrences(house, UNUSUAL, person.id, SECRETLY) == []
        table = await house.table(finished)
        assert table.names == [NAME, "Bat"] and [line.text for line in table.chat] == [SAID, "hello"]
        after = table.record(None)
        check(from_json(after))
        assert {**after, "players": None} == {**before, "players": None} or after["moves"] == before["moves"]
        assert (await house.table(running)).seats[1].resigned
        assert (await stored(house, running)).names == ["Bat", NAME, (await house.table(running)).names[2]]
        assert len(await house.store.log(running)) > len(moves)
        assert [one.id for one in await house.tables(of=other)] and await house.tables(of=person) == []
        assert await house.people.person(person.id) is None
        assert (await house.table(table.rematch)).access.kept[0].name == NAME
        assert all(one.id != waiting for one in await house.tables())
        async with house.store.engine.connect() as connection:
            assert (await connection.execute(select(func.count()).select_from(schema.erasures))).scalar() == 0
    with connected(str(db)) as engine:
        assert list(check_database(engine, lambda _: None)) == []
    async with opened(db) as house:
        assert (await house.table(watched)).chat[0].text == SAID
    if "://" not in str(db):
        for file in tmp_path.glob("house.db*"):
            content = file.read_bytes()
            assert not [word for word in (UNUSUAL, SECRETLY, person.id) if word.encode() in content], file.name


@pytest.mark.parametrize("steps", range(5))
@run
async def test_an_erasure_that_was_interrupted_is_finished_at_the_next_start(file, steps, at_once, monkeypatch):
    done = 0

    async def erase(self, *args, real=Erasures.erase):
        nonlocal done
        if done == steps:
            raise KeyboardInterrupt  # as if it were killed here
        done += 1
        return await real(self, *args)

    async with opened(file) as house:
        person, *_ = await lived(house)
        with monkeypatch.context() as patch:
            patch.setattr(Erasures, "erase", erase)
            await house.erasing.begin(person.id)
            with pytest.raises(KeyboardInterrupt):
                await Erasing(house.rooms, house.act, lambda _: None, house.people.forget).finish()
        assert await occurrences(house, person.id)
    async with opened(file) as house:
        house.games.prepare("sixnimmt")
        await house.games.wait("sixnimmt")  # until then it is waited for, and tried again
        while await house.erasing._erasures.pending():
            await house.erasing.finish()
        await house.store.writer.drain()
        assert await occurrences(house, UNUSUAL, person.id, SECRETLY) == []


@run
async def test_two_who_are_erased_stay_two_and_nobody_else_changes(file, at_once):
    async with opened(file) as house:
        id, (ada, bat, cem), _ = await playing(house, people=3)
        await house.act(id, bat, Chat("Ada is a name that I may say"))
        await house.act(id, ada, PassHost(1))
        await house.erase(ada)
        await house.erase(cem)
        table = await house.table(id)
        assert table.names == [NAME, "Bat", f"{NAME} (2)"]
        assert table.host == bat.id and table.chat[0].text == "Ada is a name that I may say"
        (summary,) = await house.tables(of=bat)
        assert (summary.host, [seat.name for seat in summary.seats]) == ("Bat", table.names)


@pytest.mark.parametrize("is_old", [False, True], ids=["new", "old"])
@run
async def test_lists_do_not_name_an_erased_host_who_had_no_seat(file, is_old, at_once):
    async with opened(file) as house:
        host, (bat, cem) = (
            await house.people.new_person(UNUSUAL),
            [await house.people.new_person(n) for n in ("B", "C")],
        )
        await house.games.wait("sixnimmt")
        ids = [await house.create(host, "sixnimmt", 2, ONE_ROUND, public=True) for _ in range(4)]
        for id in ids:
            await house.act(id, bat, Sit())
        await house.act(ids[1], host, Sit())  # and stands up when erased
        for id in ids[2:]:
            await house.act(id, cem, Sit())
            await house.act(id, host, Start())
        await play_out(house, ids[3], [bat, cem])
        await house.store.writer.drain()
        if is_old:  # summaries did not always hold the id of the host
            async with house.store.engine.begin() as connection:
                for id, summary in (
                    await connection.execute(select(schema.tables.c.id, schema.tables.c.summary))
                ).all():
                    stored = msgspec.json.decode(summary)
                    del stored["host"]
                    values = {"summary": msgspec.json.encode(stored)}
                    await connection.execute(update(schema.tables).where(schema.tables.c.id == id).values(values))
        await house.erase(host)
        await house.store.writer.drain()
        assert [one.host for one in await house.tables(of=bat)] == [NAME] * 4
        assert await occurrences(house, UNUSUAL, host.id) == []


@run
async def test_a_summary_that_another_process_writes_late_is_found_by_the_host(file, at_once):
    async with opened(file) as house:
        host, bat = await house.people.new_person(UNUSUAL), await house.people.new_person("Bat")
        id = await house.create(host, "sixnimmt", 2, public=True)
        await house.act(id, bat, Sit())
        await house.store.writer.drain()
        (late,) = await house.store.summaries()
        await house.erase(host)
        async with house.store.engine.begin() as connection:
            await connection.execute(update(schema.tables).values(summary=late))
        assert await Erasures(house.store.engine).tables(host.id) == [id]


@pytest.mark.program
@run
async def test_two_who_are_erased_at_once_by_two_processes_are_both_erased(served, monkeypatch):
    *_, uri = served
    both = threading.Barrier(2)

    def erase(*args, real=anonymize.erase):
        rewritten = real(*args)
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.5)  # until the other has read, too, if it can
        return rewritten

    async with opened(uri) as house, opened(uri) as other:
        ada, bat = [await house.people.new_person(f"{UNUSUAL} {number}") for number in (1, 2)]
        id = await house.create(ada, "sixnimmt", 3, invite=[bat.id])
        for person in (ada, bat):
            await house.act(id, person, Sit())
        await house.store.writer.drain()
        for person in (ada, bat):
            await house.erasing.begin(person.id)
        monkeypatch.setattr(anonymize, "erase", erase)
        marks = await Erasures(house.store.engine).pending()
        engines = (house.store.engine, other.store.engine)
        await asyncio.gather(*(Erasures(one).erase(mark, id) for one, mark in zip(engines, marks, strict=True)))
        assert "events" not in await occurrences(house, UNUSUAL) and "tables" not in await occurrences(house, UNUSUAL)


@run
async def test_the_mark_stays_as_long_as_others_write_of_a_person(file, at_once, monkeypatch):
    async def erase(self, *args, real=Erasures.erase):
        await real(self, *args)
        return True

    monkeypatch.setattr(erasing, "OTHERS_SECONDS", 0)
    async with opened(file) as house:
        _, (ada, _) = await seated(house)
        house.erasing._is_shared = True
        tables = await Erasures(house.store.engine).tables(ada.id)
        with monkeypatch.context() as patch:
            patch.setattr(Erasures, "erase", erase)
            patch.setattr(Erasures, "tables", lambda *_: asyncio.sleep(0, tables))
            await house.erase(ada)
        assert [one.person for one in await Erasures(house.store.engine).pending()] == [ada.id]
        await house.erasing.finish()
        assert await Erasures(house.store.engine).pending() == []


@run
async def test_what_was_under_way_when_its_person_was_erased_is_erased_too(file, monkeypatch):
    async with opened(file) as house:
        id, (_, bat) = await seated(house)
        person = await house.people.new_person(UNUSUAL)
        await house.erase(person)
        await house.act(id, person, Chat(SECRETLY))  # as if it had come before
        assert await house.people.person(bat.id) == bat
        await house.erasing.finish()
        assert [one.person for one in await Erasures(house.store.engine).pending()] == [person.id]
        monkeypatch.setattr(erasing, "HEARD_SECONDS", 0)
        await house.erasing.finish()
        await house.store.writer.drain()
        assert await occurrences(house, UNUSUAL, SECRETLY, person.id) == []


@run
async def test_a_host_who_is_erased_leaves_a_table_that_others_can_begin(file):
    async with opened(file) as house:
        id, (ada, bat) = await seated(house)
        await house.erase(ada)
        await house.act(id, bat, AddBot())
        await house.act(id, bat, Start())
        assert (await house.table(id)).phase == "playing"


@run
async def test_who_cannot_be_erased_yet_does_not_hold_up_others(file, at_once, caplog):
    async with opened(file) as house:
        (opening, (ada, bat)), other = await seated(house), await house.people.new_person(UNUSUAL)
        free = await house.create(ada, "sixnimmt", 2)
        await house.act(free, bat, Sit())
        await house.act(free, ada, Sit())
        for person in (ada, bat):
            await house.act(opening, person, CommitWord("ab" * 32))
        await house.act(opening, bat, Chat("The last change is here."))
        await house.act(opening, ada, Start())
        await house.erase(ada)
        assert (await house.table(free)).seat_of(ada.id) is None, "there is nothing to wait for here"
        assert (await house.table(opening)).seat_of(ada.id) == 0, "nobody stands up while words are opened"
        await house.erase(other)
        assert await occurrences(house, UNUSUAL, other.id) == []
        assert [one.person for one in await Erasures(house.store.engine).pending()] == [ada.id]
        assert "ERROR" not in caplog.text


def test_a_stand_in_for_a_name_is_found_among_many_that_look_like_it(monkeypatch):
    looked = []
    monkeypatch.setattr(anonymize, "appearances", lambda name: looked.append(name) or appearances(name))
    names = [NAME, *(f"{NAME} ({number})" for number in range(2, 300))]
    lines = [{"type": "Chatted", "at": 0, "by": name, "name": name, "text": "?"} for name in [*names, UNUSUAL] * 3]
    rows = [(number, json.dumps(line).encode()) for number, line in enumerate(lines, 1)]
    summary = b'{"summary": {"seats": [], "host": ""}, "people": []}'
    (body, *_) = anonymize.erase(rows, summary, UNUSUAL, "stand-in").bodies.values()
    assert json.loads(body)["name"] == f"{NAME} (300)"
    assert len(looked) <= 2 * len(names) + 1, "not each with each"


@run
async def test_who_watches_is_shown_the_table_without_the_name(file):
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house, people=2, bots=1)
        anew = []
        house.on_table.append(anew.append)
        async with house.watch(id) as numbers:
            await house.erase(ada)
            async for _ in numbers:  # until its room is closed
                pass
        assert anew == [id]


@pytest.mark.program
@run
async def test_another_process_shows_the_table_without_the_name(served):
    *_, uri = served
    async with opened(uri) as one, opened(uri) as two:
        id, (ada, _), _ = await playing(one)
        two.games.prepare("sixnimmt")
        await two.games.wait("sixnimmt")
        assert (await two.table(id)).names[0] == "Ada"
        await one.erase(ada)
        while (await two.table(id)).names[0] == "Ada":
            await two.invalidations.hear()
            await asyncio.sleep(0.05)
        assert {"events", "tables"}.isdisjoint(await occurrences(one, ada.id))


@pytest.mark.program
@run
async def test_what_changes_before_a_process_first_looks_for_news_is_heard(served, monkeypatch):
    """A busy process looked for the first time when it had read a table that was changed since: that was no news."""

    async def later(self):
        await asyncio.Event().wait()

    *_, uri = served
    async with opened(uri) as one:
        id, (ada, _), _ = await playing(one)
        monkeypatch.setattr(InvalidationPoller, "run", later)
        async with opened(uri) as two:
            two.games.prepare("sixnimmt")
            await two.games.wait("sixnimmt")
            assert (await two.table(id)).names[0] == "Ada"
            await one.erase(ada)
            await two.invalidations.hear()
            while (await two.table(id)).names[0] == "Ada":  # it is dropped by a task
                await asyncio.sleep(0.01)


@pytest.mark.program
@run
async def test_who_is_erased_is_nobody_even_if_it_takes_longer_than_the_news_of_it(served, at_once, monkeypatch):
    async with opened(served[2]) as house:
        person, other = await house.people.new_person(UNUSUAL), await house.people.new_person("Bat")
        table = await house.create(other, "sixnimmt", 2)
        await house.act(table, person, Sit())

        async def leave(*args, real=house.erasing._act):
            await house.invalidations.hear()  # as it is heard every second
            return await real(*args)

        monkeypatch.setattr(house.erasing, "_act", leave)
        await house.erase(person)
        assert await house.people.person(person.id) is None


@pytest.mark.program
@run
async def test_who_is_erased_at_one_process_is_nobody_at_others_and_leaves_nothing_there(served, monkeypatch):
    *_, uri = served
    async with opened(uri) as one, opened(uri) as two:
        ada = await one.people.new_person(UNUSUAL)
        token = await one.sessions.begin(ada.id, "")
        assert await two.sessions.find(token) is not None and await two.people.person(ada.id) == ada
        await one.erase(ada)
        late = await two.create(ada, "sixnimmt", 2)  # asked for before it heard
        while await two.sessions.find(token) is not None or (await two.people.person(ada.id)).name == UNUSUAL:
            await two.invalidations.hear()
        await one.erasing.finish()
        assert [mark.person for mark in await Erasures(one.store.engine).pending()] == [ada.id], "others may write yet"
        monkeypatch.setattr(erasing, "HEARD_SECONDS", 0)
        monkeypatch.setattr(erasing, "OTHERS_SECONDS", 0)
        await one.erasing.finish()
        assert await occurrences(one, ada.id, UNUSUAL) == []
        assert (await stored(one, late)).participants[0].name == NAME


@run
async def test_a_person_gets_all_that_is_stored_of_them_and_nothing_of_others(db):
    async with opened(db, now=Time()) as house:
        person, other, finished, running, *_ = await lived(house)
        await house.act(running, other, Ban((await house.table(running)).participant_of(person.id).number))
        data = await personal_data(house.store.engine, person.id)
        assert (data["name"], data["language"], data["sessions"][0]["device"]) == (UNUSUAL, "en", "Firefox, Linux")
        assert [one["guest"] for one in data["muted"]] == [0]
        events = {one["table"]: one["events"] for one in data["tables"]}
        assert len(events) == 5, "with the rematch to which they were invited"
        said = [event["text"] for events in events.values() for event in events if event["type"] == "Chatted"]
        assert sorted(said) == sorted([f"{SECRETLY} {UNUSUAL}", SECRETLY])
        moves = [
            entry.event.move
            for entry in await house.store.log(finished)
            if getattr(entry.event, "by", "") == person.id and hasattr(entry.event, "move")
        ]
        assert [event["move"] for event in events[finished] if event["type"] == "Moved"] == moves != []
        text = json.dumps(data)
        for table in events:
            text = text.replace(table, "")  # an id may hold any letters
        assert other.id not in text and "Bat" not in text and person.id not in text


@run
async def test_what_earlier_versions_left_of_erased_people_goes_when_the_database_is_migrated(db, at_once):
    async with opened(db) as house:
        (host, bat), other = [await house.people.new_person(name) for name in (UNUSUAL, "Bat")], "Ada"
        ids = [await house.create(host, "sixnimmt", 2, ONE_ROUND, public=True) for _ in range(2)]
        for id in ids:
            await house.act(id, bat, Sit(), key="of Bat's")
        await house.act(ids[1], bat, Chat("I am no host."))
        kept = await house.create(await house.people.new_person(other), "sixnimmt", 2)
        await house.act(kept, bat, Chat(f'"name":"{NAME}"'))
        await house.act(ids[0], host, PassHost(1))
        await house.act(ids[0], bat, PassHost(0))
        await house.store.writer.drain()
        old = dict(await house.store._rows(select(schema.tables.c.id, schema.tables.c.summary)))
        await house.erase(host)
        await house.store.writer.drain()
        async with house.store.engine.begin() as connection:  # as they left it
            tables, events = schema.tables.c, schema.events.c
            for id in ids:
                stored = msgspec.json.decode(old[id])
                stored["summary"]["number"] = stored.pop("host") and (await house.table(id)).number
                data = msgspec.json.encode(stored).replace(host.id.encode(), b"s" * 22)
                await connection.execute(update(schema.tables).where(tables.id == id).values(summary=data))
            left = update(schema.events).where(events.table_id == ids[1], events.number == 1)
            await connection.execute(left.values(person="s" * 22, key=f"say {SECRETLY}"))
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'erasures'")
            await connection.exec_driver_sql("DROP INDEX tables_to_join")
        assert await occurrences(house, UNUSUAL) and await occurrences(house, SECRETLY)
    async with opened(db) as house:
        assert await occurrences(house, UNUSUAL, SECRETLY) == []
        hosts = {one.id: one.host for one in await house.tables()}
        assert hosts == {ids[0]: NAME, ids[1]: NAME, kept: other}
        keys = await house.store._rows(select(schema.events.c.person).where(schema.events.c.key == "of Bat's"))
        assert [person for (person,) in keys] == [bat.id] * 2, "others may ask twice"


def test_sqlite_overwrites_what_is_deleted(file):
    @run
    async def go(file):
        async with opened(file) as house, house.store.engine.connect() as connection:
            assert (await connection.exec_driver_sql("PRAGMA secure_delete")).scalar() == 1

    go(file)
    assert sqlite3.connect(file).execute("SELECT count(*) FROM people").fetchone() == (0,)


@run
async def test_erasing_that_has_to_wait_is_no_error_if_the_one_who_asked_is_gone(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        ada, begun, release, unheard = await house.people.new_person("Ada"), asyncio.Event(), asyncio.Event(), []
        asyncio.get_running_loop().set_exception_handler(lambda _, about: unheard.append(about))

        async def late():
            begun.set()
            await release.wait()
            raise Refused("words_opening")

        house.erasing.finish = late
        asking = asyncio.create_task(house.erase(ada))
        await begun.wait()
        asking.cancel()
        await asyncio.wait([asking])
        release.set()
        await asyncio.sleep(0.01)
        gc.collect()
        await asyncio.sleep(0)
        assert unheard == []
