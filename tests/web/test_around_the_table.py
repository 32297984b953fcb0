"""What people meet around a table: questions in the status line, reactions, watchers, lists of games."""

import re

import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.duration_and_difficulty import About
from sarai.core.language import LANGUAGES
from sarai.table import commands
from sarai.table.reactions import REACTIONS
from sarai.table.table import FINISHED
from sarai.web.language import find_language
from sarai.web.live.board import about, explanations
from sarai.web.live.reaction_icons import reaction_icon
from sarai.web.live.status_players_actions import players
from sarai.web.live.viewer import LiveInfo, Viewer


def status_of(page):
    return re.search(r'<div id="status".*?</div>', page, re.DOTALL)[0]


def forms(page, command):
    return re.findall(rf'<form [^>]*data-live="{command}".*?</form>', page, re.DOTALL)


async def question_of(visitor, table):
    return (await visitor.sees(table))["end_question"]["number"]


def test_a_game_is_ended_together_from_the_status_line(web):
    async def go(trial):
        ann, bo, guest = [await trial.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await trial.playing(ann, bo)
        place = f"/tables/{table}"
        assert "Ask to end the game" in (await ann.get(place)).text
        assert (await ann.form(f"{place}/act", {"type": "AskEnd"})).status_code == 303
        own, asked, watched = [status_of((await one.get(place)).text) for one in (ann, bo, guest)]
        assert (
            "You asked whether the game should end" in own
            and "Withdraw the question" in own
            and "Yes, end it" not in own
        )
        assert "<bdi>Ann</bdi> would like to end the game without a result. Do you agree?" in asked
        assert "Choose a card to play." in asked, "the game goes on meanwhile"
        assert "end the game" not in watched and not forms(watched, "AnswerEnd")
        number = str(await question_of(bo, table))
        assert (await bo.form(f"{place}/act", {"type": "AnswerEnd", "yes": "false", "question": number})).is_redirect
        assert "<bdi>Bo</bdi> wants to play on." in status_of((await ann.get(place)).text), "the asker hears it"
        await ann.act(table, {"type": "AskEnd"})
        answer = await bo.act(table, {"type": "AnswerEnd", "yes": True, "question": int(number)})
        assert (answer.status_code, answer.json()["reason"]) == (409, "stale")
        answer = await bo.act(table, {"type": "AnswerEnd", "yes": True, "question": await question_of(bo, table)})
        assert answer.status_code == 200
        seen = await ann.sees(table)
        assert (seen["phase"], seen["ending"], seen["result"]) == ("over", "agreed", None)
        assert "The game ended without a result." in status_of((await ann.get(place)).text)

    web(go)


def test_who_asked_to_take_back_is_told_of_the_refusal_and_could_withdraw(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.playing(ann, bo)
        place = f"/tables/{table}"
        for visitor in (ann, bo):
            await visitor.act(table, {"type": "Move", "move": (await visitor.sees(table))["moves"][0]})
        await ann.act(table, {"type": "AskBack"})
        status = status_of((await ann.get(place)).text)
        assert "You asked whether you may take back a move." in status and "Withdraw the question" in status
        number = (await bo.sees(table))["take_back"]["number"]
        await bo.act(table, {"type": "AnswerBack", "yes": False, "question": number})
        assert "<bdi>Bo</bdi> did not agree: your move stays." in status_of((await ann.get(place)).text)
        assert "did not agree" not in status_of((await bo.get(place)).text)

    web(go)


def test_reactions_stand_beside_the_talk_with_words_for_screen_readers(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.playing(ann, bo)
        place = f"/tables/{table}"
        (buttons,) = forms((await ann.get(place)).text, "React")
        assert f'value="well_played">{reaction_icon("well_played")} Well played!</button>' in buttons
        assert buttons.count("<svg") == len(REACTIONS)
        assert (await ann.form(f"{place}/act", {"type": "React", "reaction": "well_played"})).status_code == 303
        page = (await bo.get(place)).text
        assert f'{reaction_icon("well_played")} <span class="said">Well played!</span>' in page
        assert max(page) < "\U0001f000", "not every font has emoji"
        assert (await bo.sees(table))["chat"][-1]["text"] == "👏 Well played!"
        await bo.act(table, {"type": "Mute", "guest": 0})
        assert "Well played!</span>" not in (await bo.get(place)).text

    web(go)


def test_who_let_a_bot_play_is_not_offered_to_play_when_the_game_is_over():
    sitting = Sitting("sixnimmt").begin()
    viewer, language = Viewer(0, True, True, "en", ""), find_language("en")

    def offered():
        return players(sitting.table, viewer, sitting.table.to_act, language, LiveInfo())

    sitting.do(PEOPLE[0], commands.Lend(0, "random"))
    assert "Play myself" in offered()
    sitting.do(PEOPLE[1], commands.Resign())
    assert sitting.table.phase == FINISHED and "Play myself" not in offered()


def test_how_many_watch_is_said_and_not_who(web, monkeypatch):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.playing(ann, bo)
        assert "watching." not in (await ann.get(f"/tables/{table}")).text

        async def watchers(_):
            return 2

        monkeypatch.setattr(trial.house, "watchers", watchers)
        assert '<p class="watching">2 people are watching.</p>' in (await ann.get(f"/tables/{table}")).text

    web(go)


def test_my_games_say_with_whom_when_and_how_they_ended(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        assert "You have not sat down anywhere yet." in (await ann.get("/mine")).text
        over, running = await trial.playing(ann, bo), await trial.playing(ann, bo, game="camelup-2014")
        await bo.act(over, {"type": "Resign"})
        await trial.house.store.writer.write_index()
        page = (await ann.get("/mine")).text
        assert page.count("<bdi>Bo</bdi>") == 2 and "You came first of two." in page
        assert re.search(r'<time class="day" datetime="\d{4}-\d\d-\d\d">', page)
        assert "You came second of two." in (await bo.get("/mine")).text
        for query, shown in (
            ("show=over", {over}),
            ("show=running", {running}),
            ("game=camelup-2014", {running}),
            ("show=over&game=camelup-2014", set()),
        ):
            page = (await ann.get(f"/mine?{query}")).text
            assert {table for table in (over, running) if f"/tables/{table}" in page} == shown, query
        assert "There is no such game of yours." in page
        assert (await ann.get("/mine?show=none")).status_code == 422

    web(go)


def test_the_front_page_lists_public_games_to_watch(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        public, private, closed = [await trial.playing(ann, bo, public=is_public) for is_public in (True, False, True)]
        await ann.act(closed, {"type": "ChangeAccess", "watching": False})
        await trial.house.store.writer.write_index()
        page = (await trial.visitor().get("/")).text
        assert "Games to watch" in page and f"/tables/{public}" in page
        assert f"/tables/{private}" not in page and f"/tables/{closed}" not in page

    web(go)


def test_the_front_page_says_how_long_and_how_hard_every_game_is(web):
    async def go(trial):
        page = (await trial.visitor().get("/")).text
        for game in map(sarai.game, sarai.game_ids()):
            told = about(game)
            assert isinstance(told, About) and 0 < told.minutes[0] < told.minutes[1]
            assert f"{told.minutes[0]} to {told.minutes[1]} minutes&nbsp;· {told.difficulty}" in page
        assert "Take this one first" in page and "Take this one if you know the race" in page

    web(go)


def test_the_front_page_leads_back_to_ones_own_running_games(web):
    async def go(trial):
        ann, bo = [await trial.visitor().named(name) for name in ("Ann", "Bo")]
        table = await trial.playing(ann, bo)
        page = (await ann.get("/")).text
        assert "Go on playing" in page and f"/tables/{table}" in (await ann.get("/mine?show=running")).text
        assert f"/tables/{table}" not in page, "the page is compressed: no address that others may not learn"
        assert "Go on playing" not in (await trial.visitor().get("/")).text
        await bo.act(table, {"type": "Resign"})
        assert "Go on playing" not in (await ann.get("/")).text

    web(go)


def test_a_guest_is_asked_for_a_name_with_a_new_table(web):
    async def go(trial):
        guest, ann = trial.visitor(), await trial.visitor().named("Ann")
        await guest.form("/play", {"game": "sixnimmt"})
        assert 'name="name"' in (await guest.get("/tables/new")).text
        assert 'name="name"' not in (await ann.get("/tables/new")).text
        made = {"game": "sixnimmt", "players": "2", "bots": "0"}
        assert "Give your name" in (await guest.get((await guest.form("/tables", made)).headers["location"])).text
        place = (await guest.form("/tables", {**made, "name": "Omar"})).headers["location"]
        assert (
            "<bdi>Omar</bdi>" in (await guest.get(place)).text and 'class="me"><bdi>Omar' in (await guest.get("/")).text
        )
        page = (await ann.get("/me")).text
        assert "At most 24 letters" in page and 'maxlength="24" autocomplete="nickname"' not in page, "no silent cut"
        await ann.form("/tables", {**made, "name": "Eve"})
        assert 'class="me"><bdi>Ann' in (await ann.get("/")).text, "a name is changed on its own page"

    web(go)


@pytest.mark.parametrize("id", sarai.game_ids())
def test_what_is_what_has_one_heading_for_each_name_and_says_nothing_twice_below_it(id):
    game = sarai.game(id)
    for code in LANGUAGES:
        language = find_language(code)
        shown = explanations(game, language)
        headings = re.findall("<dt>(.*?)</dt>", shown)
        assert len(set(headings)) == len(headings), code
        known = [one.selector for one in game.module("board").explanations(id, language.say)]
        assert re.findall('<dd data-for="([^"]*)"', shown) == known, "the tooltip has all of them, in their order"
        for row in re.findall("<div><dt>.*?</div>", shown):
            texts = re.findall('<dd data-for="[^"]*">(.*?)</dd>', row)
            assert texts and not [text for text in texts if sum(other.startswith(text) for other in texts) > 1], row
