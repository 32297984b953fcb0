"""Nobody undoes, sees or decides what is not theirs: taking back, lending, and ending a game that nobody plays."""

import json
from contextlib import ExitStack

import pytest

from houses import Time, key_of, opened, playing, run
from in_memory_table import PEOPLE, SECRET, Sitting
from sarai.core.records import from_json
from sarai.table import event_types
from sarai.table.clock import DAY, ClockRule
from sarai.table.commands import (
    AddBot,
    AnswerBack,
    AskBack,
    CallOff,
    Chat,
    Lend,
    Move,
    Resign,
    Return,
    Sit,
    Start,
)
from sarai.table.decide import changes, decide
from sarai.table.dice_proof import check, history_of
from sarai.table.history_types import take_backs
from sarai.table.refusals import Refused
from sarai.table.service.presence import Presence
from sarai.table.service.room import Room
from sarai.table.table import CALL_OFF_SECONDS, LEND_SECONDS, Table
from sarai.table.takeback import ANSWER_SECONDS, MOST_GRANTED, MOST_TAKE_BACKS, find_take_back

ADA, BAT, CEM, DOV = PEOPLE[:4]
LIVE, DAYS = ClockRule("live", 1, 0), ClockRule("days", days=1)
WEEK = 7 * DAY


def refusal(sitting, person, command, later=0.0):
    """Return why a command is refused."""
    number = sitting.table.number
    with pytest.raises(Refused) as error:
        sitting.do(person, command, later)
    assert sitting.table.number == number
    return error.value.key


def table_of(game, clock=None, bot=None):
    """Begin a game of three people, or of two and a bot."""
    sitting = Sitting(game, 3, {"rounds": 1} if game == "sixnimmt" else None, clock)
    for seat, person in enumerate((ADA, BAT, CEM)):
        sitting.do(*((ADA, AddBot(seat, "random")) if seat == bot else (person, Sit(seat))))
    sitting.do(ADA, Start())
    return sitting


def act(sitting, what, seat=None):
    """Let the seat whose turn it is roll a die or bet in Camel Up."""
    table = sitting.table
    seat = table.to_act[0] if seat is None else seat
    is_roll = what == "roll"
    move = next(
        move for move in table.state.legal(seat) if (table.game.move_text(table.state, move) == "roll") is is_roll
    )
    return sitting.move(move, seat)


def choose(sitting, *seats):
    """Let seats choose their highest cards."""
    for seat in seats:
        sitting.move(sitting.table.state.legal(seat)[-1], seat)


MOVES = {  # what Ada did, and what happened since
    "a card, unseen": ("sixnimmt", lambda sitting: choose(sitting, 0, 1)),
    "a card, turned up": ("sixnimmt", lambda sitting: choose(sitting, 0, 1, 2)),
    "a die": ("camelup-2014", lambda sitting: act(sitting, "roll")),
    "a bet": ("camelup-2014", lambda sitting: act(sitting, "bet")),
    "a bet, then one of Bat": ("camelup-2014", lambda sitting: [act(sitting, "bet") for _ in range(2)]),
    "a die, then one of Bat": ("camelup-2014", lambda sitting: [act(sitting, "roll") for _ in range(2)]),
}
BAT_THEN = {  # what became of Bat: the clock, and the event
    "plays": (None, None),
    "lent the seat": (None, lambda now: event_types.SeatLent(now, BAT.id, 1, "regular")),
    "was lent by Ada": (None, lambda now: event_types.SeatLent(now, ADA.id, 1, "regular")),
    "was late by days": (DAYS, lambda now: event_types.TimeOver(now, 1, "regular")),
    "lost on time": (LIVE, lambda now: event_types.TimeOver(now, 1, "regular")),
    "gave up": (None, lambda now: event_types.Resigned(now, BAT.id, 1, "regular")),
    "is a bot": (None, None),
}
IN_GAME = ("plays", "lent the seat", "was lent by Ada", "was late by days")
GONE = ("lost on time", "gave up")
FREE, BOTH, CEM_ALONE = None, [1, 2], [2]
ASKED = {  # whom Ada has to ask: by what she takes back, and what became of Bat
    "a card, unseen": dict.fromkeys(BAT_THEN, FREE),
    "a card, turned up": dict.fromkeys(BAT_THEN, BOTH) | {"is a bot": CEM_ALONE},
    "a die": dict.fromkeys(IN_GAME, BOTH) | dict.fromkeys((*GONE, "is a bot"), CEM_ALONE),
    "a bet": dict.fromkeys(BAT_THEN, FREE),
    "a bet, then one of Bat": dict.fromkeys(BAT_THEN, BOTH) | {"is a bot": CEM_ALONE},
    "a die, then one of Bat": dict.fromkeys(BAT_THEN, BOTH) | {"is a bot": CEM_ALONE},
}


@pytest.mark.parametrize("bat", BAT_THEN)
@pytest.mark.parametrize("moves", MOVES)
def test_everybody_whose_affair_it_is_has_to_agree(moves, bat):
    (game, play), (clock, leaves) = MOVES[moves], BAT_THEN[bat]
    sitting = table_of(game, clock, bot=1 if bat == "is a bot" else None)
    start, asked = sitting.table.state, ASKED[moves][bat]
    play(sitting)
    if leaves is not None:
        sitting.store(changes(leaves(sitting.now)))
    chosen = next((step for step in sitting.table.steps if step.seat == 1), None)
    assert refusal(sitting, DOV, AskBack()) == "not_seated", "a spectator has nothing to say"
    sitting.do(ADA, AskBack())
    table = sitting.table
    if asked is FREE:
        assert table.take_back is None and all(step.seat != 0 for step in table.steps)
        assert chosen is None or chosen.move in [step.move for step in table.steps if step.seat == 1]
        return
    assert find_take_back(table, 0).asked == asked
    for person in (ADA, DOV, *([BAT] if 1 not in asked else [])):
        assert refusal(sitting, person, AnswerBack(True)) in ("no_take_back", "not_seated")
    for seat in asked:
        assert table.take_back is not None and table.state != start
        sitting.do(PEOPLE[seat], AnswerBack(True))
    assert table.take_back is None and table.state == start
    assert (table.taken_back, table.granted) == ([1, 0, 0], [1, 0, 0])


@pytest.mark.parametrize("clock", [None, LIVE, DAYS])
def test_nobody_lends_a_rival_to_take_back_alone(clock):
    """An opponent without a page for two minutes was lent, and then dice were rolled again and moves undone."""
    sitting = Sitting("camelup-2014", 2, clock=clock).begin()
    act(sitting, "roll")
    key = refusal(sitting, ADA, Lend(1), 55.0)
    assert key == ("not_away" if clock is None else "clock_decides")
    act(sitting, "bet")  # Bat's own
    sitting.store(changes(event_types.SeatLent(sitting.now, ADA.id, 1, "regular")))  # a log of before
    steps = list(sitting.table.steps)
    sitting.do(ADA, AskBack())
    assert sitting.table.steps == steps and sitting.table.take_back is not None
    sitting.store(changes(event_types.TakeBackLapsed(sitting.now)))
    assert refusal(sitting, ADA, AskBack()) == "take_back_denied"


def test_when_anything_came_out_of_a_choice_it_goes_back_to_all_hands():
    """Who chose again knew the cards of the others, which lay there."""
    sitting = table_of("sixnimmt")
    before = sitting.table.state
    choose(sitting, 2, 0, 1)  # the one who asks is not the first
    choose(sitting, 1)
    sitting.do(ADA, AskBack())
    for person in (CEM, BAT):
        sitting.do(person, AnswerBack(True))
    assert sitting.table.state == before and sitting.table.to_act == (0, 1, 2)
    assert sitting.table.steps[-1].seat < 0, "only the deal is left"


def test_a_card_that_was_chosen_again_belongs_to_the_same_choice():
    sitting = table_of("sixnimmt")
    before = sitting.table.state
    choose(sitting, 0, 1)
    sitting.do(ADA, AskBack())
    choose(sitting, 0, 2)
    sitting.do(CEM, AskBack())
    for person in (ADA, BAT):
        sitting.do(person, AnswerBack(True))
    assert sitting.table.state == before
    assert Table.fold(sitting.table.id, sitting.entries).steps == sitting.table.steps


# --- limits -----------------------------------------------------------------------------------------------------------


def test_between_people_three_are_granted_to_a_seat():
    """Dice were rolled again twelve times."""
    sitting = Sitting("camelup-2014", 2).begin()
    for _ in range(MOST_GRANTED):
        act(sitting, "roll")
        sitting.do(ADA, AskBack())
        sitting.do(BAT, AnswerBack(True))
    act(sitting, "roll")
    assert refusal(sitting, ADA, AskBack()) == "take_backs_used"
    assert sitting.table.voided == [MOST_GRANTED, 0]
    act(sitting, "bet")
    sitting.do(BAT, AskBack())
    assert sitting.table.taken_back == [3, 1], "it is the other's first, and nobody had seen anything after it"


def test_whose_rival_gave_up_is_not_alone():
    sitting = Sitting("camelup-2014", 2).begin()
    sitting.happen(changes(event_types.Resigned(sitting.now, BAT.id, 1, "regular")))  # by an old log: a bot plays on
    for _ in range(MOST_GRANTED):
        act(sitting, "roll")
        sitting.do(ADA, AskBack())
    act(sitting, "roll")
    assert refusal(sitting, ADA, AskBack()) == "take_backs_used"


@pytest.mark.parametrize("people", [1, 2])
def test_a_hundred_times_a_game_and_no_more(people):
    sitting = Sitting("sixnimmt", 2, {"rounds": 1}).begin(people)
    for _ in range(MOST_TAKE_BACKS):
        choose(sitting, 0)
        if people == 1 and sitting.table.taken_back[0] % 10 == 0:
            choose(sitting, 1)  # the bot; the cards are turned up
        sitting.do(ADA, AskBack())
    assert sitting.table.granted == [0, 0]
    choose(sitting, 0)
    assert refusal(sitting, ADA, AskBack()) == "take_backs_used"


# --- questions --------------------------------------------------------------------------------------------------------


def asked(sitting=None):
    """Begin a game of three in which Ada asks to take back a die."""
    sitting = sitting or table_of("camelup-2014")
    act(sitting, "roll")
    sitting.do(ADA, AskBack())
    return sitting


def answer(sitting, person, yes, question=None, number=None):
    """Answer a question as a client does; return the reason if that is refused."""
    try:
        sitting.happen(decide(sitting.table, AnswerBack(yes, question), person, sitting.now, number))
    except Refused as error:
        return error.key
    return None


def test_an_answer_is_to_one_question():
    sitting = asked()
    first = sitting.table.take_back.number
    sitting.do(ADA, AnswerBack(False))  # withdrawn
    sitting.do(ADA, AskBack())
    second = sitting.table.take_back.number
    assert second != first
    assert answer(sitting, BAT, True, first) == "stale"
    assert answer(sitting, BAT, False, first) == "stale"
    assert answer(sitting, BAT, True, None, first) == "stale"
    assert answer(sitting, BAT, True) == "stale", "a yes that does not say to what"
    assert answer(sitting, BAT, True, second) is None
    assert sitting.entries[-1][1].question == second
    assert answer(sitting, CEM, True, None, sitting.table.number) is None, "who knew the last event knew the question"
    assert sitting.table.taken_back == [1, 0, 0]
    assert answer(sitting, CEM, True, second) == "stale"


def test_a_question_is_withdrawn_once():
    """Bots wait for the answers: who asks and withdraws for ever would let all others wait."""
    sitting = asked()
    sitting.do(ADA, AnswerBack(False))
    sitting.do(ADA, AskBack())
    sitting.do(ADA, AnswerBack(False))
    assert refusal(sitting, ADA, AskBack()) == "take_back_denied"


def test_a_no_is_taken_from_old_clients_too():
    sitting = asked()
    assert answer(sitting, CEM, False) is None
    assert sitting.table.take_back is None and refusal(sitting, ADA, AskBack()) == "take_back_denied"


def test_a_yes_is_not_for_moves_that_are_made_after_it():
    sitting = asked()
    sitting.do(CEM, AnswerBack(True))
    question = sitting.table.take_back.number
    act(sitting, "bet")  # Bat plays on
    assert sitting.table.take_back is None
    assert answer(sitting, BAT, True, question) == "stale"
    sitting.do(ADA, AskBack())
    sitting.do(BAT, AnswerBack(True))
    assert sitting.table.take_back is not None, "Cem is asked again"


@pytest.mark.parametrize("leaves", [lambda now: event_types.Resigned(now, CEM.id, 2, "regular"), None])
def test_a_question_ends_when_who_was_asked_gives_up_or_a_minute_has_passed(leaves):
    sitting = asked()
    question = sitting.table.take_back.number
    sitting.do(BAT, AnswerBack(True))
    if leaves is None:
        sitting.now += ANSWER_SECONDS
        assert answer(sitting, CEM, True, question) == "no_take_back"
    else:
        sitting.store(changes(leaves(sitting.now)))
        assert answer(sitting, CEM, True, question) == "stale"
        sitting.do(ADA, AskBack())
        sitting.do(BAT, AnswerBack(True))
    assert sitting.table.taken_back == [int(leaves is not None), 0, 0]


def test_old_events_are_read():
    entries = [
        b'{"type":"TakeBackAnswered","at":1.0,"by":"b","seat":1,"yes":true}',
        b'{"type":"TakenBack","at":1.0,"seat":1,"numbers":[4]}',
    ]
    assert [event_types.encode(event_types.decode(entry)) for entry in entries] == entries
    sitting = asked()
    numbers = find_take_back(sitting.table, 0).numbers
    old = json.dumps({"type": "TakenBack", "at": 1.0, "seat": 0, "numbers": numbers})
    sitting.store(changes(event_types.decode(old.encode())))
    assert sitting.table.granted == [1, 0, 0], "it follows a question, so it was granted"


# --- voided draws are told --------------------------------------------------------------------------------------------


def test_a_record_tells_whose_draws_were_voided(tmp_path, capsys):
    from sarai.cli.verify import verify

    sitting = asked(asked())  # the second time Bat's turn has come
    for person in (BAT, CEM):
        sitting.do(person, AnswerBack(True))
    act(sitting, "bet")
    act(sitting, "roll")
    sitting.do(BAT, AskBack())
    for person in (ADA, CEM):
        sitting.do(person, AnswerBack(True))
    for person in (ADA, BAT, CEM):
        sitting.do(person, Resign())
    record = from_json(json.loads(json.dumps(sitting.table.record(None))))
    check(record)
    times, voided = take_backs(history_of(record))
    assert ([times[seat] for seat in range(3)], [voided[seat] for seat in range(3)]) == (
        sitting.table.taken_back,
        sitting.table.voided,
    )
    assert sitting.table.voided[0] and sitting.table.voided[1]
    record.save(tmp_path / "game.sarai.json")
    verify(tmp_path / "game.sarai.json")
    said = " ".join(capsys.readouterr().out.split())
    for seat, name in enumerate(("Ada", "Bat")):
        assert f"{name}: {times[seat]} taken back, {voided[seat]} draws voided by that." in said
    assert "Cem:" not in said


def test_a_record_names_the_player_who_took_back_a_choice():
    sitting = table_of("sixnimmt")
    choose(sitting, 1, 2, 0)
    sitting.do(ADA, AskBack())
    for person in (BAT, CEM):
        sitting.do(person, AnswerBack(True))
    for person in (ADA, BAT, CEM):
        sitting.do(person, Resign())
    record = json.loads(json.dumps(sitting.table.record(None)))
    place = record["fairness"]["taken_back"][0]
    first, *others = record["fairness"]["history"][place]
    assert record["fairness"]["history"][first][0] == 0 and others == sorted(others) and len(others) == 2
    assert take_backs(history_of(from_json(record)))[0] == {0: 1}


# --- lending ----------------------------------------------------------------------------------------------------------


def room_of(clock=None, players=2):
    """Begin a game of Camel Up, Ada to act: the room, and a presence with the sitting's time."""
    sitting = Sitting("camelup-2014", players, clock=clock).begin()
    return sitting, Room(sitting.table, SECRET, sitting.now), Presence(lambda: sitting.now)


LENDING = {  # how long Ada has been to act, what she did, whether Bat may lend her seat then
    "not long enough": (LEND_SECONDS - 1, "", False),
    "long enough": (LEND_SECONDS, "", True),
    "a page is open": (LEND_SECONDS, "page", False),
    "a page was open until a moment ago": (LEND_SECONDS, "left", False),
    "she wrote a line": (LEND_SECONDS, "chat", False),
    "she did something elsewhere": (LEND_SECONDS, "elsewhere", False),
    "the house was started anew": (LEND_SECONDS, "restart", False),
    "she lent it herself": (LEND_SECONDS, "lent", False),
    "she gave up": (LEND_SECONDS, "resigned", False),
    "a clock runs": (LEND_SECONDS, "clock", False),
}


@pytest.mark.parametrize("case", LENDING)
def test_when_others_may_lend_a_seat(case):
    seconds, what, may_lend = LENDING[case]
    sitting, room, presence = room_of(DAYS if what == "clock" else None)
    began = sitting.table.decision_since(0)
    room.opened = began - 1000
    sitting.now = began + seconds / 2
    with ExitStack() as stack:
        if what == "page":
            stack.enter_context(presence.page(ADA.id))
        elif what == "left":
            with presence.page(ADA.id):
                pass
        elif what == "elsewhere":
            presence.saw(ADA.id)
        elif what == "restart":
            room = Room(sitting.table, SECRET, sitting.now)
        elif what:
            command = {"chat": Chat("soon"), "lent": Lend(0), "resigned": Resign(), "clock": Chat("soon")}[what]
            sitting.do(ADA, command, 0.0)
        sitting.now = began + seconds
        if what == "page":
            presence.saw(ADA.id)  # its browser asks again every minute
        assert room.lendable(presence, sitting.now) == ([0] if may_lend else [])
        if may_lend:
            room.require_lendable(0, BAT.id, presence, sitting.now)
            sitting.do(BAT, Lend(0, "random"), 0.0)
            assert sitting.table.seats[0].lent == "regular", "nobody chooses a bad bot for a rival"
        else:
            with pytest.raises(Refused):
                room.require_lendable(0, BAT.id, presence, sitting.now)
        room.require_lendable(1, BAT.id, presence, sitting.now)  # one's own at any time


def test_who_is_not_to_act_is_not_lent():
    sitting, room, presence = room_of()
    assert refusal(sitting, ADA, Lend(1), LEND_SECONDS) == "not_away"
    assert room.lendable(presence, sitting.now) == [0]
    assert refusal(sitting, DOV, Lend(0)) == "not_seated"
    sitting.happen(changes(event_types.Resigned(sitting.now, BAT.id, 1, "regular")))
    assert refusal(sitting, BAT, Lend(0)) == "seat_lost"


@run
async def test_who_was_away_for_two_minutes_keeps_the_seat(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, _), table = await playing(house)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        time.now += 120
        assert (await house.absent(id)).away == [0, 1] and (await house.absent(id)).lendable == []
        assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += LEND_SECONDS
        assert (await house.absent(id)).lendable == [1]
    async with opened(file, now=time) as house:  # who was here before is not known any more
        await house.games.wait("sixnimmt")
        assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += LEND_SECONDS
        await house.act(id, ada, Lend(1))
        assert (await house.table(id)).seats[1].lent == "regular"


@run
async def test_who_comes_back_has_the_seat_at_once(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        room = await house.rooms.get(id)

        async def lend():
            table.seats[1].lent = None
            async with room.lock:
                await house.rooms.commit(room, changes(event_types.SeatLent(time.now, ada.id, 1, "regular")))

        await house.act(id, ada, Move(table.state.legal(0)[0]))
        question = event_types.TakeBackAsked(time.now, ada.id, 0)  # bots wait meanwhile
        async with room.lock:
            await house.rooms.commit(room, changes(question))
        await lend()
        await house.arrive(id, bat)
        assert table.seats[1].lent is None
        await lend()
        await house.arrive(id, bat)  # another page, while one whose network is gone still counts
        assert table.seats[1].lent is None
        await lend()
        await house.come_back(id, bat)  # without JavaScript
        assert table.seats[1].lent is None
        await lend()
        await house.act(id, bat, Move(table.state.legal(1)[0]))  # a program
        assert table.seats[1].lent is None and [step.by for step in table.steps if step.seat == 1] == [bat.id]
        await house.act(id, bat, Lend(1))
        await house.come_back(id, bat)
        assert table.seats[1].lent is not None, "who lent the own seat says when to play again"


# --- ending a game that nobody plays ----------------------------------------------------------------------------------

ENDING = {  # the clock, who asks about which seat when, why not
    "in a week": (None, BAT, 0, WEEK, None),
    "too early": (None, BAT, 0, WEEK - 1, "not_overdue"),
    "a clock runs": (ClockRule("days", days=30), BAT, 0, WEEK, "not_overdue"),
    "the one who let the others wait": (None, ADA, 0, WEEK, "not_overdue"),
    "not to act": (None, ADA, 1, WEEK, "not_overdue"),
    "no such seat": (None, BAT, 7, WEEK, "no_such_seat"),
    "a spectator": (None, DOV, 0, WEEK, "not_seated"),
}


@pytest.mark.parametrize("case", ENDING)
def test_when_a_game_may_be_ended_without_a_result(case):
    clock, person, seat, later, key = ENDING[case]
    sitting, _, _ = room_of(clock)
    sitting.now = sitting.table.decision_since(0)
    if key is not None:
        assert refusal(sitting, person, CallOff(seat), later) == key
        return
    sitting.do(person, CallOff(seat), later)
    table = sitting.table
    assert (table.phase, table.ending, table.result, table.secret) == ("over", "called_off", None, SECRET)
    assert table.seen(None)[-1].event.key == "called_off"
    assert Table.fold(table.id, sitting.entries).record(None) == table.record(None)
    check(from_json(table.record(None)))


@pytest.mark.parametrize("what", ["move", "lent", "gave up"])
def test_a_game_that_goes_on_is_not_ended(what):
    sitting, _, _ = room_of(players=3)
    sitting.now = sitting.table.decision_since(0) + WEEK - 1
    if what == "move":
        act(sitting, "bet")
    else:
        sitting.do(ADA, Lend(0) if what == "lent" else Resign())
    assert refusal(sitting, CEM, CallOff(0), 2.0) == "not_overdue"
    assert CALL_OFF_SECONDS == WEEK


def test_who_gave_up_ends_nothing():
    sitting, _, _ = room_of(players=3)
    sitting.do(BAT, Resign())
    assert refusal(sitting, BAT, CallOff(0), WEEK) == "seat_lost"
    sitting.do(CEM, CallOff(0))
    for command in (Lend(0), Return(), AskBack(), CallOff(0)):
        assert refusal(sitting, ADA, command) == "not_playing"
