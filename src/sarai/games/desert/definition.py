"""Through the Desert for the core: kernels registered, everything else in one value."""

from sarai.core.definition import Definition
from sarai.core.events import TraceNames
from sarai.core.kernels.dispatch import register
from sarai.games.desert import notation, position, rules, scoring, setup, state, view, words
from sarai.games.desert.terrain import BOARD

register(
    state.STATE,
    state.VIEW,
    legal=rules.legal,
    refusal=rules.refusal,
    apply=rules.apply,
    chance=setup.chance,
    draw=setup.draw,
    look=view.look,
    sample=view.sample,
    score=scoring.score,
    standing=scoring.standing,
)

DEFINITION = Definition(
    state=state.STATE,
    view=state.VIEW,
    begin=setup.begin,
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
    trace_names=TraceNames(names={"colour": state.COLOURS, "hex": BOARD.names, "ending": state.ENDINGS}, sets={}),
    sentences=words.SENTENCES,
    grouped=words.GROUPED,
    concealed=words.CONCEALED,
    concealed_fields=words.CONCEALED_FIELDS,
    facts=words.facts,
    nothing_hidden=True,
)
