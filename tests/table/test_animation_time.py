"""How long what happened is shown: bots move after that, clocks run from then on, and nobody else has to wait."""

import asyncio
from types import SimpleNamespace

import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.animation import LONGEST, beats_of, seconds_of
from sarai.core.events import Event
from sarai.table import commands
from sarai.table.clock import ClockRule
from sarai.table.service import bot_moves
from sarai.table.service.bot_moves import BotMoves
from sarai.table.table import Table

TRICK = [Event("turned_up", {}), Event("turned_up", {}), Event("joined_row", {}), Event("took_full_row", {})]


def test_events_of_a_group_are_shown_together_and_a_show_is_never_long():
    game = sarai.game("sixnimmt")
    assert [(beat.group, len(beat.events)) for beat in beats_of(game, TRICK)] == [
        ("turned_up", 2),
        ("joined_row", 1),
        ("took_full_row", 1),
    ]
    assert 0 < seconds_of(beats_of(game, TRICK)) < LONGEST == seconds_of(beats_of(game, TRICK * 10))
    assert beats_of(game, [Event("chose_hidden", {}), Event("dealt", {})]) == []


def trick(clock=None):
    """A table at which both players have chosen: what follows is being shown."""
    sitting = Sitting(clock=clock).begin()
    while not (sitting.table.show_time.until and len(sitting.table.to_act) == 2):
        sitting.play(1)
    return sitting


def test_clocks_run_when_people_have_been_shown_what_happened():
    for rule in (ClockRule("live", 5, 0), ClockRule("days", days=1)):
        sitting = trick(rule)
        table, seat = sitting.table, sitting.table.to_act[0]
        length, had = table.show_time.until - sitting.now, table.clocks(sitting.now)[seat]
        assert 1 <= length <= LONGEST
        assert table.clocks(sitting.now + length)[seat] == had
        assert table.clocks(sitting.now + length + 1)[seat] == pytest.approx(had - 1)
        assert table.clock_state.due == pytest.approx(table.show_time.until + min(table.clocks(sitting.now)))


def test_people_may_move_at_once_and_what_has_no_show_does_not_end_one():
    sitting = trick(ClockRule("live", 5, 0))
    table, until = sitting.table, sitting.table.show_time.until
    had = table.clocks(sitting.now)
    sitting.do(PEOPLE[0], commands.Move(table.state.legal(0)[0]), later=0.5)
    assert table.show_time.until == until, "a card put face down shows nothing"
    assert table.clocks(until) == had, "neither the quick player nor the other has lost time"
    assert table.clocks(until + 2)[1] == pytest.approx(had[1] - 2)


def test_the_length_of_a_show_follows_from_the_log():
    sitting = trick()
    folded = Table.fold(sitting.table.id, sitting.entries)
    assert folded.show_time.until == sitting.table.show_time.until > sitting.now


def test_a_show_ends_when_its_move_is_taken_back():
    sitting = Sitting("anubixx", 2).begin()
    sitting.table.show_time.until = sitting.now + 100
    sitting.play(1)
    sitting.do(PEOPLE[0], commands.AskBack(), later=0.1)
    while sitting.table.take_back is not None:
        sitting.do(PEOPLE[1], commands.AnswerBack(True), later=0.1)
    assert sitting.table.show_time.until <= sitting.now


@pytest.mark.parametrize(("pause", "waits"), [(0.7, True), (0.0, False)])
def test_bots_wait_until_people_have_been_shown_what_happened(monkeypatch, pause, waits):
    sitting = Sitting("sixnimmt", 2).begin(1)
    while not (sitting.table.show_time.until and sitting.table.bots_to_act):
        sitting.play(1)
    slept, moved = [], []

    class Rooms:
        def now(self):
            return sitting.now

        async def commit(self, room, changes):
            sitting.happen(changes)
            moved.append(len(slept))

    async def sleep(seconds):
        slept.append(seconds)
        sitting.now += seconds

    async def go():
        room = SimpleNamespace(table=sitting.table, lock=asyncio.Lock())
        moves = BotMoves(Rooms(), None, None, pause, SimpleNamespace(is_shared=False))
        monkeypatch.setattr(moves, "_choose", choose)
        await moves._play_turns(room)

    async def choose(table, seat):
        return table.state.legal(seat)[0]

    until, began = sitting.table.show_time.until, sitting.now
    monkeypatch.setattr(bot_moves.asyncio, "sleep", sleep)
    asyncio.run(go())
    assert moved, "a bot has moved"
    if waits:
        assert moved[0] == 1 and slept[0] == pytest.approx(max(until - began, pause))
        assert slept[0] > pause, "the show was longer than the pause"
    else:
        assert not slept
