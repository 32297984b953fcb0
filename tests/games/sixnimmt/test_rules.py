"""6 nimmt!, clause by clause (RULES.md), and the printed examples."""

from itertools import chain
from random import Random

import pytest

import sarai
from sarai.core.random_play import play_randomly, random_move

GAME = sarai.game("sixnimmt")


def dealt(players: int = 4, seed: int = 1, **options: object) -> sarai.State:
    """Return a state just dealt, or just drafted at random."""
    state, rng = GAME.start(players, options), Random(seed)
    while not (state.actor == 0 and "phase=choose" in state.text()):
        state = state.play(*random_move(state, rng))
    return state


def position(
    rows: str, hands: str, played: str = "", piles: str = "", heads: str = "", options: str = "", round: int = 1
) -> sarai.State:
    """Return a position in which all are about to choose; what was played is filled in so that the cards add up."""
    hand = [[int(card) for card in cards.split(".")] for cards in hands.split("/")]
    players, trick = len(hand), 10 - len(hand[0])
    table = [int(card) for row in rows.split("/") for card in row.split(".")]
    taken = [int(card) for pile in piles.split("/") for card in pile.split(".") if card not in ("", "-")]
    if not played:
        # four cards began the rows; the others on the table were played, trick by trick, and the count has to fit
        spare = [card for card in range(1, 105) if card not in {*table, *taken, *chain(*hand)}]
        missing = players * trick - (len(table) + len(taken) - 4)
        assert missing >= 0, "more cards on the table than were played"
        gone = spare[-missing:] if missing else []
        piles = piles or "/".join(["-"] * players)
        first, *others = piles.split("/")
        kept = [int(card) for card in first.split(".") if card not in ("", "-")]
        piles = "/".join([".".join(map(str, sorted(kept + gone))) or "-", *others])
        pool = (gone + taken + table)[: players * trick]
        played = "/".join(".".join(map(str, pool[seat * trick : (seat + 1) * trick])) or "-" for seat in range(players))
    heads = heads or ",".join(["0"] * players)
    return GAME.parse(
        f"sixnimmt players={players} {options} phase=choose moves=0 round={round} trick={trick + 1} heads={heads} "
        f"rows={rows} hands={hands} "
        f"chosen={','.join(['0'] * players)} piles={piles} played={played}"
    )


def choose(state: sarai.State, *cards: int) -> sarai.State:
    """Let every seat choose a card, seat 0 first."""
    for seat, card in enumerate(cards):
        state = state.play(card - 1, seat)
    return state


def field(state: sarai.State, name: str) -> str:
    """Return a field of a position text."""
    return dict(word.split("=") for word in state.text().split()[1:])[name]


def rows(state: sarai.State) -> str:
    return field(state, "rows")


def events(state: sarai.State, move: int, observer: int | None, by: int) -> list[tuple[str, dict[str, object]]]:
    return [(event.key, event.args) for event in GAME.events(state, move, observer, by=by)]


def fill(card: int, avoid: set[int], size: int = 10) -> str:
    """Return a hand of a size that holds a card and otherwise cards nobody else has."""
    cards = [card]
    for other in range(104, 0, -1):
        if len(cards) == size:
            break
        if other not in avoid:
            cards.append(other)
            avoid.add(other)
    return ".".join(map(str, sorted(cards)))


def with_cards(rows: str, cards: list[int], size: int = 10, **more: str) -> sarai.State:
    """Return a position with these rows, in which seat 0 holds the first card, seat 1 the second, …"""
    avoid = set(cards) | {int(card) for row in rows.split("/") for card in row.split(".")}
    avoid |= {
        int(card) for pile in more.get("piles", "").split("/") for card in pile.split(".") if card not in ("", "-")
    }
    return position(rows, "/".join(fill(card, avoid, size) for card in cards), **more)


# --- the pack and the deal ------------------------------------------------------------------------------------------


def test_N_01_there_are_104_cards():
    start = GAME.start(4)
    assert [outcome + 1 for outcome, _ in start.chance()] == list(range(1, 105))
    assert {share for _, share in start.chance()} == {sarai.game("sixnimmt").start(2).chance()[0][1]}


def test_N_02_bull_heads():
    start = GAME.start(2)
    heads = {card: int(GAME.move_words(start, card - 1).split("(")[1].split()[0]) for card in range(1, 105)}
    assert sum(heads.values()) == 171
    assert heads[55] == 7
    assert [card for card, number in heads.items() if number == 5] == [11, 22, 33, 44, 66, 77, 88, 99]
    assert [card for card, number in heads.items() if number == 3] == list(range(10, 101, 10))
    assert [card for card, number in heads.items() if number == 2] == [5, 15, 25, 35, 45, 65, 75, 85, 95]


def test_N_03_ten_cards_each_and_four_rows():
    for players in GAME.players:
        state = dealt(players)
        assert all(len(state.legal(seat)) == 10 for seat in range(players))
        assert [len(row.split(".")) for row in rows(state).split("/")] == [1, 1, 1, 1]
        cards = [card for seat in range(players) for card in state.legal(seat)]
        assert len(set(cards)) == 10 * players
        assert not set(cards) & {int(card) - 1 for card in rows(state).split("/")}


def test_N_04_and_N_09_the_sixth_card_takes_five():
    state = with_cards("10.11.12.13/40/60/80", [14, 104], 5)
    after = choose(state, 14, 104)
    assert rows(after) == "10.11.12.13.14/40/60/80.104"
    assert after.scores == state.scores
    after = choose(with_cards("10.11.12.13.14/40/60/80", [15, 104], 5), 15, 104)
    assert rows(after) == "15/40/60/80.104"


def test_N_09_full_row_goes_to_the_pile():
    state = with_cards("10.11.12.13.14/40/60/80", [15, 104], 5)
    after = choose(state, 15, 104)
    assert after.scores[0] - state.scores[0] == 3 + 5 + 1 + 1 + 1
    assert {"10", "11", "12", "13", "14"} <= set(field(after, "piles").split("/")[0].split("."))


def test_N_05_everybody_chooses_at_once_in_any_order():
    state = dealt(3)
    assert state.to_act == (0, 1, 2)
    assert state.actor == 0
    hands = [state.legal(seat) for seat in range(3)]
    after = state.play(hands[1][0], 1)
    assert after.to_act == (0, 2)
    assert after.actor == 0
    after = after.play(hands[0][0], 0)
    assert after.actor == 2
    one = after.play(hands[2][0], 2)
    other = state.play(hands[2][0], 2).play(hands[0][0], 0).play(hands[1][0], 1)
    assert one == other


def test_N_05_a_choice_is_secret_until_all_have_chosen():
    state = dealt(2)
    mine = state.legal(0)
    assert events(state, mine[3], 0, by=0) == [("chose", {"seat": 0, "card": mine[3] + 1})]
    for observer in (1, None):
        assert events(state, mine[3], observer, by=0) == [("chose_hidden", {"seat": 0})]
        assert state.play(mine[3], 0).view(observer) == state.play(mine[5], 0).view(observer)
    assert state.play(mine[3], 0).view(0).to_json()["my_choice"] == mine[3] + 1
    told = [key for key, _ in events(state.play(mine[3], 0), state.legal(1)[0], None, by=1)]
    assert told[:3] == ["chose_hidden", "turned_up", "turned_up"]


def test_N_05_a_choice_stands():
    state = dealt(2)
    after = state.play(state.legal(0)[0], 0)
    with pytest.raises(sarai.Illegal) as refused:
        after.play(state.legal(0)[1], 0)
    assert refused.value.key == "not_your_turn"


def test_N_06_lowest_first():
    state = with_cards("10/40/60/80", [12, 11], 10)
    assert rows(choose(state, 12, 11)) == "10.11.12/40/60/80"


def test_N_07_only_behind_a_lower_card():
    assert rows(choose(with_cards("10/40/60/80", [39, 104]), 39, 104)) == "10.39/40/60/80.104"


def test_N_08_least_difference():
    assert rows(choose(with_cards("10/40/60/80", [61, 79]), 61, 79)) == "10/40/60.61.79/80"


def test_N_10_too_low_a_card_takes_a_row_of_choice_seeing_all_cards():
    state = choose(with_cards("10/40.41/60/80", [5, 104], 9), 5, 104)
    assert state.actor == 0
    assert state.to_act == (0,)
    assert [GAME.move_text(state, move) for move in state.legal()] == ["r1", "r2", "r3", "r4"]
    assert state.view(1).to_json()["turned_up"] == {"0": 5, "1": 104}
    expected = [("5/40.41/60/80.104", 3), ("10/5/60/80.104", 3 + 1), ("10/40.41/5/80.104", 3), ("10/40.41/60.104/5", 3)]
    for row, (table, heads) in enumerate(expected):
        after = state.play(104 + row)
        assert rows(after) == table
        assert after.scores[0] - state.scores[0] == heads
    with pytest.raises(sarai.Illegal) as refused:
        state.play(6)
    assert refused.value.key == "row_must_be_taken"


def test_N_10_several_cards_too_low_choose_one_after_the_other():
    state = choose(with_cards("10/40/60/80", [5, 4]), 5, 4)
    assert state.actor == 1
    assert rows(state.play(104)) == "4.5/40/60/80"
    assert rows(state.play(105)) == "10/4.5/60/80"


def test_N_11_cards_taken_go_to_the_pile_not_to_the_hand():
    state = choose(with_cards("10/40/60/80", [5, 104]), 5, 104).play(104)
    assert len(state.legal(0)) == 9
    assert 9 not in state.legal(0)
    assert "10" in field(state, "piles").split("/")[0].split(".")


def test_N_12_ten_tricks_make_a_round_and_heads_are_added():
    state, rng = dealt(4, seed=5), Random(3)
    played, piles = 0, [0, 0, 0, 0]
    while "round=1" in state.text():
        before = state
        state = state.play(*random_move(state, rng))
        played += "phase=choose" in before.text()
        piles = state.scores
    assert played == 40
    assert field(state, "heads") == ",".join(map(str, piles))
    assert state.actor == sarai.CHANCE
    assert len(state.chance()) == 104


def test_N_13_more_than_the_target_ends_the_game_after_the_round():
    ends = with_cards("10/40/60/80", [41, 104], 1, heads="66,60", piles="-/-")
    exactly = choose(ends, 41, 104)
    assert exactly.result is not None  # seat 0 got the cards that make the count fit, so it has more than 66
    assert exactly.result.reason == "target_passed"
    assert exactly.result.ranks == [2, 1]
    assert exactly.result.utilities == [0.0, 1.0]


def test_N_13_exactly_the_target_goes_on():
    state, rng = dealt(2, target=66), Random(0)
    seen = set()
    for seed in range(40):
        record = play_randomly(GAME, 2, {"target": 10}, seed)
        states = list(record.replay())
        rounds = [s for s in states if "trick=1 " in s.text() and "phase=deal" in s.text()]
        assert all(max(s.scores) <= 10 for s in rounds)
        assert record.result is not None
        assert max(record.result.scores) > 10
        assert record.result.ranks[record.result.scores.index(min(record.result.scores))] == 1
        seen.update(max(s.scores) for s in rounds)
    assert 10 in seen, "a round ended with exactly the target and the game went on"
    assert state.play(*random_move(state, rng)).result is None


def test_N_13_the_round_is_finished_first():
    state = with_cards("10.11.22.33.44/50/60/80", [45, 104], 5, heads="60,0")
    after = choose(state, 45, 104)
    assert after.scores[0] > 66
    assert after.result is None


def test_N_13_a_tie_is_a_shared_win():
    for seed in range(400):
        result = play_randomly(GAME, 3, {"rounds": 1}, seed).result
        assert result is not None
        if result.ranks.count(1) == 2:
            assert sorted(result.utilities) == [0.0, 0.5, 0.5]
            assert sorted(result.ranks) == [1, 1, 3]
            return
    raise AssertionError("no tie in 400 games")


def test_N_14_target_and_rounds():
    for rounds in (1, 2, 3):
        record = play_randomly(GAME, 3, {"rounds": rounds}, seed=1)
        assert record.result is not None
        assert record.result.reason == "rounds_played"
        last = list(record.replay())[-1]
        assert field(last, "round") == str(rounds)
    short = play_randomly(GAME, 3, {"target": 1}, seed=1).result
    assert short is not None
    assert short.reason == "target_passed"
    for bad in (
        {"target": 0},
        {"target": 501},
        {"rounds": -1},
        {"rounds": 51},
        {"target": "many"},
        {"target": 6.5},
        {"target": True},
    ):
        with pytest.raises(sarai.BadStart) as refused:
            GAME.start(4, bad)
        assert refused.value.key == "bad_option_value"


# --- the variant ----------------------------------------------------------------------------------------------------


def test_N_15_a_known_deck():
    for players in range(2, 7):
        assert [outcome + 1 for outcome, _ in GAME.start(players, {"deck": "known"}).chance()] == list(
            range(1, 10 * players + 5)
        )


def test_N_16_draft_of_open_cards():
    state = GAME.start(2, {"variant": "tactical"})
    assert state.actor == 0
    assert state.legal() == list(range(24))
    order = []
    for _ in range(20):
        order.append(state.actor)
        before = state
        state = state.play(state.legal()[-1])
        assert events(before, before.legal()[-1], None, by=before.actor)[0][0] == "drafted"
    assert order == [0, 1] * 10
    assert rows(state) == "1/2/3/4"
    assert state.to_act == (0, 1)
    hands = state.view(0).to_json()["hands"]
    assert hands == {str(seat): [move + 1 for move in state.legal(seat)] for seat in (0, 1)}
    with pytest.raises(sarai.Illegal) as refused:
        GAME.start(2, {"variant": "tactical"}).play(3).play(3)
    assert refused.value.key == "card_not_on_table"


def test_N_17_the_first_drafter_moves_on():
    state, rng = GAME.start(3, {"variant": "tactical", "rounds": 4}), Random(1)
    starts = []
    while state.actor != sarai.OVER:
        if "phase=draft" in state.text() and len(state.legal()) == 34:
            starts.append(state.actor)
        state = state.play(*random_move(state, rng))
    assert starts == [0, 1, 2, 0]


def test_N_18_what_goes_together():
    assert GAME.start(4, {"variant": "tactical"}) == GAME.start(4, {"deck": "known", "deal": "draft"})
    for players, options in (
        (7, {"deck": "known"}),
        (10, {"variant": "tactical"}),
        (4, {"deal": "draft"}),
        (4, {"variant": "tactical", "deck": "full"}),
        (4, {"variant": "tactical", "deal": "random"}),
        (4, {"target": 50, "rounds": 3}),
    ):
        with pytest.raises(sarai.BadStart) as refused:
            GAME.start(players, options)
        assert refused.value.key == "conflicting_options"
        assert str(refused.value)


# --- what a player knows --------------------------------------------------------------------------------------------


def test_N_19_a_view_holds_the_own_hand_and_the_table():
    state = dealt(3)
    view = state.view(1).to_json()
    assert view["hands"] == {"1": [move + 1 for move in state.legal(1)]}
    assert view["rows"] == [[int(card)] for card in rows(state).split("/")]
    assert state.view(None).to_json()["hands"] == {}
    assert "stock" not in view


def test_N_19_sample_respects_what_follows_by_counting():
    state = dealt(2, deck="known")
    for seed in range(5):
        drawn = state.view(0).sample(seed)
        assert drawn.legal(1) == state.legal(1), "with a known deck and two players the other hand follows"
    drawn = {tuple(dealt(2).view(0).sample(seed).legal(1)) for seed in range(5)}
    assert len(drawn) == 5


def test_N_20_memory_is_display_only():
    on, off = dealt(3, memory="on"), dealt(3)
    assert on.options["memory"] == "on"
    assert {key: value for key, value in on.view(0).to_json().items() if key != "options"} == {
        key: value for key, value in off.view(0).to_json().items() if key != "options"
    }
    assert "memory=on" in on.text()
    assert "memory" not in off.text()
    assert next(option for option in GAME.options if option.name == "memory").display


# --- the printed examples -------------------------------------------------------------------------------------------


def test_example_first_trick():
    state = with_cards("12/37/43/58", [14, 15, 44, 61])
    assert rows(choose(state, 14, 15, 44, 61)) == "12.14.15/37/43.44/58.61"


def test_example_second_trick_fills_a_row():
    state = with_cards("12.14.15/37/43.44/58.61", [21, 26, 30, 36], 9)
    after = choose(state, 21, 26, 30, 36)
    assert rows(after) == "30.36/37/43.44/58.61"
    assert after.scores[2] - state.scores[2] == 1 + 1 + 2 + 1 + 1
    assert [after.scores[seat] - state.scores[seat] for seat in (0, 1, 3)] == [0, 0, 0]


def test_example_third_trick_lowest_card():
    state = with_cards("30.36/37/43.44/58.61", [3, 9, 68, 93], 8)
    waiting = choose(state, 3, 9, 68, 93)
    assert waiting.actor == 0
    after = waiting.play(GAME.parse_move(waiting, "r2"))
    assert rows(after) == "30.36/3.9/43.44/58.61.68.93"
    assert after.scores[0] - state.scores[0] == 1


def test_example_45_goes_to_42_and_takes_five():
    state = with_cards("1/2/40.41/32.34.36.39.42", [45, 104], 5)
    after = choose(state, 45, 104)
    assert rows(after) == "1/2/40.41/45.104"
    assert after.scores[0] - state.scores[0] == 5


def test_example_62_loses_its_row_to_29():
    state = with_cards("61/30.31/33.34/50.51.52.53.54", [62, 29], 5)
    waiting = choose(state, 62, 29)
    assert waiting.actor == 1
    after = waiting.play(GAME.parse_move(waiting, "r1"))
    assert rows(after) == "29/30.31/33.34/62"
    assert after.scores[0] - state.scores[0] == 3 + 1 + 1 + 1 + 1
    assert after.scores[1] - state.scores[1] == 1


# --- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "0", "105", "r0", "r5", "r", "x", "1 2", "²", "-3", "1.5"])
def test_unreadable_moves(text):
    with pytest.raises(sarai.BadText) as refused:
        GAME.parse_move(dealt(), text)
    assert refused.value.key == "move_unreadable"


def damage(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


CHOOSE = (
    "sixnimmt players=2 rounds=3 phase=choose moves=0 round=1 trick=9 heads=0,0 rows=10.11/40/60/80.81 "
    "hands=1.2/3.4 chosen=0,0 "
)
CARDS_GONE = "piles=12.13.14.15.16.17.18/20.21.22.23.24.25.26 "
PLAYED = "played=11.12.13.14.15.16.17.18/81.20.21.22.23.24.25.26"
WHOLE = CHOOSE + CARDS_GONE + PLAYED


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([("hands=1.2/3.4", "hands=1.3/3.4")], "in two places"),
        ([("rows=10.11", "rows=11.10")], "ascending"),
        ([("hands=1.2", "hands=2.1")], "not sorted"),
        ([("rows=10.11/40/", "rows=10.11/-/"), ("piles=12", "piles=5.12")], "a row is empty"),
        ([("hands=1.2", "hands=1.2.9")], "do not fit the trick"),
        ([("played=11.", "played=9.")], "on the table"),
        ([("round=1", "round=4")], "would be over"),
        ([("moves=0", "moves=30000")], "would be over"),
        ([("trick=9", "trick=11")], "no such trick"),
        ([("chosen=0,0", "chosen=5,6"), ("hands=1.2/3.4", "hands=1/3")], "all have chosen"),
        ([("phase=choose", "phase=row")], "do not fit the trick"),
        ([("phase=choose", "phase=deal")], "no such trick"),
        ([("phase=choose", "phase=deal"), ("trick=9", "trick=1")], "nothing is played"),
        ([("phase=choose", "phase=over ending=rounds_played")], "not over for that reason"),
        ([("phase=choose", "phase=over ending=move_limit")], "put away"),
    ],
)
def test_positions_that_no_game_comes_to(changes, why):
    assert GAME.parse(WHOLE).actor == 0
    with pytest.raises(sarai.BadText) as refused:
        GAME.parse(damage(WHOLE, *changes))
    assert refused.value.key == "text_inconsistent"
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "sixnimmt players=2 phase=deal moves=0 round=1 trick=1 heads=0,0 rows=-/-/-/- hands=1/2 chosen=0,0 "
            "piles=-/- played=-/-",
            "hand by hand",
        ),
        (
            "sixnimmt players=2 phase=deal moves=0 round=1 trick=1 heads=0,0 rows=3/-/-/- hands=1/- chosen=0,0 "
            "piles=-/- played=-/-",
            "after the hands",
        ),
        (
            "sixnimmt players=2 phase=draft moves=0 round=1 trick=1 heads=0,0 rows=-/-/-/- hands=-/- chosen=0,0 "
            "piles=-/- played=-/-",
            "without the option",
        ),
        (
            "sixnimmt players=2 variant=tactical deck=known deal=draft phase=draft moves=0 round=1 trick=1 "
            "heads=0,0 rows=-/-/-/- hands=-/1 chosen=0,0 piles=-/- played=-/-",
            "order of the draft",
        ),
        (
            "sixnimmt players=2 variant=tactical deck=known deal=draft phase=draft moves=0 round=1 trick=1 "
            "heads=0,0 rows=1/-/-/- hands=-/- chosen=0,0 piles=-/- played=-/-",
            "no rows",
        ),
        (
            "sixnimmt players=2 variant=tactical phase=deal moves=0 round=1 trick=1 heads=0,0 rows=-/-/-/- "
            "hands=-/- chosen=0,0 piles=-/- played=-/-",
            "nothing to deal",
        ),
    ],
)
def test_deals_that_no_game_comes_to(text, why):
    with pytest.raises(sarai.BadText) as refused:
        GAME.parse(text)
    assert why in str(refused.value)


def test_a_row_choice_that_is_none_is_refused():
    waiting = choose(with_cards("10/40/60/80", [5, 104]), 5, 104)
    assert GAME.parse(waiting.text()) == waiting
    for old, new, why in (
        ("rows=10/", "rows=2/", "no card is lower"),
        ("chosen=5,104", "chosen=0,104", "on the table"),
        ("chosen=5,104", "chosen=7,104", "turned up"),
    ):
        text = damage(waiting.text(), (old, new))
        with pytest.raises(sarai.BadText) as refused:
            GAME.parse(text)
        assert why in str(refused.value), str(refused.value)


def test_moves_at_the_wrong_time():
    state = dealt(2)
    with pytest.raises(sarai.Illegal) as refused:
        state.play(104)
    assert refused.value.key == "no_row_to_take"
    with pytest.raises(sarai.Illegal) as refused:
        state.play(next(card for card in range(104) if card not in state.legal(0)))
    assert refused.value.key == "card_not_in_hand"
    assert "not in your hand" in str(refused.value)
    with pytest.raises(sarai.Illegal) as refused:
        GAME.start(2).play(0, 0)
    assert refused.value.key == "not_your_turn"


def test_words_for_moves():
    state = dealt(2)
    move = state.legal(0)[0]
    assert GAME.move_words(state, move).startswith(f"play {move + 1} (")
    assert GAME.move_words(GAME.start(2), 54) == "deal 55 (7 heads)"
    assert GAME.move_words(GAME.start(2, {"variant": "tactical"}), 9) == "take 10 (3 heads)"
    waiting = choose(with_cards("10/40/60/80", [5, 104]), 5, 104)
    assert GAME.move_words(waiting, 104) == "take row 1 (10: 3 heads)"


def test_every_event_has_a_sentence():
    from sarai.games.sixnimmt.words import EVENTS, SENTENCES

    wanted = {event.key for event in EVENTS} | {event.key + "_hidden" for event in EVENTS if event.secret}
    own = {key for key in SENTENCES if key.endswith("_you")}  # what the seat of an event is told itself
    assert wanted == set(SENTENCES) - own and {key.removesuffix("_you") for key in own} <= wanted
