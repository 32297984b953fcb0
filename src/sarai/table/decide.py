"""What a person's command changes at a table: events, or a refusal with a reason. One function for each command."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from msgspec.structs import replace

from sarai.core.errors import Illegal
from sarai.table import commands, event_types
from sarai.table.command_checks import (
    changes,
    existing_seat,
    free_seat,
    known_level,
    own_seat,
    playing_seat,
    require_gathering,
    require_host,
    require_in_game,
)
from sarai.table.confusable_names import BOT_NAMES, tell_apart
from sarai.table.decide_dice_words import begin, commit_word, give_word, open_word
from sarai.table.decide_end import answer_end, ask_end, resign
from sarai.table.decide_host import ban, change_access, close, free_kept_seat, pass_host, remove_person
from sarai.table.look_sit_talk_permissions import is_name_taken, name_at, require_look, why_not_sit, why_not_talk
from sarai.table.person import Person
from sarai.table.playthrough import Change, Played
from sarai.table.reactions import REACTIONS
from sarai.table.refusals import Refused
from sarai.table.table import FINISHED, GATHERING, LEND_SECONDS, LENT_LEVEL, PLAYING, Table
from sarai.table.takeback import MOST_GRANTED, MOST_TAKE_BACKS, find_take_back, is_lapsed, plays_alone
from sarai.table.talk import CHAT_LIMIT, CHAT_SECONDS
from sarai.table.text_checks import clean

# what begins a time in which others have to do something
BEGINNINGS = (
    event_types.WordsAsked,
    event_types.WordsFailed,
    event_types.Started,
    event_types.TakeBackAsked,
    event_types.EndAsked,
)
LATE_SECONDS = 0.2  # that a command may have waited without being noted


def decide(
    table: Table, command: commands.Command, person: Person, now: float, number: int | None = None
) -> list[Change]:
    """Return the changes that a command makes; Refused, and nothing changed, if it is not allowed.

    `number` is the last event that the person knew: a move or an answer that was meant for an earlier moment is stale.
    """
    require_look(table, person.id)
    seat = table.seat_of(person.id)
    if seat is not None and table.phase == PLAYING and is_stale(table, command, seat, number):
        raise Refused("stale", number=table.number)
    return DECIDE[type(command)](table, command, person, now)


def is_stale(table: Table, command: commands.Command, seat: int, number: int | None) -> bool:
    """Say whether a command was meant for an earlier moment; a yes that does not say to which question might be."""
    if isinstance(command, commands.Move):
        return number is not None and number < table.last_change_for(seat)
    if not isinstance(command, commands.AnswerBack):
        return False
    asked = table.take_back.number if table.take_back is not None else None
    if command.question is not None:
        return command.question != asked
    if asked is None:
        return False
    return command.yes if number is None else number < asked


# --- before the game --------------------------------------------------------------------------------------------------


def sit(table: Table, command: commands.Sit, person: Person, now: float) -> list[Change]:
    """Sit down, or change seats."""
    require_gathering(table)
    if (reason := why_not_sit(table, person.id)) is not None:
        raise Refused(reason)
    seat, old = free_seat(table, command.seat, person.id), table.seat_of(person.id)
    sat = event_types.Sat(now, person.id, name_at(table, person), seat)
    return changes(sat) if old is None else changes(event_types.Stood(now, person.id, old), sat)


def stand(table: Table, command: commands.Stand, person: Person, now: float) -> list[Change]:
    """Stand up."""
    require_gathering(table)
    return changes(event_types.Stood(now, person.id, own_seat(table, person)))


def add_bot(table: Table, command: commands.AddBot, person: Person, now: float) -> list[Change]:
    """Let a bot sit down, under a name that no other seat has."""
    require_host(table, person)
    level, seat = known_level(command.level), free_seat(table, command.seat)
    name = next((name for name in BOT_NAMES if not is_name_taken(table, name)), "")
    name = name or tell_apart(BOT_NAMES[seat % len(BOT_NAMES)], lambda wanted: is_name_taken(table, wanted))
    return changes(event_types.BotAdded(now, person.id, seat, level, name))


def remove_bot(table: Table, command: commands.RemoveBot, person: Person, now: float) -> list[Change]:
    """Send a bot away."""
    require_host(table, person)
    if table.seats[existing_seat(table, command.seat)].bot is None:
        raise Refused("seat_not_bot")
    return changes(event_types.BotRemoved(now, person.id, command.seat))


def start(table: Table, command: commands.Start, person: Person, now: float) -> list[Change]:
    """Begin."""
    require_host(table, person)
    if table.starting:
        raise Refused("already_started")
    empty = sum(seat.empty for seat in table.seats)
    if empty:
        raise Refused("seats_empty", empty=empty)
    if all(seat.person is None for seat in table.seats):
        raise Refused("nobody_seated")
    return begin(table, person.id, now)


# --- in the game ------------------------------------------------------------------------------------------------------


def move(table: Table, command: commands.Move, person: Person, now: float) -> list[Change]:
    """Make a move, if there is time left; whose seat was not lent by themselves has it back with that."""
    returned = list[Change]()
    if is_replaced(table, person):
        returned = return_seat(table, commands.Return(), person, now)
        seat = own_seat(table, person)
    else:
        seat = playing_seat(table, person)
    left = table.clocks(now)
    if left is not None and seat in table.clock_state.running and left[seat] <= 0:
        raise Refused("time_over")
    return [*returned, *moved(table, command.move, seat, now, person.id)]


def is_replaced(table: Table, person: Person) -> bool:
    """Say whether a bot plays for a person who did not ask for it, and who may come back at any time."""
    number = table.seat_of(person.id)
    if number is None or table.phase != PLAYING:
        return False
    seat = table.seats[number]
    return seat.lent is not None and table.is_playing(seat) and seat.lender != person.id


def moved(table: Table, move: int, seat: int, now: float, by: str | None = None) -> list[Change]:
    """Play a move of a seat and return its event; Refused if the rules do not allow it."""
    before = table.state
    assert before is not None
    try:
        after, trace = before.play_traced(move, seat)
    except Illegal as error:
        raise Refused.because(error) from None
    return [Change(event_types.Moved(now, seat, move, by), Played(before, after, trace))]


def begun_when_seen(changes: Sequence[Change], now: float) -> list[Change]:
    """Let what begins for others begin now, when they can see it, though the command arrived before."""
    return [change._replace(event=_begun_when_seen(change, now)) for change in changes]


def _begun_when_seen(change: Change, now: float) -> event_types.LogEvent:
    event, played = change
    if isinstance(event, BEGINNINGS):
        return replace(event, at=max(event.at, now))
    if isinstance(event, event_types.Moved) and played is not None:
        choosing = set(played.before.to_act) - {event.seat}
        if not choosing.issuperset(played.after.to_act):
            return replace(event, shown=now)
    return event


def ask_back(table: Table, command: commands.AskBack, person: Person, now: float) -> list[Change]:
    """Take back one's last move, or ask the others; there is a limit to both."""
    seat = playing_seat(table, person)
    undone = find_take_back(table, seat)
    if undone is None:
        raise Refused("nothing_to_take_back")
    if table.take_back is not None:
        raise Refused("take_back_asked")
    if table.taken_back[seat] >= MOST_TAKE_BACKS:
        raise Refused("take_backs_used", most=MOST_TAKE_BACKS)
    if undone.free or plays_alone(table):
        left = table.times.left_after_take_back(undone.move, seat, now)
        if left is not None and left <= 0:
            raise Refused("time_over")
        return changes(event_types.TakenBack(now, seat, undone.numbers, pays=True))
    if table.granted[seat] >= MOST_GRANTED:
        raise Refused("take_backs_used", most=MOST_GRANTED)
    if undone.move in table.denied:
        raise Refused("take_back_denied")
    if not undone.asked:  # the others gave up
        return changes(event_types.TakenBack(now, seat, undone.numbers, granted=True))
    return changes(event_types.TakeBackAsked(now, person.id, seat, told=True))


def answer_back(table: Table, command: commands.AnswerBack, person: Person, now: float) -> list[Change]:
    """Agree that a move is taken back, or refuse; the player who asked may withdraw the question by refusing.

    Who lent the own seat answers too; who gave up or lost on time only about moves of their own.
    """
    seat, request = own_seat(table, person), table.take_back
    if table.phase != PLAYING:
        raise Refused("not_playing")
    undone = find_take_back(table, request.seat) if request is not None and not is_lapsed(request, now) else None
    if request is None or undone is None:
        raise Refused("no_take_back")
    is_withdrawn = seat == request.seat and not command.yes
    if seat not in undone.asked and not is_withdrawn:
        raise Refused("no_take_back")
    answer = event_types.TakeBackAnswered(now, person.id, seat, command.yes, request.number)
    answers = {**request.answers, seat: command.yes}
    if command.yes and all(answers.get(other) for other in undone.asked):
        return changes(answer, event_types.TakenBack(now, request.seat, undone.numbers, granted=True))
    return changes(answer)


def lend(table: Table, command: commands.Lend, person: Person, now: float) -> list[Change]:
    """Let a bot play for oneself, or for a player for whom the others have waited long.

    The service sees to it that such a player was away all that time.
    """
    own, number = require_in_game(table, person), existing_seat(table, command.seat)
    seat, level = table.seats[number], known_level(command.level)
    if own == number:
        if seat.lent:
            raise Refused("seat_is_lent")
        return changes(event_types.SeatLent(now, person.id, number, level))
    if table.clock.kind != "none":
        raise Refused("clock_decides")
    if not table.waits_for(number) or now - table.decision_since(number) < LEND_SECONDS:
        raise Refused("not_away")
    # a player chooses the level for the own seat only, never for a rival's
    return changes(event_types.SeatLent(now, person.id, number, LENT_LEVEL))


def call_off(table: Table, command: commands.CallOff, person: Person, now: float) -> list[Change]:
    """End a game that has waited for another player for days."""
    own, number = require_in_game(table, person), existing_seat(table, command.seat)
    if number == own or number not in table.overdue(now):
        raise Refused("not_overdue")
    return changes(event_types.CalledOff(now, person.id, number))


def return_seat(table: Table, command: commands.Return, person: Person, now: float) -> list[Change]:
    """Take one's seat back from a bot; whose time ran out, after the bot's move: there is no more time for that one."""
    number = require_in_game(table, person)
    seat = table.seats[number]
    if seat.lent is None:
        raise Refused("not_lent")
    left = table.times.left_after_return(number, now)
    if (seat.late and table.times.is_time_over(number)) or (left is not None and left <= 0):
        raise Refused("time_over")
    return changes(event_types.SeatReturned(now, person.id, number, pays=True))


# --- at any time ------------------------------------------------------------------------------------------------------


def chat(table: Table, command: commands.Chat, person: Person, now: float) -> list[Change]:
    """Write a chat line, not too many at once."""
    require_talk(table, person, now)
    text = clean(command.text, "chat")
    return changes(event_types.Chatted(now, person.id, name_at(table, person), text))


def react(table: Table, command: commands.React, person: Person, now: float) -> list[Change]:
    """Say something by a symbol; it counts as a line of talk."""
    if command.reaction not in REACTIONS:
        raise Refused("unknown_reaction", reaction=command.reaction, reactions=", ".join(REACTIONS))
    require_talk(table, person, now)
    return changes(event_types.Reacted(now, person.id, name_at(table, person), command.reaction))


def require_talk(table: Table, person: Person, now: float) -> None:
    """Refuse talk where the host does not want it, and too much at once."""
    if (reason := why_not_talk(table, person.id)) is not None:
        raise Refused(reason)
    times = table.talk.times.get(person.id)
    # lines from the future, by a clock that was set back since, hold nobody up
    if times is not None and len(times) == CHAT_LIMIT and 0 <= now - times[0] < CHAT_SECONDS:
        raise Refused("chat_flood", seconds=ceil(CHAT_SECONDS - (now - times[0])))


def use_name(table: Table, command: commands.UseName, person: Person, now: float) -> list[Change]:
    """Be called by one's present name, as long as the game is not over."""
    own_seat(table, person)
    if table.phase not in (GATHERING, PLAYING):
        raise Refused("not_playing")
    return changes(event_types.Renamed(now, person.id, name_at(table, person)))


def mute(table: Table, command: commands.Mute, person: Person, now: float) -> list[Change]:
    """Stop reading a guest, or read the guest again: nothing happens at the table, the service notes it."""
    if not 0 <= command.guest < len(table.participants):
        raise Refused("no_such_guest")
    if table.participants[command.guest].person == person.id:
        raise Refused("mute_self")
    return []


def rematch(table: Table, command: commands.Rematch, person: Person, now: float) -> list[Change]:
    """Play again; the service adds the id of the new table."""
    own_seat(table, person)
    if person.id in table.access.banned:
        raise Refused("banned")
    if table.phase != FINISHED:
        raise Refused("not_over")
    if table.rematch is not None:
        raise Refused("rematch_made", table=table.rematch)
    return changes(event_types.Rematched(now, person.id, ""))


DECIDE: dict[type, Callable[[Table, Any, Person, float], list[Change]]] = {
    commands.Sit: sit,
    commands.Stand: stand,
    commands.AddBot: add_bot,
    commands.RemoveBot: remove_bot,
    commands.GiveWord: give_word,
    commands.CommitWord: commit_word,
    commands.OpenWord: open_word,
    commands.Start: start,
    commands.Move: move,
    commands.AskBack: ask_back,
    commands.AnswerBack: answer_back,
    commands.Resign: resign,
    commands.AskEnd: ask_end,
    commands.AnswerEnd: answer_end,
    commands.Chat: chat,
    commands.React: react,
    commands.UseName: use_name,
    commands.Mute: mute,
    commands.RemovePerson: remove_person,
    commands.Ban: ban,
    commands.ChangeAccess: change_access,
    commands.PassHost: pass_host,
    commands.FreeSeat: free_kept_seat,
    commands.Close: close,
    commands.Lend: lend,
    commands.Return: return_seat,
    commands.CallOff: call_off,
    commands.Rematch: rematch,
}
