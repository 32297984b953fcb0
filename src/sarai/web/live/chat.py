"""The chat of a table's page: what was said, and forms to say something and to mute people."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.errors import REASONS
from sarai.core.markup import EMPTY, join, markup
from sarai.table.look_sit_talk_permissions import why_not_talk
from sarai.table.reactions import ERASED, REACTIONS
from sarai.web.language import Language, find_language, isolated
from sarai.web.live.form_elements import button, form
from sarai.web.live.reaction_icons import reaction_icon

if TYPE_CHECKING:
    from sarai.table.table import Table

LINES_SHOWN = 60
OWN = Markup(' class="own"')  # of a line that the viewer wrote: the script does not point it out


def chat(table: Table, person: str | None, muted: frozenset[int], language: Language) -> Markup:
    """Show what was said by those whom a person has not muted, and let the person say something."""
    own = next((guest.number for guest in table.participants if guest.person == person), None)
    lines = [
        chat_line(line.number, line.name, role(line.seat, line.is_lent, language.code), own == line.guest, line.text)
        if line.reaction is None
        else reaction_line(
            line.number,
            line.name,
            role(line.seat, line.is_lent, language.code),
            own == line.guest,
            line.reaction,
            language.say(REACTIONS[line.reaction].words) if line.reaction in REACTIONS else ERASED.symbol,
        )
        for line in table.chat_for(muted)[-LINES_SHOWN:]
    ]
    return markup(
        '<section id="chat" class="panel chat" aria-labelledby="chat-title"><h2 id="chat-title">{title}</h2>'
        '<ul id="chat-lines" class="chat-lines" aria-live="polite">{lines}</ul>{write}{guests}</section>',
        title=language.say("Talk"),
        lines=join(lines),
        write=EMPTY if person is None else chat_form(table.id, why_not_talk(table, person), language.code),
        guests=guests(table, person, muted, language),
    )


@lru_cache(1000)
def role(seat: int | None, is_lent: bool, code: str) -> str:
    """Say as what somebody wrote a line: from which seat, or watching."""
    language = find_language(code)
    if seat is None:
        return language.say("watching")
    return language.say("seat {n}, a bot plays" if is_lent else "seat {n}", n=seat + 1)


@lru_cache(10_000)
def chat_line(number: int, name: str, role: str, is_own: bool, text: str) -> Markup:
    """Show one line of the chat, as it was typed."""
    return markup(
        '<li id="said-{number}"{own}><b>{name}</b> <span class="role">{role}</span>: '
        '<bdi class="said">{text}</bdi></li>',
        number=number,
        own=OWN if is_own else EMPTY,
        name=isolated(name),
        role=role,
        text=text,
    )


@lru_cache(10_000)
def reaction_line(number: int, name: str, role: str, is_own: bool, key: str, words: str) -> Markup:
    """Show a reaction: its picture and its words."""
    return markup(
        '<li id="said-{number}"{own}><b>{name}</b> <span class="role">{role}</span>: '
        '{icon} <span class="said">{words}</span></li>',
        number=number,
        name=isolated(name),
        role=role,
        own=OWN if is_own else EMPTY,
        icon=reaction_icon(key),
        words=words,
    )


def reaction_buttons(table_id: str, language: Language) -> Markup:
    """Let a person react with one click."""
    buttons = join(
        markup(
            '<button class="quiet" name="reaction" value="{key}">{icon} {words}</button>',
            key=key,
            icon=reaction_icon(key),
            words=language.say(reaction.words),
        )
        for key, reaction in REACTIONS.items()
    )
    return form(table_id, "React", buttons, css="reactions")


@lru_cache(1000)
def chat_form(table_id: str, why_not: str | None, code: str) -> Markup:
    """Let a person say something, or tell why the host does not."""
    language = find_language(code)
    if why_not is not None:
        return markup('<p class="soft">{text}</p>', text=language.say(REASONS[why_not]))
    field = markup(
        '<input type="text" name="text" maxlength="300" required autocomplete="off" aria-label="{label}"'
        ' placeholder="{label}">',
        label=language.say("Say something"),
    )
    write = form(table_id, "Chat", join([field, button(language.say("Say"))]), css="chat-form")
    return join([reaction_buttons(table_id, language), write])


def guests(table: Table, person: str | None, muted: frozenset[int], language: Language) -> Markup:
    """List those who spoke here, to be muted or read again."""
    speakers = {line.guest for line in table.chat}
    others = [guest for guest in table.participants if guest.number in speakers and guest.person != person]
    if person is None or not others:
        return EMPTY
    rows = []
    for guest in others:
        is_muted = guest.number in muted
        label = language.say("Read again") if is_muted else language.say("Mute")
        rows.append(guest_row(table.id, guest.number, guest.name, is_muted, label))
    return markup(
        '<details id="guests"><summary>{title}</summary><ul class="chat-lines">{rows}</ul></details>',
        title=language.say("Mute somebody"),
        rows=join(rows),
    )


@lru_cache(10_000)
def guest_row(table_id: str, guest: int, name: str, is_muted: bool, label: str) -> Markup:
    """Show a person who spoke here, with a button to mute them or to read them again."""
    mute = form(table_id, "Mute", button(label, "quiet"), {"guest": guest, "on": "false" if is_muted else "true"})
    return markup("<li>{name} {mute}</li>", name=isolated(name), mute=mute)
