"""Languages: which one is spoken, that texts are translated, and that every text is in the catalogs."""

import subprocess
import sys

import pytest
from babel.messages.pofile import read_po

import sarai
from sarai.core.events import Event
from sarai.core.random_play import play_randomly
from sarai.web import language as languages
from sarai.web.language import LOCALE, TONGUES, Language, catalog_path, choose, isolated, read_texts

TINY = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\\n"

msgid "Your turn."
msgstr "תורך."

msgid "Choose a card to play."
msgstr "בחרו קלף."

msgid "{seat} turns up {card}."
msgstr "{card}: {seat}."

msgid "{n} free seat"
msgid_plural "{n} free seats"
msgstr[0] "מקום אחד"
msgstr[1] "שני מקומות"
msgstr[2] "{n} מקומות"

msgid "There is no such table."
msgstr "אין שולחן כזה."
"""


@pytest.fixture
def hebrew(tmp_path, monkeypatch):
    path = catalog_path("he", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text(TINY, encoding="utf-8")
    monkeypatch.setenv("SARAI_LOCALE_DIR", str(tmp_path))
    languages.language.cache_clear()
    yield languages.language("he")
    languages.language.cache_clear()


def test_a_language_is_asked_for_kept_or_accepted():
    assert choose("fa", "he", "el") == "fa"
    assert choose(None, "he", "el") == "he"
    assert choose("xx", "yy", "de, el;q=0.5, fa;q=0.7") == "fa"
    assert choose(None, None, "iw-IL") == "he"
    assert choose(None, None, "de;q=x, fa;q=0,, ;q=1") == "en"


def test_a_catalog_is_spoken_with_its_plurals_and_what_is_missing_stays_english(hebrew):
    assert hebrew.say("Your turn.") == "תורך." and hebrew.say("Rules") == "Rules" and hebrew.say("") == ""
    assert [hebrew.say_count("{n} free seat", "{n} free seats", n) for n in (1, 2, 7)] == [
        "מקום אחד",
        "שני מקומות",
        "7 מקומות",
    ]


def test_pages_refusals_and_logs_are_translated(web, hebrew):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        ann.http.headers["accept-language"] = "he-IL,he;q=0.9"
        page = (await ann.get(f"/tables/{table}")).text
        assert "בחרו קלף." in page and 'dir="rtl"' in page
        assert (await ann.get("/api/tables/0123456789")).json()["sentence"] == "אין שולחן כזה."
        for visitor in (ann, bo):
            await visitor.act(table, {"type": "Move", "move": (await visitor.sees(table))["moves"][0]})
        card = (await ann.sees(table))["view"]["played"][0][-1]
        assert f"{card}: <bdi>Ann</bdi>." in (await ann.get(f"/tables/{table}")).text

    web(go)


def test_persian_prose_has_persian_digits():
    assert languages.language("fa").number(1405) == "۱۴۰۵" and languages.language("el").number(7) == "7"


def test_names_are_isolated_and_lists_are_joined():
    assert isolated("<b>") == "<bdi>&lt;b&gt;</bdi>"
    english = languages.language("en")
    assert english.listed([]) == "" and english.listed(["a"]) == "a" and english.listed(["a", "b", "c"]) == "a, b and c"


def test_a_missing_catalog_is_english(tmp_path):
    assert Language(TONGUES["el"], read_texts(tmp_path / "nothing.po", "el")).say("Rules") == "Rules"


def texts_in(path):
    with path.open("rb") as file:
        return {message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file) if message.id}


@pytest.mark.program
def test_every_text_is_in_the_template_and_in_every_catalog():
    command = [
        sys.executable,
        "-c",
        "import sys; from sarai.web.messages import template; sys.stdout.buffer.write(template())",
    ]
    fresh = subprocess.run(command, capture_output=True, check=True).stdout
    assert fresh == (LOCALE / "messages.pot").read_bytes(), "python -m sarai.web.messages brings it up to date"
    texts = texts_in(LOCALE / "messages.pot")
    assert {
        "Your turn.",
        "The cards are dealt.",
        "There is no such table.",
        "{seat} turns up {card}.",
        "regular",
        "Card {card} is not in your hand.",
    } <= texts
    for code in TONGUES:
        assert texts_in(catalog_path(code)) == texts


def test_an_event_of_every_kind_can_be_said():
    from sarai.core.registry import game, game_ids
    from sarai.web.live.event_log import Teller

    for id in game_ids():
        teller = Teller(
            game(id),
            game(id).players[0],
            {option.name: option.choices[-1] if option.choices else option.default for option in game(id).options},
            languages.language("fa"),
        )
        for telling in game(id).definition.events:
            args = dict.fromkeys(telling.args, 1)
            args |= {name: game(id).definition.words.say(name, 1) for name in telling.args}
            assert "{" not in teller.say(Event(telling.key, args), ["<bdi>Ann</bdi>", "<bdi>Bo</bdi>"], None, False)


@pytest.mark.parametrize("game_id", sorted(sarai.game_ids()))
def test_words_of_moves_are_in_the_catalogs(game_id: str) -> None:
    texts, said = texts_in(LOCALE / "messages.pot"), set()

    def say(text: str) -> str:
        said.add(text)
        return text

    game = sarai.game(game_id)
    for seed, players in enumerate(game.players[:3]):
        for state in play_randomly(game, players, seed=seed).replay():
            for move in [outcome for outcome, _ in state.chance()] or (
                state.legal(state.to_act[0]) if state.to_act else []
            ):
                game.move_words(state, move, say)
    assert len(said) > 3 and said <= texts
