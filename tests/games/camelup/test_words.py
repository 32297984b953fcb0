"""What players of Camel Up are told of events: a sentence for each, in the edition's words and for the game at hand."""

import json
from itertools import chain
from pathlib import Path

import pytest

import sarai
from sarai.cli import run
from sarai.core.event_sentences import sentence
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly

FIRST, SECOND = sarai.game("camelup-2014"), sarai.game("camelup-2018")
RECORDS = Path(__file__).parents[2] / "records"
TERMS = ("TILE", "TICKET", "CARD", "PYRAMID")


def told(game: sarai.Game, players: int, options: dict[str, str]) -> dict[str, list[str]]:
    """Return the sentences of a random game by event key."""
    record = play_randomly(game, players, options, seed=players)
    sentences, names = game.definition.sentences_for(players, record.options), [f"P{seat}" for seat in range(players)]
    found: dict[str, list[str]] = {}
    for state, (seat, move) in zip(record.replay(), record.moves, strict=False):
        for event in game.events(state, move, None, by=seat):
            found.setdefault(event.key, []).append(sentence(event, sentences, names))
    return found


@pytest.mark.parametrize("game", [FIRST, SECOND])
@pytest.mark.parametrize("players", [2, 7])
def test_every_event_of_a_game_has_a_sentence(game, players):
    found = told(game, players, {})
    assert found["leg_paid"]
    for text in chain(*found.values()):
        assert "{" not in text and not any(term in text for term in TERMS)


def test_the_editions_use_their_own_words():
    first, second = FIRST.definition.sentences, SECOND.definition.sentences
    assert "desert tile" in first["laid_tile"] and "spectator tile" in second["laid_tile"]
    assert "race card" in first["laid_card_hidden"] and "finish card" in second["laid_card_hidden"]
    assert set(first) == set(second)


WITH_PARTNERS = [(6, {}), (8, {"partnerships": "auto"})]
WITHOUT_PARTNERS = [(2, {}), (5, {"partnerships": "auto"}), (6, {"partnerships": "off"}), (8, {"partnerships": "off"})]


@pytest.mark.parametrize(("players", "options"), WITH_PARTNERS)
def test_with_partnerships_a_leg_is_paid_with_the_partners_best_ticket(players, options):
    assert all("for the partner's best ticket" in text for text in told(SECOND, players, options)["leg_paid"])


@pytest.mark.parametrize(("players", "options"), WITHOUT_PARTNERS)
def test_without_partnerships_no_partner_is_mentioned(players, options):
    paid = told(SECOND, players, options)["leg_paid"]
    assert paid and not any("partner" in text for text in paid)
    assert all("for bets" in text and "for the pyramid; pounds now" in text for text in paid)


def test_the_same_event_is_told_with_and_without_partnerships():
    (spec,) = (spec for spec in SECOND.definition.events if spec.key == "leg_paid")
    assert spec.args == ("seat", "bets", "pyramid", "shared", "change", "total")
    texts = {SECOND.definition.sentences_for(players, {})["leg_paid"] for players in SECOND.players}
    assert texts == {FIRST.definition.sentences["leg_paid"], SECOND.definition.sentences["leg_paid"]}
    for players in SECOND.players:
        others = SECOND.definition.sentences_for(players, {}).items() - SECOND.definition.sentences.items()
        assert {key for key, _ in others} <= {"leg_paid", "leg_paid_you"}


@pytest.mark.skipif(not COMPILED, reason="a whole game with all its boards")
@pytest.mark.parametrize(("name", "is_told"), [("camelup-2018-2", False), ("camelup-2018-3", True)])
def test_a_replay_mentions_partners_only_where_there_are_any(name, is_told, capsys, monkeypatch):
    path = RECORDS / f"{name}.sarai.json"
    assert (json.loads(path.read_text(encoding="utf-8"))["players"] >= 6) == is_told
    monkeypatch.setenv("COLUMNS", "120")
    assert run(["replay", str(path), "--all"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "for the pyramid" in out and ("for the partner's best ticket" in out) == is_told
