"""Laws of Anubixx on random games and random sheets, each against a slow definition written here."""

from collections import Counter
from random import Random

import numpy as np
import pytest

import sarai
from sarai.core.kernels import python_entry_points
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.games.anubixx.state import IDLE_LIMITS, KINDS, MAX_MOVES, MOST_POINTS, SEATS, STOP

GAME = sarai.game("anubixx")
SEEDS = range(12 if COMPILED else 1)


def slow_score(marked: set[str], crossed: list[int], jokers: int, bonuses: list[str]) -> int:
    """Score a sheet from the names of its stones (A-28 … A-30)."""
    pyramid = max(
        ({1: 2, 2: 5, 3: 9, 4: 14, 5: 21}[int(stone[1])] for stone in marked if stone.startswith("p")), default=0
    )
    level = 0
    while {f"al{level + 1}", f"ar{level + 1}"} <= marked:
        level += 1
    arch = 18 if "key" in marked else [0, 0, 3, 6, 10, 14][level]
    relief = {0: 0, 2: 0, 4: 4, 6: 6, 8: 8, 10: 11, 12: 15}[sum(stone.startswith("f") for stone in marked)]
    return pyramid + arch + relief + 3 * len(bonuses) + len(range(max(crossed, default=0), 12)) + 2 * jokers


def slow_legal(view: dict) -> set[str]:
    """List the actor's legal moves in notation, by trying every stone, pair and way to pay (A-11 … A-22)."""
    seat = view["seats"][view["actor"]]
    colours, quarry = view["print"]["stones"][seat["sheet"]], view["print"]["quarries"][seat["sheet"]]
    marked = set(seat["marked"])

    def ways(stones: list[str], dice: list[str], free: list[str], jokers: int) -> set[tuple[str, ...]]:
        """Return every way to pay stones one after the other, the quarry in any order that leaves enough."""
        if not stones:
            return {()}
        colour, found = colours[stones[0]], set()
        if colour in dice:
            rest = dice.copy()
            rest.remove(colour)
            return {("", *way) for way in ways(stones[1:], rest, free, jokers)}
        if colour in free:
            rest = free.copy()
            rest.remove(colour)
            found |= {("q", *way) for way in ways(stones[1:], dice, rest, jokers)}
        if jokers:
            found |= {("j", *way) for way in ways(stones[1:], dice, free, jokers - 1)}
        return found

    means = view["dice"]["middle"], quarry[max(seat["crossed"], default=0) :], seat["jokers"]
    moves = {"stop"}
    for stone in colours:
        if stone in marked or stone.startswith("f"):
            continue
        if stone == "key":
            needed = {"al5", "ar5"}
        elif stone.startswith("a"):
            needed = {f"{stone[:2]}{int(stone[2]) - 1}"} if stone[2] != "1" else set()
        else:
            row, place = int(stone[1]), int(stone[3])
            needed = {f"p{row - 1}.{place}", f"p{row - 1}.{place + 1}"} if row > 1 else set()
        if needed <= marked:
            moves |= {stone + way for (way,) in ways([stone], *means)}
    if view["marked_this_turn"] == 0:
        free = [stone for stone in colours if stone.startswith("f") and stone not in marked]
        for one in free:
            for other in free:
                steps = int(other[1]) - int(one[1]), int(other[3]) - int(one[3])
                if steps in ((0, 1), (1, 0)):
                    for way in ways([one, other], *means):
                        first, second = sorted(way, key=("", "q", "j").index) if colours[one] == colours[other] else way
                        moves.add(f"{one}{first}-{other[1:]}{second}")
    return moves


def lively(state: sarai.State, rng: Random) -> tuple[int, int]:
    """Choose at random, but rather build than stop, so that games get far."""
    move, by = random_move(state, rng)
    return random_move(state, rng) if by >= 0 and move == GAME.num_actions - 1 else (move, by)


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_legal_moves_and_dice_are_what_slow_definitions_say(seed):
    rng, players = Random(seed), 2 + seed % 4
    state = GAME.start(players)
    while state.actor != sarai.OVER:
        view = state.view(None).to_json()
        for number, seat in enumerate(view["seats"]):
            assert (
                state.scores[number]
                == seat["points"]["total"]
                == slow_score(set(seat["marked"]), seat["crossed"], seat["jokers"], seat["bonuses"])
            )
        lying = sum(len(dice) for dice in view["dice"].values())
        if state.actor == sarai.CHANCE:
            assert lying < (3 if players == 2 else 4)
        else:
            assert lying == (3 if players == 2 else 4)
            assert {GAME.move_text(state, move) for move in state.legal()} == slow_legal(view)
        state = state.play(*lively(state, rng))


def test_a_score_equals_an_independent_one_on_random_sheets():
    rng = Random(1)
    for _ in range(300 if COMPILED else 30):
        text, seat = random_sheet(rng)
        state = GAME.parse(text)
        shown = state.view(None).to_json()["seats"][0]
        assert set(shown["marked"]) == seat
        assert state.scores[0] == slow_score(seat, shown["crossed"], shown["jokers"], shown["bonuses"])


def random_sheet(rng: Random) -> tuple[str, set[str]]:
    """Return a position, without a game behind it, in which seat 0 has a random sheet; and the stones marked there."""
    pyramid = [[rng.random() < rng.choice((0.5, 0.9, 1)) for _ in range(5)]]
    for width in (4, 3, 2, 1):
        below = pyramid[-1]
        pyramid.append([below[i] and below[i + 1] and rng.random() < 0.8 for i in range(width)])
    left, right = rng.randint(0, 5), rng.randint(0, 5)
    keystone = left == right == 5 and rng.random() < 0.5
    relief = [[False] * 4 for _ in range(3)]
    for _ in range(rng.randint(0, 12)):
        row, place, down = rng.randrange(3), rng.randrange(4), rng.random() < 0.5
        other = (row + 1, place) if down else (row, place + 1)
        if other[0] < 3 and other[1] < 4 and not relief[row][place] and not relief[other[0]][other[1]]:
            relief[row][place] = relief[other[0]][other[1]] = True
    marked = {f"p{i}.{j}" for i, row in enumerate(pyramid, 1) for j, stone in enumerate(row, 1) if stone}
    marked |= (
        {f"al{level}" for level in range(1, left + 1)}
        | {f"ar{level}" for level in range(1, right + 1)}
        | ({"key"} if keystone else set())
    )
    marked |= {f"f{i}.{j}" for i, row in enumerate(relief, 1) for j, stone in enumerate(row, 1) if stone}
    if sum((keystone, all(map(all, pyramid)), all(map(all, relief)))) > 1:
        return random_sheet(rng)  # the game would be over
    symbols = GAME.start(2).view(None).to_json()["print"]["symbols"]
    won = [
        symbol for symbol, stones in symbols.items() if set(stones) <= marked and rng.random() < 0.7
    ]  # the others were closed before
    quarry, crossed = "RVBOYGVBRGOY", [0]
    while len(crossed) <= len(marked) and crossed[-1] < 12 and rng.random() < 0.7:
        crossed.append(quarry.index(rng.choice(quarry[crossed[-1] :]), crossed[-1]) + 1)
    jokers = 3 - rng.randint(0, min(3, len(marked) + 1 - len(crossed)))

    def text_of(stones: list[list[bool]]) -> str:
        text = ".".join("".join("x" if stone else "-" for stone in row) for row in stones)
        return text if "x" in text else "-"

    text = (
        f"anubixx players=3 phase=roll moves=80 round=31 idle=0 dice=- closed={'.'.join(symbols)} sheets=A/B/C "
        f"pyramids={text_of(pyramid)}/xxxxx.xxxx.xxx.xx.x/- arches={left}{right}{'k' * keystone}/00/55 "
        f"reliefs={text_of(relief)}/-/xxxx.xxxx.xxxx quarries={'.'.join(map(str, crossed[1:])) or '-'}/-/- "
        f"jokers={jokers}/3/3 bonuses={'.'.join(won) or '-'}/scarab.snake.eye/ankh.falcon.lotus.cat"
    )
    return text, marked


@pytest.mark.parametrize("seed", SEEDS)
def test_no_stone_is_marked_or_paid_twice_and_each_is_paid_once(seed):
    players = 2 + seed % 4
    record = play_randomly(GAME, players, seed=seed)
    marked, jokers, lost, crossed = Counter(), Counter(), Counter(), {seat: [0] for seat in range(players)}
    for before, (by, move) in zip(record.replay(), record.moves, strict=False):
        stones = payments = 0
        for event in GAME.events(before, move, None, by=by):
            args = event.args
            if event.key == "stone_marked":
                marked[args["seat"], args["stone"]] += 1
                stones += 1
            elif event.key == "quarry_stone_crossed_off":
                assert args["place"] == crossed[args["seat"]][-1] + 1 + args["skipped"]
                crossed[args["seat"]].append(args["place"])
                lost[args["seat"]] += 1 + args["skipped"]
                payments += 1
            elif event.key in ("die_taken", "joker_used"):
                jokers[args["seat"]] += event.key == "joker_used"
                payments += 1
        assert stones == payments <= 2
    last = record.check().view(None).to_json()
    assert set(marked.values()) == {1}
    for seat, shown in enumerate(last["seats"]):
        assert {stone for owner, stone in marked if owner == seat} == set(shown["marked"])
        assert shown["crossed"] == crossed[seat][1:]
        assert shown["jokers"] == players - jokers[seat]
        assert shown["points"]["quarry"] == 12 - lost[seat]


def test_the_numbers_of_the_game_are_those_of_its_rules():
    assert GAME.max_moves == MAX_MOVES and GAME.score_bounds == (0, MOST_POINTS)
    assert GAME.players[-1] == SEATS and GAME.rules_version == len(IDLE_LIMITS) - 1
    assert GAME.num_actions == STOP + 1 and GAME.num_chance == KINDS


def test_random_games_in_one_crossing_end_within_bounds():
    start = GAME.start(5)._cell
    cell, rng, moves = start.copy(), np.array([5], np.uint64), np.zeros(GAME.num_actions, np.int64)
    games = 200 if COMPILED else 1
    played, chances = python_entry_points.random_games(start, cell, games, rng, moves)
    assert played < games * GAME.max_moves
    assert chances >= games * (5 + 4)
    low, high = GAME.score_bounds
    scores, standings = np.zeros(5, np.int64), np.zeros(5, np.int64)
    python_entry_points.points(cell, scores, standings)
    assert all(low <= score <= high for score in scores.tolist())
    assert sorted(range(5), key=lambda seat: standings[seat])[-1] in [
        seat for seat in range(5) if scores[seat] == scores.max()
    ]
