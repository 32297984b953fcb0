"""Refusals in sentences: facts are written as what they are, and every reason can be said."""

import pickle

import pytest

import sarai
from sarai.core.errors import CONTEXTS, REASONS, BadRecord, BadText, Error
from sarai.core.icu_patterns import COUNTING, fields, parse
from sarai.core.language import LANGUAGES, Language
from sarai.core.messages import Term
from sarai.core.position_text import whole
from sarai.core.refusal_sentences import say_refusal
from sarai.table.refusals import Refused
from sarai.web.refusals import STATUS


def test_numbers_are_counted_and_what_is_written_alike_everywhere_is_not_touched():
    assert [str(Refused("seats_empty", empty=n)) for n in (1, 2)] == [
        "There is 1 seat without a player.",
        "There are 2 seats without a player.",
    ]
    assert "port 8000 of 127.0.0.1" in str(Error("port_taken", port=8000, host="127.0.0.1"))
    assert str(Error("unknown_move", move=2**70, title="x")) == f"There is no move {2**70} in x."
    assert STATUS["too_large"] == 413 and str(Refused("too_large", most=65536)).endswith("65,536 bytes.")


def test_what_a_fact_says_in_words_is_translated_too():
    error = BadText("text_bad_value", field="round", value="x", why="it is not a whole number")
    texts = {
        REASONS["text_bad_value"]: "{field}: «{value}», {why}.",
        "it is not a whole number": "δεν είναι ακέραιος",
        "it is not between {low} and {high}": "εκτός {low} έως {high}",
    }
    greek = Language(LANGUAGES["el"], texts, {})
    assert say_refusal(error, greek) == f"round: «x», {texts[error.facts['why']]}."
    with pytest.raises(BadText) as refused:
        whole("round", "11", 2, 10)
    assert say_refusal(refused.value, greek) == "round: «11», εκτός 2 έως 10."
    outer = BadRecord("record_bad_move", number=3, why=refused.value)
    assert str(outer).endswith("played: Field 'round' cannot be '11': it is not between 2 and 10.")
    assert str(pickle.loads(pickle.dumps(outer))) == str(outer)


def test_a_colour_agrees_with_the_noun_of_its_sentence():
    game, keys = sarai.game("desert"), ("camel_without_caravan", "leader_is_set_aside")
    assert game.definition.events and CONTEXTS[keys[0]] == "caravan"
    texts, terms = (
        {game.reasons[key]: "{colour}" for key in keys},
        {Term("mint", "caravan"): "C", Term("mint", "leader"): "L"},
    )
    persian = Language(LANGUAGES["fa"], texts, terms)
    assert [say_refusal(Error(key, colour="mint", hex="a3"), persian) for key in keys] == ["C", "L"]


def test_every_reason_can_be_said():
    assert all(sarai.game(game_id).definition for game_id in sarai.game_ids())
    for key, message in REASONS.items():
        counted = {field.name for field in fields(parse(message)) if field.kind in COUNTING}
        facts = {field.name: 2 if field.name in counted else "a" for field in fields(parse(message))}
        assert "{" not in str(Error(key, **facts)), key
