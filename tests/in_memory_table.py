"""A table in memory, without a server, a clock or a disk."""

from msgspec.structs import replace

from sarai.core import fair_dice
from sarai.core.registry import game as find
from sarai.core.result import CHANCE
from sarai.table import commands, event_types
from sarai.table.chance import follows
from sarai.table.clock import ClockRule
from sarai.table.decide import changes, decide, moved
from sarai.table.dice_word_commitments import GivenWord
from sarai.table.new_table import created
from sarai.table.person import Person
from sarai.table.table import FINISHED, Table

SECRET = "00112233445566778899aabbccddeeff" * 2
NAMES = ("Ada", "Bat", "Cem", "Dov", "Eli", "Fay", "Gil", "Hal", "Ida", "Jon")
PEOPLE = tuple(Person(name[0].lower() * 22, name, "en") for name in NAMES)
START = 1000.0


class Sitting:
    """A table at which people act a second apart; `entries` is its log."""

    def __init__(self, game="sixnimmt", players=2, options=None, clock=None, secret=SECRET, fairness=2):
        self.now, self.secret = START, secret
        self.entries = []
        self.table = Table("T" * 10)
        found = find(game)
        first = created(
            found,
            players,
            found.resolve_options(players, options),
            PEOPLE[0],
            self.now,
            commitment=fair_dice.commitment(secret),
            public=True,
            clock=clock or ClockRule(),
        )
        self.store(changes(replace(first, fairness=fairness)))

    def store(self, decided):
        """Apply changes as the server does, their events written and read again."""
        for event, played in decided:
            self.entries.append((self.table.number + 1, event_types.decode(event_types.encode(event))))
            self.table.apply(*self.entries[-1], played)

    def happen(self, decided):
        """Apply changes and what follows from them; return the last number."""
        self.store([*decided, *follows(self.table, decided, self.secret, self.now)])
        return self.table.number

    def do(self, person, command, later=1.0):
        """Let a person send a command, an answer to the question that is shown; Refused if it is not allowed."""
        self.now += later
        if isinstance(command, commands.AnswerBack) and command.question is None and self.table.take_back is not None:
            command = replace(command, question=self.table.take_back.number)
        return self.happen(decide(self.table, command, person, self.now))

    def begin(self, people=None, words=()):
        """Seat people, bots on the other seats, and start."""
        seated = self.table.players if people is None else people
        for seat in range(self.table.players):
            if seat < seated:
                self.do(PEOPLE[seat], commands.Sit(seat))
            else:
                self.do(PEOPLE[0], commands.AddBot(seat, "random"))
        given = [GivenWord(seat, f"{seat + 1:032x}", word) for seat, word in enumerate(words)]
        for person, word in zip(PEOPLE, given, strict=False):
            is_plain = self.table.dice.version == 1
            self.do(person, commands.GiveWord(word.word) if is_plain else commands.CommitWord(word.commitment))
        self.do(PEOPLE[0], commands.Start())
        for person, word in zip(PEOPLE, given, strict=False):
            if self.table.dice.is_running:
                self.do(person, commands.OpenWord(word.nonce, word.word))
        return self

    def begin_without_draws(self):
        """Seat people and start, but leave chance to `follow`."""
        for seat in range(self.table.players):
            self.do(PEOPLE[seat], commands.Sit(seat))
        self.store(decide(self.table, commands.Start(), PEOPLE[0], self.now))
        return self

    def move(self, move, seat):
        """Make a move of a seat, its person's or its bot's."""
        if not self.table.seats[seat].played_by:
            person = next(person for person in PEOPLE if person.id == self.table.seats[seat].person)
            return self.do(person, commands.Move(move))
        self.now += 1
        return self.happen(moved(self.table, move, seat, self.now))

    def play(self, most=10_000, pick=0):
        """Play on, the first seat that may act and the move of a place in its list."""
        for _ in range(most):
            if self.table.phase == FINISHED or self.table.state is None:
                break
            seat = self.table.to_act[0]
            moves = self.table.state.legal(seat)
            self.move(moves[pick % len(moves)], seat)
        return self

    def follow(self, steps):
        """Apply the moves and outcomes of a record as they are, whatever the dice would say."""
        for seat, move in steps:
            self.now += 1
            if seat == CHANCE:
                self.store(changes(event_types.Drawn(self.now, move, self.table.drawn)))
            else:
                self.store(changes(event_types.Moved(self.now, seat, move, self.table.seats[seat].person)))
        return self
