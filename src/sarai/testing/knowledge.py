"""Tests of what a seat knows: equal histories must look equal to it, and `sample` must draw what they allow."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from random import Random

from sarai.core.errors import Illegal
from sarai.core.events import Event
from sarai.core.records import Record
from sarai.core.result import CHANCE
from sarai.core.state_and_view import State
from sarai.testing.generators import steps

TWINS = 5
SUPPORT = 400  # states a posterior may have to be compared in full
DRAWS = 25  # samples per state of it


def seen(state: State, move: int, by: int, seat: int | None) -> list[Event]:
    """Return what a seat sees of a move."""
    return state.game.events(state, move, seat, by=by)


def check_knowledge(record: Record, rng: Random) -> None:
    """Check, for every seat and a spectator, that views hold no more and no less than what was seen.

    Beside the true game a few others run, in which hidden moves were chosen differently but the seat saw the same.
    At every step all of them must give it the same view, byte for byte, the same legal moves and the same JSON.
    """
    observers: list[int | None] = [None, *range(record.players)]
    for observer in observers if record.players <= 4 else rng.sample(observers, 4):
        twins: list[State] = [record.start()] * TWINS
        tried = set(rng.sample(range(len(record.moves)), min(40, len(record.moves))))
        for number, (before, seat, move, after) in enumerate(steps(record)):
            told = seen(before, move, seat, observer)
            if seat != observer and number in tried:
                check_told_alike(before, seat, move, after, told, observer, rng)
            twins = [after] + [
                twin for old in twins[1:] if (twin := other_step(old, seat, move, told, observer, rng)) is not None
            ]
            twins += [rng.choice(twins) for _ in range(TWINS - len(twins))]
            check_alike(twins, observer, rng, whole=number % 7 == 0)


def check_told_alike(
    before: State, seat: int, move: int, after: State, told: list[Event], observer: int | None, rng: Random
) -> None:
    """Check that moves of others that differ only in what is hidden from an observer are the same events to it."""
    moves = [outcome for outcome, _ in before.chance()] if seat == CHANCE else before.legal(seat)
    for other in rng.sample(moves, min(5, len(moves))):
        child = before.play(other, seat)
        if child != after and child.view(observer) == after.view(observer):  # they differ in what is hidden from it
            assert seen(before, other, seat, observer) == told, (
                f"seat {observer} is told what its view does not show: {told}"
            )


def other_step(
    state: State, seat: int, move: int, told: list[Event], observer: int | None, rng: Random
) -> State | None:
    """Play another move that looks the same to the observer, or the same one, if there is one."""
    moves = [outcome for outcome, _ in state.chance()] if seat == CHANCE else state.legal(seat)
    for candidate in (rng.choice(moves), move) if moves else ():
        if candidate in moves and seen(state, candidate, seat, observer) == told:
            return state.play(candidate, seat)
    return None


def check_alike(twins: list[State], observer: int | None, rng: Random, whole: bool) -> None:
    """Check that states that are the same to a seat look the same to it, and that a sample of its view does too."""
    true = twins[0]
    view = true.view(observer)
    for twin in twins[1:]:
        assert twin.view(observer) == view, (
            f"seat {observer} can tell apart what it never saw:\n{true.text()}\n{twin.text()}"
        )
        assert twin.actor == true.actor and twin.to_act == true.to_act
        if observer is not None:
            assert twin.legal(observer) == true.legal(observer)
        if whole:
            assert twin.scores == true.scores, f"the scores tell seat {observer} what it never saw"
            check_refusals_alike(true, twin, observer, rng)
    drawn = view.sample(rng.getrandbits(63))
    assert drawn.view(observer) == view, (
        f"a sample contradicts the view of seat {observer}:\n{true.text()}\n{drawn.text()}"
    )
    if true.game.definition.nothing_hidden:
        assert view.to_json() == true.view(None).to_json() | {"seat": observer}, "a seat knows more than a spectator"
    if whole:
        data = json.dumps(view.to_json(), sort_keys=True)
        assert all(json.dumps(twin.view(observer).to_json(), sort_keys=True) == data for twin in twins[1:])
        assert true.game.read_view(json.loads(data)) == view, "a view does not survive JSON"
        assert true.game.parse(drawn.text()) == drawn, f"a sample is no position: {drawn.text()}"
        assert view.legal() == ([] if observer is None else true.legal(observer))


def check_refusals_alike(true: State, twin: State, observer: int | None, rng: Random) -> None:
    """Check that a refused move of the observer is refused for the same reason and with the same facts."""
    if observer is None:
        return
    for move in rng.sample(range(true.game.num_actions), min(8, true.game.num_actions)):
        assert why_refused(true, move, observer) == why_refused(twin, move, observer), (
            f"a refusal tells seat {observer} what it never saw"
        )


def why_refused(state: State, move: int, seat: int) -> tuple[str, dict[str, object]] | None:
    """Return the reason key and facts of a move that is refused."""
    try:
        state.play(move, seat)
    except Illegal as error:
        return error.key, error.facts
    return None


def posteriors(record: Record, observer: int | None) -> Iterator[tuple[State, dict[State, Fraction]]]:
    """Yield the exact distribution over states after each step, hidden choices being uniform, while it is small."""
    beliefs = {record.start(): Fraction(1)}
    for before, seat, move, after in steps(record):
        told = seen(before, move, seat, observer)
        next_beliefs: dict[State, Fraction] = {}
        for state, weight in beliefs.items():
            moves = [] if seat == CHANCE else state.legal(seat)
            choices = state.chance() if seat == CHANCE else [(each, Fraction(1, len(moves))) for each in moves]
            for choice, share in choices:
                child, events = state.game.play_with_events(state, choice, by=seat)
                if events(observer) == told:
                    next_beliefs[child] = next_beliefs.get(child, Fraction(0)) + weight * share
            if len(next_beliefs) > SUPPORT:
                return
        total = sum(next_beliefs.values())
        beliefs = {state: weight / total for state, weight in next_beliefs.items()}
        yield after, beliefs


def check_posterior(record: Record, rng: Random) -> None:
    """Check by χ² that `sample` has the defined distribution, where the possible states are few enough to list."""
    observer = rng.choice([None, *range(record.players)])
    broadest: tuple[State, dict[State, Fraction]] | None = None
    for number, (true, beliefs) in enumerate(posteriors(record, observer)):
        assert true in beliefs
        if broadest is None or len(beliefs) > len(broadest[1]):
            broadest = true, beliefs
        if number > 60:
            break
    if broadest is None or len(broadest[1]) < 2:
        return
    true, beliefs = broadest
    view, draws = true.view(observer), DRAWS * len(beliefs)
    counts = Counter(view.sample(rng) for _ in range(draws))
    assert set(counts) <= set(beliefs), "a sample is no state that the seat could be in"
    chi_squared = sum((counts[state] - draws * float(p)) ** 2 / (draws * float(p)) for state, p in beliefs.items())
    freedom = len(beliefs) - 1
    assert chi_squared < freedom + 6 * sqrt(2 * freedom) + 20, (
        f"samples are not distributed as defined: χ² = {chi_squared:.0f} for {freedom} degrees of freedom"
    )
