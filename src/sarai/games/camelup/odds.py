"""Odds of Camel Up for people and programs: of the leg, of the race, of bets and of tiles, from what everybody at the table sees.

The odds of a leg are exact, on the assumption that nobody lays or moves a tile before its end. Race odds assume besides that nobody lays tiles in the legs
after it; with that they are exact in the first edition, and sampled in the second. Kernels call `leg_sweep`, `tile_sweep` and `race_chances` on records.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import numpy as np

from sarai.core.errors import Illegal
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.state import State, View, generator
from sarai.core.statistics import wilson_interval
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.leg_odds import Work, bet_pays, leg_sweep, new_work
from sarai.games.camelup.race import AHEAD, RACE, add_tile, order_of, set_race
from sarai.games.camelup.race_sample import run_races
from sarai.games.camelup.race_table import SHAPES, dice_of, new_table, shape_of, sweep_races
from sarai.games.camelup.rules import open_spaces
from sarai.games.camelup.table import FIRST, LINE, LOSER, MIRAGE, OASIS, RACING, ROLLING, STACKS, TURN, WINNER, WORTH

RACES = 200_000


@dataclass(frozen=True)
class Bet:
    """The top betting ticket of a camel: its number, and what it pays in the mean (before C1-25 forgives debts)."""

    worth: int
    pay: Fraction


@dataclass(frozen=True)
class LegOdds:
    """How a leg ends: a racing camel's chance of a place is `counts[camel][place]` out of `whole`, place 0 being the lead."""

    camels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    whole: int
    bets: tuple[Bet | None, ...]  # by camel; None where the stack is empty
    tile_pays: tuple[
        Fraction | None, ...
    ]  # by seat: pounds that its tile on the track brings in the mean; None where it has none there
    pyramid_pay: Fraction = Fraction(1)  # what a pyramid ticket pays, whatever happens (C1-24)

    def chance(self, camel: int, place: int) -> Fraction:
        """Return the exact chance of a racing camel to end the leg in a place."""
        return Fraction(self.counts[camel][place], self.whole)

    @cached_property
    def places(self) -> tuple[tuple[float, ...], ...]:
        """The same chances as doubles."""
        return tuple(tuple(count / self.whole for count in counts) for counts in self.counts)


@dataclass(frozen=True)
class TileOdds:
    """What a tile on a space would do: the pounds it brings its owner in the mean before the leg ends, and how the leg ends with it."""

    space: int
    side: str
    pay: Fraction
    leg: LegOdds


@dataclass(frozen=True)
class RaceOdds:
    """Who wins and who loses the race; with the ends of 95 % confidence intervals, equal to the chances where these are exact."""

    camels: tuple[str, ...]
    win: tuple[float, ...]
    lose: tuple[float, ...]
    win_between: tuple[tuple[float, float], ...]
    lose_between: tuple[tuple[float, float], ...]
    races: int | None  # how many were run; None: the odds are exact

    @property
    def exact(self) -> bool:
        """Whether nothing was left to sampling."""
        return self.races is None


# --- kernels ---------------------------------------------------------------------------------------------------------------------


@kernel
def tile_sweep(state: Rec, seat: int, space: int, side: int, work: Work) -> int:
    """Work out the odds of the leg with a seat's tile laid on, or moved to, a space; the last of the tile pays is its own."""
    set_race(state, seat, work.cells[0])
    add_tile(work.cells[0], space, side)
    return int(leg_sweep(work))


@kernel
def race_chances(work: Work) -> None:
    """Work out the exact chances of a race of the first edition: looked up in the table, after a sweep of the leg where tiles lie on the track."""
    race = work.cells[0]
    if race.players:
        leg_sweep(work)
        return
    order = order_of(race)
    shape, dice = shape_of(race, order), dice_of(race, order)
    for end in range(2):
        for camel in range(RACING):
            work.race[end, camel] = work.table[shape, dice, end, AHEAD[order, camel]]


@kernel
def set_up_race(cell: Array, work: Work) -> int:
    """Copy what odds need of a view; return the race's shape as the first edition counts them."""
    race = work.cells[0]
    set_race(cell[0], -1, race)
    return int(shape_of(race, order_of(race)))


@kernel
def sweep_leg(cell: Array, lifted: int, work: Work, pays: Array) -> int:
    """Work out the odds of a leg and what bets on it pay."""
    set_race(cell[0], lifted, work.cells[0])
    whole = leg_sweep(work)
    bet_pays(cell[0], whole, work.sweep[0], pays)
    return int(whole)


@kernel
def sweep_tile(cell: Array, seat: int, space: int, side: int, work: Work, pays: Array) -> int:
    """Work out the odds of a leg with a tile on a space and what bets on it pay."""
    whole = tile_sweep(cell[0], seat, space, side, work)
    bet_pays(cell[0], whole, work.sweep[0], pays)
    return int(whole)


@kernel
def spaces_for_tile(cell: Array, seat: int) -> int:
    """Return a bit for every space where a seat may put its tile."""
    return int(open_spaces(cell[0], seat))


# --- for Python ------------------------------------------------------------------------------------------------------------------


class Room(threading.local):
    """Every thread's own room to work in."""

    def __init__(self) -> None:
        self.work = new_work()
        self.pays = np.zeros(RACING, np.int64)


class Races:
    """The table of all races of the first edition, swept from the line back as far as somebody asked."""

    def __init__(self) -> None:
        self.table = new_work().table
        self.known = 0
        self.lock = threading.Lock()

    def up_to(self, shape: int) -> Array:
        """Return the table, in which a shape and all that come of it are known."""
        with self.lock:
            if shape >= self.known:
                if self.known == 0:
                    self.table = new_table()
                sweep_races(np.zeros(1, RACE), self.table, self.known, shape + 1)
                self.known = shape + 1
        return self.table


ROOM = Room()
FIRST_RACES = Races()


def race_table() -> Array:
    """Return the table of all races of the first edition, for kernels: [shape, places whose dice are in the pyramid, winner or loser, place]."""
    return FIRST_RACES.up_to(SHAPES - 1)


def seen(position: State | View) -> View:
    """Return what everybody sees of a position in which odds can be told; Illegal otherwise."""
    view = position if isinstance(position, View) else position.view(None)
    if view.game.package != __package__:
        raise Illegal("no_odds", title=view.game.title)
    if view._cell["phase"][0] not in (TURN, ROLLING):
        raise Illegal("no_odds_now")
    return view


def camels_of(view: View) -> tuple[str, ...]:
    """Return the names of the racing camels."""
    return EDITIONS[int(view._cell["edition"][0])].camels[:RACING]


def odds_of(view: View, whole: int, owners: Sequence[int]) -> LegOdds:
    """Return the odds of the leg that was just swept; the owners of the tiles are in the order of the sweep."""
    v, sweep = view._cell[0], ROOM.work.sweep[0]
    counts = sweep["places"].tolist()
    common = gcd(whole, *(count for row in counts for count in row))
    bets = []
    for owners_of_tickets, pay in zip(v["tickets"].tolist(), ROOM.pays.tolist(), strict=True):
        taken = sum(1 for owner in owners_of_tickets if owner)
        bets.append(
            Bet(int(WORTH[v["edition"], taken]), Fraction(pay, whole)) if taken < STACKS[v["edition"]] else None
        )
    pays = {owner: Fraction(pay, whole) for owner, pay in zip(owners, sweep["tile_pays"].tolist(), strict=False)}
    return LegOdds(
        camels_of(view),
        tuple(tuple(count // common for count in row) for row in counts),
        whole // common,
        tuple(bets),
        tuple(pays.get(seat) for seat in range(view.players)),
    )


def leg_odds(position: State | View) -> LegOdds:
    """Return the exact odds of the running leg if nobody lays or moves a tile before its end."""
    view = seen(position)
    whole = sweep_leg(view._cell, -1, ROOM.work, ROOM.pays)
    return odds_of(view, whole, owners_but(view, -1))


def owners_but(view: View, lifted: int) -> list[int]:
    """Return the seats with a tile on the track, without one that lifts its own."""
    return [
        seat for seat, tile in enumerate(view._cell["tiles"][0, : view.players].tolist()) if tile and seat != lifted
    ]


def tile_odds(position: State | View, seat: int | None = None) -> list[TileOdds]:
    """Return what a seat's tile would do on every space where it may lie, either side up; by default the view's own seat, for a spectator who has the turn."""
    view = seen(position)
    if seat is None:
        seat = int(view._cell["turn"][0]) if view.seat is None else view.seat
    elif not 0 <= seat < view.players:
        raise Illegal("no_such_seat", seat=seat, last=view.players - 1)
    work, sides = ROOM.work, EDITIONS[int(view._cell["edition"][0])].sides
    owners = owners_but(view, seat)
    without = odds_of(view, sweep_leg(view._cell, seat, work, ROOM.pays), owners)
    landings = work.sweep[0]["landings"].tolist()
    spaces = spaces_for_tile(view._cell, seat)
    found = []
    for space in range(2, LINE + 1):
        for side in (OASIS, MIRAGE):
            if not spaces >> space & 1:
                continue
            leg = without
            if landings[space]:  # a tile on which no unit can end its move changes nothing
                leg = odds_of(view, sweep_tile(view._cell, seat, space, side, work, ROOM.pays), [*owners, seat])
            found.append(TileOdds(space, sides[side], leg.tile_pays[seat] or Fraction(0), leg))
    return found


def race_odds(position: State | View, races: int = RACES, seed: int = 0) -> RaceOdds:
    """Return the odds of the race if nobody lays a tile from now on: exact in the first edition, by so many races of that seed in the second."""
    view = seen(position)
    shape = set_up_race(view._cell, ROOM.work)
    if view._cell["edition"][0] == FIRST:
        work = ROOM.work._replace(table=FIRST_RACES.up_to(shape))
        race_chances(work)
        win, lose = (tuple(chances) for chances in work.race.tolist())
        return RaceOdds(camels_of(view), win, lose, tuple((p, p) for p in win), tuple((p, p) for p in lose), None)
    ends = np.zeros((2, RACING), np.int64)
    run_races(ROOM.work.cells, races, generator(seed), ends)
    between = [tuple(wilson_interval(count / races, races) for count in counts) for counts in ends.tolist()]
    win, lose = (tuple(count / races for count in counts) for counts in ends.tolist())
    return RaceOdds(camels_of(view), win, lose, between[WINNER], between[LOSER], races)
