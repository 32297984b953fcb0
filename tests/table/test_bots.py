"""The bot pool: processes that compile games and think, and are replaced when they die; a server that never waits."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import sarai
from sarai.core.errors import BadText, Error
from sarai.core.worker_processes import Worker
from sarai.table.bots import compile_queue
from sarai.table.bots import pool as pool_module
from sarai.table.bots import worker as bot_worker
from sarai.table.bots.compile_queue import READY, TRIES, CompileQueue
from sarai.table.bots.pool import BotPool
from sarai.table.bots.worker import LEVELS, USES

ROOT = Path(__file__).parents[2]


def view(game="sixnimmt", options=None, seed=0, seat=1):
    state = sarai.game(game).start(3, options)
    while state.actor == sarai.CHANCE:
        chances = state.chance()
        state, _ = state.play_traced(chances[seed % len(chances)][0])
    return state.view(seat)


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


@pytest.mark.program
def test_a_view_has_the_same_bytes_without_a_compiler():
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from table.test_bots import view; import sarai\n"
        "for game in sarai.game_ids():\n"
        "    data = view(game).to_bytes(); print(data.hex())\n"
        "    assert sarai.game(game).view_from_bytes(data) == view(game)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    written = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment | {"NUMBA_DISABLE_JIT": off}, cwd=ROOT, capture_output=True
        )
        for off in ("0", "1")
    ]
    assert written[0].stdout == written[1].stdout != b"", written[1].stderr.decode()


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
            for thinker in list(pool._thinkers):
                os.kill(thinker.worker.process.pid, signal.SIGKILL)
            assert await asyncio.wait_for(pool.choose(shown, "novice", 1), 60) in legal
            with pytest.raises(Error) as error:
                await pool.choose(BadView(), "novice", 1)
            assert error.value.key == "bot_lost"
        finally:
            await pool.close()
        assert not any(thinker.worker.process.is_alive() for thinker in pool._thinkers)

    asyncio.run(asyncio.wait_for(think(), 300))


@pytest.mark.program
@pytest.mark.parametrize("is_copy", [False, True], ids=["new", "a copy"])
def test_a_move_is_chosen_though_the_processes_that_are_started_for_it_are_killed_at_once(monkeypatch, is_copy):
    monkeypatch.setattr(pool_module, "AGAIN", 0.01)
    killed = [EOFError(), BrokenPipeError()] if is_copy else [BrokenPipeError(), ConnectionResetError()]
    start = pool_module.start_worker

    def start_and_kill(*work):
        if killed:
            raise killed.pop()
        return start(*work[-2:])

    async def lose():
        pool = BotPool(1, ["sixnimmt"], levels=["novice"])
        pool.start()
        try:
            shown = view(options={"rounds": 1})
            await pool.choose(shown, "novice", 1)
            if is_copy:
                pool._copying = asyncio.create_task(asyncio.sleep(0))
                await pool._copying
            monkeypatch.setattr(pool_module, "start_forked_worker" if is_copy else "start_worker", start_and_kill)
            (thinker,) = pool._thinkers
            os.kill(thinker.worker.process.pid, signal.SIGSTOP)
            choice = asyncio.create_task(pool.choose(shown, "novice", 1))
            await asyncio.sleep(0.1)
            os.kill(thinker.worker.process.pid, signal.SIGKILL)
            assert await asyncio.wait_for(choice, 60) in shown.legal()
            assert not killed and len(pool._thinkers) == 1 and pool._compiled_thinkers == 1
        finally:
            await pool.close()

    asyncio.run(asyncio.wait_for(lose(), 300))


class Process:
    """A process that does nothing."""

    exitcode = 1

    def __init__(self):
        self.stopped = False

    def terminate(self):
        self.stopped = True

    def join(self):
        pass


class Pipe:
    """The pipe of a process that never answers by itself."""

    def __init__(self):
        self.closed = threading.Event()

    def recv(self):
        self.closed.wait()
        raise EOFError

    def close(self):
        self.closed.set()


@pytest.fixture
def compilers(monkeypatch):
    """The games that are compiled, in the order in which it began; two at a time."""
    started = []

    def start(_, game_id, levels):
        started.append(game_id)
        return Worker(Process(), Pipe())

    monkeypatch.setattr(compile_queue, "start_worker", start)
    monkeypatch.setattr(compile_queue, "processors", lambda: 2)
    return started


def end(prepared, game_id, *messages):
    """Let the process of a game say something and end."""
    compiler = next(compiler for compiler in prepared._compilers if compiler.game_id == game_id)
    for message in messages:
        prepared._answered(compiler, message)
    prepared._ended(compiler)
    compiler.worker.pipe.close()


def with_loop(test):
    return lambda compilers: asyncio.run(test(compilers))


ALL = ["desert", "sixnimmt", "anubixx", "camelup-2014"]


@with_loop
async def test_two_games_are_compiled_at_a_time_and_those_that_are_wanted_first(compilers):
    ready = []
    prepared = CompileQueue(ALL, ["novice"], ready.append)
    prepared.start()
    assert compilers == ["desert", "sixnimmt"]
    prepared.later("camelup-2018")
    prepared.soon("camelup-2014")
    prepared.soon("desert")  # is being compiled
    end(prepared, "sixnimmt", ("step", 3), ("done", 0))
    assert compilers[2:] == ["camelup-2014"] and ready == ["sixnimmt"] and prepared.status("sixnimmt") == READY
    prepared.soon("sixnimmt")
    end(prepared, "desert", ("done", 0))
    assert compilers[3:] == ["anubixx"]


@with_loop
async def test_a_level_is_ready_when_the_next_step_begins(compilers):
    prepared = CompileQueue(ALL, ["novice", "expert"], lambda _: None)
    prepared.start()
    waiting = [asyncio.create_task(prepared.wait("desert", level)) for level in ("novice", "expert", "uct")]
    compiler = prepared._compilers[0]

    async def done_after(step):
        prepared._answered(compiler, step)
        for _ in range(3):
            await asyncio.sleep(0)
        return [task.done() for task in waiting]

    assert await done_after(("step", len(USES))) == [False, False, False]
    assert await done_after(("step", len(USES) + 1)) == [True, False, False]
    assert prepared.status("desert") == (False, "expert", len(USES) + 1, len(USES) + 2, None)
    assert await done_after(("done", 0)) == [True, True, True]


@with_loop
async def test_who_waits_for_a_game_does_not_wait_for_others_to_be_compiled(compilers):
    prepared = CompileQueue(ALL, ["novice"], lambda _: None)
    prepared.start()
    waiting = [asyncio.create_task(prepared.wait(game_id, "novice")) for game_id in ("camelup-2014", "desert")]
    await asyncio.sleep(0)
    stopped = [compiler.game_id for compiler in prepared._compilers if compiler.worker.process.stopped]
    assert stopped == ["desert"]
    end(prepared, "desert")
    assert compilers[2:] == ["camelup-2014"] and prepared.status("desert").failure is None
    end(prepared, "sixnimmt", ("done", 0))
    assert compilers[3:] == ["desert"], "what was stopped for others goes on, before what nobody waits for"
    for task in waiting:
        task.cancel()


@with_loop
async def test_a_game_that_cannot_be_compiled_is_given_up_and_no_choice_waits_for_it(compilers):
    prepared = CompileQueue(["desert"], ["novice"], lambda _: None)
    prepared.start()
    choice = asyncio.create_task(prepared.wait("desert", "novice"))
    for number in range(TRIES):
        assert prepared.status("desert").failure is None
        await asyncio.sleep(0)
        assert not choice.done()
        end(prepared, "desert", ("step", number), *([("failed", "no idea")] if number else []))
    assert compilers == ["desert"] * TRIES
    assert prepared.status("desert") == (False, USES[TRIES - 1], TRIES - 1, len(USES) + 1, "no idea")
    with pytest.raises(Error, match="no idea"):
        await asyncio.wait_for(choice, 60)
    prepared.soon("desert")
    assert len(compilers) == TRIES


@with_loop
async def test_a_game_that_cannot_be_compiled_is_told_in_the_log_and_holds_up_no_other(compilers):
    failed, told = [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile_queue, "was_compiled", lambda _: False)
        patch.setattr(compile_queue, "mark_failed", failed.append)
        patch.setattr(compile_queue.logger, "error", lambda line, *facts: told.append(line % facts))
        prepared = CompileQueue(["desert"], LEVELS, lambda _: None)
        prepared.start()
        for _ in range(TRIES):
            assert failed == told == []
            end(prepared, "desert", ("failed", "no idea"))
        assert failed == ["desert"] and told == ["desert cannot be compiled: no idea"]


@with_loop
async def test_a_game_whose_process_is_killed_at_once_is_compiled_by_the_next(compilers):
    with pytest.MonkeyPatch.context() as patch:
        killed, start = [BrokenPipeError()] * (TRIES - 1), compile_queue.start_worker

        def start_and_kill(*work):
            if killed:
                raise killed.pop()
            return start(*work)

        patch.setattr(compile_queue, "start_worker", start_and_kill)
        prepared = CompileQueue(["desert"], ["novice"], lambda _: None)
        prepared.start()
        assert compilers == ["desert"] and prepared.status("desert").failure is None
        end(prepared, "desert", ("done", ""))
        await asyncio.wait_for(prepared.wait("desert", "novice"), 60)


@with_loop
async def test_what_was_compiled_before_is_not_compiled_again(compilers):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile_queue, "was_compiled", lambda game_id: game_id != "anubixx")
        ready = []
        prepared = CompileQueue(ALL, LEVELS, ready.append)
        prepared.start()
        assert compilers == ["anubixx"] and ready == ["desert", "sixnimmt", "camelup-2014"]
        prepared.later("camelup-2018")
        assert prepared.status("camelup-2018") == READY


@pytest.mark.program
def test_a_pool_without_a_compiler_lets_quick_levels_think_at_once():
    async def think_uncompiled():
        pool = BotPool(2, [], is_interpreted=True)
        pool.start()
        try:
            for game in ("camelup-2014", "sixnimmt"):
                shown = view(game, seat=0)
                assert await asyncio.wait_for(pool.choose(shown, "regular", 1), 60) in shown.legal()
            assert len(pool._thinkers) == 1 and pool._thinkers[0].is_interpreted
            assert not pool.status("sixnimmt").ready
        finally:
            await pool.close()

    asyncio.run(think_uncompiled())


@pytest.mark.program
def test_a_server_is_imported_without_a_compiler():
    code = (
        "import sys, sarai.web.serve;"
        "sarai.web.serve.begins_uncompiled(); sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
