"""Languages: which ones are offered and spoken, that texts are translated, and that every text is in the template."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import sarai
from catalogs import complete_catalog, write_catalog
from in_memory_table import Sitting
from sarai.core.catalogs import problems, read_catalog
from sarai.core.event_sentences import EventSentences
from sarai.core.events import Event
from sarai.core.language import LANGUAGES, LOCALE, TEMPLATE, find_language, offered_languages
from sarai.core.markup import isolated
from sarai.core.random_play import play_randomly
from sarai.table.event_types import TABLE_SENTENCES
from sarai.web.extract_messages import in_python, updated
from sarai.web.language import choose
from sarai.web.live.legal_move_buttons import move_list
from sarai.web.live.names import shown_names

PACKAGE = Path(sarai.__file__).parent
TINY = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Your turn."
msgstr "תורך."

msgid "{n, plural, one {# free seat} other {# free seats}}"
msgstr "{n, plural, one {מקום אחד} two {שני מקומות} other {# מקומות}}"
"""


FREE_SEATS = "{n, plural, one {# free seat} other {# free seats}}"


# --- which language is spoken -------------------------------------------------------------------------------------


def test_a_language_is_asked_for_kept_or_accepted():
    assert choose("fa", "he", "el", LANGUAGES) == "fa"
    assert choose(None, "he", "el", LANGUAGES) == "he"
    assert choose("xx", "yy", "de, el;q=0.5, fa;q=0.7", LANGUAGES) == "fa"
    assert choose(None, None, "iw-IL", LANGUAGES) == "he"
    assert choose(None, None, "de;q=x, fa;q=0,, ;q=1", LANGUAGES) == "en"
    assert choose("fa", "fa", "fa, el", {"en", "el"}) == "el"


def test_english_alone_is_offered_as_long_as_no_catalog_is_complete(locale):
    assert list(offered_languages()) == ["en"]
    write_catalog(locale, "he", TINY.encode())
    assert list(offered_languages()) == ["en"]


@pytest.mark.parametrize("missing", ["one text", "one plural form", "a doubtful text", "a term"])
def test_a_catalog_that_lacks_anything_is_not_complete(complete_catalogs, tmp_path, missing):
    template, path = read_catalog(TEMPLATE), tmp_path / "sarai.po"
    path.write_bytes(complete_catalogs["he"])
    catalog = read_catalog(path, "he")
    assert problems(catalog, template, LANGUAGES["he"]) == []
    if missing == "one text":
        del catalog["Rules"]
    elif missing == "one plural form":
        message = catalog.get(FREE_SEATS)
        message.string = message.string.replace(" two {", " =2 {")
    elif missing == "a term":
        catalog.get("red", "camel").string = ""
    else:
        catalog.get("Rules").flags.add("fuzzy")
    (problem,) = problems(catalog, template, LANGUAGES["he"])
    assert problem.message == {"one plural form": FREE_SEATS, "a term": "red"}.get(missing, "Rules")


def test_a_complete_catalog_is_offered(all_languages):
    assert list(offered_languages()) == ["en", "fa", "he", "el"]


def test_no_catalog_of_this_package_only_repeats_english():
    for path in LOCALE.rglob("*.po"):
        catalog = read_catalog(path)
        assert any(message.id and message.string not in ("", message.id) for message in catalog), path


def test_a_language_that_is_not_complete_is_kept_but_pages_are_english(web, locale):
    async def go(house):
        ann, bo = house.visitor(), house.visitor()
        answer = await ann.post("/api/me", {"name": "Ann", "language": "fa"})
        assert (answer.status_code, answer.json()) == (201, {"name": "Ann", "language": "fa"})
        assert (await ann.post("/api/me", {"name": "Anna"})).json() == {"name": "Anna", "language": "fa"}
        await bo.get("/?lang=he")
        assert bo.http.cookies["lang"] == "he"
        page = (await bo.get("/settings")).text
        assert 'lang="en" dir="ltr"' in page and "?lang=" not in page
        assert (await bo.post("/api/me", {"name": "Bo"})).json() == {"name": "Bo", "language": "he"}
        person = await house.visitor().post("/api/me", {"name": "Cem"}, **{"accept-language": "el-GR,de"})
        assert person.json() == {"name": "Cem", "language": "el"}
        assert (await ann.post("/api/me", {"name": "Ann", "language": "xx"})).json()["reason"] == "bad_language"

    web(go)


def test_a_language_that_was_kept_is_spoken_when_it_is_complete(web, all_languages):
    async def go(house):
        ann = house.visitor()
        ann.http.cookies["lang"] = "he"
        page = (await ann.get("/")).text
        assert 'lang="he" dir="rtl"' in page and page.count("?lang=") == 4

    web(go)


# --- texts --------------------------------------------------------------------------------------------------------


def test_a_catalog_is_spoken_with_its_plurals_and_what_is_missing_stays_english(locale):
    write_catalog(locale, "he", TINY.encode())
    hebrew = find_language("he")
    assert hebrew.say("Your turn.") == "תורך." and hebrew.say("Rules") == "Rules" and hebrew.say("") == ""
    said = [hebrew.say(FREE_SEATS, n=n) for n in (1, 2, 7)]
    assert said == ["מקום אחד", "שני מקומות", "7 מקומות"]


HEBREW = {
    "Choose a card to play.": "בחרו קלף.",
    "{seat} turns up {card}.": "{card}: {seat}.",
    "There is no such table.": "אין שולחן כזה.",
}


def test_pages_refusals_and_logs_are_translated(web, locale):
    write_catalog(locale, "he", complete_catalog("he", **HEBREW))

    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        ann.http.headers["accept-language"] = "he-IL,he;q=0.9"
        page = (await ann.get(f"/tables/{table}")).text
        assert "בחרו קלף." in page and 'dir="rtl"' in page
        assert (await ann.get("/api/tables/0123456789")).json()["sentence"] == "אין שולחן כזה."
        for visitor in (ann, bo):
            await visitor.act(table, {"type": "Move", "move": (await visitor.sees(table))["moves"][0]})
        card = (await ann.sees(table))["view"]["played"][1][-1]
        assert f"{card}: <bdi>Bo</bdi>." in (await ann.get(f"/tables/{table}")).text

    web(go)


def test_persian_prose_has_persian_digits(web, all_languages):
    assert find_language("fa").number(1405) == "\u06f1\u066c\u06f4\u06f0\u06f5" and find_language("el").number(7) == "7"

    async def go(house):
        page = (await house.visitor().get("/", headers={"accept-language": "fa"})).text
        assert 'lang="fa" dir="rtl"' in page and "۲ to ۸ players" in page

    web(go)


def seat(name, is_bot):
    return SimpleNamespace(name=name, bot="regular" if is_bot else None)


async def new_table_form(visitor, code):
    return (await visitor.get("/tables/new?game=sixnimmt", headers={"accept-language": code})).text


def test_numbers_in_forms_are_read_and_typed_in_persian_digits(web):
    async def go(house):
        ann = await house.visitor().named("Ann")
        form, written = await new_table_form(ann, "fa"), find_language("fa").number
        target = re.search('<input id="option-target"[^>]*>', form)[0]
        assert f'value="{written(66)}"' in target and 'type="number"' not in target and 'inputmode="numeric"' in target
        fields = {"game": "sixnimmt", "players": "4", "bots": "0", "option-target": written(70)}
        answer = await ann.form("/tables", fields)
        assert answer.status_code == 303, answer.text
        table = (await ann.get(f"/api{answer.headers['location']}")).json()
        assert table["options"]["target"] == 70
        assert 'type="number"' in await new_table_form(ann, "en")

    web(go)


def test_a_capital_letter_keeps_its_accent(web):
    """What `text-transform` makes of a Greek letter has no accent; labels are written as they are shown."""

    async def go(house):
        assert '<label for="option-target">\N{GREEK CAPITAL LETTER OMICRON WITH TONOS}' in await new_table_form(
            house.visitor(), "el"
        )

    web(go)
    styles = [*(PACKAGE / "web/static").glob("*.css"), *(PACKAGE / "games").glob("*/board/style.css")]
    assert len(styles) > 4 and not [style for style in styles if "text-transform" in style.read_text("utf-8")]


def test_a_dot_between_facts_begins_no_line(web):
    async def go(house):
        for path in ("/", "/rules/desert"):
            page = (await house.visitor().get(path)).text
            facts = re.findall('<p class="facts">(.*?)</p>', page)
            assert facts and all(re.search(r"\S&nbsp;· ", text) and not re.search(r"\s·", text) for text in facts), path

    web(go)


def test_bots_are_called_in_the_readers_letters_unless_somebody_is_called_so():
    persian, english = find_language("fa"), find_language("en")
    seats = [seat("Zahra", True), seat("Yael", False), seat("", False)]
    assert shown_names(seats, persian) == ("زهرا", "Yael", "") and shown_names(seats, english) == ("Zahra", "Yael", "")
    for name in ("زهرا", "زَهرا", "زهرا\u200d"):  # a person can call themselves so, with or without points
        assert shown_names([seat("Zahra", True), seat(name, False)], persian) == ("Zahra", name)
    assert shown_names([seat("Zahra (2)", True), seat("Zahra", False)], persian) == ("Zahra (2)", "Zahra")


def test_games_have_the_titles_of_the_language(web):
    async def go(house):
        for code, title in (("he", "דרך המדבר"), ("en", "Through the Desert")):
            for path in ("/", "/rules", "/tables/new?game=desert"):
                page = (await house.visitor().get(path, headers={"accept-language": code})).text
                assert f"<bdi>{title}</bdi>" in page, (code, path)

    web(go)


def test_names_are_isolated_and_lists_are_joined():
    assert isolated("<b>") == "<bdi>&lt;b&gt;</bdi>"
    english = find_language("en")
    assert english.listed([]) == "" and english.listed(["a"]) == "a"
    assert english.listed(["a", "b", "<c>"]) == "a, b and &lt;c&gt;"
    assert english.listed([isolated("a"), isolated("b")]) == "<bdi>a</bdi> and <bdi>b</bdi>"


def test_a_missing_catalog_is_english(locale):
    assert find_language("el").say("Rules") == "Rules"


@pytest.mark.parametrize("id", sarai.game_ids())
def test_moves_are_listed_alike_in_every_language(id):
    """They are grouped by what is picked first, not by how their words begin."""
    table = Sitting(id, sarai.game(id).players[0]).begin().table
    (seat, *_), lists = table.to_act, []
    for code in LANGUAGES:
        listed = move_list(table, seat, find_language(code))
        lists.append(re.findall(r'<fieldset>|<div class="alone">|value="\d+"', listed))
        assert "<legend>" in listed or "<fieldset>" not in listed
    assert all(shown == lists[0] for shown in lists) and len(lists[0]) > len(table.state.legal(seat))


# --- the template -------------------------------------------------------------------------------------------------


def texts_in(path):
    return {message.id for message in read_catalog(path) if message.id and message.context is None}


def terms_in(path):
    return {(message.id, message.context) for message in read_catalog(path) if message.context}


@pytest.mark.program
def test_every_text_is_in_the_template():
    print_template = "import sys; from sarai.web.extract_messages import template; sys.stdout.buffer.write(template())"
    fresh = subprocess.run([sys.executable, "-c", print_template], capture_output=True, check=True).stdout
    assert fresh == TEMPLATE.read_bytes(), "python -m sarai.web.extract_messages brings it up to date"
    assert {
        "Your turn.",
        "The cards are dealt.",
        "There is no such table.",
        "{seat} turns up {card}.",
        "Guest",
        "Card {card} is not in your hand.",
    } <= texts_in(TEMPLATE)
    assert {("regular", "bot"), ("target", "option"), ("random", "deal"), ("second", "place")} <= terms_in(TEMPLATE)


def test_comments_for_translators_stand_in_the_catalogs(tmp_path):
    source = (
        'a = say("Roll")  # translators: a die\n# translators: of a door\nb = say("open")\nc = say("Rules")  # no\n'
    )
    assert [(found.text, found.comment) for found in in_python(source, "x")] == [
        *(("Roll", "a die"), ("open", "of a door"), ("Rules", "")),
    ]
    path = tmp_path / "sarai.po"
    path.write_bytes(updated("el", TEMPLATE.read_bytes(), None))
    assert read_catalog(path, "el").get("{n}").auto_comments == ["a number by itself, on a card, a die or a ticket"]


def test_a_catalog_is_brought_up_to_date_and_keeps_what_is_translated(tmp_path):
    old = TINY.replace('msgid "Your turn."', '#, fuzzy\nmsgid "Your turn."').encode() + b'\nmsgid "Old"\nmsgstr "x"\n'
    path = tmp_path / "sarai.po"
    path.write_bytes(updated("he", TEMPLATE.read_bytes(), old))
    assert texts_in(path) == texts_in(TEMPLATE)
    catalog = read_catalog(path, "he")
    assert "שני מקומות" in catalog.get(FREE_SEATS).string
    assert catalog.get("Your turn.").string == "תורך." and catalog.get("Your turn.").fuzzy


def test_an_event_of_every_kind_can_be_said():
    names = [isolated("Ann"), isolated("Bo")]
    for game in map(sarai.game, sarai.game_ids()):
        options = {o.name: o.choices[-1] if o.choices else o.default for o in game.options}
        sentences = EventSentences(game, 3, options, find_language("fa"), TABLE_SENTENCES)
        for spec in game.definition.events:
            args = {name: game.definition.trace_names.argument(name, 1) for name in spec.args}
            assert "{" not in sentences.sentence(Event(spec.key, args), names, None, False)


@pytest.mark.parametrize("game_id", sorted(sarai.game_ids()))
def test_words_of_moves_are_in_the_template(game_id: str) -> None:
    texts, said = texts_in(TEMPLATE), set()

    def say(message, /, **arguments):
        said.add(message)
        return find_language("en").say(message, **arguments)

    game = sarai.game(game_id)
    for seed, players in enumerate(game.players[:3]):
        for state in play_randomly(game, players, seed=seed).replay():
            for move in [outcome for outcome, _ in state.chance()] or (
                state.legal(state.to_act[0]) if state.to_act else []
            ):
                game.move_words(state, move, say)
    assert said and said <= texts
