"""Rules compiled once; generic algorithms compiled for each game by the type of its record.

A game's state is one NumPy record. Its rules are `@kernel` functions over that record, given to everybody by `register`.
The stubs at the end (`legal`, `apply`, …) find a game's kernels by the record's type: while compiling, or, with the compiler off, at run time.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import config, from_dtype, int64, njit, types
from numba.extending import intrinsic, overload

from sarai.core.cache import kernel_directory

COMPILED = not config.DISABLE_JIT
Rec = Any  # a NumPy record: one element of a structured array
Array = Any  # a NumPy array as kernels see it

F = TypeVar("F", bound=Callable[..., Any])


MAKERS = {
    "array",
    "arange",
    "copy",
    "empty",
    "full",
    "ones",
    "zeros",
}  # what a kernel that makes an array of its own calls


def kernel(function: F) -> F:
    """Compile a rule, cached in a directory named by the sources and nobody else's.

    Kernels borrow their arrays and return numbers, so they are compiled without counting references (an atomic operation each time an array is
    passed on, more than many a rule costs); only those that make an array count. A kernel that makes one by another name does not compile.
    """
    counts = not MAKERS.isdisjoint(function.__code__.co_names)
    before, config.CACHE_DIR = config.CACHE_DIR, str(kernel_directory())
    try:
        compiled: F = njit(cache=True, error_model="numpy", _nrt=counts)(function)
        return compiled
    finally:
        config.CACHE_DIR = before


# --- records -----------------------------------------------------------------------------------------------------------------

TAKEN = frozenset(dir(np.ndarray)) | frozenset(dir(np.record))
SIGNED = {"i1": 1, "i2": 2, "i4": 4, "i8": 8}

Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]


def record(name: str, fields: Sequence[Field]) -> np.dtype[Any]:
    """Make the dtype of a record: signed integers only, no padding that is not a field, a tag that makes the type unique.

    Unsigned fields are refused because `uint8 - uint8` is unsigned when compiled. With the compiler off every integer is widened to
    eight bytes, as the compiler does in arithmetic.
    """
    made: list[tuple[str, str, tuple[int, ...]]] = []
    for given in fields:
        field, kind = given[0], given[1]
        shape = given[2] if len(given) == 3 else ()
        if field in TAKEN:
            raise ValueError(f"record {name}: NumPy arrays already have an attribute {field!r}")
        if kind not in SIGNED:
            raise ValueError(f"record {name}: field {field!r} must be one of {', '.join(SIGNED)}, not {kind!r}")
        made.append((field, kind if COMPILED else "i8", (shape,) if isinstance(shape, int) else shape))
    made.append((f"{name}_tag", "i1" if COMPILED else "i8", ()))
    made.sort(key=lambda field: -SIGNED[field[1]])
    short = -sum(SIGNED[kind] * int(np.prod(shape)) for _, kind, shape in made) % 8
    if short:
        made.append((f"{name}_padding", "i1", (short,)))
    dtype = np.dtype(made, align=True)
    return dtype if COMPILED else np.dtype((np.record, dtype))


STANDARD: tuple[Field, ...] = (
    ("players", "i1"),
    ("actor", "i1"),  # a seat, CHANCE or OVER
    ("acting", "i2"),  # a bit for every seat that may act now
    ("ending", "i1"),  # 0 while the game goes on, then an index into the game's endings
    ("moves_made", "i4"),  # player moves, for the move limit
)


# --- what a rule tells ---------------------------------------------------------------------------------------------------------

TRACE_ROWS, TRACE_COLUMNS = 512, 8


def new_trace() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Make an empty buffer for `tell`; its first cell counts the rows used."""
    return np.zeros((TRACE_ROWS, TRACE_COLUMNS), np.int64)


def _write_down(
    trace: Array, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0
) -> None:
    """Say that something happened inside a rule; compiles to nothing when nobody listens (`trace` is None)."""
    if trace is not None:
        trace[0, 0] += 1
        row = trace[0, 0]
        trace[row, 0] = kind
        trace[row, 1] = a
        trace[row, 2] = b
        trace[row, 3] = c
        trace[row, 4] = d
        trace[row, 5] = e
        trace[row, 6] = f


if COMPILED:

    @intrinsic
    def tell(
        context: Any, trace: Any, kind: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, f: Any = 0
    ) -> Any:
        """Say that something happened inside a rule: compiled once, where a kernel would be compiled anew for every constant it is called with."""
        return (
            types.void(trace, *[int64] * 7),
            lambda context, builder, signature, args: (
                context.get_dummy_value()
                if isinstance(trace, types.NoneType)
                else context.compile_internal(builder, _write_down, signature, args)
            ),
        )
else:
    tell = _write_down


# --- chance ----------------------------------------------------------------------------------------------------------------------
# A generator is an array of one uint64 (SplitMix64): copied, saved and seeded as plainly as a record.

GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1

if COMPILED:
    _GOLDEN, _MIX_1, _MIX_2 = np.uint64(GOLDEN), np.uint64(MIX_1), np.uint64(MIX_2)
    _27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
    _LOW = np.uint64(0xFFFFFFFF)

    @kernel
    def bits(rng: Array) -> Any:
        """Return the next 64 random bits."""
        rng[0] += _GOLDEN
        z = rng[0]
        z = (z ^ (z >> _30)) * _MIX_1
        z = (z ^ (z >> _27)) * _MIX_2
        return z ^ (z >> _31)

    @kernel
    def below(rng: Array, count: int) -> int:
        """Return a number 0 … count-1, each exactly equally likely (multiply and shift, with rejection); 0 if there is nothing to choose."""
        if count <= 0:
            return 0
        n = np.uint64(count)
        product = (bits(rng) >> _32) * n
        if (product & _LOW) < n:
            threshold = np.uint64(0x100000000) % n
            while (product & _LOW) < threshold:
                product = (bits(rng) >> _32) * n
        return np.int64(product >> _32)  # type: ignore[return-value]

    @kernel
    def uniform(rng: Array) -> float:
        """Return a number in [0, 1)."""
        return np.int64(bits(rng) >> np.uint64(11)) * (1.0 / (1 << 53))
else:

    def bits(rng: Array) -> Any:
        """Return the next 64 random bits."""
        z = (int(rng[0]) + GOLDEN) & _MASK
        rng[0] = z
        z = ((z ^ (z >> 30)) * MIX_1) & _MASK
        z = ((z ^ (z >> 27)) * MIX_2) & _MASK
        return z ^ (z >> 31)

    def below(rng: Array, count: int) -> int:
        """Return a number 0 … count-1, each exactly equally likely (multiply and shift, with rejection); 0 if there is nothing to choose."""
        if count <= 0:
            return 0
        n = int(count)
        threshold = (1 << 32) % n
        product = (bits(rng) >> 32) * n
        while product & 0xFFFFFFFF < threshold:
            product = (bits(rng) >> 32) * n
        return int(product >> 32)

    def uniform(rng: Array) -> float:
        """Return a number in [0, 1)."""
        return float((bits(rng) >> 11) * (1.0 / (1 << 53)))


# --- bits ------------------------------------------------------------------------------------------------------------------------

if COMPILED:

    @intrinsic
    def _trailing_zeros(context: Any, word: Any) -> Any:
        return int64(int64), lambda context, builder, signature, args: builder.cttz(
            args[0], ir.Constant(ir.IntType(1), 0)
        )

    @intrinsic
    def _population(context: Any, word: Any) -> Any:
        return int64(int64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @kernel
    def first_bit(word: int) -> int:
        """Return the place of the lowest bit that is set; there must be one."""
        return int(_trailing_zeros(int64(word)))

    @kernel
    def count_bits(word: int) -> int:
        """Return how many bits are set."""
        return int(_population(int64(word)))
else:

    def first_bit(word: int) -> int:
        """Return the place of the lowest bit that is set; there must be one."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: int) -> int:
        """Return how many bits are set."""
        return int(word).bit_count()


# --- dispatch --------------------------------------------------------------------------------------------------------------------

KERNELS = ("legal", "refusal", "apply", "chance", "draw", "look", "sample", "score", "standing")
RULES: dict[object, dict[str, Callable[..., Any]]] = {}  # Numba's record type, and the NumPy dtype, to a game's kernels


def register(state: np.dtype[Any], view: np.dtype[Any], **kernels: Callable[..., Any]) -> None:
    """Give a game's kernels to every generic algorithm; two records of one layout would silently replace each other, so that raises."""
    if set(kernels) != set(KERNELS):
        raise ValueError(f"a game registers exactly {', '.join(KERNELS)}")
    for dtype in (state, view):
        keys: list[object] = [dtype]
        if COMPILED:
            keys.append(from_dtype(dtype))
        for key in keys:
            if key in RULES:
                raise ValueError("another record has the same layout and name")
            RULES[key] = kernels


POLICIES: dict[object, dict[str, Callable[..., Any]]] = {}  # like RULES: what a game knows about good play


@kernel
def take_as_drawn(state: Rec, seat: int, rng: Array) -> None:
    """Leave hidden things as they were drawn: what a game imagines that says nothing of its own."""


def register_policy(
    state: np.dtype[Any],
    *,
    weigh: Callable[..., Any],
    estimate: Callable[..., Any],
    imagine: Callable[..., Any] = take_as_drawn,
    study: Callable[..., Any] | None = None,
) -> None:
    """Give what a game knows about good play to every search; a game that studies no better than at a glance gives no `study`."""
    kernels = {"weigh": weigh, "estimate": estimate, "imagine": imagine, "study": study or weigh}
    for key in [state, from_dtype(state)] if COMPILED else [state]:
        POLICIES[key] = kernels


def legal(state: Rec, seat: int, out: Array) -> int:
    """List a seat's legal moves into `out`, ascending; return how many."""
    return int(RULES[state.dtype]["legal"](state, int(seat), out))


def refusal(state: Rec, seat: int, move: int) -> int:
    """Say why a seat that may act now may not make a move: an index into the game's refusals, 0 if it may."""
    return int(RULES[state.dtype]["refusal"](state, int(seat), int(move)))


def apply(state: Rec, seat: int, move: int, trace: Array) -> None:
    """Play a legal move, or a chance outcome (seat CHANCE), in place."""
    RULES[state.dtype]["apply"](state, int(seat), int(move), trace)


def chance(state: Rec, outcomes: Array, weights: Array) -> int:
    """List the outcomes of a chance node, ascending, with whole-number weights; return how many."""
    return int(RULES[state.dtype]["chance"](state, outcomes, weights))


def draw(state: Rec, rng: Array) -> int:
    """Sample an outcome of a chance node without listing them."""
    return int(RULES[state.dtype]["draw"](state, rng))


def look(state: Rec, seat: int, view: Rec) -> None:
    """Write what a seat (-1: a spectator) knows into an empty view."""
    RULES[state.dtype]["look"](state, int(seat), view)


def sample(view: Rec, rng: Array, state: Rec) -> None:
    """Write a state that the view allows into an empty state, drawn as if hidden choices had been uniform."""
    RULES[view.dtype]["sample"](view, rng, state)


def score(state: Rec, out: Array) -> None:
    """Write every seat's points as they stand."""
    RULES[state.dtype]["score"](state, out)


def standing(state: Rec, out: Array) -> None:
    """Write a number per seat that orders them, higher is better, tie-breaks included."""
    RULES[state.dtype]["standing"](state, out)


def weigh(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write how good each of a seat's legal moves looks at a glance: one more is e times as likely to be played."""
    POLICIES[state.dtype]["weigh"](state, int(seat), moves, int(count), out)


def study(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write the same with more care: for the move that is really to be made."""
    POLICIES[state.dtype]["study"](state, int(seat), moves, int(count), out)


def estimate(state: Rec, out: Array) -> None:
    """Write every seat's expected share of the win, judged without looking ahead."""
    POLICIES[state.dtype]["estimate"](state, out)


def imagine(state: Rec, seat: int, rng: Array) -> None:
    """Draw hidden choices of others again, as somebody who plays well would have made them; what a seat knows stays as it is."""
    POLICIES[state.dtype]["imagine"](state, int(seat), rng)


if COMPILED:

    def compiled(stub: Callable[..., Any]) -> Callable[[F], F]:
        """Say how calls of a stub are compiled; Numba wants both signatures equal, so annotations go."""

        def decorate(choose: F) -> F:
            choose.__annotations__.clear()
            chosen: F = overload(stub)(choose)
            return chosen

        return decorate

    @compiled(legal)
    def _legal(state: Any, seat: Any, out: Any) -> Any:
        rule = RULES[state]["legal"]
        return lambda state, seat, out: rule(state, int64(seat), out)

    @compiled(refusal)
    def _refusal(state: Any, seat: Any, move: Any) -> Any:
        rule = RULES[state]["refusal"]
        return lambda state, seat, move: rule(state, int64(seat), int64(move))

    @compiled(apply)
    def _apply(state: Any, seat: Any, move: Any, trace: Any) -> Any:
        rule = RULES[state]["apply"]
        return lambda state, seat, move, trace: rule(state, int64(seat), int64(move), trace)

    @compiled(chance)
    def _chance(state: Any, outcomes: Any, weights: Any) -> Any:
        rule = RULES[state]["chance"]
        return lambda state, outcomes, weights: rule(state, outcomes, weights)

    @compiled(draw)
    def _draw(state: Any, rng: Any) -> Any:
        rule = RULES[state]["draw"]
        return lambda state, rng: rule(state, rng)

    @compiled(look)
    def _look(state: Any, seat: Any, view: Any) -> Any:
        rule = RULES[state]["look"]
        return lambda state, seat, view: rule(state, int64(seat), view)

    @compiled(sample)
    def _sample(view: Any, rng: Any, state: Any) -> Any:
        rule = RULES[view]["sample"]
        return lambda view, rng, state: rule(view, rng, state)

    @compiled(score)
    def _score(state: Any, out: Any) -> Any:
        rule = RULES[state]["score"]
        return lambda state, out: rule(state, out)

    @compiled(standing)
    def _standing(state: Any, out: Any) -> Any:
        rule = RULES[state]["standing"]
        return lambda state, out: rule(state, out)

    @compiled(weigh)
    def _weigh(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["weigh"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled(study)
    def _study(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["study"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled(estimate)
    def _estimate(state: Any, out: Any) -> Any:
        rule = POLICIES[state]["estimate"]
        return lambda state, out: rule(state, out)

    @compiled(imagine)
    def _imagine(state: Any, seat: Any, rng: Any) -> Any:
        rule = POLICIES[state]["imagine"]
        return lambda state, seat, rng: rule(state, int64(seat), rng)
