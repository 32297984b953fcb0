"""Matches and deals: the same chance for every line-up, and bots from anywhere."""

from collections import Counter
from fractions import Fraction

import pytest

import sarai
from arena.matches import ROUND, small
from sarai.arena import Match, play_deal
from sarai.arena.deals import DealChance, attempt, derived_seed, play_game, seat_names, warm_up
from sarai.arena.match_settings import code_hash
from sarai.bots import Budget
from sarai.core.errors import Error
from sarai.core.records import Record
from sarai.core.result import CHANCE

# --- matches and line-ups ---


def test_bots_move_up_a_seat_until_the_first_lineup_comes_again():
    assert small("random", "novice", "regular").lineups == [
        ("random", "novice", "regular"),
        ("regular", "random", "novice"),
        ("novice", "regular", "random"),
    ]
    assert small("random", "novice", players=4).lineups == [("random", "novice") * 2, ("novice", "random") * 2]
    assert len(small("random", "novice", "novice", "novice").lineups) == 4
    assert small("random", players=3).lineups == [("random",) * 3]


def test_bots_sit_down_in_turn_until_every_seat_is_taken():
    assert small("random", "novice", players=5).seats == ("random", "novice", "random", "novice", "random")
    assert seat_names(("random", "novice", "random")) == ["random 1", "novice", "random 2"]


def test_games_are_made_whole_deals():
    match = small("random", "novice", "regular")
    assert [match.deals_for(games) for games in (1, 3, 4, 30)] == [1, 1, 2, 10]


def test_a_match_is_told_from_every_other():
    base = small()
    others = [
        small("novice", "random"),
        small(seed=2),
        small(players=4),
        small(budget=Budget(simulations=9)),
        small(budget=Budget(seconds=9.0)),
    ]
    others.append(Match.make("sixnimmt", ("random", "novice"), 2, {"rounds": 2}))
    assert len({match.digest for match in [base, *others]}) == 7
    assert small().digest == base.digest


@pytest.mark.parametrize(
    ("key", "arguments"),
    [
        ("unknown_game", {"game": "chess"}),
        ("unknown_level", {"bots": ["grandmaster", "random"]}),
        ("too_many_bots", {"bots": ["random"] * 3, "players": 2}),
        ("bad_count", {"bots": [], "players": 2}),
        ("wrong_player_count", {"bots": ["random"]}),
        ("wrong_player_count", {"players": 99}),
        ("unknown_option", {"options": {"colour": "blue"}}),
        ("two_budgets", {"budget": Budget(1.0, 1)}),
        ("bad_count", {"budget": Budget(seconds=0.0)}),
        ("bad_count", {"budget": Budget(seconds=float("nan"))}),
        ("bad_count", {"budget": Budget(simulations=0)}),
        ("bad_bot", {"bots": ["no_such_module:Bot", "random"]}),
        ("bad_bot", {"bots": ["math:pi", "random"]}),
        ("bad_bot", {"bots": ["math:bot", "random"]}),
        ("bad_bot", {"bots": [":", "random"]}),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(key, arguments):
    with pytest.raises(Error) as error:
        Match.make(**({"game": "sixnimmt", "bots": ["random", "random"]} | arguments))
    assert error.value.key == key
    assert str(error.value)


# --- deals ---


def chances(record: Record) -> list[int]:
    return [move for seat, move in record.moves if seat == CHANCE]


@pytest.mark.parametrize("id", sarai.game_ids())
def test_every_lineup_meets_the_same_chance(id, own):
    match = Match.make(id, ["random", "own_bots:Last"], options=ROUND if id == "sixnimmt" else {}, seed=5)
    one, two = (play_game(match, 3, turn) for turn in range(2))
    length = min(len(chances(one)), len(chances(two)))
    assert length >= (10 if id == "sixnimmt" else 1)
    assert chances(one)[:length] == chances(two)[:length]
    assert one.names == two.names[::-1]
    assert one.moves != two.moves
    another = play_game(match, 4, 0)
    assert chances(another)[:length] != chances(one)[:length]


def test_chance_does_not_depend_on_who_plays():
    assert chances(play_game(small("random", "novice"), 7, 0)) == chances(play_game(small("novice", "novice"), 7, 0))


def test_cards_are_dealt_anew_in_every_round():
    record = play_game(Match.make("sixnimmt", ["random"], 2, {"rounds": 3}), 0, 0)
    rounds = [chances(record)[start : start + 24] for start in (0, 24, 48)]
    assert len({tuple(cards) for cards in rounds}) == 3


class Node:
    """A chance node with given outcomes."""

    def __init__(self, *outcomes):
        self.outcomes = outcomes

    def chance(self):
        return list(self.outcomes)


def test_chance_of_one_kind_does_not_disturb_another():
    die = Node(*[(face, Fraction(1, 6)) for face in range(6)])
    coin = Node((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    plain, mixed = DealChance(1, 0), DealChance(1, 0)
    rolls = [plain.draw(die) for _ in range(20)]
    found = []
    for _ in range(20):
        mixed.draw(coin)
        found.append(mixed.draw(die))
    assert found == rolls
    assert len(set(rolls)) > 1


def test_chance_is_as_likely_as_the_node_says():
    likely = {3: Fraction(1, 2), 5: Fraction(1, 3), 8: Fraction(1, 7), 9: Fraction(1, 42)}
    node, times = Node(*likely.items()), 6000
    for counts in (
        Counter(DealChance(1, deal).draw(node) for deal in range(times)),
        Counter(map(DealChance(2, 0).draw, [node] * times)),
    ):
        squares = sum((counts[outcome] - times * p) ** 2 / (times * p) for outcome, p in likely.items())
        assert squares < 16.3  # three degrees of freedom, one in a thousand


def test_a_deal_depends_on_the_match_and_its_number_alone():
    match = small("random", "random", "novice")
    third = play_deal(match, 3)
    play_deal(match, 4)
    assert play_deal(match, 3) == third
    assert play_deal(small("random", "random", "novice"), 3) == third
    assert play_deal(match, 4) != third
    assert play_deal(small("random", "random", "novice", seed=2), 3) != third


def test_seats_of_one_bot_have_luck_of_their_own():
    seeds = {derived_seed(1, deal, turn, seat) for deal in range(10) for turn in range(4) for seat in range(4)}
    assert len(seeds) == 160
    assert max(seeds) < 1 << 64


def test_bots_from_outside_play(own):
    record = play_game(small("own_bots:First", "own_bots:Last"), 0, 0)
    assert record.check().result == record.result
    assert record.names == ["own_bots:First", "own_bots:Last"]
    digest = small("own_bots:First", "own_bots:Last").digest
    module = own / "own_bots.py"
    module.write_text(module.read_text() + "# changed\n")
    code_hash.cache_clear()
    assert small("own_bots:First", "own_bots:Last").digest != digest


@pytest.mark.parametrize("name", ["own_bots:Broken", "own_bots:Cheat"])
def test_who_fails_is_named(own, name):
    match = small("random", name)
    for task in (warm_up, lambda match: play_deal(match, 2)):
        with pytest.raises(Error, match=name) as error:
            task(match)
        assert error.value.key == "bot_failed"
    assert isinstance(attempt(match, 2, False), Error)


def test_what_is_no_bot_is_refused(own):
    with pytest.raises(Error) as error:
        small("own_bots:NOTHING", "random")
    assert error.value.key == "bad_bot"


def test_other_code_is_refused():
    match = small()
    other = Match(match.game, match.seats, match.options, None, 1, "another")
    assert attempt(match, 0, False) == play_deal(match, 0)._replace(moves=[])
    refused = attempt(other, 0, False)
    assert isinstance(refused, Error)
    assert refused.key == "other_code"
