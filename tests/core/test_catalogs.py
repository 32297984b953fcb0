"""Catalogs: what is wrong with a translation is noticed, whatever language it is in."""

import re

import pytest

import sarai
from sarai.core.catalogs import problems, read_catalog, terms_of, texts_of, untranslated_games, wrong_with
from sarai.core.language import LANGUAGES, LOCALE, TEMPLATE, catalog_path
from sarai.core.messages import Term
from sarai.core.rulebook import read_rulebook

SEATS = "{n, plural, one {# seat for {name}} other {# seats for {name}}}"
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Rules"
msgstr "Κανόνες"

#, fuzzy
msgid "Seats"
msgstr "Θέσεις;"

msgctxt "ending"
msgid "move limit"
msgstr "όριο"
"""


@pytest.mark.parametrize(
    ("code", "translation"),
    [
        ("el", "{n, plural, one {# θέση: {name}} other {# θέσεις: {name}}}"),
        ("el", "{name}: {n, plural, =0 {καμία} one {μία} other {#}}"),
        ("he", "{n, plural, one {מקום: {name}} two {שני מקומות: {name}} other {# מקומות: {name}}}"),
        ("fa", "{n, plural, one {# صندلی: {name}} other {# صندلی: {name}}}"),
        ("fa", "{n, plural, one {{name, select, x {} other {}}} other {{name}}}"),
    ],
)
def test_a_good_translation_is_accepted(code, translation):
    assert wrong_with(SEATS, translation, LANGUAGES[code]) == []


@pytest.mark.parametrize(
    ("code", "translation", "why"),
    [
        ("he", "{n, plural, one {{name}} other {# {name}}}", "n has the forms ['one', 'other'], not"),
        ("el", "{n, plural, one {{name}} few {} other {# {name}}}", "n has the forms"),
        ("el", "{n, plural, other {# {name}}}", "n has the forms ['other'], not ['one', 'other']"),
        ("el", "{n} θέσεις: {name}", "it has no plural of n"),
        ("el", "{n, plural, one {#} other {#}}", "its arguments are ['n'], not ['n', 'name']"),
        ("el", "{n, plural, one {{name}} other {{names}}}", "its arguments are"),
        ("el", "{n, plural, one {{name}} other {{name}}", "is no ICU message"),
        ("el", "{n, plural, one {{name}} other {{name}}} {n, number, ::bad-stem}", "is refused by ICU"),
    ],
)
def test_a_wrong_translation_is_noticed(code, translation, why):
    (found,) = wrong_with(SEATS, translation, LANGUAGES[code])
    assert why in found


def test_a_text_without_arguments_gets_none():
    assert wrong_with("Rules", "Κανόνες {n}", LANGUAGES["el"]) and wrong_with("Rules", "Κανόνες }", LANGUAGES["el"])


def test_texts_and_terms_are_read_and_what_is_missing_or_doubtful_is_told(tmp_path):
    path = tmp_path / "sarai.po"
    path.write_text(PO, encoding="utf-8")
    catalog = read_catalog(path, "el")
    assert texts_of(catalog) == {"Rules": "Κανόνες"}
    assert terms_of(catalog)[Term("move_limit", "ending")] == "όριο"
    template = read_catalog(path)
    template.add("Free")
    template.add("move limit", context="other")
    told = [(problem.message, problem.why) for problem in problems(catalog, template, LANGUAGES["el"])]
    missing = "it is not translated"
    assert told == [("Seats", "its translation is doubtful"), ("Free", missing), ("move limit", missing)]


def test_every_english_message_can_be_said():
    texts = [message.id for message in read_catalog(TEMPLATE) if message.id]
    assert (
        len(texts) > 1000 and [(text, why) for text in texts for why in wrong_with(text, text, LANGUAGES["en"])] == []
    )


TRANSLATED_GAMES = {"games/anubixx", "games/camelup", "games/desert", "games/sixnimmt"}


@pytest.mark.parametrize("code", [code for code in LANGUAGES if catalog_path(code, LOCALE).exists()])
def test_every_catalog_is_complete_and_right(code):
    catalog, template = read_catalog(catalog_path(code, LOCALE), code), read_catalog(TEMPLATE)
    assert problems(catalog, template, LANGUAGES[code]) == []
    assert not untranslated_games(catalog, template) & TRANSLATED_GAMES


def test_a_game_that_is_not_translated_yet_takes_no_language_from_the_others(tmp_path):
    template, catalog = read_catalog(TEMPLATE), read_catalog(catalog_path("el", LOCALE), "el")
    before = untranslated_games(catalog, template)
    for text in ("Take a marble", "Marbles left"):
        template.add(text, locations=[("games/marbles", None), ("games/marbles/board/words.py", None)])
        catalog.add(text, "")
    assert untranslated_games(catalog, template) == {*before, "games/marbles"}
    assert problems(catalog, template, LANGUAGES["el"]) == []
    catalog.get("Marbles left").string = "Βότσαλα"
    assert [problem.message for problem in problems(catalog, template, LANGUAGES["el"])] == ["Take a marble"]
    catalog.get("Marbles left").string = ""
    template.get("Take a marble").locations.append(("web/templates", None))
    assert [problem.message for problem in problems(catalog, template, LANGUAGES["el"])] == ["Take a marble"]


COUNTED = re.compile(r"\{(\w+)\} ([a-z]+s)\b")  # a number, it seems, and what it counts
VERBS = {"is", "has", "was", "this", "does", "stands", "begins", "brings", "joins", "touches", "lies", "needs", "comes"}
PLAYERS = {"seat", "name", "names", "letter"}  # who does something: a verb follows
NO_NUMBER = {"widths", "unit"}  # lists


def test_what_is_counted_has_plural_forms():
    """A message with a bare number before a noun is wrong for 1 in English, and for more in other languages.

    Those of rulebooks to the rules are told from the start: their numbers are the game's own, and never change.
    """
    fixed = {
        text
        for rulebook in map(read_rulebook, map(sarai.game, sarai.game_ids()))
        if rulebook
        for text in rulebook.messages()
    }
    template = [message for message in read_catalog(TEMPLATE) if message.id and message.context is None]
    for text in [str(message.id) for message in template if message.id not in fixed]:
        for argument, word in COUNTED.findall(text):
            is_told_otherwise = argument in PLAYERS | NO_NUMBER or word in VERBS or "{place} place" in text
            assert is_told_otherwise, text
