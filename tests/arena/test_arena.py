"""The arena: the same deals for every line-up, numbers that can be trusted, and a journal that survives a kill."""

import contextlib
import io
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import sarai
from sarai.arena import Journal, Match, play_deal, tabulate
from sarai.arena.deals import Deal, Luck, attempt, names_of, number_from, play_game, warm_up
from sarai.arena.journal import shares
from sarai.arena.local_workers import play_here
from sarai.arena.numbers import STUDENT, Sample, even_ranks, student
from sarai.bots import Budget
from sarai.cli import run
from sarai.core.errors import Error
from sarai.core.records import Record, load
from sarai.core.result import CHANCE, Result

ROUND = {"rounds": 1}
BOTS = """
class First:
    def __init__(self, game, seed):
        self.seed = seed
    def choose(self, view, budget=None):
        return view.legal()[0]

class Last(First):
    def choose(self, view, budget=None):
        return view.legal()[-1]

class Broken(First):
    def choose(self, view, budget=None):
        raise RuntimeError("no idea")

class Cheat(First):
    def choose(self, view, budget=None):
        return 999

NOTHING = None
"""


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A module of bots that come from outside."""
    (tmp_path / "own_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("own_bots", None)


def small(*bots, players=None, seed=1, **more):
    return Match.make("sixnimmt", bots or ("random", "novice"), players, ROUND, seed=seed, **more)


def made(ranks, scores=None):
    return Result(scores or [10 * rank for rank in ranks], list(ranks), shares(list(ranks)), "end")


# --- matches and line-ups --------------------------------------------------------------------------------------------------------


def test_everybody_moves_up_a_seat_until_the_first_lineup_comes_again():
    assert small("random", "novice", "regular").lineups == [
        ("random", "novice", "regular"),
        ("regular", "random", "novice"),
        ("novice", "regular", "random"),
    ]
    assert small("random", "novice", players=4).lineups == [("random", "novice") * 2, ("novice", "random") * 2]
    assert len(small("random", "novice", "novice", "novice").lineups) == 4
    assert small("random", players=3).lineups == [("random",) * 3]


def test_bots_sit_down_in_turn_until_every_seat_is_taken():
    assert small("random", "novice", players=5).seats == ("random", "novice", "random", "novice", "random")
    assert names_of(("random", "novice", "random")) == ["random 1", "novice", "random 2"]


def test_games_are_made_whole_deals():
    match = small("random", "novice", "regular")
    assert [match.deals_for(games) for games in (1, 3, 4, 30)] == [1, 1, 2, 10]


def test_a_match_is_told_from_every_other():
    base = small()
    others = [
        small("novice", "random"),
        small(seed=2),
        small(players=4),
        small(budget=Budget(simulations=9)),
        small(budget=Budget(seconds=9.0)),
    ]
    others.append(Match.make("sixnimmt", ("random", "novice"), 2, {"rounds": 2}))
    assert len({match.digest for match in [base, *others]}) == 7
    assert small().digest == base.digest


@pytest.mark.parametrize(
    ("key", "arguments"),
    [
        ("unknown_game", {"game": "chess"}),
        ("unknown_level", {"bots": ["grandmaster", "random"]}),
        ("too_many_bots", {"bots": ["random"] * 3, "players": 2}),
        ("bad_count", {"bots": [], "players": 2}),
        ("wrong_player_count", {"bots": ["random"]}),
        ("wrong_player_count", {"players": 99}),
        ("unknown_option", {"options": {"colour": "blue"}}),
        ("two_budgets", {"budget": Budget(1.0, 1)}),
        ("bad_count", {"budget": Budget(seconds=0.0)}),
        ("bad_count", {"budget": Budget(seconds=float("nan"))}),
        ("bad_count", {"budget": Budget(simulations=0)}),
        ("bad_bot", {"bots": ["no_such_module:Bot", "random"]}),
        ("bad_bot", {"bots": ["math:pi", "random"]}),
        ("bad_bot", {"bots": ["math:bot", "random"]}),
        ("bad_bot", {"bots": [":", "random"]}),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(key, arguments):
    with pytest.raises(Error) as error:
        Match.make(**({"game": "sixnimmt", "bots": ["random", "random"]} | arguments))
    assert error.value.key == key
    assert str(error.value)


# --- deals -----------------------------------------------------------------------------------------------------------------------


def chances(record: Record) -> list[int]:
    return [move for seat, move in record.moves if seat == CHANCE]


@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_lineup_meets_the_same_chance(id, own):
    match = Match.make(id, ["random", "own_bots:Last"], options=ROUND if id == "sixnimmt" else {}, seed=5)
    one, two = (play_game(match, 3, turn) for turn in range(2))
    length = min(len(chances(one)), len(chances(two)))
    assert length >= 10
    assert chances(one)[:length] == chances(two)[:length]
    assert one.names == two.names[::-1]
    assert one.moves != two.moves
    another = play_game(match, 4, 0)
    assert chances(another)[:length] != chances(one)[:length]


def test_chance_does_not_depend_on_who_plays():
    assert chances(play_game(small("random", "novice"), 7, 0)) == chances(play_game(small("novice", "novice"), 7, 0))


def test_cards_are_dealt_anew_in_every_round():
    record = play_game(Match.make("sixnimmt", ["random"], 2, {"rounds": 3}), 0, 0)
    rounds = [chances(record)[start : start + 24] for start in (0, 24, 48)]
    assert len({tuple(cards) for cards in rounds}) == 3


class Node:
    """A chance node with given outcomes."""

    def __init__(self, *outcomes):
        self.outcomes = outcomes

    def chance(self):
        return list(self.outcomes)


def test_chance_of_one_kind_does_not_disturb_another():
    die = Node(*[(face, Fraction(1, 6)) for face in range(6)])
    coin = Node((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    plain, mixed = Luck(1, 0), Luck(1, 0)
    rolls = [plain.draw(die) for _ in range(20)]
    found = []
    for _ in range(20):
        mixed.draw(coin)
        found.append(mixed.draw(die))
    assert found == rolls
    assert len(set(rolls)) > 1


def test_chance_is_as_likely_as_the_node_says():
    likely = {3: Fraction(1, 2), 5: Fraction(1, 3), 8: Fraction(1, 7), 9: Fraction(1, 42)}
    node, times = Node(*likely.items()), 6000
    for counts in (
        Counter(Luck(1, deal).draw(node) for deal in range(times)),
        Counter(map(Luck(2, 0).draw, [node] * times)),
    ):
        squares = sum((counts[outcome] - times * p) ** 2 / (times * p) for outcome, p in likely.items())
        assert squares < 16.3  # three degrees of freedom, one in a thousand


def test_a_deal_depends_on_the_match_and_its_number_alone():
    match = small("random", "random", "novice")
    third = play_deal(match, 3)
    play_deal(match, 4)
    assert play_deal(match, 3) == third
    assert play_deal(small("random", "random", "novice"), 3) == third
    assert play_deal(match, 4) != third
    assert play_deal(small("random", "random", "novice", seed=2), 3) != third


def test_seats_of_one_bot_have_luck_of_their_own():
    seeds = {number_from(1, deal, turn, seat) for deal in range(10) for turn in range(4) for seat in range(4)}
    assert len(seeds) == 160
    assert max(seeds) < 1 << 64


def test_bots_from_outside_play(own):
    record = play_game(small("own_bots:First", "own_bots:Last"), 0, 0)
    assert record.check().result == record.result
    assert record.names == ["own_bots:First", "own_bots:Last"]
    digest = small("own_bots:First", "own_bots:Last").digest
    (own / "own_bots.py").write_text(BOTS + "# changed\n")
    from sarai.arena.match import code_of

    code_of.cache_clear()
    assert small("own_bots:First", "own_bots:Last").digest != digest


@pytest.mark.parametrize("name", ["own_bots:Broken", "own_bots:Cheat"])
def test_who_fails_is_named(own, name):
    match = small("random", name)
    for task in (warm_up, lambda match: play_deal(match, 2)):
        with pytest.raises(Error, match=name) as error:
            task(match)
        assert error.value.key == "bot_failed"
    assert isinstance(attempt(match, 2, False), Error)


def test_what_is_no_bot_is_refused(own):
    with pytest.raises(Error) as error:
        small("own_bots:NOTHING", "random")
    assert error.value.key == "bad_bot"


def test_other_code_is_refused():
    match = small()
    other = Match(match.game, match.seats, match.options, None, 1, "another")
    assert attempt(match, 0, False) == play_deal(match, 0)._replace(moves=[])
    refused = attempt(other, 0, False)
    assert isinstance(refused, Error)
    assert refused.key == "other_code"


# --- numbers ---------------------------------------------------------------------------------------------------------------------


def sampled(numbers):
    sample = Sample()
    for number in numbers:
        sample.add(number)
    return sample


def test_students_t():
    assert student(1) == pytest.approx(12.7062)
    assert student(31) == pytest.approx(2.03951, abs=2e-4)
    assert student(100) == pytest.approx(1.98397, abs=2e-5)
    assert student(10**6) == pytest.approx(1.95997, abs=1e-5)
    values = [student(freedom) for freedom in range(1, 200)]
    assert values == sorted(values, reverse=True)
    assert len(STUDENT) == 30


def test_an_interval_of_a_mean_is_the_textbook_one():
    mean, low, high = sampled([4.0, 6.0, 8.0, 10.0]).mean()
    reach = 3.1824 * (20 / 3) ** 0.5 / 2
    assert (mean, low, high) == pytest.approx((7.0, 7.0 - reach, 7.0 + reach))
    assert sampled([4.0]).mean() == (4.0, None, None)
    assert sampled([1.0]).bounded() == (1.0, None, None)


@pytest.mark.parametrize("deals", [4, 12, 60])
def test_intervals_of_means_hold_the_truth_95_times_in_100(deals):
    rng = random.Random(deals)
    held = 0
    for _ in range(2000):
        _, low, high = sampled([rng.gauss(3.0, 2.0) for _ in range(deals)]).mean()
        held += low <= 3.0 <= high
    assert 0.935 < held / 2000 < 0.965


@pytest.mark.parametrize(("share", "deals"), [(0.5, 40), (0.9, 40), (0.97, 100)])
def test_intervals_of_shares_hold_the_truth_about_95_times_in_100(share, deals):
    rng = random.Random(deals)
    held = 0
    for _ in range(2000):
        _, low, high = sampled([float(rng.random() < share) for _ in range(deals)]).bounded()
        held += low <= share <= high
    assert 0.92 < held / 2000 < 0.995


def test_shares_stay_within_their_bounds_and_nothing_is_certain():
    mean, low, high = sampled([1.0] * 20).bounded()
    assert mean == high == 1.0
    assert 0.7 < low < 0.9
    mean, low, high = sampled([4.0] * 20).bounded(1.0, 4.0)
    assert mean == high == 4.0
    assert low < 3.9
    assert sampled([1.5] * 5).bounded(1.5, 1.5) == (1.5, 1.5, 1.5)
    for numbers in ([0.0, 0.1], [1.0, 1.0, 0.9], [0.5, 0.5]):
        mean, low, high = sampled(numbers).bounded()
        assert 0.0 <= low <= mean <= high <= 1.0


def test_line_ups_of_one_deal_count_once():
    """A deal that is won from every seat says no more than a single game: the interval is that of the deals."""
    match = small("random", "novice", "regular")
    rng = random.Random(1)
    orders = [rng.sample([1, 2, 3], 3) for _ in range(30)]
    done = {deal: [made(order[-turn:] + order[:-turn]) for turn in range(3)] for deal, order in enumerate(orders)}
    for place, bot in enumerate(match.bots):
        row = next(row for row in tabulate(match, done).rows if row.bot == bot)
        assert tuple(row.rank) == pytest.approx(tuple(sampled([float(order[place]) for order in orders]).bounded(1, 3)))


def test_tied_seats_share_the_ranks_they_take():
    assert even_ranks([1, 1, 3]) == [1.5, 1.5, 3]
    assert even_ranks([2, 1, 2, 2]) == [3, 1, 3, 3]


def test_a_table_of_known_results():
    match = small("random", "novice", players=4)
    done = {0: [made([1, 2, 3, 4]), made([1, 2, 3, 4])], 1: [made([4, 1, 2, 2]), made([2, 1, 4, 3])]}
    table = tabulate(match, done)
    rows = {row.bot: row for row in table.rows}
    assert table.games == 4
    assert table.endings == {"end": 4}
    assert rows["random"].seats == rows["novice"].seats == 2
    # deal 0: random has ranks 1, 3 then 2, 4; deal 1: 4, 2.5 (tied with the third) then 1, 3
    assert rows["random"].rank.mean == pytest.approx((2.5 + 2.625) / 2)
    assert rows["novice"].rank.mean == pytest.approx(5 - rows["random"].rank.mean)
    assert [row.bot for row in table.rows] == ["novice", "random"]
    assert rows["random"].win.mean == pytest.approx(2 / 8)
    assert rows["random"].score.mean == pytest.approx((25 + 25) / 2)
    above = {(pair.bot, pair.other): pair.above.mean for pair in table.pairs}
    assert above["random", "novice"] == pytest.approx(((3 + 1) / 8 + (0 + 0.5 + 2 + 1) / 8) / 2)
    assert above["random", "novice"] + above["novice", "random"] == pytest.approx(1)


def test_the_better_bot_is_rated_higher():
    match = small("novice", "random")
    table = tabulate(match, {deal: [made([1, 2]), made([2, 1])] for deal in range(20)})
    best, worst = table.rows
    assert (best.bot, worst.bot) == ("novice", "random")
    assert best.rating.ordinal == pytest.approx(best.rating.mu - 3 * best.rating.sigma)
    assert best.rating.mu > 30 > 20 > worst.rating.mu
    alone = tabulate(small("random", players=3), {deal: [made([1, 2, 3])] for deal in range(5)})
    assert alone.rows[0].rating.mu == pytest.approx(25, abs=0.5)
    assert alone.pairs == []


def test_a_table_is_the_same_in_whichever_order_deals_were_played():
    match = small()
    done = {deal: play_deal(match, deal).results for deal in range(4)}
    backwards = dict(reversed(done.items()))
    assert tabulate(match, backwards).to_json() == tabulate(match, done).to_json()


def test_the_shape_of_the_json():
    match = small("random", "novice", budget=Budget(simulations=7))
    data = json.loads(
        json.dumps(tabulate(match, {deal: play_deal(match, deal).results for deal in range(3)}).to_json())
    )
    assert set(data) == {*match.to_json(), "deals", "games", "endings", "bots", "pairs"}
    assert (data["game"], data["players"], data["seats"], data["seed"]) == ("sixnimmt", 2, ["random", "novice"], 1)
    assert (data["seconds"], data["simulations"], data["deals"], data["games"]) == (None, 7, 3, 6)
    assert data["options"]["rounds"] == 1
    assert data["endings"] == {"rounds_played": 6}
    assert {bot["bot"] for bot in data["bots"]} == {"random", "novice"}
    for bot in data["bots"]:
        assert set(bot) == {"bot", "seats", "rank", "win", "score", "rating"}
        assert set(bot["rating"]) == {"mu", "sigma", "ordinal"}
        for name in ("rank", "win", "score"):
            assert bot[name]["low"] <= bot[name]["mean"] <= bot[name]["high"]
    assert sum(bot["win"]["mean"] for bot in data["bots"]) == pytest.approx(1)
    assert [(pair["bot"], pair["other"]) for pair in data["pairs"]] in (
        [("novice", "random"), ("random", "novice")],
        [("random", "novice"), ("novice", "random")],
    )


# --- the journal -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path):
    """A journal of two deals."""
    match = small()
    book = Journal(tmp_path / "match.jsonl", match)
    for deal in (1, 0):
        book.add(play_deal(match, deal))
    book.close()
    return book.path, match, book.done


def reopened(path, match):
    book = Journal(path, match)
    book.close()
    return book.done


def test_a_journal_gives_back_what_was_written(journal):
    path, match, done = journal
    assert reopened(path, match) == done
    assert set(done) == {0, 1}


@pytest.mark.parametrize(
    "torn",
    [b'{"deal":2,"games":[[[1', b'{"deal":2,"games":[]}\n', b"\0\0\0\0", b"\xff\xfe\n", b'{"deal":2}\n', b"[]\n"],
)
def test_a_torn_last_line_is_forgotten(journal, torn):
    path, match, done = journal
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    book = Journal(path, match)
    assert book.done == done
    book.add(play_deal(match, 2))
    book.close()
    assert path.read_bytes().startswith(whole)
    assert set(reopened(path, match)) == {0, 1, 2}


def test_every_place_a_journal_can_be_torn(journal):
    path, match, done = journal
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        found = reopened(path, match)
        assert found.items() <= done.items()
        assert len(found) == max(0, whole[:length].count(b"\n") - 1)


def test_damage_in_the_middle_is_refused(journal):
    path, match, _ = journal
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"damage\n" + lines[2])
    with pytest.raises(Error) as error:
        Journal(path, match)
    assert (error.value.key, error.value.facts["line"]) == ("journal_unreadable", 2)


@pytest.mark.parametrize("text", ["notes", "notes\n", "notes\nmore notes\n", "{}\n", "[1]\n", '{"format": 1'])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(Error) as error:
        Journal(path, small())
    assert error.value.key == "journal_unreadable"
    assert path.read_text() == text


def test_a_journal_of_another_match_is_refused(journal):
    path, _, _ = journal
    before = path.read_bytes()
    for other, what in (
        (small(seed=2), "seed"),
        (small("novice", "random"), "seats"),
        (small(budget=Budget(simulations=5)), "simulations"),
    ):
        with pytest.raises(Error, match=what) as error:
            Journal(path, other)
        assert error.value.key == "journal_other_match"
    assert path.read_bytes() == before


def test_two_cannot_write_one_journal(journal):
    path, match, done = journal
    book = Journal(path, match)
    with pytest.raises(Error) as error:
        Journal(path, match)
    assert error.value.key == "journal_in_use"
    book.close()
    assert reopened(path, match) == done


def test_a_journal_that_cannot_be_written_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "such" / "folder"):
        with pytest.raises(Error) as error:
            Journal(path, small())
        assert error.value.key == "file_unwritable"


# --- the command -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(monkeypatch, tmp_path):
    """Run the command here; return its exit code, output and error output."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("SARAI_TRACEBACK", raising=False)

    def command(*arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["arena", *map(str, arguments)])
        return code, out.getvalue(), err.getvalue()

    return command


TWO = ("sixnimmt", "random", "novice")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", "random", "random"), "no game called 'chess'"),
        (("sixnimmt", "random", "deep-thought"), "no bot 'deep-thought'"),
        (("sixnimmt", "random"), "2 to 10 players, not 1"),
        (("sixnimmt",), "BOT"),
        ((*TWO, "--players", "11"), "2 to 10 players"),
        (("sixnimmt", "random", "novice", "regular", "--players", "2"), "3 bots cannot sit at a table for 2"),
        ((*TWO, "--games", "0"), "games cannot be 0"),
        ((*TWO, "--games", "many"), "--games"),
        ((*TWO, "--jobs", "0"), "jobs cannot be 0"),
        ((*TWO, "--jobs", "-2"), "jobs cannot be -2"),
        ((*TWO, "--seconds", "1", "--simulations", "5"), "not for both"),
        ((*TWO, "--seconds", "-1"), "seconds cannot be -1"),
        ((*TWO, "--simulations", "0"), "simulations cannot be 0"),
        ((*TWO, "--option", "target"), "NAME=VALUE"),
        ((*TWO, "--option", "target=none"), "target"),
        ((*TWO, "--records", "/dev/null"), "/dev/null cannot be written"),
        ((*TWO, "--resume", "/dev"), "/dev cannot be written"),
        ((*TWO, "--resume", "/no/such/folder/file"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(cli, arguments, words):
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_journal_of_another_match_is_refused_by_the_command(cli, journal):
    path, _, _ = journal
    code, out, err = cli(*TWO, "--seed", "2", "--resume", path)
    assert (code, out) == (2, "")
    assert "another match" in err


def test_a_match_that_is_over_is_told_from_its_journal(cli, journal):
    path, match, done = journal
    arguments = (*TWO, "--option", "rounds=1", "--games", "4", "--resume", path)
    code, out, err = cli(*arguments, "--json")
    assert code == 0
    assert json.loads(out) == tabulate(match, done).to_json()
    assert "2 of 2 deals" in err
    code, out, _ = cli(*arguments)
    assert code == 0
    for words in (
        "6 nimmt!",
        "2 players",
        "rounds=1",
        "4 games: 2 deals in 2 line-ups",
        "random",
        "novice",
        "mean rank",
        "finishes above",
        "%",
        "rounds_played 4",
    ):
        assert words in out
    assert path.exists()


# --- processes -------------------------------------------------------------------------------------------------------------------

MATCH = ("sixnimmt", "random", "novice", "regular", "--games", "60", "--option", "rounds=5", "--seed", "11", "--json")


def command(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the program."""
    environment = os.environ | {
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": os.pathsep.join([str(Path(sarai.__file__).parent.parent), str(folder)]),
    }
    code = "from sarai.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "arena", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )


def finished(process: subprocess.Popen[str], code: int = 0) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, err
    return out, err


def wait_for_lines(path: Path, lines: int) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") > lines:
            return
        time.sleep(0.005)
    raise AssertionError("no deal was written down")


def children(process: subprocess.Popen[str]) -> list[int]:
    found = [
        line.split()
        for line in subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    ]
    return [int(pid) for pid, parent in found if int(parent) == process.pid]


def is_gone(pid: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return not state or state.startswith("Z")


def wait_until_gone(pids: list[int]) -> None:
    end = time.monotonic() + 30
    while not all(map(is_gone, pids)):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.program
def test_a_killed_match_goes_on_and_ends_as_one_that_was_not(tmp_path):
    records = tmp_path / "records"
    killed = command(tmp_path, *MATCH, "--jobs", "2", "--resume", "match.jsonl", "--records", str(records))
    wait_for_lines(tmp_path / "match.jsonl", 3)
    workers = children(killed)
    assert len(workers) >= 2
    killed.send_signal(signal.SIGKILL)
    finished(killed, -signal.SIGKILL)
    wait_until_gone(workers)  # nobody plays on for a match that is gone
    before = (tmp_path / "match.jsonl").read_bytes().count(b"\n") - 1
    assert 3 <= before < 20
    out, err = finished(command(tmp_path, *MATCH, "--jobs", "2", "--resume", "match.jsonl", "--records", str(records)))
    assert f"{before} of 20 deals are in match.jsonl already." in err
    whole, _ = finished(command(tmp_path, *MATCH, "--jobs", "1"))
    assert out == whole
    assert list((tmp_path / "state" / "sarai" / "arena").iterdir()) == []  # a match that is over leaves nothing behind
    check_records(sorted(records.iterdir()), json.loads(whole))


def check_records(files: list[Path], table: dict) -> None:
    """Every record replays, and together they are the table."""
    assert len(files) == table["games"] == 60
    wins: Counter[str] = Counter()
    for number, file in enumerate(files):
        record = load(file)
        assert record.result is not None
        assert sorted(record.names) == ["novice", "random", "regular"]
        assert record.names[number % 3] == "random"
        for name, share in zip(record.names, record.result.utilities, strict=True):
            wins[name] += share
    for bot in table["bots"]:
        assert bot["win"]["mean"] == pytest.approx(wins[bot["bot"]] / 60)


@pytest.mark.program
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path):
    process = command(tmp_path, *MATCH, "--games", "9000", "--jobs", "2", "--resume", "match.jsonl")
    wait_for_lines(tmp_path / "match.jsonl", 2)
    workers = children(process)
    process.send_signal(signal.SIGINT)
    out, err = finished(process, 130)
    assert out == ""
    assert "Stopped after" in err
    assert "match.jsonl, and the same command goes on from there." in err
    assert "Traceback" not in err
    wait_until_gone(workers)


@pytest.mark.program
def test_processes_play_what_one_would_and_their_errors_are_told(own, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(own), os.environ.get("PYTHONPATH", "")]))
    match, warm = small("own_bots:First", "random"), []
    played = sorted(play_here(match, range(5), 2, True, lambda: warm.append(True)))
    assert played == [play_deal(match, deal) for deal in range(5)]
    assert warm == [True]
    assert all(isinstance(deal, Deal) for deal in played)
    with pytest.raises(Error, match="no idea"):
        list(play_here(small("own_bots:Broken", "random"), range(5), 1, False, lambda: None))
    playing = play_here(match, range(500), 1, False, lambda: None)
    next(playing)
    (worker,) = multiprocessing.active_children()
    worker.kill()
    with pytest.raises(Error) as error:
        list(playing)
    assert (error.value.key, error.value.facts["code"]) == ("worker_lost", -signal.SIGKILL)
    assert multiprocessing.active_children() == []
