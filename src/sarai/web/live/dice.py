"""What pages and programs are shown of the words for the dice; never a word before the game has begun."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from markupsafe import Markup, escape
from msgspec import Struct

from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import mark
from sarai.table.dice_word_commitments import GivenWord
from sarai.table.table import FINISHED, GATHERING, PLAYING
from sarai.web.language import Language, find_language, isolated
from sarai.web.live.form_elements import button, word_form
from sarai.web.live.names import shown_names

if TYPE_CHECKING:
    from sarai.table.table import Table
    from sarai.web.live.viewer import Viewer

NO_DICE = Markup('<details id="dice-words" hidden></details>')
HAS_WORD, GAVE_WORD, NO_WORD = mark("{name}: has a word"), mark("{name}: gave a word"), mark("{name}: no word")
LOST_WORD, MISSING_WORD = mark("{name}: the word was not opened in time"), mark("{name}: no new word came in time")


class Dice(Struct):
    """The words for a table's dice. `version` 1 has plain words; in 2 they are committed to, then opened.

    `asking` says what the seats in `asked` have to do: in `seats` anybody seated may commit to a word or to another
    one, in `open` they have to open theirs, in `commit` to commit to another one because some seat did not open; when
    the game has begun it is empty. It waits for the seats in `waiting`. `digests` are what seats committed to, by seat.
    Seats in `lost` did not open, those in `missing` did not commit anew. `words` is empty until the game begins.
    """

    version: int
    asking: Literal["", "seats", "open", "commit"]
    round: int
    asked: list[int]
    waiting: list[int]
    digests: dict[str, str]
    lost: list[int]
    missing: list[int]
    words: list[GivenWord]


def describe_dice(table: Table) -> Dice:
    """Return what is public about the words for a table's dice."""
    dice = table.dice
    asking: Literal["", "seats", "open", "commit"] = "" if table.phase != GATHERING else "seats"
    if dice.is_running:
        asking = "commit" if dice.is_renewing else "open"
    return Dice(
        dice.version,
        asking,
        dice.round,
        list(dice.asked),
        dice.waits_for,
        {str(seat): digest for seat, digest in sorted(dice.commitments.items())},
        dice.lost_seats,
        dice.missing,
        dice.given if table.phase != GATHERING else [],
    )


def dice_data(table: Table, **more: Any) -> str:
    """Return what the page's script reads."""
    return msgspec.json.encode(
        {"commitment": table.commitment, **msgspec.to_builtins(describe_dice(table)), **more}
    ).decode()


def gathering_dice(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Say before the game what the dice will follow from, and let a player choose another word."""
    say, dice = language.say, table.dice
    if dice.version < 2:
        text, rows, own = plain_words_text(language), EMPTY, word_form(table, viewer.seat, language)
    else:
        text = markup(
            "<p>{how}</p><p>{without}</p>",
            how=say(
                "All dice follow from a secret of this house and from random words that the players' browsers make. "
                "All of them are fixed before any is shown, so nobody can choose or foresee the dice."
            ),
            without=say(
                "Bots, and browsers without script, give no word: they rely on the others. "
                "If nobody gives one, the dice follow from the secret of the house alone."
            ),
        )
        rows = markup("<ul>{rows}</ul>", rows=join(commitment_rows(table, language)))
        own = own_word_form(language) if viewer.seat is not None and not dice.is_running else EMPTY
    return markup(
        '<details id="dice" class="dice" data-dice="{data}"><summary>{title}</summary>{text}{rows}{own}'
        '<p class="link soft">SHA-256: <code dir="ltr">{commitment}</code></p></details>',
        data=dice_data(table, seat=viewer.seat),
        title=say("Fair dice"),
        text=text,
        rows=rows,
        own=own,
        commitment=table.commitment,
    )


def plain_words_text(language: Language) -> Markup:
    """Explain the dice of version 1."""
    text = language.say(
        "The table has promised a secret that all dice follow from. "
        "Add a word of your own, and nobody can have chosen them beforehand."
    )
    return markup("<p>{text}</p>", text=text)


def own_word_form(language: Language) -> Markup:
    """Show a player's own word, which only the page's script knows, to be changed."""
    return markup(
        '<form class="word row"><input type="text" name="word" maxlength="40" autocomplete="off" aria-label="{label}">'
        "{change}</form>",
        label=language.say("Your word for the dice"),
        change=button(language.say("Change it")),
    )


def commitment_rows(table: Table, language: Language) -> Iterator[Markup]:
    """Say which seats have a word."""
    dice = table.dice
    for number, (seat, name) in enumerate(zip(table.seats, shown_names(table.seats, language), strict=True)):
        if seat.empty:
            continue
        if number in dice.lost_seats:
            message = LOST_WORD
        elif number in dice.commitments:
            message = HAS_WORD
        else:
            message = NO_WORD
        yield markup("<li>{text}</li>", text=language.say(message, name=isolated(name)))


def playing_dice(table: Table, language: Language) -> Markup:
    """Say in the game whose words went into the dice."""
    if table.phase != PLAYING or table.dice.version < 2:
        return NO_DICE
    return dice_panel(shown_names(table.seats, language), tuple(word_sentences(table)), language.code)


@lru_cache(2000)
def dice_panel(names: tuple[str, ...], sentences: tuple[str, ...], code: str) -> Markup:
    """Return the panel of the dice with a sentence about each seat; it stays as it is for the whole game."""
    language = find_language(code)
    rows = [language.say(text, name=isolated(name)) for name, text in zip(names, sentences, strict=True)]
    return markup(
        '<details id="dice-words" class="dice"><summary>{title}</summary><p>{text}</p><ul>{rows}</ul></details>',
        title=language.say("Fair dice"),
        text=language.say("Whose words went into the dice; when the game is over its record proves it."),
        rows=join(markup("<li>{row}</li>", row=row) for row in rows),
    )


def word_sentences(table: Table) -> Iterator[str]:
    """Say of every seat whether it gave a word; the words themselves are shown when the game is over.

    Until then pages hold hidden hands: others chose the words, and in a compressed page its length could tell what
    they have in common with a hand.
    """
    dice = table.dice
    lost = dice.lost_seats
    for seat in range(table.players):
        if seat in dice.opened:
            yield GAVE_WORD
        elif seat in lost:
            yield LOST_WORD
        elif seat in dice.missing:
            yield MISSING_WORD
        else:
            yield NO_WORD


def word_rows(table: Table, language: Language) -> list[Markup]:
    """Say of every seat of a finished game which word it gave, or why it gave none."""
    opened, rows = table.dice.opened, []
    for number, (player, text) in enumerate(
        zip(shown_names(table.seats, language), word_sentences(table), strict=True)
    ):
        name = isolated(player)
        if number in opened and table.phase == FINISHED:
            rows.append(markup("{name}: {word}", name=name, word=isolated(opened[number].word)))
        else:
            rows.append(escape(language.say(text, name=name)))
    return rows
