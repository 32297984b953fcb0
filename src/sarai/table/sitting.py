"""A table without a house, a clock or a disk: for tests and measurements."""

from collections.abc import Mapping, Sequence

from sarai.core import fair_dice
from sarai.core.registry import game as find
from sarai.core.result import CHANCE
from sarai.table import commands, log
from sarai.table.chance import follows
from sarai.table.clock import ClockRule
from sarai.table.people import Person
from sarai.table.table import FINISHED, Table

SECRET = "00112233445566778899aabbccddeeff" * 2
NAMES = ("Ada", "Bat", "Cem", "Dov", "Eli", "Fay", "Gil", "Hal", "Ida", "Jon")
PEOPLE = tuple(Person(name[0].lower() * 22, name, "en") for name in NAMES)
START = 1000.0


class Sitting:
    """A table at which people do things a second apart; `entries` is its log."""

    def __init__(
        self,
        game: str = "sixnimmt",
        players: int = 2,
        options: Mapping[str, object] | None = None,
        clock: ClockRule | None = None,
        secret: str = SECRET,
    ) -> None:
        self.now, self.secret = START, secret
        self.entries: list[tuple[int, log.LogEvent]] = []
        self.table = Table("T" * 10)
        found, host = find(game), PEOPLE[0]
        settled = found.resolve_options(players, options)
        promise = fair_dice.commitment(secret)
        self.happen(
            log.Created(
                self.now,
                host.id,
                host.name,
                game,
                found.rules_version,
                players,
                settled,
                True,
                clock or ClockRule(),
                promise,
            )
        )

    def happen(self, *events: log.LogEvent) -> None:
        """Let events happen, written and read again."""
        for event in events:
            self.entries.append((self.table.number + 1, log.decode(log.encode(event))))
            self.table.apply(*self.entries[-1])

    def do(self, person: Person, command: commands.Command, later: float = 1.0) -> int:
        """Let somebody ask for something, and the house do what follows; Refused if it may not be done."""
        self.now += later
        events = self.table.decide(command, person, self.now)
        self.happen(*events, *follows(self.table, events, self.secret, self.now))
        return self.table.number

    def begin(self, people: int | None = None, words: Sequence[str] = ()) -> "Sitting":
        """Seat people, bots on the other seats, and start."""
        seated = self.table.players if people is None else people
        for seat in range(self.table.players):
            if seat < seated:
                self.do(PEOPLE[seat], commands.Sit(seat))
            else:
                self.do(PEOPLE[0], commands.AddBot(seat, "random"))
        for person, word in zip(PEOPLE, words, strict=False):
            self.do(person, commands.GiveWord(word))
        self.do(PEOPLE[0], commands.Start())
        return self

    def begin_without_draws(self) -> "Sitting":
        """Seat people and start, but leave chance to `follow`."""
        for seat in range(self.table.players):
            self.do(PEOPLE[seat], commands.Sit(seat))
        self.happen(*self.table.decide(commands.Start(), PEOPLE[0], self.now))
        return self

    def move(self, seat: int, move: int) -> int:
        """Make a move of a seat."""
        if not self.table.seats[seat].played_by:
            return self.do(PEOPLE[seat], commands.Move(move))
        self.now += 1
        events: list[log.LogEvent] = [log.Moved(self.now, seat, move)]
        self.happen(*events, *follows(self.table, events, self.secret, self.now))
        return self.table.number

    def play(self, most: int = 10_000, pick: int = 0) -> "Sitting":
        """Play on, whoever may act first, the move of a place in the list."""
        for _ in range(most):
            if self.table.phase == FINISHED or self.table.state is None:
                break
            seat = self.table.to_act[0]
            moves = self.table.state.legal(seat)
            self.move(seat, moves[pick % len(moves)])
        return self

    def follow(self, steps: Sequence[tuple[int, int]]) -> "Sitting":
        """Let the moves and outcomes of a record happen as they are, whatever the fair_dice would say."""
        for seat, move in steps:
            self.now += 1
            self.happen(
                log.Drawn(self.now, move, self.table.drawn)
                if seat == CHANCE
                else log.Moved(self.now, seat, move, self.table.seats[seat].person)
            )
        return self
