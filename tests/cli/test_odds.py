"""`sarai odds`: tables, numbers, questions, and one sentence for everything that is wrong."""

import contextlib
import doctest
import io
import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import sarai
from sarai.cli import run
from sarai.games.camelup.odds import leg_odds, race_odds, tile_odds
from sarai.games.camelup.odds.position_input import complete_position

ROOT = Path(__file__).parents[2]
FIRST = "camels=13:b,14:og,15:yw dice=b1.g2.o3.y1 tiles=9-"
SECOND = "camels=1:W,12:Kb,13:rg,16:yp dice=b.y.g.r tiles=3+,9-"


@pytest.fixture
def odds(monkeypatch):
    """Run `sarai odds` with lines at the keyboard; return its exit code, output and error output."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("SARAI_TRACEBACK", raising=False)

    def command(*arguments, keyboard=()):
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in keyboard)))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["odds", *map(str, arguments)])
        return (
            code,
            out.getvalue(),
            "".join(line for line in err.getvalue().splitlines(True) if not line.startswith("Compiling the odds")),
        )

    return command


@pytest.mark.parametrize(("id", "position"), [("camelup-2014", FIRST), ("camelup-2018", SECOND)])
def test_tables_show_the_odds(odds, id, position):
    code, out, err = odds(id, position, "--races", 300)
    state = complete_position(sarai.game(id), position)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80 and "█" in out
    leg, race = leg_odds(state), race_odds(state, 300)
    for camel, name in enumerate(leg.camels):
        row = next(line for line in out.splitlines() if f" {name} " in line)
        assert [f"{100 * chance:.1f}%" for chance in leg.places[camel]] == [
            word for word in row.split() if word.endswith("%")
        ]
        assert f"5: {float(leg.bets[camel].pay):+.2f}" in row
        assert f"{100 * race.win[camel]:.1f}%" in out.partition("The race")[2]
    assert ("exact; if nobody lays or moves a tile" in out.partition("The race")[2]) == (id == "camelup-2014")
    assert ("300 races" in out) == (id == "camelup-2018")
    best = max(tile_odds(state), key=lambda tile: tile.pay)
    assert f" {best.space} " in out and f"{float(best.pay):.2f}" in out and best.side in out


def test_a_camel_without_tickets_and_a_track_without_good_spaces(odds):
    _, out, _ = odds("camelup-2014", "camels=16:bgoyw dice=b.g.o.y tickets=000/-/-/-/-")
    assert "none left" in out and "earns" not in out


@pytest.mark.parametrize(("id", "position"), [("camelup-2014", FIRST), ("camelup-2018", SECOND)])
def test_json_holds_all_numbers(odds, id, position):
    code, out, err = odds(id, position, "--json", "--races", 300)
    assert (code, err) == (0, "")
    numbers, state = json.loads(out), complete_position(sarai.game(id), position)
    assert sarai.game(id).parse(numbers["position"]) == state and numbers["game"] == id
    leg, race = leg_odds(state), race_odds(state, 300)
    assert numbers["leg"]["exact"] and numbers["leg"]["denominator"] == leg.whole
    for camel, name in enumerate(leg.camels):
        places = numbers["leg"]["places"][name]
        assert [Fraction(place["fraction"]) for place in places] == [leg.chance(camel, place) for place in range(5)]
        assert tuple(place["value"] for place in places) == leg.places[camel]
        assert (
            Fraction(numbers["bets"][name]["pay"]["fraction"]) == leg.bets[camel].pay
            and numbers["bets"][name]["worth"] == 5
        )
    assert numbers["pyramid_ticket"] == {"fraction": "1/1", "value": 1.0}
    assert [(tile["seat"], Fraction(tile["pay"]["fraction"])) for tile in numbers["tiles_on_track"]] == [
        (seat, pay) for seat, pay in enumerate(leg.tile_pays) if pay is not None
    ]
    assert [(tile["space"], tile["side"], Fraction(tile["pay"]["fraction"])) for tile in numbers["tiles"]] == [
        (tile.space, tile.side, tile.pay) for tile in tile_odds(state)
    ]
    assert (
        numbers["race"]["win"] == dict(zip(race.camels, race.win, strict=True))
        and numbers["race"]["races"] == race.races
    )
    assert "no tiles in later legs" in numbers["race"]["assumption"] and numbers["race"]["exact"] == (
        "win_95" not in numbers["race"]
    )


def test_asked_step_by_step(odds):
    answers = ["1:w 12:kb", "13:rg,16yp", "b y g r", "3+ 9-", "", "b4 p"]
    code, out, err = odds("camelup-2018", "--ask", "--races", 300, keyboard=answers)
    assert (code, err) == (0, "")
    assert "b blue, y yellow, g green, r red, p purple, W white, K black" in out
    for question in (
        "Where do b y g r p W K stand",
        "Where do y g r p stand",
        "Dice that are out",
        "x for the grey one",
        "Spectator tiles of others",
        "Your own",
        "taken",
    ):
        assert question in out
    _, given, _ = odds("camelup-2018", f"{SECOND} tickets=0000/-/-/-/0", "--races", 300)
    assert out.endswith(given) and "none left" in out


def test_wrong_answers_are_asked_again(odds):
    camels, dice, others = (
        ["17:b", "1:bb", "1:bq", "1:b 1:g", "nonsense", "", "15:bgoyw"],
        ["z", "bb", "b g o y"],
        ["1+", "7", "15+", "5+,6-", "5+"],
    )
    own, tickets = ["6+", "9+"], ["x", "b4", "b3"]
    code, out, _ = odds("camelup-2014", "--ask", keyboard=camels + dice + others + own + tickets)
    assert code == 0
    assert out.count("Where do b g o y w stand") == len(camels) and out.count("Dice that are out") == len(dice)
    assert (
        out.count("Desert tiles of others") == len(others)
        and out.count("Your own desert tile") == len(own)
        and out.count("Betting tiles taken") == len(tickets)
    )
    assert "This leg" in out and "none left" in out
    state = complete_position(
        sarai.game("camelup-2014"), "players=2 camels=15:bgoyw dice=b.g.o.y tiles=9+,5+ tickets=000/-/-/-/-"
    )
    _, given, _ = odds("camelup-2014", state.text())
    assert out.endswith(given)


def test_camels_can_be_placed_anew(odds):
    code, out, _ = odds("camelup-2014", "--ask", keyboard=["3:bgo", "0", "16:bgoyw", "", "", "", ""])
    assert code == 0 and out.count("Where do b g o y w stand") == 2
    assert out.endswith(odds("camelup-2014", "camels=16:bgoyw")[1])


def test_questions_do_not_disturb_the_numbers(odds):
    code, out, err = odds("camelup-2014", "--ask", "--json", keyboard=["16:bgoyw", "", "", "", ""])
    assert code == 0 and json.loads(out)["race"]["exact"] and "Where do" in err


def test_leaving_is_no_error(odds):
    assert odds("camelup-2014", "--ask", keyboard=["16:b"])[::2] == (0, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "x"], "There is no game called 'chess'"),
        (["sixnimmt", "x"], "There are no odds for 6 nimmt!"),
        (["camelup-2014"], "Odds are told of a position"),
        (["camelup-2014", FIRST, "--ask"], "Odds are told of a position"),
        (["camelup-2014", ""], "The text is empty"),
        (["camelup-2014", "x"], "This is a text of 'x'"),
        (["camelup-2014", "dice=b"], "Field 'camels' is missing"),
        (["camelup-2014", "camels=1:b"], "a camel is missing"),
        (["camelup-2014", "camels=x:bgoyw"], "Field 'camels' cannot be 'x'"),
        (["camelup-2014", "camels=17:bgoyw"], "No game comes to this position"),
        (["camelup-2014", "camels=1:bgoyw dice=z"], "the letters are bgoyw"),
        (["camelup-2014", "camels=1:bgoyw dice=x"], "the letters are bgoyw"),
        (["camelup-2014", "camels=1:bgoyw dice=b.g.o.y.w"], "the fifth one ends the leg"),
        (["camelup-2014", "camels=1:bgoyw tiles=3+,4-"], "next to each other"),
        (["camelup-2014", "camels=1:bgoyw players=999999999999"], "Field 'players' cannot be"),
        (["camelup-2014", "camels=1:bgoyw colour=red"], "Field 'colour' is not known here"),
        (["camelup-2014", "camels=17:w,16:bgoy phase=over ending=line_crossed"], "There are odds only while"),
        (["camelup-2014", FIRST, "--races", "0"], "--races"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(odds, arguments, sentence):
    code, out, err = odds(*arguments)
    assert (code, out) == (2, "") and sentence in err and err.count("\n") == 1


@pytest.mark.parametrize("id", ["camelup-2014", "camelup-2018"])
def test_a_description_may_leave_out_all_but_the_camels(id):
    game = sarai.game(id)
    camels = "3:by,4:grp,14:W,16:K" if id == "camelup-2018" else "3:bg,4:oyw"
    state = complete_position(game, f"camels={','.join(reversed(camels.split(','))).upper()}")
    assert f" camels={camels} " in state.text() and state.players == 2 and state.actor == 0
    assert complete_position(game, state.text()) == state == complete_position(game, f"{id} camels={camels}")
    assert complete_position(game, f"camels={camels} phase=roll dice=b").view(None).to_json()["pyramid_tickets"] == [
        2,
        0,
    ]
    crowded = complete_position(game, f"camels={camels} tiles=2+,5+,7+,9+,11+,13+,15+")
    assert crowded.players == 8 and crowded.view(None).to_json()["tiles"][0] is None
    assert complete_position(game, f"players=6 camels={camels}").players == 6


def test_the_document_is_true():
    result = doctest.testfile(
        str(ROOT / "docs" / "odds.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert result.attempted > 8 and result.failed == 0
