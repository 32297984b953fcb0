"""Who wins and who loses a race, by running many of them: for the second edition, whose crazy camels leave no order in which to know all races exactly."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.games.camelup.rules import draw
from sarai.games.camelup.table import LEG, LOSER, WINNER
from sarai.games.camelup.track import clear_track, last_camel, leaders, let_out


@kernel
def begin_bare_leg(race: Rec) -> None:
    """Begin a leg in which nobody lays a tile."""
    clear_track(race)
    race.players = 0  # no tiles: no owners of any


@kernel
def finish_race(race: Rec, rng: Array) -> None:
    """Let dice come out until a camel crosses the line; nobody lays a tile any more."""
    while not let_out(race, draw(race, rng), None):
        if count_bits(race.dice_out) == LEG:
            begin_bare_leg(race)


@kernel
def run_races(cells: Array, races: int, rng: Array, ends: Array) -> None:
    """Run races from the first cell in the second, and count winners and losers: [winner or loser, camel]."""
    for _ in range(races):
        cells[1] = cells[0]
        race = cells[1]
        finish_race(race, rng)
        first, _ = leaders(race)
        ends[WINNER, first] += 1
        ends[LOSER, last_camel(race)] += 1
