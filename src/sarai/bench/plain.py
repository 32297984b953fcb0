"""Plain Python programs kept beside the package, `benchmarks/plain_<game>.py`: PLAYERS, OPTIONS, and `play(rng)` for one random game."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

from sarai.bench.pace import Pace, Work

FOLDER = Path(__file__).parents[3] / "benchmarks"
MISSING = "Plain Python programs are left out: they are in the folder 'benchmarks' of the sources, which is not here."


def plain_program(id: str) -> ModuleType | None:
    """Return the plain program for a game, if there is one."""
    path = FOLDER / f"plain_{id}.py"
    spec = spec_from_file_location(path.stem, path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    program = module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def plain_work(program: ModuleType, rng: Random) -> Work:
    """Return random games of a plain program."""

    def work(games: int) -> Pace:
        for _ in range(games):
            program.play(rng)
        return Pace(games)

    return work
