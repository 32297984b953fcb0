"""Odds of Camel Up: of the leg, of the race, of bets and of tiles, from what all players see.

The odds of a leg are exact if no tile is laid or moved before its end. Race odds also assume that no tiles are laid in
later legs; with that they are exact in the first edition and sampled in the second. Programs read them through
`as_json`; kernels use `leg`, `race_runs`, `race_table` and, where an estimate is enough, `quick_chances`.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import numpy as np

from sarai.core.errors import Illegal
from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.state_and_view import State, View, generator
from sarai.core.statistics import wilson_interval
from sarai.games.camelup.edition import edition_of
from sarai.games.camelup.odds.leg import Workspace, bet_pays, new_workspace, sweep_leg, sweep_leg_with_tile
from sarai.games.camelup.odds.race_runs import AHEAD, RACE, RaceRecord, order_of, run_races, set_race
from sarai.games.camelup.odds.race_table import SHAPES, dice_of, new_table, shape_of, sweep_races
from sarai.games.camelup.state import (
    FIRST,
    LAST_SPACE,
    LOSER,
    MIRAGE,
    OASIS,
    RACING,
    ROLLING,
    TICKET_WORTH,
    TICKETS_PER_CAMEL,
    TURN,
    WINNER,
)
from sarai.games.camelup.turn_actions import open_spaces

DEFAULT_RACES = 200_000  # sampled for race odds of the second edition


@dataclass(frozen=True)
class Bet:
    """The top betting ticket of a camel: its number, and its mean pay (before C1-25 forgives debts)."""

    worth: int
    pay: Fraction


@dataclass(frozen=True)
class LegOdds:
    """How a leg ends: a racing camel's chance of a place is `counts[camel][place]` out of `whole`; place 0 leads."""

    camels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    whole: int
    bets: tuple[Bet | None, ...]  # by camel; None where the stack is empty
    tile_pays: tuple[Fraction | None, ...]  # by seat: mean pounds from its tile on the track; None where there is none
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
    """What a tile on a space would do: the mean pounds for its owner in this leg, and how the leg ends with it."""

    space: int
    side: str
    pay: Fraction
    leg: LegOdds


@dataclass(frozen=True)
class RaceOdds:
    """Who wins and who loses the race, with 95 % confidence intervals; where the odds are exact both ends are equal."""

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


# --- kernels ---------------------------------------------------------------------------------------------------------


@kernel
def race_chances(workspace: Workspace) -> None:
    """Work out exact chances of a race of the first edition.

    They are looked up in the table, after a sweep of the leg where tiles lie on the track.
    """
    race: RaceRecord = workspace.cells[0]
    if race.players:
        sweep_leg(workspace)
        return
    order = order_of(race)
    shape, dice = shape_of(race, order), dice_of(race, order)
    for end in range(2):
        for camel in range(RACING):
            workspace.chances[end, camel] = workspace.table[shape, dice, end, AHEAD[order, camel]]


@kernel
def set_up_race(cell: Cell, workspace: Workspace) -> int:
    """Copy what odds need of a view; return the race's shape as the first edition counts them."""
    race: RaceRecord = workspace.cells[0]
    set_race(cell[0], -1, race)
    return int(shape_of(race, order_of(race)))


@kernel
def count_leg(cell: Cell, lifted: int, workspace: Workspace, pays: Array) -> int:
    """Work out the odds of a leg and what bets on it pay; return all ways."""
    set_race(cell[0], lifted, workspace.cells[0])
    whole = sweep_leg(workspace)
    bet_pays(cell[0], whole, workspace.sweep[0], pays)
    return int(whole)


@kernel
def count_leg_with_tile(cell: Cell, seat: int, space: int, side: int, workspace: Workspace, pays: Array) -> int:
    """Work out the odds of a leg with a tile on a space and what bets on it pay; return all ways."""
    whole = sweep_leg_with_tile(cell[0], seat, space, side, workspace)
    bet_pays(cell[0], whole, workspace.sweep[0], pays)
    return int(whole)


@kernel
def spaces_for_tile(cell: Cell, seat: int) -> int:
    """Return a bit for every space where a seat may put its tile."""
    return int(open_spaces(cell[0], seat))


# --- for Python ------------------------------------------------------------------------------------------------------


class ThreadArrays(threading.local):
    """Each thread's own arrays to work in."""

    def __init__(self) -> None:
        self.workspace = new_workspace()
        self.pays = np.zeros(RACING, np.int64)


class RaceTable:
    """The table of all races of the first edition, swept from the line back as far as was asked for."""

    def __init__(self) -> None:
        self.table = new_table(0)
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


ARRAYS = ThreadArrays()
RACE_TABLE = RaceTable()


def race_table() -> Array:
    """Return the table of all races of the first edition, for kernels; `new_table` says how it is laid out."""
    return RACE_TABLE.up_to(SHAPES - 1)


def public_view(position: State | View) -> View:
    """Return a view of a position in which there are odds; Illegal otherwise."""
    view = position if isinstance(position, View) else position.view(None)
    if view.game.package != __name__.rpartition(".")[0]:
        raise Illegal("no_odds", title=view.game.title)
    if view._cell["phase"][0] not in (TURN, ROLLING):
        raise Illegal("no_odds_now")
    return view


def counted_odds(view: View, whole: int, owners: Sequence[int]) -> LegOdds:
    """Return the odds of the leg that was just counted; the owners of the tiles are in the order of the count."""
    v, sweep = view._cell[0], ARRAYS.workspace.sweep[0]
    counts = sweep["places"].tolist()
    common = gcd(whole, *(count for row in counts for count in row))
    worth, most = TICKET_WORTH[v["edition"]].tolist(), int(TICKETS_PER_CAMEL[v["edition"]])
    bets = []
    for ticket_owners, pay in zip(v["tickets"].tolist(), ARRAYS.pays.tolist(), strict=True):
        taken = sum(1 for owner in ticket_owners if owner)
        bets.append(Bet(worth[taken], Fraction(pay, whole)) if taken < most else None)
    pays = {owner: Fraction(pay, whole) for owner, pay in zip(owners, sweep["tile_pays"].tolist(), strict=False)}
    return LegOdds(
        edition_of(view._cell).racing_camels,
        tuple(tuple(count // common for count in row) for row in counts),
        whole // common,
        tuple(bets),
        tuple(pays.get(seat) for seat in range(view.players)),
    )


def leg_odds(position: State | View) -> LegOdds:
    """Return the exact odds of the running leg if no tile is laid or moved before its end."""
    view = public_view(position)
    whole = count_leg(view._cell, -1, ARRAYS.workspace, ARRAYS.pays)
    return counted_odds(view, whole, tile_owners(view, -1))


def tile_owners(view: View, lifted: int) -> list[int]:
    """Return the seats with a tile on the track, without the one that lifts its own."""
    tiles = view._cell["tiles"][0, : view.players].tolist()
    return [seat for seat, tile in enumerate(tiles) if tile and seat != lifted]


def tile_odds(position: State | View, seat: int | None = None) -> list[TileOdds]:
    """Return what a seat's tile would do on every space where it may lie, either side up.

    By default the seat is the view's own, or for a spectator the one that has the turn.
    """
    view = public_view(position)
    if seat is None:
        seat = int(view._cell["turn"][0]) if view.seat is None else view.seat
    elif not 0 <= seat < view.players:
        raise Illegal("no_such_seat", seat=seat, last=view.players - 1)
    workspace, pays, sides = ARRAYS.workspace, ARRAYS.pays, edition_of(view._cell).sides
    owners = tile_owners(view, seat)
    without = counted_odds(view, count_leg(view._cell, seat, workspace, pays), owners)
    landings = workspace.sweep[0]["landings"].tolist()
    spaces = spaces_for_tile(view._cell, seat)
    found = []
    for space in range(2, LAST_SPACE + 1):
        for side in (OASIS, MIRAGE):
            if not spaces >> space & 1:
                continue
            leg = without
            if landings[space]:  # a tile on which no unit can end its move changes nothing
                whole = count_leg_with_tile(view._cell, seat, space, side, workspace, pays)
                leg = counted_odds(view, whole, [*owners, seat])
            found.append(TileOdds(space, sides[side], leg.tile_pays[seat] or Fraction(0), leg))
    return found


def race_odds(position: State | View, races: int = DEFAULT_RACES, seed: int = 0) -> RaceOdds:
    """Return the odds of the race if no tile is laid from now on.

    They are exact in the first edition; in the second they come from this number of races with this seed.
    """
    view = public_view(position)
    camels = edition_of(view._cell).racing_camels
    shape = set_up_race(view._cell, ARRAYS.workspace)
    if view._cell["edition"][0] == FIRST:
        workspace = ARRAYS.workspace._replace(table=RACE_TABLE.up_to(shape))
        race_chances(workspace)
        win, lose = (tuple(chances) for chances in workspace.chances.tolist())
        return RaceOdds(camels, win, lose, tuple((p, p) for p in win), tuple((p, p) for p in lose), None)
    ends = np.zeros((2, RACING), np.int64)
    run_races(ARRAYS.workspace.cells, races, generator(seed), ends)
    between = [tuple(wilson_interval(count / races, races) for count in counts) for counts in ends.tolist()]
    win, lose = (tuple(count / races for count in counts) for counts in ends.tolist())
    return RaceOdds(camels, win, lose, between[WINNER], between[LOSER], races)
