"""The core: kernels, records as dtypes, chance, registry, options, errors."""

import pickle
import random
import subprocess
import sys
from typing import Annotated

import numba
import numpy as np
import pytest

import sarai
from sarai.core.errors import REASONS, Error, register_reasons
from sarai.core.kernels import dispatch
from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import COMPILED, kernel
from sarai.core.kernels.dispatch import register
from sarai.core.kernels.dtype import copier, record
from sarai.core.kernels.move_trace import new_trace, tell
from sarai.core.kernels.rng import below, random_bits, uniform
from sarai.core.language import find_language
from sarai.core.options import Option

# --- the way in ------------------------------------------------------------------------------------------------------


def python(code: str, **env: str) -> str:
    import os

    return subprocess.run(
        [sys.executable, "-c", code], env=os.environ | env, check=True, capture_output=True, text=True
    ).stdout


def test_listing_games_is_quick_and_imports_no_compiler():
    code = (
        "import sys, time; t = time.process_time(); import sarai; sarai.game_ids(); "
        "print(time.process_time() - t, 'numba' in sys.modules, 'numpy' in sys.modules)"
    )
    runs = [python(code).split() for _ in range(5)]
    assert all(run[1:] == ["False", "False"] for run in runs)
    assert min(float(run[0]) for run in runs) < 0.1


def test_a_game_is_described_without_the_compiler():
    code = (
        "import sys, sarai; print([(g.title, g.players, g.num_actions) for g in map(sarai.game, sarai.game_ids())]); "
        "print('numba' in sys.modules)"
    )
    assert python(code).split()[-1] == "False"


@pytest.mark.parametrize("id", ["chess", "", "SIXNIMMT", None, 7, ["sixnimmt"]])
def test_unknown_games(id):
    with pytest.raises(sarai.UnknownGame) as refused:
        sarai.game(id)
    assert refused.value.key == "unknown_game"
    assert "sixnimmt" in str(refused.value)


@pytest.mark.parametrize("id", sarai.game_ids())
@pytest.mark.parametrize("players", [0, 1, 11, -2, 1 << 70, "4", 4.0, None, True])
def test_wrong_player_counts(id, players):
    with pytest.raises(sarai.BadStart) as refused:
        sarai.game(id).start(players)
    assert refused.value.key == "wrong_player_count"
    assert str(refused.value)


@pytest.mark.parametrize("id", sarai.game_ids())
def test_unknown_options(id):
    for name in ("colour", "", "Target"):
        with pytest.raises(sarai.BadStart) as refused:
            sarai.game(id).start(4, {name: 1})
        assert refused.value.key == "unknown_option"
    for option in sarai.game(id).options:
        for value in ("no such value", -5, None, [], 10**30, "9" * 400, "²"):
            with pytest.raises(sarai.BadStart) as refused:
                sarai.game(id).start(4, {option.name: value})
            assert refused.value.key == "bad_option_value"


def test_options_read_numbers_from_text():
    option = Option("target", 66, "", numbers=range(1, 501))
    assert option.read("12") == 12
    assert find_language("en").say_message(option.allowed) == "it is a whole number from 1 to 500"


@pytest.mark.parametrize("id", sarai.game_ids())
def test_a_game_survives_pickling(id):
    game = sarai.game(id)
    assert pickle.loads(pickle.dumps(game)) is game
    state = game.start(4)
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(state.view(1))) == state.view(1)
    assert state != "state"
    assert state.view(0) != state
    assert repr(game) == f"<Game {id}>"
    assert state.text() in repr(state)
    assert repr(state.view(None)).startswith("<View of a spectator")


@pytest.mark.parametrize("seat", ["x", 0.0, 0.5, True, 1 << 70, -1, [0]])
def test_seats_that_there_are_not(seat):
    game = sarai.game("sixnimmt")
    state = game.start(2, {"variant": "tactical"})
    for ask in (state.legal, state.view, lambda seat: game.events(state, 0, seat)):
        with pytest.raises(sarai.Illegal) as refused:
            ask(seat)
        assert refused.value.key == "no_such_seat"
    if seat != -1:
        with pytest.raises(sarai.Illegal) as refused:
            state.play(0, seat)
        assert refused.value.key == "no_such_seat"
    assert state.legal(np.int8(0)) == state.legal(0)
    assert state.view(np.int64(1)).seat == 1
    for move in (-1, 108):
        with pytest.raises(sarai.Illegal):
            game.move_text(state, move)


def test_samples_take_any_kind_of_generator():
    view = sarai.game("sixnimmt").start(3).play(4).play(9).view(2)
    assert view.sample(3) == view.sample(3)
    assert view.sample(random.Random(3)) == view.sample(random.Random(3))
    assert view.sample(np.random.default_rng(3)) == view.sample(np.random.default_rng(3))


def test_errors_are_values():
    error = sarai.Illegal("not_your_turn", seat=3)
    assert (error.key, error.facts, str(error)) == ("not_your_turn", {"seat": 3}, "Seat 3 may not act now.")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.key, copy.facts) == (sarai.Illegal, error.key, error.facts)
    assert issubclass(sarai.Illegal, Error)


def test_a_reason_cannot_mean_two_things():
    register_reasons({"game_over": REASONS["game_over"]})
    with pytest.raises(ValueError, match="another sentence"):
        register_reasons({"game_over": "It is finished."})


def test_no_such_attribute():
    with pytest.raises(AttributeError, match="nonsense"):
        assert sarai.nonsense


# --- records as dtypes -----------------------------------------------------------------------------------------------


def declared(**fields):
    """Return a class that declares some fields, by their integer type and shape."""
    hints = {name: Annotated[(int, *kind)] for name, kind in fields.items()}
    return type("Declared", (), {"__annotations__": hints})


@pytest.mark.parametrize("name", ["size", "round", "take", "choose", "shape", "copy", "dtype"])
def test_names_that_arrays_have_are_refused(name):
    with pytest.raises(ValueError, match="already have an attribute"):
        record("refused", declared(**{name: ("i1",)}))


@pytest.mark.parametrize("kind", ["u1", "f8", "i16", "?"])
def test_only_signed_integers(kind):
    with pytest.raises(ValueError, match="must be one of"):
        record("refused", declared(field=(kind,)))
    with pytest.raises(ValueError, match="must be one of"):
        record("refused", type("Plain", (), {"__annotations__": {"field": int}}))


def test_records_have_no_hidden_padding():
    dtype = record("padded", declared(a=("i1",), b=("i8",), c=("i2", 3)))
    assert dtype.itemsize % 8 == 0
    assert sum(dtype.fields[name][0].itemsize for name in dtype.names) == dtype.itemsize
    assert dtype["c"].shape == (3,)


def test_two_records_of_one_layout_cannot_both_register():
    layout = declared(a=("i1",))
    state, view = record("twice", layout), record("twice_view", layout)
    rules = dict.fromkeys(dispatch.KERNELS, first_bit)
    register(state, view, **rules)
    with pytest.raises(ValueError, match="same layout"):
        register(record("twice", layout), record("other_view", layout), **rules)
    with pytest.raises(ValueError, match="registers exactly"):
        register(record("third", layout), record("third_view", layout), legal=first_bit)
    assert record("twice", layout) != record("once", layout)


SHARED = declared(a=("i1",), b=("i8", 2, 2))
WIDE = record("copied_from", declared(a=("i1",), b=("i8", 2, 2), secret=("i4",)))
NARROW = record("copied_to", declared(b=("i8", 2, 2), secret=("i4",), z=("i1",), a=("i1",)))
copy_some = copier(SHARED)


@kernel
def copy_between(source, target):
    """Copy the shared fields."""
    copy_some(source[0], target[0])


def test_a_copier_copies_the_declared_fields_and_no_others():
    source, target = np.zeros(1, WIDE), np.zeros(1, NARROW)
    source["a"], source["b"], source["secret"] = 7, [[1, 2], [3, 4]], 9
    copy_between(source, target)
    assert (target["a"][0], target["b"][0].tolist(), target["secret"][0]) == (7, [[1, 2], [3, 4]], 0)


# --- chance and bits -------------------------------------------------------------------------------------------------


def splitmix(seed: int, count: int) -> list[int]:
    """SplitMix64 as published, in plain Python."""
    out, mask = [], (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out.append(z ^ (z >> 31))
    return out


def test_bits_are_the_same_compiled_and_not():
    for seed in (0, 1, (1 << 64) - 1, 1234567):
        rng = np.array([seed], np.uint64)
        assert [int(random_bits(rng)) for _ in range(50)] == splitmix(seed, 50)


def test_below_is_the_same_compiled_and_not():
    rng = np.array([42], np.uint64)
    assert [int(below(rng, n)) for n in (1, 2, 3, 7, 104, 1000, 3_000_000_000) * 3] == expected_below(
        42, [1, 2, 3, 7, 104, 1000, 3_000_000_000] * 3
    )


def expected_below(seed: int, counts: list[int]) -> list[int]:
    stream, out = iter(splitmix(seed, 1000)), []
    for n in counts:
        while True:
            product = (next(stream) >> 32) * n
            if product & 0xFFFFFFFF >= (1 << 32) % n:
                out.append(product >> 32)
                break
    return out


def test_below_is_even():
    rng = np.array([5], np.uint64)
    counts = np.bincount([int(below(rng, 7)) for _ in range(7000)], minlength=7)
    assert ((counts - 1000) ** 2 / 1000).sum() < 30
    draws = [float(uniform(rng)) for _ in range(1000)]
    assert all(0 <= draw < 1 for draw in draws)
    assert 0.45 < sum(draws) / 1000 < 0.55


def test_bit_counting():
    for word in (1, 2, 3, 0b1011000, 1 << 51, (1 << 62) - 1):
        assert first_bit(word) == (word & -word).bit_length() - 1
        assert count_bits(word) == word.bit_count()


@kernel
def chatter(trace):
    """Tell two things."""
    tell(trace, 3, 1, 2)
    tell(trace, 4, 9)


def test_tell_writes_rows_or_nothing():
    trace = new_trace()
    chatter(trace)
    chatter(None)
    assert trace[0, 0] == 2
    assert trace[1:3, :4].tolist() == [[3, 1, 2, 0], [4, 9, 0, 0]]


# --- the compiled run ------------------------------------------------------------------------------------------------


@kernel
def reach(cells, index):
    """Read a place of an array, whether or not it is there."""
    return cells[index]


def test_the_bounds_checked_run_is_really_checked():
    code = (
        "import numpy as np\n"
        "from sarai.core.kernels.compile import kernel\n"
        "import tests_bounds\n"
        "try:\n    print(tests_bounds.reach(np.zeros(3, np.int64), 3))\n"
        "except IndexError:\n    print('checked')\n"
    )
    import os
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tests_bounds.py").write_text(
            "from sarai.core.kernels.compile import kernel\n"
            "@kernel\ndef reach(cells, index):\n    return cells[index]\n"
        )
        paths = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        env = {"PYTHONPATH": paths, "SARAI_CACHE_DIR": folder, "NUMBA_DISABLE_JIT": "0"}
        assert python(code, NUMBA_BOUNDSCHECK="1", **env).strip() == "checked"
        assert python(code, NUMBA_BOUNDSCHECK="0", **env).strip() != "checked"


def test_this_run_is_bounds_checked_when_it_says_so():
    import os

    if os.environ.get("NUMBA_BOUNDSCHECK") == "1" or not COMPILED:
        with pytest.raises(IndexError):
            reach(np.zeros(3, np.int64), 3)
    else:
        assert reach(np.zeros(3, np.int64), 2) == 0


@kernel
def total_of_doubles(cells):
    """Make an array by adding."""
    return (cells + cells).sum()


@kernel
def total_of_copies(cells):
    """Make an array by name, and lend it."""
    own = np.empty(3, np.int64)
    own[:] = cells
    return reach(own, 0) + reach(own, 2)


def test_kernels_count_references_only_where_they_make_arrays():
    assert total_of_copies(np.array([1, 2, 4])) == 5  # compiles, and the compiler holds on to what it sees
    cells = np.array([1, 2, 4])
    before = sys.getrefcount(cells)
    assert [int(total_of_copies(cells)) for _ in range(3)] == [5, 5, 5]
    assert sys.getrefcount(cells) == before
    if COMPILED:
        with pytest.raises(numba.core.errors.NumbaError):
            total_of_doubles(cells)
    else:
        assert total_of_doubles(cells) == 14


@pytest.mark.parametrize("id", sarai.game_ids())
def test_playing_changes_nothing(id):
    state = sarai.game(id).start(3)
    text = state.text()
    while state.actor == sarai.CHANCE:
        state = state.play(state.chance()[-1][0])
    assert sarai.game(id).start(3).text() == text
