"""Anubixx's board: complete, safe, and showing everything that a viewer knows."""

from html import unescape
from xml.etree.ElementTree import fromstring

import pytest

import sarai
from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.games.anubixx.board import SOURCES, icon, render
from sarai.games.anubixx.board.possible_moves import ways_of
from sarai.games.anubixx.state import BONUSES, PAIRS_FROM, STONES, STOP
from sarai.testing.boards import (
    check_board,
    check_rendered,
    classes,
    marked,
    plain,
    scenes,
    seconds_per_board,
    tree,
    untranslated,
)

GAME = sarai.game("anubixx")


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


def ids(drawing):
    return {element.get("id"): element for element in tree(drawing).iter() if element.get("id")}


def words_of(element):
    return " ".join("".join(element.itertext()).split())


def stone_id(stone):
    return f"x-s-{stone.replace('.', '-')}"


def test_boards_of_whole_games_are_sound(shown):
    assert {scene.view["phase"] for scene in shown} >= {"build", "over"}
    assert {scene.view["seat"] for scene in shown} == {None, 0, 1, 2, 3, 4}
    assert any(render(scene).picks for scene in shown), "in some positions a payment is to be chosen"


def test_every_choice_is_a_stone_or_a_pair_and_its_payment_as_the_moves_say(shown):
    for scene in [scene for scene in shown if scene.moves][::9]:
        state = GAME.read_view(scene.view).sample(0)
        for name, how in ways_of(scene.moves).items():
            for way, move in how.items():
                stones = name.split("-")
                text = "-".join(stone + letter.replace("d", "") for stone, letter in zip(stones, way, strict=True))
                assert GAME.move_text(state, move) == text
        choices = render(scene).choices
        assert choices[""]["stop"] == STOP
        for pick, spots in choices.items():
            for spot, move in spots.items():
                assert GAME.move_text(state, move).replace("q", "").replace("j", "") == (pick or spot).replace(
                    "q", ""
                ).replace("j", "")


def test_the_own_sheet_shows_every_stone_its_colour_and_whether_it_is_marked(shown):
    for scene in [scene for scene in shown if scene.view["seat"] is not None][::17]:
        found, entry = ids(render(scene)), scene.view["seats"][scene.view["seat"]]
        if entry["sheet"] is None:
            assert not any(classes(found[stone_id(stone)]) for stone in STONES)
            continue
        colours, symbols = scene.view["print"]["stones"][entry["sheet"]], scene.view["print"]["symbols"]
        for stone in STONES:
            element = found[stone_id(stone)]
            assert colours[stone] in classes(element) and colours[stone] in element.get("aria-label")
            assert ("done" in classes(element)) == (stone in entry["marked"])
            assert words_of(element) == ("" if stone in entry["marked"] else colours[stone][0].upper())
            assert [s for s in symbols if stone in symbols[s]] == [
                use.get("href")[len("#x-i-") :] for use in element.iter("use") if "symbol" in classes(use)
            ]
        chips = found["x-quarry"].findall(".//ol/li")
        assert [chip.text for chip in chips] == [
            colour[0].upper() for colour in scene.view["print"]["quarries"][entry["sheet"]]
        ]
        assert [place for place, chip in enumerate(chips, 1) if "crossed" in classes(chip)] == entry["crossed"]
        assert all(
            ("lost" in classes(chip)) == (place < max(entry["crossed"], default=0) and place not in entry["crossed"])
            for place, chip in enumerate(chips, 1)
        )
        assert f"Jokers {entry['jokers']}" in words_of(found["x-quarry"])


def test_the_points_on_a_sheet_are_those_printed_and_the_one_that_counts_is_pointed_out(shown):
    for scene in [
        scene for scene in shown if scene.view["seat"] is not None and scene.view["phase"] in ("build", "over")
    ][::17]:
        found, points = ids(render(scene)), scene.view["seats"][scene.view["seat"]]["points"]
        for building in ("pyramid", "arch", "relief"):
            scale = [
                element for element in found[f"x-{building}"].iter() if classes(element)[:1] in (["points"], ["scale"])
            ]
            printed = [int(element.findall("text")[-1].text) for element in scale]
            assert sorted(printed) == sorted(scene.view["print"]["points"][building][1:])
            counting = [value for element, value in zip(scale, printed, strict=True) if "on" in classes(element)]
            assert counting == [points[building]] or (counting == [] and points[building] == 0)


def test_every_sheet_shows_points_by_source_and_the_total(shown):
    for scene in shown[::17]:
        found = ids(render(scene))
        for seat, entry in enumerate(scene.view["seats"]):
            card = found["x-own" if seat == scene.view["seat"] else f"x-seat-{seat}"]
            values = [item.find("span").tail.strip() for item in card.findall(".//ul/li")]
            assert values == [str(entry["points"][source]) for source in SOURCES]
            assert next(e for e in card.iter() if "total" in classes(e)).text == str(entry["points"]["total"])
            if seat != scene.view["seat"] and entry["sheet"]:
                assert sum("done" in classes(e) for e in card.iter()) == len(entry["marked"])
                assert sum("crossed" in classes(e) for e in card.iter()) == len(entry["crossed"])
                assert sum("star" in classes(e) for e in card.iter()) == entry["jokers"]


def test_dice_and_bonuses(shown):
    for scene in shown[::17]:
        found, view = ids(render(scene)), scene.view
        dice = [element for name, element in found.items() if name.startswith("x-die-")]
        lying = [
            next(colour for colour in ("red", "orange", "yellow", "green", "blue", "violet") if colour in classes(die))
            for die in dice
            if "used" not in classes(die)
        ]
        assert lying == view["dice"]["middle"]
        assert sum("used" in classes(die) for die in dice) == len(view["dice"]["gone"]) + len(view["dice"]["taken"])
        for bonus in BONUSES:
            chip = found[f"x-bonus-{bonus}"]
            winners = [str(number) for number, entry in enumerate(view["seats"], 1) if bonus in entry["bonuses"]]
            assert [e.text for e in chip.iter() if "seat-number" in classes(e)] == winners
            assert ("closed" in classes(chip)) == (bonus in view["closed"])


def test_what_just_happened_is_marked_new():
    view = next(
        scene.view
        for scene in scenes(GAME, 2, {}, 1)
        if scene.view["seat"] == 0 and len(scene.view["seats"][0]["marked"]) > 5
    )
    stone = view["seats"][0]["marked"][0]
    news = [
        Event("stone_marked", {"seat": 0, "stone": stone, "colour": "red"}),
        Event("bonus_won", {"seat": 0, "bonus": "cat"}),
        Event("die_rolled", {"seat": 0, "colour": "red"}),
    ]
    fresh, calm = ids(render(Scene(view, [], ["A", "B"], plain, news))), ids(render(Scene(view, [], ["A", "B"], plain)))
    assert {name for name, element in fresh.items() if "new" in classes(element) and not name.startswith("x-die")} == {
        stone_id(stone),
        "x-bonus-cat",
    }
    assert not any("new" in classes(element) for element in calm.values())


@pytest.mark.parametrize(("version", "limit"), [(1, 3), (2, 30)])
def test_idle_rounds_and_the_end_after_them_are_told_by_the_games_rules_version(version, limit):
    state = GAME.start(2, rules_version=version)
    while state.result is None:
        view = state.view(0).to_json()
        board = render(Scene(view, [], ["A", "B"], plain))
        if view["idle_rounds"]:
            line = words_of(ids(board)["x-round"])
            assert line.endswith(f"Rounds without a stone: {view['idle_rounds']}; {limit} end the game.")
        state = state.play(state.chance()[0][0] if state.actor == sarai.CHANCE else STOP)
    board = render(Scene(state.view(0).to_json(), [], ["A", "B"], plain))
    why = f"The game is over: {limit} rounds without a stone."
    assert words_of(ids(board)["x-round"]).endswith(why) and why in board.summary
    assert board.prompt is None


def test_the_prompt_says_whether_a_stone_can_be_marked(shown):
    scene = next(scene for scene in shown if len(scene.moves) > 1 and not scene.view["marked_this_turn"])
    both = "Mark a lit stone, or two by the bar between them."
    assert render(scene).prompt.own == both
    singles = [move for move in scene.moves if move < PAIRS_FROM or move == STOP]
    assert render(scene._replace(moves=singles)).prompt.own == "Mark a lit stone."
    pairs = [move for move in scene.moves if move >= PAIRS_FROM]
    assert render(scene._replace(moves=pairs)).prompt.own == (
        "Mark two stones of the relief: choose the bar between them."
    )
    assert render(scene._replace(moves=scene.moves[-1:])).prompt.own == "No stone fits the dice: mark nothing."
    assert render(scene).prompt.others.text == "Waiting for {names} to mark stones."


def test_names_are_escaped_and_braces_in_them_stay():
    view = next(scene.view for scene in scenes(GAME, 2, {}, 1) if scene.view["seats"][0]["bonuses"])
    names = ['<b>{0}"', "{name}&"]
    board = render(Scene(view, [], names, plain))
    assert {element.text for element in tree(board).iter("bdi")} == set(names)
    assert all(name in unescape(board.summary) for name in names) and "<b>{0}" not in board.summary


def test_the_picture_for_the_front_page():
    picture = fromstring(icon("anubixx"))
    assert picture.tag == "svg" and picture.get("viewBox") == "0 0 160 120"
    assert not any(element.get("id") for element in picture.iter()), "several pictures stand on one page"
    assert not "".join(picture.itertext()).strip()


def test_a_drawing_takes_less_than_a_millisecond(shown):
    seconds = min(seconds_per_board(render, shown) for _ in range(3))
    print(f"a drawing of Anubixx: {seconds * 1e3:.3f} ms")
    assert seconds < 1e-3
