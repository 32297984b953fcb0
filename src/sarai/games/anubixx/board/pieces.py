"""Anubixx as pictures: the symbols, the buildings in small, dice, payments."""

from functools import cache

from markupsafe import Markup

from sarai.core.markup import join, markup

# Every picture is centred on 0 0 and about 20 wide; colours come from the classes of what uses it.
SYMBOLS = {
    "scarab": Markup(
        '<path class="x-line" d="M-5 -1L-9 -4M-5.6 2H-9.4M-5 5L-8.6 8M5 -1L9 -4M5.6 2H9.4M5 5L8.6 8"/>'
        '<ellipse class="x-ink" cy="3" rx="5.6" ry="6.4"/>'
        '<path class="x-ink" d="M-4.6 -4.4A4.6 4.6 0 0 1 4.6 -4.4Z"/><path class="x-cut" d="M0 -3.4V9M-5 -.6H5"/>'
    ),
    "snake": Markup(
        '<path class="x-coil" d="M-8 7.4C-3 10 -1 5 -4 2.4C-8 -1 -2 -6 2 -2.4C5 .6 8.6 -1 7 -5"/>'
        '<path class="x-ink" d="M4.4 -5C4 -9.4 10 -9.4 9.8 -5.2C9.6 -2.6 5 -2.4 4.4 -5Z"/>'
    ),
    "eye": Markup(
        '<path class="x-line" d="M-9.4 -1.4C-5 -6.6 4 -6.8 9.4 -1.8C4.6 2.8 -4.6 2.6 -9.4 -1.4Z'
        'M-9.4 -6C-4.4 -9.6 4.4 -9.6 9.4 -6.4"/>'
        '<circle class="x-ink" cy="-1.8" r="2.9"/><path class="x-line" d="M-1.4 2.2L-2.4 9M3 1.8C4 5.6 6 8 9 6.4"/>'
    ),
    "ankh": Markup('<path class="x-coil" d="M0 0C-6.6 -4 -4.4 -9 0 -9C4.4 -9 6.6 -4 0 0V9.4M-6.6 1H6.6"/>'),
    "falcon": Markup(
        '<path class="x-ink" d="M-9.6 -3.4C-6 -6 -3 -5 -1.8 -3.4C-1.8 -6.4 .2 -8.6 2.6 -8.4'
        "C4 -8.4 5 -7.4 5.2 -6.4L7 -5.4L5 -4.4C5 -3.8 4.6 -3 4.2 -2.6C6.4 -1.8 8.4 .4 9.6 3.6"
        'C7 2.6 5.4 2.8 4 3.4L5.4 8.6H-1L-.2 3.8C-4 3.6 -8 .6 -9.6 -3.4Z"/>'
    ),
    "lotus": Markup(
        '<path class="x-ink" d="M0 -9C3 -5 3.4 -1 0 4C-3.4 -1 -3 -5 0 -9Z'
        'M-8.8 -5C-4.6 -4.6 -2 -1 -1 4.4C-6.4 3.6 -9 0 -8.8 -5ZM8.8 -5C4.6 -4.6 2 -1 1 4.4C6.4 3.6 9 0 8.8 -5Z"/>'
        '<path class="x-line" d="M0 4V9.4M-5 8C-3 6.4 3 6.4 5 8"/>'
    ),
    "cat": Markup(
        '<path class="x-ink" d="M-5.6 9V3C-5.6 0 -4 -1.6 -3.4 -3L-4 -9L-1 -6.8H2L5 -9L4.4 -3'
        'C4 -1.6 3.4 -1 3.4 0C6 2 6 6 5.6 9Z"/>'
        '<path class="x-line" d="M5.4 8.4C9.4 8 9.4 3 7.4 2"/>'
        '<circle class="x-cutdot" cx="-1.2" cy="-4.2" r=".8"/><circle class="x-cutdot" cx="2.2" cy="-4.2" r=".8"/>'
    ),
    "end": Markup(
        '<path class="x-ink" d="M-10 8.6L-4.2 -2.4L1.6 8.6ZM2.6 8.6V-3.6H10V8.6H8.2V2.4'
        'C8.2 -.4 4.4 -.4 4.4 2.4V8.6Z"/><circle class="x-ink" cx="-1" cy="-6.6" r="2.8"/>'
    ),
}
BUILDINGS = {
    "pyramid": Markup(
        '<path class="x-ink" d="M0 -8L9.6 8H-9.6Z"/><path class="x-cut" d="M-6.4 2.8H6.4M-3.2 -2.6H3.2"/>'
    ),
    "arch": Markup('<path class="x-ink" d="M-8.6 9V-8H8.6V9H4V0C4 -4.6 -4 -4.6 -4 0V9Z"/>'),
    "relief": Markup(
        '<path class="x-ink" d="M-9.4 -7H-.6V-.6H-9.4ZM.6 -7H9.4V-.6H.6ZM-9.4 .6H-.6V7H-9.4ZM.6 .6H9.4V7H.6Z"/>'
    ),
}
PAYMENTS = {
    "d": Markup(
        '<rect class="x-ink" x="-8" y="-8" width="16" height="16" rx="4"/>'
        '<circle class="x-cutdot" cx="-3.4" cy="-3.4" r="1.9"/><circle class="x-cutdot" cx="3.4" cy="3.4" r="1.9"/>'
    ),
    "q": Markup(
        '<path class="x-ink" d="M-9 3L-5.6 -6.4L2 -8.4L8.6 -3.4L9 4.4L3.4 8.4H-5Z"/>'
        '<path class="x-cut" d="M-5 -5.6L-1 -1.4L8.4 -3M-1 -1.4L-2.4 8"/>'
    ),
    "j": Markup(
        '<path class="x-ink" d="M0 -9.6L2.7 -3.4L9.4 -2.8L4.3 1.6L5.9 8.2L0 4.6'
        'L-5.9 8.2L-4.3 1.6L-9.4 -2.8L-2.7 -3.4Z"/>'
    ),
}
BONUS = Markup('<path class="x-ink" d="M-9 7L-9.6 -4.4L-4.4 -.6L0 -8L4.4 -.6L9.6 -4.4L9 7Z"/>')
TICK = Markup('<path class="x-tick" d="M-7.5 .5L-2.5 5.5L7.5 -5.5"/>')


@cache
def symbols() -> Markup:
    """Return every picture once, for `use`."""
    pictures = {**SYMBOLS, **BUILDINGS, **PAYMENTS, "bonus": BONUS, "tick": TICK}
    return markup(
        '<svg class="x-defs" width="0" height="0" aria-hidden="true"><defs>{pictures}</defs></svg>',
        pictures=join(markup('<g id="x-i-{name}">{art}</g>', name=name, art=art) for name, art in pictures.items()),
    )


@cache
def picture(name: str, kind: str = "pic") -> Markup:
    """Show one picture by itself."""
    return markup(
        '<svg class="{kind}" viewBox="-11 -11 22 22" aria-hidden="true"><use href="#x-i-{name}"/></svg>',
        kind=kind,
        name=name,
    )
