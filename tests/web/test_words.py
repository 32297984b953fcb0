"""Words for the dice on pages, streams and in the interface: nobody is shown one before the game begins."""

import json

from sarai.table.dice_word_commitments import GivenWord
from sarai.web.api.answers import describe_table
from sarai.web.api.handlers import table_blocks
from sarai.web.language import find_language
from sarai.web.live.waiting_turns import describe_turns

ADAS, BOS = GivenWord(0, "0123456789abcdef" * 2, "caravanserai"), GivenWord(1, "fedcba9876543210" * 2, "pomegranate")


def commit(given):
    return {"type": "CommitWord", "digest": given.commitment}


def opening(given):
    return {"type": "OpenWord", "nonce": given.nonce, "word": given.word}


async def asked(house):
    """Return two people, a stranger, and the table at which the two were asked to open their words."""
    ann, bo, stranger = await house.visitor().named("Ann"), await house.visitor().named("Bo"), house.visitor()
    table = await house.table(ann, bo)
    await house.house.games.wait("sixnimmt")
    for visitor, given in ((ann, ADAS), (bo, BOS)):
        assert (await visitor.act(table, commit(given))).status_code == 200
    assert (await ann.act(table, {"type": "Start"})).status_code == 200
    return ann, bo, stranger, table


async def everything(visitor, table):
    """Return all that a visitor can fetch of a table, as one text."""
    paths = [f"{start}/{table}{path}" for start in ("/tables", "/api/tables") for path in ("", "/moves", "/record")]
    return " ".join([(await visitor.get(path)).text for path in (*paths, "/", "/mine", "/api/tables", "/metrics")])


def test_a_word_that_was_opened_is_shown_to_nobody_before_all_are(web, caplog):
    async def go(house):
        ann, bo, stranger, table = await asked(house)
        assert (await ann.act(table, opening(ADAS))).status_code == 200
        for visitor in (ann, bo, stranger):
            shown = await everything(visitor, table)
            assert ADAS.commitment in shown and BOS.commitment in shown
            assert ADAS.word not in shown and ADAS.nonce not in shown
        people = [seat.person for seat in (await house.house.table(table)).seats]
        noticed = [describe_turns(house.house.turns.of(person), find_language("en")) for person in people]
        assert "words" not in noticed[0] and noticed[1]["words"] == [table]
        assert noticed[1]["turns"] == [] and noticed[1]["count"] == "0"
        assert (await bo.act(table, opening(BOS))).status_code == 200
        sees = await bo.sees(table)
        assert sees["phase"] == "playing" and [given["word"] for given in sees["dice"]["words"]] == [
            ADAS.word,
            BOS.word,
        ]
        assert "Ann</bdi>: gave a word" in (await stranger.get(f"/tables/{table}")).text
        assert ADAS.word not in (await bo.get(f"/tables/{table}")).text, "beside hands there is no text of others"
        for visitor in (ann, bo):
            await visitor.act(table, {"type": "Resign"})
        page = (await stranger.get(f"/tables/{table}")).text
        assert f"<bdi>Ann</bdi>: <bdi>{ADAS.word}</bdi>" in page and "data-kept" in page

    web(go)
    assert ADAS.word not in caplog.text and ADAS.nonce not in caplog.text


def test_words_are_not_compressed_together_with_a_hand(web):
    """Others chose them: the length of what has both could tell what they have in common."""

    async def go(house):
        ann, bo, _, id = await asked(house)
        await ann.act(id, opening(ADAS))
        await bo.act(id, opening(BOS))
        table = await house.house.table(id)
        described = describe_table(table, table.seats[0].person, 0.0)
        found = [block.plain for block in table_blocks(described, lambda: [])]
        (word,) = [block for block in found if BOS.word.encode() in block]
        assert b'"view"' not in word and b'"moves"' not in word
        assert json.loads(b"".join(found))["dice"]["words"][1]["word"] == BOS.word

    web(go)


def test_while_words_are_opened_the_page_offers_nothing_that_is_refused(web):
    async def go(house):
        ann, bo, _, table = await asked(house)
        for visitor in (ann, bo):
            page = (await visitor.get(f"/tables/{table}")).text
            assert "The words for the dice are being opened" in page
            for label in ("Stand up", "Begin the game", "Change it", "Copy the link"):
                assert label not in page
        assert (await ann.sees(table))["starting"]
        assert (await bo.act(table, {"type": "Stand"})).json()["reason"] == "words_opening"

    web(go)


def test_wrong_openings_and_commitments_are_refused_and_change_nothing(web):
    async def go(house):
        ann, _, stranger, table = await asked(house)
        number = (await ann.sees(table))["number"]
        for command, status, reason in (
            (opening(BOS), 422, "other_word"),
            ({**opening(ADAS), "nonce": "x"}, 422, "bad_nonce"),
            ({**opening(ADAS), "word": "a\nb"}, 422, "word_unprintable"),
            ({**opening(ADAS), "seat": 1}, 422, "bad_json"),
            ({"type": "OpenWord", "nonce": 5, "word": None}, 422, "bad_json"),
            (commit(ADAS), 409, "words_opening"),
            ({"type": "CommitWord", "digest": "ab" * 10_000}, 422, "bad_digest"),
            ({"type": "GiveWord", "text": "plain"}, 409, "words_opening"),
        ):
            refused = await ann.act(table, command)
            assert (refused.status_code, refused.json()["reason"]) == (status, reason), command
            assert refused.json()["sentence"]
        assert (await stranger.act(table, opening(ADAS))).status_code in (401, 403)
        assert (await ann.sees(table))["number"] == number

    web(go)


def test_a_game_that_begins_at_once_takes_a_word_along(web):
    async def go(house):
        ann, bo = house.visitor(), house.visitor()
        await house.house.games.wait("sixnimmt")
        answer = await ann.form("/play", {"game": "sixnimmt", "digest": ADAS.commitment})
        table = answer.headers["location"].rpartition("/")[2]
        sees = await ann.sees(table)
        assert (sees["phase"], sees["dice"]["asking"], sees["dice"]["waiting"]) == ("gathering", "open", [0])
        page = (await ann.get(f"/tables/{table}")).text
        assert json.loads(page.partition('data-dice="')[2].partition('"')[0].replace("&#34;", '"'))["asking"] == "open"
        await ann.act(table, opening(ADAS))
        assert (await ann.sees(table))["phase"] == "playing"
        for digest in (None, ""):  # without script nobody waits
            answer = await ann.form("/play", {"game": "sixnimmt", **({} if digest is None else {"digest": digest})})
            table = answer.headers["location"].rpartition("/")[2]
            assert (await ann.sees(table))["phase"] == "playing"
        refused = await bo.form("/play", {"game": "sixnimmt", "digest": "no"})
        assert refused.status_code == 422 and "set-cookie" not in refused.headers
        answer = await bo.post("/api/play", {"game": "sixnimmt", "digest": ADAS.commitment})
        assert (await bo.sees(answer.json()["id"]))["dice"]["waiting"] == [0]
        assert (await bo.post("/api/play", {"game": "sixnimmt", "digest": "no"})).json()["reason"] == "bad_digest"

    web(go)
