"""Camel Up against a second, slow implementation of its rules, with stacks as lists, in random games."""

from random import Random

import pytest

import sarai
from sarai import CHANCE, OVER
from sarai.core.kernels.compile import COMPILED
from sarai.testing.generators import play_lively

WORTH = {"camelup-2014": [5, 3, 2], "camelup-2018": [5, 3, 2, 2]}


class Model:
    """A table as lists and dictionaries, read from a position text."""

    def __init__(self, state: sarai.State) -> None:
        fields = dict(word.split("=") for word in state.text().split()[1:])
        self.game, self.letters = state.game.id, "bgoyw" if state.game.id.endswith("2014") else "bygrp"
        self.track = {
            int(space): list(camels)
            for space, _, camels in (part.partition(":") for part in fields["camels"].split(","))
        }
        self.dice = 0 if fields["dice"] == "-" else fields["dice"].count(".") + 1
        self.tiles = {
            int(tile[:-1]): (tile[-1], seat) for seat, tile in enumerate(fields["tiles"].split(",")) if tile != "-"
        }
        self.tickets = [[] if owners == "-" else list(map(int, owners)) for owners in fields["tickets"].split("/")]
        self.pyramid = list(map(int, fields["pyramid"].split(",")))
        self.pounds = list(map(int, fields["pounds"].split(",")))
        self.partners = [
            None if partner == "-" else int(partner)
            for partner in fields.get("partners", ",".join("-" * len(self.pounds))).split(",")
        ]
        self.cards = (
            [] if fields["cards"] == "-" else [(int(card[0]), card[1], card[2]) for card in fields["cards"].split(",")]
        )

    def roll(self, outcome: str) -> None:
        """Let a die come out."""
        camel, number = outcome[0], int(outcome[1])
        step = -1 if camel in "WK" else 1
        camel = self.crazy(camel) if camel in "WK" else camel
        origin = next(space for space, stack in self.track.items() if camel in stack)
        stack = self.track[origin]
        self.track[origin], unit = stack[: stack.index(camel)], stack[stack.index(camel) :]
        target = origin + step * number
        if target in self.tiles and 1 <= target <= 16:
            side, owner = self.tiles[target]
            self.pounds[owner] += 1
            target += step if side == "+" else -step
            there = self.track.get(target, [])
            self.track[target] = there + unit if side == "+" else unit + there
        else:
            self.track[target] = self.track.get(target, []) + unit
        self.track = {space: self.track[space] for space in sorted(self.track) if self.track[space]}
        over = not 1 <= target <= 16
        if over or self.dice == 4:
            self.score_leg()
        if over:
            ranking = self.ranking()
            for pile, camel in (("w", ranking[0]), ("l", ranking[-1])):
                prizes = [8, 5, 3, 2]
                for seat, laid, shown in self.cards:
                    if laid == pile:
                        prize = (prizes.pop(0) if prizes else 1) if shown == camel else -1
                        self.pounds[seat] = max(0, self.pounds[seat] + prize)

    def crazy(self, shown: str) -> str:
        """Return the crazy camel that moves."""
        above = {}
        for stack in self.track.values():
            for place, camel in enumerate(stack):
                above[camel] = stack[place + 1 :]
        carrying = [camel for camel in "WK" if set(above[camel]) & set(self.letters)]
        if len(carrying) == 1:
            return carrying[0]
        for lower, upper in ("WK", "KW"):
            if above[lower][:1] == [upper]:
                return upper
        return shown

    def ranking(self) -> list[str]:
        """Return the racing camels, the first one first."""
        return [camel for stack in reversed(self.track.values()) for camel in reversed(stack) if camel in self.letters]

    def score_leg(self) -> None:
        """Pay the leg."""
        first, second, *_ = self.ranking()
        pays: list[list[int]] = [[1] * count for count in self.pyramid]
        for camel, owners in zip(self.letters, self.tickets, strict=True):
            for worth, owner in zip(WORTH[self.game], owners, strict=False):
                pays[owner].append(worth if camel == first else 1 if camel == second else -1)
        for seat, partner in enumerate(self.partners):
            shared = 0 if partner is None else max([0, *pays[partner]])
            self.pounds[seat] = max(0, self.pounds[seat] + sum(pays[seat]) + shared)


@pytest.mark.parametrize("id", ["camelup-2014", "camelup-2018"])
@pytest.mark.parametrize("players", [2, 8])
def test_every_roll_is_what_the_model_says(id, players):
    game = sarai.game(id)
    rolls = ends = 0
    for seed in range(60 if COMPILED else 3):
        record = play_lively(game, players, {}, seed)
        states = list(record.replay())
        for before, (seat, move), after in zip(states, record.moves, states[1:], strict=False):
            if seat != CHANCE or " phase=roll " not in before.text():
                continue
            model = Model(before)
            model.roll(game.move_text(before, move))
            assert model.track == Model(after).track, f"{before.text()}: {game.move_text(before, move)}"
            assert model.pounds == after.scores, f"{before.text()}: {game.move_text(before, move)}"
            rolls += 1
            ends += after.actor == OVER
    assert rolls > 50 and ends > 2


def crowded_table(game: sarai.Game, rng: Random) -> sarai.State:
    """Return a position of six players before a roll: few stacks, often near the line, with tiles, tickets, cards."""
    letters = "bgoyw" if game.id.endswith("2014") else "bygrpWK"
    spaces = rng.sample([*range(1, 5), *range(13, 17)] if rng.random() < 0.5 else range(1, 17), rng.randint(1, 4))
    stacks: dict[int, str] = {}
    for camel in rng.sample(letters, len(letters)):
        space = rng.choice(spaces)
        stacks[space] = stacks.get(space, "") + camel
    tiles, free = ["-"] * 6, [space for space in range(2, 17) if space not in stacks]
    for seat in range(6):
        if free and rng.random() < 0.7:
            space = rng.choice(free)
            tiles[seat] = f"{space}{rng.choice('+-')}"
            free = [other for other in free if abs(other - space) > 1]
    out = sorted(rng.sample(range(5), rng.randint(0, 4)))
    pyramid = [0] * 6
    for _ in range(len(out) + 1):
        pyramid[rng.randrange(6)] += 1
    stood = ".".join(f"{space}{stacks[space]}" for space in sorted(stacks))
    fields = {
        "camels": ",".join(f"{space}:{stacks[space]}" for space in sorted(stacks)),
        "dice": ".".join(f"{letters[die]}1" for die in out) or "-",
        "tiles": ",".join(tiles),
        "tickets": "/".join("".join(rng.choices("012345", k=rng.randint(0, 3))) or "-" for _ in range(5)),
        "pyramid": ",".join(map(str, pyramid)),
        "pounds": ",".join(str(rng.randint(0, 4)) for _ in range(6)),
        "cards": ",".join(
            f"{seat}{rng.choice('wl')}{camel}:{stood}:-" for camel in letters[:5] for seat in rng.sample(range(6), 3)
        ),
    }
    if game.id.endswith("2018"):
        fields["partners"] = rng.choice(["-,-,-,-,-,-", "3,2,1,0,-,-", "-,5,-,4,3,1"])
    head = f"{game.id} players=6 phase=roll moves=90 leg=3 turn={rng.randrange(6)} start=4"
    return game.parse(" ".join([head, *(f"{name}={value}" for name, value in fields.items())]))


@pytest.mark.parametrize("id", ["camelup-2014", "camelup-2018"])
def test_every_outcome_on_a_crowded_table_is_what_the_model_says(id):
    game, rng, ends = sarai.game(id), Random(id), set()
    for _ in range(120 if COMPILED else 25):
        before = crowded_table(game, rng)
        for outcome, _ in before.chance():
            model, after = Model(before), before.play(outcome)
            model.roll(game.move_text(before, outcome))
            assert model.track == Model(after).track, f"{before.text()}: {game.move_text(before, outcome)}"
            assert model.pounds == after.scores, f"{before.text()}: {game.move_text(before, outcome)}"
            assert game.parse(after.text()) == after
            if after.actor == OVER:
                ends.add("forward" if max(model.track) > 16 else "backward")
    assert ends == ({"forward"} if id.endswith("2014") else {"forward", "backward"})
