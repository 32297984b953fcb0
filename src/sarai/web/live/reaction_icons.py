"""Small pictures of the quick reactions: the same everywhere, also where fonts have no emoji."""

from markupsafe import Markup

from sarai.core.markup import EMPTY, markup

FACE = '<circle cx="12" cy="12" r="9"/><path d="M9 9v1m6-1v1"/>'
DRAWN = {
    "hello": '<path d="M7 13V7.5m3.3 4V4.5m3.4 7V5m3.3 7.5V8M7 13c0 5 2 7.5 5 7.5s5-3 5-8M7 15.5 3.5 12"/>',
    "well_played": '<path d="m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z"/>',
    "thanks": '<path d="M12 20C5 15 3.5 11.5 3.5 9A4.3 4.3 0 0 1 12 7.5 4.3 4.3 0 0 1 20.5 9c0 2.5-1.5 6-8.5 11z"/>',
    "laugh": f'{FACE}<path d="M7.5 13.5a4.7 4.7 0 0 0 9 0z"/>',
    "oops": f'{FACE}<circle cx="12" cy="15.8" r="1.9"/>',
    "thinking": '<path d="M4 5h16v11H10l-4 4v-4H4zm4.5 5.5h.1m3.4 0h.1m3.4 0h.1"/>',
}
ICONS = {
    key: markup('<svg class="reaction" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>', drawn=Markup(drawn))
    for key, drawn in DRAWN.items()
}


def reaction_icon(key: str) -> Markup:
    """Return the picture of a reaction; nothing for one that was erased."""
    return ICONS.get(key, EMPTY)
