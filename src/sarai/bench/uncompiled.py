"""The same rules as plain Python: a process of its own, because the compiler is on or off for a whole process."""

import json
import os
import subprocess
import sys
from random import Random
from types import TracebackType

from sarai.bench.ours import engine_work
from sarai.bench.pace import Pace, Work, pace
from sarai.core.registry import game


class Uncompiled:
    """A process with the compiler off that measures random play when asked to."""

    def __enter__(self) -> "Uncompiled":
        command, environment = [sys.executable, "-m", __name__], os.environ | {"NUMBA_DISABLE_JIT": "1"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, env=environment, start_new_session=True
        )  # Ctrl-C is for us alone
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error:
            self.process.kill()
        self.process.communicate()

    def pace(self, id: str, players: int, seconds: float) -> Pace:
        """Measure random games of a game."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps([id, players, seconds]), file=self.process.stdin, flush=True)
        return Pace(*json.loads(self.process.stdout.readline()))


def answer() -> None:
    """Answer every line that asks for a measurement."""
    works: dict[tuple[str, int], Work] = {}
    for line in sys.stdin:
        name, players, seconds = json.loads(line)
        work = works.setdefault((name, players), engine_work(game(name), players, {}, Random(0)))
        print(json.dumps(pace(work, seconds)), flush=True)


if __name__ == "__main__":
    answer()
