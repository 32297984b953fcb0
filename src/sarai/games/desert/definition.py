"""Through the Desert as the house takes it in: kernels registered, everything else in one value."""

from sarai.core.definition import Definition
from sarai.core.events import TraceNames
from sarai.core.kernels.dispatch import register
from sarai.games.desert import layout, rules, scoring, setup, text, view
from sarai.games.desert.terrain import BOARD

register(
    layout.STATE,
    view.VIEW,
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
    state=layout.STATE,
    view=view.VIEW,
    begin=setup.begin,
    write=text.write,
    read=text.read,
    write_move=text.write_move,
    read_move=text.read_move,
    words_for_move=text.words_for_move,
    view_json=view.view_json,
    read_view=view.read_view,
    refusals=layout.REFUSALS,
    endings=layout.ENDINGS,
    events=text.EVENTS,
    trace_names=TraceNames(names={"colour": layout.COLOURS, "hex": BOARD.names, "ending": layout.ENDINGS}, sets={}),
    sentences=text.SENTENCES,
    facts=text.facts,
)
