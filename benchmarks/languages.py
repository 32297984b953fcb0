"""What an update costs viewers in different languages: processor time to render a move and what it changed.

    python benchmarks/languages.py --games 4

plays random games of every kind with four people. After every move the pages of the same viewers, one in each language,
are rendered and compared with the ones before, in turns that begin with another language each time. It ends with 1 if
the median of a language is more than 1.05 times the English one.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from statistics import median
from time import thread_time_ns

import sarai

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from markupsafe import Markup

from in_memory_table import Sitting
from sarai.core.language import ENGLISH, LANGUAGES
from sarai.web.live.viewer import LiveInfo, Viewer
from sarai.web.live.viewer_page import RecentBlocks, Snapshot, ViewerPage

PLAYERS, MOST = 4, 1.05
NOBODY_AWAY = LiveInfo()


def page_of(seat: int, code: str) -> ViewerPage:
    """Return the page of a seat in a language."""
    viewer = Viewer(seat=seat, is_host=False, is_known=True, language=code, base_url="http://localhost", may_sit=True)
    return ViewerPage(viewer, lambda *_: Markup(), "1", RecentBlocks())


def play(game_id: str, seed: int, times: dict[str, list[int]]) -> None:
    """Play a game; add to the times of each language what its updates took."""
    rng, sitting = random.Random(seed), Sitting(game_id, PLAYERS).begin()
    pages = {code: [page_of(seat, code) for seat in range(PLAYERS)] for code in LANGUAGES}
    shown: dict[str, list[Snapshot | None]] = {code: [None] * PLAYERS for code in LANGUAGES}
    codes, table = list(LANGUAGES), sitting.table
    while table.phase == "playing":
        for code in codes:
            for seat, page in enumerate(pages[code]):
                begin = thread_time_ns()
                snapshot = page.snapshot(table, NOBODY_AWAY)
                page.update(shown[code][seat], snapshot)
                times[code].append(thread_time_ns() - begin)
                shown[code][seat] = snapshot
        codes.append(codes.pop(0))
        seat = rng.choice(table.to_act)
        sitting.move(rng.choice(table.state.legal(seat)), seat)


def main() -> None:
    """Measure, and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3, help="of each kind")
    wishes = parser.parse_args()
    all_times = {code: list[int]() for code in LANGUAGES}
    for game_id in sarai.game_ids():
        times = {code: list[int]() for code in LANGUAGES}
        for seed in range(wishes.games):
            play(game_id, seed, times)
        report(game_id, times)
        for code, some in times.items():
            all_times[code] += some
    sys.exit(max(report("all", all_times)) > MOST)


def report(title: str, times: dict[str, list[int]]) -> list[float]:
    """Print the median of each language beside the English one; return the ratios."""
    usual = {code: median(some) / 1000 for code, some in times.items()}
    ratios = [took / usual[ENGLISH] for took in usual.values()]
    cells = [f"{code} {took:5.0f} µs {ratio:.3f} ×" for (code, took), ratio in zip(usual.items(), ratios, strict=True)]
    print(f"{title:14} {len(times[ENGLISH]):6} updates   {'   '.join(cells)}")
    return ratios


if __name__ == "__main__":
    main()
