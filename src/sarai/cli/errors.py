"""Errors of the commands, their English sentences, and how one is printed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from sarai.core.errors import Error, register_reasons
from sarai.core.language import Language
from sarai.core.messages import mark
from sarai.core.refusal_sentences import say_refusal

KEPT = "\u200c\u200d\u2066\u2067\u2068\u2069"  # letters that cannot be seen but shape or order the others

register_reasons(
    {
        "option_form": mark("An option is written NAME=VALUE, not ''{text}''."),
        "option_twice": mark("Option ''{option}'' is given twice."),
        "unknown_bot": mark("There is no bot called ''{bot}''; there are {bots}."),
        "unknown_language": mark("There is no language ''{language}'' here; there are {languages}."),
        "wrong_seats": mark(
            "{players, plural, one {# player} other {# players}} cannot be "
            "{people, plural, one {# person} other {# people}} and {bots, plural, one {# bot} other {# bots}}."
        ),
        "too_many_names": mark(
            "There {names, plural, one {is # name} other {are # names}} "
            "for {people, plural, one {# person} other {# people}}."
        ),
        "compiler_lost": "A process that compiled stopped by itself (exit code {code}).",
        "no_terminal": mark("{title} cannot be shown in a terminal: the game has no `terminal` module."),
        "no_odds": mark("There are no odds for {title}."),
        "odds_of_what": mark("Odds are told of a position, given or asked for with --ask."),
    },
    on_pages=False,
)


class CommandError(Error):
    """A command cannot do what its arguments ask for."""


def print_error(sentence: str) -> int:
    """Print one sentence to the error output; return the exit code of an error."""
    line = " ".join("".join(letter if is_shown(letter) else " " for letter in sentence).split())
    print(line if line.endswith((".", "?", "!", "؟")) else f"{line}.", file=sys.stderr)
    return 2


def is_shown(letter: str) -> bool:
    """Say whether a letter can be printed without harm."""
    return letter.isprintable() or letter in KEPT


@contextmanager
def errors_in(language: Language) -> Iterator[None]:
    """Say errors in a language; the command ends with the exit code of an error."""
    try:
        yield
    except Error as error:
        raise typer.Exit(print_error(say_refusal(error, language))) from None
