"""Processor affinity: a thread is kept on one processor, and what it starts may still run on all of them."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sarai.core import processor_affinity
from sarai.core.processor_affinity import on_all_processors, processors, stay_on_processor, use_all_processors
from sarai.core.worker_processes import start_worker, stop_workers

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no processor affinity")


@pytest.fixture
def in_thread():
    """Run something in a thread of its own, so that the tests' thread stays free."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda work: thread.submit(work).result(60)


def send_affinity(pipe):
    pipe.send(os.sched_getaffinity(0))


def test_a_thread_stays_on_one_processor_and_is_set_free_again(in_thread):
    everything = os.sched_getaffinity(0)

    def work():
        stay_on_processor(processors() - 1)
        own, count = os.sched_getaffinity(0), processors()
        with on_all_processors():
            within = os.sched_getaffinity(0)
        after = os.sched_getaffinity(0)
        use_all_processors()
        return own, count, within, after, os.sched_getaffinity(0)

    last = {max(everything)}
    assert in_thread(work) == (last, len(everything), everything, last, everything)
    assert os.sched_getaffinity(0) == everything, "other threads are not moved"


def test_a_process_that_a_kept_thread_starts_may_run_on_all_processors(in_thread, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])  # a process imports `send_affinity` from here

    def work():
        stay_on_processor(0)
        worker = start_worker(send_affinity)
        try:
            return worker.pipe.recv()
        finally:
            stop_workers([worker])

    assert in_thread(work) == os.sched_getaffinity(0)


def test_a_processor_that_was_taken_away_stops_nothing(in_thread, monkeypatch):
    monkeypatch.setattr(processor_affinity, "_ALLOWED", frozenset({4095}))
    in_thread(lambda: stay_on_processor(0))
