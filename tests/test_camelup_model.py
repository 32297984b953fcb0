"""Camel Up against a second, slow telling of its rules: stacks as lists, money as sums, on games that random seats play."""

import pytest

import sarai
from sarai import CHANCE, OVER
from sarai.core.kernels import COMPILED
from sarai.testing.choices import play_lively

WORTH = {"camelup-2014": [5, 3, 2], "camelup-2018": [5, 3, 2, 2]}


class Model:
    """A table as lists and dictionaries, read from a position text."""

    def __init__(self, state: sarai.State) -> None:
        fields = dict(word.split("=") for word in state.text().split()[1:])
        self.game, self.letters = state.game.id, "bgoyw" if state.game.id.endswith("2014") else "bygrp"
        self.track = {int(space): list(camels) for space, _, camels in (part.partition(":") for part in fields["camels"].split(","))}
        self.dice = 0 if fields["dice"] == "-" else fields["dice"].count(".") + 1
        self.tiles = {int(tile[:-1]): (tile[-1], seat) for seat, tile in enumerate(fields["tiles"].split(",")) if tile != "-"}
        self.tickets = [[] if owners == "-" else list(map(int, owners)) for owners in fields["tickets"].split("/")]
        self.pyramid = list(map(int, fields["pyramid"].split(",")))
        self.pounds = list(map(int, fields["pounds"].split(",")))
        self.partners = [None if partner == "-" else int(partner) for partner in fields.get("partners", ",".join("-" * len(self.pounds))).split(",")]
        self.cards = [] if fields["cards"] == "-" else [(int(card[0]), card[1], card[2]) for card in fields["cards"].split(",")]

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
