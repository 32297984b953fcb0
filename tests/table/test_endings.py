"""Ending a game before its end: together, or because one of two people gives up; and what is said at a table."""

import asyncio

import pytest
from msgspec.structs import replace

from houses import opened, playing, run, tick
from in_memory_table import PEOPLE, Sitting
from sarai.core.errors import BadRecord
from sarai.core.records import from_json
from sarai.core.resignation import RESIGNED
from sarai.table import commands, dice_proof, event_types
from sarai.table.anonymize import erase
from sarai.table.clock import ClockRule
from sarai.table.end_question import LATE, MOST_QUESTIONS, SOON
from sarai.table.refusals import Refused
from sarai.table.storage.summaries import index_row
from sarai.table.table import FINISHED, PLAYING, Table
from sarai.table.talk import CHAT_LIMIT


def refused(sitting, person, command, later=1.0):
    with pytest.raises(Refused) as error:
        sitting.do(PEOPLE[person], command, later)
    return error.value.key


def keys(table, seat=None):
    return [event.key for _, event in table.seen(seat)]


def question(sitting):
    return sitting.table.end_questions.open.number


# --- together -----------------------------------------------------------------------------------------------------


def test_a_game_ends_without_a_result_when_all_people_in_it_agree():
    sitting = Sitting("sixnimmt", 4).begin(3).play(3)
    sitting.do(PEOPLE[0], commands.AskEnd())
    assert refused(sitting, 0, commands.AnswerEnd(True, question(sitting))) == "end_not_asked", "the asker is not asked"
    sitting.do(PEOPLE[1], commands.AnswerEnd(True, question(sitting)))
    assert sitting.table.phase == PLAYING
    assert refused(sitting, 1, commands.AnswerEnd(True, question(sitting))) == "end_not_asked", "twice"
    assert refused(sitting, 3, commands.AnswerEnd(True, question(sitting))) == "not_seated", "a bot has no say"
    sitting.do(PEOPLE[2], commands.AnswerEnd(True, question(sitting)))
    table = sitting.table
    assert (table.phase, table.ending, table.result) == (FINISHED, "agreed", None)
    assert Table.fold(table.id, sitting.entries).ending == "agreed"
    record = from_json(table.record(None))
    dice_proof.check(record)
    assert record.result is None and record.resigned is None


def test_one_who_refuses_keeps_the_game_going_and_the_asker_hears_it():
    sitting = Sitting("sixnimmt", 2).begin().play(2)
    sitting.do(PEOPLE[0], commands.AskEnd())
    assert refused(sitting, 1, commands.AskEnd()) == "end_asked"
    sitting.do(PEOPLE[1], commands.AnswerEnd(False, question(sitting)))
    assert sitting.table.phase == PLAYING and sitting.table.end_questions.open is None
    assert keys(sitting.table)[-2:] == ["end_asked", "end_refused"]
    assert sitting.table.end_questions.refusal == (0, 1)
    sitting.play(1)
    assert sitting.table.end_questions.refusal is None, "until the next move"


def test_a_question_can_be_withdrawn_and_a_yes_needs_its_number():
    sitting = Sitting("sixnimmt", 2).begin().play(2)
    sitting.do(PEOPLE[0], commands.AskEnd())
    old = question(sitting)
    assert refused(sitting, 1, commands.AnswerEnd(True)) == "stale"
    sitting.do(PEOPLE[0], commands.AnswerEnd(False, old))
    assert sitting.table.end_questions.open is None and keys(sitting.table)[-1] == "end_withdrawn"
    assert refused(sitting, 1, commands.AnswerEnd(True, old)) == "stale"
    sitting.do(PEOPLE[0], commands.AskEnd())
    assert refused(sitting, 1, commands.AnswerEnd(True, old)) == "stale", "to another question"
    assert sitting.table.phase == PLAYING


def test_nobody_is_asked_without_end_and_time_runs_out():
    for kind, seconds in (("none", LATE), ("live", SOON)):
        clock = ClockRule("live", 180, 300) if kind == "live" else None
        sitting = Sitting("sixnimmt", 2, clock=clock).begin()
        for _ in range(MOST_QUESTIONS):
            sitting.do(PEOPLE[0], commands.AskEnd())
            assert refused(sitting, 1, commands.AnswerEnd(True, question(sitting)), seconds + 1) == "end_not_asked"
            sitting.store([(event_types.EndLapsed(sitting.now), None)])
        assert refused(sitting, 0, commands.AskEnd()) == "end_questions_used"
        assert keys(sitting.table)[-1] == "end_lapsed"


def test_who_plays_alone_ends_the_game():
    sitting = Sitting("sixnimmt", 3).begin(1)
    sitting.do(PEOPLE[0], commands.AskEnd())
    assert (sitting.table.phase, sitting.table.ending) == (FINISHED, "agreed")


def test_moves_and_pauses_do_not_close_the_question():
    sitting = Sitting("sixnimmt", 2).begin()
    sitting.do(PEOPLE[0], commands.AskEnd())
    due = sitting.table.end_questions.due("none")
    sitting.play(2)
    sitting.store([(event_types.Paused(sitting.now + 50, sitting.now), None)])
    assert sitting.table.end_questions.due("none") == due + 50
    sitting.do(PEOPLE[1], commands.AnswerEnd(True, question(sitting)))
    assert sitting.table.ending == "agreed"


@run
async def test_a_question_that_nobody_answers_is_closed_by_the_house(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        id, people, _ = await playing(house)
        await house.act(id, people[0], commands.AskEnd())
        house.now.now += LATE + 1
        for _ in range(3000):
            await tick(house)
            if (await house.table(id)).end_questions.open is None:
                break
            await asyncio.sleep(0.02)
        table = await house.table(id)
        assert table.end_questions.open is None and keys(table)[-1] == "end_lapsed"


# --- giving up ----------------------------------------------------------------------------------------------------


def test_when_one_of_two_people_gives_up_the_other_wins_and_the_record_says_so():
    sitting = Sitting("sixnimmt", 2).begin().play(9)
    sitting.do(PEOPLE[1], commands.Resign())
    table = sitting.table
    assert (table.phase, table.ending, table.resigned) == (FINISHED, RESIGNED, 1)
    assert table.result.ranks == [1, 2] and table.result.utilities == [1.0, 0.0] and table.result.reason == RESIGNED
    assert table.result.scores == table.state.scores
    assert keys(table)[-1] == "gave_up"
    raw = table.record(None)
    record = from_json(raw)
    assert dice_proof.check(record) > 0 and record.resigned == 1 and record.to_json() == raw
    for change in ({"resigned": 0}, {"resigned": 2}, {"resigned": None}):
        with pytest.raises(BadRecord):
            from_json({**raw, **change}).check()
    with pytest.raises(BadRecord, match="names a result"):
        from_json({name: value for name, value in raw.items() if name != "resigned"}).check()
    assert index_row(table)["phase"] == FINISHED


def test_nobody_gave_up_a_game_that_came_to_its_end():
    raw = Sitting("sixnimmt", 2, {"rounds": 1}).begin().play().table.record(None)
    with pytest.raises(BadRecord) as error:
        from_json({**raw, "resigned": 0}).check()
    assert error.value.key == "record_resigned"


def test_where_a_bot_sat_or_more_than_two_play_a_bot_plays_on():
    for players, people in ((2, 1), (3, 3), (3, 2)):
        sitting = Sitting("sixnimmt", players).begin(people).play(3)
        sitting.do(PEOPLE[0], commands.Resign())
        assert sitting.table.resigned is None
        assert sitting.table.ending == ("abandoned" if people == 1 else None)
        assert keys(sitting.table).count("resigned") == 1


def test_an_old_log_in_which_a_bot_played_on_for_one_of_two_folds_as_before():
    sitting = Sitting("sixnimmt", 2, {"rounds": 1}).begin().play(3)
    sitting.happen([(event_types.Resigned(sitting.now, PEOPLE[0].id, 0, "regular"), None)])
    assert sitting.table.phase == PLAYING and sitting.table.seats[0].played_by == "regular"
    sitting.play()
    assert sitting.table.ending != RESIGNED and sitting.table.result is not None


# --- questions about moves ----------------------------------------------------------------------------------------


def test_who_asks_to_take_back_hears_that_it_was_refused():
    sitting = Sitting("sixnimmt", 2).begin().play(2)
    sitting.do(PEOPLE[0], commands.AskBack())
    sitting.do(PEOPLE[1], commands.AnswerBack(False))
    assert keys(sitting.table)[-2:] == ["take_back_asked", "take_back_refused"]
    assert sitting.table.refused_by == (0, 1)
    sitting.play(1)
    assert sitting.table.refused_by is None


# --- talk, names --------------------------------------------------------------------------------------------------


def test_reactions_are_talk_limited_and_muted_like_it():
    sitting = Sitting("sixnimmt", 2).begin()
    assert refused(sitting, 0, commands.React("shout")) == "unknown_reaction"
    for _ in range(CHAT_LIMIT):
        sitting.do(PEOPLE[0], commands.React("hello"), 0.1)
    assert refused(sitting, 0, commands.React("thanks"), 0.1) == "chat_flood"
    assert refused(sitting, 0, commands.Chat("hello"), 0.1) == "chat_flood", "both count together"
    line = sitting.table.chat[0]
    assert (line.text, line.reaction, line.seat) == ("👋 Hello!", "hello", 0)
    assert sitting.table.chat_for({line.guest}) == []
    sitting.do(PEOPLE[0], commands.ChangeAccess(talk="off"))
    assert refused(sitting, 1, commands.React("hello")) == "talk_off"


def test_an_erased_person_reacted_to_nothing():
    sitting = Sitting("sixnimmt", 2).begin()
    sitting.do(PEOPLE[1], commands.React("laugh"))
    sitting.do(replace(PEOPLE[1], name="Bob"), commands.UseName())
    rows = [(number, event_types.encode(event)) for number, event in sitting.entries]
    bodies = erase(rows, index_row(sitting.table)["summary"], PEOPLE[1].id, "x" * 22).bodies
    table = Table.fold("T" * 10, [(number, event_types.decode(bodies.get(number, body))) for number, body in rows])
    assert table.names == ["Ada", "Somebody"] and table.chat[-1].text.strip() == "…"
    assert b"Bob" not in b"".join(bodies.values()) and b"laugh" not in b"".join(bodies.values())


@run
async def test_a_new_name_reaches_running_tables(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        id, (ann, bo), _ = await playing(house)
        renamed = await house.rename(bo, "Bobby")
        for _ in range(3000):
            if (await house.table(id)).names[1] == "Bobby":
                break
            await asyncio.sleep(0.01)
        table = await house.table(id)
        assert table.names == [ann.name, "Bobby"] and table.participant_of(bo.id).name == "Bobby"
        renamed = await house.rename(renamed, ann.name)  # told apart from another of that name
        for _ in range(3000):
            if (await house.table(id)).names[1] != "Bobby":
                break
            await asyncio.sleep(0.01)
        assert (await house.table(id)).names == [ann.name, f"{ann.name} (2)"]


@run
async def test_a_table_that_missed_a_new_name_hears_of_it_when_its_player_comes(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        id, (_, bo), _ = await playing(house)
        await house.arrive(id, replace(bo, name="Robert"))
        assert (await house.table(id)).names[1] == "Robert"


@run
async def test_many_new_names_in_a_row_are_one_event_at_a_table(tmp_path, monkeypatch):
    async with opened(tmp_path / "house.db") as house:
        bo, tables, may_begin = await house.people.new_person("Bo"), house.tables, asyncio.Event()
        ids = [await house.create(bo, "sixnimmt", 2) for _ in range(3)]
        for id in ids:
            await house.act(id, bo, commands.Sit())
        before = [(await house.table(id)).number for id in ids]

        async def tables_later(**which):
            await may_begin.wait()
            return await tables(**which)

        monkeypatch.setattr(house, "tables", tables_later)
        for number in range(10):
            bo = await house.rename(bo, f"Bo {number}")
        may_begin.set()
        while [(await house.table(id)).names[0] for id in ids] != ["Bo 9"] * 3:
            await asyncio.sleep(0.01)
        assert [(await house.table(id)).number for id in ids] == [number + 1 for number in before]


@run
async def test_who_leaves_while_a_new_name_is_written_is_not_at_the_table(tmp_path, monkeypatch):
    async with opened(tmp_path / "house.db") as house:
        id, (_, bo), _ = await playing(house)
        acting = asyncio.Event()

        async def act(*_):
            acting.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(house, "act", act)
        arriving = asyncio.create_task(house.arrive(id, replace(bo, name="Robert")))
        await acting.wait()
        arriving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await arriving
        assert await house.present(id) == [] and not house.rooms.find(id).present


# --- watchers -----------------------------------------------------------------------------------------------------


@run
async def test_those_who_watch_are_counted_once_each_and_players_are_not(tmp_path):
    async with opened(tmp_path / "house.db") as house:
        id, (ann, _), _ = await playing(house)
        cem = await house.people.new_person("Cem")
        async with house.watch(id, ann.id), house.watch(id, cem.id), house.watch(id, cem.id), house.watch(id):
            room = await house.rooms.get(id)
            assert room.watchers == 2
            house.now.now += 3
            await tick(house)
            assert await house.watchers(id) == 2
        assert room.watchers == 0
