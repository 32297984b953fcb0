"""Forms that ask something of a table: sent by the browser, or by the page's script without loading the page again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup

if TYPE_CHECKING:
    from sarai.table.table import Table
    from sarai.web.language import Language


def form(
    table_id: str,
    command: str,
    inside: Markup,
    fields: Mapping[str, object] | None = None,
    css: str = "",
    ask: str = "",
) -> Markup:
    """Return a form for one command of a table; `ask` is a question that has to be confirmed first."""
    return markup(
        '<form method="post" action="/tables/{table_id}/act" data-live="{command}" class="{css}"{question}>'
        '<input type="hidden" name="type" value="{command}">{hidden}{inside}</form>',
        table_id=table_id,
        command=command,
        css=css,
        question=markup(' data-ask="{ask}"', ask=ask) if ask else EMPTY,
        hidden=join(
            markup('<input type="hidden" name="{name}" value="{value}">', name=name, value=value)
            for name, value in (fields or {}).items()
        ),
        inside=inside,
    )


def button(label: str, css: str = "") -> Markup:
    """Return a form's button."""
    return markup('<button class="{css}">{label}</button>' if css else "<button>{label}</button>", css=css, label=label)


def word_form(table: Table, seat: int | None, language: Language) -> Markup:
    """Ask a player for a word that goes into the dice."""
    if seat is None:
        return EMPTY
    field = markup(
        '<input type="text" name="text" maxlength="40" required autocomplete="off" aria-label="{label}"'
        ' placeholder="{given}">',
        label=language.say("Your word for the dice"),
        given=table.words.get(table.seats[seat].person or "") or language.say("a word"),
    )
    return form(table.id, "GiveWord", join([field, button(language.say("Add it"))]), css="row")
