"""The score sheet of a finished game: it adds up to the result, in every game, and pages show it."""

import random
from itertools import pairwise

import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.result import CHANCE
from sarai.table import commands
from sarai.table.event_types import TABLE_SENTENCES
from sarai.table.table import FINISHED
from sarai.table.visible_events import fields_of
from sarai.web.language import find_language
from sarai.web.live.event_log import EventLog
from sarai.web.live.result import result
from sarai.web.live.score_sheet import read_sheet, score_sheet, spread
from sarai.web.live.viewer import Viewer

ENGLISH = find_language("en")


def played(game, players, seed, options=None, ask_back=False):
    """A table at which a game was played to its end at random."""
    sitting, rng = Sitting(game, players, options), random.Random(seed)
    sitting.begin()
    while sitting.table.phase != FINISHED:
        state = sitting.table.state
        assert state.actor != CHANCE
        seat = state.actor
        sitting.do(PEOPLE[seat], commands.Move(rng.choice(state.legal(seat))))
        if ask_back and rng.random() < 0.15 and sitting.table.phase != FINISHED:
            sitting.do(PEOPLE[seat], commands.AskBack())
            for other in range(players):
                if sitting.table.take_back is not None and other != seat:
                    sitting.do(PEOPLE[other], commands.AnswerBack(True))
            ask_back = sitting.table.taken_back[seat] < 3
    return sitting.table


@pytest.mark.parametrize("game", sarai.game_ids())
@pytest.mark.parametrize("ask_back", [False, True])
def test_the_sources_and_the_course_of_every_game_come_to_its_result(game, ask_back):
    for seed in range(2):
        table = played(game, random.Random(seed).choice(sarai.game(game).players[:4]), seed, ask_back=ask_back)
        sheet = read_sheet(table, ENGLISH)
        totals = [sum(row.points[seat] for row in sheet.sources) for seat in range(table.players)]
        assert totals == table.result.scores
        assert list(sheet.course[-1].points) == table.result.scores
        assert len(sheet.course) > 1
        assert len({row.label for row in sheet.course}) == len(sheet.course)


def as_seen(table, seat):
    return result(table, Viewer(seat, False, True, "en", ""), ENGLISH, score_sheet(table, seat, ENGLISH))


def test_the_result_says_ones_place_in_words_and_shows_table_and_chart():
    table = played("desert", 4, 1)
    ranks = table.result.ranks
    assert sorted(ranks) == [1, 2, 3, 4]
    assert "You win!" in as_seen(table, ranks.index(1))
    assert "You came second of four." in as_seen(table, ranks.index(2))
    assert "You came fourth of four." in as_seen(table, ranks.index(4))
    watched = as_seen(table, None)
    assert "You " not in watched and "confetti" not in watched
    assert 'class="confetti" aria-hidden="true"' in as_seen(table, ranks.index(1))
    assert watched.count("<polyline") == 4 and 'role="img" aria-label="Points: how they stood"' in watched
    assert '<th scope="row">Oases</th>' in watched and '<th scope="row">Round 1</th>' in watched


def test_camel_up_says_which_camel_won_and_which_came_last():
    table = played("camelup-2014", 3, 1)
    (over,) = [event.args for _, event in table.seen(None) if event.key == "race_over"]
    said = f"The race is over: the {over['first']} camel wins, the {over['last']} camel loses."
    assert f'<p class="note">{said}</p>' in as_seen(table, 0)


def test_names_at_the_ends_of_lines_do_not_cover_each_other():
    for heights in ([10.0, 11.0, 12.0], [166.0] * 10, [100.0, 100.0, 20.0]):
        placed = sorted(spread(heights))
        assert all(after - before >= 15 for before, after in pairwise(placed))
        assert placed[-1] <= 184


def test_the_log_says_you_to_the_seat_that_reads_it_and_a_name_to_others():
    sitting = Sitting("sixnimmt", 2, {"rounds": 1}).begin().play(4)
    own, other, watching = (EventLog(sitting.table, seat, ENGLISH) for seat in (0, 1, None))
    for log in (own, other, watching):
        log.update(sitting.table)
    text = "".join(own.lines)
    assert "You choose" in text and "You turn up" in text and "Ada" not in text and "<bdi>Bat</bdi> turns up" in text
    assert "<bdi>Ada</bdi> turns up" in "".join(other.lines)
    assert "You" not in "".join(watching.lines)


@pytest.mark.parametrize("game", sarai.game_ids())
def test_every_sentence_about_a_seat_has_one_for_that_seat_with_the_same_facts(game):
    definition = sarai.game(game).definition
    grouped = {*definition.grouped}
    for players in (sarai.game(game).players[0], sarai.game(game).players[-1]):
        sentences = {**definition.sentences_for(players, sarai.game(game).resolve_options(players)), **TABLE_SENTENCES}
        for key, text in sentences.items():
            if "seat" in fields_of(text) and key not in grouped and not key.endswith(("_hidden", "_with_you")):
                assert fields_of(sentences[f"{key}_you"]) == fields_of(text) - {"seat"}, key
                if "partner" in fields_of(text):
                    assert fields_of(sentences[f"{key}_with_you"]) == fields_of(text) - {"partner"}, key
