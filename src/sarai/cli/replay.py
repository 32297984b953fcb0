"""A record, looked at move by move."""

from typing import NamedTuple

from sarai.cli.screen import Left, Log, Screen, board, clean
from sarai.core.errors import BadRecord, Error
from sarai.core.records import Record
from sarai.core.result import CHANCE, OVER
from sarai.core.state import State

HELP = "Enter: next move · b: back · g N: go to move N · e: to the end · q: quit"


class Frame(NamedTuple):
    """A position after a player's move and the chance that follows, and what was seen on the way to it."""

    news: list[str]
    state: State


class Replay:
    """A record cut into frames, as one observer saw it."""

    def __init__(self, screen: Screen, record: Record, observer: int | None) -> None:
        self.screen = screen
        self.record = record
        self.observer = observer
        self.names = [clean(name, seat) for seat, name in enumerate(record.names)]
        self.frames = self.cut()

    def cut(self) -> list[Frame]:
        """Play the record, one frame for every player's move; BadRecord if it cannot have been played so.

        Every move is told, as at the table, so that nothing is compiled that a game at the terminal has not compiled.
        """
        game, state = self.record.game, self.record.start()
        log, frames = Log(game, self.names, self.observer, self.record.options), []
        for number, (seat, move) in enumerate(self.record.moves):
            if seat != CHANCE:
                frames.append(Frame(log.news(), state))
            try:
                state, seen = game.play_with_events(state, move, seat)
            except Error as error:
                raise BadRecord("record_bad_move", number=number, why=str(error)) from None
            log.add(seen(self.observer), seat == CHANCE, state.actor == OVER)
        self.record.check_result(state)
        return [*frames, Frame(log.news(), state)]

    def show(self, number: int) -> None:
        """Show a frame."""
        news, state = self.frames[number]
        last = len(self.frames) - 1
        self.screen.rule(f"{self.record.game.title} · move {number} of {last}")
        self.screen.show(board(self.record.game, state.view(self.observer).to_json(), self.names))
        for paragraph in news:
            self.screen.say(paragraph)
        if number == last and self.record.result is not None:
            self.screen.result(self.record.result, self.names)
        elif number == last:
            self.screen.say("The record ends here; the game was not finished.")

    def print_all(self) -> None:
        """Show every frame."""
        for number in range(len(self.frames)):
            self.show(number)

    def step(self) -> None:
        """Go through the frames as the keys say."""
        number, last = 0, len(self.frames) - 1
        self.show(number)
        self.screen.say(HELP, "dim")
        try:
            while True:
                answer = self.screen.ask(f"{number} of {last} (Enter b g e q):").lower()
                wanted = self.wanted(answer, number)
                if wanted is None:
                    return
                if 0 <= wanted <= last and wanted != number:
                    number = wanted
                    self.show(number)
        except (Left, KeyboardInterrupt):
            self.screen.say()

    def wanted(self, answer: str, number: int) -> int | None:
        """Return the frame that an answer asks for, the same one after a word about it, None to quit."""
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
            self.screen.say("This is the beginning.", "red")
        elif answer in ("", "n"):
            self.screen.say("This is the end; q quits.", "red")
        elif go.isdecimal():
            self.screen.say(f"The last move is number {last}.", "red")
        else:
            self.screen.say(HELP, "red")
        return number
