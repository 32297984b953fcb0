"""The board of Camel Up: every board is sound, shows what its viewer knows, and lets every move be made."""

import random
from collections import Counter
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

import sarai
from sarai.core.board import Scene
from sarai.core.messages import isolated_text
from sarai.games.camelup import board
from sarai.games.camelup.board import choices_of, icon, render
from sarai.games.camelup.board.track import CELLS, ground, lap, looks_right, walks
from sarai.games.camelup.board.words import words_of
from sarai.testing.boards import check_board, check_safe, classes, plain, scenes, seconds_per_board, shows, spoken, tree

GAMES = {game_id: sarai.game(game_id) for game_id in ("camelup-2014", "camelup-2018")}
FIRST = (
    "camelup-2014 players=3 phase=turn moves=9 leg=1 turn=0 start=0 camels=3:go,5:bw,6:y dice=b2 tiles=-,8+,- "
    "tickets=1/-/-/-/- pyramid=1,0,0 pounds=3,3,3 cards=1wb:3go.5bw.6y:-"
)


def scene_of(state, seat, news=()):
    moves = state.legal(seat) if seat in state.to_act else []
    return Scene(
        state.view(seat).to_json(),
        moves,
        ["Ann", "Ben", "Cem", "Dia", "Eva", "Fay", "Gil", "Hua"][: state.players],
        plain,
        news,
    )


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("players", "options"), [(2, {}), (4, {"money": "hidden"}), (8, {})])
def test_every_board_is_sound(game_id, players, options):
    check_board(render, GAMES[game_id], counts=(players,), options=options)


def test_every_board_without_partnerships_is_sound():
    check_board(render, GAMES["camelup-2018"], counts=(6,), options={"partnerships": "off"})


def parts_of(root):
    return {element.get("id"): element for element in root.iter() if element.get("id")}


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("money", ["open", "hidden"])
def test_everything_in_the_view_is_shown(game_id, money):
    for scene in scenes(GAMES[game_id], 6, {"money": money}, 4):
        view, shown_board = scene.view, render(scene)
        root = tree(shown_board)
        by_id, texts = parts_of(root), spoken(root)
        words = words_of(game_id.endswith("2018"), plain)
        standing = [name for stack in view["camels"] for name in stack["camels"]]
        assert {f"camel-{name}" for name in standing} == {name for name in by_id if name.startswith("camel-")}
        for stack in view["camels"]:
            heights = [float(by_id[f"camel-{name}"].get("transform").split()[1][:-1]) for name in stack["camels"]]
            assert heights == sorted(heights, reverse=True) and len(set(heights)) == len(heights)
        assert {f"tile-{seat}" for seat, tile in enumerate(view["tiles"]) if tile} == {
            name for name in by_id if name.startswith("tile-")
        }
        for out in view["dice"]:
            assert str(out["number"]) in by_id[f"die-{out['die']}"].itertext()
        for name, stack in view["tickets"].items():
            left = [ticket["worth"] for ticket in stack if ticket["owner"] is None]
            assert (
                f"bets left {', '.join(map(str, left))}" in by_id[f"tent-{name}"].get("aria-label")
                if left
                else "no bets left" in by_id[f"tent-{name}"].get("aria-label")
            )
        for pile in ("winner", "loser"):
            laid = [
                f"{isolated_text(scene.names[card['seat']])}: {words.camels.get(card['camel'], 'unknown camel')}"
                for card in view["cards"]
                if card["pile"] == pile
            ]
            assert f": {', '.join(laid) or '–'}" in by_id[f"pile-{pile}"].get("aria-label")
        for seat in range(6):
            told = [element.get("aria-label") for element in by_id[f"seat-{seat}"].iter() if element.get("aria-label")]
            hidden = money == "hidden" and seat != view["seat"] and view["phase"] != "over"
            assert ("pounds: hidden" if hidden else f"pounds: {view['pounds'][seat]}") in told
            held = Counter(
                f"bet on the {words.camels[name]} worth {t['worth']}"
                for name, stack in view["tickets"].items()
                for t in stack
                if t["owner"] == seat
            )
            assert held == Counter(text for text in told if text.startswith("bet on"))
            assert any("pyramid ti" in text for text in told) == bool(view["pyramid_tickets"][seat])
            assert any(text.endswith(f"in hand: {view['cards_left'][seat]}") for text in told) == bool(
                view["cards_left"][seat]
            )
            assert ("start marker" in told) == (seat == view["start_player"])
            assert any(text.startswith("partner: ") for text in told) == bool(
                view["partners"] and view["partners"][seat] is not None
            )
        if view["hand"] is not None and view["phase"] != "over":
            assert {f"card-{name}" for name in view["hand"]} == {name for name in by_id if name.startswith("card-")}
        assert any(f"Leg {view['leg']}" in text for text in texts)


def test_hidden_money_is_not_told_by_the_way():
    for scene in scenes(GAMES["camelup-2018"], 3, {"money": "hidden"}, 2):
        if scene.view["phase"] != "over":
            other = [seat for seat in range(3) if seat != scene.view["seat"]]
            richer = {
                **scene.view,
                "pounds": [97 if seat in other else pounds for seat, pounds in enumerate(scene.view["pounds"])],
            }
            assert render(scene._replace(view=richer)) == render(scene)


def test_moves_are_reached_by_spots_and_picks():
    state = GAMES["camelup-2014"].parse(FIRST)
    shown_board = render(scene_of(state, 0))
    choices = shown_board.choices
    assert choices[""]["bet-blue"] == 0 and choices[""]["pyramid"] == 35
    assert (
        choices["side-1"]["space-11"] == 5 + 2 * 9 + 1
        and "space-8" not in choices["side-1"]
        and "space-1" not in choices["side-1"]
    )
    assert choices["card-white"] == {"pile-winner": 40, "pile-loser": 45}
    assert {pick.id for pick in shown_board.picks} == {
        "side-0",
        "side-1",
        "card-blue",
        "card-green",
        "card-orange",
        "card-yellow",
        "card-white",
    }
    assert render(scene_of(state, 1)).choices == {} and render(scene_of(state, None)).choices == {}


def test_every_move_id_has_its_own_choice():
    for edition, game in enumerate(GAMES.values()):
        choices = choices_of(range(game.num_actions), words_of(edition, plain))
        assert sorted(move for spots in choices.values() for move in spots.values()) == list(range(game.num_actions))


def test_a_laid_card_is_known_to_its_owner_only():
    state = GAMES["camelup-2014"].parse(FIRST)
    assert shows(render(scene_of(state, 1)), "Ben: blue camel")
    assert shows(render(scene_of(state, 0)), "Ben: unknown camel") and not shows(
        render(scene_of(state, 0)), "Ben: blue camel"
    )


def test_a_stack_walks_space_by_space():
    game = GAMES["camelup-2014"]
    state = game.parse(FIRST).play(35)
    after, seen = game.play_with_events(state, 2 * 3 + 2)  # orange 3: from 3 to 6, alone on top of green
    news = seen(None)
    assert walks(news) == {"orange": [4, 5, 6]}
    pieces = {
        name: element
        for name, element in parts_of(tree(render(scene_of(after, None, news)))).items()
        if name.startswith("camel-")
    }
    assert pieces["camel-orange"].get("data-path") == " ".join("{:g},{:g}".format(*ground(space)) for space in (4, 5))
    assert [name for name, element in pieces.items() if element.get("data-path")] == ["camel-orange"]
    still = render(scene_of(after, None))
    assert "data-path" not in still.parts["camels"]


def test_an_oasis_is_walked_over_and_pays():
    game = GAMES["camelup-2014"]
    state = game.parse(FIRST).play(35)
    after, seen = game.play_with_events(state, 3 * 3 + 1)  # yellow 2: from 6 onto the oasis on 8, on to 9
    assert walks(seen(None)) == {"yellow": [7, 8, 9]}
    seats = tree(render(scene_of(after, None, seen(None))))
    assert "+1" in parts_of(seats)["seat-1"].itertext()


def test_crazy_camels_look_the_other_way():
    game = GAMES["camelup-2018"]
    state = game.parse(
        "camelup-2018 players=3 phase=turn moves=9 leg=1 turn=0 start=0 camels=2:r,3:gyp,5:b,14:W,15:K "
        "dice=- tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=3,3,3 cards=-"
    )
    pieces = parts_of(tree(render(scene_of(state, None))))
    looks = {
        name: pieces[f"camel-{name}"][0].get("transform").startswith("scale(1.15")
        for name in ("blue", "green", "white", "black")
    }
    assert looks == {
        "blue": looks_right(5),
        "green": looks_right(3),
        "white": not looks_right(14),
        "black": not looks_right(15),
    }


def test_the_track_is_a_ring():
    assert len(set(CELLS)) == 16
    for here, there in zip(CELLS, CELLS[1:] + CELLS[:1], strict=True):
        assert abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1
    assert [lap(space) for space in (-2, 0, 1, 16, 17, 19)] == [14, 16, 1, 16, 1, 3]


def test_the_dice_of_a_leg_that_is_over_lie_in_the_pyramid_again():
    game = GAMES["camelup-2014"]
    state = game.parse(
        "camelup-2014 players=3 phase=turn moves=9 leg=1 turn=0 start=0 camels=3:go,5:bw,6:y "
        "dice=b2.g1.o1.y1 tiles=-,-,- tickets=-/-/-/-/- pyramid=2,1,1 pounds=3,3,3 cards=-"
    ).play(35)
    after, seen = game.play_with_events(state, 4 * 3 + 2)
    assert after.view(None).to_json()["dice"] == []
    last = parts_of(tree(render(scene_of(after, None, seen(None)))))["die-white"]
    assert "3" not in last.itertext() and "new" not in classes(last)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_board_depends_on_its_scene_only(game_id):
    for number, scene in enumerate(scenes(GAMES[game_id], 3, {}, 3)):
        if number % 5 == 0:
            twin = GAMES[game_id].read_view(dict(scene.view)).to_json()
            assert render(scene._replace(view=twin, news=list(scene.news))) == render(scene)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_board_is_rendered_quickly(game_id):
    shown = random.Random(1).sample(list(scenes(GAMES[game_id], 6, {}, 3)), 120)
    took = seconds_per_board(render, shown)
    print(f"{game_id}: {1e3 * took:.3f} ms a board")
    assert took < 0.005


@pytest.mark.parametrize("game_id", GAMES)
def test_the_picture_is_sound(game_id):
    root = fromstring(icon(game_id))
    check_safe(root)
    assert root.get("viewBox") == "0 0 160 120" and not [element for element in root.iter() if element.get("id")]


def test_the_style_is_there_and_loads_nothing():
    css = (Path(board.__file__).parent / "style.css").read_text()
    assert "url(" not in css and "@import" not in css
    assert css.count("{") == css.count("}")


@pytest.mark.parametrize("game_id", GAMES)
def test_no_part_changes_because_the_turn_comes_to_its_viewer(game_id):
    for scene in scenes(GAMES[game_id], 2, {}, 3):
        assert render(scene).parts == render(scene._replace(moves=())).parts
