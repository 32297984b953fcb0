"""Words for the dice: committed to, opened when the game begins, lost by who does not open. `docs/fair-dice.md`"""

import asyncio
from itertools import combinations
from types import SimpleNamespace

import pytest

from houses import ONE_ROUND, Time, opened, run, same, seated, stored, tick
from in_memory_table import PEOPLE, SECRET, Sitting
from quick_bots import QuickBots
from sarai.core import fair_dice
from sarai.core.records import from_json
from sarai.table import event_types
from sarai.table.bots.pool import READY, Progress
from sarai.table.command_checks import changes
from sarai.table.commands import (
    AddBot,
    Ban,
    Chat,
    Close,
    CommitWord,
    GiveWord,
    OpenWord,
    RemoveBot,
    RemovePerson,
    Resign,
    Sit,
    Stand,
    Start,
)
from sarai.table.decide_dice_words import end_waiting
from sarai.table.dice_proof import check
from sarai.table.dice_word_commitments import GivenWord, draw_lines, read_words
from sarai.table.dice_words import OPEN_SECONDS
from sarai.table.refusals import Refused
from sarai.table.service.waiting_turns import WaitingTurns
from sarai.table.table import Table

ADA, BAT, CEM, DOV = PEOPLE[:4]


def word(seat, text="word", serial=0):
    """Return a word that a seat could give; another one for each serial number."""
    return GivenWord(seat, f"{serial:032x}", f"{text} {seat}")


def opening(word):
    return OpenWord(word.nonce, word.word)


def gathered(players=3, people=3, words=3):
    """Return a table at which all sit, bots on the last seats, and the first of them committed to words."""
    sitting = Sitting(players=players, options=ONE_ROUND)
    for seat in range(players):
        sitting.do(PEOPLE[seat] if seat < people else ADA, Sit(seat) if seat < people else AddBot(seat, "random"))
    for seat in range(words):
        sitting.do(PEOPLE[seat], CommitWord(word(seat).commitment))
    return sitting


def refusal(sitting, person, command):
    before, entries = repr(vars(sitting.table)), len(sitting.entries)
    with pytest.raises(Refused) as refused:
        sitting.do(person, command, later=0.0)
    assert len(sitting.entries) == entries and repr(vars(sitting.table)) == before
    return refused.value.key


def wait(sitting, seconds=OPEN_SECONDS):
    """Let time pass, and let the house go on without those who are late; return whether it did."""
    sitting.now += seconds
    late = end_waiting(sitting.table, sitting.now)
    if late:
        sitting.happen(late)
    return bool(late)


def proven(sitting):
    """End a game, check its record, and return what it says about words."""
    for person in PEOPLE[: sitting.table.players]:
        if sitting.table.phase == "playing" and sitting.table.seat_of(person.id) is not None:
            sitting.do(person, Resign())
    record = from_json(sitting.table.record(None))
    assert check(record) > 0
    again = Table.fold(sitting.table.id, sitting.entries)
    assert again.record(None) == sitting.table.record(None) and again.dice == sitting.table.dice
    return read_words(record.fairness, record.players)


# --- who opens --------------------------------------------------------------------------------------------------------


def test_all_open_and_the_game_begins_with_their_words_in_the_order_of_seats():
    sitting = gathered(4, 3, 2)
    sitting.do(ADA, Start())
    assert sitting.table.phase == "gathering" and sitting.table.dice.waits_for == [0, 1]
    sitting.do(BAT, opening(word(1)))
    assert sitting.table.phase == "gathering" and sitting.table.drawn == 0, "nothing is drawn before all are open"
    sitting.do(ADA, opening(word(0)))
    assert sitting.table.phase == "playing" and sitting.table.dice_words == draw_lines([word(0), word(1)])
    found = proven(sitting)
    assert (found.version, found.rounds, list(found.given)) == (2, 1, [word(0), word(1)])


def test_without_commitments_a_game_begins_at_once():
    sitting = gathered(words=0)
    sitting.do(ADA, Start())
    assert sitting.table.phase == "playing"
    assert proven(sitting).rounds == 0


def test_who_does_not_open_is_named_and_the_others_commit_anew():
    sitting = gathered()
    sitting.do(ADA, Start())
    sitting.do(ADA, opening(word(0)))
    sitting.do(CEM, opening(word(2)))
    assert not wait(sitting, OPEN_SECONDS - 2.1), "there is time left"
    assert wait(sitting)
    dice = sitting.table.dice
    assert (dice.lost_seats, dice.waits_for, dice.is_renewing) == ([1], [0, 2], True)
    assert refusal(sitting, BAT, CommitWord(word(1, serial=1).commitment)) == "word_is_lost"
    assert refusal(sitting, BAT, opening(word(1))) == "word_is_lost"
    assert refusal(sitting, ADA, opening(word(0))) == "no_opening"
    fresh = [word(seat, serial=1) for seat in range(3)]
    sitting.do(CEM, CommitWord(fresh[2].commitment))
    sitting.do(ADA, CommitWord(fresh[0].commitment))
    assert dice.round == 2 and dice.waits_for == [0, 2] and not dice.is_renewing
    assert refusal(sitting, ADA, opening(word(0))) == "other_word", "the old words are burnt"
    for seat in (0, 2):
        sitting.do(PEOPLE[seat], opening(fresh[seat]))
    assert sitting.table.dice_words == draw_lines([fresh[0], fresh[2]])
    assert [shown.event.key for shown in sitting.table.seen(None)][:1] == ["word_lost"]
    found = proven(sitting)
    assert (found.rounds, found.lost, found.missing) == (2, [(1, 1)], [])


def test_who_does_not_commit_anew_gives_no_word():
    sitting = gathered()
    sitting.do(ADA, Start())
    sitting.do(ADA, opening(word(0)))
    sitting.do(CEM, opening(word(2)))
    wait(sitting)
    sitting.do(ADA, CommitWord(word(0, serial=1).commitment))
    assert wait(sitting)
    assert (sitting.table.dice.missing, sitting.table.dice.waits_for) == ([2], [0])
    assert refusal(sitting, CEM, CommitWord(word(2, serial=1).commitment)) == "words_opening"
    sitting.do(ADA, opening(word(0, serial=1)))
    found = proven(sitting)
    assert (found.rounds, found.lost, found.missing) == (2, [(1, 1)], [2])


@pytest.mark.parametrize("recommit", [False, True])
def test_if_nobody_is_left_the_game_begins_without_words(recommit):
    sitting = gathered(2, 2, 2)
    sitting.do(ADA, Start())
    if recommit:
        sitting.do(ADA, opening(word(0)))
        wait(sitting)
        assert sitting.table.dice.waits_for == [0]
    assert wait(sitting)
    assert sitting.table.phase == "playing" and sitting.table.dice_words == draw_lines([])
    found = proven(sitting)
    assert (found.rounds, found.given) == (1, [])
    assert (len(found.lost), found.missing) == ((1, [0]) if recommit else (2, []))


def deal(words):
    """Return what the house's secret and words give, as the house could foresee it."""
    return tuple(fair_dice.number_below(SECRET, draw_lines(words), counter, 104) for counter in range(4))


@pytest.mark.parametrize("dishonest", [seats for count in range(4) for seats in combinations(range(1, 4), count)])
def test_k_dishonest_seats_choose_among_at_most_k_and_one_deals(dishonest):
    """They know the house's secret, open last, and open only what suits them, one after the other."""
    sitting = gathered(4, 4, 4)
    serial, deals, held = 0, [], {seat: word(seat) for seat in range(4)}
    sitting.do(ADA, Start())
    while sitting.table.phase == "gathering":
        dice = sitting.table.dice
        if dice.is_renewing:
            serial += 1
            held = {seat: word(seat, serial=serial) for seat in dice.asked}
            for seat, fresh in held.items():
                sitting.do(PEOPLE[seat], CommitWord(fresh.commitment))
            continue
        deals.append(deal([held[seat] for seat in dice.asked]))
        for seat in dice.waits_for:
            if seat not in dishonest:
                sitting.do(PEOPLE[seat], opening(held[seat]))
        cheats = [seat for seat in dice.waits_for if seat in dishonest]
        for seat in cheats[1:]:  # the first of them withholds its word, for no deal is good enough
            sitting.do(PEOPLE[seat], opening(held[seat]))
        if cheats:
            wait(sitting)
    assert len(deals) == len(set(deals)) == len(dishonest) + 1
    assert deal(sitting.table.dice.given) == deals[-1], "and they got the last one"
    assert [seat for seat, _ in proven(sitting).lost] == list(dishonest)


# --- what can be asked meanwhile --------------------------------------------------------------------------------------


def opened_by_one():
    sitting = gathered(4, 3, 3)
    sitting.do(ADA, Start())
    sitting.do(BAT, opening(word(1)))
    return sitting


def renewing():
    sitting = opened_by_one()
    sitting.do(ADA, opening(word(0)))
    wait(sitting)
    return sitting


@pytest.mark.parametrize("table", [opened_by_one, renewing])
@pytest.mark.parametrize(
    ("person", "command"),
    [
        (BAT, Stand()),
        (BAT, Sit(0)),
        (DOV, Sit()),
        (ADA, AddBot()),
        (ADA, RemoveBot(3)),
        (ADA, RemovePerson(1)),
        (ADA, Ban(1)),
        (ADA, Close()),
        (ADA, Start()),
        (BAT, GiveWord("plain")),
    ],
)
def test_nothing_that_would_begin_the_opening_anew_can_be_done(table, person, command):
    assert refusal(table(), person, command) == "words_opening"


def test_time_that_was_nobodys_does_not_count():
    sitting = opened_by_one()
    due, since = sitting.table.dice.due, sitting.now + 1
    sitting.now += 7200
    sitting.happen(changes(event_types.Paused(sitting.now, since)))
    assert sitting.table.dice.due == due + sitting.now - since
    assert not wait(sitting, 1.0)
    sitting.do(ADA, opening(word(0)))


def test_a_person_who_sits_down_has_no_word_of_another():
    sitting = gathered(3, 2, 2)
    for person, command in ((BAT, Stand()), (CEM, Sit(1))):
        sitting.do(person, command)
    assert sorted(sitting.table.dice.commitments) == [0]


def test_commitments_are_fixed_when_the_opening_begins():
    sitting = opened_by_one()
    for person, seat in ((ADA, 0), (BAT, 1)):
        assert refusal(sitting, person, CommitWord(word(seat, serial=9).commitment)) == "words_opening"
    assert refusal(sitting, BAT, opening(word(1))) == "no_opening", "a word is opened once"
    sitting.do(BAT, Chat("talk is free"))


def test_a_commitment_may_be_changed_before_and_goes_with_the_seat():
    sitting = gathered(4, 3, 3)
    sitting.do(ADA, CommitWord(word(0, serial=5).commitment))
    assert sitting.table.dice.commitments[0] == word(0, serial=5).commitment
    sitting.do(ADA, RemoveBot(3))
    sitting.do(BAT, Sit(3))
    sitting.do(CEM, Stand())
    assert sorted(sitting.table.dice.commitments) == [0]


@pytest.mark.parametrize(
    "digest", ["", "AB" * 32, "ab" * 31, "ab" * 33, "zz" * 32, "ab" * 500_000, "٣" * 64, "ab" * 32 + "\n"]
)
def test_digests_of_another_form_are_refused(digest):
    assert refusal(gathered(), ADA, CommitWord(digest)) == "bad_digest"


@pytest.mark.parametrize(
    ("nonce", "text", "key"),
    [
        (word(0).nonce, "other", "other_word"),
        ("0f" * 16, word(0).word, "other_word"),
        (word(1).nonce, word(1).word, "other_word"),
        ("", word(0).word, "bad_nonce"),
        ("0A" * 16, word(0).word, "bad_nonce"),
        ("0a" * 33, word(0).word, "bad_nonce"),
        ("0a" * 15, word(0).word, "bad_nonce"),
        (word(0).nonce, "", "word_empty"),
        (word(0).nonce, "x" * 41, "word_too_long"),
        (word(0).nonce, "x" * 1_000_000, "word_too_long"),
        (word(0).nonce, "two\nlines", "word_unprintable"),
        (word(0).nonce, "two\u2028lines", "word_unprintable"),
    ],
)
def test_a_wrong_opening_is_refused_and_does_not_count(nonce, text, key):
    sitting = gathered()
    sitting.do(ADA, Start())
    assert refusal(sitting, ADA, OpenWord(nonce, text)) == key
    sitting.do(ADA, opening(word(0)))
    assert sitting.table.dice.waits_for == [1, 2]


def test_commands_of_people_and_tables_that_have_no_words():
    sitting = gathered(words=1)
    assert refusal(sitting, DOV, CommitWord("ab" * 32)) == "not_seated"
    assert refusal(sitting, DOV, OpenWord("0a" * 16, "x")) == "not_seated"
    assert refusal(sitting, ADA, opening(word(0))) == "no_opening"
    sitting.do(ADA, Start())
    assert refusal(sitting, BAT, OpenWord("0a" * 16, "x")) == "no_opening"
    sitting.do(ADA, opening(word(0)))
    assert refusal(sitting, ADA, CommitWord("ab" * 32)) == "already_started"
    assert refusal(sitting, ADA, opening(word(0))) == "already_started"


def test_tables_of_version_1_go_on_by_it():
    sitting = Sitting(options=ONE_ROUND, fairness=1)
    assert '"fairness"' not in event_types.encode(sitting.entries[0][1]).decode(), (
        "so their logs are the same bytes as before"
    )
    sitting.do(ADA, Sit())
    assert refusal(sitting, ADA, CommitWord("ab" * 32)) == "words_are_plain"
    for text, key in ((" ", "word_empty"), ("a\nb", "word_unprintable"), ("x" * 41, "word_too_long")):
        assert refusal(sitting, ADA, GiveWord(text)) == key
    sitting.do(ADA, GiveWord("sand"))
    sitting.do(BAT, Sit())
    sitting.do(ADA, Start())
    assert sitting.table.dice_words == ["sand"]
    found = proven(sitting)
    assert (found.version, found.lines) == (1, ["sand"])


# --- in a house -------------------------------------------------------------------------------------------------------


async def asked(house, people=2):
    """Return a table whose players were asked to open their words."""
    id, known = await seated(house, people)
    for seat, person in enumerate(known):
        await house.act(id, person, CommitWord(word(seat).commitment))
    await house.act(id, known[0], Start())
    return id, known


@run
async def test_time_for_opening_runs_out_and_the_game_begins_by_itself(file):
    async with opened(file) as house:
        id, (ada, _bat) = await asked(house)
        table = await house.table(id)
        await house.act(id, ada, opening(word(0)))
        house.now.now += OPEN_SECONDS - 1
        await tick(house)
        assert table.dice.lost == []
        house.now.now += 1.5
        await tick(house)
        assert table.dice.lost_seats == [1] and table.phase == "gathering"
        fresh = word(0, serial=1)
        await house.act(id, ada, CommitWord(fresh.commitment))
        await house.act(id, ada, opening(fresh))
        assert table.phase == "playing" and table.dice_words == draw_lines([fresh])
        same(table, await stored(house, id))


@run
async def test_after_a_restart_there_is_the_whole_time_again_and_then_it_runs_out(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat) = await asked(house)
        await house.act(id, ada, opening(word(0)))
    time.now += 3600
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")  # without its rules a game would wait to begin
        await tick(house)
        assert (await house.table(id)).dice.lost == [], "nobody could open while the house was down"
        time.now += OPEN_SECONDS - 1
        await house.act(id, bat, opening(word(1)))
        table = await house.table(id)
        assert table.phase == "playing" and table.dice_words == draw_lines([word(0), word(1)])
        same(table, await stored(house, id))


@run
async def test_a_table_that_nobody_opens_after_a_restart_goes_on_too(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, _ = await asked(house)
    async with opened(file, now=time) as house:
        time.now += OPEN_SECONDS + 1
        while house.rooms.find(id) is None or house.rooms.find(id).table.phase == "gathering":
            await tick(house)
            await asyncio.sleep(0.01)
        assert house.rooms.find(id).table.dice.lost_seats == [0, 1]


class SlowBots(QuickBots):
    """Bots whose rules are ready when a test says so."""

    progress = Progress(False, "start", 1, 12)

    def status(self, _):
        return self.progress


@run
async def test_words_are_asked_for_when_the_rules_are_ready(file):
    slow = SlowBots()
    async with opened(file, slow) as house:
        ada = await house.people.new_person("Ada")
        id = await house.create(ada, "sixnimmt", 2, ONE_ROUND)
        for command in (Sit(), AddBot(level="random"), CommitWord("ab" * 32), Start()):
            await house.act(id, ada, command)
        table = await house.table(id)
        assert table.starting and not table.dice.is_running
        await house.act(id, ada, CommitWord(word(0).commitment))
        slow.progress = READY
        await house.games.wait("sixnimmt")
        while not table.dice.is_running:
            await asyncio.sleep(0.01)
        assert not table.starting and table.dice.waits_for == [0]
        await house.act(id, ada, opening(word(0)))
        assert table.phase == "playing"


@run
async def test_a_game_whose_words_are_open_waits_for_its_rules_after_a_restart(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat) = await asked(house)
        await house.act(id, ada, opening(word(0)))
    slow = SlowBots()
    async with opened(file, slow, now=time) as house:
        await house.act(id, bat, opening(word(1)))
        table = await house.table(id)
        assert table.phase == "gathering" and table.starting and table.dice.is_running
        with pytest.raises(Refused) as refused:
            await house.act(id, bat, Stand())
        assert refused.value.key == "words_opening"
        slow.progress = READY
        await house.games.wait("sixnimmt")
        while table.phase == "gathering":
            await asyncio.sleep(0.01)
        assert table.dice_words == draw_lines([word(0), word(1)])


@pytest.mark.program
@run
async def test_two_houses_end_the_waiting_once(shared):
    time = Time()
    async with opened(shared, now=time) as one, opened(shared, now=time) as two:
        id, (_ada, bat) = await asked(one)
        await two.games.wait("sixnimmt")
        await two.act(id, bat, opening(word(1)))
        time.now += OPEN_SECONDS + 1
        await asyncio.gather(one.background.tick(), two.background.tick())
        for house in (one, two):
            await tick(house)
        events = [entry.event for entry in await one.store.log(id)]
        assert [event.seats for event in events if isinstance(event, event_types.WordsFailed)] == [[0]]
        fresh = word(1, serial=1)
        await one.act(id, bat, CommitWord(fresh.commitment))
        number = await two.act(id, bat, opening(fresh))
        await one.background.catch_up(id, number)
        table, other = await one.table(id), await two.table(id)
        assert table.phase == other.phase == "playing" and table.dice_words == draw_lines([fresh])
        same(table, other)


@run
async def test_browsers_of_people_are_told_that_a_word_is_wanted_and_people_are_not(file):
    async with opened(file) as house:
        told = []
        house.turns.on_turn.append(lambda person, *_: told.append(person))
        id, (ada, bat) = await asked(house)
        assert [(turn.table, turn.for_word) for turn in house.turns.of(bat.id)] == [(id, True)]
        rooms = SimpleNamespace(find=lambda _: None, of=lambda _: ())
        again = WaitingTurns(house.store, house._tasks, rooms)  # another process, which has read the index
        await house.store.writer.write_index()
        await again.load(bat.id)
        assert [turn.for_word for turn in again.of(bat.id)] == [True]
        assert not (await house.tables(of=bat))[0].my_turn
        await house.act(id, bat, opening(word(1)))
        assert house.turns.of(bat.id) == [] and told == []
        await house.act(id, ada, opening(word(0)))
        assert sorted(told) == sorted([ada.id, bat.id]), "of their turns in the game they are"
        assert not any(turn.for_word for turn in house.turns.of(ada.id))
