"""Odds of Camel Up against plain enumerations through the public contract, and races run by a second program."""

from collections import defaultdict
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

import sarai
from sarai import CHANCE, OVER
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly
from sarai.core.statistics import wilson_interval
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.odds import RACE_TABLE, leg_odds, race_chances, race_odds, race_table, tile_odds
from sarai.games.camelup.odds.leg import MOST_POSITIONS, new_workspace, sweep_leg
from sarai.games.camelup.odds.race_runs import set_race

GAMES = ("camelup-2014", "camelup-2018")
LETTERS = {id: edition.letters for id, edition in zip(GAMES, EDITIONS, strict=True)}
NAMES = {id: edition.camels for id, edition in zip(GAMES, EDITIONS, strict=True)}


def table(
    id: str,
    camels: str,
    dice: str = "-",
    tiles: str = "-,-,-",
    tickets: str = "-/-/-/-/-",
    turn: int = 0,
    phase: str = "turn",
) -> sarai.State:
    """Return a position in which each player has money enough to pay every debt."""
    players = tiles.count(",") + 1
    out = (0 if dice == "-" else dice.count(".") + 1) + (phase == "roll")
    pyramid, pounds = ",".join([str(out)] + ["0"] * (players - 1)), ",".join(["50"] * players)
    return sarai.game(id).parse(
        f"{id} players={players} phase={phase} moves=500 leg=1 turn={turn} start=0 camels={camels} dice={dice} "
        f"tiles={tiles} tickets={tickets} pyramid={pyramid} pounds={pounds} cards=-"
    )


def random_table(id: str, rng: Random, out: int, players: int = 3) -> sarai.State:
    """Return a random position with some dice out: camels spread or crowded, early or late in the race, with tiles."""
    low = rng.choice((1, 1, 4, 9, 12, 13, 14))
    high = min(16, low + rng.choice((1, 2, 4, 8)))
    letters = list(LETTERS[id])
    rng.shuffle(letters)
    stacks: dict[int, str] = defaultdict(str)
    for letter in letters:
        crazy = letter in "WK"
        stacks[
            rng.choice((1, 2, 3, 16, 15, rng.randint(low, high)))
            if crazy and rng.random() < 0.6
            else rng.randint(low, high)
        ] += letter
    tiles: list[str] = []
    for space in rng.sample(range(2, 17), 15):
        if (
            space not in stacks
            and len(tiles) < players
            and all(abs(space - int(tile[:-1])) > 1 for tile in tiles)
            and rng.random() < 0.5
        ):
            tiles.append(f"{space}{rng.choice('+-')}")
    tiles += ["-"] * (players - len(tiles))
    rng.shuffle(tiles)
    dice = sorted(rng.sample(range(len(letters) - (len(letters) > 5)), out))
    shown = [f"{LETTERS[id][die] if die < 5 else rng.choice('WK')}{rng.randint(1, 3)}" for die in dice]
    camels = ",".join(f"{space}:{stacks[space]}" for space in sorted(stacks))
    return table(id, camels, ".".join(shown) or "-", ",".join(tiles), turn=rng.randrange(players))


def seen(state: sarai.State) -> dict[str, Any]:
    """Return what all players see of a position."""
    return state.view(None).to_json()


def ranking(json: dict[str, Any]) -> tuple[str, ...]:
    """Return the racing camels from the first to the last."""
    racing = NAMES[json["game"]][:5]
    return tuple(camel for stack in reversed(json["camels"]) for camel in reversed(stack["camels"]) if camel in racing)


def rolls(state: sarai.State) -> sarai.State:
    """Return the state in which a die is about to come out."""
    return state if state.actor == CHANCE else state.play(state.game.parse_move(state, "roll"))


def enumerate_leg(state: sarai.State) -> tuple[dict[tuple[str, ...], Fraction], list[Fraction], list[Fraction]]:
    """Return the chances of rankings at the end of the leg, the seats' mean changes of money, and those by tiles."""
    leg, ends = seen(state)["leg"], defaultdict(Fraction)
    money, from_tiles = [Fraction(0)] * state.players, [Fraction(0)] * state.players
    layer = {"": (state, Fraction(1))}
    while layer:
        after_layer: dict[str, tuple[sarai.State, Fraction]] = {}
        for before, share in layer.values():
            rolling = rolls(before)
            now = seen(rolling)
            tickets, scores = now["pyramid_tickets"], now["pounds"]
            for outcome, chance in rolling.chance():
                after, part = rolling.play(outcome), share * chance
                json = seen(after)
                over = after.actor == OVER or json["leg"] > leg
                for seat, (was, now) in enumerate(zip(scores, json["pounds"], strict=True)):
                    if now != was:
                        money[seat] += part * (now - was)
                    if now != was + (tickets[seat] if over else 0):
                        from_tiles[seat] += part * (now - was - (tickets[seat] if over else 0))
                if over:
                    ends[ranking(json)] += part
                else:
                    key = f"{json['camels']}{json['dice_left']}"
                    after_layer[key] = after, part + (after_layer[key][1] if key in after_layer else 0)
        layer = after_layer
    return ends, money, from_tiles


def places(ends: dict[tuple[str, ...], Fraction], camels: tuple[str, ...]) -> list[list[Fraction]]:
    """Return the chance of every camel in every place."""
    return [
        [sum((share for order, share in ends.items() if order[place] == camel), Fraction(0)) for place in range(5)]
        for camel in camels
    ]


def exact(odds: Any) -> list[list[Fraction]]:
    """Return the chances of leg odds."""
    return [[odds.chance(camel, place) for place in range(5)] for camel in range(5)]


# --- the leg ---------------------------------------------------------------------------------------------------------

# How many random positions, by the number of dice that are out.
VOLUME = {
    "camelup-2014": {0: 1, 1: 8, 2: 20, 3: 40, 4: 40} if COMPILED else {3: 2, 4: 6},
    "camelup-2018": {1: 4, 2: 15, 3: 40, 4: 40} if COMPILED else {3: 1, 4: 6},
}


@pytest.mark.parametrize(("id", "out"), [(id, out) for id in GAMES for out in VOLUME[id]])
def test_leg_odds_equal_an_enumeration(id, out):
    rng = Random(out)
    for _ in range(VOLUME[id][out]):
        state = random_table(id, rng, out)
        ends, _, from_tiles = enumerate_leg(state)
        odds = leg_odds(state)
        assert exact(odds) == places(ends, odds.camels), state.text()
        assert [pay or 0 for pay in odds.tile_pays] == from_tiles, state.text()
        assert [pay is None for pay in odds.tile_pays] == [tile is None for tile in seen(state)["tiles"]]
        assert all(sum(row) == odds.whole for row in odds.counts)
        assert np.allclose(odds.places, np.array(odds.counts) / odds.whole, rtol=1e-15)


FULL = [
    ("camelup-2014", "16:bgoyw", "-,-"),
    ("camelup-2014", "1:b,2:gw,3:yo", "-,-"),
    ("camelup-2014", "4:b,5:g,6:w,8:y,9:o", "7-,11+"),
    ("camelup-2018", "4:Wb,6:yKp,8:r,10:g", "5+,7-"),
]


@pytest.mark.parametrize(("id", "camels", "tiles"), FULL if COMPILED else FULL[:1])
def test_leg_odds_from_a_full_pyramid(id, camels, tiles):
    state = table(id, camels, tiles=tiles)
    odds = leg_odds(state)
    ends, _, from_tiles = enumerate_leg(state)
    assert exact(odds) == places(ends, odds.camels) and [pay or 0 for pay in odds.tile_pays] == from_tiles


@pytest.mark.parametrize("id", GAMES)
def test_leg_odds_in_real_games_and_for_every_seat(id):
    found = 0
    for seed in range(5 if COMPILED else 1):
        states = list(play_randomly(sarai.game(id), 4, seed=seed).replay())
        for state in Random(seed).sample(states, min(60, len(states))):
            if seen(state)["phase"] not in ("turn", "roll") or len(seen(state)["dice"]) < (3 if COMPILED else 4):
                continue
            found += 1
            odds = leg_odds(state)
            assert exact(odds) == places(enumerate_leg(state)[0], odds.camels), state.text()
            assert leg_odds(state.view(None)) == leg_odds(state.view(2)) == odds
    assert found > (25 if COMPILED else 0)


@pytest.mark.parametrize(
    ("id", "camels", "dice"),
    [
        ("camelup-2014", "16:bgoyw", "b1.g1"),  # any die ends the race
        ("camelup-2014", "14:b,15:go,16:yw", "b1.g1"),
        ("camelup-2018", "1:WbygrpK", "b1.y1.g1"),  # all camels are carried back over the line
        ("camelup-2018", "1:K,2:Wby,16:grp", "b1.y1.g1"),
        ("camelup-2018", "2:bW,3:yK,15:g,16:rp", "b2.y2.g2.r2"),  # purple or grey comes out, the other stays inside
    ],
)
def test_a_race_that_ends_ends_the_leg_too(id, camels, dice):
    state = table(id, camels, dice)
    odds = leg_odds(state)
    assert exact(odds) == places(enumerate_leg(state)[0], odds.camels)


def test_one_of_six_dice_stays_inside_in_the_second_edition():
    odds = leg_odds(table("camelup-2018", "1:r,2:p,10:W,12:K,14:byg", "b1.y1.g1.W1"))
    # Either red comes out, and passes or mounts purple, or purple does. In the first edition both come out.
    assert odds.chance(3, 3) == Fraction(1, 2) and odds.chance(4, 3) == Fraction(1, 2)
    assert leg_odds(table("camelup-2014", "1:y,2:w,14:bgo", "b1.g1.o1")).chance(3, 3) == Fraction(7, 18)


def test_it_makes_no_difference_whether_the_pyramid_ticket_is_taken():
    assert leg_odds(table("camelup-2014", "4:bg,5:oyw", "b1.g1", phase="roll")) == leg_odds(
        table("camelup-2014", "4:bg,5:oyw", "b1.g1")
    )


def test_the_workspace_holds_the_widest_leg():
    workspace = new_workspace()
    assert len(workspace.sweep["packed"][0]) == MOST_POSITIONS
    assert workspace.sweep["slots"].shape[1] > 2 * 24 * 6 * 27


# --- bets and tiles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_bets_pay_what_betting_changes(id):
    rng = Random(5)
    tickets = "000/0/-/01/0" if id == "camelup-2014" else "0000/0/-/012/000"
    for _ in range(6 if COMPILED else 1):
        there = random_table(id, rng, 3 if COMPILED else 4)
        state = table(
            id,
            *(dict(word.split("=") for word in there.text().split()[1:])[name] for name in ("camels", "dice", "tiles")),
            tickets=tickets,
        )
        odds = leg_odds(state)
        assert odds.pyramid_pay == 1
        assert odds.bets[0] is None and [bet.worth for bet in odds.bets[1:] if bet] == (
            [3, 5, 2, 3] if id == "camelup-2014" else [3, 5, 2, 2]
        )
        without = sum(enumerate_leg(state)[1])  # of all seats: whose turn it is does not matter then
        for camel in range(1, 5):
            assert odds.bets[camel].pay == sum(enumerate_leg(state.play(camel))[1]) - without, state.text()


@pytest.mark.parametrize("id", GAMES)
def test_tiles_pay_and_change_the_leg_as_if_they_were_laid(id):
    rng = Random(6)
    for _ in range(4 if COMPILED else 1):
        state = random_table(id, rng, 3 if COMPILED else 4)
        seat, game = state.actor, state.game
        found = {
            f"tile {tile.space}{'+-'[EDITIONS[GAMES.index(id)].sides.index(tile.side)]}": tile
            for tile in tile_odds(state)
        }
        assert list(found) == [
            text for move in state.legal() if (text := game.move_text(state, move)).startswith("tile")
        ]
        for text, tile in found.items():
            laid = state.play(game.parse_move(state, text))
            ends, _, from_tiles = enumerate_leg(laid)
            assert exact(tile.leg) == places(ends, tile.leg.camels), (state.text(), text)
            assert tile.pay == from_tiles[seat] and [pay or 0 for pay in tile.leg.tile_pays] == from_tiles, (
                state.text(),
                text,
            )


@pytest.mark.parametrize("id", GAMES)
def test_before_the_last_die_a_tile_brings_as_much_as_units_land_there(id):
    rng, workspace = Random(7), new_workspace()
    for _ in range(20 if COMPILED else 3):
        state = random_table(id, rng, 4)
        set_race(state._cell[0], state.actor, workspace.cells[0])
        whole = sweep_leg(workspace)
        landings = workspace.sweep["landings"][0].tolist()
        for tile in tile_odds(state):
            assert tile.pay == Fraction(landings[tile.space], whole)


def test_a_tile_is_asked_for_a_seat_or_for_who_has_the_turn():
    state = table("camelup-2014", "4:bg,5:oyw", "b1.g1.o1.y1", tiles="7+,-,9-", turn=1)
    spaces = [tile.space for tile in tile_odds(state)]
    assert 7 not in spaces and 8 not in spaces and 10 not in spaces and 6 not in spaces and 2 in spaces and 11 in spaces
    assert tile_odds(state.view(None)) == tile_odds(state) == tile_odds(state, 1) == tile_odds(state.view(1))
    own = [
        tile.space for tile in tile_odds(state.view(0))
    ]  # the own tile on 7 is lifted: its neighbours are free, only 9's are not
    assert own == [tile.space for tile in tile_odds(state, 0)] and 6 in own and 7 not in own and 8 not in own
    with pytest.raises(sarai.Illegal) as caught:
        tile_odds(state, 3)
    assert caught.value.key == "no_such_seat"


def test_a_tile_out_of_reach_changes_nothing():
    state = table("camelup-2014", "4:bg,5:oyw", "b1.g1.o1.y1")
    far = next(tile for tile in tile_odds(state) if tile.space == 12)
    assert far.pay == 0 and far.leg.counts == leg_odds(state).counts


# --- the race --------------------------------------------------------------------------------------------------------

Chances = list[list[Fraction]]  # [winner or loser][camel]


def recursion(state: sarai.State, known: dict[str, Chances]) -> Chances:
    """Return who wins and who loses if no tile is laid, by going through everything that may happen."""
    camels = NAMES[state.game.id][:5]
    if state.actor == OVER:
        order = ranking(seen(state))
        return [[Fraction(camel == order[0]) for camel in camels], [Fraction(camel == order[-1]) for camel in camels]]
    rolling = rolls(state)
    json = seen(rolling)
    key = f"{json['camels']}{json['dice_left']}{json['tiles']}"
    if key not in known:
        sums = [[Fraction(0)] * 5, [Fraction(0)] * 5]
        for outcome, chance in rolling.chance():
            for total, part in zip(sums, recursion(rolling.play(outcome), known), strict=True):
                total[:] = [old + chance * new for old, new in zip(total, part, strict=True)]
        known[key] = sums
    return known[key]


LATE = [
    ("15:bgo,16:yw", "-", "-,-"),
    ("14:bg,15:o,16:wy", "b1.o1", "-,-"),
    ("14:bg,15:yow", "b1.g1.w1.y1", "16-,-"),
    ("14:bw,15:yog", "b1.g1", "16+,-"),
    *(
        [("14:bgoyw", "b1.g1.o1.y1", "-,-"), ("13:bg,14:yow", "-", "16-,-"), ("11:b,14:gowy", "-", "13-,16+")]
        if COMPILED
        else []
    ),
]


@pytest.mark.parametrize(("camels", "dice", "tiles"), LATE)
def test_first_edition_race_odds_equal_a_recursion_late_in_the_race(camels, dice, tiles):
    state = table("camelup-2014", camels, dice, tiles)
    expected = recursion(state, {})
    odds = race_odds(state)
    assert odds.exact and odds.races is None
    for mine, real in zip(odds.win + odds.lose, expected[0] + expected[1], strict=True):
        assert abs(mine - real) < 1e-12
    assert odds.win_between == tuple((chance, chance) for chance in odds.win)
    assert race_odds(state.view(1)) == odds


class Track:
    """A second, simple program: camels in lists, tiles in a dictionary, and nothing of the engine."""

    def __init__(self, state: sarai.State) -> None:
        json = seen(state)
        self.racing = NAMES[state.game.id][:5]
        self.stacks = {stack["space"]: tuple(stack["camels"]) for stack in json["camels"]}
        self.dice = tuple(json["dice_left"])
        self.all_dice = self.racing + (("grey",) if len(NAMES[state.game.id]) > 5 else ())
        self.tiles = {tile["space"]: tile["side"] in ("oasis", "cheering") for tile in json["tiles"] if tile}

    def race(self, rng: Random) -> tuple[str, str]:
        """Run a race; return the winner and the loser."""
        stacks = {space: list(camels) for space, camels in self.stacks.items()}
        dice, tiles = list(self.dice), self.tiles
        while True:
            die = dice.pop(rng.randrange(len(dice)))
            step = 1
            if die == "grey":
                die, step = self.crazy(stacks, rng.choice(("white", "black"))), -1
            start = next(space for space, camels in stacks.items() if die in camels)
            cut = stacks[start].index(die)
            unit, stacks[start] = stacks[start][cut:], stacks[start][:cut]
            space, under = start + step * rng.randint(1, 3), False
            if 1 <= space <= 16 and space in tiles:
                under = not tiles[space]
                space += -step if under else step
            there = stacks.get(space, []) if 1 <= space <= 16 else []
            stacks[space] = unit + there if under else there + unit
            if not 1 <= space <= 16:
                order = [camel for space in sorted(stacks) for camel in stacks[space] if camel in self.racing]
                return order[-1], order[0]
            if len(dice) == len(self.all_dice) - 5:
                dice, tiles = list(self.all_dice), {}

    def crazy(self, stacks: dict[int, list[str]], shown: str) -> str:
        """Return which crazy camel moves."""
        above = {}
        for camels in stacks.values():
            for place, camel in enumerate(camels):
                if camel in ("white", "black"):
                    above[camel] = camels[place + 1 :]
        carrying = [camel for camel, riders in above.items() if any(rider in self.racing for rider in riders)]
        if len(carrying) == 1:
            return carrying[0]
        for riders in above.values():
            if riders and riders[0] in ("white", "black"):
                return riders[0]
        return shown


EARLY = {
    "camelup-2014": [("1:b,2:gw,3:yo", "-", "-,-"), ("5:b,6:gwo,8:y", "b1.y2", "7-,10+")]
    if COMPILED
    else [("15:bgo,16:yw", "-", "-,-")],
    "camelup-2018": [
        ("1:b,2:yp,3:rg,14:K,16:W", "-", "-,-"),
        ("5:Kb,6:ypW,8:rg", "b1.W2", "7-,10+"),
        ("1:yW,2:Kb,14:rg,15:p", "b1", "-,12-"),
    ]
    if COMPILED
    else [("1:yW,2:Kb,15:r,16:gp", "b1.g1.r1", "-,13-")],
}


@pytest.mark.parametrize(("id", "camels", "dice", "tiles"), [(id, *position) for id in GAMES for position in EARLY[id]])
def test_race_odds_agree_with_races_run_by_another_program(id, camels, dice, tiles):
    state = table(id, camels, dice, tiles)
    track, rng, races = Track(state), Random(8), 20_000 if COMPILED else 1_500
    counts: dict[tuple[int, str], int] = defaultdict(int)
    for _ in range(races):
        first, last = track.race(rng)
        counts[0, first] += 1
        counts[1, last] += 1
    odds = race_odds(state, races=400_000 if COMPILED else 400, seed=3)
    assert odds.exact == (id == "camelup-2014")
    for end, chances in enumerate((odds.win, odds.lose)):
        assert abs(sum(chances) - 1) < 1e-12
        for camel, chance in zip(odds.camels, chances, strict=True):
            variance = max(chance * (1 - chance), 1e-4) * (1 / races + (1 / odds.races if odds.races else 0))
            assert abs(counts[end, camel] / races - chance) < 4.5 * sqrt(variance), (camel, counts, odds)


def test_sampled_odds_come_with_their_confidence_and_again_for_a_seed():
    state = table("camelup-2018", "1:yW,2:Kb,15:r,16:gp", "b1")
    odds = race_odds(state, races=500, seed=1)
    assert odds == race_odds(state, races=500, seed=1) != race_odds(state, races=500, seed=2)
    assert odds.races == 500 and not odds.exact
    for chance, (low, high) in zip(odds.win + odds.lose, odds.win_between + odds.lose_between, strict=True):
        assert 0 <= low <= chance <= high <= 1 and 0 < high - low < 0.1


def test_confidence_is_wilsons_interval():
    assert wilson_interval(0.5, 100) == pytest.approx((0.4038315, 0.5961685), abs=1e-6)
    assert wilson_interval(0.0, 100) == pytest.approx((0, 0.0369935), abs=1e-6)
    assert wilson_interval(1.0, 100) == pytest.approx((0.9630065, 1), abs=1e-6)


def test_a_confidence_interval_holds_the_truth_nineteen_times_in_twenty():
    rng = Random(4)
    held = sum(
        low <= 0.2 <= high
        for low, high in (wilson_interval(sum(rng.random() < 0.2 for _ in range(300)) / 300, 300) for _ in range(400))
    )
    assert 365 <= held <= 394


def test_the_table_of_races_is_swept_once_and_only_as_far_as_needed():
    late, later = table("camelup-2014", "14:bg,15:o,16:wy"), table("camelup-2014", "15:bgo,16:wy")
    odds = race_odds(late)
    known = RACE_TABLE.known
    race_odds(later)
    assert RACE_TABLE.known == known
    assert race_odds(late) == odds
    if COMPILED:
        sums = race_table()[:, 1:].sum(axis=3)
        assert RACE_TABLE.known == len(sums) and np.abs(sums - 1).max() < 1e-12


def test_kernels_work_on_the_record_of_a_state():
    state, workspace = table("camelup-2014", "13:bg,14:yow", "b1.g1.w1.y1", "16-,-"), new_workspace()
    set_race(state._cell[0], -1, workspace.cells[0])
    whole = sweep_leg(workspace)
    odds, race = leg_odds(state), race_odds(state)
    assert [[Fraction(count, whole) for count in row] for row in workspace.sweep["places"][0].tolist()] == exact(odds)
    assert not workspace.chances.any()
    race_chances(workspace._replace(table=RACE_TABLE.table))
    assert tuple(map(tuple, workspace.chances.tolist())) == (race.win, race.lose)


# --- when there are none ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("odds", [leg_odds, tile_odds, race_odds])
def test_no_odds_before_the_camels_stand_and_after_the_race(odds):
    game = sarai.game("camelup-2014")
    over = rolls(table("camelup-2014", "16:bgoyw", "b1.g1.o1.y1"))
    over = over.play(game.parse_move(over, "w1"))
    for state in (game.start(3), over):
        with pytest.raises(sarai.Illegal) as caught:
            odds(state)
        assert caught.value.key == "no_odds_now" and str(caught.value)
    with pytest.raises(sarai.Illegal) as caught:
        odds(sarai.game("sixnimmt").start(2))
    assert caught.value.key == "no_odds"
