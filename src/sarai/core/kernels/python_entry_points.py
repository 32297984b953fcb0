"""The kernels that Python calls: each does one thing for any game, compiled by the type of its record."""

from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import apply, chance, draw, legal, look, refusal, sample, score, standing
from sarai.core.kernels.dtype import StandardRecord
from sarai.core.kernels.move_trace import Trace
from sarai.core.kernels.rng import below
from sarai.core.result import CHANCE, OVER

REFUSED = -3


@kernel
def may_act(state: StandardRecord, seat: int) -> bool:
    """Say whether it is a seat's, or chance's, time to act."""
    if seat == CHANCE:
        return bool(state.actor == CHANCE)
    return bool((state.acting >> seat) & 1)


@kernel
def step_traced(before: Array, after: Array, seat: int, move: int, trace: Trace) -> int:
    """Validate, copy and apply a move, with a trace; return the new actor, or REFUSED with `after` untouched."""
    state = before[0]
    if not may_act(state, seat) or refusal(state, seat, move) != 0:
        return REFUSED
    after[0] = before[0]
    child = after[0]
    apply(child, seat, move, trace)
    return int(child.actor)


@kernel
def step(before: Array, after: Array, seat: int, move: int) -> int:
    """Do what `step_traced` does, without a trace."""
    return step_traced(before, after, seat, move, None)


@kernel
def why_not(cell: Array, seat: int, move: int) -> int:
    """Return the refusal of a move of a seat that may act."""
    return int(refusal(cell[0], seat, move))


@kernel
def list_legal(cell: Array, seat: int, out: Array) -> int:
    """List a seat's legal moves; none when it may not act."""
    state = cell[0]
    if seat < 0 or not may_act(state, seat):
        return 0
    return int(legal(state, seat, out))


@kernel
def list_chance(cell: Array, out: Array) -> tuple[int, int]:
    """List a chance node's outcomes and, in the second row, their weights; return how many, and the weights' sum."""
    count, whole = int(chance(cell[0], out[0], out[1])), 0
    for i in range(count):
        whole += int(out[1, i])
    return count, whole


@kernel
def look_at(cell: Array, seat: int, view: Array) -> None:
    """Build a seat's view."""
    look(cell[0], seat, view[0])


@kernel
def sample_from(view: Array, rng: Array, cell: Array) -> int:
    """Draw a state that a view allows; return its actor."""
    sample(view[0], rng, cell[0])
    return int(cell[0].actor)


@kernel
def points(cell: Array, scores: Array, standings: Array) -> None:
    """Write every seat's score and standing."""
    score(cell[0], scores)
    standing(cell[0], standings)


@kernel
def random_step(state: StandardRecord, rng: Array, moves: Array) -> bool:
    """Let chance or a random seat that may act make a uniformly random move; say whether a player moved."""
    if state.actor == CHANCE:
        apply(state, CHANCE, draw(state, rng), None)
        return False
    seat = int(state.actor)
    count = legal(state, seat, moves)
    apply(state, seat, moves[below(rng, count)], None)
    return True


@kernel
def random_games(start: Array, cell: Array, games: int, rng: Array, moves: Array) -> tuple[int, int]:
    """Play random games from a start; return how many player moves and chance outcomes they took."""
    played = chances = 0
    for _ in range(games):
        cell[0] = start[0]
        state = cell[0]
        while state.actor != OVER:
            if random_step(state, rng, moves):
                played += 1
            else:
                chances += 1
    return played, chances
