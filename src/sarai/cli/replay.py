"""The command `sarai replay`: a record, shown move by move."""

from pathlib import Path
from typing import NamedTuple

from sarai.cli.event_sentences import EventLog
from sarai.cli.terminal_io import InputEnded, Screen, board, printable_name
from sarai.cli.warm import warm_game
from sarai.core.errors import BadRecord, Error, Illegal
from sarai.core.kernels.warm import TO_REPLAY
from sarai.core.language import Language
from sarai.core.messages import Name, mark
from sarai.core.records import Record, load
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import State

HELP = mark("Enter: next move · b: back · g N: go to move N · e: to the end · q: quit")


class Frame(NamedTuple):
    """A position after a player's move and the chance that follows, and what was seen on the way to it."""

    news: list[str]
    state: State


class Replay:
    """A record cut into frames, as one observer saw it."""

    def __init__(self, screen: Screen, record: Record, observer: int | None) -> None:
        self.screen, self.say = screen, screen.say
        self.record = record
        self.observer = observer
        self.names = [printable_name(name, seat, screen.say) for seat, name in enumerate(record.names)]
        self.frames = self.cut()

    def cut(self) -> list[Frame]:
        """Play the record, one frame for every player's move; BadRecord if it has an illegal move.

        Every move is traced, as in a game at the terminal, so that nothing else has to be compiled.
        """
        game, state = self.record.game, self.record.start()
        log, frames = EventLog(game, self.names, self.observer, self.record.options, self.screen.language), []
        for number, (seat, move) in enumerate(self.record.moves):
            if seat != CHANCE:
                frames.append(Frame(log.news(), state))
            try:
                state, seen = game.play_with_events(state, move, seat)
            except Error as error:
                raise BadRecord("record_bad_move", number=number, why=error) from None
            log.add(seen(self.observer), seat == CHANCE, state.actor == OVER)
        self.record.check_result(state)
        return [*frames, Frame(log.news(), state)]

    def show(self, number: int) -> None:
        """Show a frame."""
        news, state = self.frames[number]
        last = len(self.frames) - 1
        title = Name(self.say(self.record.game.title))
        self.screen.rule(self.say("{game} · move {n} of {last}", game=title, n=number, last=last))
        self.screen.show(board(self.record.game, state.view(self.observer).to_json(), self.names, self.say))
        for paragraph in news:
            self.screen.tell(paragraph)
        if number == last and self.record.result is not None:
            self.screen.result(self.record.result, self.names)
        elif number == last:
            self.screen.tell(self.say("The record ends here; the game was not finished."))

    def print_all(self) -> None:
        """Show every frame."""
        for number in range(len(self.frames)):
            self.show(number)

    def step(self) -> None:
        """Step through the frames by the keys typed."""
        number, last = 0, len(self.frames) - 1
        self.show(number)
        self.screen.tell(self.say(HELP), "dim")
        try:
            while True:
                answer = self.screen.ask(self.say("{n} of {last} (Enter b g e q):", n=number, last=last)).lower()
                wanted = self.wanted(answer, number)
                if wanted is None:
                    return
                if 0 <= wanted <= last and wanted != number:
                    number = wanted
                    self.show(number)
        except (InputEnded, KeyboardInterrupt):
            self.screen.tell()

    def wanted(self, answer: str, number: int) -> int | None:
        """Return the frame that an answer asks for, the same one after a message, None to quit."""
        last = len(self.frames) - 1
        go = answer.removeprefix("g").strip()
        if answer in ("q", "quit"):
            return None
        if answer == "e":
            return last
        if answer == "b" and number > 0:
            return number - 1
        if answer in ("", "n") and number < last:
            return number + 1
        if go.isascii() and go.isdecimal() and int(go[:9]) <= last:
            return int(go[:9])
        if answer == "b":
            self.screen.tell(self.say("This is the beginning."), "red")
        elif answer in ("", "n"):
            self.screen.tell(self.say("This is the end; q quits."), "red")
        elif go.isdecimal():
            self.screen.tell(self.say("The last move is number {last}.", last=last), "red")
        else:
            self.screen.tell(self.say(HELP), "red")
        return number


def replay(path: Path, seat: int | None, everything: bool, language: Language) -> None:
    """Load a record and show it."""
    record = load(path, check=False)
    if seat is not None and not 0 <= seat < record.players:
        raise Illegal("no_such_seat", seat=seat, last=record.players - 1)
    screen = Screen(language)
    warm_game(record.game, TO_REPLAY, screen.say)
    shown = Replay(screen, record, seat)
    if everything:
        shown.print_all()
    else:
        shown.step()
