"""The host's panel: who may come, watch and talk, and what can be done about the guests."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import Name, Said
from sarai.table.access_restrictions import ALL, NOBODY, PLAYERS
from sarai.table.table import GATHERING
from sarai.web.language import Language, find_language, isolated
from sarai.web.live.form_elements import button, form

if TYPE_CHECKING:
    from sarai.table.table import Table
    from sarai.web.live.viewer import Viewer

NO_PANEL = Markup('<details id="host" hidden></details>')
MOST_NEW = 30  # guests shown besides those who sit


class GuestLine(NamedTuple):
    """A guest as the host is shown them; `seat` is None for somebody without one."""

    number: int
    name: str
    seat: int | None
    is_banned: bool
    is_removed: bool


def host_panel(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Offer the host what only the host may do; nothing to others."""
    if not viewer.is_host:
        return NO_PANEL
    access = table.access
    return panel(
        table.id,
        table.phase == GATHERING,
        (access.locked, access.watching, access.talk),
        tuple(guest_lines(table)),
        language.code,
    )


def guest_lines(table: Table) -> list[GuestLine]:
    """Return the guests whom the host is shown: those who sit, then the newest, then all who were sent away."""
    access, known = table.access, table.participants
    seated = [guest for seat in table.seats if (guest := known.of(seat.person)) is not None]
    sent_away = [guest for id in access.banned | access.removed if (guest := known.of(id)) is not None]
    shown = dict.fromkeys([*seated, *reversed(known[-MOST_NEW:]), *sorted(sent_away)])
    return [
        GuestLine(number, name, table.seat_of(id), id in access.banned, id in access.removed)
        for number, id, name in shown
        if id != table.host
    ]


def panel(
    table_id: str, is_gathering: bool, access: tuple[bool, bool, str], guests: tuple[GuestLine, ...], code: str
) -> Markup:
    """Return the panel; it is folded until the host opens it."""
    say = find_language(code).say
    closing = EMPTY
    if is_gathering:
        question = say("Close this table for everybody? It cannot be opened again.")
        closing = form(table_id, "Close", button(say("Close the table"), "quiet"), ask=question)
    return markup(
        '<details id="host" class="panel host"><summary>{title}</summary>{choices}{guests}{closing}</details>',
        title=say("You are the host"),
        choices=join(choices(table_id, is_gathering, *access, code)),
        guests=guest_list(table_id, is_gathering, guests, code),
        closing=closing,
    )


@lru_cache(1000)
def choices(table_id: str, is_gathering: bool, locked: bool, watching: bool, talk: str, code: str) -> list[Markup]:
    """Offer to change who may come, watch and talk; each line says how it is now."""
    say = find_language(code).say
    found = []
    if is_gathering:
        now = say("Nobody new can sit down.") if locked else say("Whoever comes can sit down.")
        label = say("Unlock") if locked else say("Lock")
        found.append(choice(table_id, now, {label: {"locked": "false" if locked else "true"}}))
    now = say("Others may watch.") if watching else say("Only players see this table.")
    label = say("Without watchers") if watching else say("Let others watch")
    found.append(choice(table_id, now, {label: {"watching": "false" if watching else "true"}}))
    talks = {
        ALL: (say("Everybody may talk."), say("Everybody talks")),
        PLAYERS: (say("Only players may talk."), say("Only players talk")),
        NOBODY: (say("Nobody may talk."), say("No talk")),
    }
    others = {label: {"talk": who} for who, (_, label) in talks.items() if who != talk}
    return [*found, choice(table_id, talks[talk][0], others)]


def choice(table_id: str, now: str, labels: dict[str, dict[str, str]]) -> Markup:
    """Say how something is, with a button for each other way."""
    forms = [form(table_id, "ChangeAccess", button(label, "quiet"), fields) for label, fields in labels.items()]
    return markup('<div class="host-line"><span>{now}</span> {forms}</div>', now=now, forms=join(forms))


def guest_list(table_id: str, is_gathering: bool, guests: tuple[GuestLine, ...], code: str) -> Markup:
    """List the guests with what the host may do about each."""
    if not guests:
        return EMPTY
    rows = [guest_row(table_id, is_gathering, guest, code) for guest in guests]
    return markup('<ul class="host-guests">{rows}</ul>', rows=join(rows))


@lru_cache(10_000)  # of each row by itself: a panel with many guests is long, and another whenever one of them changes
def guest_row(table_id: str, is_gathering: bool, guest: GuestLine, code: str) -> Markup:
    """Show a guest, and what the host may do about them."""
    say, offers = find_language(code).say, list[Markup]()
    if guest.is_banned:
        tag = say("banned")
    elif guest.seat is not None:
        tag = say("seat {n}", n=guest.seat + 1)
    else:
        tag = say("taken off the seat") if guest.is_removed else say("watching")

    def offer(command: str, label: str, fields: dict[str, object], ask: str = "") -> None:
        about = say("{what}: {name}", what=Said(label), name=Name(guest.name))  # for who hears the button alone
        named = markup('<button class="quiet" aria-label="{about}">{label}</button>', about=about, label=label)
        offers.append(form(table_id, command, named, fields, ask=ask))

    if guest.seat is not None and is_gathering:
        offer("RemovePerson", say("Take off the seat"), {"seat": guest.seat})
    if guest.is_banned or guest.is_removed:
        offer("Ban", say("Allow again"), {"guest": guest.number, "on": "false"})
    if not guest.is_banned:
        is_playing = guest.seat is not None and not is_gathering
        offer("Ban", say("No talk for them") if is_playing else say("Ban"), {"guest": guest.number, "on": "true"})
        question = say("Make this person the host? You will not be the host any more.")
        offer("PassHost", say("Make host"), {"guest": guest.number}, question)
    return markup(
        '<li><span>{name} <span class="role">{tag}</span></span> {offers}</li>',
        name=isolated(guest.name),
        tag=tag,
        offers=join(offers),
    )
