"""Taking back, clocks, and what a viewer gets: the parts of a table that need a game in play."""

import json
from random import Random

import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly
from sarai.core.result import CHANCE
from sarai.table import event_types
from sarai.table.chance import follows
from sarai.table.clock import DAY, ClockRule
from sarai.table.commands import AnswerBack, AskBack, Move, Return
from sarai.table.decide import changes
from sarai.table.history_types import Undone
from sarai.table.refusals import Refused
from sarai.table.takeback import find_take_back
from sarai.testing.generators import steps
from sarai.testing.knowledge import other_step, seen

ADA, BAT, CEM = PEOPLE[:3]
ONE_ROUND = {"rounds": 1}


def running(players=3, people=None, clock=None):
    return Sitting(players=players, options=ONE_ROUND, clock=clock).begin(people)


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_choice_is_taken_back_and_those_of_others_stay():
    sitting = running()
    start = sitting.table.state
    first, second = start.legal(0)[0], start.legal(1)[3]
    sitting.move(first, 0)
    sitting.move(second, 1)
    sitting.do(ADA, AskBack())
    assert sitting.table.take_back is None
    assert sitting.table.state == start.play(second, 1)
    assert sitting.table.to_act == (0, 2)
    sitting.move(start.legal(0)[1], 0)
    assert sitting.table.state == start.play(second, 1).play(start.legal(0)[1], 0)


def test_when_cards_were_turned_up_everybody_is_asked():
    sitting = running()
    before = sitting.table.state
    moves = [before.legal(seat)[seat] for seat in range(3)]
    for seat in range(3):
        sitting.move(moves[seat], seat)
    assert not find_take_back(sitting.table, 0).free
    sitting.do(ADA, AskBack())
    assert sitting.table.take_back.seat == 0
    assert sitting.table.bots_to_act == []
    with pytest.raises(Refused):
        sitting.do(ADA, AskBack())
    with pytest.raises(Refused):
        sitting.do(BAT, AskBack())
    with pytest.raises(Refused):
        sitting.do(ADA, AnswerBack(True))
    sitting.do(BAT, AnswerBack(True))
    assert sitting.table.take_back.answers == {1: True}
    sitting.do(CEM, AnswerBack(True))
    assert sitting.table.take_back is None
    assert sitting.table.state == before, "all cards are in all hands again"


def test_one_no_is_enough():
    sitting = running()
    for seat in range(3):
        sitting.move(sitting.table.state.legal(seat)[0], seat)
    before = sitting.table.state
    sitting.do(ADA, AskBack())
    sitting.do(CEM, AnswerBack(False))
    assert sitting.table.take_back is None
    assert sitting.table.state == before
    with pytest.raises(Refused) as error:
        sitting.do(ADA, AskBack())
    assert (error.value.key, error.value.status) == ("take_back_denied", 409)
    sitting.do(BAT, AskBack())


def test_who_asked_may_think_better_of_it():
    sitting = running()
    for seat in range(3):
        sitting.move(sitting.table.state.legal(seat)[0], seat)
    sitting.do(ADA, AskBack())
    with pytest.raises(Refused):
        sitting.do(ADA, AnswerBack(True))
    sitting.do(ADA, AnswerBack(False))
    assert sitting.table.take_back is None
    sitting.do(ADA, AskBack())
    assert sitting.table.take_back is not None


def test_who_plays_alone_asks_nobody_and_bots_do_not_mind():
    sitting = running(people=1)
    start = sitting.table.state
    for seat in range(3):
        sitting.move(start.legal(seat)[0], seat)
    sitting.do(ADA, AskBack())
    assert sitting.table.state == start


def test_draws_are_voided_and_their_counters_never_come_again():
    sitting = Sitting("camelup-2014", 2).begin()
    counters = []
    for _ in range(3):
        roll = next(
            move
            for move in sitting.table.state.legal(0)
            if sitting.table.game.move_text(sitting.table.state, move) == "roll"
        )
        before, drawn = sitting.table.state, sitting.table.drawn
        sitting.do(ADA, Move(roll))
        assert sitting.table.drawn == drawn + 1
        counters.append(drawn)
        sitting.do(ADA, AskBack())
        sitting.do(BAT, AnswerBack(True))
        assert sitting.table.state == before
        assert sitting.table.drawn == drawn + 1
    assert len(set(counters)) == 3
    assert [entry for entry in sitting.table.history if isinstance(entry, Undone)] == [
        Undone(0, frozenset((start, start + 1)))
        for start in range(len(sitting.table.history) - 9, len(sitting.table.history), 3)
    ]


def test_in_turn_the_moves_of_others_after_it_are_undone_too():
    sitting = Sitting("camelup-2014", 3).begin()
    before = sitting.table.state
    for _ in range(2):
        seat = sitting.table.to_act[0]
        bet = next(
            move
            for move in sitting.table.state.legal(seat)
            if sitting.table.game.move_text(sitting.table.state, move) != "roll"
        )
        sitting.move(bet, seat)
    assert not find_take_back(sitting.table, 0).free
    assert len(find_take_back(sitting.table, 0).numbers) == 2
    assert find_take_back(sitting.table, 1).free
    assert find_take_back(sitting.table, 2) is None
    sitting.do(ADA, AskBack())
    sitting.do(BAT, AnswerBack(True))
    sitting.do(CEM, AnswerBack(True))
    assert sitting.table.state == before


@pytest.mark.parametrize("seed", range(6))
def test_taking_back_is_replay_without_the_move(seed):
    rng, sitting = Random(seed), running(people=1)
    for _ in range(25 if COMPILED else 8):
        for _ in range(rng.randrange(1, 5)):
            if sitting.table.phase == "playing":
                seat = rng.choice(sitting.table.to_act)
                sitting.move(rng.choice(sitting.table.state.legal(seat)), seat)
        if sitting.table.phase == "playing" and find_take_back(sitting.table, 0) is not None:
            undone, kept = find_take_back(sitting.table, 0), list(sitting.table.steps)
            sitting.do(ADA, AskBack())
            left = {step.number for step in sitting.table.steps}
            assert [step.number for step in kept if step.number not in left] == undone.numbers
            state = sitting.table.game.start(3, ONE_ROUND)
            for step in sitting.table.steps:
                state = state.play(step.move, step.seat)
            assert state == sitting.table.state
            assert 0 in sitting.table.to_act
    assert [step.move for step in sitting.table.steps if step.seat == CHANCE] == [
        event.outcome
        for number, event in sitting.entries
        if isinstance(event, event_types.Drawn) and number in {step.number for step in sitting.table.steps}
    ]
    assert [event.counter for _, event in sitting.entries if isinstance(event, event_types.Drawn)] == list(
        range(sitting.table.drawn)
    )


# --- clocks -----------------------------------------------------------------------------------------------------------


def test_a_live_clock_runs_for_people_who_may_act_and_each_move_adds():
    sitting = running(2, clock=ClockRule("live", 1, 5))
    begin = sitting.now
    assert sitting.table.clocks(begin + 10) == [50.0, 50.0]
    sitting.do(ADA, Move(sitting.table.state.legal(0)[0]), later=20)
    assert sitting.table.clocks(sitting.now + 10) == [45.0, 30.0]
    assert sitting.table.clock_state.due == begin + 60
    sitting.do(BAT, Move(sitting.table.state.legal(1)[0]), later=7)
    assert sitting.table.clocks(sitting.now)[1] == 60 - 27 + 5


def test_clocks_stand_still_while_only_bots_think():
    sitting = running(2, people=1, clock=ClockRule("live", 1, 0))
    sitting.do(ADA, Move(sitting.table.state.legal(0)[0]), later=10)
    assert sitting.table.to_act == (1,)
    assert sitting.table.clocks(sitting.now + 1000)[0] == 50.0
    assert sitting.table.clock_state.due is None
    sitting.now += 1000
    sitting.move(sitting.table.state.legal(1)[0], 1)
    assert sitting.table.clocks(sitting.now)[0] == 50.0


def test_days_are_for_each_move():
    sitting = running(2, clock=ClockRule("days", days=2))
    sitting.do(ADA, Move(sitting.table.state.legal(0)[0]), later=1.5 * DAY)
    assert sitting.table.clocks(sitting.now)[1] == 0.5 * DAY
    sitting.do(BAT, Move(sitting.table.state.legal(1)[0]), later=0.25 * DAY)
    assert all(sitting.table.clocks(sitting.now)[seat] == 2 * DAY for seat in sitting.table.to_act)


def test_a_move_after_the_time_is_refused():
    sitting = running(2, clock=ClockRule("live", 1, 0))
    with pytest.raises(Refused) as error:
        sitting.do(ADA, Move(sitting.table.state.legal(0)[0]), later=60)
    assert (error.value.key, error.value.status) == ("time_over", 409)


@pytest.mark.parametrize(("clock", "back"), [(ClockRule("live", 1, 0), False), (ClockRule("days", days=1), True)])
def test_whose_time_ran_out_comes_back_only_where_there_are_days(clock, back):
    sitting = running(2, clock=clock)
    sitting.store(changes(event_types.TimeOver(sitting.now, 0, "regular")))
    assert sitting.table.bots_to_act == [0]
    if back:
        for command in (Return(), Move(sitting.table.state.legal(0)[0])):
            with pytest.raises(Refused) as error:
                sitting.do(ADA, command)
            assert error.value.key == "time_over", "that would be another day for the same move"
        sitting.move(sitting.table.state.legal(0)[0], 0)
        sitting.do(ADA, Return())
        sitting.do(BAT, Move(sitting.table.state.legal(1)[0]))
        assert sitting.table.bots_to_act == []
        assert 0 not in sitting.table.to_act or sitting.table.clocks(sitting.now)[0] == DAY
    else:
        with pytest.raises(Refused) as error:
            sitting.do(ADA, Return())
        assert error.value.key == "seat_lost"


def test_without_people_a_game_is_abandoned():
    sitting = running(2, people=1, clock=ClockRule("live", 1, 0))
    late = changes(event_types.TimeOver(sitting.now + 60, 0, "regular"))
    assert [type(event) for event, _ in follows(sitting.table, late, sitting.secret, sitting.now)] == [
        event_types.Ended
    ]


def test_no_clock_no_seconds():
    assert running(2).table.clocks(5000) is None
    assert Sitting(clock=ClockRule("live", 5, 0)).table.clocks(5000) is None


# --- what a viewer gets -----------------------------------------------------------------------------------------------


def shown(sitting, seat):
    """Return everything that is made for a viewer of a running game."""
    table = sitting.table
    given = {
        "seen": table.seen(seat),
        "record": table.record(seat),
        "number": table.number,
        "to_act": table.to_act,
        "chat": list(table.chat),
    }
    given |= {
        "clocks": table.clocks(sitting.now),
        "names": table.names,
        "last change": seat is not None and table.last_change_for(seat),
    }
    given |= {
        "back": seat is not None and find_take_back(table, seat),
        "legal": [] if seat is None else table.state.legal(seat),
    }
    return json.dumps(given, default=str)


@pytest.mark.parametrize("game", sarai.game_ids() if COMPILED else ["sixnimmt"])
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_histories_that_are_the_same_to_a_viewer_look_the_same(game, viewer):
    """Hidden moves of a record are changed where the viewer sees the same; all it gets is the same, numbers too."""
    rng, differing = Random(f"{game} {viewer}"), 0
    for seed in range(3):
        record = play_randomly(sarai.game(game), 3, ONE_ROUND if game == "sixnimmt" else {}, seed)
        twin, changed, true = record.start(), [], []
        one, two = (Sitting(game, 3, record.options, ClockRule("live", 30, 5)).begin_without_draws() for _ in range(2))
        for before, seat, move, _ in list(steps(record))[:120]:
            other = other_step(twin, seat, move, seen(before, move, seat, viewer), viewer, rng)
            if other is None:
                break
            choices = [outcome for outcome, _ in twin.chance()] if seat == CHANCE else twin.legal(seat)
            its = next(
                choice for choice in ([move] if move in choices else []) + choices if twin.play(choice, seat) == other
            )
            one.follow([(seat, move)])
            two.follow([(seat, its)])
            true.append((seat, move))
            changed.append((seat, its))
            twin = other
            if len(true) % 10 == 0 and one.table.state.actor >= 0:
                assert shown(one, viewer) == shown(two, viewer)
        assert shown(one, viewer) == shown(two, viewer)
        differing += true != changed
    if game == "sixnimmt":
        assert differing == 3


def test_nothing_secret_is_in_what_a_viewer_gets():
    sitting = running()
    sitting.move(sitting.table.state.legal(0)[0], 0)
    for viewer in (None, 0, 1):
        given = shown(sitting, viewer)
        assert sitting.secret not in given
        assert not any(person.id in given for person in PEOPLE)


def test_folding_a_move_is_quick():
    import time

    sitting = running(4)
    entries = sitting.play().entries
    began = time.process_time()
    table = type(sitting.table).fold("x", entries)
    spent = (time.process_time() - began) / len(entries)
    print(f"folding an event of 6 nimmt! takes {spent * 1e6:.0f} µs")
    assert table.number == len(entries)
    assert spent < (0.005 if COMPILED else 0.1)
