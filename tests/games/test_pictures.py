"""Every position can be a picture: one SVG that needs nothing around it and knows no more than its viewer."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

import sarai
from sarai.core.css_cascade import DARK, LIGHT
from sarai.core.errors import Illegal
from sarai.core.language import find_language, offered_languages
from sarai.core.picture import Arrow, Outline, arranged, has_picture, picture_of
from sarai.testing.boards import marked, plain, scenes
from sarai.testing.generators import play_lively

GOLDENS = sorted((Path(__file__).parents[1] / "goldens").iterdir())
SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "g", "path", "rect", "circle", "ellipse", "text", "tspan", "defs", "pattern"}
PAINT = re.compile(r"none|transparent|#[0-9a-f]{3}|#[0-9a-f]{6}|black|url\(#p[0-9a-f]{10}-[\w-]+\)")


def positions(text):
    """Return the positions that a golden playthrough writes down."""
    return re.findall(r"^  (\S+ players=.*)$", text, re.MULTILINE)


def check_picture(svg):
    """Check that a picture stands by itself; return its root."""
    root = fromstring(svg)
    ids = {node.get("id") for node in root.iter() if node.get("id")}
    assert root.get("role") == "img" and root.get("viewBox") and root[0].text and root[1].text
    assert "var(" not in svg and "light-dark" not in svg and "color-mix" not in svg and svg.count("http") == 1
    for node in root.iter():
        assert node.tag.removeprefix(SVG) in TAGS, node.tag
        assert not {"class", "style", "href", "data-spot", "onclick"} & set(node.attrib), node.attrib
        for paint in ("fill", "stroke"):
            value = node.get(paint, "none")
            assert PAINT.fullmatch(value), value
            assert not value.startswith("url") or value[5:-1] in ids
    assert sum(node.tag == f"{SVG}text" for node in root.iter()) > 3
    return root


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.stem)
def test_positions_of_golden_playthroughs(golden):
    found = positions(golden.read_text(encoding="utf-8"))
    languages = [find_language(code) for code in offered_languages()]
    for number, text in enumerate(found[:: max(1, len(found) // 3)] + found[-1:]):
        game = sarai.game(text.split()[0])
        state = game.parse(text)
        language, seat = languages[number % len(languages)], [0, None, state.players - 1][number % 3]
        check_picture(picture_of(state.view(seat), language.say, scheme=DARK if number == 1 else LIGHT))


@pytest.mark.parametrize("id", sarai.game_ids())
def test_what_is_pointed_at_lies_in_the_picture(id):
    game = sarai.game(id)
    module = game.module("board.picture")
    shown = list(scenes(game, game.players[0], {}, 2))
    for scene in shown[40:400:120] or shown[-1:]:
        _, size, places = arranged(module.columns(scene), ())
        for name, box in places.items():
            x, y = box.middle
            assert 0 < x - size.x < size.width and 0 < y - size.y < size.height, name
            assert box.width > 5 and box.height > 5, name


@pytest.mark.parametrize("id", sarai.game_ids())
def test_parts_and_marks(id):
    game = sarai.game(id)
    *_, state = play_lively(game, game.players[0], {}, 3, most=30).replay()
    view = state.view(0)
    parts = [
        block.name
        for column in game.module("board.picture").columns(next(scenes(game, game.players[0], {}, 1)))
        for block in column
    ]
    whole = check_picture(picture_of(view, plain))
    part = check_picture(picture_of(view, plain, parts=["players"]))
    assert "players" in parts and len(list(part.iter())) < len(list(whole.iter()))
    pointed = picture_of(view, plain, marks=[Outline("seat-1"), Arrow("seat-1", "seat-1")])
    assert len(list(check_picture(pointed).iter())) == len(list(whole.iter())) + 2, "an outline and its light border"
    near = check_picture(picture_of(view, plain, near=["seat-1"], title="Look <here>"))
    assert near[0].text == "Look <here>" and near.get("viewBox") != whole.get("viewBox")
    for wrong in ({"parts": ["moon"]}, {"near": ["moon"]}, {"marks": [Outline("moon")]}):
        with pytest.raises(KeyError):
            picture_of(view, plain, **wrong)


def test_the_outline_of_a_hex_leaves_the_hexes_beside_it_alone():
    """Of hexes side by side that are outlined, each is seen apart."""
    game = sarai.game("desert")
    view = next(iter(play_lively(game, 2, {}, 3, most=30).replay())).view(0)
    svg = picture_of(view, plain, marks=[Outline("h5"), Outline("i5")])
    here, _, beside, _ = (
        [tuple(map(float, point.split())) for point in re.findall(r"[\d.]+ [\d.]+", node.get("d"))]
        for node in list(fromstring(svg))[-4:]
    )
    assert len(here) == len(beside) == 6
    middles = [(sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6) for corners in (here, beside)]
    apart = [
        (x - middles[0][0]) * (middles[1][0] - middles[0][0]) + (y - middles[0][1]) * (middles[1][1] - middles[0][1])
        for x, y in here + beside
    ]
    assert max(apart[:6]) < min(apart[6:])


@pytest.mark.parametrize("id", sarai.game_ids())
def test_texts_are_the_readers_and_names_are_kept_apart(id):
    game = sarai.game(id)
    *_, state = play_lively(game, game.players[0], {}, 3, most=30).replay()
    names = ["<b>\x07&", "דוד"][: state.players] + ["x"] * (state.players - 2)
    svg = picture_of(state.view(0), marked, names)
    assert "\x07" not in svg and "&lt;b&gt;&amp;" in svg and "<b>" not in svg and "דוד" in svg
    texts = [node.text or "" for node in fromstring(svg).iter(f"{SVG}text")]
    words = [text for text in texts if re.search(r"[a-z]{2,}", text) and text not in names]
    assert [text for text in words if not text.startswith("⟦")] == []


@pytest.mark.parametrize(
    ("id", "options", "field"),
    [("camelup-2018", {"money": "hidden"}, "pounds"), ("desert", {"scores": "hidden"}, "points")],
)
def test_what_an_option_hides_is_not_in_the_picture(id, options, field):
    game = sarai.game(id)
    columns = game.module("board.picture").columns
    scene = [scene for scene in scenes(game, 3, options, 4) if scene.view["seat"] == 0][12]
    other = scene.view[field].copy()
    other[1] = dict.fromkeys(other[1], 77) if field == "points" else 77
    own = scene.view[field].copy()
    own[0] = dict.fromkeys(own[0], 77) if field == "points" else 77
    drawn, hidden, shown = (
        arranged(columns(scene._replace(view={**scene.view, field: values}))[0:], ())[0]
        for values in (scene.view[field], other, own)
    )
    assert drawn == hidden != shown


def test_a_game_without_pictures_says_so(monkeypatch):
    game = sarai.game("sixnimmt")
    monkeypatch.setattr(type(game), "module", lambda *_: None)
    assert not has_picture(game)
    with pytest.raises(Illegal, match="There are no pictures of 6 nimmt!"):
        picture_of(game.start(2).view(None), plain)
