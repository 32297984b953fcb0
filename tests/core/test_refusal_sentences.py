"""Refusals in sentences: facts are written as what they are, and every reason can be said."""

import pickle
import re

import pytest

import sarai
from sarai.core.errors import CONTEXTS, REASONS, BadRecord, BadText, Error
from sarai.core.icu_patterns import COUNTING, fields, parse
from sarai.core.language import LANGUAGES, Language, find_language
from sarai.core.messages import Message, Term
from sarai.core.position_text import whole
from sarai.core.refusal_sentences import say_refusal
from sarai.table.refusals import Refused
from sarai.web.site_refusal_reasons import STATUS


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


OVER = {
    "anubixx": "anubixx players=2 phase=over ending=two_buildings moves=115 round=40 idle=0 dice=- closed=- sheets=A/F "
    "pyramids=-/- arches=52/55k reliefs=-/- quarries=-/- jokers=0/0 bonuses=-/-",
    "camelup-2014": "camelup-2014 players=3 phase=over ending=line_crossed moves=318 leg=5 turn=2 start=1 "
    "camels=11:ob,15:yg,17:w dice=- tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=26,1,11 cards=-",
    "desert": "desert players=2 phase=over ending=pile_empty moves=73 oases=d3,j3,q3,b8,h11 "
    "water=223113031201330123010010010022133 caravans=-/- tokens=4.3.0/0.2.1",
}


@pytest.mark.parametrize(
    ("id", "field", "value"),
    [
        ("anubixx", "dice", "zz"),
        ("anubixx", "pyramids", "x/-"),
        ("anubixx", "bonuses", "z/-"),
        ("camelup-2014", "camels", "11:z"),
        ("desert", "caravans", "zz:a1/-"),
        ("desert", "water", "9"),
    ],
)
def test_why_a_position_cannot_be_read_is_said_in_the_readers_language(id, field, value):
    with pytest.raises(BadText) as refused:
        sarai.game(id).parse(re.sub(rf" {field}=\S+", f" {field}={value}", OVER[id]))
    said = say_refusal(refused.value, find_language("fa"))
    isolated = re.compile("[\u2066\u2068][^\u2069]*\u2069")  # notation, and what was typed
    assert isinstance(refused.value.facts["why"], Message)
    assert not re.search("[A-Za-z]{2}|[0-9]", isolated.sub("", said)), said
