"""A record of a game: a JSON file that replays to the same states without a random number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sarai.core.errors import BadRecord, BadStart, Error, UnknownGame
from sarai.core.game import Game
from sarai.core.messages import Message, Name, Notation, mark
from sarai.core.options import Value
from sarai.core.resignation import resigned_result
from sarai.core.result import Result

if TYPE_CHECKING:
    from sarai.core.state_and_view import State

FORMAT = 1
SUFFIX = ".sarai.json"
NO_FIELD = mark("it has no ''{field}''")  # why a file is no record
WRONG_KIND = mark("''{field}'' is not of the right kind")
NO_PART = mark("''{field}'' is not part of a record")
NO_MOVE = mark("move {number} is not a pair of whole numbers")
LIMIT = 64 * 1024 * 1024  # bytes of a file that is read at all
Step = tuple[int, int]  # who acted (a seat or CHANCE), and the move or outcome

FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "format": int,
    "game": str,
    "rules_version": int,
    "players": int,
    "options": dict,
    "names": list,
    "moves": list,
    "fairness": (dict, type(None)),
    "result": (dict, type(None)),
}
OTHER_FIELDS = ("resigned",)  # that not every record has


@dataclass
class Record:
    """A game as it was played: the moves, chance outcomes among them, from start to where it stands."""

    game: Game
    players: int
    options: dict[str, Value]
    names: list[str]
    moves: list[Step] = field(default_factory=list)
    fairness: dict[str, Any] | None = None
    result: Result | None = None
    rules_version: int = 0  # 0: the game's current one
    resigned: int | None = None  # the seat that gave up in a game of two, and lost by that

    def __post_init__(self) -> None:
        self.rules_version = self.rules_version or self.game.rules_version

    @classmethod
    def begin(
        cls, game: Game, players: int, options: Mapping[str, object] | None = None, names: list[str] | None = None
    ) -> Record:
        """Return an empty record of a game that may be started so."""
        complete, names = game.resolve_options(players, options), names or [f"seat {seat}" for seat in range(players)]
        check_names(names, players)
        return cls(game, players, complete, names)

    def start(self) -> State:
        """Return the state the record begins with."""
        return self.game.start(self.players, self.options, self.rules_version)

    def play(self, state: State, move: int, seat: int | None = None) -> State:
        """Play a move on the state the record stands at, and write it down."""
        actor = state.actor if seat is None else index(seat)
        after = state.play(move, actor)
        self.moves.append((actor, index(move)))
        self.result = after.result
        return after

    def replay(self) -> Iterator[State]:
        """Yield every state from the start on; BadRecord at a move that cannot be played."""
        state = self.start()
        yield state
        for number, (seat, move) in enumerate(self.moves):
            try:
                state = state.play(move, seat)
            except Error as error:
                raise BadRecord("record_bad_move", number=number, why=error) from None
            yield state

    def check(self) -> State:
        """Replay the record, compare its result, and return the last state."""
        for state in self.replay():
            last = state
        self.check_result(last)
        return last

    def check_result(self, last: State) -> None:
        """Compare the record's result with that of its last state."""
        right = last.result if self.resigned is None else self._resigned_result(last, self.resigned)
        if right != self.result:
            if right is None:
                raise BadRecord("record_unfinished_result")
            if self.result is None:
                raise BadRecord("record_missing_result")
            field = next(
                name for name, mine, real in zip(Result._fields, self.result, right, strict=True) if mine != real
            )
            raise BadRecord(
                "record_wrong_result", field=field, found=getattr(self.result, field), real=getattr(right, field)
            )

    def _resigned_result(self, last: State, seat: int) -> Result:
        """Return the result of a game that a seat gave up; BadRecord if it cannot have."""
        if last.result is not None or self.players != 2 or not 0 <= seat < 2:
            raise BadRecord("record_resigned", seat=seat)
        return resigned_result(last.scores, seat)

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return {
            "format": FORMAT,
            "game": self.game.id,
            "rules_version": self.rules_version,
            "players": self.players,
            "options": self.options,
            "names": self.names,
            "moves": [list(step) for step in self.moves],
            "fairness": self.fairness,
            "result": None if self.result is None else self.result._asdict(),
            **({} if self.resigned is None else {"resigned": self.resigned}),
        }

    def save(self, path: Path) -> None:
        """Write the record to a file, whole or not at all."""
        part = path.with_name(path.name + ".part")
        text = json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            part.write_bytes(text.encode())
            part.replace(path)
        except (OSError, ValueError) as error:
            raise BadRecord("file_unwritable", path=path, why=getattr(error, "strerror", None) or error) from None


def load(path: Path, check: bool = True) -> Record:
    """Read a record from a file and check it by replaying it, unless that is done elsewhere."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise BadRecord("file_unreadable", path=path, why=getattr(error, "strerror", None) or error) from None
    if len(data) > LIMIT:
        raise BadRecord("file_unreadable", path=path, why="it is too large")
    return read(data, check)


def read(data: bytes | str, check: bool = True) -> Record:
    """Read a record and check it by replaying it; BadRecord says what is wrong with it."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadRecord("record_not_json", why=error) from None
    record = from_json(raw)
    if check:
        record.check()
    return record


def from_json(raw: object) -> Record:
    """Build a record from plain data, checking its form but not its moves."""
    from sarai.core.registry import game as find

    if not isinstance(raw, dict) or not isinstance(raw.get("format"), int):
        raise BadRecord("record_not_record", why="it has no number 'format'")
    if raw["format"] != FORMAT:
        raise BadRecord("record_format", found=raw["format"], known=FORMAT)
    for name, kind in FIELDS.items():
        if name not in raw:
            raise BadRecord("record_not_record", why=Message(NO_FIELD, {"field": Notation(name)}))
        if not isinstance(raw[name], kind) or isinstance(raw[name], bool):
            raise BadRecord("record_not_record", why=Message(WRONG_KIND, {"field": Notation(name)}))
    for name in raw:
        if name not in FIELDS and name not in OTHER_FIELDS:
            raise BadRecord("record_not_record", why=Message(NO_PART, {"field": Name(name)}))
    if "resigned" in raw and type(raw["resigned"]) is not int:
        raise BadRecord("record_not_record", why=Message(WRONG_KIND, {"field": Notation("resigned")}))
    try:
        game = find(raw["game"])
        if not game.oldest_rules_version <= raw["rules_version"] <= game.rules_version:
            raise BadRecord("record_rules_version", found=raw["rules_version"], known=game.rules_version, game=game.id)
        options = game.resolve_options(raw["players"], raw["options"])
    except (UnknownGame, BadStart) as error:
        raise BadRecord(error.key, **error.facts) from None
    names = raw["names"]
    check_names(names, raw["players"])
    return Record(
        game,
        raw["players"],
        options,
        names,
        _moves(raw["moves"]),
        raw["fairness"],
        _result(raw["result"], raw["players"]),
        raw["rules_version"],
        raw.get("resigned"),
    )


def check_names(names: list[Any], players: int) -> None:
    """Refuse names that are not one for every seat, or that no file can hold."""
    if len(names) != players or not all(isinstance(name, str) and is_text(name) for name in names):
        raise BadRecord("record_not_record", why="'names' is not a name for every seat")


def is_text(name: str) -> bool:
    """Say whether a string can be written to a file: JSON can hold halves of characters that no file can."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _moves(raw: list[Any]) -> list[Step]:
    for number, step in enumerate(raw):
        if not (isinstance(step, list) and len(step) == 2 and all(type(part) is int for part in step)):
            raise BadRecord("record_not_record", why=Message(NO_MOVE, {"number": number}))
    return [(seat, move) for seat, move in raw]


def _result(raw: dict[str, Any] | None, players: int) -> Result | None:
    if raw is None:
        return None
    try:
        result = Result(**raw)
        sizes = {len(result.scores), len(result.ranks), len(result.utilities)}
    except TypeError:
        sizes = set()
    if sizes != {players}:
        raise BadRecord("record_not_record", why="'result' is not the result of a game")
    return result
