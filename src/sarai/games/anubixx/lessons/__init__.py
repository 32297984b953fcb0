"""Anubixx in two minutes: dice pay for stones, what stands on what, quarry and jokers, bonuses, and the end."""

from sarai.core.lessons import Fact, Hint, Lesson, Step, line, shown
from sarai.core.messages import Term, mark
from sarai.games.anubixx.scoring import BONUS_POINTS, JOKER_POINTS

DICE = (
    "anubixx players=3 phase=build moves=0 round=1 idle=0 turn=0 marked=0 built=0 dice=rgbb gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=-/-/- arches=00/00/00 reliefs=-/-/- quarries=-/-/- "
    "jokers=3/3/3 bonuses=-/-/-"
)
SUPPORT = (
    "anubixx players=3 phase=build moves=14 round=4 idle=0 turn=0 marked=0 built=0 dice=rryb gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=xxx--.----.---.--.-/-/- arches=00/00/00 reliefs=-/-/- "
    "quarries=-/-/- jokers=3/3/3 bonuses=-/-/-"
)
QUARRY = (
    "anubixx players=3 phase=build moves=14 round=4 idle=0 turn=0 marked=0 built=0 dice=yygv gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=x----.----.---.--.-/-/- arches=00/00/00 reliefs=-/-/- "
    "quarries=-/-/- jokers=3/3/3 bonuses=-/-/-"
)
SYMBOL = (
    "anubixx players=3 phase=build moves=17 round=4 idle=0 turn=0 marked=0 built=0 dice=yggv gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=xxx--.----.---.--.-/-/- arches=00/00/00 reliefs=-/-/- "
    "quarries=1/-/- jokers=3/3/3 bonuses=-/-/-"
)
ARCH = (
    "anubixx players=3 phase=build moves=20 round=4 idle=0 turn=0 marked=0 built=0 dice=rggb gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=-/-/- arches=21/00/00 reliefs=-/-/- quarries=-/-/- "
    "jokers=3/3/3 bonuses=-/-/-"
)
RELIEF = (
    "anubixx players=3 phase=build moves=24 round=4 idle=0 turn=0 marked=0 built=0 dice=ybbv gone=- "
    "taken=- closed=- sheets=A/B/C pyramids=-/-/- arches=11/00/00 reliefs=-/-/- quarries=-/-/- "
    "jokers=3/3/3 bonuses=-/-/-"
)
END = (
    "anubixx players=3 phase=build moves=120 round=16 idle=0 turn=0 marked=0 built=0 dice=rgbb gone=- "
    "taken=- closed=scarab.snake.eye.lotus.cat sheets=A/B/C pyramids=xxxxx.xxxx.xxx.xx.-/-/- "
    "arches=11/00/00 reliefs=xxxx.xxxx.xxxx/-/- quarries=5.12/-/- jokers=0/3/3 "
    "bonuses=scarab.snake.eye.lotus.cat/-/-"
)

SCARAB = Term("scarab", "bonus")


def colour_of(stone: str, noun: str) -> Fact:
    """Return the colour of a stone of the learner's sheet."""
    return lambda view: Term(view["print"]["stones"][view["seats"][0]["sheet"]][stone], noun)


STEPS = (
    Step(
        DICE,
        (
            line(
                mark("The dice in the middle are for everybody. A die pays for one stone of its colour on your sheet.")
            ),
            line(
                mark(
                    "Mark a stone of the bottom row of the pyramid, in a colour that a die shows. It costs nothing "
                    "else."
                )
            ),
        ),
        line(
            mark(
                "Marked. You may mark up to two stones in a turn. You begin this round: the dice you use are "
                "gone for the others."
            )
        ),
        moves=("p1.1", "p1.2"),
        otherwise=line(mark("You may do that. But this time mark a stone of the bottom row with a die of its colour.")),
    ),
    Step(
        SUPPORT,
        (
            line(mark("Higher rows of the pyramid count more. A stone up there needs both stones beneath it.")),
            line(mark("Some stones of the second row are ready. Mark one, with a die.")),
        ),
        line(
            mark(
                "It stands. The pyramid now counts {points, plural, one {# point} other {# points}}: its highest row."
            ),
            points=shown("after", "seats", 0, "points", "pyramid"),
        ),
        moves=("p2.1",),
        wrong={
            "p1.4": line(mark("A good stone, but it lies in the bottom row. Look one row higher.")),
            "p2.2q": line(
                mark("Right row, but that stone was paid from the quarry. Another one can be paid with a die.")
            ),
            "p2.2j": line(mark("Right row, but that cost a joker. Another stone can be paid with a die.")),
        },
        otherwise=line(mark("You may do that. But this time mark a stone in the second row of the pyramid.")),
    ),
    Step(
        QUARRY,
        (
            line(
                mark(
                    "No die shows {colour}? Then the quarry pays: your row of stones. It is used up from the left, "
                    "and what you skip is lost."
                ),
                colour=colour_of("p1.2", "die"),
            ),
            line(
                mark(
                    "The first stone of your quarry is {colour}. Pay with it for the {colour} stone in the bottom "
                    "row of the pyramid."
                ),
                colour=colour_of("p1.2", "stone"),
            ),
        ),
        line(mark("Paid, and nothing was skipped. Quarry stones that are left count at the end.")),
        moves=("p1.2q",),
        wrong={
            "p1.2j": line(
                mark(
                    "A joker pays for any colour, but each is worth {points, plural, one {# point} other {# "
                    "points}} at the end. The quarry was cheaper."
                ),
                points=JOKER_POINTS,
            )
        },
        otherwise=line(
            mark("You may do that. But this time mark the {colour} stone in the bottom row of the pyramid."),
            colour=colour_of("p1.2", "stone"),
        ),
    ),
    Step(
        SYMBOL,
        (
            line(
                mark(
                    "Symbols are bonuses of {points, plural, one {# point} other {# points}}: for whoever marks "
                    "them first, and for others only in the same round."
                ),
                points=BONUS_POINTS,
            ),
            line(
                mark(
                    "The stone with the symbol {symbol} can be built, but no die shows {colour}, and in the quarry "
                    "you would skip stones. Pay with a joker."
                ),
                symbol=SCARAB,
                colour=colour_of("p2.2", "die"),
            ),
        ),
        line(mark("The bonus is yours. That was worth a joker.")),
        moves=("p2.2j",),
        wrong={
            "p2.2q": line(
                mark("The bonus is yours, but the stones before it in the quarry are lost. A joker was cheaper.")
            ),
        },
        otherwise=line(
            mark("You may do that. But this time mark the stone with the symbol {symbol}, in the second row."),
            symbol=SCARAB,
        ),
    ),
    Step(
        ARCH,
        (
            line(
                mark(
                    "The arch has two columns, each built from the bottom up. A level counts only when both columns "
                    "have reached it."
                )
            ),
            line(mark("Your left column is ahead. Bring the right one to the same level, with a die.")),
        ),
        line(
            mark("Both stand on the second level: {points, plural, one {# point} other {# points}}."),
            points=shown("after", "seats", 0, "points", "arch"),
        ),
        moves=("ar2",),
        otherwise=line(mark("You may do that. But this time mark the next stone of the right column.")),
    ),
    Step(
        RELIEF,
        (
            line(
                mark(
                    "The relief on the floor is laid in pairs: two stones at once that share an edge. A pair is a "
                    "whole turn."
                )
            ),
            line(mark("Pick two neighbours in the relief that the dice pay for.")),
        ),
        line(
            mark(
                "A pair lies. The more pairs, the more the relief counts: up to {points, plural, one {# point} "
                "other {# points}}."
            ),
            points=shown("print", "points", "relief", -1),
        ),
        moves=("f?.?-?.?",),
        otherwise=line(mark("You may do that. But this time mark a pair of the relief, both stones with dice.")),
    ),
    Step(
        END,
        (
            line(
                mark(
                    "Your relief is complete, and the pyramid lacks its top. Whoever completes a second building "
                    "ends the game, after this round. Mark the top!"
                )
            ),
        ),
        line(
            mark(
                "{points, plural, one {# point} other {# points}} for the pyramid, and the game is over. The "
                "relief, the arch, bonuses, quarry stones and jokers count too: most points win."
            ),
            points=shown("after", "seats", 0, "points", "pyramid"),
        ),
        moves=("p5.1",),
        then=("stop", "stop", "stop"),
        otherwise=line(mark("You may do that. But this time mark the top of the pyramid, with a die.")),
    ),
)

HINTS = (
    Hint(
        '#stage [data-spot^="pay-"].lit',
        mark("How do you pay? The quarry loses what you skip; a joker pays for any colour."),
    ),
    Hint(
        "#stage [data-spot].lit:not([data-spot=stop]), #stage [data-pick].open",
        mark(
            "Lit stones can be marked now. Those in the colour of a die cost nothing; the others cost "
            "quarry stones or jokers."
        ),
    ),
    Hint(
        '#stage [data-spot="stop"].lit',
        mark("You may stop at any time. Whoever saves quarry stones and jokers has points left at the end."),
    ),
)


def lesson(game_id: str) -> Lesson:
    """Return the lesson."""
    return Lesson(STEPS, HINTS)
