"""Camel Up as the house takes it in: kernels registered once, and what differs by edition in two values."""

from functools import partial

from sarai.core.definition import Definition
from sarai.core.kernels.dispatch import register
from sarai.games.camelup import rules, table, text, view
from sarai.games.camelup.edition import EDITIONS, EVENTS

register(
    table.STATE,
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


def definition_of(edition: int) -> Definition:
    """Return an edition's definition."""
    return Definition(
        state=table.STATE,
        view=view.VIEW,
        begin=(rules.begin_first, rules.begin_second)[edition],
        write=text.write,
        read=text.read,
        write_move=text.write_move,
        read_move=text.read_move,
        words_for_move=text.words_for_move,
        view_json=view.view_json,
        read_view=partial(view.read_view, edition),
        refusals=table.REFUSALS,
        endings=table.ENDINGS,
        events=EVENTS,
        trace_names=EDITIONS[edition].trace_names,
        sentences=EDITIONS[edition].sentences,
        facts=text.facts,
    )


FIRST, SECOND = definition_of(table.FIRST), definition_of(table.SECOND)
