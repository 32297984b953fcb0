"""What a host may do about people and the table, and nobody else; seats kept for a rematch; roles in the talk."""

import asyncio

import pytest

from houses import Time, key_of, opened, play_out, playing, run, seated, stored
from in_memory_table import PEOPLE, SECRET, Sitting
from sarai.core import fair_dice
from sarai.table import event_types
from sarai.table.command_checks import changes
from sarai.table.commands import (
    AddBot,
    Ban,
    ChangeAccess,
    Chat,
    Close,
    FreeSeat,
    GiveWord,
    Lend,
    Mute,
    PassHost,
    Rematch,
    RemovePerson,
    Sit,
    Stand,
    Start,
)
from sarai.table.look_sit_talk_permissions import why_not_look
from sarai.table.new_table import rematch_events
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.table import CLOSED, Table

ADA, BAT, CEM, DOV = PEOPLE[:4]
STRANGER = Person("x" * 22, "Xia", "en")
POWERS = [RemovePerson(1), Ban(1), Ban(1, on=False), ChangeAccess(locked=True), PassHost(1), Close()]


def gathered(*people, players=4):
    """Return a table of Ada's at which some people sit."""
    sitting = Sitting(players=players, options={"rounds": 1})
    for person in people:
        sitting.do(person, Sit())
    return sitting


def reason(sitting, person, command):
    """Return why a command is refused, and check that nothing changed."""
    number = sitting.table.number
    with pytest.raises(Refused) as error:
        sitting.do(person, command)
    assert sitting.table.number == number and str(error.value)
    return error.value.key


def guest(sitting, person):
    return sitting.table.participant_of(person.id).number


def folded(sitting):
    return Table.fold("T" * 10, sitting.entries)


# --- the powers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", POWERS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("host_sits", [True, False])
def test_nobody_but_the_host_has_a_hosts_powers(command, host_sits):
    sitting = gathered(ADA, BAT, CEM)
    if not host_sits:
        sitting.do(ADA, Stand())
    for person in (BAT, CEM, STRANGER):  # sitting down while the host stands gives no power over people
        assert reason(sitting, person, command) == "host_only"
    sitting = Sitting(players=2, options={"rounds": 1}).begin()
    assert reason(sitting, BAT, command) == "host_only"


def test_who_was_removed_sits_again_only_if_the_host_allows_it():
    sitting = gathered(ADA, BAT)
    sitting.do(ADA, RemovePerson(1))
    assert sitting.table.seat_of(BAT.id) is None
    assert reason(sitting, BAT, Sit()) == "removed"
    sitting.do(BAT, Chat("why?"))
    sitting.do(ADA, Ban(guest(sitting, BAT), on=False))
    sitting.do(BAT, Sit())
    assert reason(sitting, ADA, RemovePerson(0)) == "not_yourself"
    assert reason(sitting, ADA, RemovePerson(3)) == "seat_not_person"
    assert reason(sitting, ADA, RemovePerson(9)) == "no_such_seat"
    assert reason(sitting, ADA, Ban(guest(sitting, BAT), on=False)) == "not_banned"


def test_removing_stops_a_start_that_waits_for_the_rules():
    sitting = gathered(ADA, BAT, players=2)
    sitting.store(changes(event_types.StartAsked(sitting.now, ADA.id)))
    sitting.do(ADA, RemovePerson(1))
    assert not sitting.table.starting


def test_who_is_banned_before_the_game_can_do_nothing_any_more():
    sitting = gathered(ADA, BAT)
    sitting.do(ADA, Ban(guest(sitting, BAT)))
    table = sitting.table
    assert table.seat_of(BAT.id) is None and why_not_look(table, BAT.id) == "banned"
    for command in (Sit(), Chat("let me in"), Mute(0), Start(), GiveWord("word"), FreeSeat(0), Ban(0), Rematch()):
        assert reason(sitting, BAT, command) == "banned"
    assert why_not_look(folded(sitting), BAT.id) == "banned"
    sitting.do(ADA, Ban(guest(sitting, BAT), on=False))
    sitting.do(BAT, Sit())
    assert reason(sitting, ADA, Ban(guest(sitting, ADA))) == "not_yourself"
    assert reason(sitting, ADA, Ban(99)) == "no_such_guest" == reason(sitting, ADA, Ban(-1))


def test_who_plays_cannot_be_banned_from_the_own_seat_but_talks_no_more():
    sitting = Sitting(players=2, options={"rounds": 1}).begin()
    sitting.do(ADA, Ban(guest(sitting, BAT)))
    assert why_not_look(sitting.table, BAT.id) is None
    assert reason(sitting, BAT, Chat("!")) == "talk_taken"
    assert reason(sitting, ADA, RemovePerson(1)) == "already_started"
    sitting.play()
    assert sitting.table.phase == "over"
    assert reason(sitting, BAT, Rematch()) == "banned", "others would follow to a table of which that person is host"
    events = rematch_events(sitting.table, ADA, fair_dice.commitment(SECRET), sitting.now)
    rematch = Table.fold("R" * 10, enumerate(events, 1))
    assert rematch.access.kept == {} and why_not_look(rematch, BAT.id) == "banned"


def test_a_locked_table_takes_nobody_new():
    sitting = gathered(ADA, BAT)
    sitting.do(CEM, Sit(2))
    sitting.do(CEM, Stand())
    sitting.do(ADA, ChangeAccess(locked=True))
    assert {reason(sitting, person, Sit()) for person in (CEM, STRANGER)} == {"table_locked"}
    sitting.do(BAT, Sit(3))  # changes seats
    sitting.do(ADA, Stand())
    sitting.do(ADA, Sit())
    sitting.do(ADA, AddBot())
    assert why_not_look(sitting.table, STRANGER.id) is None, "a lock is no curtain"
    sitting.do(ADA, ChangeAccess(locked=False))
    sitting.do(CEM, Sit())


def test_without_watchers_only_who_sits_and_the_host_look():
    sitting = gathered(BAT, players=2)
    sitting.do(ADA, ChangeAccess(watching=False))
    assert why_not_look(sitting.table, None) is why_not_look(sitting.table, CEM.id) is None, "they may sit down"
    sitting.do(ADA, ChangeAccess(locked=True))
    assert why_not_look(sitting.table, None) == why_not_look(sitting.table, CEM.id) == "no_watchers"
    sitting.do(ADA, AddBot(level="random"))
    sitting.do(ADA, ChangeAccess(locked=False))
    sitting.do(BAT, Start())
    for phase in ("playing", "over"):
        assert sitting.table.phase == phase
        assert [why_not_look(sitting.table, one) for one in (ADA.id, BAT.id, CEM.id, None)] == [
            None,
            None,
            "no_watchers",
            "no_watchers",
        ]
        assert reason(sitting, CEM, Chat("x")) == "no_watchers"
        sitting.play()
    sitting.do(ADA, ChangeAccess(watching=True))
    assert why_not_look(folded(sitting), None) is None


def test_talk_is_for_all_for_players_or_for_nobody():
    sitting = gathered(ADA, BAT)
    sitting.do(ADA, ChangeAccess(talk="players"))
    sitting.do(BAT, Chat("I sit"))
    assert reason(sitting, CEM, Chat("I do not")) == "talk_players"
    sitting.do(ADA, ChangeAccess(talk="off", locked=True))
    assert {reason(sitting, person, Chat("x")) for person in (ADA, BAT, CEM)} == {"talk_off"}
    sitting.do(ADA, ChangeAccess(talk="all"))
    assert sitting.table.access.locked, "what is not named stays"
    sitting.do(CEM, Chat("thanks"))


def test_the_host_passes_the_role_on_and_has_no_power_any_more():
    sitting = gathered(ADA, BAT)
    assert reason(sitting, ADA, PassHost(guest(sitting, ADA))) == "not_yourself"
    sitting.do(CEM, Chat("hello"))
    sitting.do(ADA, Ban(guest(sitting, CEM)))
    assert reason(sitting, ADA, PassHost(guest(sitting, CEM))) == "guest_banned"
    sitting.do(ADA, PassHost(guest(sitting, BAT)))
    assert {reason(sitting, ADA, command) for command in POWERS} == {"host_only"}
    sitting.do(BAT, Ban(guest(sitting, ADA)))
    assert folded(sitting).host == BAT.id and why_not_look(sitting.table, ADA.id) == "banned"


def test_a_closed_table_is_closed_for_everybody():
    sitting = gathered(ADA, BAT, players=2)
    sitting.do(ADA, Close())
    assert folded(sitting).phase == CLOSED
    for person in (ADA, BAT, CEM):
        for command in (Sit(), Stand(), Chat("x"), Start(), AddBot(), ChangeAccess(locked=False), Close()):
            assert reason(sitting, person, command) == "table_closed"
    assert reason(Sitting(players=2, options={"rounds": 1}).begin(), ADA, Close()) == "already_started"


# --- a rematch --------------------------------------------------------------------------------------------------------


def rematch():
    """Return a rematch of three people that Bat asked for."""
    before = Sitting(players=4, options={"rounds": 1}).begin(people=3).play()
    sitting = Sitting(players=4, options={"rounds": 1})
    sitting.entries, sitting.table, sitting.now = [], Table("T" * 10), before.now
    sitting.store(changes(*rematch_events(before.table, BAT, before.table.commitment, before.now)))
    return sitting


def test_people_of_the_game_before_have_their_seats_kept():
    sitting = rematch()
    assert sitting.table.seat_of(BAT.id) == 1 and sitting.table.seats[3].bot
    assert {seat: kept.name for seat, kept in sitting.table.access.kept.items()} == {0: "Ada", 2: "Cem"}
    assert reason(sitting, STRANGER, Sit()) == "table_full"
    assert (
        reason(sitting, STRANGER, Sit(0))
        == "seat_kept"
        == reason(sitting, BAT, AddBot(0))
        == reason(sitting, CEM, Sit(0))
    )
    assert reason(sitting, BAT, AddBot()) == "table_full"
    assert reason(sitting, BAT, Start()) == "seats_empty"
    sitting.do(BAT, ChangeAccess(locked=True, watching=False))
    assert why_not_look(sitting.table, CEM.id) is None and why_not_look(sitting.table, STRANGER.id) == "no_watchers"
    sitting.do(CEM, Sit())
    sitting.do(ADA, Sit())
    assert [sitting.table.seat_of(one.id) for one in (ADA, BAT, CEM)] == [0, 1, 2]
    sitting.do(BAT, Start())


def test_a_kept_seat_is_freed_by_the_host_and_by_who_does_not_come():
    sitting = rematch()
    for person in (STRANGER, CEM):
        assert reason(sitting, person, FreeSeat(0)) == "host_only"
    assert reason(sitting, BAT, FreeSeat(3)) == "seat_not_kept"
    sitting.do(ADA, FreeSeat(0))
    sitting.do(STRANGER, Sit())
    assert sitting.table.seat_of(STRANGER.id) == 0
    sitting.do(BAT, FreeSeat(2))
    sitting.do(BAT, AddBot())
    assert reason(sitting, CEM, Sit()) == "table_full"
    assert folded(sitting).access == sitting.table.access


# --- talk -------------------------------------------------------------------------------------------------------------


def test_a_line_keeps_the_role_of_its_writer_at_that_time():
    sitting = gathered(ADA, BAT, players=2)
    sitting.do(CEM, Chat("as a watcher"))
    sitting.do(BAT, Chat("as a player"))
    sitting.do(BAT, Stand())
    sitting.do(CEM, Sit())
    sitting.do(BAT, Chat("as a watcher"))
    sitting.do(CEM, Chat("as a player"))
    sitting.do(ADA, Start())
    sitting.do(CEM, Lend(1))
    sitting.do(CEM, Chat("while a bot plays"))
    roles = [(line.seat, line.is_lent) for line in folded(sitting).chat]
    assert roles == [(None, False), (1, False), (None, False), (1, False), (1, True)]


@pytest.mark.parametrize(
    "text", ["/resign", "  two  spaces  inside ", "<b>x</b>", "{name} %s \\n", "true", "null", "7", "مى‌شود", "`*a*`"]
)
def test_what_is_typed_is_what_is_stored(text):
    sitting = gathered(ADA)
    sitting.do(ADA, Chat(text))
    assert folded(sitting).chat[-1].text == text


@run
async def test_muting_is_no_event_and_outlives_a_restart(db):
    time = Time()
    async with opened(db, now=time) as house:
        id, (ada, bat) = await seated(house)
        await house.act(id, bat, Chat("hello"))
        table = await house.table(id)
        number, log_before = table.number, await house.store.log(id)
        async with house.watch(id, bat.id) as others, house.watch(id, ada.id) as own:
            for watch in (others, own):
                await anext(watch)
            assert await house.act(id, ada, Mute(table.participant_of(bat.id).number)) == number
            assert own._news.is_set() and not others._news.is_set(), "nobody else is woken"
        assert (await house.store.log(id), table.number) == (log_before, number)
        assert await house.mutes.of(ada.id, table) == {1} and await house.mutes.of(bat.id, table) == set()
        assert await key_of(house.act(id, ada, Mute(0))) == ("mute_self", 422)
        assert await key_of(house.act(id, ada, Mute(9))) == ("no_such_guest", 422)
    async with opened(db, now=time) as house:
        table = await house.table(id)
        assert await house.mutes.of(ada.id, table) == {1}
        await house.act(id, ada, Mute(1, on=False))
        assert await house.mutes.of(ada.id, table) == set()


@run
async def test_the_same_choice_at_two_processes_at_once_is_made_once(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, _) = await seated(one)
        await two.table(id)
        for on in (True, False) * 5:
            numbers = await asyncio.gather(*(house.act(id, ada, Mute(1, on)) for house in (one, two) for _ in range(3)))
            assert len(set(numbers)) == 1
            assert await one.mutes.of(ada.id, await one.table(id)) == ({1} if on else set())


@run
async def test_what_was_read_before_a_choice_is_not_kept_after_it(file, monkeypatch):
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        table, read = await house.table(id), house.mutes._read

        async def slow_read(person, table):
            chosen = await read(person, table)
            await house.act(id, ada, Mute(1))
            return chosen

        monkeypatch.setattr(house.mutes, "_read", slow_read)
        await house.mutes.of(ada.id, table)
        monkeypatch.setattr(house.mutes, "_read", read)
        assert await house.mutes.of(ada.id, table) == {1}


@run
async def test_who_was_muted_in_an_old_log_still_is_and_can_be_read_again(file):
    async with opened(file) as house:
        id, (ada, bat) = await seated(house)
        room = await house.rooms.get(id)
        await house.rooms.commit(room, changes(event_types.Muted(1.0, ada.id, 1, True)))
        assert await house.mutes.of(ada.id, room.table) == {1}
        await house.act(id, ada, Mute(1, on=False))
        assert await house.mutes.of(ada.id, room.table) == set() == await house.mutes.of(bat.id, room.table)


# --- the house --------------------------------------------------------------------------------------------------------


@run
async def test_lists_show_neither_closed_tables_nor_tables_of_which_somebody_was_banned(db):
    async with opened(db) as house:
        id, (ada, bat) = await seated(house, public=True)
        closed = await house.create(ada, "sixnimmt", 2, public=True)
        locked = await house.create(ada, "sixnimmt", 2, public=True)
        assert {one.id for one in await house.tables(open=True, public=True)} == {closed, locked}
        await house.act(closed, ada, Close())
        await house.act(locked, ada, ChangeAccess(locked=True))
        assert await house.tables(open=True, public=True) == []
        assert {one.id for one in await house.tables(of=ada)} == {id, locked}
        assert [one.id for one in await house.tables(of=bat)] == [id]
        await house.act(id, ada, Ban(1))
        assert await house.tables(of=bat) == []
        assert {one.id for one in await house.tables(of=ada)} == {id, locked}
        assert await key_of(house.look(closed, ada.id)) == ("table_closed", 404)
        assert await key_of(house.look(id, bat.id)) == ("banned", 403)


@run
async def test_a_rematch_is_in_the_lists_of_the_invited_and_open_to_nobody_else(file):
    async with opened(file) as house:
        id, (ada, bat), _ = await playing(house, public=True)
        await play_out(house, id, [ada, bat])
        await house.act(id, bat, Rematch())
        rematch = (await house.table(id)).rematch
        assert rematch in [one.id for one in await house.tables(of=ada)]
        assert await house.tables(open=True, public=True) == []
        assert (await stored(house, rematch)).access.seat_kept_for(ada.id) == 0
        await house.act(rematch, ada, FreeSeat(0))
        assert [(one.id, one.free) for one in await house.tables(open=True, public=True)] == [(rematch, 1)]


@run
async def test_nobody_has_the_name_of_a_person_for_whom_a_seat_is_kept(file):
    async with opened(file) as house:
        id, (ada, _, cem) = await seated(house, people=3)
        double, stranger = await house.people.new_person("Ada"), await house.people.new_person("Ad\u0430")  # Cyrillic
        await house.act(id, ada, RemovePerson(1))
        await house.act(id, double, Sit())
        await house.act(id, ada, Start())
        assert (await house.table(id)).names == ["Ada", "Ada (2)", "Cem"]
        await play_out(house, id, [ada, double, cem])
        await house.act(id, double, Rematch())
        rematch = (await house.table(id)).rematch
        assert (await house.table(rematch)).names == ["", "Ada (2)", ""], "though no other Ada is here yet"
        await house.act(rematch, stranger, Chat("It is me."))
        await house.act(rematch, ada, Sit())
        table = await stored(house, rematch)
        assert (table.names[0], table.chat[-1].name) == ("Ada", "Ad\u0430 (3)")
