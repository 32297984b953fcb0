"""What an observer is told in the terminal, and the sentences of the games."""

import re
from random import Random

import pytest

import sarai
from sarai.cli.event_sentences import EventLog, paragraph
from sarai.cli.terminal_io import IN_ENGLISH
from sarai.core.events import SEATS, Event
from sarai.core.random_play import random_move


def test_paragraphs_count_what_comes_again():
    assert paragraph(["A.", "B.", "B.", "B.", "A."], IN_ENGLISH) == "A. B. (3 times) A."
    assert paragraph([], IN_ENGLISH) == ""


def test_a_log_tells_each_move_once_with_the_chance_after_it():
    log = EventLog(sarai.game("sixnimmt"), ["Ada", "Ben"])
    log.add([Event("dealt_hidden", {"seat": 1})], by_chance=True)
    log.add([Event("dealt", {"seat": 0, "card": 5})], by_chance=True)
    assert log.news() == ["The cards are dealt."]
    log.add([Event("chose_hidden", {"seat": 1})], by_chance=False)
    log.add([Event("game_over", {"ending": "move_limit"})], by_chance=True)
    assert log.news() == ["Cards are being chosen. The game is over: move limit."]
    assert log.news() == [] and len(log.all()) == 2


@pytest.mark.parametrize(
    ("id", "option", "amounts"),
    [
        ("camelup-2014", "money=hidden", r"brings WHO 1 pound|WHO: \d+ for bets"),
        ("camelup-2018", "money=hidden", r"brings WHO 1 pound|WHO: \d+ for bets"),
        ("desert", "scores=hidden", r"WHO takes the water on \w+: \d"),
    ],
)
def test_hidden_amounts_of_others_are_not_told_before_the_end(id, option, amounts):
    game, rng, names = sarai.game(id), Random(2), ["Ada", "Bot 2", "Bot 3"]
    option, _, hidden = option.partition("=")
    logs = {
        (seat, value): EventLog(game, names, seat, {option: value}) for seat in (None, 0) for value in ("open", hidden)
    }
    state = game.start(3)
    for _ in range(250):
        if state.actor == sarai.OVER:
            break
        state, seen = game.play_with_events(state, *random_move(state, rng))
        for (seat, _), log in logs.items():
            log.add(seen(seat), by_chance=False, is_over=state.actor == sarai.OVER)
    for (seat, value), log in logs.items():
        before = " ".join(log.all()[:-1])
        assert bool(re.search(amounts.replace("WHO", r"Bot \d"), before)) == (value == "open")
        assert bool(re.search(amounts.replace("WHO", "Ada"), before)) == (value == "open" or seat == 0)


def test_every_concealed_sentence_stands_in_for_one_of_the_game():
    for game in map(sarai.game, sarai.game_ids()):
        for (name, value), texts in game.definition.concealed.items():
            (option,) = (option for option in game.options if option.name == name)
            assert value in option.choices and option.display
            for key, text in texts.items():
                assert set(re.findall(r"{(\w+)}", text)) <= set(re.findall(r"{(\w+)}", game.definition.sentences[key]))


def test_sentences_are_right_for_one_and_for_every_colour():
    for game in map(sarai.game, sarai.game_ids()):
        numbers = set(game.definition.trace_names.names) | set(game.definition.trace_names.sets) | SEATS
        for key, text in game.definition.sentences.items():
            for name, noun in re.findall(r"{(\w+)} (heads|pounds|camels|points|cards)\b", text):
                assert name in numbers, f"{key}: 1 {noun}"
            for name in re.findall(r"\ba {(\w+)}", text):
                assert not any(word.startswith(tuple("aeiou")) for word in game.definition.trace_names.names[name]), key
