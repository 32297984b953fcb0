"""A position of 6 nimmt! as one picture: the rows or the cards of a draft, the last trick, the players, the hand."""

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import EMPTY, classes, join, markup, shorten_to_width
from sarai.core.messages import Say, number, signed
from sarai.core.picture import Block, Box, Columns
from sarai.games.sixnimmt.board.cards import HEIGHT, WIDTH, bull, face, symbols
from sarai.games.sixnimmt.board.players import activity
from sarai.games.sixnimmt.board.rows import BROAD, LANE, LEFT, PITCH, TOP, rendered_rows
from sarai.games.sixnimmt.board.trick import last_trick
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT, ROWS
from sarai.games.sixnimmt.view import open_cards

__all__ = ["columns", "symbols"]

BESIDE = 260  # the width of the players
SEAT = 52  # the height of a player's row
RAISED = 16  # how much higher the chosen card lies
ACROSS = 7  # cards of a draft, or of a trick, in a line


def columns(scene: Scene) -> Columns:
    """Return the parts of the table."""
    middle = open_to_draft(scene) if scene.view["phase"] == "draft" else rows(scene)
    return [[middle, *trick(scene), *hand(scene)], [players(scene)]]


def card_at(card: int, x: float, y: float, scale: float, say: Say) -> tuple[Markup, Box]:
    """Draw a card somewhere, and return where that is."""
    drawn = markup(
        '<g transform="translate({x:g} {y:g}) scale({scale:g})">{face}</g>', x=x, y=y, scale=scale, face=face(card, say)
    )
    return drawn, Box(x, y, WIDTH * scale, HEIGHT * scale)


def rows(scene: Scene) -> Block:
    """Draw the four rows."""
    places = {}
    for line, cards in enumerate(scene.view["rows"]):
        places[f"row-{line + 1}"] = Box(1, line * LANE + 1, BROAD - 2, LANE - 4)
        for at in range(ROW_LIMIT + 1):
            places[f"place-{line + 1}-{at + 1}"] = Box(LEFT + at * PITCH, line * LANE + TOP, WIDTH, HEIGHT)
        for at, card in enumerate(cards):
            places[f"card-{card}"] = places[f"place-{line + 1}-{at + 1}"]
    return Block("rows", join(rendered_rows(scene.view, {}, scene.say)), Box(0, 0, BROAD, ROWS * LANE - 2), places)


def open_to_draft(scene: Scene) -> Block:
    """Draw the cards that lie open during a draft."""
    cards, drawn, places = open_cards(scene.view), [], {}
    for at, card in enumerate(cards):
        picture, places[f"open-{card}"] = card_at(card, at % ACROSS * PITCH, at // ACROSS * (HEIGHT + 8), 1, scene.say)
        drawn.append(picture)
    lines = -(-len(cards) // ACROSS)
    return Block("open", join(drawn), Box(0, 0, BROAD, lines * (HEIGHT + 8)), places)


def trick(scene: Scene) -> list[Block]:
    """Draw the last trick: the cards turned up, lowest first, with their players."""
    turned = last_trick(scene.view, scene.recent or scene.news)
    if not turned or scene.view["phase"] == "draft":
        return []
    drawn, places = [], {}
    for at, placed in enumerate(turned):
        x, y = at % ACROSS * (BROAD / ACROSS), at // ACROSS * 82
        picture, places[f"turned-{placed.card}"] = card_at(placed.card, x, y, 0.56, scene.say)
        name = shorten_to_width(scene.names[placed.seat], 10)
        drawn.append(
            markup(
                '{card}<text class="picture-small start" x="{x:g}" y="{y:g}">{name}</text>',
                card=picture,
                x=x,
                y=y + 74,
                name=name,
            )
        )
    return [Block("trick", join(drawn), Box(0, 0, BROAD, -(-len(turned) // ACROSS) * 82), places)]


def hand(scene: Scene) -> list[Block]:
    """Draw the viewer's cards in a line, the chosen one raised."""
    view = scene.view
    if view["seat"] is None or view["phase"] == "over":
        return []
    held, chosen = view["hands"].get(str(view["seat"]), []), view["my_choice"]
    cards = sorted([*held, chosen]) if chosen else held
    if not cards:
        return []
    drawn, places, scale = [], {}, (BROAD / HAND - 4) / WIDTH
    for at, card in enumerate(cards):
        y = 0 if card == chosen else RAISED
        picture, places[f"hand-{card}"] = card_at(card, at * BROAD / HAND, y, scale, scene.say)
        drawn.append(picture)
    return [Block("hand", join(drawn), Box(0, 0, BROAD, HEIGHT * scale + RAISED), places)]


def players(scene: Scene) -> Block:
    """Draw a row for each player: heads in all, and those of this round."""
    view, say, names = scene.view, scene.say, scene.names
    drawn, places = [], {}
    for seat, name in enumerate(names):
        pile, y = view["pile_heads"][seat], seat * (SEAT + 6)
        places[f"seat-{seat}"] = Box(0, y, BESIDE, SEAT)
        doing = activity(view, seat)
        drawn.append(
            markup(
                '<g transform="translate(0 {y})"><rect class="picture-card{acts}" width="{width}" height="{height}" '
                'rx="12"/><text class="picture-name" x="14" y="32">{name}</text>{down}{pile}'
                '<text class="picture-number" x="222" y="34">{heads}</text><g class="tally">{bull}</g></g>',
                y=y,
                acts=classes(acts=doing in ("chooses", "takes", "drafts")),
                width=BESIDE,
                height=SEAT,
                name=shorten_to_width(name, 10),
                down=card_at(0, 138, 8, 0.35, say)[0] if doing == "chosen" else EMPTY,
                pile=markup('<text class="picture-small" x="184" y="33">{pile}</text>', pile=signed(pile, say))
                if pile
                else EMPTY,
                heads=number(view["heads"][seat] + pile, say),
                bull=bull(226, 14, 24),
            )
        )
    return Block("players", join(drawn), Box(0, 0, BESIDE, len(names) * (SEAT + 6) - 6), places)
