"""Odds of Camel Up as numbers for programs and as tables for people."""

from fractions import Fraction
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.core.state import State
from sarai.games.camelup.describe import ask, complete
from sarai.games.camelup.edition import EDITIONS, Edition
from sarai.games.camelup.odds import RACES, LegOdds, RaceOdds, TileOdds, leg_odds, race_odds, tile_odds
from sarai.games.camelup.terminal import STYLES, camel

__all__ = ["RACES", "ask", "complete", "draw", "numbers"]

LEG_ASSUMES = "nobody lays or moves a tile before the leg ends"
RACE_ASSUMES = "nobody lays or moves a tile before the leg ends, and there are no tiles in later legs"
PLACES = ("1st", "2nd", "3rd", "4th", "5th")
BAR = 12  # characters of a bar
LEAST = 0.005  # pounds worth a line
EIGHTHS = " ▏▎▍▌▋▊▉"

Numbers = dict[str, Any]


# --- for programs ----------------------------------------------------------------------------------------------------------------


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
                name: [number(leg.chance(place, n)) for n in range(len(PLACES))]
                for place, name in enumerate(leg.camels)
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
    first = {name: number(tile.leg.chance(place, 0)) for place, name in enumerate(tile.leg.camels)}
    return {"space": tile.space, "side": tile.side, "pay": number(tile.pay), "first": first}


def race_numbers(race: RaceOdds) -> Numbers:
    """Return who wins and who loses the race, with 95 % confidence intervals where that is sampled."""
    said: Numbers = {"exact": race.exact, "assumption": RACE_ASSUMES, "races": race.races}
    for end, chances, between in (("win", race.win, race.win_between), ("lose", race.lose, race.lose_between)):
        said[end] = dict(zip(race.camels, chances, strict=True))
        if not race.exact:
            said[f"{end}_95"] = dict(zip(race.camels, map(list, between), strict=True))
    return said


# --- for people ------------------------------------------------------------------------------------------------------------------


def draw(odds: Numbers) -> RenderableType:
    """Draw odds as tables with bars."""
    edition = EDITIONS[1 if odds["game"].endswith("2018") else 0]
    tables = [leg_table(odds, edition), race_table(odds["race"], edition), *tile_tables(odds, edition)]
    return Group(*(Padding(table, (0, 0, 1, 1), expand=False) for table in tables))


def new_table(title: str, note: str, *heads: str) -> Table:
    """Make an empty table with what its numbers mean under its title; numbers stand right."""
    table = Table(
        box=box.SIMPLE_HEAD,
        header_style="dim",
        show_edge=False,
        padding=(0, 1, 0, 0),
        title_justify="left",
        title_style="",
    )
    table.title = Text(title, "bold").append(f"\n{note}", "not bold dim")
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place == 0 or not head else "right", no_wrap=True)
    return table


def percent(chance: float) -> str:
    """Write a chance."""
    return f"{100 * chance:.1f}%"


def bar(value: float, whole: float, style: str) -> Text:
    """Draw a bar, to an eighth of a character."""
    eighths = round(8 * BAR * max(value, 0) / whole) if whole > 0 else 0
    return Text(("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(BAR), style)


def colour(name: str) -> str:
    """Return the colour of a camel's bar."""
    return {"black": "grey50"}.get(name, STYLES[name].rpartition(" ")[2])


def leg_table(odds: Numbers, edition: Edition) -> Table:
    """Draw who ends the leg where, and what bets on it pay."""
    table = new_table("This leg", f"exact; if {LEG_ASSUMES}", "camel", *PLACES, "", "top bet pays")
    best = max((bet["pay"]["value"] for bet in odds["bets"].values() if bet), default=0)
    for name, places in odds["leg"]["places"].items():
        bet = odds["bets"][name]
        pays = Text("none left", "dim")
        if bet:
            pays = Text(
                f"{bet['worth']}: {bet['pay']['value']:+.2f}", "bold green" if bet["pay"]["value"] == best > 0 else ""
            )
        table.add_row(
            camel(edition, name),
            *(percent(place["value"]) for place in places),
            bar(places[0]["value"], 1, colour(name)),
            pays,
        )
    return table


def race_table(race: Numbers, edition: Edition) -> Table:
    """Draw who wins and who loses the race."""
    how = "exact" if race["exact"] else f"from {race['races']:,} races, within 95% confidence"
    heads = ("wins", "", "loses", "") if race["exact"] else ("wins", "within", "", "loses", "within", "")
    table = new_table("The race", f"{how}; if {RACE_ASSUMES}", "camel", *heads)
    for name in race["win"]:
        cells: list[RenderableType] = []
        for end in ("win", "lose"):
            cells.append(percent(race[end][name]))
            if not race["exact"]:
                low, high = race[f"{end}_95"][name]
                cells.append(Text(f"{100 * low:.1f}–{100 * high:.1f}", "dim"))
            cells.append(bar(race[end][name], 1, colour(name)))
        table.add_row(camel(edition, name), *cells)
    return table


def tile_tables(odds: Numbers, edition: Edition) -> list[Table]:
    """Draw what a tile brings on every space on which a unit may end its move, and what those on the track bring."""
    tables = []
    worth = [tile for tile in odds["tiles"] if tile["pay"]["value"] >= LEAST]
    if worth:
        best = max(tile["pay"]["value"] for tile in worth)
        note = f"pounds in the mean for your {edition.tile} in this leg, and whose chance to lead changes most"
        table = new_table(
            f"Where a {edition.tile} earns", note, "space", *(head for side in edition.sides for head in (side, "", ""))
        )
        table.columns[0].justify = "right"
        for space in sorted({tile["space"] for tile in worth}):
            cells: list[RenderableType] = []
            for side in edition.sides:
                tile = next(tile for tile in odds["tiles"] if (tile["space"], tile["side"]) == (space, side))
                style = "bold green" if tile["pay"]["value"] == best else "cyan"
                cells += [
                    f"{tile['pay']['value']:.2f}",
                    bar(tile["pay"]["value"], best, style),
                    change(odds, tile, edition),
                ]
            table.add_row(str(space), *cells)
        tables.append(table)
    if odds["tiles_on_track"]:
        table = new_table(
            f"{edition.tile.capitalize()}s on the track",
            "pounds in the mean for their owners in this leg",
            "space",
            "side",
            "seat",
            "pays",
        )
        for tile in odds["tiles_on_track"]:
            table.add_row(str(tile["space"]), tile["side"], str(tile["seat"]), f"{tile['pay']['value']:.2f}")
        tables.append(table)
    return tables


def change(odds: Numbers, tile: Numbers, edition: Edition) -> Text:
    """Say which camel's chance to lead a tile changes most."""
    changes = {name: first["value"] - odds["leg"]["places"][name][0]["value"] for name, first in tile["first"].items()}
    name = max(changes, key=lambda name: abs(changes[name]))
    if abs(changes[name]) < 0.0005:
        return Text()
    return Text(f"{edition.letters[edition.camels.index(name)]} {100 * changes[name]:+.1f}%", "dim")
