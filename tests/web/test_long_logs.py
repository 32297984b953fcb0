"""A table with thousands of moves taken back: nothing that grows with its log holds up the house."""

import asyncio
import gc
import importlib.util
import json
import threading
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

import sarai
import sarai.core.state_and_view
from in_memory_table import PEOPLE, SECRET, Sitting
from sarai.core.records import from_json
from sarai.table import event_types
from sarai.table.decide import changes
from sarai.table.dice_proof import check
from sarai.table.kept_states import EVERY
from sarai.table.service.rate_limit import Limit
from sarai.table.storage.writes import new_table_write
from sarai.table.table import Table
from sarai.table.takeback import find_take_back
from sarai.table.talk import CHAT_KEPT
from sarai.web.compression import blocks
from sarai.web.long_work import AT_ONCE, EVENT_BYTES, MANY, LongWork

ADA, BAT = PEOPLE[:2]
spec = importlib.util.spec_from_file_location("verify", Path(__file__).parents[2] / "docs" / "verify.py")
alone = importlib.util.module_from_spec(spec)
spec.loader.exec_module(alone)
MOVES, TAKE_BACKS = 150, 1500
LONGEST_STEP = 0.05  # seconds of processor time of the loop's thread between two looks at who else waits
ID = "LongLongLo"


def long_game(take_backs=TAKE_BACKS):
    """Return a game in which a player rolled, took it back and rolled again, without a limit as in old logs."""
    sitting = Sitting("camelup-2014", 2, fairness=1).begin()
    sitting.table.id = ID
    for turn in range(MOVES + take_backs):
        seat = sitting.table.to_act[0]
        if turn < MOVES:
            moves = [move for move in sitting.table.state.legal(seat) if move != roll(sitting)]
            sitting.move(moves[turn % len(moves)] if moves and turn % 8 else roll(sitting), seat)
            continue
        sitting.move(roll(sitting), seat)
        numbers = find_take_back(sitting.table, seat).numbers
        sitting.happen(changes(event_types.TakenBack(sitting.now, seat, numbers)))
    return sitting


def roll(sitting):
    """Return the move that lets a die roll: the one after which chance follows."""
    state = sitting.table.state
    return next(move for move in state.legal() if state.play_traced(move)[0].actor == sarai.CHANCE)


@pytest.fixture(scope="module")
def game():
    return long_game()


@pytest.fixture
def plays(monkeypatch):
    """Count how often the rules play a move."""
    counted, play = [0], sarai.core.state_and_view.State.play_traced

    def counting(self, *args):
        counted[0] += 1
        return play(self, *args)

    monkeypatch.setattr(sarai.core.state_and_view.State, "play_traced", counting)
    return counted


def test_a_long_log_is_folded_in_steps_that_do_not_grow(game, plays):
    table = Table.fold(ID, game.entries)
    assert plays[0] < len(game.entries) + EVERY * TAKE_BACKS, "not the whole game for every move that was taken back"
    assert table.state == game.table.state and table.steps == game.table.steps and table.history == game.table.history
    assert [table.last_move(seat) for seat in (0, 1)] == [game.table.last_move(seat) for seat in (0, 1)]
    straight = table.start_state()
    for step in table.steps:
        straight, _ = straight.play_traced(step.move, step.seat)
    assert table.state == straight


def test_its_record_is_made_in_steps_that_do_not_grow_and_is_right(game, plays):
    table = ended(game)
    plays[0] = 0
    record = json.loads(json.dumps(table.record(None)))
    assert plays[0] < len(game.entries) + EVERY * TAKE_BACKS
    assert check(from_json(record)) == table.drawn > TAKE_BACKS
    assert sum(draw.get("voided", False) for draw in record["fairness"]["draws"]) == sum(table.voided) >= TAKE_BACKS
    assert alone.check(record) == "", "nor does a script that knows nothing of ours find anything"
    del record["fairness"]["draws"][-1]["voided"]
    assert alone.check(record) != ""


def ended(sitting):
    """Return the table of a game after its players gave up, without ending that game itself."""
    table = Table.fold(sitting.table.id, sitting.entries)
    for event in (
        event_types.Resigned(sitting.now, ADA.id, 0, "random"),
        event_types.Resigned(sitting.now, BAT.id, 1, "random"),
        event_types.Ended(sitting.now, SECRET, "abandoned"),
    ):
        table.apply(table.number + 1, event)
    return table


class Steps:
    """Measures how long the event loop runs from one task to the next, in processor time of its thread."""

    def __init__(self, monkeypatch):
        self.longest, run = 0.0, asyncio.Handle._run
        gc.collect()
        gc.disable()  # it looks at everything that all tests of this process have left

        def timed(handle):
            began = time.thread_time()
            run(handle)
            self.longest = max(self.longest, time.thread_time() - began)

        monkeypatch.setattr(asyncio.Handle, "_run", timed)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        gc.enable()


@pytest.mark.compiled
def test_a_long_log_holds_up_nobody(game, web, monkeypatch):
    """Load the table, look at its page, its JSON and its records, running and finished."""
    paths = ("/tables/{}", "/api/tables/{}", "/tables/{}/record", "/api/tables/{}/record", "/tables/{}/moves")

    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        short = await trial.playing(ann, bo, game="camelup-2014")
        for path in paths:  # templates, styles and sentences are read the first time
            assert (await ann.get(path.format(short))).status_code == 200
        finished = [event for _, event in game.entries] + [
            event_types.Resigned(game.now, ADA.id, 0, "random"),
            event_types.Resigned(game.now, BAT.id, 1, "random"),
            event_types.Ended(game.now, SECRET, "abandoned"),
        ]
        ids = {"Running001": [event for _, event in game.entries], "Finished01": finished}
        for id, events in ids.items():
            await trial.house.store.writer.append(new_table_write(id, events, SECRET))
        with Steps(monkeypatch) as steps:
            for id in ids:
                for path in paths:
                    answer = await ann.get(path.format(id))
                    assert answer.status_code == 200
                    assert steps.longest < LONGEST_STEP, (path, steps.longest)
        record = (await ann.get("/api/tables/Finished01/record")).json()
        assert check(from_json(record)) > TAKE_BACKS
        assert len((await ann.get("/api/tables/Running001")).json()["seen"]) * EVENT_BYTES > MANY
        kept = trial.site.long_work._records
        assert len(kept) == 1, "the record of a finished game is made once"
        trial.site.limits.limiter.limits["record:person"] = Limit(1, 60.0)
        answers = [(await bo.get("/api/tables/Running001")).status_code for _ in range(2)]
        assert answers == [200, 429], "so long a table as JSON is paid for like a record"
        assert (await bo.get(f"/api/tables/{short}")).status_code == 200

    web(go)


@pytest.mark.compiled
def test_long_talk_holds_up_nobody(game, web, monkeypatch):
    rng = Random(1)

    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        quiet = await trial.playing(ann, bo, game="camelup-2014")
        events = [event for _, event in Sitting("camelup-2014", 2, fairness=1).begin().entries]
        events += [event_types.Chatted(events[-1].at, ADA.id, ADA.name, letters(rng, 300)) for _ in range(CHAT_KEPT)]
        await trial.house.store.writer.append(new_table_write("Talked0001", events, SECRET))
        await trial.house.table("Talked0001")
        assert (await ann.get(f"/api/tables/{quiet}")).status_code == 200
        with Steps(monkeypatch) as steps:
            answer = await ann.get("/api/tables/Talked0001")
        assert answer.headers["content-encoding"] == "gzip" and len(answer.json()["chat"]) == CHAT_KEPT
        assert len(answer.content) > MANY and steps.longest < LONGEST_STEP / 4, "it is compressed in the thread"
        trial.site.limits.limiter.limits["record:person"] = Limit(1, 60.0)
        answers = [(await ann.get("/api/tables/Talked0001")).status_code for _ in range(2)]
        assert 429 in answers, "it is paid for like a record"

    web(go)


def letters(rng, count):
    """Return letters of four bytes that cannot be compressed much."""
    return "".join(rng.choices([chr(code) for code in range(0x20000, 0x2A000)], k=count))


def test_who_asks_for_much_long_work_keeps_others_waiting_for_two_pieces_of_it_only():
    async def go():
        work, done, may_begin = LongWork(), [], threading.Event()

        def make(name):
            may_begin.wait(60)
            done.append(name)
            return blocks(b"{}")

        flood = [asyncio.create_task(work.in_thread("198.51.100.1", partial(make, "flood"))) for _ in range(20)]
        await asyncio.sleep(0.01)
        honest = asyncio.create_task(work.in_thread("203.0.113.7", partial(make, "honest")))
        await asyncio.sleep(0.01)
        may_begin.set()
        await asyncio.gather(honest, *flood)
        assert done.index("honest") == AT_ONCE and done.count("flood") == 20
        assert not work._turns.addresses
        work.close()

    asyncio.run(go())
