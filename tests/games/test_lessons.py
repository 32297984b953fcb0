"""Lessons: each is played through with the engine; its sentences name nothing that the game or the position has not."""

import ast
import re
from dataclasses import replace
from itertools import chain

import pytest

import sarai
from sarai.core.icu_patterns import fields, parse
from sarai.core.language import LANGUAGES, find_language
from sarai.core.lessons import LEARNER, accepted, has_lesson, lesson_of, play_on, position_of, try_answer, try_move
from sarai.core.refusal_sentences import say_refusal
from sarai.web.live.lesson_view import LessonView

GAMES = [sarai.game(id) for id in sarai.game_ids()]
STEPS = [
    pytest.param(game, number, id=f"{game.id}-{number}")
    for game in GAMES
    if has_lesson(game)  # a game without one fails by itself, below
    for number in range(1, len(lesson_of(game).steps) + 1)
]
ENGLISH = find_language("en")
DIGIT = re.compile(r"\d")


def step_of(game, number):
    return lesson_of(game).steps[number - 1]


def lines_of(step):
    said = [*step.told, step.done, step.otherwise, *step.wrong.values()]
    said += chain.from_iterable((answer.words, answer.reply) for answer in step.answers)
    return [line for line in said if line is not None]


def view_of(game, number, language=ENGLISH):
    return LessonView(game, lesson_of(game), number, language)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_game_has_a_lesson_of_six_to_ten_steps_and_hints(game):
    assert has_lesson(game), f"{game.title} brings no lesson: games/{game.folder.name}/lessons"
    lesson = lesson_of(game)
    assert 6 <= len(lesson.steps) <= 10 and lesson.hints


def test_a_game_without_a_lesson_says_so():
    bare = replace(sarai.game("sixnimmt"), package="sarai.games")
    assert not has_lesson(bare) and lesson_of(bare) is None


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_a_step_is_played_by_the_rules(game, number):
    step = step_of(game, number)
    state = position_of(game, step.position)
    assert state.text() == step.position, "a position is written as the game writes it"
    if step.answers:
        assert not step.moves and sum(try_answer(game, step, answer).is_right for answer in step.answers) == 1
        before = state
    else:
        moves = accepted(game, step)
        assert moves and step.done is not None
        assert all(any(game.move_text(state, move) == text for move in state.legal(LEARNER)) for text in step.wrong)
        assert not {game.move_text(state, move) for move in moves} & set(step.wrong)
        assert all(try_move(game, step, move).is_right for move in moves)
        before = state.play(moves[0], LEARNER)
    for text in step.then:  # all of it follows the right move
        after, events = play_on(game, before, [text])
        assert after != before and events, text
        before = after


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_an_error_at_a_step_gets_its_reason(game, number):
    step, state = step_of(game, number), position_of(game, step_of(game, number).position)
    if step.answers:
        for place, answer in enumerate(step.answers):
            view = view_of(game, number)
            view.give_answer(place)
            assert view.reply == view.said(answer.reply) and view.happened
        return
    legal = state.legal(LEARNER)
    refused = next((move for move in range(game.num_actions) if move not in legal), None)
    assert refused is not None, "a step needs a move that the rules refuse"
    view = view_of(game, number)
    view.make_move(refused)
    reason = state.why_not(refused, LEARNER)
    assert view.is_refused and not view.is_right and view.attempt is None
    assert view.reply == say_refusal(reason, ENGLISH) and reason.key in game.reasons
    others = [move for move in legal if move not in accepted(game, step)]
    for move in others:
        view = view_of(game, number)
        view.make_move(move)
        assert not view.is_right and view.reply and view.happened, "what comes of it is told"
        if (line := step.wrong.get(game.move_text(state, move))) is not None:
            assert view.reply == view.said(line)


@pytest.mark.parametrize(("game", "number"), STEPS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_step_is_told_and_shown_in_every_language(game, number, code):
    language = find_language(code)
    for attempt in ("none", "right"):
        view = view_of(game, number, language)
        if attempt == "right":
            if view.step.answers:
                right = [try_answer(game, view.step, answer).is_right for answer in view.step.answers]
                view.give_answer(right.index(True))
            else:
                view.make_move(accepted(game, view.step)[0])
            assert view.is_right and view.reply and view.show
        assert view.told and view.stage and view.status and view.board.summary
        said = [*view.told, *view.answers, view.reply, *view.happened]
        assert not any("{" in text for text in said)
        assert not any(f"<bdi>{view.before.names[LEARNER]}</bdi>" in text for text in said), "it says you"


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_a_sentence_names_what_fills_it_and_no_number_itself(game, number):
    for line in lines_of(step_of(game, number)):
        assert not DIGIT.search(line.text), line.text
        assert {field.name for field in fields(parse(line.text))} == set(line.facts), line.text


def test_hints_name_no_number():
    hints = chain.from_iterable(lesson_of(game).hints for game in GAMES if has_lesson(game))
    assert not any(DIGIT.search(hint.text) or "{" in hint.text for hint in hints)


def numbers_as_facts(source):
    """Return the numbers that are written out as facts of a line."""
    lines = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    given = [word.value for node in lines if getattr(node.func, "id", "") == "line" for word in node.keywords]
    return [value.value for value in given if isinstance(value, ast.Constant) and not isinstance(value.value, str)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_number_is_a_constant_of_the_game_or_shown_in_the_position(game):
    assert numbers_as_facts('line(mark("{n} cards"), n=5)') == [5]
    for path in sorted((game.folder / "lessons").glob("*.py")):
        assert numbers_as_facts(path.read_text(encoding="utf-8")) == [], path
