"""The board of 6 nimmt!: every board is sound, shows what its viewer knows, and lets every move be made."""

import random
from xml.etree.ElementTree import fromstring

import pytest

import sarai
from sarai.core.board import Scene
from sarai.games.sixnimmt.board import icon, render
from sarai.games.sixnimmt.board.cards import HEADS_OF
from sarai.games.sixnimmt.board.trick import last_trick
from sarai.testing.boards import check_board, check_safe, classes, plain, scenes, seconds_per_board, shows, spoken, tree

GAME = sarai.game("sixnimmt")
NAMES = ["Ann", "Ben", "Cem", "Dia"]


def scene_of(text, seat, news=()):
    state = GAME.parse(text)
    moves = state.legal(seat) if seat in state.to_act else []
    return Scene(state.view(seat).to_json(), moves, NAMES[: state.players], plain, news)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (4, {"memory": "on"}),
        (10, {"rounds": 1}),
        (3, {"variant": "tactical", "rounds": 1}),
        (6, {"deck": "known", "rounds": 1}),
    ],
)
def test_every_board_is_sound(players, options):
    check_board(render, GAME, counts=(players,), options=options)


def check_rows(root, view):
    """See that each row says how many cards still fit, which come there by the rules, and what is beside it."""
    rows, shown = view["rows"], [element for element in root.iter() if "row" in classes(element)]
    most = 34 if view["options"]["deck"] == "known" else 104  # of three players
    coming = {at: [] for at, cards in enumerate(rows) if cards}
    for card in set(range(1, most + 1)) - {cards[-1] for cards in rows if cards}:
        if lower := [(cards[-1], at) for at, cards in enumerate(rows) if cards and cards[-1] < card]:
            coming[max(lower)[1]].append(card)
    for at, row in enumerate(shown if coming else ()):
        fit, cards = 5 - len(rows[at]), sorted(coming[at])
        label = row.get("aria-label")
        assert (f"{fit} place" in label and "free" in label) == (fit > 0) != ("the next card takes it" in label)
        come = f"cards from {cards[0]} to {cards[-1]} come here" if len(cards) > 1 else "no card comes here"
        assert label.endswith(f"only {cards[0]} comes here" if len(cards) == 1 else come)
        beside = row.get("data-edge")
        for other in (at - 1, at + 1):
            if 0 <= other < len(rows):
                assert f"row {other + 1}, which ends in {rows[other][-1]}" in beside
        assert beside.count("row") == (1 if at in (0, len(rows) - 1) else 2)


@pytest.mark.parametrize(
    ("players", "options"), [(3, {"rounds": 2}), (3, {"variant": "tactical", "memory": "on", "rounds": 1})]
)
def test_everything_in_the_view_is_shown(players, options):
    for scene in scenes(GAME, players, options, 5):
        view, root = scene.view, tree(render(scene))
        ids = {element.get("id") for element in root.iter()}
        texts = spoken(root)
        check_rows(root, view)
        for row, cards in enumerate(view["rows"], 1):
            assert {f"card-{card}" for card in cards} <= ids
            if view["phase"] != "draft":
                assert any(
                    text.startswith(
                        f"Row {row}: {', '.join(map(str, cards)) or '–'}; bull heads: {sum(HEADS_OF[c] for c in cards)}"
                    )
                    for text in texts
                )
        for seat, (before, pile) in enumerate(zip(view["heads"], view["pile_heads"], strict=True)):
            assert any(f"bull heads: {before + pile}, of this round: {pile}" in text for text in texts)
            shown = next(element for element in root.iter() if element.get("id") == f"seat-{seat}")
            assert (view["phase"] == "choose" and seat not in view["to_act"]) == any(
                "down" in classes(element) for element in shown.iter()
            )
            if seat != view["seat"] and view["phase"] != "over":
                assert {"".join(e.itertext()) for e in shown.iter() if "chip" in classes(e)} == {
                    f"{c}{HEADS_OF[c]}" for c in view["hands"].get(str(seat), ())
                }
        if view["seat"] is not None and view["phase"] != "over":
            held = [*view["hands"][str(view["seat"])], *([view["my_choice"]] if view["my_choice"] else [])]
            assert {f"hand-{card}" for card in held} == {name for name in ids if name and name.startswith("hand-")}
        assert {f"turned-{card}" for card in view["turned_up"].values()} <= ids
        if view["options"]["memory"] == "on":
            seen = next(element for element in root.iter() if element.get("id") == "seen")
            known = {card for cards in (*view["rows"], *view["piles"], *view["played"]) for card in cards}
            assert len([e for e in seen.iter() if "chip" in classes(e)]) == len(known)


START = (
    "sixnimmt players=2 phase=choose moves=0 round=1 trick=1 heads=0,0 rows=12/37/43/58 "
    "hands=1.2.3.4.5.6.7.8.9.10/61.62.63.64.65.66.67.68.69.70 chosen=0,0 piles=-/- played=-/-"
)


def test_a_card_of_the_hand_plays_it():
    assert render(scene_of(START, 0)).choices == {"": {str(card): card - 1 for card in range(1, 11)}}
    assert render(scene_of(START, None)).choices == {}


def test_a_choice_is_seen_by_its_owner_and_its_back_by_the_others():
    state = GAME.parse(START).play(60, 1)
    scene = [
        Scene(state.view(seat).to_json(), state.legal(seat) if seat in state.to_act else [], NAMES[:2], plain)
        for seat in range(2)
    ]
    assert shows(render(scene[1]), "chosen: card 61, bull heads: 1") and not shows(render(scene[0]), "61")
    assert shows(render(scene[0]), "has chosen")


def test_rows_can_be_taken_and_what_was_taken_is_told():
    state = GAME.parse(START).play(60, 1).play(2, 0)
    scene = Scene(state.view(0).to_json(), state.legal(0), NAMES[:2], plain)
    board = render(scene)
    assert board.choices == {"": {"r1": 104, "r2": 105, "r3": 106, "r4": 107}}
    assert board.prompt.own == "Your 3 is lower than every row: choose a row to take."
    after, seen = GAME.play_with_events(state, 105, 0)
    scene = Scene(after.view(1).to_json(), after.legal(1), NAMES[:2], plain, seen(1))
    assert {"card-3", "card-61", "taken-2"} <= {element.get("id") for element in tree(render(scene)).iter()}
    assert [(p.card, p.row, p.took, p.heads) for p in last_trick(scene.view, scene.news)] == [
        (3, 2, True, 1),
        (61, 4, False, 0),
    ]
    assert [(p.card, p.row, p.took, p.heads) for p in last_trick(scene.view, ())] == [
        (3, 2, True, 0),
        (61, 4, False, 0),
    ]


def test_a_full_row_warns():
    scene = scene_of(START, 0)
    for rows, hot in (([[12, 13, 14, 15, 16], [37], [43], [58]], 1), ([[12, 13, 14, 15], [37], [43], [58]], 0)):
        board = render(scene._replace(view={**scene.view, "rows": rows}))
        assert sum("hot" in classes(element) for element in tree(board).iter()) == hot
        assert shows(board, "the next card takes it") == bool(hot)


def test_a_board_depends_on_its_scene_only():
    for scene in scenes(GAME, 4, {"rounds": 1}, 3):
        twin = sarai.game("sixnimmt").read_view(dict(scene.view)).to_json()
        assert render(scene._replace(view=twin, news=list(scene.news))) == render(scene)


def test_a_board_is_rendered_quickly():
    shown = random.Random(1).sample(list(scenes(GAME, 6, {"rounds": 2}, 3)), 300)
    took = seconds_per_board(render, shown)
    print(f"6 nimmt!: {1e3 * took:.3f} ms a board")
    assert took < 0.005


def test_the_picture_is_sound():
    root = fromstring(icon("sixnimmt"))
    check_safe(root)
    assert root.get("viewBox") == "0 0 160 120" and not [element for element in root.iter() if element.get("id")]


def test_the_style_is_there_and_loads_nothing():
    css = (GAME.folder / "board" / "style.css").read_text()
    assert "url(" not in css and "@import" not in css
    assert css.count("{") == css.count("}")
