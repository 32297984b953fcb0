"""A game at the terminal: people take turns at the keyboard, bots have the other seats."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from rich.text import Text

from sarai.cli.event_sentences import EventLog
from sarai.cli.language import searchable
from sarai.cli.seats import Seats
from sarai.cli.terminal_io import InputEnded, Screen, board, terminal
from sarai.core.errors import BadRecord, BadText, Error
from sarai.core.game import Game
from sarai.core.messages import Name, Notation, Series, mark
from sarai.core.random_play import random_move
from sarai.core.records import Record
from sarai.core.refusal_sentences import say_refusal
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import View

LONG_LIST = 40  # moves, after which a hint says how to shorten the list
HINT = mark("Type a move, ? for the moves you may make, h for help, q to stop.")
HELP = mark(
    """
  ?        the moves you may make; ? and a word: those with that word
  h help   this text
  b board  the board again
  l log    all that you saw happen
  s save   save the record now
  q quit   stop; the record is saved
Where a letter is a move of the game, type the word.
"""
)


def make_bot(game: Game, level: str, seed: str) -> Callable[[View], int]:
    """Return what chooses the moves of a bot; a random one needs no search, and nothing of it compiled."""
    rng = Random(seed)
    if level == "random":
        return lambda view: rng.choice(view.legal())
    from sarai.bots import bot

    return bot(game, level, rng.getrandbits(63)).choose


class TerminalGame:
    """One game from its start to the record saved."""

    def __init__(self, screen: Screen, record: Record, seats: Seats, seed: int, path: Path) -> None:
        self.screen, self.say = screen, screen.say
        self.record = record
        self.game = record.game
        self.path = path
        self.seats = seats
        self.seed = seed
        self.state = record.start()
        self.people = range(seats.people)
        self.bots = {
            seats.people + place: make_bot(record.game, kind, f"{seed} bot {place}")
            for place, kind in enumerate(seats.bots)
        }
        self.chance = Random(f"{seed} chance")  # not the bots' generator: other bots meet the same chance
        observers: list[int | None] = [None, *self.people]
        self.logs = {
            observer: EventLog(self.game, record.names, observer, record.options, screen.language)
            for observer in observers
        }
        self.at_keyboard: int | None = None
        # Where no event has a secret, all seats know the same and nothing is to be hidden.
        self.has_secrets = seats.people > 1 and any(event.secret for event in self.game.definition.events)

    def run(self) -> None:
        """Play until the game is over or the people leave, and save the record either way."""
        self.welcome()
        try:
            try:
                while self.state.actor != OVER:
                    self.go_on()
                self.end()
            except (InputEnded, KeyboardInterrupt):
                self.screen.tell(self.say("The game stops here."))
        finally:
            self.save()
        self.screen.line(self.say("The record is saved: {file}", file=Notation(self.path)))
        self.screen.tell(self.say("See it again, or play again with the same luck:"), "dim")
        for command in self.commands():
            self.screen.line(shlex.join(command))

    def commands(self) -> Iterator[list[str]]:
        """Yield the command that replays this game, and the one that begins it again."""
        yield ["sarai", "replay", str(self.path)]
        again = [
            "sarai",
            "play",
            self.game.id,
            "--players",
            str(self.record.players),
            "--people",
            str(len(self.people)),
        ]
        if set(self.seats.bots) - {"random"}:
            again += ["--bots", ",".join(self.seats.bots)]
        for option in self.game.options:
            if self.record.options[option.name] != option.default:
                again += ["--option", f"{option.name}={self.record.options[option.name]}"]
        names = self.record.names[: len(self.people)]
        if names != self.seats.names([], self.say)[: len(self.people)]:
            again += [f"--name={name}" for name in names]
        yield [*again, "--seed", str(self.seed)]

    def welcome(self) -> None:
        """Say who plays what."""
        self.screen.rule(self.say(self.game.title))
        changed = [
            f"{option.name}={self.record.options[option.name]}"
            for option in self.game.options
            if self.record.options[option.name] != option.default
        ]
        names = Text(self.screen.language.write(Series(map(Name, self.record.names))))
        self.screen.tell(Text(" · ").join([names, Text(" ".join(changed))]) if changed else names)
        if self.people:
            self.screen.tell(self.say(HINT), "dim")

    def go_on(self) -> None:
        """Let chance, a bot or a person act."""
        seat = self.state.actor
        if seat == CHANCE:
            outcome, _ = random_move(self.state, self.chance)
            self.play(outcome, CHANCE)
        elif seat in self.bots:
            self.play(self.bots[seat](self.state.view(seat)), seat)
            if not self.people:
                self.tell(None)
        else:
            self.turn(seat)

    def play(self, move: int, seat: int) -> None:
        """Play a move, record it and add what each observer saw of it to their log."""
        after, seen = self.game.play_with_events(self.state, move, seat)
        self.record.moves.append((seat, move))
        self.record.result = after.result
        self.state = after
        for observer, log in self.logs.items():
            log.add(seen(observer), seat == CHANCE, after.actor == OVER)

    def tell(self, observer: int | None) -> None:
        """Show an observer what is new."""
        for paragraph in self.logs[observer].news():
            self.screen.tell(paragraph)

    def show_board(self, observer: int | None) -> None:
        """Show the board as an observer sees it."""
        self.screen.show(board(self.game, self.state.view(observer).to_json(), self.record.names, self.say))

    # --- a person's turn ---

    def turn(self, seat: int) -> None:
        """Give the keyboard to a person until a move is made."""
        name = self.record.names[seat]
        if self.has_secrets and self.at_keyboard != seat:
            self.screen.clear()
            self.screen.discard_typed()
            self.tell(None)
            asked = self.say("Pass the keyboard to {name}, who then presses Enter:", name=Name(name))
            if self.screen.ask(asked) in ("q", "quit"):
                raise InputEnded
            self.screen.clear()
        self.at_keyboard = seat
        self.screen.rule(name)
        self.show_board(seat)
        self.tell(seat)
        self.show_demand(seat)
        moves = self.state.legal(seat)
        is_only = len(moves) == 1
        asked = self.say("{name}, your move (? h q):", name=Name(name))
        if is_only:
            only = Notation(self.game.move_text(self.state, moves[0]))
            asked = self.say("{name}, your move or Enter for {move} (? h q):", name=Name(name), move=only)
        while True:
            answer = self.screen.ask(asked)
            try:
                move = moves[0] if is_only and not answer else self.read(answer, seat, moves)
                if move is None:
                    continue
                self.play(move, seat)
            except Error as error:
                refused = Text(say_refusal(error, self.screen.language), "red")
                self.screen.tell(Text(" ").join([refused, Text(self.say("Type ? for the moves you may make."), "red")]))
                continue
            break
        try:
            self.record.save(self.path)  # a terminal that is closed loses nothing
        except BadRecord as error:
            self.screen.tell(say_refusal(error, self.screen.language), "red")

    def show_demand(self, seat: int) -> None:
        """Say what a person must do now, where the game says so."""
        demand = getattr(terminal(self.game), "demand", lambda *_: "")
        if said := demand(self.state.view(seat).to_json(), self.say):
            self.screen.tell(said, "bold")

    def read(self, answer: str, seat: int, moves: Sequence[int]) -> int | None:
        """Return the move that an answer means, None after a command; BadText if it means nothing."""
        texts = [self.game.move_text(self.state, move) for move in moves]
        if answer.startswith("?"):
            self.list_moves(answer[1:].strip(), moves, texts)
            return None
        if answer in texts:
            return moves[texts.index(answer)]
        if countable(texts) and answer.isascii() and answer.isdecimal() and 0 < int(answer[:6]) <= len(moves):
            return moves[int(answer) - 1]
        move, unreadable = -1, None
        try:
            move = self.game.parse_move(self.state, answer)
        except BadText as error:
            unreadable = error
        if move not in moves and self.run_command(answer.lower(), seat, texts):
            return None
        if unreadable:
            raise unreadable
        return move

    def run_command(self, command: str, seat: int, texts: Sequence[str]) -> bool:
        """Run a command that is not a move; return whether there is such a command."""
        if not command:
            self.screen.tell(self.say(HINT), "dim")
        elif command in ("h", "help"):
            self.help(texts)
        elif command in ("b", "board"):
            self.show_board(seat)
        elif command in ("l", "log"):
            for paragraph in self.logs[seat].all():
                self.screen.tell(paragraph)
        elif command in ("s", "save"):
            self.save()
            self.screen.line(self.say("Saved: {file}", file=Notation(self.path)))
        elif command in ("q", "quit"):
            raise InputEnded
        else:
            return False
        return True

    def help(self, texts: Sequence[str]) -> None:
        """Show what can be typed, with moves of this game for examples, and where its rules are."""
        if countable(texts):
            how = self.say("Type a move as it is written in the list of moves, or its number there.")
        else:
            how = self.say("Type a move as it is written in the list of moves.")
        self.screen.tell(how)
        self.screen.show(self.say(HELP).strip("\n"))
        self.screen.tell()
        self.screen.show(self.say(getattr(terminal(self.game), "HELP", "")).strip("\n"))
        if self.game.rules_text() is not None:
            file = Notation(self.game.folder / self.game.rules_file)
            self.screen.line(self.say("The rules, clause by clause: {file}", file=file))

    def list_moves(self, word: str, moves: Sequence[int], texts: Sequence[str]) -> None:
        """List the moves whose notation or words contain a word."""
        rows = []
        for number, (move, text) in enumerate(zip(moves, texts, strict=True), 1):
            words = self.game.move_words(self.state, move, self.say)
            if searchable(word) in searchable(f"{text} {words}"):
                rows.append((self.screen.language.number(number) if countable(texts) else "", text, words))
        if rows:
            self.screen.moves(rows)
            if len(rows) > LONG_LIST:
                many = mark(
                    "{n, plural, one {This is #} other {These are #}}; "
                    "? and a word lists only those with that word in them."
                )
                self.screen.tell(self.say(many, n=len(rows)), "dim")
        else:
            none = mark(
                "{n, plural, one {Your only move has no ''{word}'' in it.} "
                "other {None of your # moves has ''{word}'' in it.}}"
            )
            self.screen.tell(self.say(none, n=len(moves), word=Name(word)))

    # --- the end ---

    def end(self) -> None:
        """Show how the game ended, to a single person from that seat."""
        observer = 0 if len(self.people) == 1 else None
        if self.has_secrets:
            self.screen.clear()
        self.screen.rule(self.say("The end"))
        if self.people:
            self.logs[None].shown = self.logs[self.at_keyboard].shown
        self.show_board(observer)
        self.tell(observer)
        if self.record.result is not None:
            self.screen.result(self.record.result, self.record.names)

    def save(self) -> None:
        """Write the record to its file."""
        self.record.save(self.path)


def countable(texts: Sequence[str]) -> bool:
    """Say whether moves can be given by their number in the list: not where a notation is a number."""
    return not any(text.isdecimal() for text in texts)
