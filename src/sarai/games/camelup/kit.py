"""Camel Up as the house takes it in: kernels registered once, and what differs by edition in two values."""

from functools import partial

from sarai.core.kernels import register
from sarai.core.kit import Kit
from sarai.games.camelup import rules, table, text, view
from sarai.games.camelup.edition import EDITIONS, TELLINGS

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


def kit(edition: int) -> Kit:
    """Return an edition's kit."""
    return Kit(
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
        tellings=TELLINGS,
        words=EDITIONS[edition].words,
        sentences=EDITIONS[edition].sentences,
        facts=text.facts,
    )


FIRST_KIT, SECOND_KIT = kit(table.FIRST), kit(table.SECOND)
