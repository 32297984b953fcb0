"""6 nimmt! in two minutes: where a card goes, the sixth card, the card that is too low, and what it is all for."""

from sarai.core.lessons import Answer, Fact, Hint, Lesson, Step, line, shown
from sarai.core.messages import mark
from sarai.games.sixnimmt.cards import HEADS
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT, ROWS

NEAREST = (
    "sixnimmt players=3 phase=choose moves=21 round=1 trick=8 heads=0,0,0 rows=12/28.33/51.57.58/80 "
    "hands=35.61.90/14.39.70/20.84.97 chosen=0,0,0 "
    "piles=2.25.78.91.92.94/21.38.87.96.98.102/9.31.42.50.62.65 "
    "played=62.9.38.91.96.2.87/92.57.98.31.21.33.25/78.65.42.50.102.94.58"
)
WHERE = (
    "sixnimmt players=3 phase=choose moves=22 round=1 trick=8 heads=0,0,0 rows=3.12/33/36.41/52.58 "
    "hands=17.92/38.49.64/18.65.95 chosen=45,0,0 "
    "piles=10.35.60.78.87.102/4.25.42.46.48.83/9.15.28.67.81.85 "
    "played=25.4.35.81.41.42.12/48.78.46.28.87.9.102/60.15.67.85.10.83.58"
)
SIXTH = (
    "sixnimmt players=3 phase=choose moves=21 round=1 trick=8 heads=0,0,0 "
    "rows=8.19/30.38.40.42.44/50.58/71.86.90 hands=46.62.95/21.43.104/61.88.89 chosen=0,0,0 "
    "piles=2.4.7.64.65/16.26.79.80/17.41.97.101 "
    "played=41.58.44.64.4.97.86/38.42.40.80.90.101.16/79.2.7.17.65.19.26"
)
TOO_LOW = (
    "sixnimmt players=3 phase=row moves=24 round=1 trick=8 heads=0,0,0 "
    "rows=55/9.13.16/20.30.40/65.70.75 hands=48.83/50.60/61.81 chosen=5,31,77 "
    "piles=26.46.56.100.102/3.6.15.36.85/1.47.67.73.87 "
    "played=15.16.67.30.102.1.40.5/26.70.46.85.87.56.6.31/47.75.73.13.3.100.36.77"
)
CROWD = (
    "sixnimmt players=3 phase=choose moves=24 round=1 trick=9 heads=0,0,0 "
    "rows=10.18.24/40.47/63.68/85.89 hands=30.72/26.54/25.28 chosen=0,0,0 "
    "piles=5.8.65.69.70.90.91/7.9.14.15.71.83/4.12.37.41.60.73 "
    "played=68.83.41.90.18.7.65.4/69.73.91.71.5.12.15.8/9.60.70.47.24.37.14.89"
)
LAST_CARD = (
    "sixnimmt players=3 phase=choose moves=27 round=1 trick=10 heads=12,20,31 "
    "rows=7.15/32.39/56.59.64/81.94 hands=98/17/66 chosen=0,0,0 "
    "piles=4.13.21.37.80.87.93.100/23.30.34.60.62.73.90/6.14.40.61.65.78.79 "
    "played=34.64.100.37.93.39.80.73.59/62.23.40.94.60.78.21.87.6/30.15.90.13.61.4.79.65.14"
)


def heads_of_row(row: int) -> Fact:
    """Return a function that counts the heads of a row that is shown."""
    return lambda view: int(HEADS[view["rows"][row]].sum())


END_OF_ROW = mark("The row that ends with {card}")
JOINED = "joined_row"

STEPS = (
    Step(
        NEAREST,
        (
            line(
                mark(
                    "There are {rows, plural, one {# row} other {# rows}}. In every trick all players choose a card "
                    "at the same time; then the cards join the rows, the lowest first. A card goes behind the "
                    "nearest lower card that ends a row."
                ),
                rows=ROWS,
            ),
            line(mark("Try it: play your {card}."), card=shown("hands", "0", 0)),
        ),
        line(
            mark("Your {card} followed {end}: lower, and nearer than any other end."),
            card=shown("hands", "0", 0),
            end=shown("rows", 1, -1),
        ),
        moves=("35",),
        then=("1: 14", "2: 84"),
        otherwise=line(
            mark("Every card of your hand may be played. But try {card} first."), card=shown("hands", "0", 0)
        ),
    ),
    Step(
        WHERE,
        (line(mark("You have chosen {card}; it lies face down. Where will it go?"), card=shown("my_choice")),),
        then=("1: 64", "2: 95"),
        answers=(
            Answer(
                line(END_OF_ROW, card=shown("rows", 0, -1)),
                JOINED,
                {"seat": 0, "row": 1},
                line(
                    mark("{end} is lower, but {near} is nearer: the nearest lower number wins."),
                    end=shown("rows", 0, -1),
                    near=shown("rows", 2, -1),
                ),
            ),
            Answer(
                line(END_OF_ROW, card=shown("rows", 1, -1)),
                JOINED,
                {"seat": 0, "row": 2},
                line(
                    mark("{end} is lower, but {near} is nearer: the nearest lower number wins."),
                    end=shown("rows", 1, -1),
                    near=shown("rows", 2, -1),
                ),
            ),
            Answer(
                line(END_OF_ROW, card=shown("rows", 2, -1)),
                JOINED,
                {"seat": 0, "row": 3},
                line(
                    mark("Yes: {end} is the nearest lower number. In a row numbers only rise."),
                    end=shown("rows", 2, -1),
                ),
            ),
            Answer(
                line(END_OF_ROW, card=shown("rows", 3, -1)),
                JOINED,
                {"seat": 0, "row": 4},
                line(
                    mark("{end} is higher than your {card}. In a row numbers only rise."),
                    end=shown("rows", 3, -1),
                    card=shown("my_choice"),
                ),
            ),
        ),
    ),
    Step(
        SIXTH,
        (
            line(
                mark(
                    "Now the sting: a row holds {limit, plural, one {# card} other {# cards}}. Whoever would lay "
                    "the next one takes them all, and their bull heads are bad points."
                ),
                limit=ROW_LIMIT,
            ),
            line(mark("One row is full. Play a card that does not go there.")),
        ),
        line(mark("Safe. Your card found a row with room.")),
        moves=("62", "95"),
        then=("1: 21", "2: 88"),
        wrong={
            "46": line(
                mark(
                    "Behind {end} the row was full, so your {card} took it, with {heads, plural, one {# bull head} "
                    "other {# bull heads}}, and begins it anew."
                ),
                card=shown("hands", "0", 0),
                end=shown("rows", 1, -1),
                heads=heads_of_row(1),
            )
        },
    ),
    Step(
        TOO_LOW,
        (
            line(
                mark(
                    "Your {card} is lower than the end of every row: it fits nowhere. So you must take a row, but "
                    "you choose which, and your card begins it anew."
                ),
                card=shown("turned_up", "0"),
            ),
            line(mark("Take the row that costs least. Count bull heads, not cards!")),
        ),
        line(
            mark("More cards, but only {heads, plural, one {# bull head} other {# bull heads}}: well chosen."),
            heads=heads_of_row(1),
        ),
        moves=("r2",),
        wrong={
            "r1": line(
                mark(
                    "One card only, but {card} is the worst of all: {heads, plural, one {# bull head} other {# bull "
                    "heads}}. Another row costs less."
                ),
                card=shown("rows", 0, 0),
                heads=heads_of_row(0),
            ),
            "r3": line(
                mark(
                    "Round numbers are expensive: that row cost {heads, plural, one {# bull head} other {# bull "
                    "heads}}. Another one costs less."
                ),
                heads=heads_of_row(2),
            ),
            "r4": line(
                mark(
                    "Round numbers are expensive: that row cost {heads, plural, one {# bull head} other {# bull "
                    "heads}}. Another one costs less."
                ),
                heads=heads_of_row(3),
            ),
        },
    ),
    Step(
        CROWD,
        (
            line(
                mark(
                    "Behind {end} there is room for {room, plural, one {# more card} other {# more cards}}, and "
                    "your {card} is close. That looks safe. Play it, and watch the others."
                ),
                end=shown("rows", 0, -1),
                room=lambda view: ROW_LIMIT - len(view["rows"][0]),
                card=shown("hands", "0", 0),
            ),
        ),
        line(
            mark(
                "The others had cards between {end} and {card}. Lower cards go first, so yours came sixth. The "
                "wider the gap, the greater the risk: that is the heart of the game."
            ),
            end=shown("rows", 0, -1),
            card=shown("hands", "0", 0),
        ),
        moves=("30",),
        then=("1: 26", "2: 28"),
        otherwise=line(
            mark("Careful, and allowed. But to see what can happen, play {card}."), card=shown("hands", "0", 0)
        ),
    ),
    Step(
        LAST_CARD,
        (
            line(
                mark(
                    "A round has {tricks, plural, one {# trick} other {# tricks}}. This is the last: play the card "
                    "that is left."
                ),
                tricks=HAND,
            ),
        ),
        line(
            mark(
                "The heads are counted, and new cards are dealt. When somebody has more than {target, plural, "
                "one {# head} other {# heads}}, the game is over, and whoever has fewest wins."
            ),
            target=shown("options", "target"),
        ),
        moves=("98",),
        then=("1: 17", "2: 66"),
    ),
)

HINTS = (
    Hint(
        "#stage .row.lit, #stage .row .lit",
        mark("Your card is lower than every row. The rows that are lit can be taken: the number says what each costs."),
    ),
    Hint(
        "#hand .lit, #stage .hand .lit",
        mark(
            "All lit cards may be played. Look for one just above the end of a short row; a card far above "
            "a row may come sixth there."
        ),
    ),
)


def lesson(game_id: str) -> Lesson:
    """Return the lesson."""
    return Lesson(STEPS, HINTS)
