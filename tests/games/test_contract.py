"""Every game keeps the shared contract, for every player count and option set."""

import dataclasses
from random import Random

import pytest

import sarai
from sarai.core.kernels.compile import COMPILED
from sarai.testing import check_game, option_sets
from sarai.testing.contract import refused

CASES = [(id, players) for id in sarai.game_ids() for players in sarai.game(id).players]


@pytest.mark.parametrize(("id", "players"), CASES)
def test_contract(id, players):
    game = sarai.game(id)
    if COMPILED:
        least, most = game.players[0], game.players[-1]
        check_game(game, [players], most={least: None, most: 160}.get(players, 80))
    elif players == game.players[0]:
        check_game(game, [players], [Random(players).choice(option_sets(game, players))], most=25)


def shouting(kit, key):
    """Return a kit in which what is told under a key is no secret any more."""
    tellings = tuple(
        dataclasses.replace(telling, secret=()) if telling.key == key else telling for telling in kit.events
    )
    return dataclasses.replace(kit, events=tellings)


@pytest.mark.parametrize(
    ("id", "key"),
    [("sixnimmt", "chose"), ("sixnimmt", "dealt"), ("camelup-2014", "laid_card"), ("camelup-2018", "laid_card")],
)
def test_a_leak_in_what_is_told_is_found(id, key, monkeypatch):
    game = sarai.game(id)
    assert any(telling.key == key and telling.secret for telling in game.definition.events)
    monkeypatch.setitem(game.__dict__, "definition", shouting(game.definition, key))
    with pytest.raises(AssertionError, match="is told what its view does not show"):
        check_game(game, [3], [{}], most=120, games=3)


def test_a_leak_in_a_refusal_is_found(monkeypatch):
    game = sarai.game("sixnimmt")
    kit = dataclasses.replace(
        game.definition, facts=lambda cell, _, move: {"card": move + 1, "hands": cell["hands"].tolist()}
    )
    monkeypatch.setitem(game.__dict__, "definition", kit)
    game._starts.clear()
    with pytest.raises(AssertionError, match="a refusal tells"):
        check_game(game, [3], [{}], most=80, games=3)
    game._starts.clear()


@pytest.mark.parametrize("id", sarai.game_ids())
def test_a_broken_game_is_found(id):
    """The contract test can fail: it notices a move that is listed but refused, and one accepted but not listed."""
    game = sarai.game(id)
    state = game.start(game.players[0])
    with pytest.raises(AssertionError):
        refused(state, state.chance()[0][0] if state.actor == sarai.CHANCE else state.legal()[0], None)
