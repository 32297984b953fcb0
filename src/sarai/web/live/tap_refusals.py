"""Why something that was tapped on a board cannot be chosen: by the rules' own reasons, as the viewer knows them."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from sarai.core.board import Meaning, Scene, Tap
from sarai.core.errors import Illegal
from sarai.core.messages import Said
from sarai.core.refusal_sentences import say_refusal
from sarai.table.table import PLAYING
from sarai.web.language import Language, isolated
from sarai.web.live.board import board_module, scene_of
from sarai.web.live.status_players_actions import sentences

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

    from sarai.core.game import Game
    from sarai.core.state_and_view import State
    from sarai.table.table import Table

MOST_REASONS = 3  # that are told together
MOST_IDS, LONGEST_ID = 12, 40  # of the elements around a tap


def read_tap(query: QueryParams) -> Tap:
    """Read where somebody tapped; what cannot be read is left out."""
    ids = [id for id in query.getlist("at")[:MOST_IDS] if len(id) <= LONGEST_ID]
    pick = query.get("pick", "")
    try:
        x, y = float(query["x"]), float(query["y"])
    except (KeyError, ValueError):
        return Tap(ids, pick)
    return Tap(ids, pick, (x, y) if isfinite(x) and isfinite(y) else None)


def answer_tap(table: Table, seat: int | None, tap: Tap, language: Language) -> Markup | None:
    """Say why a tap is no move, None if there is nothing to say.

    The rules are asked about a state that is drawn, always alike, from the seat's view: the answer says nothing that
    the seat does not know, whatever reason the rules look at first.
    """
    if seat is None or table.phase != PLAYING or table.state is None:
        return None
    acting = table.to_act
    scene = scene_of(table, seat, acting, language)
    meaning = impossible_meaning(table.game, tap, scene)
    if meaning is None:
        return None
    if table.seats[seat].played_by:
        return escape(language.say("A bot is playing for you."))
    if seat not in acting:
        if not acting:
            return None  # the next event is on its way
        names = [isolated(scene.names[other]) for other in acting]
        return escape(language.say("It is not your turn: waiting for {names}.", names=names))
    return say_reasons(table.state, seat, meaning, language)


def impossible_meaning(game: Game, tap: Tap, scene: Scene) -> Meaning | None:
    """Return what a tap would have been, None if it was nothing, or a move that can be made."""
    meaning_of = getattr(board_module(game), "meaning_of", None)
    meaning: Meaning | None = meaning_of(tap, scene) if meaning_of else None
    return None if meaning is None or not set(scene.moves).isdisjoint(meaning.moves) else meaning


def say_reasons(state: State, seat: int, meaning: Meaning, language: Language) -> Markup | None:
    """Say the rules' reasons against what a tap meant, as far as the seat knows them."""
    told = list(dict.fromkeys(reasons_of(state.view(seat).sample(0), seat, meaning, language)))
    if 0 < len(told) <= MOST_REASONS:
        return escape(told[0]) if len(told) == 1 else sentences(*told)
    return escape(meaning.words) if meaning.words else None


def reasons_of(state: State, seat: int, meaning: Meaning, language: Language) -> Iterator[str]:
    """Yield the rules' reasons against what a tap could have meant."""
    for move in meaning.moves:
        refused = state.why_not(move, seat)
        if refused is not None and (not meaning.about or refused.key in meaning.about):
            words = {name: meaning.names.get(value) for name, value in refused.facts.items()}
            facts = refused.facts | {name: Said(text) for name, text in words.items() if text is not None}
            said = say_refusal(Illegal(refused.key, **facts), language)
            yield said[:1].upper() + said[1:] if meaning.names else said  # words may begin it, the name of a hex stays
