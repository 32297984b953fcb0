"""Anubixx put together: its kernels registered, everything else in one value."""

from sarai.core.definition import Definition
from sarai.core.events import TraceNames
from sarai.core.kernels.dispatch import register
from sarai.games.anubixx import legal_moves, notation, position, rules, scoring, state, view, words

register(
    state.STATE,
    state.VIEW,
    legal=legal_moves.legal,
    refusal=legal_moves.refusal,
    apply=rules.apply,
    chance=rules.chance,
    draw=rules.draw,
    look=view.look,
    sample=view.sample,
    score=scoring.score,
    standing=scoring.standing,
)

DEFINITION = Definition(
    state=state.STATE,
    view=state.VIEW,
    begin=rules.begin,
    write=position.write,
    read=position.read,
    write_move=notation.write_move,
    read_move=notation.read_move,
    words_for_move=words.words_for_move,
    view_json=view.view_json,
    read_view=view.read_view,
    refusals=state.REFUSALS,
    endings=state.ENDINGS,
    events=words.EVENTS,
    trace_names=TraceNames(
        names={
            "sheet": state.SHEET_LETTERS,
            "stone": state.STONES,
            "colour": state.COLOURS,
            "building": tuple(state.BUILDINGS),
            "bonus": state.BONUSES,
            "ending": state.ENDINGS,
        },
        sets={},
    ),
    sentences=words.SENTENCES,
    grouped=words.GROUPED,
    facts=words.facts,
    nothing_hidden=True,
)
