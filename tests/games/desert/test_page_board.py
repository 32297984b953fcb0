"""The desert's board: complete, safe, and showing everything that a viewer knows."""

from xml.etree.ElementTree import fromstring, tostring

import pytest

import sarai
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.games.desert.board import icon, render
from sarai.games.desert.board.hex_map import hexes_outline
from sarai.games.desert.state import COLOURS
from sarai.games.desert.terrain import BOARD
from sarai.testing.boards import (
    check_board,
    check_rendered,
    marked,
    plain,
    scenes,
    seconds_per_board,
    tree,
    untranslated,
)

GAME = sarai.game("desert")


@pytest.fixture(scope="module")
def shown():
    every = check_board(render, GAME, counts=(2,))
    for players in (3, 4, 5):
        some = list(scenes(GAME, players, {}, players))[:: 3 * players + 2]
        for scene in some:
            check_rendered(render(scene), scene)
            in_marks = scene._replace(say=marked)
            assert untranslated(render(in_marks), in_marks) == []
        every += some
    assert not any("{" in render(scene).whole() + render(scene).summary for scene in every), "every text is filled in"
    return every


def ids(board):
    return {element.get("id"): element for element in tree(board).iter() if element.get("id")}


def words_of(element):
    return " ".join("".join(element.itertext()).split())


def test_boards_of_whole_games_are_sound(shown):
    assert {scene.view["phase"] for scene in shown} >= {"leaders", "first", "camels", "over"}
    assert {scene.view["seat"] for scene in shown} == {None, 0, 1, 2, 3, 4}


def test_every_choice_is_a_colour_and_then_a_hex_as_the_moves_say(shown):
    for scene in [scene for scene in shown if scene.moves][::9]:
        state = GAME.read_view(scene.view).sample(0)
        for colour, spots in render(scene).choices.items():
            for hex, move in spots.items():
                assert GAME.move_text(state, move) == f"{colour} {hex}"


def test_everything_that_lies_on_the_map_is_drawn_where_it_lies(shown):
    for scene in shown[::23]:
        view, found = scene.view, ids(render(scene))
        for hex, value in view["water"].items():
            assert words_of(found[f"d-water-{hex}"]) == str(value)
        assert {name for name in found if name.startswith("d-water-")} == {f"d-water-{hex}" for hex in view["water"]}
        assert sum("palm" in element.get("class", "").split() for element in found["d-water"].iter()) == len(
            view["oases"]
        )
        for seat, caravans in enumerate(view["caravans"]):
            for colour in COLOURS:
                camels = [
                    element
                    for element in found[f"d-caravan-{seat}-{colour}"].iter()
                    if "piece" in element.get("class", "").split()
                ]
                assert [camel.get("id") for camel in camels] == [f"d-camel-{hex}" for hex in caravans.get(colour, [])]
                assert ["leader" in camel.get("class", "").split() for camel in camels] == [
                    True,
                    *[False] * (len(camels) - 1),
                ][: len(camels)]
            assert (
                len([e for e in found[f"d-area-{seat}"].iter() if e.tag == "text"]) == len(view["enclosed"][seat])
                if view["enclosed"][seat]
                else True
            )


def test_a_player_s_card_has_the_points_by_source_the_tokens_and_the_sizes(shown):
    for scene in shown[::23]:
        found = ids(render(scene))
        for seat, points in enumerate(scene.view["points"]):
            card = found[f"d-seat-{seat}"]
            said = words_of(card)
            assert f"Water {points['water']}" in said and f"Oases {points['oases']}" in said
            largest = points["largest"]
            assert f"Enclosed areas {points['areas']}" in said
            total = int(next(e for e in card.iter() if "total" in e.get("class", "")).text)
            if scene.view["phase"] == "over":
                assert f"Largest caravans {largest}" in said and total == sum(points.values())
            else:
                assert f"Largest caravans, if the game ended now +{largest}" in said
                assert total == sum(points.values()) - largest, "others may still outgrow them"
            assert all(f"{value}×{count}" in said for value, count in enumerate(scene.view["tokens"][seat], 1))
            sizes = {colour: len(hexes) for colour, hexes in scene.view["caravans"][seat].items()}
            assert all(f"{colour} caravan: {size}" in said for colour, size in sizes.items())
        for colour, count in scene.view["piles"].items():
            assert words_of(found[f"d-pile-{colour}"]) == str(count)


def test_hidden_scores_show_the_own_ones_only_until_the_end():
    for scene in scenes(GAME, 3, {"scores": "hidden"}, 4):
        board = render(scene)
        check_rendered(board, scene)
        for seat in range(3):
            hidden = "?" in board.parts[f"d-seat-{seat}"]
            assert hidden == (scene.view["phase"] != "over" and seat != scene.view["seat"])
        others = [text for text in board.summary.split(".") if "points" in text]
        assert len(others) == 3 if scene.view["phase"] == "over" else len(others) == (scene.view["seat"] is not None)


def test_what_just_happened_is_marked_new():
    view = next(scene.view for scene in scenes(GAME, 2, {}, 1) if sum(map(len, scene.view["caravans"][0].values())) > 6)
    colour, hex = next((colour, hexes[1]) for colour, hexes in view["caravans"][0].items() if len(hexes) > 1)
    news = [
        Event("camel_placed", {"seat": 0, "colour": colour, "hex": hex}),
        Event("water_taken", {"seat": 0, "hex": hex, "value": 3}),
        Event("area_enclosed", {"seat": 0, "colour": colour, "hexes": 7}),
    ]
    found = ids(render(Scene(view, [], ["A", "B"], plain, news)))
    assert "new" in found[f"d-camel-{hex}"].get("class")
    assert words_of(found["d-gains"]) == "+3+7"
    calm = ids(render(Scene(view, [], ["A", "B"], plain)))
    assert "new" not in calm[f"d-camel-{hex}"].get("class") and words_of(calm["d-gains"]) == ""


def test_the_line_is_drawn_when_it_is_a_border_and_the_land_beyond_it_is_out_of_play():
    for players in GAME.players:
        start = next(iter(scenes(GAME, players, {}, 0)))
        frame = render(start).frame
        assert ('class="border"' in frame) == (players < 4) == ('class="beyond"' in frame)


def test_an_outline_goes_once_around_each_part_and_each_hole():
    ring = [BOARD.names[hex] for hex in BOARD.ring[BOARD.names.index("h3")]]
    assert hexes_outline(("h3",), 2).count("M") == 1
    assert hexes_outline(tuple(ring), 2).count("M") == 2, "six hexes around one: a border outside, a border inside"
    assert hexes_outline(("h3",), 2).count("L") == 5 and hexes_outline(tuple(ring), 2).count("L") == 18 - 1 + 6 - 1
    assert hexes_outline(("c5", "p9"), 2).count("M") == 2


def test_leaders_to_place_ride_on_the_piles():
    scene = next(scene for scene in scenes(GAME, 5, {}, 2) if scene.view["phase"] == "leaders" and scene.moves)
    seat = scene.view["seat"]
    riding = {colour for colour in COLOURS if "#d-rider" in render(scene).parts[f"d-pile-{colour}"]}
    assert riding == set(COLOURS) - {scene.view["aside"][seat]} - set(scene.view["caravans"][seat])
    assert f">{seat + 1}</span>" in render(scene).parts[f"d-seat-{seat}"]


def fragment_of(part, name):
    return tostring(
        next(element for element in fromstring(part).iter() if element.get("id") == name), encoding="unicode"
    )


def test_the_picture_for_the_front_page():
    picture = fromstring(icon("desert"))
    assert picture.tag == "svg" and picture.get("viewBox") == "0 0 160 120"
    assert not any(element.get("id") for element in picture.iter()), "several pictures stand on one page"
    assert not "".join(picture.itertext()).strip()


def test_a_board_takes_less_than_a_millisecond(shown):
    seconds = min(seconds_per_board(render, shown) for _ in range(3))
    print(f"a board of the desert: {seconds * 1e3:.3f} ms")
    assert seconds < 1e-3


def test_nothing_of_the_picture_changes_because_the_turn_comes_to_its_viewer(shown):
    for scene in shown:
        assert render(scene).parts == render(scene._replace(moves=())).parts
