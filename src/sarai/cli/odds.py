"""What the dice may bring: odds of a position, of a game that knows its own."""

import importlib
import importlib.util
import json
from types import ModuleType

import sarai
from sarai.cli.prepare import announced
from sarai.cli.screen import Left, Screen, output
from sarai.core.errors import BadText, Illegal
from sarai.core.game import Game


def odds_of(game: Game) -> ModuleType:
    """Return the game's own `odds_terminal` module; Illegal if it has none."""
    name = f"{game.package}.odds_terminal"
    if importlib.util.find_spec(name) is None:
        raise Illegal("no_odds", title=game.title)
    return importlib.import_module(name)


def show_odds(id: str, position: str | None, ask: bool, as_json: bool, races: int | None) -> None:
    """Print the odds of a position that is given or asked for."""
    game, screen = sarai.game(id), Screen()
    if ask == (position is not None):
        raise BadText("odds_of_what")
    if as_json and ask:
        screen.console = output(stderr=True)  # questions do not belong to the numbers
    own = odds_of(game)
    try:
        state = own.ask(game, screen.ask, screen.say) if ask else own.complete(game, position)
    except Left:
        return
    with announced(f"Compiling the odds of {game.title} for this machine; next time they are ready."):
        numbers = own.numbers(state, races or own.RACES)
    if as_json:
        print(json.dumps(numbers, ensure_ascii=False, indent=2))
    else:
        screen.show(own.draw(numbers))
