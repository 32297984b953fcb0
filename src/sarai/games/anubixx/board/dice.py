"""The dice of Anubixx on a page, and the payments between which a viewer chooses."""

from collections import Counter
from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.pieces import picture
from sarai.games.anubixx.board.sheet import KEPT
from sarai.games.anubixx.board.words import JOKER, Payment, Words


@lru_cache(maxsize=KEPT)
def dice(words: Words, middle: tuple[str, ...], used: tuple[str, ...], rolled: bool) -> Markup:
    """Render the dice: those in the middle, and the used ones small."""
    seen: Counter[str] = Counter()
    shown = []
    for slot, colour in enumerate(middle):
        seen[colour] += 1
        shown.append(die(words, colour, seen[colour], 46 + 92 * slot, False, rolled))
    for slot, colour in enumerate(used):
        seen[colour] += 1
        shown.append(die(words, colour, seen[colour], 402 + 45 * slot, True, False))
    label = '<text class="where" x="{x}" y="69">{used}</text>'
    return markup(
        '<g id="x-dice">{dice}{label}</g>',
        dice=join(shown),
        label=markup(label, x=424 if len(used) > 1 else 402, used=words.used) if used else EMPTY,
    )


@lru_cache(maxsize=KEPT)
def die(words: Words, colour: str, number: int, x: int, is_used: bool, is_new: bool) -> Markup:
    """Render a die that shows a colour and its letter."""
    return markup(
        '<g class="piece die {colour}{kind}" id="x-die-{colour}-{number}" transform="translate({x} 33)" role="img" '
        'aria-label="{name}"><g class="tumble"><g transform="scale({scale})">'
        '<rect class="x-face" x="-29" y="-29" width="58" height="58" rx="13"/>'
        '<rect class="shine" x="-22" y="-22" width="44" height="44" rx="16"/><text>{letter}</text></g></g></g>',
        colour=colour,
        kind=classes(used=is_used, new=is_new),
        number=number,
        x=x,
        name=words.die(colour),
        scale=".66" if is_used else "1",
        letter=colour[0].upper(),
    )


@lru_cache(maxsize=KEPT)
def what_to_do(words: Words, is_own_turn: bool, is_second: bool, payments: tuple[Payment, ...]) -> Markup:
    """Offer to stop, and the payments between which a pick leaves a choice."""
    if not is_own_turn:
        return Markup('<div id="x-do" class="do"></div>')
    pays = join(
        markup(
            '<div class="spot pay" id="x-pay-{name}" data-spot="pay-{name}" role="button" aria-label="{label}">'
            "{costs}{skips}</div>",
            name=payment.name,
            label=words.paid(payment),
            costs=join([cost(words, how, colour) for how, colour in payment.in_order], Markup(" + ")),
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


def cost(words: Words, how: str, colour: str) -> Markup:
    """Render what pays for one stone: a die or a quarry stone in its colour with its letter, or a star."""
    if how == JOKER:
        return markup("<span>{star} {name}</span>", star=picture(how), name=words.cost(how, colour))
    return markup(
        '<span><b class="chip {colour} by-{how}" aria-hidden="true">{letter}</b> {name}</span>',
        colour=colour,
        how=how,
        letter=colour[0].upper(),
        name=words.cost(how, colour),
    )
