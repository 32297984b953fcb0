"""The terminal in other languages: which one it speaks, that it says everything in it, and what may be typed."""

import re

import pytest

import sarai
from catalogs import in_other_letters, write_catalog
from cli.person import ROUND, Person, sentences
from sarai.cli.language import code_of_locale, searchable, terminal_language
from sarai.cli.terminal_io import clean_answer, printable_name
from sarai.core.language import find_language, offered_languages
from sarai.core.records import load

# Words by which moves are written, in every language.
MOVES = {"bet", "lose", "roll", "tile", "win", "lemon", "lilac", "mint", "salmon", "sky", "RLI", "rli"}
LATIN = re.compile(r"[A-Za-z]{3,}")
NOTATION = re.compile(r"[!-~]*[\d/=_-][!-~]*|\b(?:Enter|help|board|log|save|quit|stop|key)\b")


@pytest.fixture
def greek(monkeypatch, tmp_path):
    """Offer Greek, with every message in Greek letters that mean nothing."""
    write_catalog(tmp_path / "locale", "el", in_other_letters("el"))
    monkeypatch.setenv("SARAI_LOCALE_DIR", str(tmp_path / "locale"))
    for cached in (find_language, offered_languages):
        cached.cache_clear()
    yield find_language("el")
    for cached in (find_language, offered_languages):
        cached.cache_clear()


def test_the_language_is_the_one_asked_for_or_the_locale_s_if_it_is_offered(greek, monkeypatch):
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert code_of_locale() == "en"
    for locale, code in (
        ("el_GR.UTF-8", "el"),
        ("fa_IR.UTF-8", "en"),
        ("C.UTF-8", "en"),
        ("en_GB", "en"),
        ("el", "el"),
    ):
        monkeypatch.setenv("LANG", locale)
        assert code_of_locale() == code
    assert terminal_language(None) is greek and terminal_language("en").code == "en"
    monkeypatch.setenv("LC_ALL", "C")
    assert terminal_language(None).code == "en"


def test_a_language_that_is_not_offered_is_refused(cli, greek):
    code, out, err = cli("play", "sixnimmt", "--language", "he")
    assert (code, out, sentences(err)) == (2, "", ["There is no language 'he' here; there are en, el."])


@pytest.mark.parametrize("id", sarai.game_ids())
def test_everything_that_is_printed_in_play_is_said_in_the_language(cli, greek, tmp_path, id):
    path = tmp_path / "1.json"
    arguments = ("--name", "Ά", "--seed", 3, "--record", path, "--language", "el")
    moves = ["?", "", "? zz9", "h", "b", "l", "zz9", "s"]
    code, out, err = cli("play", id, *arguments, keyboard=[*moves, "1", "q"])
    assert code == 0
    code, again, more = cli("replay", path, "--language", "el", keyboard=["", "b", "b", "e", "", "g 9999", "zz9", "q"])
    assert code == 0
    assert left_in_english(out + err + again + more, sarai.game(id).title) == []


@pytest.mark.parametrize(("code", "name"), [("fa", "سارا"), ("he", "דנה"), ("el", "Νίκος")])
def test_a_game_is_played_in_each_language(cli, tmp_path, code, name):
    path = tmp_path / "whole.sarai.json"
    options = (*ROUND, "--players", 3, "--name", name, "--seed", 3, "--record", path, "--language", code)
    status, out, err = cli("play", "sixnimmt", *options, keyboard=Person())
    assert status == 0 and load(path).result is not None and name in out
    printed = out.replace(str(path), " ") + "\n".join(sentences(err))
    assert left_in_english(printed, "6 nimmt!") == []


def test_errors_of_play_are_said_in_the_language(cli, greek):
    code, out, err = cli("play", "sixnimmt", "--players", 2, "--people", 5, "--language", "el")
    assert (code, out) == (2, "") and left_in_english(err) == [] and "5" in err


def left_in_english(text, title=""):
    """Return the words of a text that are neither translated nor notation."""
    shown = "\n".join(line for line in text.splitlines() if not line.startswith("sarai "))  # commands to copy
    return sorted(set(LATIN.findall(NOTATION.sub(" ", shown.replace(title, " ")))) - MOVES)


def test_digits_of_every_script_can_be_typed():
    assert clean_answer("p۱.۳q\n") == "p1.3q" and clean_answer(" ٤٢ ") == "42"


def test_words_are_found_whatever_the_digits_and_marks_around_them():
    assert searchable("Ring ۳") in searchable("\u2068RING\u2069 3")


def test_names_keep_what_joins_their_letters():
    assert printable_name("می\u200cنو", 0) == "می\u200cنو" and printable_name("\u200c", 1) == "seat 1"
