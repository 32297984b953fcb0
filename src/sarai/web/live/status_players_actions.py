"""The parts of a table's page that change with a move: each is one element with an id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import Message, Term, mark
from sarai.table.bots.worker import QUICK_LEVELS
from sarai.table.decide_end import ends_by_resigning, people_in_game
from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.table.takeback import MOST_TAKE_BACKS, is_asked
from sarai.web.language import Language, find_language, isolated
from sarai.web.live.form_elements import button, form
from sarai.web.live.names import shown_names
from sarai.web.live.questions import question
from sarai.web.live.viewer import LiveInfo, Viewer

if TYPE_CHECKING:
    from sarai.table.table import Table

LENT_LEVEL = "regular"  # of a bot that plays for a person
NO_ACTIONS = Markup('<div id="actions" class="actions"></div>')
NO_MOVES = Markup('<details id="moves" hidden></details>')
NO_PLAYERS = Markup('<section id="players" hidden></section>')
SPACE, BETWEEN_TAGS = Markup(" "), Markup(" · ")
THINKING = Message(mark("{people, plural, one {{names} is thinking …} other {{names} are thinking …}}"))
WAITING = Message(mark("Waiting for {names}."))
KEPT = Message(mark("Waiting for {names}: {people, plural, one {a seat is kept} other {seats are kept}} for them."))
WON = Message(mark("{people, plural, one {{names} wins!} other {{names} share the win.}}"))
EMPTY_MOVE_LIST = Markup('<div id="move-list" class="move-list"></div>')

Acting = tuple[int, ...]  # the seats that may act now


def may_host(table: Table, viewer: Viewer) -> bool:
    """Say whether a viewer may add bots and begin: the host, or any player if the host has no seat here."""
    return viewer.is_host or (viewer.seat is not None and table.seat_of(table.host) is None)


def moves(
    viewer: Viewer, is_over: bool, language: Language, inside: Markup = EMPTY_MOVE_LIST, is_open: bool = False
) -> Markup:
    """Return the place for the list of moves, which is filled when the viewer opens it."""
    if viewer.seat is None or is_over:
        return NO_MOVES
    return markup(
        '<details id="moves"{opened}><summary>{title}</summary>{inside}</details>',
        opened=" open" if is_open else "",
        title=language.say("Your moves as a list"),
        inside=inside,
    )


# --- the status line ----------------------------------------------------------------------------------------------


@lru_cache(10_000)
def say_of(names: tuple[str, ...], message: Message, code: str) -> Markup:
    """Say something of people: `names`, and how many `people` they are, for what is said of one and of several."""
    language = find_language(code)
    return escape(language.say_message(message, names=[isolated(name) for name in names], people=len(names)))


@lru_cache(10_000, typed=True)  # a text and markup of the same letters are equal, but escaped differently
def sentences(*said: str) -> Markup:
    """Return sentences one after the other, each whole in an element of its own."""
    return join([markup("<span>{sentence}</span>", sentence=sentence) for sentence in said], SPACE)


def status(
    table: Table, viewer: Viewer, acting: Acting, language: Language, live: LiveInfo, prompt: Prompt | None
) -> Markup:
    """Say what is expected of whom."""
    css, words = status_words(table, viewer, acting, language, live, prompt)
    asked = question(table, viewer, language) if table.phase == PLAYING else EMPTY
    return status_line(css, words, live.progress if table.phase != FINISHED else None, language.code, asked)


@lru_cache(10_000, typed=True)
def status_line(css: str, words: str, progress: tuple[int, int] | None, code: str, asked: Markup = EMPTY) -> Markup:
    """Return the status line, with how far the rules are prepared if they are not ready, and a question if any."""
    language, bar = find_language(code), EMPTY
    if progress is not None:
        bar = markup(
            '<progress class="progress" value="{done}" max="{steps}" aria-label="{label}" title="{label}"></progress>',
            done=progress[0],
            steps=progress[1],
            label=language.say("Preparing the game"),
        )
    return markup(
        '<div id="status" class="status {css}" role="status" aria-live="polite"><span>{words}</span>{bar}{asked}</div>',
        css=css,
        words=words,
        bar=bar,
        asked=asked,
    )


def status_words(
    table: Table, viewer: Viewer, acting: Acting, language: Language, live: LiveInfo, prompt: Prompt | None
) -> tuple[str, str]:
    """Return the CSS class and the words of the status line; what a game expects is said by its board."""
    say = language.say
    if table.phase == GATHERING:
        return gathering_words(table, viewer, language)
    if table.phase == FINISHED:
        return "over", sentences(say("The game is over."), outcome_words(table, viewer, language))
    if table.take_back is not None:
        name = isolated(table.seats[table.take_back.seat].name)
        if is_asked(table, viewer.seat):
            return "yours", say("{name} would like to take back a move. Do you agree?", name=name)
        if viewer.seat == table.take_back.seat:
            return "", say("You asked whether you may take back a move.")
        return "", say("{name} would like to take back a move.", name=name)
    names, waiting = shown_names(table.seats, language), [seat for seat in acting if seat != viewer.seat]
    players = [table.seats[seat] for seat in waiting]
    if viewer.seat is not None and viewer.seat in acting:
        if table.seats[viewer.seat].played_by:
            return "", say("A bot is playing for you.")
        return "yours", prompt.own if prompt else say("Your turn.")
    if waiting and all(seat.played_by for seat in players):
        if live.progress is not None and any(seat.played_by not in QUICK_LEVELS for seat in players):
            return "thinking", say("The bots are still getting ready …")
        return "thinking", say_of(tuple([names[seat] for seat in waiting]), THINKING, language.code)
    others = prompt.others if prompt else WAITING
    message = Message(others) if isinstance(others, str) else others
    people = tuple([names[seat] for seat in waiting if not table.seats[seat].played_by])
    return "", say_of(people, message, language.code)


def gathering_words(table: Table, viewer: Viewer, language: Language) -> tuple[str, str]:
    """Say what a table waits for before the game."""
    say = language.say
    if table.starting:
        return "", say("The rules are being prepared; the game begins by itself as soon as they are.")
    if table.dice.is_running:
        return "", say("The words for the dice are being opened; the game begins in a moment.")
    empty = [number for number, seat in enumerate(table.seats) if seat.empty]
    if kept := [number for number in empty if number in table.access.kept]:
        return kept_words(table, viewer, kept, len(empty) - len(kept), language)
    if empty:
        free = say("{n, plural, one {# seat is still free.} other {# seats are still free.}}", n=len(empty))
        if may_host(table, viewer):
            return "", sentences(free, say("Invite somebody, or add a bot."))
        return "", sentences(free, say("Sit down, or watch.")) if viewer.seat is None else free
    if may_host(table, viewer):
        return "yours", say("Everybody is here: begin when you like.")
    return "", say("Everybody is here; the host begins the game.")


def kept_words(table: Table, viewer: Viewer, kept: Sequence[int], free: int, language: Language) -> tuple[str, str]:
    """Say for whom seats are kept before a rematch, and how they learn of it."""
    say = language.say
    if viewer.kept is not None:
        return "yours", say("A seat is kept for you: sit down if you play again.")
    names = tuple([table.access.kept[number].name for number in kept])
    said = [
        say_of(names, KEPT, language.code),
        say("They find this table on the page of the last game, and among their games."),
    ]
    if free:
        said.append(say("{n, plural, one {# seat is still free.} other {# seats are still free.}}", n=free))
    return "", sentences(*said)


def outcome_words(table: Table, viewer: Viewer, language: Language) -> str:
    """Say who won."""
    if table.result is None and table.ending in ("called_off", "agreed"):
        return language.say("The game ended without a result.")
    if table.result is None:
        return language.say("The game was abandoned.")
    winners = [number for number, rank in enumerate(table.result.ranks) if rank == 1]
    if winners == [viewer.seat]:
        return language.say("You win!")
    return say_of(tuple([shown_names(table.seats, language)[number] for number in winners]), WON, language.code)


# --- players ------------------------------------------------------------------------------------------------------


def players(table: Table, viewer: Viewer, acting: Acting, language: Language, live: LiveInfo) -> Markup:
    """List the seats: who plays, who is to act, how it stands."""
    if table.phase == GATHERING:
        return NO_PLAYERS
    return markup(
        '<section id="players" class="panel" aria-labelledby="players-title"><h2 id="players-title">{title}</h2>'
        '<ol class="chairs">{rows}</ol>{watching}</section>',
        title=language.say("Players"),
        watching=watching(live.watchers, language.code),
        rows=join([player(table, seat, viewer, seat in acting, language, live) for seat in range(table.players)]),
    )


@lru_cache(1000)
def watching(watchers: int, code: str) -> Markup:
    """Say how many people watch, if any do; nobody is told who they are."""
    if not watchers:
        return EMPTY
    text = find_language(code).say(
        "{n, plural, one {# person is watching.} other {# people are watching.}}", n=watchers
    )
    return markup('<p class="watching">{text}</p>', text=text)


def player(table: Table, number: int, viewer: Viewer, is_acting: bool, language: Language, live: LiveInfo) -> Markup:
    """Describe one seat, with what the viewer can do about it."""
    seat, say, offer = table.seats[number], language.say, EMPTY
    is_own, is_away = number == viewer.seat, number in live.away
    tags = [say("bot · {level}", level=Term(seat.bot, "bot"))] if seat.bot else []
    tags += [say("a bot plays")] if seat.lent else []
    tags += [say("you")] if is_own else [say("away")] if is_away else []
    if voided := table.voided[number]:
        tags.append(say("{n, plural, one {took back # die or card} other {took back # dice or cards}}", n=voided))
    if viewer.seat is not None and not is_own and table.is_playing(table.seats[viewer.seat]):
        offer = absence_offer(table.id, number, number in live.lendable, number in live.overdue, language)
    elif is_own and seat.lent and table.is_playing(seat) and table.phase == PLAYING:
        offer = form(table.id, "Return", button(say("Play myself"), "quiet"))
    css = "chair" + " acting" * is_acting + " own" * is_own + " resigned" * seat.resigned
    turn, name = say("to act") if is_acting else "", shown_names(table.seats, language)[number]
    return player_row(number, css, name, turn, tuple(tags), table.clock.kind != "none", offer)


def absence_offer(table_id: str, seat: int, is_lendable: bool, is_overdue: bool, language: Language) -> Markup:
    """Offer what can be done about a player for whom the others have waited long."""
    lend = lend_form(table_id, seat, language.say("Let a bot play")) if is_lendable else EMPTY
    if not is_overdue:
        return lend
    question = language.say("End this game for everybody, without a result?")
    end = form(table_id, "CallOff", button(language.say("End the game"), "quiet"), {"seat": seat}, ask=question)
    return join([lend, end])


@lru_cache(10_000)
def lend_form(table_id: str, seat: int, label: str) -> Markup:
    """Offer to let a bot play a seat."""
    return form(table_id, "Lend", button(label, "quiet"), {"seat": seat, "level": LENT_LEVEL})


@lru_cache(10_000, typed=True)
def player_row(
    number: int, css: str, name: str, turn: str, tags: tuple[str, ...], has_clock: bool, offer: Markup
) -> Markup:
    """Return a seat's line in the list of players."""
    each = [markup("<span>{tag}</span>", tag=tag) for tag in tags]
    return markup(
        '<li class="{css}" id="player-{number}"><span class="dot"></span><span class="chair-name">{name}</span>'
        "{turn}{tags}{clock}{offer}</li>",
        css=css,
        number=number,
        name=isolated(name),
        turn=markup('<span class="visually-hidden">{turn}</span>', turn=turn) if turn else EMPTY,
        tags=markup('<span class="chair-tag">{tags}</span>', tags=join(each, BETWEEN_TAGS)) if tags else EMPTY,
        clock=markup('<span class="clock" id="clock-{number}"></span>', number=number) if has_clock else EMPTY,
        offer=offer,
    )


# --- what else can be done ----------------------------------------------------------------------------------------


def actions(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Offer what a player may do besides moving."""
    if viewer.seat is None or table.phase != PLAYING:
        return NO_ACTIONS
    seat = table.seats[viewer.seat]
    if table.take_back is not None or seat.lent or not table.is_playing(seat):
        return NO_ACTIONS
    has_moved = table.has_moved(viewer.seat) and table.taken_back[viewer.seat] < MOST_TAKE_BACKS
    ends = None if table.end_questions.open is not None else people_in_game(table) == [viewer.seat]
    is_duel = ends_by_resigning(table, viewer.seat)
    return usual_actions(table.id, viewer.seat, viewer.language, has_moved, ends, is_duel)


@lru_cache(10_000)
def usual_actions(table_id: str, seat: int, code: str, has_moved: bool, ends: bool | None, is_duel: bool) -> Markup:
    """Offer what a player may do at any time of the game.

    `ends` says whether the player's word alone ends it without a result, None if that is being asked already.
    """
    say = find_language(code).say
    found = [form(table_id, "AskBack", button(say("Take back"), "quiet"))] if has_moved else []
    found.append(lend_form(table_id, seat, say("Bot for me")))
    if ends is not None:
        label = say("End the game") if ends else say("Ask to end the game")
        sure = say("End this game for everybody, without a result?") if ends else ""
        found.append(form(table_id, "AskEnd", button(label, "quiet"), ask=sure))
    if is_duel:
        question = say("Give up this game? The other player wins.")
    else:
        question = say("Give up this game? A bot will play on for you.")
    found.append(form(table_id, "Resign", button(say("Give up"), "quiet"), ask=question))
    return markup('<div id="actions" class="actions">{found}</div>', found=join(found))
