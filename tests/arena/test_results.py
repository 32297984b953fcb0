"""The results of a match: ranks, wins, scores and ratings as they should be counted."""

import json
import random

import pytest

from arena.matches import made, small
from sarai.arena import play_deal, tabulate
from sarai.arena.results import even_ranks
from sarai.bots import Budget
from sarai.core.statistics import Sample


def sampled(numbers):
    sample = Sample()
    for number in numbers:
        sample.add(number)
    return sample


def test_line_ups_of_one_deal_count_once():
    """A deal that is won from every seat says no more than a single game: the interval is that of the deals."""
    match = small("random", "novice", "regular")
    rng = random.Random(1)
    orders = [rng.sample([1, 2, 3], 3) for _ in range(30)]
    done = {deal: [made(order[-turn:] + order[:-turn]) for turn in range(3)] for deal, order in enumerate(orders)}
    for place, bot in enumerate(match.bots):
        row = next(row for row in tabulate(match, done).rows if row.bot == bot)
        assert tuple(row.rank) == pytest.approx(
            tuple(sampled([float(order[place]) for order in orders]).bounded_mean(1, 3))
        )


def test_tied_seats_share_the_ranks_they_take():
    assert even_ranks([1, 1, 3]) == [1.5, 1.5, 3]
    assert even_ranks([2, 1, 2, 2]) == [3, 1, 3, 3]


def test_a_table_of_known_results():
    match = small("random", "novice", players=4)
    done = {0: [made([1, 2, 3, 4]), made([1, 2, 3, 4])], 1: [made([4, 1, 2, 2]), made([2, 1, 4, 3])]}
    table = tabulate(match, done)
    rows = {row.bot: row for row in table.rows}
    assert table.games == 4
    assert table.endings == {"end": 4}
    assert rows["random"].seats == rows["novice"].seats == 2
    # deal 0: random has ranks 1, 3 then 2, 4; deal 1: 4, 2.5 (tied with the third) then 1, 3
    assert rows["random"].rank.mean == pytest.approx((2.5 + 2.625) / 2)
    assert rows["novice"].rank.mean == pytest.approx(5 - rows["random"].rank.mean)
    assert [row.bot for row in table.rows] == ["novice", "random"]
    assert rows["random"].win.mean == pytest.approx(2 / 8)
    assert rows["random"].score.mean == pytest.approx((25 + 25) / 2)
    above = {(pair.bot, pair.other): pair.above.mean for pair in table.pairs}
    assert above["random", "novice"] == pytest.approx(((3 + 1) / 8 + (0 + 0.5 + 2 + 1) / 8) / 2)
    assert above["random", "novice"] + above["novice", "random"] == pytest.approx(1)


def test_the_better_bot_is_rated_higher():
    match = small("novice", "random")
    table = tabulate(match, {deal: [made([1, 2]), made([2, 1])] for deal in range(20)})
    best, worst = table.rows
    assert (best.bot, worst.bot) == ("novice", "random")
    assert best.rating.ordinal == pytest.approx(best.rating.mu - 3 * best.rating.sigma)
    assert best.rating.mu > 30 > 20 > worst.rating.mu
    alone = tabulate(small("random", players=3), {deal: [made([1, 2, 3])] for deal in range(5)})
    assert alone.rows[0].rating.mu == pytest.approx(25, abs=0.5)
    assert alone.pairs == []


def test_a_table_is_the_same_in_whichever_order_deals_were_played():
    match = small()
    done = {deal: play_deal(match, deal).results for deal in range(4)}
    backwards = dict(reversed(done.items()))
    assert tabulate(match, backwards).to_json() == tabulate(match, done).to_json()


def test_the_shape_of_the_json():
    match = small("random", "novice", budget=Budget(simulations=7))
    data = json.loads(
        json.dumps(tabulate(match, {deal: play_deal(match, deal).results for deal in range(3)}).to_json())
    )
    assert set(data) == {*match.to_json(), "deals", "games", "endings", "bots", "pairs"}
    assert (data["game"], data["players"], data["seats"], data["seed"]) == ("sixnimmt", 2, ["random", "novice"], 1)
    assert (data["seconds"], data["simulations"], data["deals"], data["games"]) == (None, 7, 3, 6)
    assert data["options"]["rounds"] == 1
    assert data["endings"] == {"rounds_played": 6}
    assert {bot["bot"] for bot in data["bots"]} == {"random", "novice"}
    for bot in data["bots"]:
        assert set(bot) == {"bot", "seats", "rank", "win", "score", "rating"}
        assert set(bot["rating"]) == {"mu", "sigma", "ordinal"}
        for name in ("rank", "win", "score"):
            assert bot[name]["low"] <= bot[name]["mean"] <= bot[name]["high"]
    assert sum(bot["win"]["mean"] for bot in data["bots"]) == pytest.approx(1)
    assert [(pair["bot"], pair["other"]) for pair in data["pairs"]] in (
        [("novice", "random"), ("random", "novice")],
        [("random", "novice"), ("novice", "random")],
    )
