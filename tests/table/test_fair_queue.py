"""Bots' time is shared fairly: a table does not wait behind many tables of another person."""

import asyncio
import heapq
import threading
from collections import Counter
from dataclasses import dataclass
from itertools import count

import pytest

import sarai
from sarai.core.worker_processes import Worker
from sarai.table.bots import pool as pools
from sarai.table.bots.compile_queue import CompileQueue
from sarai.table.bots.fair_queue import Asker, FairQueue
from sarai.table.bots.pool import BotPool

SECONDS = {"quick": 0.02, "master": 1.0}
PROCESSES = 2


@dataclass
class Thought:
    asker: Asker
    kind: str
    asked: float = 0.0


class Simulation:
    """Processes that think, in a time of its own; every table asks again as soon as it was answered."""

    def __init__(self, tables):
        self.queue, self.now, self.events, self.order = FairQueue(), 0.0, [], count()
        self.idle, self.waits, self.served = PROCESSES, {}, {}
        for at, table, kind, pause in tables:
            self.later(at, lambda table=table, kind=kind, pause=pause: self.ask(table, kind, pause))

    def later(self, seconds, what):
        heapq.heappush(self.events, (self.now + seconds, next(self.order), what))

    def ask(self, table, kind, pause):
        thought = Thought(table, kind, self.now)
        thought.again = lambda: self.later(pause, lambda: self.ask(table, kind, pause))
        self.queue.put(thought)
        self.assign()

    def assign(self):
        while self.idle and (thought := self.queue.pop()) is not None:
            self.idle -= 1
            self.waits.setdefault(thought.asker, []).append(self.now - thought.asked)
            self.later(SECONDS[thought.kind], lambda thought=thought: self.done(thought))

    def done(self, thought):
        self.queue.done(thought, SECONDS[thought.kind])
        self.served[thought.asker] = self.served.get(thought.asker, 0.0) + SECONDS[thought.kind]
        self.idle += 1
        thought.again()
        self.assign()

    def run(self, until):
        while self.events and self.events[0][0] <= until:
            self.now, _, what = heapq.heappop(self.events)
            what()
        return self


HONEST = Asker("honest", "table")
HONEST_ELSEWHERE = Asker("honest", "table", "another address")
ONE_STRANGER = [Asker("stranger", f"table {number}") for number in range(12)]
MANY_STRANGERS = [Asker(f"stranger {number}", f"table {number}") for number in range(12)]


@pytest.mark.parametrize("strangers", [ONE_STRANGER, MANY_STRANGERS], ids=["one", "twelve"])
def test_quick_bots_wait_for_the_thought_that_is_under_way_and_no_other(strangers):
    tables = [(0.0, stranger, "master", 0.0) for stranger in strangers]
    waits = Simulation([*tables, (3.3, HONEST, "quick", 0.7)]).run(120).waits[HONEST]
    assert len(waits) > 60 and max(waits) <= SECONDS["master"]


def test_slow_bots_wait_for_one_thought_too_if_all_others_are_of_one_person():
    tables = [(0.0, stranger, "master", 0.0) for stranger in ONE_STRANGER]
    waits = Simulation([*tables, (3.3, HONEST, "master", 0.7)]).run(120).waits[HONEST]
    assert len(waits) > 40 and max(waits) <= SECONDS["master"]


def test_slow_bots_wait_for_one_thought_too_if_all_others_are_of_people_at_one_address():
    tables = [(0.0, stranger, "master", 0.0) for stranger in MANY_STRANGERS]
    waits = Simulation([*tables, (3.3, HONEST_ELSEWHERE, "master", 0.7)]).run(120).waits[HONEST_ELSEWHERE]
    assert len(waits) > 40 and max(waits) <= SECONDS["master"]


def test_people_at_one_address_get_equal_parts_of_what_it_has():
    tables = [
        *ONE_STRANGER,
        *(Asker("neighbour", f"table {number}") for number in range(3)),
        *(Asker("honest", f"table {number}", "another address") for number in range(3)),
    ]
    served = Simulation([(0.0, table, "master", 0.0) for table in tables]).run(480).served
    parts = Counter()
    for asker, seconds in served.items():
        parts[asker.person] += seconds
    assert parts == pytest.approx({"stranger": 240, "neighbour": 240, "honest": 480}, rel=0.05)


def test_people_and_then_tables_get_equal_parts():
    tables = [(0.0, stranger, "master", 0.0) for stranger in ONE_STRANGER]
    honest = [Asker("honest", f"mine {number}") for number in range(3)]
    served = Simulation([*tables, *((0.0, table, "master", 0.0) for table in honest)]).run(480).served
    parts = [served[table] for table in honest]
    assert sum(parts) == pytest.approx(480, rel=0.05) and max(parts) - min(parts) <= 3
    others = [served[stranger] for stranger in ONE_STRANGER]
    assert sum(others) == pytest.approx(480, rel=0.05) and max(others) - min(others) <= 3


def test_many_quick_tables_do_not_keep_a_slow_one_waiting_for_ever():
    tables = [(0.0, stranger, "quick", 0.0) for stranger in MANY_STRANGERS]
    waits = Simulation([*tables, (0.0, HONEST, "master", 0.0)]).run(120).waits[HONEST]
    assert max(waits) < 8, "a thirteenth of two processes"


def test_who_was_away_has_saved_up_nothing():
    tables = [(0.0, ONE_STRANGER[0], "master", 0.0), (0.0, ONE_STRANGER[1], "master", 0.0)]
    late = [(100.0, Asker("late", f"table {number}"), "master", 0.0) for number in range(12)]
    simulation = Simulation([*tables, *late]).run(100)
    before = simulation.served[ONE_STRANGER[0]]
    simulation.run(120)
    assert simulation.served[ONE_STRANGER[0]] - before >= 8, "half of one process's twenty seconds, or nearly"


def test_what_is_known_of_askers_is_bounded():
    queue = FairQueue()
    for number in range(5000):
        queue.put(Thought(Asker(f"person {number}", f"table {number}", f"address {number}"), "quick"))
        queue.done(queue.pop(), 0.02)
    assert len(queue) == 0 and all(len(shares._until) <= 1001 for shares in queue._shares)


class Pipe:
    """The pipe of a process that answers when the test lets it."""

    def __init__(self, sent):
        self.sent, self.answers, self.closed = sent, threading.Semaphore(0), False

    def send(self, choice):
        self.sent.append((self, choice[3]))

    def recv(self):
        self.answers.acquire()
        if self.closed:
            raise EOFError
        return True, 0


class Process:
    exitcode = 0


def test_the_pool_thinks_for_an_honest_table_next(monkeypatch):
    sent = []
    monkeypatch.setattr(pools, "start_worker", lambda *_: Worker(Process(), Pipe(sent)))
    monkeypatch.setattr(CompileQueue, "start", lambda *_: None)
    monkeypatch.setattr(CompileQueue, "wait", lambda *_: asyncio.sleep(0))
    view = sarai.game("anubixx").start(2).view(0)

    async def ask():
        pool = BotPool(PROCESSES, ())
        pool.start()
        waiting = [
            asyncio.create_task(pool.choose(view, "master", number, asker))
            for number, asker in enumerate([*ONE_STRANGER, HONEST])
        ]
        while len(waiting) - len(pool._queues[False]) != PROCESSES or len(sent) != PROCESSES:
            await asyncio.sleep(0.001)
        sent[0][0].answers.release()
        while len(sent) == PROCESSES:
            await asyncio.sleep(0.001)
        for task in waiting:
            task.cancel()
        for thinker in pool._thinkers:
            thinker.worker.pipe.closed = True
            thinker.worker.pipe.answers.release()
        pool._closed = True
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(asyncio.wait_for(ask(), 60))
    assert sent[PROCESSES][1] == len(ONE_STRANGER), "the honest table's thought comes after the first that is done"
