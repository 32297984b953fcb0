"""Errors of the commands and their English sentences."""

from sarai.core.errors import Error, register_reasons

register_reasons(
    {
        "option_form": "An option is written NAME=VALUE, not ''{text}''.",
        "option_twice": "Option ''{option}'' is given twice.",
        "unknown_bot": "There is no bot called ''{bot}''; there are {bots}.",
        "wrong_seats": "{players} players cannot be {people} people and {bots} bots.",
        "too_many_names": "There are {names} names for {people} people.",
        "compiler_lost": "A process that compiled stopped by itself (exit code {code}).",
        "no_terminal": "{title} cannot be shown in a terminal: the game has no `terminal` module.",
        "no_odds": "There are no odds for {title}.",
        "odds_of_what": "Odds are told of a position, given or asked for with --ask.",
    },
    on_pages=False,
)


class CommandError(Error):
    """A command cannot do what its arguments ask for."""
