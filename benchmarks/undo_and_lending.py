"""Let people come, go, lend, take back and answer at tables, and judge that nobody decides what is not theirs.

`python benchmarks/undo_and_lending.py --steps 20000 --seed 7` prints what was tried, and stops at the first
thing that is wrong.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from hypothesis import seed

sys.path += [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("", "table")]

LONGEST = 50  # steps at one table


def main() -> None:
    """Run the state machine of the tests until it has made enough steps."""
    from test_machine import NotTheirs, run_not_theirs

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began, all_tried, run = time.process_time(), Counter[str](), 0
    while all_tried["steps"] < given.steps:
        seed(given.seed + run)(NotTheirs)
        all_tried += run_not_theirs(200, LONGEST, database=None)
        run += 1
    print(f"{time.strftime('%Y-%m-%d')}, seeds {given.seed} to {given.seed + run - 1}: nothing was wrong.")
    print(f"{all_tried.pop('steps')} steps in {time.process_time() - began:.0f} s of processor time")
    for what, times in sorted(all_tried.items(), key=lambda item: -item[1]):
        print(f"{times:7} {what}")


if __name__ == "__main__":
    main()
