"""Laws of Through the Desert on random games, each against a slow definition written here with sets."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import sarai
from sarai.core.kernels import python_entry_points
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.games.desert.setup import draw
from sarai.games.desert.terrain import BOARD, SAND

GAME = sarai.game("desert")
COLOURS = ["lilac", "mint", "lemon", "sky", "salmon"]
NUMBERS = {name: number for number, name in enumerate(BOARD.names)}
GAMES = range(12 if COMPILED else 1)
FEWEST = 1 if COMPILED else 0  # areas that the games below must enclose, or they would show nothing


def in_play(players: int) -> set[str]:
    return set(BOARD.names if players >= 4 else BOARD.names[: BOARD.inside])


def around(hexes: set[str] | list[str]) -> set[str]:
    """Return all hexes next to some."""
    return {BOARD.names[number] for name in hexes for number in BOARD.ring[NUMBERS[name]] if number >= 0}


def connected(start: str, hexes: set[str]) -> set[str]:
    """Return what of a set is connected with one of it."""
    found, queue = {start}, [start]
    while queue:
        for name in around([queue.pop()]) & hexes - found:
            found.add(name)
            queue.append(name)
    return found


def remainders(caravan: set[str], players: int) -> list[set[str]]:
    """Return every connected remainder that touches a caravan, once its camels are taken away (D-27)."""
    left = in_play(players) - caravan
    found: list[set[str]] = []
    while left:
        part = connected(min(left), left)
        left -= part
        if around(part) & caravan:
            found.append(part)
    return found


def all_camels(view: dict) -> set[str]:
    return {name for caravans in view["caravans"] for camels in caravans.values() for name in camels}


def lively_games(players: int) -> Iterator[tuple[sarai.State, int, sarai.State]]:
    """Yield steps of games in which every player prefers one caravan, so that caravans get long and enclose a lot."""
    for seed in GAMES:
        rng = Random(f"{players} {seed}")
        state = GAME.start(players)
        liking = [rng.randrange(5) for _ in range(players)]
        made = 0
        while state.actor != sarai.OVER and (COMPILED or made < 40):
            move, seat = random_move(state, rng)
            if seat >= 0 and rng.random() < 0.7:
                liked = [other for other in state.legal() if other // len(NUMBERS) == liking[seat]]
                move = rng.choice(liked) if liked else move
            after = state.play(move)
            made += seat >= 0
            if seat >= 0:
                yield state, move, after
            state = after


@pytest.mark.parametrize("players", GAME.players if COMPILED else [2])
def test_D_27_to_D_31_areas_are_those_of_the_slow_definition(players):
    enclosing = 0
    for before, move, after in lively_games(players):
        old, new = before.view(None).to_json(), after.view(None).to_json()
        seat, colour, name = before.actor, COLOURS[move // len(NUMBERS)], BOARD.names[move % len(NUMBERS)]
        areas: list[set[str]] = []
        if old["phase"] != "leaders":
            taken = set().union(*map(set, old["enclosed"]))
            camels = all_camels(new)
            areas = [
                part
                for part in remainders(set(new["caravans"][seat][colour]), players)
                if not part & camels and not part & taken
            ]
        told = [event.args for event in GAME.events(before, move, None)[0:] if event.key == "area_enclosed"]
        assert sorted(args["hexes"] for args in told) == sorted(len(area - set(old["oases"])) for area in areas)
        inside = set().union(*areas) if areas else set()
        assert [set(hexes) for hexes in new["enclosed"]] == [
            set(hexes) | (inside if who == seat else set()) for who, hexes in enumerate(old["enclosed"])
        ]
        water = {hex: value for hex, value in old["water"].items() if hex == name or hex in inside}
        assert new["water"] == {hex: value for hex, value in old["water"].items() if hex not in water}
        assert new["points"][seat]["water"] - old["points"][seat]["water"] == sum(water.values())
        enclosing += len(areas)
    assert enclosing >= FEWEST * 10


@pytest.mark.parametrize("players", GAME.players if COMPILED else [3])
def test_D_12_to_D_22_legal_moves_are_those_of_the_slow_definition(players):
    for number, (state, _, _) in enumerate(lively_games(players)):
        if number % 3 == 0:
            view = state.view(None).to_json()
            assert {GAME.move_text(state, move) for move in state.legal()} == (
                slow_leaders if view["phase"] == "leaders" else slow_camels
            )(view)


def slow_leaders(view: dict) -> set[str]:
    """List where leaders may be placed (D-12 … D-15)."""
    players, seat, stand = view["players"], view["actor"], all_camels(view)
    sand = {name for name in in_play(players) if BOARD.kinds[NUMBERS[name]] == SAND}
    spots = sand - stand - around(stand) - around(set(view["oases"]))
    own = set(COLOURS) - set(view["caravans"][seat]) - set(view["aside"][seat : seat + 1])
    if len(stand) < players:
        used = {colour for caravans in view["caravans"] for colour in caravans}
        later = view["aside"][seat + 1 :]
        own = {colour for colour in own - used if all(set(COLOURS) - used - {colour} - {gone} for gone in later)}
    return {f"{colour} {name}" for colour in own for name in spots}


def slow_camels(view: dict) -> set[str]:
    """List where camels may be placed (D-18 … D-22, D-30)."""
    seat = view["actor"]
    closed = all_camels(view) | set(view["oases"]) | set().union(*map(set, view["enclosed"]))
    moves = set()
    for colour, camels in view["caravans"][seat].items():
        foreign = {
            name for who, caravans in enumerate(view["caravans"]) if who != seat for name in caravans.get(colour, [])
        }
        if view["piles"][colour]:
            moves |= {
                f"{colour} {name}" for name in around(camels) & in_play(view["players"]) - closed - around(foreign)
            }
    return moves


@pytest.mark.parametrize("players", GAME.players if COMPILED else [2])
def test_D_19_and_D_20_caravans_stay_connected_and_apart(players):
    for number, (_, _, after) in enumerate(lively_games(players)):
        if number % 5:
            continue
        view = after.view(None).to_json()
        everywhere = [name for caravans in view["caravans"] for camels in caravans.values() for name in camels]
        assert len(set(everywhere)) == len(everywhere)
        for colour in COLOURS:
            groups = [set(caravans[colour]) for caravans in view["caravans"] if colour in caravans]
            assert all(connected(min(group), group) == group for group in groups)
            assert all(not around(group) & other for group in groups for other in groups if other is not group)
            started = {2: 22, 3: 26, 4: 30, 5: 30}[players]
            assert view["piles"][colour] == started - sum(len(group) - 1 for group in groups)


@pytest.mark.parametrize("players", GAME.players if COMPILED else [2])
def test_D_33_to_D_36_scores_are_those_of_an_independent_scorer(players):
    for seed in GAMES:
        record = play_randomly(GAME, players, seed=seed)
        water = [0] * players
        for state, (seat, move) in zip(record.replay(), record.moves, strict=False):
            for event in GAME.events(state, move, None, by=seat):
                if event.key == "water_taken":
                    water[event.args["seat"]] += event.args["value"]
        view = record.check().view(None).to_json()
        camels, oases = all_camels(view), set(view["oases"])
        scores = []
        for seat, caravans in enumerate(view["caravans"]):
            score = water[seat]
            for colour, names in caravans.items():
                areas = (
                    [part for part in remainders(set(names), players) if not part & camels] if len(names) > 1 else []
                )
                inside = set().union(*areas) if areas else set()
                linked = (around(names[1:]) | inside) & oases
                sizes = [len(other.get(colour, ())) for other in view["caravans"]]
                score += 5 * len(linked) + len(inside - oases)
                if len(names) == max(sizes):
                    score += 10 if sizes.count(len(names)) == 1 else 5
            scores.append(score)
        assert record.result.scores == scores
        assert record.result.ranks == [1 + sum(other > score for other in scores) for score in scores]


def test_D_09_tokens_are_drawn_as_often_as_they_are_likely():
    """`draw` has the distribution that `chance` lists: χ² over the first token after five of value 1."""
    state = GAME.start(2)
    for outcome in (0, 1, 2, 3, 4, 0, 0, 0, 0, 0):
        state = state.play(outcome)
    kinds = [float(share) for _, share in state.chance()]
    assert kinds == [10 / 40, 15 / 40, 15 / 40]
    rng, counts, draws = np.array([5], np.uint64), [0, 0, 0], 3000 if COMPILED else 300

    for _ in range(draws):
        counts[draw(state._cell[0], rng)] += 1
    assert sum((count - draws * share) ** 2 / (draws * share) for count, share in zip(counts, kinds, strict=True)) < 20


@pytest.mark.parametrize("players", GAME.players)
def test_random_games_end_and_stay_in_bounds(players):
    start = GAME.start(players)._cell
    cell, moves = start.copy(), np.zeros(GAME.num_actions, np.int64)
    games = 300 if COMPILED else 1
    played, chances = python_entry_points.random_games(start, cell, games, np.array([players], np.uint64), moves)
    assert played <= games * 170
    assert chances == games * {2: 38, 3: 38, 4: 50, 5: 55}[players]
