"""The same rules without the compiler, in a process of its own: Numba is on or off for a whole process."""

import json
import os
import subprocess
import sys
from random import Random
from types import TracebackType

from sarai.bench.rates import PlayCounts, Work, measure_rates
from sarai.bench.workloads import engine_work
from sarai.core.registry import game


class UncompiledProcess:
    """A process with the compiler off that measures random play when asked to."""

    def __enter__(self) -> "UncompiledProcess":
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            start_new_session=True,  # so that Ctrl-C stops this process, which then stops that one
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error:
            self.process.kill()
        self.process.communicate()

    def measure_rates(self, id: str, players: int, seconds: float) -> PlayCounts:
        """Measure random games of a game."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps([id, players, seconds]), file=self.process.stdin, flush=True)
        return PlayCounts(*json.loads(self.process.stdout.readline()))


def answer_requests() -> None:
    """Answer each line of the input, a request for a measurement, with a line."""
    works: dict[tuple[str, int], Work] = {}
    for line in sys.stdin:
        name, players, seconds = json.loads(line)
        work = works.setdefault((name, players), engine_work(game(name), players, {}, Random(0)))
        print(json.dumps(measure_rates(work, seconds)), flush=True)


if __name__ == "__main__":
    answer_requests()
