"""Broken texts for `fuzz.py`: positions, moves, views and records that were changed, read by the games themselves."""

from __future__ import annotations

import json
import random
from typing import Any

import sarai
from fuzz_inputs import Draw
from in_memory_table import Sitting
from sarai.core import records
from sarai.core.errors import Error
from sarai.core.state_and_view import State
from sarai.table import dice_proof

STATES = 12  # positions of each game that texts are made from
ON = 3  # moves that are played on from a position that could be read


class Wrong(Exception):
    """What was read is not what was written."""


class Texts:
    """Positions of all games, and records, of which changed texts are made."""

    def __init__(self, seed: str) -> None:
        rng = random.Random(seed)
        self.states = [state for game_id in sarai.game_ids() for state in some_states(game_id, rng)]
        sittings = [Sitting("sixnimmt", 2, {"rounds": 1}).begin(words=("one", "two")).play(pick=rng.randrange(9))]
        sittings += [Sitting(game_id, 2).begin().play(10, rng.randrange(9)) for game_id in sarai.game_ids()]
        self.records: list[Any] = [json.loads(json.dumps(sitting.table.record(None))) for sitting in sittings]

    def read_one(self, draw: Draw) -> str:
        """Read one changed text; return what became of it. Any exception but Error is a mistake of the program."""
        kind = draw.rng.choice(("position", "position", "move", "move", "view", "record", "record bytes"))
        try:
            getattr(self, "read_" + kind.replace(" ", "_"))(draw)
        except Error as error:
            str(error)  # the sentence can be said, whatever the facts are
            return f"{kind}: {error.key}"
        return f"{kind}: read"

    def read_position(self, draw: Draw) -> None:
        """Read a position; one that can be read can be written, shown and played on."""
        state = draw.rng.choice(self.states)
        text = state.text()
        for _ in range(draw.rng.choice((1, 1, 2, 5))):
            text = draw.changed_text(text) if text else draw.text()
        read = state.game.parse(text)
        if state.game.parse(read.text()) != read:
            raise Wrong(f"{text!r} is written as {read.text()!r}")
        for _ in range(ON):
            for seat in (None, *range(read.players)):
                read.view(seat).to_json()
            if (after := random_step(read, draw.rng)) is None:
                return
            read = after

    def read_move(self, draw: Draw) -> None:
        """Read a move, and make it."""
        state = draw.rng.choice(self.states)
        moves = state.legal() if state.actor >= 0 else [0]
        text = state.game.move_text(state, draw.rng.choice(moves)) if moves else ""
        state.play(state.game.parse_move(state, draw.changed_text(text) if draw.chance() < 0.8 else draw.text()))

    def read_view(self, draw: Draw) -> None:
        """Read a view."""
        state = draw.rng.choice(self.states)
        seat = draw.rng.choice((None, *range(state.players)))
        data = draw.changed(state.view(seat).to_json())
        if not isinstance(data, dict):
            return
        view = state.game.read_view(data)
        view.legal()

    def read_record(self, draw: Draw) -> None:
        """Read a record with something changed in it, and check its dice."""
        data = draw.rng.choice(self.records)
        for _ in range(draw.rng.choice((1, 1, 2, 4))):
            data = draw.changed(data)
        dice_proof.check(records.read(json.dumps(data)))

    def read_record_bytes(self, draw: Draw) -> None:
        """Read a record's file with some bytes changed."""
        data = json.dumps(draw.rng.choice(self.records)).encode()
        dice_proof.check(records.read(draw.changed_bytes(data)))


def some_states(game_id: str, rng: random.Random) -> list[State]:
    """Return positions of a random game, from its start on."""
    game = sarai.game(game_id)
    states = [game.start(rng.choice(game.players))]
    while (after := random_step(states[-1], rng)) is not None:
        states.append(after)
    return [states[0], states[-1], *rng.choices(states, k=STATES - 2)]


def random_step(state: State, rng: random.Random) -> State | None:
    """Return the state after a random move or outcome, None if the game is over."""
    if state.actor == sarai.OVER:
        return None
    if state.actor == sarai.CHANCE:
        outcomes = state.chance()
        return state.play(rng.choices([outcome for outcome, _ in outcomes], [weight for _, weight in outcomes])[0])
    seat = rng.choice(state.to_act)
    return state.play(rng.choice(state.legal(seat)), seat)
