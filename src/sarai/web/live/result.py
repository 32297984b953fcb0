"""How a game ended: the ranking, the way to the next game, the record and the proof of the dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.core.messages import Series, Term
from sarai.table.table import FINISHED
from sarai.web.language import Language, isolated
from sarai.web.live.dice import dice_data, word_rows
from sarai.web.live.form_elements import button, form
from sarai.web.live.names import shown_names
from sarai.web.live.status_players_actions import outcome_words
from sarai.web.live.viewer import Viewer

if TYPE_CHECKING:
    from sarai.table.table import Table

NO_RESULT = Markup('<section id="result" hidden></section>')
CONFETTI = markup('<div class="confetti" aria-hidden="true">{pieces}</div>', pieces=Markup("<i></i>") * 18)
PLACES = (
    Term("first", "place"),
    Term("second", "place"),
    Term("third", "place"),
    Term("fourth", "place"),
    Term("fifth", "place"),
    Term("sixth", "place"),
    Term("seventh", "place"),
    Term("eighth", "place"),
    Term("ninth", "place"),
    Term("tenth", "place"),
)
COUNTS = (
    Term("one", "players"),
    Term("two", "players"),
    Term("three", "players"),
    Term("four", "players"),
    Term("five", "players"),
    Term("six", "players"),
    Term("seven", "players"),
    Term("eight", "players"),
    Term("nine", "players"),
    Term("ten", "players"),
)


def result(table: Table, viewer: Viewer, language: Language, sheet: Markup = EMPTY) -> Markup:
    """Show how a game ended, with the sheet that says how its points came about; nothing while it goes on."""
    if table.phase != FINISHED:
        return NO_RESULT
    has_won = table.result is not None and viewer.seat is not None and table.result.ranks[viewer.seat] == 1
    return markup(
        '<section id="result" class="panel{css}" aria-labelledby="result-title">'
        '<div class="banner"><div><h2 id="result-title">{outcome}</h2>{place}</div>{confetti}'
        '<div class="row">{again}<a class="button" href="/">{others}</a></div></div>'
        "{rows}{sheet}"
        '<div class="after"><a href="/tables/{id}/record" download>{download}</a>{proof}</div></section>',
        css=classes(won=has_won),
        outcome=outcome_words(table, viewer, language),
        place=place(table, viewer, language),
        confetti=CONFETTI if has_won else EMPTY,
        again=rematch(table, viewer, language),
        others=language.say("Other games"),
        rows=ranking(table, viewer, language),
        sheet=sheet,
        id=table.id,
        download=language.say("Download the record"),
        proof=proof(table, language),
    )


def place(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Say in words which place the viewer has, or who gave up; nothing if there is none, or if they have won alone."""
    say = language.say
    if table.resigned is not None:
        is_own, name = table.resigned == viewer.seat, isolated(table.seats[table.resigned].name)
        given_up = say("You gave up.") if is_own else say("{name} gave up.", name=name)
        return markup('<p class="place">{words}</p>', words=given_up)
    if table.result is None or viewer.seat is None:
        return EMPTY
    ranks = table.result.ranks
    if ranks[viewer.seat] == 1 and ranks.count(1) == 1:
        return EMPTY
    return markup('<p class="place">{words}</p>', words=place_words(ranks, viewer.seat, language))


def place_words(ranks: Sequence[int], seat: int, language: Language) -> str:
    """Say to the player of a seat which place it has."""
    say, rank = language.say, ranks[seat]
    place, players = PLACES[rank - 1], COUNTS[len(ranks) - 1]
    if ranks.count(rank) > 1:
        return say("You share {place} place among {players} players.", place=place, players=players)
    return say("You came {place} of {players}.", place=place, players=players)


def ranking(table: Table, viewer: Viewer, language: Language) -> Markup:
    """List the players by rank; nothing if the game was abandoned."""
    if table.result is None:
        return EMPTY
    ranks, scores, names = table.result.ranks, table.result.scores, shown_names(table.seats, language)
    rows = join(
        markup(
            '<li class="{css}"><span class="rank">{rank}</span> <span class="who">{name}</span>'
            '<span class="points">{points}</span></li>',
            css=("first" if ranks[seat] == 1 else "rest") + classes(own=seat == viewer.seat),
            rank=language.number(ranks[seat]),
            name=isolated(names[seat]),
            points=language.number(scores[seat]),
        )
        for seat in sorted(range(table.players), key=lambda seat: (ranks[seat], seat))
    )
    return markup('<ol class="result" aria-label="{title}">{rows}</ol>', title=language.say("Result"), rows=rows)


def rematch(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Offer to play the same again; with bots alone it begins at once."""
    if viewer.seat is None:
        return EMPTY
    if table.rematch:
        return markup(
            '<a class="button main" id="rematch" href="/tables/{id}" data-table="{id}" data-seat="{seat}">{label}</a>',
            id=table.rematch,
            seat=viewer.seat,
            label=language.say("To the rematch"),
        )
    is_alone = all(seat.bot for number, seat in enumerate(table.seats) if number != viewer.seat)
    return form(table.id, "Rematch", button(language.say("Rematch"), "main"), css="alone" if is_alone else "")


def proof(table: Table, language: Language) -> Markup:
    """Show what proves that the dice were fair."""
    say, is_plain = language.say, table.dice.version < 2
    rows = list(map(isolated, table.dice_words)) if is_plain else word_rows(table, language)
    return markup(
        '<details id="proof" class="proof" data-dice="{data}"><summary>{title}</summary><p>{text}</p>'
        '<p data-kept="same" hidden>{same}</p><p data-kept="other" class="refusal" hidden>{other}</p>'
        '<p data-kept="late" class="refusal" hidden>{late}</p>'
        "<dl><dt>{promise}</dt><dd>{commitment}</dd><dt>{secret_title}</dt><dd>{secret}</dd><dt>{words_title}</dt><dd>{words}</dd>"
        "<dt>{voided_title}</dt><dd>{voided}</dd></dl></details>",
        title=say("Fair dice: the proof"),
        text=say(
            "The promise was public before the first die fell; it is the SHA-256 of the secret. "
            "The record holds every draw; anybody can check it."
        ),
        data=dice_data(table, failed=table.dice.lost),
        same=say("They are the promises that this browser saw before it opened its word."),
        other=say("They are not the promises that this browser saw before it opened its word: somebody has cheated."),
        late=say(
            "The house had accepted the word of this browser and now says that it did not come in time: "
            "somebody has cheated."
        ),
        promise=say("Promise"),
        commitment=table.commitment,
        secret_title=say("Secret"),
        secret=table.secret,
        words_title=say("Words"),
        words=language.render(Series(rows)) or say("no words"),
        voided_title=say("Draws voided by taking back"),
        voided=language.render(Series(voided_draws(table, language))) or say("no draws"),
    )


def voided_draws(table: Table, language: Language) -> list[Markup]:
    """Say whose take-backs voided draws, and how many."""
    return [
        markup("{name}: {count}", name=isolated(seat.name), count=language.number(count))
        for seat, count in zip(table.seats, table.voided, strict=True)
        if count
    ]
