"""One move from `House.act` to the disk: few functions in few files pass it on."""

import sys
import threading
from pathlib import Path

import sarai
from houses import opened, playing, run
from sarai.table.commands import Move
from sarai.table.service import timeouts_and_catch_up

SOURCE = Path(sarai.__file__).parent
PATH = [  # each passes the move on to the next, or adds to what is written
    "table/service/house.py House.act",
    "table/service/house.py House._act",
    "table/service/rooms.py Rooms.get",
    "table/decide.py decide",
    "table/decide.py move",
    "table/command_checks.py playing_seat",
    "table/decide.py moved",
    "core/state_and_view.py State.play_traced",
    "table/service/rooms.py Rooms.commit",
    "table/chance.py follows",
    "table/storage/writes.py events_write",
    "table/storage/writer.py Writer.append",
    "table/storage/writer.py Writer._run",
    "table/storage/sqlite_transactions.py FileTransactions.write",
    "table/storage/sqlite_transactions.py FileTransactions._write",
]
QUERIES = {  # they answer from memory
    "table/service/tasks.py Tasks.start",
    "table/service/presence.py Presence.saw",
    "table/look_sit_talk_permissions.py require_look",
    "table/look_sit_talk_permissions.py why_not_look",
    "table/decide.py is_stale",
    "table/decide.py is_replaced",
    "table/command_checks.py require_in_game",
    "table/command_checks.py own_seat",
    "table/table_base.py TableContents.seat_of",
    "table/table_base.py TableContents.state",
    "table/table_base.py TableContents.clock_state",
    "table/table_base.py TableContents.last_change_for",
    "table/table.py Table.is_playing",
    "table/table.py Table.clocks",
    "table/clock.py Clock.seconds",
}
ENGINE = ("core/state_and_view.py", "core/kernels/", "games/")  # behind `State.play_traced`


@run
async def test_a_move_takes_few_hops_over_few_files_to_the_disk(file, monkeypatch):
    monkeypatch.setattr(timeouts_and_catch_up, "TICK", 1e6)  # what is looked at meanwhile is no part of the path
    entered, is_recording = [], False

    def profile(frame, event, _):
        code = frame.f_code
        if event == "call" and is_recording and code.co_filename.startswith(str(SOURCE)) and "<" not in code.co_name:
            entered.append(f"{Path(code.co_filename).relative_to(SOURCE).as_posix()} {code.co_qualname}")

    threading.setprofile(profile)  # for the writer's thread, which starts with the first write
    try:
        async with opened(file) as house:
            id, (ada, _), table = await playing(house)
            await house.store.writer.drain()
            move = table.state.legal(0)[0]
            sys.setprofile(profile)
            is_recording = True
            await house.act(id, ada, Move(move), key="k", number=table.number)
            is_recording = False
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    to_disk = dict.fromkeys(entered[: entered.index(PATH[-1]) + 1])
    assert [name for name in to_disk if name in PATH] == PATH
    assert {name for name in to_disk if name not in PATH and not name.startswith(ENGINE)} <= QUERIES
    assert len(PATH) <= 15
    assert len({name.partition(" ")[0] for name in PATH}) <= 9
