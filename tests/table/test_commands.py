"""What people ask of a table: what follows, and every refusal with its status."""

import msgspec
import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.errors import REASONS
from sarai.table import commands, event_types
from sarai.table.clock import ClockRule
from sarai.table.commands import (
    AddBot,
    AnswerBack,
    AskBack,
    Chat,
    GiveWord,
    Lend,
    Move,
    Mute,
    Rematch,
    RemoveBot,
    Resign,
    Return,
    Sit,
    Stand,
    Start,
)
from sarai.table.person import Person
from sarai.table.refusals import SENTENCES, STATUS, Refused
from sarai.table.table import Table
from sarai.table.text_checks import clean

ADA, BAT, CEM = PEOPLE[:3]


def table(players=2, **options):
    return Sitting(players=players, options={"rounds": 1} | options)


def running(players=2, people=None):
    return table(players).begin(people)


def finished():
    return running().play()


def refused(sitting, person, command):
    """Return why a command is refused, and check that nothing changed."""
    before, number = msgspec.json.encode([event for _, event in sitting.entries]), sitting.table.number
    with pytest.raises(Refused) as error:
        sitting.do(person, command)
    assert sitting.table.number == number
    assert msgspec.json.encode([event for _, event in sitting.entries]) == before
    assert str(error.value)
    return error.value.key, error.value.status


# --- before the game --------------------------------------------------------------------------------------------------


def test_people_sit_change_seats_and_stand():
    sitting = table(3)
    sitting.do(ADA, Sit())
    assert sitting.table.seat_of(ADA.id) == 0
    sitting.do(ADA, Sit(2))
    assert sitting.table.seat_of(ADA.id) == 2
    assert [seat.empty for seat in sitting.table.seats] == [True, True, False]
    sitting.do(ADA, Stand())
    assert all(seat.empty for seat in sitting.table.seats)
    assert sitting.table.seat_of(None) is None


def test_bots_have_names_of_their_own():
    sitting = table(4)
    for level in ("novice", "regular", "master"):
        sitting.do(ADA, AddBot(level=level))
    assert [seat.bot for seat in sitting.table.seats] == ["novice", "regular", "master", None]
    assert len(set(sitting.table.names)) == 4
    sitting.do(ADA, RemoveBot(1))
    assert sitting.table.seats[1].empty


def test_where_the_host_does_not_sit_everybody_seated_may_begin():
    sitting = table()
    sitting.do(BAT, Sit())
    sitting.do(BAT, AddBot())
    sitting.do(BAT, Start())
    assert sitting.table.phase == "playing"


@pytest.mark.parametrize(
    ("person", "command", "key", "status"),
    [
        (BAT, Sit(0), "seat_taken", 409),
        (BAT, Sit(9), "no_such_seat", 422),
        (BAT, Sit(-1), "no_such_seat", 422),
        (BAT, Stand(), "not_seated", 403),
        (BAT, AddBot(), "not_seated", 403),
        (CEM, AddBot(), "not_host", 403),
        (CEM, Start(), "not_host", 403),
        (ADA, Start(), "seats_empty", 409),
        (ADA, AddBot(level="genius"), "unknown_level", 422),
        (ADA, AddBot(level="uct"), "unknown_level", 422),
        (ADA, AddBot(seat=0), "seat_taken", 409),
        (ADA, RemoveBot(0), "seat_not_bot", 409),
        (ADA, RemoveBot(7), "no_such_seat", 422),
        (BAT, GiveWord("x"), "not_seated", 403),
        (ADA, GiveWord("x"), "word_is_plain", 409),
        (ADA, Move(1), "not_playing", 409),
        (BAT, Move(1), "not_seated", 403),
        (ADA, AskBack(), "not_playing", 409),
        (ADA, AnswerBack(True), "not_playing", 409),
        (ADA, Resign(), "not_playing", 409),
        (ADA, Lend(0), "not_playing", 409),
        (ADA, Return(), "not_playing", 409),
        (ADA, Rematch(), "not_over", 409),
        (BAT, Rematch(), "not_seated", 403),
        (ADA, Mute(0), "mute_self", 422),
        (ADA, Mute(5), "no_such_guest", 422),
    ],
)
def test_refused_before_the_game(person, command, key, status):
    sitting = table(3)
    sitting.do(ADA, Sit())
    sitting.do(CEM, Sit())
    assert refused(sitting, person, command) == (key, status)


def test_refused_at_a_full_table_and_without_people():
    sitting = table()
    sitting.do(ADA, AddBot())
    sitting.do(ADA, AddBot())
    assert refused(sitting, BAT, Sit()) == ("table_full", 409)
    assert refused(sitting, ADA, Start()) == ("nobody_seated", 409)


# --- in the game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("person", "command", "key", "status"),
    [
        (ADA, Sit(), "already_started", 409),
        (ADA, Stand(), "already_started", 409),
        (ADA, AddBot(), "already_started", 409),
        (ADA, RemoveBot(1), "already_started", 409),
        (ADA, GiveWord("late"), "already_started", 409),
        (ADA, Start(), "already_started", 409),
        (CEM, Move(3), "not_seated", 403),
        (ADA, Move(-1), "unknown_move", 422),
        (ADA, Move(1 << 70), "unknown_move", 422),
        (ADA, Move(104), "no_row_to_take", 422),
        (ADA, AskBack(), "nothing_to_take_back", 409),
        (ADA, AnswerBack(True), "no_take_back", 409),
        (ADA, Return(), "not_lent", 403),
        (ADA, Lend(7), "no_such_seat", 422),
        (ADA, Lend(0, "genius"), "unknown_level", 422),
        (CEM, Lend(0), "not_seated", 403),
        (CEM, Resign(), "not_seated", 403),
        (CEM, Return(), "not_seated", 403),
    ],
)
def test_refused_in_the_game(person, command, key, status):
    assert refused(running(), person, command) == (key, status)


def test_illegal_moves_have_the_reason_of_the_game():
    sitting = running()
    absent = next(card for card in range(104) if card not in sitting.table.state.legal(0))
    assert refused(sitting, ADA, Move(absent)) == ("card_not_in_hand", 422)
    sitting.do(ADA, Move(sitting.table.state.legal(0)[0]))
    assert refused(sitting, ADA, Move(0)) == ("not_your_turn", 409)


def test_refused_when_it_is_over():
    sitting = finished()
    for command in (Move(0), AskBack(), AnswerBack(True), Resign(), Lend(0), Return()):
        assert refused(sitting, ADA, command) == ("not_playing", 409)
    sitting.do(ADA, Rematch())
    sitting.table.rematch = "N" * 10
    assert refused(sitting, BAT, Rematch()) == ("rematch_made", 409)


def test_who_resigns_is_played_on_by_a_bot_while_others_play():
    sitting = running(3)
    sitting.do(ADA, Resign())
    assert sitting.table.phase == "playing"
    assert sitting.table.seats[0].played_by == "regular"
    for command in (Move(sitting.table.state.legal(0)[0]), AskBack(), Resign(), Return(), Lend(0)):
        assert refused(sitting, ADA, command) == ("seat_lost", 403)
    sitting.do(BAT, Resign())
    assert sitting.table.phase == "playing"
    sitting.do(CEM, Resign())
    assert (sitting.table.phase, sitting.table.ending, sitting.table.result) == ("over", "abandoned", None)
    assert sitting.table.secret == sitting.secret


def test_a_seat_is_lent_and_comes_back():
    sitting = running()
    sitting.do(ADA, Lend(0, "expert"))
    assert sitting.table.bots_to_act == [0]
    assert refused(sitting, ADA, Move(sitting.table.state.legal(0)[0])) == ("seat_is_lent", 409)
    assert refused(sitting, ADA, Lend(0)) == ("seat_is_lent", 409)
    assert refused(sitting, BAT, Lend(0)) == ("not_away", 403), "a bot plays already"
    sitting.do(ADA, Return())
    assert sitting.table.bots_to_act == []
    sitting.do(ADA, Move(sitting.table.state.legal(0)[0]))
    assert [seen.event.key for seen in sitting.table.seen(None)][-3:-1] == ["seat_lent", "seat_returned"]


def test_a_finished_game_has_a_result_and_its_secret():
    sitting = finished()
    assert sitting.table.result == sitting.table.state.result
    assert sitting.table.ending == sitting.table.result.reason == "rounds_played"
    assert sitting.table.secret == sitting.secret
    assert sitting.table.to_act == ()
    assert running().table.secret is None


# --- stale numbers ----------------------------------------------------------------------------------------------------


def test_what_others_choose_at_the_same_time_changes_nothing_for_who_still_chooses():
    sitting = running(3)
    before = sitting.table.last_change_for(0)
    sitting.play(0)
    sitting.move(sitting.table.state.legal(1)[0], 1)
    assert sitting.table.last_change_for(0) == before
    assert sitting.table.last_change_for(1) == sitting.table.number
    sitting.do(ADA, Chat("hello"))
    assert sitting.table.last_change_for(0) == before
    sitting.move(sitting.table.state.legal(2)[0], 2)
    number = sitting.move(sitting.table.state.legal(0)[0], 0)
    assert [sitting.table.last_change_for(seat) for seat in range(3)] == [number] * 3


# --- chat -------------------------------------------------------------------------------------------------------------


def test_lines_from_a_time_to_come_hold_nobody_up():
    sitting = table()
    for line in range(5):
        sitting.do(ADA, Chat(f"{line}"))
    sitting.now -= 3600
    sitting.do(ADA, Chat("the clock was set back"))
    for line in range(4):
        sitting.do(ADA, Chat(f"{line}"))
    with pytest.raises(Refused) as flood:
        sitting.do(ADA, Chat("too much"))
    assert flood.value.key == "chat_flood" and 0 < flood.value.facts["seconds"] <= 10


def test_chat_is_limited():
    sitting = table()
    watcher = Person("w" * 22, "<script>alert(1)</script>"[:24], "en")
    for line in range(5):
        sitting.do(watcher, Chat(f"<b>{line}</b>"))
    assert refused(sitting, watcher, Chat("more")) == ("chat_flood", 429)
    sitting.do(ADA, Chat("hello"))
    guest = sitting.table.participant_of(watcher.id).number
    assert [line.text for line in sitting.table.chat_for({guest})] == ["hello"]
    assert len(sitting.table.chat_for(())) == 6
    sitting.now += 10
    sitting.do(watcher, Chat("again"))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "chat_empty"),
        ("  ", "chat_empty"),
        ("\u200c", "chat_empty"),
        ("x" * 301, "chat_too_long"),
        ("a\u202eb", "chat_unprintable"),
    ],
)
def test_lines_that_are_refused(text, key):
    assert refused(table(), ADA, Chat(text)) == (key, 422)


@pytest.mark.parametrize("kind", ["name", "chat", "word"])
def test_a_text_that_is_much_too_long_is_refused_before_it_is_composed(kind):
    marks = "a" + "\u0301" * 20_000 + "\u0316" * 20_000  # they would be sorted one by one: seconds of the event loop
    with pytest.raises(Refused) as error:
        clean(marks, kind)
    assert error.value.key == f"{kind}_too_long"


def test_a_text_may_come_in_parts_that_are_composed():
    assert clean("a\u0302\u0301" * 24, "name") == "ấ" * 24  # 72 characters become 24


@pytest.mark.parametrize(
    "name", ["Ali", "عَلی", "مى‌شود", "בת־שבע", "Ζωή", "<b>x</b>", "👨‍👩‍👧", "x" * 24, "O'Neil & Söhne"]
)
def test_names_that_are_fine(name):
    assert clean(f"  {name} ", "name") == name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("", "name_empty"),
        ("   ", "name_empty"),
        ("\u200d\u200c", "name_empty"),
        ("x" * 25, "name_too_long"),
        ("a\u202eb", "name_unprintable"),
        ("a\u2066b", "name_unprintable"),
        ("a\u200fb", "name_unprintable"),
        ("a\u061cb", "name_unprintable"),
        ("a\x00b", "name_unprintable"),
        ("a\nb", "name_unprintable"),
        ("a\u2028b", "name_unprintable"),
        ("a\ud800b", "name_unprintable"),
        ("a\ufeffb", "name_unprintable"),
    ],
)
def test_names_that_are_refused(name, key):
    with pytest.raises(Refused) as error:
        clean(name, "name")
    assert (error.value.key, error.value.status) == (key, 422)


# --- forms ------------------------------------------------------------------------------------------------------------


def test_every_refusal_has_one_status_and_a_sentence():
    keys = [key for sentences in SENTENCES.values() for key in sentences]
    assert len(keys) == len(set(keys))
    assert set(STATUS.values()) <= {401, 403, 404, 409, 422, 429, 503, 507}
    assert all(key in REASONS for key in STATUS)


def test_commands_are_read_from_json():
    assert msgspec.json.decode(b'{"type": "Move", "move": 7}', type=commands.Command) == Move(7)
    assert msgspec.json.decode(b'{"type": "Sit"}', type=commands.Command) == Sit(None)
    for bad in (
        b"",
        b"{}",
        b'{"type": "Fly"}',
        b'{"type": "Move"}',
        b'{"type": "Move", "move": "7"}',
        b'{"type": "Sit", "seat": 1, "more": 2}',
        b'{"type": "Move", "move": true}',
    ):
        with pytest.raises(msgspec.DecodeError):
            msgspec.json.decode(bad, type=commands.Command)


def test_every_event_can_be_written_and_read():
    sitting = running(3, people=2)
    sitting.do(BAT, Lend(1))
    sitting.do(BAT, Return())
    sitting.do(ADA, Chat("x"))
    for number, event in sitting.play().entries:
        assert event_types.decode(event_types.encode(event)) == event, number


def test_the_log_is_the_table():
    sitting = running(3, people=2)
    again = Table.fold(sitting.table.id, sitting.play().entries)
    assert again.state == sitting.table.state
    assert again.record(None) == sitting.table.record(None)
    with pytest.raises(ValueError, match="cannot follow"):
        again.apply(again.number, event_types.Chatted(1.0, ADA.id, "Ada", "again"))


def test_a_log_of_other_rules_is_not_folded():
    sitting = table()
    created = msgspec.structs.replace(sitting.entries[0][1], rules_version=99)
    with pytest.raises(sarai.BadRecord) as error:
        Table.fold("x", [(1, created)])
    assert error.value.key == "record_rules_version"


@pytest.mark.parametrize(
    "clock",
    [
        ClockRule("sand"),
        ClockRule("live"),
        ClockRule("live", 0, 5),
        ClockRule("live", 5, 999),
        ClockRule("days", days=99),
        ClockRule("live", -1),
    ],
)
def test_clocks_that_there_are_not(clock):
    with pytest.raises(Refused) as error:
        clock.check()
    assert (error.value.key, error.value.status) == ("bad_clock", 422)
