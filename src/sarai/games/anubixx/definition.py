"""Anubixx as the house takes it in: kernels registered, everything else in one value."""

from sarai.core.definition import Definition
from sarai.core.events import TraceNames
from sarai.core.kernels.dispatch import register
from sarai.games.anubixx import moves, positions, rules, table, text, view
from sarai.games.anubixx.stones import BONUSES, BUILDINGS, COLOURS, SHEET_LETTERS, STONES

register(
    table.STATE,
    view.VIEW,
    legal=moves.legal,
    refusal=moves.refusal,
    apply=rules.apply,
    chance=rules.chance,
    draw=rules.draw,
    look=view.look,
    sample=view.sample,
    score=rules.score,
    standing=rules.standing,
)

DEFINITION = Definition(
    state=table.STATE,
    view=view.VIEW,
    begin=rules.begin,
    write=positions.write,
    read=positions.read,
    write_move=text.write_move,
    read_move=text.read_move,
    words_for_move=text.words_for_move,
    view_json=view.view_json,
    read_view=view.read_view,
    refusals=table.REFUSALS,
    endings=table.ENDINGS,
    events=text.EVENTS,
    trace_names=TraceNames(
        names={
            "sheet": SHEET_LETTERS,
            "stone": STONES,
            "colour": COLOURS,
            "building": tuple(BUILDINGS),
            "bonus": BONUSES,
            "ending": table.ENDINGS,
        },
        sets={},
    ),
    sentences=text.SENTENCES,
    facts=text.facts,
)
