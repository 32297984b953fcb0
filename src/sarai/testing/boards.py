"""Tests of rendered boards: well-formed, safe, complete in their choices, translatable, a function of the scene."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from random import Random
from time import thread_time
from xml.etree.ElementTree import Element, ParseError, fromstring

from sarai.core.board import SLOT, Board, Scene
from sarai.core.events import Event
from sarai.core.game import Game
from sarai.core.language import ENGLISH, find_language
from sarai.core.messages import Argument, Say
from sarai.core.result import CHANCE, OVER
from sarai.testing.generators import lively_move

Render = Callable[[Scene], Board]

PAINTS = ("fill", "stroke", "color", "stop-color")
PLAIN_PAINT = re.compile(r"none|currentColor|url\(#[\w-]+\)")
SPOKEN = ("aria-label", "aria-description", "data-do", "title", "alt")
OPEN, CLOSE = "⟦", "⟧"


plain: Say = find_language(ENGLISH).say


def marked(message: str, /, **arguments: Argument) -> str:
    """Translate into marked English: what is not marked on a board was not translated."""
    text = plain(message, **arguments)
    return type(text)(f"{OPEN}{text}{CLOSE}")


def scenes(game: Game, players: int, options: Mapping[str, object], seed: int, say: Say = plain) -> Iterator[Scene]:
    """Play a random game; yield what the actor and two more viewers are shown after every move.

    Scenes before a chance outcome are yielded now and then.
    """
    rng, names = Random(seed), [f"Nəme {seat} & Co" for seat in range(players)]
    state = game.start(players, options)
    news: dict[int | None, list[Event]] = {}
    while True:
        viewers: set[int | None] = set(rng.sample([None, *range(players)], 2)) | {
            state.actor if state.actor >= 0 else None
        }
        if state.actor == CHANCE and rng.random() < 0.9:
            viewers = set()
        for seat in sorted(viewers, key=str):
            moves = state.legal(seat) if seat in state.to_act else []
            yield Scene(state.view(seat).to_json(), moves, names, say, news.get(seat, []))
        if state.actor == OVER:
            return
        move, by = lively_move(state, rng)
        by_seat = None if state.actor == CHANCE else by
        state, seen = game.play_with_events(state, move, by_seat)
        news = {seat: seen(seat) for seat in (None, *range(players))}


def tree(board: Board) -> Element:
    """Return the whole board as elements."""
    return fromstring(board.whole())


def spoken(root: Element) -> list[str]:
    """Return all texts of a board, those that are read out too."""
    words = [text for text in root.itertext() if text.strip()]
    return words + [element.get(name, "") for element in root.iter() for name in SPOKEN if element.get(name)]


def shows(board: Board, text: str) -> bool:
    """Say whether a text is on the board or is read out from it."""
    return any(text in words for words in spoken(tree(board)))


def classes(element: Element) -> list[str]:
    """Return an element's classes."""
    return element.get("class", "").split()


def check_rendered(board: Board, scene: Scene) -> None:
    """Check that a board is what the page needs."""
    check_slots(board)
    try:
        root = tree(board)
    except ParseError as error:
        raise AssertionError(f"the board is not well-formed: {error}") from None
    assert root.tag == "div" and "board" in classes(root), "the frame is one <div class='board GAME'>"
    check_safe(root)
    check_ids(root)
    check_choices(board, scene, root)
    assert board.summary, "the position is told in words"
    check_names(root, scene)


def check_slots(board: Board) -> None:
    """Check that every slot has a part and every part one slot; a part is one element with its own name as its id."""
    slots = SLOT.findall(board.frame)
    assert sorted(slots) == sorted(board.parts), f"slots {sorted(slots)} are not the parts {sorted(board.parts)}"
    assert board.frame.count("<!--") == len(slots), "a comment in the frame is no slot"
    for name, part in board.parts.items():
        try:
            element = fromstring(part)
        except ParseError as error:
            raise AssertionError(f"part {name} is not one well-formed element: {error}") from None
        assert element.get("id") == name, f"part {name} has the id {element.get('id')!r}"
        assert "<!--" not in part, f"part {name} has a comment"


def check_safe(root: Element) -> None:
    """Check that a strict content security policy allows everything, nothing is loaded, and colours come by class."""
    for element in root.iter():
        assert element.tag not in (
            "style",
            "script",
            "iframe",
            "object",
            "embed",
            "img",
            "image",
            "foreignObject",
            "form",
        ), f"a <{element.tag}> on the board"
        for name, value in element.attrib.items():
            assert name != "style" and not name.startswith("on"), f"{name}= on a <{element.tag}>"
            assert "://" not in value and not value.strip().lower().startswith(("javascript:", "data:")), (
                f"{name}={value!r} leads away"
            )
            assert name not in PAINTS or PLAIN_PAINT.fullmatch(value), f"{name}={value!r}: colours come by class"


def check_ids(root: Element) -> None:
    """Check that every id is there once, and that references to ids exist."""
    ids = Counter(element.get("id") for element in root.iter() if element.get("id") is not None)
    assert all(count == 1 for count in ids.values()), (
        f"ids used twice: {[name for name, count in ids.items() if count > 1]}"
    )
    for element in root.iter():
        if element.get("class") is not None and "piece" in classes(element):
            assert element.get("id"), "a piece has no id"
            assert element.get("transform", "").startswith("translate("), f"piece {element.get('id')} has no place"
        for name, value in element.attrib.items():
            aims = re.findall(r"url\(#([\w-]+)\)", value) + (
                [value[1:]] if name == "href" and value.startswith("#") else []
            )
            aims += value.split() if name in ("aria-labelledby", "aria-describedby") else []
            assert all(aim in ids for aim in aims), f"{name}={value!r} leads nowhere"


def check_choices(board: Board, scene: Scene, root: Element) -> None:
    """Check that every legal move is reached exactly once, by a pick and a spot that are there and have labels."""
    reached = sorted(chain.from_iterable(spots.values() for spots in board.choices.values()))
    assert reached == sorted(scene.moves), f"moves {sorted(scene.moves)}, but choices lead to {reached}"
    spots = buttons(root, "data-spot", "spot")
    picks = buttons(root, "data-pick", "pick")
    assert {pick.id for pick in board.picks} >= set(board.choices) - {""}, "choices for a pick that is not named"
    assert len({pick.id for pick in board.picks}) == len(board.picks), "a pick is named twice"
    for pick, chosen in board.choices.items():
        assert not pick or pick in picks, f"pick {pick!r} is not on the board"
        assert set(chosen) <= spots, f"spots {sorted(set(chosen) - spots)} are not on the board"
    assert all(pick.step.endswith(".") for pick in board.picks), "a pick does not say what comes next"
    check_not_nested(root, within_button=False)


def buttons(root: Element, attribute: str, name: str) -> set[str]:
    """Return the names of the spots or of the picks, each of which must be there once as a labelled button."""
    found: list[str] = []
    for element in root.iter():
        value = element.get(attribute)
        if value is None:
            continue
        found.append(value)
        if element.get("data-do") is not None:  # the page makes it a button while it can be chosen
            assert name not in classes(element) and element.get("role") != "button", f"{attribute}={value}: data-do"
            said = element.get("data-do") or element.get("aria-label") or ""  # the label that it has anyway
            assert said.strip(), f"{attribute}={value} has no label"
        else:
            assert name in classes(element), f"{attribute}={value} without class {name}"
            assert element.get("role") == "button" or element.tag == "button", f"{attribute}={value} is no button"
            assert (element.get("aria-label") or "").strip(), f"{attribute}={value} has no label"
        assert element.get("tabindex") is None and element.get("aria-pressed") is None, (
            f"{attribute}={value}: the page sets what can be reached"
        )
    assert len(set(found)) == len(found), (
        f"{attribute} twice: {[value for value, count in Counter(found).items() if count > 1]}"
    )
    return set(found)


def check_not_nested(element: Element, within_button: bool) -> None:
    """Check that no button lies in another one, or in a picture that is read out as one thing."""
    button = element.get("data-spot") is not None or element.get("data-pick") is not None
    assert not (button and within_button), (
        f"button {element.get('data-spot') or element.get('data-pick')!r} is hidden in another element"
    )
    closed = within_button or button or element.get("role") == "img" or element.get("aria-hidden") == "true"
    for child in element:
        check_not_nested(child, closed)


def check_names(root: Element, scene: Scene) -> None:
    """Check that a name stands in a <bdi> in HTML, and in an element of class `name` in SVG."""
    for element in root.iter():
        for text in [element.text or "", *((child.tail or "") for child in element)]:
            if any(name in text for name in scene.names):
                assert element.tag == "bdi" or "name" in classes(element), (
                    f"a name stands unprotected in <{element.tag} class={element.get('class')!r}>"
                )


def untranslated(board: Board, scene: Scene) -> list[str]:
    """Return words of a board rendered with `say=marked` that were not translated, names and short words aside."""
    root = tree(board)
    for element in root.iter():
        if element.tag == "bdi" or "name" in classes(element):
            element.text = ""
    left = []
    labels = [element.get(name, "") for element in root.iter() for name in SPOKEN]
    for text in [
        " ".join(root.itertext()),
        *labels,
        *(pick.step for pick in board.picks),
        board.summary.striptags(),
    ]:
        for name in scene.names:
            text = text.replace(name, " ")
        while (shorter := re.sub(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", text)) != text:
            text = shorter
        left += re.findall(r"[^\W\d_]{3,}", text)
    return left


def check_board(
    render: Render,
    game: Game,
    seeds: range = range(1),
    counts: tuple[int, ...] = (),
    options: Mapping[str, object] | None = None,
) -> list[Scene]:
    """Check every other board of whole random games; return their scenes."""
    shown = []
    for players in counts or (game.players[0], game.players[-1]):
        for seed in seeds:
            for scene in islice(scenes(game, players, options or {}, seed), 0, None, 2):
                board = render(scene)
                check_rendered(board, scene)
                assert render(scene) == board, "two boards of one scene differ"
                shown.append(scene)
            for scene in islice(scenes(game, players, options or {}, seed, marked), 0, None, 5):
                left = untranslated(render(scene), scene)
                assert not left, f"not translated: {left}"
    for name, frames in frames_by_setting(render, shown).items():
        assert len(frames) == 1, f"the frame for {name} changes during a game"
    return shown


def frames_by_setting(render: Render, shown: list[Scene]) -> dict[str, set[str]]:
    """Return the frames rendered for each game, number of players, options and seat."""
    frames: dict[str, set[str]] = {}
    for scene in shown:
        view = scene.view
        frames.setdefault(
            str((view["game"], view["players"], sorted(view["options"].items()), view["seat"])), set()
        ).add(render(scene).frame)
    return frames


def seconds_per_board(render: Render, shown: list[Scene]) -> float:
    """Return how long rendering a board takes on average, when all its memoised fragments have been rendered before."""
    for scene in shown:
        render(scene)
    begin = thread_time()
    for scene in shown:
        render(scene)
    return (thread_time() - begin) / len(shown)
