"""The rules version belongs to a table: tables of version 1 open, go on and end by it; new ones use the newest."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from in_memory_table import PEOPLE, Sitting
from quick_bots import QuickBots
from sarai.core.records import from_json
from sarai.table import event_types
from sarai.table.commands import AnswerBack, AskBack, Chat, Move, Rematch, Resign
from sarai.table.dice_proof import check
from sarai.table.new_table import rematch_events
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.storage.writes import events_write, new_table_write
from sarai.table.table import Table

LOGS = sorted((Path(__file__).parents[1] / "records").glob("*.log.json"))  # written before there was a version 2
ID = "T" * 10


def load(path):
    """Return a log's events, the secret of its dice and the record that the table gave then."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return [event_types.decode(json.dumps(event).encode()) for event in data["events"]], data["secret"], data["record"]


def do_again(sitting, event):
    """Send the command that led to an event; what follows from commands by itself is left out."""
    people = {person.id: person for person in PEOPLE}
    later = event.at - sitting.now
    match event:
        case event_types.Moved(by=None):
            sitting.now = event.at - 1
            sitting.move(event.move, event.seat)
        case event_types.Moved():
            sitting.do(people[event.by], Move(event.move), later)
        case event_types.TakeBackAsked():
            sitting.do(people[event.by], AskBack(), later)
        case event_types.TakeBackAnswered():
            sitting.do(people[event.by], AnswerBack(event.yes), later)
        case event_types.TakenBack():
            sitting.do(people[sitting.table.seats[event.seat].person], AskBack(), later)


def without_new_fields(event):
    """Return an event as it was written then, when answers had no number and questions were not told of."""
    if isinstance(event, event_types.TakeBackAsked):
        return msgspec.structs.replace(event, told=False)
    if isinstance(event, event_types.TakeBackAnswered):
        return msgspec.structs.replace(event, question=0)
    return msgspec.structs.replace(event, granted=False) if isinstance(event, event_types.TakenBack) else event


def test_there_are_logs_of_version_1():
    assert {path.name for path in LOGS} == {"anubixx-2-rules-1.log.json", "desert-5-rules-1.log.json"}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_finished_table_of_version_1_opens_with_the_same_record(path):
    events, _, record = load(path)
    table = Table.fold(ID, enumerate(events, 1))
    assert table.game.rules_version > table.rules_version == 1
    assert table.state.rules_version == table.state.view(0).rules_version == 1
    assert json.dumps(table.record(None)) == json.dumps(record)
    assert check(from_json(table.record(None))) == table.drawn
    stored = json.loads(path.read_text(encoding="utf-8"))["events"]
    assert [msgspec.json.decode(event_types.encode(event)) for event in events] == stored


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_running_table_of_version_1_goes_on_and_ends_by_it(path, part):
    events, secret, record = load(path)
    moves = [place for place, event in enumerate(events) if isinstance(event, event_types.Moved)]
    cut = moves[int(part * len(moves))]
    sitting = Sitting(secret=secret)
    sitting.table, sitting.entries, sitting.now = Table(ID), [], events[cut - 1].at
    for number, event in enumerate(events[:cut], 1):
        sitting.table.apply(number, event)
        sitting.entries.append((number, event))
    assert sitting.table.record(0)["rules_version"] == sitting.table.record(0)["view"]["rules_version"] == 1
    for place, event in enumerate(events[cut:], cut):
        if place == len(sitting.entries):
            do_again(sitting, event)
    assert [without_new_fields(event) for _, event in sitting.entries] == events
    assert sitting.table.record(None) == record


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_rematch_uses_the_newest_rules(path):
    events, _, _ = load(path)
    table = Table.fold(ID, enumerate(events, 1))
    first = rematch_events(table, PEOPLE[0], "c" * 64, 2000.0)[0]
    assert first.rules_version == table.game.rules_version > 1


async def stored(path, events, secret):
    """Make a database with one table."""
    house = await House.open(str(path), QuickBots(), lambda: 9000.0)
    await house.store.writer.append(new_table_write(ID, events, secret))
    return house


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_house_goes_on_with_a_table_of_version_1(path, tmp_path):
    async def go():
        events, secret, _ = load(path)
        cut = next(place for place, event in enumerate(events) if isinstance(event, event_types.Moved)) + 1
        house = await stored(tmp_path / "house.db", events[:cut], secret)
        await house.games.wait(events[0].game)
        table = await house.table(ID)
        person = next(person for person in PEOPLE if person.id == table.seats[table.to_act[0]].person)
        await house.act(ID, person, Move(table.state.legal(table.to_act[0])[0]))
        assert table.rules_version == table.state.rules_version == 1
        for person in PEOPLE:
            if table.phase == "playing" and table.seat_of(person.id) is not None:
                await house.act(ID, person, Resign())
        assert table.phase == "over" and table.record(None)["rules_version"] == 1
        check(from_json(table.record(None)))
        await house.act(ID, PEOPLE[0], Rematch())
        again = await house.table(table.rematch)
        assert again.rules_version == again.game.rules_version > 1
        await house.close()

    asyncio.run(asyncio.wait_for(go(), 120))


def test_a_table_of_rules_that_are_not_known_yet_is_refused_clearly(tmp_path, caplog):
    async def go():
        events, secret, _ = load(LOGS[0])
        house = await stored(tmp_path / "house.db", events[:3], secret)
        newer = msgspec.structs.replace(events[0], rules_version=99)
        await house.store.writer.append(events_write("N" * 10, 0, [newer, *events[1:3]]))
        for ask in (house.table("N" * 10), house.act("N" * 10, PEOPLE[0], Chat("x"))):
            with pytest.raises(Refused) as refused:
                await ask
            assert (refused.value.key, refused.value.facts["found"]) == ("record_rules_version", 99)
            assert "version 99" in str(refused.value)
        assert (await house.table(ID)).number == 3, "others are not held up"
        await house.background.tick()
        await house.close()

    asyncio.run(asyncio.wait_for(go(), 120))
    assert not caplog.records
