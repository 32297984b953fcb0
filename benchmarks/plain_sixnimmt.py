"""Random deals of 6 nimmt! as a plain Python program without an engine, to compare the engine with."""

import random
from operator import itemgetter

PLAYERS, OPTIONS = 4, {"rounds": 1}  # the same game in Sarai: one deal for four, ten tricks
CARDS, HAND, ROWS, ROW_LIMIT = 104, 10, 4, 5
LAST_CARD = itemgetter(-1)


def heads(card: int) -> int:
    """Return the bull heads on a card."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


HEADS = [heads(card) for card in range(CARDS + 1)]


def play(rng: random.Random) -> list[int]:
    """Play one deal with random cards and random rows; return the bull heads of each player."""
    cards = rng.sample(range(1, CARDS + 1), HAND * PLAYERS + ROWS)
    hands = [cards[HAND * seat : HAND * (seat + 1)] for seat in range(PLAYERS)]
    rows = [[card] for card in cards[HAND * PLAYERS :]]
    taken = [0] * PLAYERS
    for _ in range(HAND):
        # a hand lies in random order, so its last card is a random card
        for card, seat in sorted((hand.pop(), seat) for seat, hand in enumerate(hands)):
            lower = [row for row in rows if row[-1] < card]
            if not lower:
                row = rows[rng.randrange(ROWS)]
            else:
                row = max(lower, key=LAST_CARD)
                if len(row) < ROW_LIMIT:
                    row.append(card)
                    continue
            taken[seat] += sum(HEADS[other] for other in row)
            row[:] = [card]
    return taken
