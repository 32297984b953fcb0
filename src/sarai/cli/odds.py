"""The command `sarai odds`: the odds of a position, for games that have them."""

import json
from types import ModuleType

import sarai
from sarai.cli.errors import CommandError
from sarai.cli.screen import InputEnded, Screen, output
from sarai.cli.warm import compile_progress
from sarai.core.game import Game


def odds_of(game: Game) -> ModuleType:
    """Return the game's own `odds_terminal` module; CommandError if it has none."""
    module = game.module("odds_terminal")
    if module is None:
        raise CommandError("no_odds", title=game.title)
    return module


def show_odds(id: str, position: str | None, ask: bool, as_json: bool, races: int | None) -> None:
    """Print the odds of a position that is given or asked for."""
    game, screen = sarai.game(id), Screen()
    if ask == (position is not None):
        raise CommandError("odds_of_what")
    if as_json and ask:
        screen.console = output(stderr=True)  # the output has the numbers only
    own = odds_of(game)
    try:
        state = own.ask(game, screen.ask, screen.say) if ask else own.complete(game, position)
    except InputEnded:
        return
    with compile_progress(f"Compiling the odds of {game.title} for this machine; next time they are ready."):
        numbers = own.numbers(state, races or own.RACES)
    if as_json:
        print(json.dumps(numbers, ensure_ascii=False, indent=2))
    else:
        screen.show(own.draw(numbers))
