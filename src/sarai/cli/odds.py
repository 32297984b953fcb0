"""The command `sarai odds`: the odds of a position, in a game whose package has `odds`."""

import json
from functools import partial
from types import ModuleType

import sarai
from sarai.cli.errors import CommandError
from sarai.cli.terminal_io import InputEnded, Screen, output
from sarai.cli.warm import compile_progress
from sarai.core.errors import Illegal
from sarai.core.game import Game
from sarai.core.language import Language
from sarai.core.messages import Name
from sarai.core.refusal_sentences import say_refusal


def module(game: Game, name: str) -> ModuleType:
    """Return a module that a game with odds has; Illegal if it has no odds."""
    found = game.module(name) if game.module("odds") else None
    if found is None:
        raise Illegal("no_odds", title=game.title)
    return found


def show_odds(id: str, position: str | None, ask: bool, as_json: bool, races: int | None, language: Language) -> None:
    """Print the odds of a position that is given or asked for."""
    game, screen = sarai.game(id), Screen(language)
    if ask == (position is not None):
        raise CommandError("odds_of_what")
    if as_json and ask:
        screen.console = output(stderr=True)  # questions do not belong to the numbers
    odds, position_input = module(game, "odds"), module(game, "odds.position_input")
    try:
        if ask:
            say_error = partial(say_refusal, language=language)
            state = position_input.ask_position(game, screen.ask, screen.tell, screen.say, say_error)
        else:
            state = position_input.complete_position(game, position)
    except InputEnded:
        return
    announcement = screen.say(
        "Compiling the odds of {game} for this machine; next time they are ready.", game=Name(screen.say(game.title))
    )
    with compile_progress(announcement):
        numbers = module(game, "odds.as_json").numbers(state, races or odds.DEFAULT_RACES)
    if as_json:
        print(json.dumps(numbers, ensure_ascii=False, indent=2))
    else:
        screen.show(module(game, "terminal").render_odds(numbers, screen.say))
