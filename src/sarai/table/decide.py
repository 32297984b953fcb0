"""What follows from what people ask of a table: events, or a refusal with a reason. One function for each verb."""

from collections.abc import Callable
from math import ceil
from typing import Any

from sarai.core.errors import Illegal
from sarai.core.policy.plan import LEVELS
from sarai.table import commands, log
from sarai.table.people import Person, clean
from sarai.table.playing import played
from sarai.table.refusals import Refused
from sarai.table.table import FINISHED, FLOOD, FLOOD_SECONDS, GATHERING, LENT_LEVEL, PLAYING, Table
from sarai.table.takeback import agreed, asked, possible

Events = list[log.LogEvent]
BOT_NAMES = ("Zahra", "Odysseas", "Yael", "Rostam", "Eleni", "Noam", "Shirin", "Kosmas", "Tamar", "Farhad")


def decide(table: Table, command: commands.Command, person: Person, now: float) -> Events:
    """Return the events that a command brings about; Refused if it may not be done."""
    return DECIDE[type(command)](table, command, person, now)


# --- before the game ----------------------------------------------------------------------------------------------------------------


def gathering(table: Table) -> None:
    """Refuse what is only done before the game."""
    if table.phase != GATHERING:
        raise Refused("already_started")


def hosting(table: Table, person: Person) -> None:
    """Refuse what the host decides; where the host does not sit at the table, everybody who does may."""
    gathering(table)
    if person.id != table.host:
        if table.seat_of(person.id) is None:
            raise Refused("not_seated")
        if table.seat_of(table.host) is not None:
            raise Refused("not_host")


def free_seat(table: Table, wanted: int | None) -> int:
    """Return a seat that nobody has."""
    if wanted is None:
        found = next((number for number, seat in enumerate(table.seats) if seat.empty), None)
        if found is None:
            raise Refused("table_full")
        return found
    if not table.seats[existing(table, wanted)].empty:
        raise Refused("seat_taken")
    return wanted


def existing(table: Table, seat: int) -> int:
    """Return a seat that there is."""
    if not 0 <= seat < table.players:
        raise Refused("no_such_seat", seat=seat, last=table.players - 1)
    return seat


def known_level(level: str) -> str:
    """Return a level of the ladder."""
    if level not in LEVELS:
        raise Refused("unknown_level", level=level, levels=", ".join(LEVELS))
    return level


def sit(table: Table, command: commands.Sit, person: Person, now: float) -> Events:
    """Sit down, or change seats."""
    gathering(table)
    seat, old = free_seat(table, command.seat), table.seat_of(person.id)
    sat = log.Sat(now, person.id, person.name, seat)
    return [sat] if old is None else [log.Stood(now, person.id, old), sat]


def stand(table: Table, command: commands.Stand, person: Person, now: float) -> Events:
    """Stand up."""
    gathering(table)
    return [log.Stood(now, person.id, own_seat(table, person))]


def add_bot(table: Table, command: commands.AddBot, person: Person, now: float) -> Events:
    """Let a bot sit down, under a name that nobody here has."""
    hosting(table, person)
    level, seat = known_level(command.level), free_seat(table, command.seat)
    return [log.BotAdded(now, person.id, seat, level, next(name for name in BOT_NAMES if name not in table.names))]


def remove_bot(table: Table, command: commands.RemoveBot, person: Person, now: float) -> Events:
    """Send a bot away."""
    hosting(table, person)
    if table.seats[existing(table, command.seat)].bot is None:
        raise Refused("seat_not_bot")
    return [log.BotRemoved(now, person.id, command.seat)]


def give_word(table: Table, command: commands.GiveWord, person: Person, now: float) -> Events:
    """Add a word to the dice."""
    gathering(table)
    own_seat(table, person)
    return [log.WordGiven(now, person.id, clean(command.text, "word"))]


def start(table: Table, command: commands.Start, person: Person, now: float) -> Events:
    """Begin."""
    hosting(table, person)
    if table.starting:
        raise Refused("already_started")
    empty = sum(seat.empty for seat in table.seats)
    if empty:
        raise Refused("seats_empty", empty=empty)
    if all(seat.person is None for seat in table.seats):
        raise Refused("nobody_seated")
    return [started(table, person.id, now)]


def started(table: Table, by: str, now: float) -> log.Started:
    """Return the beginning of a game, with the words that people gave, in the order of seats."""
    return log.Started(now, by, [table.words[seat.person] for seat in table.seats if seat.person in table.words])


# --- in the game --------------------------------------------------------------------------------------------------------------------


def own_seat(table: Table, person: Person) -> int:
    """Return where somebody sits who has to sit here for this."""
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refused("not_seated")
    return seat


def player(table: Table, person: Person) -> int:
    """Return the seat of somebody who plays it: not given up, not lent."""
    seat = own_seat(table, person)
    if table.phase != PLAYING:
        raise Refused("not_playing")
    if not table.is_playing(table.seats[seat]):
        raise Refused("seat_lost")
    if table.seats[seat].lent:
        raise Refused("seat_is_lent")
    return seat


def move(table: Table, command: commands.Move, person: Person, now: float) -> Events:
    """Make a move, if there is time left."""
    seat = player(table, person)
    left = table.clocks(now)
    if left is not None and seat in table.clock_state.running and left[seat] <= 0:
        raise Refused("time_over")
    return moved(table, seat, command.move, now, person.id)


def moved(table: Table, seat: int, move: int, now: float, by: str | None = None) -> Events:
    """Return the event of a move that the rules allow a seat."""
    assert table.state is not None
    try:
        played(table.state, move, seat)
    except Illegal as error:
        raise Refused.because(error) from None
    return [log.Moved(now, seat, move, by)]


def ask_back(table: Table, command: commands.AskBack, person: Person, now: float) -> Events:
    """Take back one's last move, or ask for leave."""
    seat = player(table, person)
    undone = possible(table, seat)
    if undone is None:
        raise Refused("nothing_to_take_back")
    question = table.take_back
    if question is not None and question.seat != seat:
        raise Refused("take_back_asked")
    if undone.free or agreed(table, seat, question.answers if question else {}):
        return [log.TakenBack(now, seat, undone.numbers)]
    if question is not None:
        raise Refused("take_back_asked")
    if undone.numbers[0] in table.denied:
        raise Refused("take_back_denied")
    return [log.TakeBackAsked(now, person.id, seat)]


def answer_back(table: Table, command: commands.AnswerBack, person: Person, now: float) -> Events:
    """Let somebody take back a move, or not; who asked may think better of it."""
    seat, question = player(table, person), table.take_back
    if question is None or not (seat in asked(table, question.seat) or (seat == question.seat and not command.yes)):
        raise Refused("no_take_back")
    events: Events = [log.TakeBackAnswered(now, person.id, seat, command.yes)]
    undone = possible(table, question.seat)
    if command.yes and undone is not None and agreed(table, question.seat, {**question.answers, seat: True}):
        events.append(log.TakenBack(now, question.seat, undone.numbers))
    return events


def resign(table: Table, command: commands.Resign, person: Person, now: float) -> Events:
    """Give up."""
    seat = own_seat(table, person)
    if table.phase != PLAYING:
        raise Refused("not_playing")
    if not table.is_playing(table.seats[seat]):
        raise Refused("seat_lost")
    return [log.Resigned(now, person.id, seat, LENT_LEVEL)]


def lend(table: Table, command: commands.Lend, person: Person, now: float) -> Events:
    """Let a bot play for oneself or for somebody who is away; whether they are away the house knows."""
    own_seat(table, person)
    if table.phase != PLAYING:
        raise Refused("not_playing")
    seat = table.seats[existing(table, command.seat)]
    if not table.is_playing(seat) or seat.lent:
        raise Refused(
            "seat_lost"
            if seat.person == person.id and not table.is_playing(seat)
            else "seat_is_lent"
            if seat.person == person.id
            else "not_away"
        )
    level = known_level(command.level)  # for oneself; nobody chooses who plays for a rival
    return [log.SeatLent(now, person.id, command.seat, level if seat.person == person.id else LENT_LEVEL)]


def give_back(table: Table, command: commands.Return, person: Person, now: float) -> Events:
    """Take one's seat back from a bot."""
    number = own_seat(table, person)
    seat = table.seats[number]
    if table.phase != PLAYING:
        raise Refused("not_playing")
    if not table.is_playing(seat):
        raise Refused("seat_lost")
    if seat.lent is None:
        raise Refused("not_lent")
    return [log.SeatReturned(now, person.id, number)]


# --- at any time --------------------------------------------------------------------------------------------------------------------


def chat(table: Table, command: commands.Chat, person: Person, now: float) -> Events:
    """Say something, not too much at once."""
    text = clean(command.text, "chat")
    said = table.said.get(person.id)
    if said is not None and len(said) == FLOOD and now - said[0] < FLOOD_SECONDS:
        raise Refused("chat_flood", seconds=ceil(FLOOD_SECONDS - (now - said[0])))
    return [log.Chatted(now, person.id, person.name, text)]


def mute(table: Table, command: commands.Mute, person: Person, now: float) -> Events:
    """Stop reading somebody."""
    if not 0 <= command.guest < len(table.guests):
        raise Refused("no_such_guest")
    if table.guests[command.guest].person == person.id:
        raise Refused("mute_self")
    return [log.Muted(now, person.id, command.guest, command.on)]


def rematch(table: Table, command: commands.Rematch, person: Person, now: float) -> Events:
    """Play again; the house names the table."""
    own_seat(table, person)
    if table.phase != FINISHED:
        raise Refused("not_over")
    if table.rematch is not None:
        raise Refused("rematch_made", table=table.rematch)
    return [log.Rematched(now, person.id, "")]


DECIDE: dict[type, Callable[[Table, Any, Person, float], Events]] = {
    commands.Sit: sit,
    commands.Stand: stand,
    commands.AddBot: add_bot,
    commands.RemoveBot: remove_bot,
    commands.GiveWord: give_word,
    commands.Start: start,
    commands.Move: move,
    commands.AskBack: ask_back,
    commands.AnswerBack: answer_back,
    commands.Resign: resign,
    commands.Chat: chat,
    commands.Mute: mute,
    commands.Lend: lend,
    commands.Return: give_back,
    commands.Rematch: rematch,
}
