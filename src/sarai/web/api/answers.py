"""What the JSON interface answers; the OpenAPI document is made from these types."""

from __future__ import annotations

from typing import Any, Literal, cast

from msgspec import UNSET, Struct, UnsetType

from sarai.core import game as core_game
from sarai.core.policy.levels import LEVELS
from sarai.table import person as persons
from sarai.table import table as tables
from sarai.table.clock import ClockRule
from sarai.table.decide_end import people_in_game
from sarai.table.takeback import find_take_back
from sarai.table.visible_events import view_for_people
from sarai.web.live.dice import Dice, describe_dice
from sarai.web.live.viewer import clocks_of

Phase = Literal["gathering", "playing", "over"]


class Refusal(Struct):
    """Something was refused; nothing changed. With the reason `stale` comes the table's number."""

    reason: str
    sentence: str
    number: int | UnsetType = UNSET


class Number(Struct):
    """The number of a table's last event."""

    number: int


class Id(Struct):
    """The id of a table."""

    id: str


class Person(Struct):
    """A person, as they see themselves; the id stays in the cookie."""

    name: str
    language: str


class Link(Struct):
    """A link that takes a person to another device."""

    token: str
    url: str


class Session(Struct):
    """A browser or a program in which the person is known; `device` is what it says of itself, days are dates."""

    id: str
    device: str
    created: str
    seen: str
    current: bool


class Erased(Struct):
    """What was stored of the person is erased."""

    erased: bool


class PushKey(Struct):
    """The key with which a browser subscribes to this house's push messages."""

    key: str


class Subscription(Struct):
    """A push subscription that is kept, or was."""

    id: str


class MoveWords(Struct):
    """A move and what it means."""

    move: int
    words: str


class Moves(Struct):
    """The moves of a player."""

    number: int
    moves: list[MoveWords]


class Option(Struct):
    """An option of a game: one of some choices, or a number from the first to the last of `numbers`."""

    name: str
    default: str | int
    help: str
    choices: list[str]
    numbers: list[int]
    display: bool


class Game(Struct):
    """A game; `players` are the fewest and the most, `prepared` how many steps of compiling its rules are done."""

    id: str
    title: str
    players: tuple[int, int]
    rules_version: int
    levels: list[str]
    options: list[Option]
    ready: bool
    prepared: tuple[int, int]


class Seat(Struct):
    """A seat; `bot` is the level of the bot that sits there, `lent` of the bot that plays for the person.

    `taken_back` is how many moves were taken back, `voided` how many draws went with them.
    """

    name: str
    bot: str | None
    lent: str | None
    resigned: bool
    taken_back: int
    voided: int


class Access(Struct):
    """Who may come, watch and talk; `kept` are the seats kept for people of the game before, with their names."""

    locked: bool
    watching: bool
    talk: Literal["all", "players", "off"]
    kept: dict[str, str]


class Guest(Struct):
    """Somebody who sat or wrote here, as the host sees them; `number` names them in commands."""

    number: int
    name: str
    seat: int | None
    banned: bool
    removed: bool


class SeenEvent(Struct):
    """Something that happened, with the number of the table's event that brought it about."""

    number: int
    key: str
    args: dict[str, int | str | list[str] | None]


class ChatLine(Struct):
    """Something said at the table; `seat` is the one that its writer had then, null if the writer was watching.

    `lent` says whether a bot played that seat then. No bot talks.
    """

    number: int
    guest: int
    seat: int | None
    name: str
    text: str
    lent: bool


class TakeBack(Struct):
    """A seat's question, such as whether it may take back its last move, whom it asks, and their answers, by seat.

    An answer names the question by its number.
    """

    number: int
    seat: int
    asked: list[int]
    answers: dict[str, bool]


class Result(Struct):
    """How a game ended."""

    scores: list[int]
    ranks: list[int]
    utilities: list[float]
    reason: str


class Table(Struct):
    """A table as one viewer sees it; `ending` is why the game is over: the result's reason or why there is none."""

    id: str
    game: str
    players: int
    options: dict[str, str | int]
    public: bool
    clock: ClockRule
    phase: Phase
    starting: bool
    number: int
    seat: int | None
    host: bool
    seats: list[Seat]
    to_act: list[int]
    moves: list[int]
    view: dict[str, Any] | None
    seen: list[SeenEvent]
    chat: list[ChatLine]
    take_back: TakeBack | None
    clocks: list[tuple[float, bool]] | None
    commitment: str
    secret: str | None
    result: Result | None
    ending: str | None
    rematch: str | None
    dice: Dice
    access: Access
    guests: list[Guest] | None  # the host only
    end_question: TakeBack | None  # whether the game should end without a result


def describe_person(person: persons.Person) -> Person:
    """Describe a person to themselves."""
    return Person(person.name, person.language)


def describe_game(game: core_game.Game, ready: bool, prepared: tuple[int, int]) -> Game:
    """Describe a game and how far it is prepared."""
    options = [
        Option(
            option.name,
            option.default,
            option.help,
            list(option.choices),
            [option.numbers[0], option.numbers[-1]] if option.numbers else [],
            option.display,
        )
        for option in game.options
    ]
    return Game(
        game.id,
        game.title,
        (game.players[0], game.players[-1]),
        game.rules_version,
        list(LEVELS),
        options,
        ready,
        prepared,
    )


def describe_table(table: tables.Table, person: str | None, now: float, muted: frozenset[int] = frozenset()) -> Table:
    """Return a table as a person sees it, or a visitor who is not known; without what they saw so far."""
    seat, state, result = table.seat_of(person), table.state, table.result
    may_move = seat is not None and seat in table.to_act and table.seats[seat].played_by is None
    return Table(
        id=table.id,
        game=table.game.id,
        players=table.players,
        options=table.options,
        public=table.public,
        clock=table.clock,
        phase=cast(Phase, table.phase),
        starting=table.starting or table.dice.is_running,
        number=table.number,
        seat=seat,
        host=person == table.host,
        seats=[
            Seat(chair.name, chair.bot, chair.lent, chair.resigned, table.taken_back[number], table.voided[number])
            for number, chair in enumerate(table.seats)
        ],
        to_act=list(table.to_act),
        moves=state.legal(seat) if state is not None and may_move else [],
        view=None if state is None else view_for_people(state.view(seat)),
        seen=[],
        chat=[
            ChatLine(line.number, line.guest, line.seat, line.name, line.text, line.is_lent)
            for line in table.chat_for(muted)
        ],
        take_back=describe_question(table),
        end_question=describe_end_question(table),
        clocks=clocks_of(table, now),
        commitment=table.commitment,
        secret=table.secret,
        result=None if result is None else Result(result.scores, result.ranks, result.utilities, result.reason),
        ending=table.ending,
        rematch=table.rematch,
        dice=describe_dice(table),
        access=describe_access(table),
        guests=describe_guests(table) if person == table.host else None,
    )


def describe_access(table: tables.Table) -> Access:
    """Return what the host decided about the table."""
    access = table.access
    kept = {str(seat): kept.name for seat, kept in access.kept.items()} if table.phase == tables.GATHERING else {}
    return Access(access.locked, access.watching, cast(Any, access.talk), kept)


def describe_guests(table: tables.Table) -> list[Guest]:
    """Return those about whom the host may decide something."""
    access = table.access
    return [
        Guest(number, name, table.seat_of(id), id in access.banned, id in access.removed)
        for number, id, name in table.participants
        if id != table.host
    ]


def describe_end_question(table: tables.Table) -> TakeBack | None:
    """Return the question whether the game should end without a result, if there is one."""
    question = table.end_questions.open
    if question is None:
        return None
    answers = {str(other): yes for other, yes in question.answers.items()}
    asked = [seat for seat in people_in_game(table) if seat != question.seat]
    return TakeBack(question.number, question.seat, asked, answers)


def describe_question(table: tables.Table) -> TakeBack | None:
    """Return the question whether a move may be taken back, if there is one."""
    question = table.take_back
    if question is None:
        return None
    undone = find_take_back(table, question.seat)
    answers = {str(other): yes for other, yes in question.answers.items()}
    return TakeBack(question.number, question.seat, [] if undone is None else undone.asked, answers)
