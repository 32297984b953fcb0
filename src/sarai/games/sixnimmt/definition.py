"""6 nimmt! as the house takes it in: kernels registered, everything else in one value."""

from sarai.core.definition import Definition
from sarai.core.events import TraceNames
from sarai.core.kernels.dispatch import register
from sarai.games.sixnimmt import rules, text, view

register(
    rules.STATE,
    view.VIEW,
    legal=rules.legal,
    refusal=rules.refusal,
    apply=rules.apply,
    chance=rules.chance,
    draw=rules.draw,
    look=view.look,
    sample=view.sample,
    score=rules.score,
    standing=rules.standing,
)

DEFINITION = Definition(
    state=rules.STATE,
    view=view.VIEW,
    begin=rules.begin,
    write=text.write,
    read=text.read,
    write_move=text.write_move,
    read_move=text.read_move,
    words_for_move=text.words_for_move,
    view_json=view.view_json,
    read_view=view.read_view,
    refusals=rules.REFUSALS,
    endings=rules.ENDINGS,
    events=text.EVENTS,
    trace_names=TraceNames(names={"ending": rules.ENDINGS}, sets={}),
    sentences=text.SENTENCES,
    facts=text.facts,
)
