"""Golden playthroughs: a whole game as readable text with its moves, so that it replays without random numbers."""

import re
from collections.abc import Mapping

from sarai.core.game import Game
from sarai.core.records import Record
from sarai.core.result import CHANCE
from sarai.core.state_and_view import State
from sarai.testing.generators import steps

STEP = re.compile(r"^(chance|seat (\d+)): (.+)$", re.MULTILINE)


def write_playthrough(record: Record) -> str:
    """Return a record as text: every move with what a spectator sees of it, and the position after every tenth."""
    game = record.game
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    lines = [
        f"game: {game.id}",
        f"rules version: {game.rules_version}",
        f"players: {record.players}",
        f"options: {options}",
        "",
    ]
    for number, (before, seat, move, after) in enumerate(steps(record)):
        lines.append(f"{'chance' if seat == CHANCE else f'seat {seat}'}: {game.move_text(before, move)}")
        lines += [
            f"    {event.key} {' '.join(f'{name}={value}' for name, value in event.args.items())}".rstrip()
            for event in game.events(before, move, None, by=seat)
        ]
        if number % 10 == 9 or after.result:
            lines += ["", f"  {after.text()}", ""]
    lines += [f"result: {record.result}", ""]
    return "\n".join(lines)


def replay_playthrough(game: Game, players: int, options: Mapping[str, object], text: str) -> Record:
    """Return the record that a playthrough's moves give."""
    record = Record.begin(game, players, options)
    state: State = record.start()
    for found in STEP.finditer(text):
        seat = CHANCE if found[1] == "chance" else int(found[2])
        state = record.play(state, game.parse_move(state, found[3]), seat)
    return record
