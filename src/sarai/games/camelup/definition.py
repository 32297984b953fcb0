"""Camel Up for the core: kernels registered once for both editions, everything else in one value for each."""

from functools import partial

from sarai.core.definition import Definition, no_other_sentences
from sarai.core.kernels.dispatch import register
from sarai.games.camelup import notation, position, rules, setup, state, view, words
from sarai.games.camelup.edition import EDITIONS

register(
    state.STATE,
    state.VIEW,
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
        state=state.STATE,
        view=state.VIEW,
        begin=(setup.begin_first, setup.begin_second)[edition],
        write=position.write,
        read=position.read,
        write_move=notation.write_move,
        read_move=notation.read_move,
        words_for_move=words.words_for_move,
        view_json=view.view_json,
        read_view=partial(view.read_view, edition),
        refusals=state.REFUSALS,
        endings=state.ENDINGS,
        events=words.EVENTS,
        trace_names=words.trace_names(EDITIONS[edition]),
        sentences=words.sentences(EDITIONS[edition]),
        other_sentences=(no_other_sentences, words.sentences_without_partnerships)[edition],
        grouped=words.GROUPED,
        concealed=words.CONCEALED,
        concealed_fields=words.CONCEALED_FIELDS,
        facts=words.facts,
    )


FIRST, SECOND = definition_of(state.FIRST), definition_of(state.SECOND)
