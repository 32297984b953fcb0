"""Thousands of watched tables: what a process does by itself grows with what is due, not with how many there are."""

import copy
from collections import Counter

from houses import Time, opened, playing, run, tick
from sarai.table.commands import Chat
from sarai.table.service.room import AWAY, LOOK, Room, Watch
from sarai.table.service.rooms import LOOKS, MOST_ROOMS
from sarai.table.service.schedule import Schedule

TABLES = 5000


def test_a_schedule_gives_what_is_due_once_the_longest_first():
    schedule = Schedule()
    for id, when in (("a", 5.0), ("b", 3.0), ("a", 4.0), ("c", 9.0), ("b", 7.0), ("d", 1.0)):
        schedule.at(id, when)
    schedule.forget("d")
    assert list(schedule.due(2.0)) == []
    assert list(schedule.due(4.5)) == ["b", "a"]
    assert list(schedule.due(8.0)) == [], "a later wish for the same table was no wish"
    schedule.at("a", 8.5)
    assert list(schedule.due(9.0)) == ["a", "c"]


class Counted:
    """Counts calls of functions of `Room`."""

    def __init__(self, monkeypatch):
        self.calls = Counter()
        for name in ("show_absent", "next_look", "away", "lendable", "publish"):
            self.count(monkeypatch, name)
        idle = Room.idle.fget
        monkeypatch.setattr(Room, "idle", property(lambda room: self.note("idle") or idle(room)))

    def note(self, name):
        self.calls[name] += 1

    def count(self, monkeypatch, name):
        real = getattr(Room, name)

        def counted(room, *arguments):
            self.note(name)
            return real(room, *arguments)

        monkeypatch.setattr(Room, name, counted)

    def take(self):
        taken, self.calls = self.calls, Counter()
        return taken


def fill(house, room, number):
    """Put a copy of a room that somebody watches into memory."""
    table = copy.copy(room.table)
    table.id = f"{number:010}"
    other = Room(table, room.secret, house.now())
    other.watches.add(Watch(other, table.seats[0].person))
    house.rooms._rooms[table.id] = other
    house.rooms._note_people(other)
    house.background.plan(other)


@run
async def test_five_thousand_watched_tables_cost_what_is_due(file, monkeypatch):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, _), _ = await playing(house)
        room = await house.rooms.get(id)
        for number in range(TABLES):
            fill(house, room, number)
        counted = Counted(monkeypatch)
        for _ in range(20):
            time.now += 0.5
            await tick(house)
        assert sum(counted.take().values()) == 0, "ten seconds in which nothing is due cost nothing"
        await house.act(id, ada, Chat("hello"))
        time.now += 0.5
        await tick(house)
        assert counted.take().total() < 20, "what happens at one table concerns no other"
        time.now += LOOK
        await tick(house)
        looks = counted.take()
        assert TABLES <= looks["show_absent"] <= TABLES + 1 and looks["publish"] == 0
        time.now += AWAY
        await tick(house)
        assert counted.take()["publish"] == TABLES, "now both are away"
        other, _, _ = await playing(house)
        made = counted.take()
        assert made["idle"] <= LOOKS, "to load one more looks at a few, and sorts nothing"
        assert len(house.rooms) == TABLES + 2 and house.rooms.find(other) is not None


@run
async def test_tables_that_nobody_uses_are_dropped_the_one_used_longest_ago_first(file, monkeypatch):
    monkeypatch.setattr("sarai.table.service.rooms.MOST_ROOMS", 3)
    assert MOST_ROOMS > 3
    async with opened(file) as house:
        ada = await house.people.new_person("Ada")
        ids = [await house.create(ada, "sixnimmt", 2) for _ in range(6)]
        for id in ids[:3]:
            await house.table(id)
        await house.table(ids[0])
        async with house.watch(ids[1]):
            await house.table(ids[3])
            assert house.rooms.find(ids[1]) is not None, "somebody looks at it"
            await house.table(ids[4])
            assert house.rooms.find(ids[2]) is None
            assert len(house.rooms) <= 4
        await house.table(ids[5])
        await house.table(ids[2])
        assert len(house.rooms) <= 3
