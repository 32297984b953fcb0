"""The sheets as arrays that kernels look things up in, most of them by sheet and by set of colours.

Sheets are numbered from 1, as in a state, with an empty row 0. A set of colours is a number of six bits.
"""

import numpy as np

from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import COLOURS, PAIRS, QUARRY, RELIEF_FROM, SHEET_LETTERS, SINGLES, STONES

SETS = 1 << len(COLOURS)
ROWS = len(SHEET_LETTERS) + 1

COLOUR_OF = np.zeros((ROWS, len(STONES)), np.int64)
SINGLES_OF = np.zeros((ROWS, SETS), np.int64)  # pyramid and arch stones of the colours
FIRST_OF = np.zeros((ROWS, SETS), np.int64)  # pairs of two colours whose first stone is of the colours
SECOND_OF = np.zeros((ROWS, SETS), np.int64)  # … whose second stone is
ALIKE_OF = np.zeros((ROWS, SETS), np.int64)  # pairs of one colour, of the colours
ONE_LEFT = np.zeros((ROWS, QUARRY + 1), np.int64)  # colours still in the quarry, by places gone
TWO_LEFT = np.zeros((ROWS, QUARRY + 1), np.int64)  # … still there twice
NEXT_PLACE = np.full((ROWS, QUARRY + 1, len(COLOURS)), -1, np.int64)  # the leftmost free place of a colour

for number, sheet in enumerate(SHEETS.sheets, 1):
    colours = sheet.colours
    COLOUR_OF[number] = colours
    for chosen in range(SETS):
        SINGLES_OF[number, chosen] = sum(1 << stone for stone in range(SINGLES) if chosen >> colours[stone] & 1)
        for pair, (one, other) in enumerate(PAIRS):
            first, second = colours[RELIEF_FROM + one], colours[RELIEF_FROM + other]
            if first == second:
                ALIKE_OF[number, chosen] |= (chosen >> first & 1) << pair
            else:
                FIRST_OF[number, chosen] |= (chosen >> first & 1) << pair
                SECOND_OF[number, chosen] |= (chosen >> second & 1) << pair
    for behind in range(QUARRY + 1):
        left = sheet.quarry[behind:]
        ONE_LEFT[number, behind] = sum(1 << colour for colour in range(len(COLOURS)) if left.count(colour) >= 1)
        TWO_LEFT[number, behind] = sum(1 << colour for colour in range(len(COLOURS)) if left.count(colour) >= 2)
        for colour in set(left):
            NEXT_PLACE[number, behind, colour] = behind + left.index(colour)

FIRST_STONE = np.array([RELIEF_FROM + one for one, _ in PAIRS], np.int64)
SECOND_STONE = np.array([RELIEF_FROM + other for _, other in PAIRS], np.int64)
SYMBOL_STONES = np.array([sum(1 << stone for stone in stones) for stones in SHEETS.symbols.values()], np.int64)
WITH_SYMBOL = int(SYMBOL_STONES.sum())

PYRAMID_POINTS = np.array(SHEETS.pyramid_points, np.int64)
ARCH_POINTS = np.array(SHEETS.arch_points, np.int64)
RELIEF_POINTS = np.array(SHEETS.relief_points, np.int64)
