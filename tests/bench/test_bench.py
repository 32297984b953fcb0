"""The benchmarks measure what they say, and the plain programs they compare with play by the rules."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

import sarai
from sarai.bench import other_libraries, rates, report, suite, workloads
from sarai.bench.rates import PlayCounts
from sarai.core.random_play import play_randomly

ROOT = Path(__file__).parents[2]
OTHERS = ["PettingZoo connect_four_v3", "OpenSpiel connect_four", "OpenSpiel hex", "OpenSpiel liars_dice"]


def bench(*arguments, before="pass"):
    called = ["sarai", "bench", *map(str, arguments)]
    code = f"import sys; {before}; from sarai.cli import main; sys.argv = {called}; main()"
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="module")
def numbers():
    done = bench("--json", "--seconds", 0.02, "--game", "sixnimmt")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.program
def test_json_holds_every_rate(numbers):
    assert [(row["game"], row["players"]) for row in numbers["games"]] == [("sixnimmt", 2), ("sixnimmt", 4)]
    for row in numbers["games"]:
        assert set(row["compiled"]) == set(row["uncompiled"]) == {"games", "moves", "chances"}
        assert set(row["contract"]) == {"moves", "chances"}
        rates = [*row["compiled"].values(), *row["uncompiled"].values(), *row["contract"].values()]
        assert all(rate > 0 for rate in rates)
        assert row["compiled"]["moves"] > row["contract"]["moves"] > row["uncompiled"]["moves"]
    assert list(numbers["others"]) == OTHERS
    assert all(
        set(other) == {"games", "nodes"} and other["nodes"] > other["games"] > 0 for other in numbers["others"].values()
    )
    assert numbers["notes"] == []


@pytest.mark.program
def test_ratios_are_those_of_the_rates(numbers):
    for row in numbers["games"]:
        ratios = {"compiled to uncompiled": row["compiled"]["moves"] / row["uncompiled"]["moves"]}
        ratios |= {
            f"contract to {name}": row["contract"]["moves"] / numbers["others"][name]["nodes"] for name in OTHERS
        }
        assert row["ratios"] == pytest.approx(ratios)
    (beside,) = numbers["plain"]
    assert (beside["game"], beside["players"], beside["options"]) == ("sixnimmt", 4, {"rounds": 1})
    assert beside["ratio"] == pytest.approx(beside["compiled"] / beside["plain"])
    assert beside["compiled"] > beside["plain"] > 0


def test_tree_search_is_measured_where_the_best_bots_use_it():
    searched = [id for id in sarai.game_ids() if suite.is_searched(sarai.game(id))]
    assert {"desert", "anubixx"} <= set(searched) and "sixnimmt" not in searched


def test_search_is_measured_beside_openspiels():
    game = sarai.game("anubixx")
    ours, its = workloads.search_work(game, 4), other_libraries.openspiel_search()
    assert ours(1).games == its(1).games == workloads.SIMULATIONS
    other = other_libraries.OPENSPIEL_SEARCH
    row = suite.beside_search(
        game, 4, {("search", "anubixx", "4"): PlayCounts(30.0), ("other_search", other): PlayCounts(20.0)}
    )
    assert (row["game"], row["players"], row["others"][other]["ratio"]) == ("anubixx", 4, 1.5)
    shown = io.StringIO()
    Console(file=shown, width=200).print(report.search_table([row]))
    assert "anubixx, 4" in shown.getvalue() and "havannah" in shown.getvalue() and "1.5 ×" in shown.getvalue()


@pytest.mark.program
def test_without_the_extra_it_says_so_in_one_line_and_goes_on():
    done = bench("--seconds", 0, "--game", "sixnimmt", before="sys.modules['pyspiel'] = None")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if ".[research]" in line] == [other_libraries.NO_LIBRARIES]
    assert "sixnimmt, 4, rounds=1" in done.stdout and "PettingZoo connect" not in done.stdout


@pytest.mark.program
@pytest.mark.parametrize("arguments", [("--game", "chess"), ("--seconds", "nan"), ("--seconds", -1)])
def test_what_cannot_be_measured_is_refused_in_one_sentence(arguments):
    done = bench(*arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.program
def test_the_module_runs_without_the_other_commands():
    done = subprocess.run(
        [sys.executable, "-m", "sarai.bench", "--game", "chess"], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("There is no game called 'chess'")


@pytest.mark.parametrize("seconds", [0, 0.5, 3])
def test_a_rate_is_work_by_time_however_it_is_portioned(monkeypatch, seconds):
    clock, portions = 0.0, []
    monkeypatch.setattr(rates, "thread_time", lambda: clock)

    def work(games):
        nonlocal clock
        clock += games / 8
        portions.append(games)
        return PlayCounts(games, 3 * games, 2 * games)

    assert rates.measure_rates(work, seconds) == PlayCounts(8, 24, 16)
    assert portions[0] == 1 and seconds <= clock <= seconds + 1 / 8


def test_other_libraries_play_whole_games():
    played = {name: work(3) for name, work in other_libraries.libraries(Random(1))}
    assert list(played) == OTHERS
    assert all(result.games == 3 and result.moves >= 3 for result in played.values())
    assert {name for name, result in played.items() if result.chances} == {"OpenSpiel liars_dice"}


@pytest.mark.parametrize("width", [80, 120])
def test_tables_show_ratios_and_rates_and_who_is_ahead(width):
    row = {
        "game": "desert",
        "players": 2,
        "compiled": {"games": 8000.4, "moves": 640_000, "chances": 8000},
        "uncompiled": {"games": 12, "moves": 960, "chances": 12},
        "contract": {"moves": 150_000, "chances": None},
        "ratios": {
            "compiled to uncompiled": 666.7,
            "contract to PettingZoo connect_four_v3": 18.75,
            "contract to OpenSpiel hex": 0.3,
        },
    }
    beside = {"game": "desert", "players": 2, "options": {"rounds": 1}, "compiled": 8000, "plain": 80.5, "ratio": 99.4}
    searched = {
        "game": "desert",
        "players": 2,
        "simulations": 30_000,
        "others": {"OpenSpiel MCTS, havannah": {"simulations": 20_000, "ratio": 1.5}},
    }
    run = {
        "games": [row],
        "plain": [beside],
        "searches": [searched],
        "others": {name: {"nodes": 8000} for name in (OTHERS[0], OTHERS[2])},
        "notes": ["Something [else]."],
    }
    out = io.StringIO()
    report.show(run, Console(file=out, width=width))
    text = out.getvalue()
    for fact in (
        "667 ×",
        "8,000",
        "640,000",
        "960",
        "19 ×",
        "0.30 ×",
        "150,000",
        "–",
        "desert, 2, rounds=1",
        "99 ×",
        "80.5",
        "Below 1 ×",
        "30,000",
        "1.5 ×",
        "Something [else].",
    ):
        assert fact in text
    assert "…" not in text


# --- the plain programs ---


def test_every_plain_program_is_for_a_game():
    for path in (ROOT / "benchmarks").glob("plain_*.py"):
        id = path.stem.removeprefix("plain_")
        program = other_libraries.plain_program(id)
        assert program and sarai.game(id).start(program.PLAYERS, program.OPTIONS)
    assert other_libraries.plain_program("no-such-game") is None


class Recorder(Random):
    """A generator that keeps what it gave."""

    def __init__(self, seed):
        super().__init__(seed)
        self.pack, self.rows = [], []

    def sample(self, *arguments, **named):
        self.pack = super().sample(*arguments, **named)
        return list(self.pack)

    def randrange(self, *arguments):
        self.rows.append(super().randrange(*arguments))
        return self.rows[-1]


def test_plain_sixnimmt_counts_the_heads_the_house_counts():
    program, game = other_libraries.plain_program("sixnimmt"), sarai.game("sixnimmt")
    rows_chosen = 0
    for seed in range(20):
        rng = Recorder(seed)
        heads = program.play(rng)
        state = game.start(program.PLAYERS, program.OPTIONS)
        for card in rng.pack:
            state = state.play(game.parse_move(state, str(card)))
        for place in range(9, -1, -1):
            for seat in range(program.PLAYERS):
                state = state.play(game.parse_move(state, str(rng.pack[10 * seat + place])), seat)
            while state.actor != sarai.OVER and game.move_text(state, state.legal()[0]) == "r1":
                state = state.play(game.parse_move(state, f"r{rng.rows.pop(0) + 1}"))
                rows_chosen += 1
        assert state.result.scores == heads
        assert rng.rows == []
    assert rows_chosen > 20


@pytest.mark.program
def test_sheets_are_weighed_by_what_they_brought(tmp_path):
    brought = {}
    for seed in range(3):
        record = play_randomly(sarai.game("anubixx"), 2, seed=seed)
        record.save(tmp_path / f"anubixx-{seed}.sarai.json")
        end = record.check()
        for seat, score in zip(end.view(None).to_json()["seats"], end.scores, strict=True):
            brought.setdefault(seat["sheet"], []).append(score)
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "benchmarks" / "sheet_balance.py", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *rows, last = done.stdout.splitlines()
    assert {row.split()[0]: row.split()[1] for row in rows} == {
        sheet: f"{sum(scores) / len(scores):.2f}" for sheet, scores in brought.items()
    }
    assert last.startswith("3 games; ")


@pytest.mark.program
def test_the_greedy_yardstick_beats_chance(tmp_path):
    match = "camelup-2014 greedy_camelup_bot:Greedy random --games 6 --jobs 1 --json --resume"
    arena = [sys.executable, "-c", "from sarai.cli import main; main()", "arena", *match.split(), tmp_path / "match"]
    done = subprocess.run(
        arena, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "benchmarks")}
    )
    assert done.returncode == 0, done.stderr
    ranks = {found["bot"]: found["rank"]["mean"] for found in json.loads(done.stdout)["bots"]}
    assert ranks["greedy_camelup_bot:Greedy"] == 1.0
    assert ranks["random"] == 2.0
