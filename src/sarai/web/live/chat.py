"""The chat of a table's page: what was said, and forms to say something and to mute people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup
from sarai.web.language import Language, isolated
from sarai.web.live.forms import button, form

if TYPE_CHECKING:
    from sarai.table.table import Table

LINES_SHOWN = 60


def chat(table: Table, person: str | None, language: Language) -> Markup:
    """Show what was said by those whom a person has not muted, and let the person say something."""
    lines = join(
        markup(
            '<li id="said-{number}"><b>{name}:</b> <bdi>{text}</bdi></li>',
            number=line.number,
            name=isolated(line.name),
            text=line.text,
        )
        for line in table.chat_for(person)[-LINES_SHOWN:]
    )
    return markup(
        '<section id="chat" class="panel chat" aria-labelledby="chat-title"><h2 id="chat-title">{title}</h2>'
        '<ul id="chat-lines" class="chat-lines" aria-live="polite">{lines}</ul>{write}{guests}</section>',
        title=language.say("Talk"),
        lines=lines,
        write=EMPTY if person is None else chat_form(table.id, language),
        guests=guests(table, person, language),
    )


def chat_form(table_id: str, language: Language) -> Markup:
    """Let a person say something."""
    field = markup(
        '<input type="text" name="text" maxlength="300" required autocomplete="off" aria-label="{label}"'
        ' placeholder="{label}">',
        label=language.say("Say something"),
    )
    return form(table_id, "Chat", join([field, button(language.say("Say"))]), css="chat-form")


def guests(table: Table, person: str | None, language: Language) -> Markup:
    """List those who spoke here, to be muted or read again."""
    speakers = {line.guest for line in table.chat}
    others = [guest for guest in table.guests if guest.number in speakers and guest.person != person]
    if person is None or not others:
        return EMPTY
    muted = table.muted.get(person, set())
    rows = []
    for guest in others:
        is_muted = guest.number in muted
        label = language.say("Read again") if is_muted else language.say("Mute")
        fields = {"guest": guest.number, "on": "false" if is_muted else "true"}
        mute = form(table.id, "Mute", button(label, "quiet"), fields)
        rows.append(markup("<li>{name} {mute}</li>", name=isolated(guest.name), mute=mute))
    return markup(
        '<details id="guests"><summary>{title}</summary><ul class="chat-lines">{rows}</ul></details>',
        title=language.say("Mute somebody"),
        rows=join(rows),
    )
