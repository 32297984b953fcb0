"""The parts of a table's page that change with every move, put together as plain text: each is one element with an id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.table.takeback import seats_to_ask
from sarai.web.language import Language, isolated
from sarai.web.language import language as speak

if TYPE_CHECKING:
    from sarai.table.table import Seat, Table
    from sarai.web.live.board import Ask

PLAIN = "regular"
NO_ACTIONS = '<div id="actions" class="actions"></div>'
MOVE_LIST = '<div id="move-list" class="move-list"></div>'


class Kind(NamedTuple):
    """What distinguishes viewers of a table from each other; all of one kind see the same."""

    seat: int | None
    is_host: bool
    is_known: bool
    language: str
    base: str  # the address by which the viewer came, for links to give away


class Around(NamedTuple):
    """What a page shows that is not in the table's log: who is away, and how far the rules are prepared (None: ready)."""

    away: frozenset[int] = frozenset()
    warmth: tuple[int, int] | None = None


Acting = tuple[int, ...]  # the seats that may act now


def form(
    table_id: str, kind: str, inside: str, fields: Mapping[str, object] | None = None, css: str = "", ask: str = ""
) -> str:
    """Return a form that asks something of a table: by itself, or through the page's module."""
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(str(value))}">' for name, value in (fields or {}).items()
    )
    question = f' data-ask="{escape(ask)}"' if ask else ""
    return (
        f'<form method="post" action="/tables/{table_id}/act" data-live="{kind}" class="{css}"{question}>'
        f'<input type="hidden" name="type" value="{kind}">{hidden}{inside}</form>'
    )


def button(label: str, css: str = "") -> str:
    """Return a form's button."""
    return f'<button class="{css}">{escape(label)}</button>' if css else f"<button>{escape(label)}</button>"


def may_host(table: Table, kind: Kind) -> bool:
    """Say whether a viewer may add bots and begin: the host, or, if the host does not sit here, whoever does."""
    return kind.is_host or (kind.seat is not None and table.seat_of(table.host) is None)


def word_form(table: Table, kind: Kind, language: Language) -> str:
    """Ask somebody who sits here for a word that goes into the dice."""
    if kind.seat is None:
        return ""
    given = table.words.get(table.seats[kind.seat].person or "") or language.say("a word")
    label = escape(language.say("Your word for the dice"))
    field = f'<input type="text" name="text" maxlength="40" required autocomplete="off" aria-label="{label}" placeholder="{escape(given)}">'
    return form(table.id, "GiveWord", field + button(language.say("Add it")), css="row")


def moves(kind: Kind, is_over: bool, language: Language, inside: str = "", is_open: bool = False) -> str:
    """Return the place for the list of moves, which is filled when somebody opens it."""
    if kind.seat is None or is_over:
        return '<details id="moves" hidden></details>'
    opened = " open" if is_open else ""
    return f'<details id="moves"{opened}><summary>{language.say("Your moves as a list")}</summary>{inside or MOVE_LIST}</details>'


# --- the status line ------------------------------------------------------------------------------------------------------------


def status(
    table: Table, kind: Kind, acting: Acting, language: Language, around: Around, asked: Ask | None = None
) -> str:
    """Say what is expected of whom."""
    css, text = status_words(table, kind, acting, language, around, asked)
    text = f"<span>{text}</span>"
    if around.warmth is not None and table.phase != FINISHED:
        done, of = around.warmth
        label = escape(language.say("Preparing the rules"))
        text += f'<progress class="warmth" value="{done}" max="{of}" aria-label="{label}" title="{label}"></progress>'
    return f'<p id="status" class="status {css}" role="status" aria-live="polite">{text}</p>'


def status_words(
    table: Table, kind: Kind, acting: Acting, language: Language, around: Around, ask: Ask | None
) -> tuple[str, str]:
    """Return the status line's look and words; what a game asks for is said by its board."""
    say = language.say
    if table.phase == GATHERING:
        return gathering_words(table, kind, language)
    if table.phase == FINISHED:
        return "over", f"{say('The game is over.')} {outcome(table, kind, language)}"
    if table.take_back is not None:
        who = isolated(table.seats[table.take_back.seat].name)
        if kind.seat in seats_to_ask(table, table.take_back.seat) and kind.seat not in table.take_back.answers:
            return "yours", say("{name} would like to take back a move. Do you agree?").format(name=who)
        return "", say("{name} would like to take back a move.").format(name=who)
    waiting = [table.seats[seat] for seat in acting if seat != kind.seat]
    if kind.seat is not None and kind.seat in acting:
        if table.seats[kind.seat].played_by:
            return "", say("A bot is playing for you.")
        return "yours", ask[0] if ask else say("Your turn.")
    if waiting and all(seat.played_by for seat in waiting):
        if around.warmth is not None:
            return "thinking", say("The bots are still getting ready …")
        text = say("{names} is thinking …") if len(waiting) == 1 else say("{names} are thinking …")
        return "thinking", text.format(names=listed(waiting, language))
    text = ask[1] if ask else say("Waiting for {names}.")
    return "", text.format(names=listed([seat for seat in waiting if not seat.played_by] or waiting, language))


def gathering_words(table: Table, kind: Kind, language: Language) -> tuple[str, str]:
    """Say what a table waits for before the game."""
    say = language.say
    if table.starting:
        return "", say("The rules are being prepared; the game begins by itself as soon as they are.")
    empty = sum(seat.empty for seat in table.seats)
    if empty:
        free = language.say_count("{n} seat is still free.", "{n} seats are still free.", empty)
        todo = (
            say("Invite somebody, or add a bot.")
            if may_host(table, kind)
            else say("Sit down, or watch.")
            if kind.seat is None
            else ""
        )
        return "", f"{free} {todo}".rstrip()
    if may_host(table, kind):
        return "yours", say("Everybody is here: begin when you like.")
    return "", say("Everybody is here; the host begins the game.")


def listed(seats: list[Seat], language: Language) -> str:
    """Name some seats."""
    return language.listed([isolated(seat.name) for seat in seats])


def outcome(table: Table, kind: Kind, language: Language) -> str:
    """Say who won."""
    if table.result is None:
        return language.say("The game was abandoned.")
    winners = [number for number, rank in enumerate(table.result.ranks) if rank == 1]
    if winners == [kind.seat]:
        return language.say("You win!")
    text = language.say("{names} wins!") if len(winners) == 1 else language.say("{names} share the win.")
    return text.format(names=listed([table.seats[number] for number in winners], language))


# --- players --------------------------------------------------------------------------------------------------------------------


def players(table: Table, kind: Kind, acting: Acting, language: Language, around: Around) -> str:
    """List the seats: who plays, who is to act, how it stands."""
    if table.phase == GATHERING:
        return '<section id="players" hidden></section>'
    rows = "".join(player(table, number, kind, number in acting, language, around) for number in range(table.players))
    title = f'<h2 id="players-title">{language.say("Players")}</h2>'
    return f'<section id="players" class="panel" aria-labelledby="players-title">{title}<ol class="chairs">{rows}</ol></section>'


def player(table: Table, number: int, kind: Kind, is_acting: bool, language: Language, around: Around) -> str:
    """Describe one seat, with what the viewer can do about it."""
    seat, say, more = table.seats[number], language.say, ""
    tags = [say("bot"), say(seat.bot)] if seat.bot else [say("a bot plays")] if seat.lent else []
    tags += [say("you")] if number == kind.seat else [say("away")] if number in around.away else []
    if (
        number in around.away
        and kind.seat is not None
        and kind.seat != number
        and not seat.lent
        and table.phase == PLAYING
    ):
        more = form(table.id, "Lend", button(say("Let a bot play"), "quiet"), {"seat": number, "level": PLAIN})
    elif number == kind.seat and seat.lent and table.is_playing(seat):
        more = form(table.id, "Return", button(say("Play myself"), "quiet"))
    css = "chair" + " acting" * is_acting + " own" * (number == kind.seat) + " resigned" * seat.resigned
    return player_row(
        number, css, seat.name, say("to act") if is_acting else "", " · ".join(tags), table.clock.kind != "none", more
    )


@lru_cache(10_000)
def player_row(number: int, css: str, name: str, turn: str, tags: str, has_clock: bool, more: str) -> str:
    """Return a seat's line in the list of players."""
    turn = f'<span class="visually-hidden">{turn}</span>' if turn else ""
    tags = f'<span class="chair-tag">{escape(tags)}</span>' if tags else ""
    clock = f'<span class="clock" id="clock-{number}"></span>' if has_clock else ""
    return f'<li class="{css}" id="player-{number}"><span class="dot"></span><span class="chair-name">{isolated(name)}</span>{turn}{tags}{clock}{more}</li>'


# --- what else can be done --------------------------------------------------------------------------------------------------------


def actions(table: Table, kind: Kind, language: Language) -> str:
    """Offer what a player may do besides moving."""
    if kind.seat is None or table.phase != PLAYING:
        return NO_ACTIONS
    if table.take_back is None and not table.seats[kind.seat].lent and table.is_playing(table.seats[kind.seat]):
        return usual_actions(table.id, kind.seat, kind.language, table.last_move(kind.seat) is not None)
    return f'<div id="actions" class="actions">{"".join(offers(table, kind, language))}</div>'


def offers(table: Table, kind: Kind, language: Language) -> list[str]:
    """Return the forms of what a player may do besides moving."""
    say = language.say
    assert kind.seat is not None
    seat = table.seats[kind.seat]
    if not table.is_playing(seat) or seat.lent:
        return []
    question, found = table.take_back, list[str]()
    if question is not None and kind.seat in seats_to_ask(table, question.seat) and kind.seat not in question.answers:
        found.append(form(table.id, "AnswerBack", button(say("Yes, take it back"), "main"), {"yes": "true"}))
        found.append(form(table.id, "AnswerBack", button(say("No")), {"yes": "false"}))
    return found


@lru_cache(10_000)
def usual_actions(table_id: str, seat: int, code: str, has_moved: bool) -> str:
    """Offer what a player may do at any time of the game."""
    say = speak(code).say
    found = [form(table_id, "AskBack", button(say("Take back"), "quiet"))] if has_moved else []
    found.append(form(table_id, "Lend", button(say("Bot for me"), "quiet"), {"seat": seat, "level": PLAIN}))
    found.append(
        form(
            table_id,
            "Resign",
            button(say("Give up"), "quiet"),
            ask=say("Give up this game? A bot will play on for you."),
        )
    )
    return f'<div id="actions" class="actions">{"".join(found)}</div>'


# --- chat -----------------------------------------------------------------------------------------------------------------------


def chat(table: Table, person: str | None, language: Language) -> str:
    """Show what was said by those whom somebody reads, and let them say something."""
    say = language.say
    lines = "".join(
        f'<li id="said-{line.number}"><b>{isolated(line.name)}:</b> <bdi>{escape(line.text)}</bdi></li>'
        for line in table.chat_for(person)[-60:]
    )
    write = ""
    if person is not None:
        label = escape(say("Say something"))
        write = form(
            table.id,
            "Chat",
            f'<input type="text" name="text" maxlength="300" required autocomplete="off" aria-label="{label}" placeholder="{label}">{button(say("Say"))}',
            css="chat-form",
        )
    return (
        f'<section id="chat" class="panel chat" aria-labelledby="chat-title"><h2 id="chat-title">{say("Talk")}</h2>'
        f'<ul id="chat-lines" class="chat-lines" aria-live="polite">{lines}</ul>{write}{guests(table, person, language)}</section>'
    )


def guests(table: Table, person: str | None, language: Language) -> str:
    """List those who spoke here, to be muted or read again."""
    speakers = {line.guest for line in table.chat}
    others = [guest for guest in table.guests if guest.number in speakers and guest.person != person]
    if person is None or not others:
        return ""
    silent = table.muted.get(person, set())
    rows = "".join(
        f"<li>{isolated(guest.name)} "
        + form(
            table.id,
            "Mute",
            button(language.say("Read again") if guest.number in silent else language.say("Mute"), "quiet"),
            {"guest": guest.number, "on": "false" if guest.number in silent else "true"},
        )
        + "</li>"
        for guest in others
    )
    return f'<details id="guests"><summary>{language.say("Mute somebody")}</summary><ul class="chat-lines">{rows}</ul></details>'


# --- the end --------------------------------------------------------------------------------------------------------------------


def again(table: Table, kind: Kind, language: Language) -> str:
    """Offer to play the same again; with bots alone it begins at once."""
    if kind.seat is None:
        return ""
    if table.rematch:
        return f'<a class="button main" id="rematch" href="/tables/{table.rematch}" data-table="{table.rematch}">{language.say("To the rematch")}</a>'
    alone = all(seat.bot for number, seat in enumerate(table.seats) if number != kind.seat)
    return form(table.id, "Rematch", button(language.say("Rematch"), "main"), css="alone" if alone else "")


def result(table: Table, kind: Kind, language: Language) -> str:
    """Show how a game ended, the way to the next one, its record and the proof of its dice."""
    if table.phase != FINISHED:
        return '<section id="result" hidden></section>'
    say, rows, css = language.say, "", ""
    if table.result is not None:
        ranks, scores = table.result.ranks, table.result.scores
        rows = "".join(
            f'<li class="{"first" if ranks[seat] == 1 else "rest"}{" own" if seat == kind.seat else ""}">'
            f'<span class="rank">{language.number(ranks[seat])}</span> '
            f'<span class="who">{isolated(table.seats[seat].name)}</span><span class="points">{language.number(scores[seat])}</span></li>'
            for seat in sorted(range(table.players), key=lambda seat: (ranks[seat], seat))
        )
        css = " won" if kind.seat is not None and ranks[kind.seat] == 1 else ""
    words = say(", ").join(isolated(word) for word in table.dice_words) or say("none")
    proof = (
        f'<details id="proof" class="proof"><summary>{say("Fair dice: the proof")}</summary>'
        f"<p>{say('The promise was public before the first die fell; it is the SHA-256 of the secret. The record holds every draw; anybody can check it.')}</p>"
        f"<dl><dt>{say('Promise')}</dt><dd>{table.commitment}</dd><dt>{say('Secret')}</dt><dd>{table.secret}</dd><dt>{say('Words')}</dt><dd>{words}</dd></dl></details>"
    )
    return (
        f'<section id="result" class="panel{css}" aria-labelledby="result-title">'
        f'<div class="banner"><h2 id="result-title">{outcome(table, kind, language)}</h2>'
        f'<div class="row">{again(table, kind, language)}<a class="button" href="/">{say("Other games")}</a></div></div>'
        f'<ol class="result" aria-label="{say("Result")}">{rows}</ol>'
        f'<div class="after"><a href="/tables/{table.id}/record" download>{say("Download the record")}</a>{proof}</div></section>'
    )
