"""The parts of a table's page that change with a move: each is one element with an id."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from sarai.core.board import Prompt
from sarai.core.markup import EMPTY, join, markup, phrase
from sarai.core.messages import Message
from sarai.table.bots.worker import QUICK_LEVELS
from sarai.table.decide_end import ends_by_resigning, people_in_game
from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.table.takeback import MOST_TAKE_BACKS, is_asked
from sarai.web.language import Language, find_language, isolated
from sarai.web.live.forms import button, form
from sarai.web.live.questions import question
from sarai.web.live.viewer import LiveInfo, Viewer

if TYPE_CHECKING:
    from sarai.table.table import Table

LENT_LEVEL = "regular"  # of a bot that plays for a person
NO_ACTIONS = Markup('<div id="actions" class="actions"></div>')
NO_MOVES = Markup('<details id="moves" hidden></details>')
NO_PLAYERS = Markup('<section id="players" hidden></section>')
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


class Words(NamedTuple):
    """A sentence, and the names of the people it is about, who are `{names}` in it; None if it is about no people."""

    text: str | Message
    names: tuple[str, ...] | None = None

    def markup(self, language: Language) -> Markup:
        """Return the sentence with the names."""
        if isinstance(self.text, Message):
            return escape(language.say_message(self.text, names=[isolated(name) for name in self.names or ()]))
        if self.names is None:
            return escape(self.text)
        return phrase(self.text, names=language.listed([isolated(name) for name in self.names]))


def status(
    table: Table, viewer: Viewer, acting: Acting, language: Language, live: LiveInfo, prompt: Prompt | None
) -> Markup:
    """Say what is expected of whom."""
    css, words = status_words(table, viewer, acting, language, live, prompt)
    asked = question(table, viewer, language) if table.phase == PLAYING else EMPTY
    return status_line(css, words, live.progress if table.phase != FINISHED else None, language.code, asked)


@lru_cache(10_000)
def status_line(css: str, words: Words, progress: tuple[int, int] | None, code: str, asked: Markup = EMPTY) -> Markup:
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
        words=words.markup(language),
        bar=bar,
        asked=asked,
    )


def status_words(
    table: Table, viewer: Viewer, acting: Acting, language: Language, live: LiveInfo, prompt: Prompt | None
) -> tuple[str, Words]:
    """Return the CSS class and the words of the status line; what a game expects is said by its board."""
    say = language.say
    if table.phase == GATHERING:
        return gathering_words(table, viewer, language)
    if table.phase == FINISHED:
        outcome = outcome_words(table, viewer, language)
        return "over", Words(f"{say('The game is over.')} {outcome.text}", outcome.names)
    if table.take_back is not None:
        names = (table.seats[table.take_back.seat].name,)
        if is_asked(table, viewer.seat):
            return "yours", Words(say("{names} would like to take back a move. Do you agree?"), names)
        if viewer.seat == table.take_back.seat:
            return "", Words(say("You asked whether you may take back a move."))
        return "", Words(say("{names} would like to take back a move."), names)
    waiting = [table.seats[seat] for seat in acting if seat != viewer.seat]
    if viewer.seat is not None and viewer.seat in acting:
        if table.seats[viewer.seat].played_by:
            return "", Words(say("A bot is playing for you."))
        return "yours", Words(prompt.own if prompt else say("Your turn."))
    if waiting and all(seat.played_by for seat in waiting):
        if live.progress is not None and any(seat.played_by not in QUICK_LEVELS for seat in waiting):
            return "thinking", Words(say("The bots are still getting ready …"))
        text = say("{names} is thinking …") if len(waiting) == 1 else say("{names} are thinking …")
        return "thinking", Words(text, tuple([seat.name for seat in waiting]))
    others = prompt.others if prompt else say("Waiting for {names}.")
    people = [seat.name for seat in waiting if not seat.played_by]
    return "", Words(others, tuple(people))


def gathering_words(table: Table, viewer: Viewer, language: Language) -> tuple[str, Words]:
    """Say what a table waits for before the game."""
    say = language.say
    if table.starting:
        return "", Words(say("The rules are being prepared; the game begins by itself as soon as they are."))
    if table.dice.is_running:
        return "", Words(say("The words for the dice are being opened; the game begins in a moment."))
    empty = sum(seat.empty for seat in table.seats)
    if empty:
        free = say("{n, plural, one {# seat is still free.} other {# seats are still free.}}", n=empty)
        todo = ""
        if may_host(table, viewer):
            todo = say("Invite somebody, or add a bot.")
        elif viewer.seat is None:
            todo = say("Sit down, or watch.")
        return "", Words(f"{free} {todo}".rstrip())
    if may_host(table, viewer):
        return "yours", Words(say("Everybody is here: begin when you like."))
    return "", Words(say("Everybody is here; the host begins the game."))


def outcome_words(table: Table, viewer: Viewer, language: Language) -> Words:
    """Say who won."""
    if table.result is None and table.ending in ("called_off", "agreed"):
        return Words(language.say("The game ended without a result."))
    if table.result is None:
        return Words(language.say("The game was abandoned."))
    winners = [number for number, rank in enumerate(table.result.ranks) if rank == 1]
    if winners == [viewer.seat]:
        return Words(language.say("You win!"))
    text = language.say("{names} wins!") if len(winners) == 1 else language.say("{names} share the win.")
    return Words(text, tuple([table.seats[number].name for number in winners]))


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
    tags = [say("bot"), say(seat.bot)] if seat.bot else [say("a bot plays")] if seat.lent else []
    tags += [say("you")] if is_own else [say("away")] if is_away else []
    if voided := table.voided[number]:
        tags.append(say("{n, plural, one {# draw voided} other {# draws voided}}", n=voided))
    if viewer.seat is not None and not is_own and table.is_playing(table.seats[viewer.seat]):
        offer = absence_offer(table.id, number, number in live.lendable, number in live.overdue, language)
    elif is_own and seat.lent and table.is_playing(seat):
        offer = form(table.id, "Return", button(say("Play myself"), "quiet"))
    css = "chair" + " acting" * is_acting + " own" * is_own + " resigned" * seat.resigned
    turn = say("to act") if is_acting else ""
    return player_row(number, css, seat.name, turn, " · ".join(tags), table.clock.kind != "none", offer)


def absence_offer(table_id: str, seat: int, is_lendable: bool, is_overdue: bool, language: Language) -> Markup:
    """Offer what can be done about a player for whom the others have waited long."""
    lend = lend_form(table_id, seat, language.say("Let a bot play")) if is_lendable else EMPTY
    if not is_overdue:
        return lend
    question = language.say("End this game for everybody, without a result?")
    end = form(table_id, "CallOff", button(language.say("End without a result"), "quiet"), {"seat": seat}, ask=question)
    return join([lend, end])


@lru_cache(10_000)
def lend_form(table_id: str, seat: int, label: str) -> Markup:
    """Offer to let a bot play a seat."""
    return form(table_id, "Lend", button(label, "quiet"), {"seat": seat, "level": LENT_LEVEL})


@lru_cache(10_000, typed=True)
def player_row(number: int, css: str, name: str, turn: str, tags: str, has_clock: bool, offer: Markup) -> Markup:
    """Return a seat's line in the list of players."""
    return markup(
        '<li class="{css}" id="player-{number}"><span class="dot"></span><span class="chair-name">{name}</span>'
        "{turn}{tags}{clock}{offer}</li>",
        css=css,
        number=number,
        name=isolated(name),
        turn=markup('<span class="visually-hidden">{turn}</span>', turn=turn) if turn else EMPTY,
        tags=markup('<span class="chair-tag">{tags}</span>', tags=tags) if tags else EMPTY,
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
        label, sure = say("End without a result"), say("End this game for everybody, without a result?") if ends else ""
        found.append(form(table_id, "AskEnd", button(label, "quiet"), ask=sure))
    if is_duel:
        question = say("Give up this game? The other player wins.")
    else:
        question = say("Give up this game? A bot will play on for you.")
    found.append(form(table_id, "Resign", button(say("Give up"), "quiet"), ask=question))
    return markup('<div id="actions" class="actions">{found}</div>', found=join(found))
