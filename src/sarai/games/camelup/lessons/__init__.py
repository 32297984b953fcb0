"""Camel Up in two minutes, both editions: the pyramid, riding, bets, tiles, cards, and how a leg and the race end."""

from collections.abc import Mapping

from sarai.core.lessons import Answer, Fact, Hint, Lesson, Step, View, line
from sarai.core.messages import Term, mark
from sarai.games.camelup.edition import EDITIONS, Edition
from sarai.games.camelup.lessons.positions import FIRST, SECOND
from sarai.games.camelup.state import MIRAGE, OASIS, PRIZES, RACING


def camel(stack: int, place: int, noun: str = "camel") -> Fact:
    """Return the colour of a camel that is shown, by its stack from the first space and its place from the bottom."""
    return lambda view: Term(view["camels"][stack]["camels"][place], noun)


def worth_of_leader(view: View) -> int:
    """Return what the first bet on the camel that leads in the position of the bet is worth."""
    return int(view["tickets"][view["camels"][2]["camels"][-1]][0]["worth"])


def side(edition: Edition, which: int) -> Term:
    """Return a side of the tile in an edition's word."""
    return Term(edition.sides[which], "side")


MOVED = "unit_moved"
TAKE_FROM_PYRAMID = line(mark("You may do that on your turn. But now let a die come out of the pyramid."))


def pyramid(position: str, letter: str) -> Step:
    """Let a die come out."""
    return Step(
        position,
        (
            line(
                mark(
                    "{camels, plural, one {# camel} other {# camels}} race around the pyramid. Nobody owns one: you "
                    "bet on them. On your turn you do one thing only."
                ),
                camels=RACING,
            ),
            line(
                mark(
                    "Begin with the pyramid in the middle: a die comes out, and its camel runs. That brings you a "
                    "pound at the end of the leg."
                )
            ),
        ),
        line(
            mark(
                "The {camel} camel ran as far as its die showed and climbed on top of the camels there. No die "
                "comes out twice in a leg."
            ),
            camel=camel(0, 0),
        ),
        moves=("roll",),
        then=(f"{letter}2",),
        otherwise=TAKE_FROM_PYRAMID,
    )


def riding(position: str, names: tuple[str, str, str]) -> Step:
    """Ask who rides along."""
    bottom, middle, top = names
    both = line(
        mark("Yes. Whoever sits on a camel rides along; whoever is underneath stays behind."),
    )
    return Step(
        position,
        (
            line(
                mark(
                    "Camels stand on each other: the {bottom} one, on it the {middle} one, on top the {top} one. "
                    "The {die} die comes out. Who runs?"
                ),
                bottom=camel(1, 0),
                middle=camel(1, 1),
                top=camel(1, 2),
                die=camel(1, 1, "die"),
            ),
        ),
        then=(f"{middle[0]}2",),
        answers=(
            Answer(
                line(mark("Only the {middle} camel"), middle=camel(1, 1)),
                MOVED,
                {"unit": [middle]},
                line(mark("The {top} camel sits on it and rides along, without a die of its own."), top=camel(1, 2)),
            ),
            Answer(
                line(mark("The {middle} camel and the {top} camel"), middle=camel(1, 1), top=camel(1, 2)),
                MOVED,
                {"unit": sorted((middle, top), key=names_in_order(position).index)},
                both,
            ),
            Answer(
                line(mark("All of them")),
                MOVED,
                {"unit": sorted((bottom, middle, top), key=names_in_order(position).index)},
                line(
                    mark("The {bottom} camel is underneath: it carries others, but nobody carries it."),
                    bottom=camel(1, 0),
                ),
            ),
        ),
    )


def names_in_order(position: str) -> tuple[str, ...]:
    """Return an edition's camels in the order of their numbers, by a position of it."""
    return EDITIONS[position in SECOND.values()].camels


def crazy(position: str) -> Step:
    """Ask which way a crazy camel runs."""
    return Step(
        position,
        (
            line(
                mark(
                    "The {crazy} camel is crazy: it runs the wrong way round. The grey die moves it, and just now "
                    "it shows the {crazy} camel. The {rider} camel sits on it. What happens?"
                ),
                crazy=camel(3, 0),
                rider=camel(3, 1),
            ),
        ),
        then=("K2",),
        answers=(
            Answer(
                line(mark("Both run forwards")),
                MOVED,
                {"camel": "black", "space": 13},
                line(mark("Crazy camels run backwards, always. Only racing camels run forwards.")),
            ),
            Answer(
                line(mark("The {crazy} camel runs back alone"), crazy=camel(3, 0)),
                MOVED,
                {"unit": ["black"]},
                line(mark("Whoever sits on a camel rides along, on a crazy one too.")),
            ),
            Answer(
                line(mark("Both run backwards")),
                MOVED,
                {"camel": "black", "unit": ["red", "black"], "space": 9},
                line(mark("Yes: backwards, and its rider with it. That can turn a leg upside down.")),
            ),
        ),
    )


def bet(position: str, first: str, second: str) -> Step:
    """Bet on the camel that leads, which is the one on top."""
    return Step(
        position,
        (
            line(
                mark(
                    "Now bet on the leg: which camel will be ahead when it ends? The first bet on a camel pays "
                    "{worth, plural, one {# pound} other {# pounds}} if you are right."
                ),
                worth=worth_of_leader,
            ),
            line(mark("Bet on the camel that is ahead now. Look closely: two stand on the foremost space.")),
        ),
        line(
            mark("Right: in a stack, whoever sits higher is ahead. The next bet on the {camel} camel pays less."),
            camel=camel(2, 1),
        ),
        moves=(f"bet {first}",),
        wrong={
            f"bet {second}": line(
                mark("The {below} camel is on the same space, but the {above} camel sits on it and is ahead."),
                below=camel(2, 0),
                above=camel(2, 1),
            ),
        },
        otherwise=line(
            mark("Everything you may do on a turn is open to you. But this time bet on the camel that is ahead.")
        ),
    )


def tile(position: str, edition: Edition) -> Step:
    """Lay the tile where a camel will arrive."""
    return Step(
        position,
        (
            line(
                mark(
                    "You have a tile. Whenever camels arrive on it, you get a pound. With the {on} side up it sends "
                    "them a space on, with the {back} side up a space back."
                ),
                on=side(edition, OASIS),
                back=side(edition, MIRAGE),
            ),
            line(
                mark(
                    "It goes on an empty space, not beside another tile and never on the first space. Take the {on} "
                    "side, and lay it right in front of the {camel} camel."
                ),
                on=side(edition, OASIS),
                camel=camel(2, -1),
            ),
        ),
        line(mark("Somebody let a die come out, a camel arrived on your tile, and a pound was yours.")),
        moves=("tile 7+",),
        then=("roll", f"{edition.letters[0]}2"),
        wrong={
            "tile 7-": line(
                mark("The right place, but the {back} side sends camels back. You got your pound all the same."),
                back=side(edition, MIRAGE),
            ),
        },
        otherwise=line(
            mark("Allowed, but this time lay your tile right in front of the {camel} camel."), camel=camel(2, -1)
        ),
    )


def card(position: str) -> Step:
    """Lay a card for the winner of the race."""
    return Step(
        position,
        (
            line(
                mark(
                    "You can also bet on the whole race: lay a card face down, for the camel that will win or for "
                    "the one that will be last. The first right card pays {first, plural, one {# pound} other {# "
                    "pounds}}, the next {second}."
                ),
                first=int(PRIZES[0]),
                second=int(PRIZES[1]),
            ),
            line(mark("Lay a card for the overall winner. Which camel is up to you.")),
        ),
        line(mark("Nobody else sees which camel it is. Early cards pay more, but nobody knows much yet.")),
        moves=("win *",),
        otherwise=line(mark("You may do that. But this time lay a card for the overall winner.")),
    )


def leg(position: str, letter: str) -> Step:
    """End a leg, which is scored."""
    return Step(
        position,
        (
            line(
                mark(
                    "The last die of the leg. Bets on the leading camel pay what they say, on the second one a "
                    "pound, on all others they cost a pound."
                )
            ),
            line(mark("You bet on the {camel} camel. Let the die come out, and be paid."), camel=camel(3, 1)),
        ),
        line(
            mark("You were paid for your bet and for every die you let out. Bets, dice and tiles go back: a new leg.")
        ),
        moves=("roll",),
        then=(f"{letter}1",),
        otherwise=TAKE_FROM_PYRAMID,
    )


def line_step(position: str, letter: str) -> Step:
    """Let a camel cross the finish line."""
    return Step(
        position,
        (
            line(
                mark(
                    "As soon as a camel crosses the finish line, the game is over. The {camel} camel is close. Let "
                    "a die come out!"
                ),
                camel=camel(-1, -1),
            ),
        ),
        line(
            mark(
                "Over! The leg was paid, then the cards for the winner and the loser of the race. Most pounds "
                "win. Now you know it all."
            )
        ),
        moves=("roll",),
        then=(f"{letter}2",),
        otherwise=TAKE_FROM_PYRAMID,
    )


HINTS = (
    Hint(
        '#stage [data-pick^="side-"].picked',
        mark(
            "Lit spaces are free for your tile: empty, not beside another tile. In front of a stack camels "
            "arrive often."
        ),
    ),
    Hint(
        '#stage [data-pick^="card-"].picked', mark("Lay this card for the winner or for the loser of the whole race.")
    ),
    Hint(
        '#stage [data-spot="pyramid"].lit',
        mark("You do one thing: whatever is lit. The pyramid always brings a pound, and moves a camel."),
    ),
    Hint(
        '#stage [data-spot^="bet-"].lit',
        mark(
            "Bets on the leg that are lit can be taken. The first one on a camel pays most: look who is on "
            "top in front."
        ),
    ),
    Hint(
        '#stage [data-pick^="card-"].open',
        mark("Sure who wins the race, or who will be last? Pick a card of that camel: early cards pay more."),
    ),
)


def steps(edition: Edition, positions: Mapping[str, str]) -> list[Step]:
    """Return the steps of an edition, whose last racing camels stand for those of the other one."""
    last, top = ("p", "r") if edition.has_crazy_camels else ("o", "w")
    names = dict(zip(edition.letters, edition.camels, strict=True))
    return [
        pyramid(positions["start"], last),
        riding(positions["riding"], (names["g"], names["y"], names[top])),
        *([crazy(positions["crazy"])] if edition.has_crazy_camels else []),
        bet(positions["leader"], top, "b"),
        tile(positions["tile"], edition),
        card(positions["card"]),
        leg(positions["leg"], "g"),
        line_step(positions["line"], top),
    ]


def lesson(game_id: str) -> Lesson:
    """Return the lesson of an edition."""
    is_second = SECOND["start"].startswith(game_id)
    return Lesson(steps(EDITIONS[is_second], SECOND if is_second else FIRST), HINTS)
