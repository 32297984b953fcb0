"""Taking back, lending and ending a game by pages and by JSON: what is offered to whom, and what is refused."""

import re

from sarai.table import event_types
from sarai.table.decide import changes
from sarai.table.table import CALL_OFF_SECONDS, LEND_SECONDS


async def roll(visitor, trial, table):
    """Roll a die in Camel Up."""
    state = (await trial.house.table(table)).state
    move = next(move for move in state.legal() if state.game.move_text(state, move) == "roll")
    assert (await visitor.act(table, {"type": "Move", "move": move})).status_code == 200


async def store(trial, table, *events):
    """Let events happen that nobody asked for."""
    room = await trial.house.rooms.get(table)
    async with room.lock:
        await trial.house.rooms.commit(room, changes(*events))


def forms(page, command):
    """Return the forms of a page for a command."""
    return re.findall(rf'<form [^>]*data-live="{command}".*?</form>', page, re.DOTALL)


def test_a_question_is_answered_by_its_number(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo, game="camelup-2014")
        await roll(ann, trial, table)
        await ann.act(table, {"type": "AskBack"})
        first = (await bo.sees(table))["take_back"]
        assert (first["seat"], first["asked"], first["answers"]) == (0, [1], {})
        await ann.act(table, {"type": "AnswerBack", "yes": False, "question": first["number"]})
        await ann.act(table, {"type": "AskBack"})
        second = (await bo.sees(table))["take_back"]
        assert second["number"] > first["number"]
        page = (await bo.get(f"/tables/{table}")).text
        yes, no = forms(page, "AnswerBack")
        assert all(f'name="question" value="{second["number"]}"' in form for form in (yes, no))
        (withdraw,) = forms((await ann.get(f"/tables/{table}")).text, "AnswerBack")
        assert 'name="yes" value="false"' in withdraw and "Withdraw the question" in withdraw, "the asker is not asked"
        for late in ({"question": first["number"]}, {}):
            answer = await bo.act(table, {"type": "AnswerBack", "yes": True, **late})
            assert (answer.status_code, answer.json()["reason"]) == (409, "stale")
            form = {"type": "AnswerBack", "yes": "true", **{name: str(value) for name, value in late.items()}}
            assert (await bo.form(f"/tables/{table}/act", form)).status_code == 409
        assert (await bo.sees(table))["take_back"] == second
        answer = await bo.act(table, {"type": "AnswerBack", "yes": True}, number=second["number"])
        assert answer.status_code == 200, "an older program that knew the question"
        seen = await ann.sees(table)
        assert [(seat["taken_back"], seat["voided"]) for seat in seen["seats"]] == [(1, 1), (0, 0)]
        page = (await bo.get(f"/tables/{table}")).text
        assert "took back 1 die or card<" in page
        back = re.findall(r'<li id="log-\d+" class="taken-back">(.*?)</li>', page)  # the script points it out
        assert back == ["<bdi>Ann</bdi> takes back a move."]
        assert 'class="taken-back"' not in (await ann.get(f"/tables/{table}")).text, "not to who did it"

    web(go)


def test_who_lent_the_seat_or_gave_up_is_shown_the_question_that_needs_their_answer(web):
    async def go(trial):
        ann, bo, cem = [await trial.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await trial.playing(ann, bo, cem, game="camelup-2014")
        await roll(ann, trial, table)
        await roll(bo, trial, table)
        await bo.act(table, {"type": "Resign"})
        await ann.act(table, {"type": "AskBack"})
        assert (await cem.sees(table))["take_back"]["asked"] == [1, 2]
        assert len(forms((await bo.get(f"/tables/{table}")).text, "AnswerBack")) == 2
        await cem.act(table, {"type": "Lend", "seat": 2})
        page = (await cem.get(f"/tables/{table}")).text
        assert len(forms(page, "AnswerBack")) == 2 and "Do you agree?" in page
        for visitor in (bo, cem):
            question = (await visitor.sees(table))["take_back"]["number"]
            answer = await visitor.act(table, {"type": "AnswerBack", "yes": True, "question": question})
            assert answer.status_code == 200
        assert (await ann.sees(table))["seats"][0]["voided"] == 2

    web(go)


def test_a_seat_is_offered_to_a_bot_and_a_game_to_its_end_when_the_time_has_come(web, monkeypatch):
    async def go(trial):
        ann, bo, guest = [await trial.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await trial.playing(ann, bo)
        await ann.act(table, {"type": "Move", "move": (await ann.sees(table))["moves"][0]})
        began, place = (await trial.house.table(table)).decision_since(1), f"/tables/{table}"

        async def offers(later):
            monkeypatch.setattr(trial.house, "now", lambda: began + later)
            pages = [(await visitor.get(place)).text for visitor in (ann, guest)]
            return [[command for command in ("Lend", "CallOff") if forms_for(page, command, 1)] for page in pages]

        def forms_for(page, command, seat):
            return [form for form in forms(page, command) if f'name="seat" value="{seat}"' in form]

        assert await offers(120) == [[], []]
        answer = await ann.act(table, {"type": "Lend", "seat": 1})
        assert (answer.status_code, answer.json()["reason"]) == (403, "not_away")
        assert await offers(LEND_SECONDS + 10) == [["Lend"], []]
        answer = await ann.act(table, {"type": "CallOff", "seat": 1})
        assert (answer.status_code, answer.json()["reason"]) == (403, "not_overdue")
        assert await offers(CALL_OFF_SECONDS + 10) == [["Lend", "CallOff"], []]
        assert (await ann.form(f"{place}/act", {"type": "CallOff", "seat": "1"})).status_code == 303
        seen = await bo.sees(table)
        assert (seen["phase"], seen["ending"], seen["result"]) == ("over", "called_off", None)
        page = (await bo.get(place)).text
        assert "The game ended without a result." in page
        assert "You have not moved for seven days; the game ends without a result." in page

    web(go)


def test_who_opens_the_page_has_the_seat_back(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo, game="camelup-2014")
        people = [seat.person for seat in (await trial.house.table(table)).seats]
        await store(trial, table, event_types.SeatLent(trial.house.now(), people[0], 1, "regular"))
        assert (await ann.sees(table))["seats"][1]["lent"] == "regular"
        assert "A bot is playing for you" not in (await bo.get(f"/tables/{table}")).text
        assert (await ann.sees(table))["seats"][1]["lent"] is None
        await bo.form(f"/tables/{table}/act", {"type": "Lend", "seat": "1", "level": "random"})
        assert "Play myself" in (await bo.get(f"/tables/{table}")).text, "who asked for a bot keeps it"

    web(go)


def test_the_proof_of_the_dice_tells_whose_draws_were_voided(web):
    async def go(trial):
        ann, bo = await trial.visitor().named("Ann"), await trial.visitor().named("Bo")
        table = await trial.playing(ann, bo, game="camelup-2014")
        await roll(ann, trial, table)
        await ann.act(table, {"type": "AskBack"})
        question = (await bo.sees(table))["take_back"]["number"]
        await bo.act(table, {"type": "AnswerBack", "yes": True, "question": question})
        for visitor in (ann, bo):
            await visitor.act(table, {"type": "Resign"})
        page = (await bo.get(f"/tables/{table}")).text
        assert "<dt>Draws voided by taking back</dt><dd><bdi>Ann</bdi>: 1</dd>" in page

    web(go)
