"""The bot pool: processes that compile games and think, and are replaced when they die; a server that never waits."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from sarai.core.errors import BadText, Error
from sarai.table.bots import worker as bot_worker
from sarai.table.bots.pool import READY, TRIES, BotPool, BotWorker
from sarai.table.bots.worker import USES


def view(game="sixnimmt", options=None, seed=0):
    state = sarai.game(game).start(3, options)
    while state.actor == sarai.CHANCE:
        chances = state.chance()
        state, _ = state.play_traced(chances[seed % len(chances)][0])
    return state.view(1)


class BadView:
    """A view that no process can read."""

    game = sarai.game("sixnimmt")

    def to_bytes(self):
        return b"nonsense"


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_view_crosses_as_bytes(game):
    shown = view(game)
    data = shown.to_bytes()
    again = shown.game.view_from_bytes(data)
    assert again == shown and again.to_json() == shown.to_json() and again.legal() == shown.legal()
    assert (again.rules_version, again.options) == (shown.rules_version, shown.options)
    for bad in (b"", data[:-1], data + b"x", b"[]\n" + data, data.partition(b"\n")[2], data.replace(b"[3,", b"[99,")):
        with pytest.raises(BadText):
            shown.game.view_from_bytes(bad)


def test_a_view_of_older_rules_stays_one():
    state = sarai.game("desert").start(5, rules_version=1)
    shown = state.view(2)
    assert shown.game.view_from_bytes(shown.to_bytes()).rules_version == 1


def test_a_worker_chooses_from_bytes_at_the_level_that_was_asked_for():
    shown = view(options={"rounds": 1})
    for level in ("random", "novice"):
        assert bot_worker.choose("sixnimmt", shown.to_bytes(), level, 1) in shown.legal()
    assert list(bot_worker.prepare("sixnimmt", ["random", "novice"]))[-1] == len(USES) + 1


@pytest.mark.program
def test_bots_think_in_processes_and_lost_ones_are_replaced():
    async def think():
        pool = BotPool(2, ["sixnimmt"], levels=["novice"])
        pool.start()
        try:
            assert not pool.status("sixnimmt").ready
            shown = view(options={"rounds": 1})
            legal = shown.legal()
            assert await pool.choose(shown, "novice", 1) in legal
            assert pool.status("sixnimmt").ready
            moves = await asyncio.gather(
                *(pool.choose(shown, level, 7) for level in ("random", "novice") for _ in range(4))
            )
            assert set(moves) <= set(legal)
            for worker in list(pool._workers):
                os.kill(worker.process.pid, signal.SIGKILL)
            assert await asyncio.wait_for(pool.choose(shown, "novice", 1), 60) in legal
            with pytest.raises(Error) as error:
                await pool.choose(BadView(), "novice", 1)
            assert error.value.key == "bot_lost"
        finally:
            await pool.close()
        assert not any(worker.process.is_alive() for worker in pool._workers)

    asyncio.run(asyncio.wait_for(think(), 300))


def test_games_that_are_wanted_come_first():
    pool = BotPool(2)
    pool.prepare_soon("anubixx")
    assert pool._to_compile[0] == "anubixx"
    assert sorted(pool._to_compile) == sorted(sarai.game_ids())
    assert pool.status("anubixx").of > 8


class Pipe:
    """The pipe of a process that only listens."""

    def __init__(self):
        self.tasks = []

    def send(self, task):
        self.tasks.append(task[:2])


def busy_pool():
    pool = BotPool(2, ["desert"])
    pool._workers = [BotWorker(None, Pipe(), compiles) for compiles in (True, False)]
    pool._assign()
    return pool, [worker.pipe.tasks for worker in pool._workers]


def test_a_game_that_a_player_waits_for_does_not_wait_for_another_to_be_compiled():
    pool, (first, second) = busy_pool()
    assert (first, second) == ([("prepare", "desert")], [])
    pool.prepare_later("sixnimmt")
    pool.prepare_soon("anubixx")
    pool.prepare_soon("anubixx")
    assert (first, second) == ([("prepare", "desert")], [("prepare", "anubixx")])
    pool._answered(pool._workers[1], ("done", 0))
    assert pool.status("anubixx").ready and not pool.status("desert").ready
    pool._answered(pool._workers[0], ("done", 0))
    assert first[1:] == [("prepare", "sixnimmt")] and second[1:] == [("prepare", "desert")]


def test_bots_that_play_are_not_held_up_by_a_compiler_but_a_game_that_is_only_loaded_comes_at_once():
    pool, (_, second) = busy_pool()
    pool._status["sixnimmt"] = READY
    pool.prepare_soon("camelup-2014")
    assert second == [] and pool._to_compile[0] == "camelup-2014"
    pool.prepare_soon("camelup-2014", is_compiled=True)
    assert second == [("prepare", "camelup-2014")] and not pool._to_compile


def test_a_game_that_cannot_be_prepared_is_given_up_and_no_choice_waits_for_it():
    async def go():
        pool, (first, _) = busy_pool()
        pool._loop = asyncio.get_running_loop()
        choice = asyncio.create_task(pool.choose(view("desert"), "regular", 1))
        for number in range(TRIES):
            assert pool.status("desert").failure is None
            await asyncio.sleep(0)
            assert not choice.done()
            pool._answered(pool._workers[0], ("step", number))
            pool._answered(pool._workers[0], ("failed", "no idea"))
        assert first == [("prepare", "desert")] * TRIES
        assert pool.status("desert") == (False, USES[TRIES - 1], TRIES - 1, len(pool._steps), "no idea")
        with pytest.raises(Error, match="no idea"):
            await asyncio.wait_for(choice, 60)
        pool.prepare_soon("desert")
        assert len(first) == TRIES

    asyncio.run(go())


@pytest.mark.program
def test_a_server_is_imported_without_a_compiler():
    code = (
        "import sys, sarai.table.service.house, sarai.table.bots.pool;"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
