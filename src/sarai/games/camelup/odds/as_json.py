"""All odds of a position of Camel Up as plain data, for `sarai odds --json` and for tables in a terminal."""

from fractions import Fraction
from typing import Any

from sarai.core.state_and_view import State
from sarai.games.camelup.odds import LegOdds, RaceOdds, TileOdds, leg_odds, race_odds, tile_odds

LEG_ASSUMES = "nobody lays or moves a tile before the leg ends"
RACE_ASSUMES = "nobody lays or moves a tile before the leg ends, and there are no tiles in later legs"

Numbers = dict[str, Any]


def numbers(state: State, races: int) -> Numbers:
    """Return all odds of a position as plain data."""
    leg, tiles, race = leg_odds(state), tile_odds(state), race_odds(state, races)
    return {
        "game": state.game.id,
        "title": state.game.title,
        "position": state.text(),
        "leg": {
            "exact": True,
            "assumption": LEG_ASSUMES,
            "denominator": leg.whole,
            "places": {
                name: [number(leg.chance(camel, place)) for place in range(len(leg.camels))]
                for camel, name in enumerate(leg.camels)
            },
        },
        "bets": {
            name: bet and {"worth": bet.worth, "pay": number(bet.pay)}
            for name, bet in zip(leg.camels, leg.bets, strict=True)
        },
        "pyramid_ticket": number(leg.pyramid_pay),
        "tiles_on_track": tiles_on_track(state, leg),
        "tiles": [tile_numbers(tile) for tile in tiles],
        "race": race_numbers(race),
    }


def number(value: Fraction) -> Numbers:
    """Return a number exactly and as a double."""
    return {"fraction": f"{value.numerator}/{value.denominator}", "value": float(value)}


def tiles_on_track(state: State, leg: LegOdds) -> list[Numbers]:
    """Return what the tiles that lie on the track bring their owners."""
    tiles = state.view(None).to_json()["tiles"]
    return [
        {"seat": seat, **tiles[seat], "pay": number(pay)} for seat, pay in enumerate(leg.tile_pays) if pay is not None
    ]


def tile_numbers(tile: TileOdds) -> Numbers:
    """Return what a tile would bring, and who would lead at the end of the leg."""
    first = {name: number(tile.leg.chance(camel, 0)) for camel, name in enumerate(tile.leg.camels)}
    return {"space": tile.space, "side": tile.side, "pay": number(tile.pay), "first": first}


def race_numbers(race: RaceOdds) -> Numbers:
    """Return who wins and who loses the race, with 95 % confidence intervals where that is sampled."""
    found: Numbers = {"exact": race.exact, "assumption": RACE_ASSUMES, "races": race.races}
    for end, chances, between in (("win", race.win, race.win_between), ("lose", race.lose, race.lose_between)):
        found[end] = dict(zip(race.camels, chances, strict=True))
        if not race.exact:
            found[f"{end}_95"] = dict(zip(race.camels, map(list, between), strict=True))
    return found
