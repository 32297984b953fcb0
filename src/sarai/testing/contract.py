"""Tests of what every game promises, on games played at random."""

import json
import pickle
import re
from collections.abc import Iterable, Mapping
from random import Random

from sarai.core.errors import BadText, Illegal
from sarai.core.game import Game
from sarai.core.messages import Argument
from sarai.core.random_play import random_move
from sarai.core.records import Record, from_json
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import State
from sarai.testing.generators import option_sets, play_lively
from sarai.testing.knowledge import check_knowledge, check_posterior


def check_game(
    game: Game,
    players: Iterable[int] | None = None,
    options: Iterable[Mapping[str, object]] | None = None,
    games: int = 1,
    seed: int = 0,
    most: int | None = None,
) -> None:
    """Check a game's contract for every player count and option set, or for those given; AssertionError if broken.

    `most` bounds the moves of each game that is played; without it games are played to their end.
    """
    for count in players or game.players:
        for chosen in option_sets(game, count) if options is None else options:
            for number in range(games):
                rng = Random(f"{seed} {count} {sorted(chosen.items())} {number}")
                record = play_lively(game, count, chosen, rng.getrandbits(32), most)
                check_record(record, complete=most is None)
                check_states(record, rng)
                check_knowledge(record, rng)
                check_posterior(record, rng)
                check_texts(record, rng)


def check_record(record: Record, complete: bool) -> None:
    """Check that a record replays to the same states, leaves earlier ones alone, and survives JSON."""
    first = list(record.replay())
    prints = [(state.text(), state.actor, hash(state)) for state in first]
    again = list(record.replay())
    assert first == again, "replaying a record gives other states"
    assert prints == [(state.text(), state.actor, hash(state)) for state in first], "an earlier state has changed"
    copy = from_json(json.loads(json.dumps(record.to_json())))
    assert copy == record, "a record does not survive JSON"
    assert copy.check() == first[-1]
    assert sum(seat >= 0 for seat, _ in record.moves) <= record.game.max_moves
    if complete:
        check_result(first[-1])


def check_result(state: State) -> None:
    """Check the result of a finished game."""
    result = state.result
    assert state.actor == OVER, "the game is not over"
    assert result is not None
    assert state.to_act == () and state.legal() == [] and state.chance() == []
    assert abs(sum(result.utilities) - 1) < 1e-9, "the shares of the win do not sum to 1"
    assert result.reason in state.game.definition.endings[1:]
    winners = result.ranks.count(1)
    assert [share > 0 for share in result.utilities] == [rank == 1 for rank in result.ranks] and winners >= 1
    assert all(rank == 1 + sum(other < rank for other in result.ranks) for rank in result.ranks), "ranks are not ranks"
    assert result.scores == state.scores
    refused(state, 0, 0, "game_over")


def refused(state: State, move: object, seat: int | None, key: str | None = None) -> None:
    """Check that a move is refused, with a reason that has a sentence, and that nothing changes."""
    before, error = hash(state), None
    try:
        state.play(move, seat)  # type: ignore[arg-type]
    except Illegal as illegal:
        error = illegal
    assert error is not None, f"move {move!r} of seat {seat} is not legal, yet it was played at {state.text()}"
    assert str(error), "a reason has no sentence"
    assert key in (None, error.key), f"{error.key} is not {key}"
    assert hash(state) == before, "a refused move changed the state"


def check_states(record: Record, rng: Random) -> None:
    """Check every state's lists, scores and texts, and on some of them that `play` accepts exactly the moves listed."""
    game = record.game
    low, high = game.score_bounds
    states = list(record.replay())
    thorough = set(rng.sample(range(len(states)), min(4, len(states))))
    for number, state in enumerate(states):
        assert len(state.scores) == record.players and all(low <= score <= high for score in state.scores), (
            f"scores {state.scores} out of bounds"
        )
        assert (state.result is None) == (state.actor != OVER)
        check_actor(state)
        if number in thorough:
            check_accepted(state)
            assert pickle.loads(pickle.dumps(state)) == state
        if number % 5 == 0 or number in thorough:
            assert game.parse(state.text()) == state, f"the position text does not round-trip: {state.text()}"
            check_moves(state, rng)


def check_actor(state: State) -> None:
    """Check who may act, and that what they may do is listed in order."""
    if state.actor == CHANCE:
        outcomes = [outcome for outcome, _ in state.chance()]
        assert (
            outcomes
            and outcomes == sorted(set(outcomes))
            and all(0 <= outcome < state.game.num_chance for outcome in outcomes)
        )
        assert sum(share for _, share in state.chance()) == 1, "chance does not sum to 1"
        assert all(share > 0 for _, share in state.chance())
        assert state.to_act == () and state.legal() == []
    elif state.actor != OVER:
        assert state.actor == state.to_act[0], "the actor is not the lowest seat to act"
        for seat in range(state.players):
            moves = state.legal(seat)
            assert moves == sorted(set(moves)) and all(0 <= move < state.game.num_actions for move in moves)
            assert bool(moves) == (seat in state.to_act), "the seats that may act, and no others, have a move"


def check_accepted(state: State) -> None:
    """Check that exactly the moves listed are accepted, of every seat and of chance, and nonsense is refused."""
    for seat in range(state.players):
        listed = set(state.legal(seat))
        for move in range(state.game.num_ids):
            if move in listed:
                assert isinstance(state.play(move, seat), State)
            else:
                refused(state, move, seat)
    possible = {outcome for outcome, _ in state.chance()}
    for outcome in range(state.game.num_ids):
        if outcome in possible:
            assert isinstance(state.play(outcome), State)
        else:
            refused(state, outcome, CHANCE)
    for nonsense in (-1, state.game.num_ids, 1 << 70, True, "0", None, 1.5):
        refused(state, nonsense, None)
    for no_seat in (-2, -3, state.players, 1 << 70):
        refused(state, 0, no_seat)


def say_nothing(message: str, /, **arguments: Argument) -> str:
    """Translate into nothing: what is left was not translated."""
    return ""


def check_moves(state: State, rng: Random) -> None:
    """Check that moves and outcomes round-trip through their notation and have words."""
    moves = [outcome for outcome, _ in state.chance()] or (
        state.legal(rng.choice(state.to_act)) if state.to_act else []
    )
    for move in moves:
        text = state.game.move_text(state, move)
        assert state.game.parse_move(state, text) == move, f"move text {text!r} does not round-trip"
        assert state.game.move_words(state, move)
        assert state.game.move_words(state, move, say_nothing) == "", f"words of {text!r} that cannot be translated"


def check_texts(record: Record, rng: Random) -> None:
    """Check that damaged position texts are refused or can be played on, and that the move limit ends games."""
    game, states = record.game, list(record.replay())
    reasons: list[str] = []
    for state in rng.sample(states, min(12, len(states))):
        for _ in range(6):
            try:
                found = game.parse(damaged(state.text(), rng))
            except BadText as error:
                reasons.append(str(error))
                continue
            assert game.parse(found.text()) == found
            for _ in range(40):
                if found.actor == OVER:
                    break
                found = found.play(*random_move(found, rng))
    assert all(reasons), "a reason has no sentence"
    running = [state for state in states if state.actor != OVER]
    late, count = re.subn(r"\bmoves=\d+", f"moves={game.max_moves - 2}", rng.choice(running).text())
    assert count == 1, "a position text has a field `moves`"
    state, played = game.parse(late), 0
    while state.actor != OVER:
        played += state.actor != CHANCE
        state = state.play(*random_move(state, rng))
    assert played <= 2, "the move limit did not end the game"
    check_result(state)
    assert game.parse(state.text()) == state, f"the position text does not round-trip: {state.text()}"
    assert game.read_view(json.loads(json.dumps(state.view(0).to_json()))) == state.view(0)


def damaged(text: str, rng: Random) -> str:
    """Return a text with a character, a number or a field changed, dropped or doubled."""
    kind = rng.randrange(6)
    place = rng.randrange(len(text))
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + rng.choice("0123456789abcdefghijklmnopqrstuvwxyz-+.,:/= é") + text[place:]
    words = text.split()
    spot = rng.randrange(1, len(words))
    if kind == 2:
        return " ".join(words[:spot] + words[spot + 1 :])
    if kind == 3:
        return " ".join([*words, words[spot]])
    numbers = list(re.finditer(r"\d+", text))
    found = rng.choice(numbers)
    value = (
        int(found.group()) + rng.choice((-1, 1, 1, 10, 1000, 10**12)) if kind == 4 else int(rng.choice(numbers).group())
    )
    return text[: found.start()] + str(value) + text[found.end() :]
