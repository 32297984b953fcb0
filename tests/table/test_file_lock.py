"""A SQLite file has one server: another is refused, however the first ends, and programs that only read are not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from houses import opened, run, seated
from sarai.core.errors import Error
from sarai.table.storage.backup_and_move import back_up, move
from sarai.table.storage.file_lock import KEPT, FileLock
from sarai.table.storage.store import Store

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys, time
from pathlib import Path
from sarai.table.storage.file_lock import FileLock
lock = FileLock.take(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


def is_free(file):
    try:
        FileLock.take(file).close()
    except Error as error:
        if error.key != "database_in_use":
            raise
        return False
    return True


@run
async def test_two_houses_on_one_file_are_refused_with_a_sentence(file):
    async with opened(file) as house:
        id, _ = await seated(house)
        with pytest.raises(Error) as error:
            async with opened(file):
                pass
        assert error.value.key == "database_in_use" and str(file) in str(error.value)
        with pytest.raises(Error):
            async with opened(f"sqlite:///{file}"):
                pass
        store = await Store.open(str(file))  # `sarai tables` and `export` look meanwhile
        assert len(await store.log(id)) == (await house.table(id)).number
        await store.close()
        assert back_up(str(file), file.with_name("saved.db")).tables == 1
    async with opened(file) as house:
        assert (await house.table(id)).number


@run
async def test_a_house_is_not_moved_into_a_file_that_a_server_uses(file, tmp_path):
    other = tmp_path / "other.db"
    async with opened(file), opened(other):
        pass
    async with opened(other):
        with pytest.raises(Error) as error:
            move(str(file), str(other), force=True)
        assert error.value.key == "database_in_use"


@pytest.mark.program
def test_a_process_that_is_killed_holds_nothing(file):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        assert not is_free(file)
        holder.send_signal(signal.SIGKILL)
    assert is_free(file)


def test_a_server_that_replaces_itself_keeps_the_file(file, monkeypatch):
    lock = FileLock.take(file)
    left = lock.leave()
    lock.close()
    assert not is_free(file), "between the old and the new program nobody else gets it"
    ((name, number),) = left.variables().items()
    assert name == KEPT and os.get_inheritable(left.number)
    monkeypatch.setenv(name, number)
    taken = FileLock.take(file)
    assert taken.number == left.number and not os.get_inheritable(taken.number) and KEPT not in os.environ
    assert not is_free(file)
    taken.close()
    assert is_free(file)
    monkeypatch.setenv(name, "0")  # not of this file
    FileLock.take(file).close()


def test_where_nothing_can_be_written_there_is_no_lock_and_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    lock = FileLock.take(tmp_path / "file" / "house.db")
    assert lock.number == -1 and lock.variables() == {} and lock.leave().number == -1
    lock.close()
