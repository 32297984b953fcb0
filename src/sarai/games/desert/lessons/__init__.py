"""Through the Desert in two minutes: leaders, water, oases, areas, and the end."""

from sarai.core.lessons import Hint, Lesson, Step, line, shown
from sarai.core.messages import Term, mark
from sarai.games.desert.state import COLOURS, LARGEST_POINTS, OASIS_POINTS, TIED_POINTS, VALUES

LEADER = (
    "desert players=2 phase=leaders moves=8 oases=d3,j3,m7,b8,h11 "
    "water=321222122333221112123221111333133 caravans=li:l10,mi:p8,sk:g5,sa:c10/li:h13,mi:k7,sk:r4,sa:g3 "
    "tokens=0.0.0/0.0.0"
)
WATER = (
    "desert players=2 phase=camels moves=13 oases=d3,j3,m7,b8,h11 "
    "water=321222122333221112123221111333133 "
    "caravans=li:l10,mi:p8,le:n3,sk:g5g6,sa:c10/li:h13,mi:k7j7,le:d6,sk:r4q4,sa:g3 tokens=0.0.0/0.0.0 "
    "turn=0 left=2"
)
SECOND = (
    "desert players=2 phase=camels moves=14 oases=d3,j3,m7,b8,h11 "
    "water=321202122333221112123221111333133 "
    "caravans=li:l10,mi:p8,le:n3o2,sk:g5g6,sa:c10/li:h13,mi:k7j7,le:d6,sk:r4q4,sa:g3 tokens=0.1.0/0.0.0 "
    "turn=0 left=1"
)
OASIS = (
    "desert players=2 phase=camels moves=25 oases=d3,j3,m7,b8,h11 "
    "water=321222122303221102123221111333133 "
    "caravans=li:l10k10l11,mi:p8o8p9,le:n3n2o3,sk:g5g6,sa:c10/li:h13,mi:k7m6j7l7,le:d6c5c6e6b7,"
    "sk:r4q4,sa:g3 tokens=0.0.0/1.0.1 turn=0 left=2"
)
AREA = (
    "desert players=2 phase=camels moves=26 oases=d3,j3,m7,b8,h11 "
    "water=321222122303221102123221111333133 "
    "caravans=li:l10l11,mi:p8o8p9,le:n3o3,sk:g5g6,sa:c10b9c9c11/li:h13,mi:k7m6j7l7,le:d6c5c6e6b7,"
    "sk:r4q4,sa:g3 tokens=0.0.0/1.0.1 turn=0 left=1"
)
END = (
    "desert players=2 phase=camels moves=98 oases=d3,j3,m7,b8,h11 "
    "water=321200022300221002100221000000100 "
    "caravans=li:l10l8m8k9l9m9k10m10n10j11l11,mi:p8o6p6o7p7q7o8n9o9p9,le:n3n1n2o2p2q2o3n4,"
    "sk:g5i4e5f5h5j5f6g6j6,sa:c10a8c8b9c9b10e10c11e11f11d12/li:h13g12h12i12k12i13j13,"
    "mi:k7m5i6m6h7i7j7l7k8,le:d6c4a5c5a6b6c6e6b7d7,sk:r4r2p3q3r3o4p4q4o5q5r5,sa:g3g1d2e2f2g2e3f3h3d4f4g4 "
    "tokens=3.2.5/3.1.3 turn=0 left=1"
)

STEPS = (
    Step(
        LEADER,
        (
            line(
                mark(
                    "In each of {colours, plural, one {# colour} other {# colours}} you have a leader: a camel with "
                    "your rider on it. A leader begins on sand, not beside an oasis and not beside another leader."
                ),
                colours=len(COLOURS),
            ),
            line(mark("One is left. Place your {colour} leader on a hex that is lit."), colour=Term("lemon", "leader")),
        ),
        line(
            mark("There it stands. From now on your {colour} caravan grows from it."), colour=Term("lemon", "caravan")
        ),
        moves=("lemon *",),
    ),
    Step(
        WATER,
        (
            line(
                mark(
                    "A turn is {camels, plural, one {# camel} other {# camels}}. Each is placed beside a camel of "
                    "the same colour in your own caravan. On a water hole you take the token: so many points."
                ),
                camels=shown("camels_left"),
            ),
            line(mark("Water lies beside your {colour} leader. Take it."), colour=Term("lemon", "leader")),
        ),
        line(mark("The token is yours, and your caravan is longer. You still have a camel to place.")),
        near="d-spot-n3",
        moves=("lemon o2",),
        otherwise=line(
            mark("A camel well placed, but this time take the water beside your {colour} leader."),
            colour=Term("lemon", "leader"),
        ),
    ),
    Step(
        SECOND,
        (
            line(
                mark(
                    "Now your second camel, of any colour. Take a water token that is worth {most, plural, one {# "
                    "point} other {# points}}."
                ),
                most=VALUES,
            ),
        ),
        line(mark("Well found. Larger tokens are worth a longer way.")),
        near="d-spot-n7",
        moves=("lilac m10", "mint q7", "sky f5"),
        otherwise=line(
            mark("Look at the numbers on the water: some of your caravans reach a token worth {most}."), most=VALUES
        ),
    ),
    Step(
        OASIS,
        (
            line(
                mark(
                    "A palm is an oasis. The first camel of a caravan beside it brings {points, plural, one {# "
                    "point} other {# points}}. But a camel must never stand beside another player's caravan of the "
                    "same colour."
                ),
                points=OASIS_POINTS,
            ),
            line(
                mark("Lead your {colour} caravan to the nearest oasis, before the other one blocks the way."),
                colour=Term("mint", "caravan"),
            ),
        ),
        line(
            mark(
                "{points, plural, one {# point} other {# points}}, once for this caravan and this oasis. Other "
                "caravans may come there too."
            ),
            points=OASIS_POINTS,
        ),
        near="d-spot-n8",
        moves=("mint n8",),
        otherwise=line(
            mark("That does not bring your {colour} caravan to an oasis. Look for the palm near it."),
            colour=Term("mint", "caravan"),
        ),
    ),
    Step(
        AREA,
        (
            line(
                mark(
                    "The best of all: enclose a stretch of desert with one caravan. The edge of the board and the "
                    "mountains help you. What is inside is yours, and nobody can place a camel there any more."
                )
            ),
            line(
                mark("One {colour} camel closes the corner at the edge. Find the hex that encloses most."),
                colour=Term("salmon", "camel"),
            ),
        ),
        line(mark("Closed! Every hex inside is a point at the end, and the water in there was yours at once.")),
        near="d-spot-c10",
        moves=("salmon a8",),
        wrong={
            "salmon a9": line(mark("That encloses something too, but a hex further out encloses more.")),
            "salmon b10": line(mark("That encloses something too, but a hex further out encloses more.")),
        },
        otherwise=line(
            mark("The corner is still open there. Close the gap between your {colour} caravan and the edge."),
            colour=Term("salmon", "caravan"),
        ),
    ),
    Step(
        END,
        (
            line(
                mark(
                    "Late in the game: a single {colour} camel is left in the pile. When it is placed, the game "
                    "ends. Bring it beside an oasis!"
                ),
                colour=Term("salmon", "camel"),
            ),
        ),
        line(
            mark(
                "At the end the largest caravan of each colour is worth {most, plural, one {# point} other {# "
                "points}}, {tied} for each of several that are equally large. With water, oases and areas: most "
                "points win."
            ),
            most=LARGEST_POINTS,
            tied=TIED_POINTS,
        ),
        near="d-spot-g10",
        moves=("salmon g10", "salmon g11"),
        otherwise=line(mark("Allowed, but this camel can still reach an oasis. Look for the palm near your caravan.")),
    ),
)

HINTS = (
    Hint(
        "#stage:not(:has(.piece:not(.leader))) .lit",
        mark("Lit hexes are free for this leader: sand, away from oases and other leaders. Water nearby is good."),
    ),
    Hint(
        "#stage .lit",
        mark("Lit hexes touch your caravan of this colour and no other player's. Numbers are water, palms are oases."),
    ),
    Hint(
        "#stage [data-pick].open",
        mark("First pick a colour. Its pile shrinks for everybody; an empty pile ends the game."),
    ),
)


def lesson(game_id: str) -> Lesson:
    """Return the lesson."""
    return Lesson(STEPS, HINTS)
