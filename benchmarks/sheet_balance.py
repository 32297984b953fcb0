"""How even the sheets of Anubixx are: the mean score of each sheet over the games in a folder of records.

sarai arena anubixx expert --players 4 --games 2000 --jobs 2 --records sheets
python benchmarks/sheet_balance.py sheets
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from sarai.core.records import load
from sarai.core.statistics import Sample

FURTHEST = 0.03  # how far apart the best and the worst sheet may be, as a part of the mean


def scores_by_sheet(files: Iterable[Path]) -> dict[str, list[int]]:
    """Return what every sheet brought in games that are over."""
    found = defaultdict(list)
    for file in files:
        end = load(file, check=False).check()
        for seat, score in zip(end.view(None).to_json()["seats"], end.scores, strict=True):
            found[seat["sheet"]].append(score)
    return dict(sorted(found.items()))


def apart(scores: dict[str, list[int]]) -> float:
    """Return how far the best sheet is from the worst, as a part of the mean."""
    means = [mean(found) for found in scores.values()]
    return (max(means) - min(means)) / mean(means)


def main() -> None:
    """Read the records of a folder and print the sheets."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    files = sorted(parser.parse_args().folder.glob("anubixx-*.sarai.json"))
    scores = scores_by_sheet(files)
    for sheet, found in scores.items():
        sample = Sample()
        for score in found:
            sample.add(score)
        middle, _, high = sample.mean()
        within = f" ± {high - middle:.2f}" if high is not None else ""
        print(f"{sheet}  {middle:6.2f}{within}  ({len(found)} sheets)")
    print(f"{len(files)} games; from the worst to the best {apart(scores):.1%}, at most {FURTHEST:.0%} is wanted")


if __name__ == "__main__":
    main()
