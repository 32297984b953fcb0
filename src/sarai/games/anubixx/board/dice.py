"""The dice of Anubixx on a page, what they can pay, and the payments between which a viewer chooses."""

from collections import Counter
from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.pieces import picture
from sarai.games.anubixx.board.sheet import KEPT
from sarai.games.anubixx.board.words import Payment, Words


@lru_cache(maxsize=KEPT)
def dice(
    words: Words, middle: tuple[str, ...], used: tuple[str, ...], pays: tuple[tuple[str, str, int], ...], rolled: bool
) -> Markup:
    """Render the dice: those in the middle with what they can pay, and the used ones small."""
    seen: Counter[str] = Counter()
    shown = []
    for slot, colour in enumerate(middle):
        seen[colour] += 1
        can = tuple((building, count) for of, building, count in pays if of == colour)
        shown.append(die(words, colour, seen[colour], 46 + 92 * slot, False, rolled, can))
    for slot, colour in enumerate(used):
        seen[colour] += 1
        shown.append(die(words, colour, seen[colour], 402 + 45 * slot, True, False, ()))
    label = '<text class="where" x="{x}" y="68">{used}</text>'
    return markup(
        '<g id="x-dice">{dice}{label}</g>',
        dice=join(shown),
        label=markup(label, x=424 if len(used) > 1 else 402, used=words.used) if used else EMPTY,
    )


@lru_cache(maxsize=KEPT)
def die(
    words: Words, colour: str, number: int, x: int, is_used: bool, is_new: bool, pays: tuple[tuple[str, int], ...]
) -> Markup:
    """Render a die that shows a colour and its letter, and what it can pay."""
    below = join(
        markup(
            '<g class="pays" transform="translate({x:g} 46)">'
            '<use href="#x-i-{building}" transform="translate(-7 0) scale(.6)"/><text x="1">{count}</text></g>',
            x=(at - (len(pays) - 1) / 2) * 30,
            building=building,
            count=words.number(count),
        )
        for at, (building, count) in enumerate(pays)
    )
    return markup(
        '<g class="piece die {colour}{kind}" id="x-die-{colour}-{number}" transform="translate({x} 33)" role="img" '
        'aria-label="{name}"><g class="tumble"><g transform="scale({scale})">'
        '<rect class="x-face" x="-29" y="-29" width="58" height="58" rx="13"/>'
        '<rect class="shine" x="-22" y="-22" width="44" height="44" rx="16"/><text>{letter}</text></g></g>{below}</g>',
        colour=colour,
        kind=classes(used=is_used, new=is_new),
        number=number,
        x=x,
        name=words.die(colour),
        scale=".66" if is_used else "1",
        letter=colour[0].upper(),
        below=below,
    )


@lru_cache(maxsize=KEPT)
def what_to_do(words: Words, is_own_turn: bool, is_second: bool, payments: tuple[Payment, ...]) -> Markup:
    """Offer to stop, and the payments between which a pick leaves a choice."""
    if not is_own_turn:
        return Markup('<div id="x-do" class="do"></div>')
    pays = join(
        markup(
            '<div class="spot pay" id="x-pay-{name}" data-spot="pay-{name}" role="button" aria-label="{label}">'
            "{pictures}<span>{costs}{skips}</span></div>",
            name=payment.name,
            label=words.paid(payment),
            pictures=join(picture(how) for how, _ in payment.stones),
            costs=join(
                [markup("<span>{cost}</span>", cost=words.cost(how, colour)) for how, colour in payment.stones],
                Markup(" + "),
            ),
            skips=markup(" <small>{skips}</small>", skips=words.skips(payment.skipped)) if payment.skipped else EMPTY,
        )
        for payment in payments
    )
    return markup(
        '<div id="x-do" class="do"><div class="spot stop" id="x-stop" data-spot="stop" role="button" '
        'aria-label="{stop}">{stop}</div><div class="ways" role="group" aria-label="{pay}">{pays}</div></div>',
        stop=words.stop if is_second else words.mark_nothing,
        pay=words.pay,
        pays=pays,
    )
