"""The bot room: processes that prepare games and think, and are replaced when they die; and a server that never waits for a compiler."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from sarai.core.errors import Error
from sarai.table.bots.pool import WARM, BotRoom, Worker


def view(seed=0):
    state = sarai.game("sixnimmt").start(3, {"rounds": 1})
    while state.actor == sarai.CHANCE:
        chances = state.chance()
        state, _ = state.play_traced(chances[seed % len(chances)][0])
    return state.view(1)


@pytest.mark.program
def test_bots_think_in_processes_and_lost_ones_are_replaced():
    async def think():
        room = BotRoom(2, ["sixnimmt"], levels=["novice"])
        room.start()
        try:
            assert not room.status("sixnimmt").ready
            shown, legal = view().to_json(), view().legal()
            assert await room.choose("sixnimmt", shown, "novice", 1) in legal
            assert room.status("sixnimmt").ready
            moves = await asyncio.gather(
                *(room.choose("sixnimmt", shown, level, 7) for level in ("random", "novice") for _ in range(4))
            )
            assert set(moves) <= set(legal)
            for worker in list(room._workers):
                os.kill(worker.process.pid, signal.SIGKILL)
            assert await asyncio.wait_for(room.choose("sixnimmt", shown, "novice", 1), 60) in legal
            with pytest.raises(Error) as error:
                await room.choose("sixnimmt", {}, "novice", 1)
            assert error.value.key == "bot_lost"
        finally:
            await room.close()
        assert not any(worker.process.is_alive() for worker in room._workers)

    asyncio.run(asyncio.wait_for(think(), 300))


def test_games_that_are_wanted_come_first():
    room = BotRoom(2)
    room.want("anubixx")
    assert room._cold[0] == "anubixx"
    assert sorted(room._cold) == sorted(sarai.game_ids())
    assert room.status("anubixx").of > 8


class Process:
    """What a room knows of a process that only listens."""

    def __init__(self):
        self.asked = []

    def send(self, task):
        self.asked.append(task[:2])


def busy_room():
    room = BotRoom(2, ["desert"])
    room._workers = [Worker(None, Process(), compiles) for compiles in (True, False)]
    room._assign()
    return room, [worker.pipe.asked for worker in room._workers]


def test_a_game_that_somebody_waits_for_does_not_wait_for_another_to_be_compiled():
    room, (first, second) = busy_room()
    assert (first, second) == ([("warm", "desert")], [])
    room.plan("sixnimmt")
    room.want("anubixx")
    room.want("anubixx")
    assert (first, second) == ([("warm", "desert")], [("warm", "anubixx")])
    room._heard(room._workers[1], ("done", 0))
    assert room.status("anubixx").ready and not room.status("desert").ready
    room._heard(room._workers[0], ("done", 0))
    assert first[1:] == [("warm", "sixnimmt")] and second[1:] == [("warm", "desert")]


def test_bots_that_play_are_not_held_up_by_a_compiler_but_a_game_that_is_only_loaded_comes_at_once():
    room, (_, second) = busy_room()
    room._status["sixnimmt"] = WARM
    room.want("camelup-2014")
    assert second == [] and room._cold[0] == "camelup-2014"
    room.want("camelup-2014", quick=True)
    assert second == [("warm", "camelup-2014")] and not room._cold


@pytest.mark.program
def test_a_house_is_imported_without_a_compiler():
    code = (
        "import sys, sarai.table.house, sarai.table.botroom; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
