"""The track of Camel Up in a terminal shows everything a player needs, wide and narrow, and nothing hidden."""

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

import sarai
from sarai.core.language import ENGLISH, find_language, offered_languages
from sarai.core.messages import isolated_text
from sarai.core.random_play import play_randomly
from sarai.games.camelup.edition import EDITIONS, GREY_DIE
from sarai.games.camelup.odds.position_input import ask_position
from sarai.games.camelup.terminal import board, grey_name
from sarai.games.camelup.words import camel_with_letter
from sarai.testing.boards import plain

FIRST, SECOND = sarai.game("camelup-2014"), sarai.game("camelup-2018")
NAMES = ["Ann", "Bartholomew the Tall", "Çelik", "Dora", "Eve", "Farid", "Gül", "Hy"]
TURN = (
    "camelup-2014 players=2 phase=turn moves=60 leg=2 turn=0 start=1 camels=1:b,2:g,3:oyw dice=b1.g2 tiles=5+,9- "
    "tickets=01/-/101/-/- pyramid=2,0 pounds=13,27 cards=0wg:1bg.2oyw:bw,1lw:1bgoyw:-"
)
TURN_2018 = (
    "camelup-2018 players=6 phase=roll moves=60 leg=2 turn=0 start=1 camels=1:b,2:y,3:grp,14:WK dice=b1.K3 "
    "tiles=5+,9-,-,-,-,- tickets=0123/-/1/-/- pyramid=3,0,0,0,0,0 pounds=13,27,3,3,3,3 "
    "partners=3,-,-,0,-,- cards=0wg:1by.2grpWK:bx"
)
OVER = (
    "camelup-2018 players=3 phase=over ending=line_crossed moves=60 leg=2 turn=0 start=1 camels=-1:Wb,2:y,3:grp,14:K "
    "dice=- tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=13,27,3 cards=0wg:1by.2grpWK:bx"
)


def rendered(state: sarai.State, seat: int | None, width: int, code: str = ENGLISH) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(board(state.view(seat).to_json(), NAMES[: state.players], find_language(code).say))
    text = console.file.getvalue()
    assert all(cell_len(line) <= width for line in text.splitlines())
    return text


def row(text: str, start: str) -> str:
    """Return the line that begins with a word, blanks made single."""
    return next(" ".join(line.split()) for line in text.splitlines() if line.strip().startswith(start))


@pytest.mark.parametrize("width", [80, 100])
def test_a_turn_of_the_first_edition(width):
    text = rendered(FIRST.parse(TURN), 0, width)
    assert "Leg 2, Ann to move" in text and "start marker: Bartholomew" in text
    assert row(text, "b blue") == "b blue 5 shows 1 2 5 Ann, 3 Bartholom…"
    assert row(text, "o orange") == "o orange 3 in pyramid none 5 Bartholom…, 3 Ann, 2 Bartholom…"
    assert row(text, "w white") == "w white 1 in pyramid 5 3 2"
    assert row(text, "▸") == "▸ Ann 13 2 5 oasis 4"
    assert row(text, "Bart") == "Bartholomew the… 27 0 9 mirage 4"
    assert (
        row(text, "overall winner") == "overall winner: Ann green"
        and row(text, "overall loser") == f"overall loser: {isolated_text('Bartholom…')} ?"
    )
    assert row(text, "your race cards") == "your race cards: blue, orange, yellow, white"
    lines = [line for line in text.splitlines() if line.startswith(" │")]
    assert [line.split("│")[3].strip() for line in lines[1:4]] == [
        "w white",
        "y yellow",
        "o orange",
    ]  # the highest on top
    assert "oasis" in lines[2] and "+ Ann" in lines[3] and "mirage" in text and "- Bart…" not in lines[3]


@pytest.mark.parametrize("width", [80, 100])
def test_a_roll_of_the_second_edition(width):
    text = rendered(SECOND.parse(TURN_2018), 3, width)
    assert "a die comes out for Ann" in text
    assert "‹K black" in text and "‹W white" in text and "cheering" in text and "booing" in text
    assert row(text, "x grey") == "x grey shows black 3"
    assert (
        row(text, "b blue").startswith("b blue 5 shows 1 none 5 Ann, 3 Bartholom…")
        and "2 Çelik" in text
        and "2 Dora" in text
    )
    assert (
        row(text, "▸").endswith("Dora")
        and row(text, "3 Dora").endswith("Ann")
        and row(text, "2 Çelik").endswith("available")
    )
    assert row(text, "overall winner") == "overall winner: Ann ?" and row(text, "overall loser") == "overall loser: –"


@pytest.mark.parametrize("code", offered_languages())
@pytest.mark.parametrize(("game", "edition"), list(zip((FIRST, SECOND), EDITIONS, strict=True)))
def test_the_list_of_dice_cuts_no_name_of_a_colour(game, edition, code):
    say = find_language(code).say
    names = [camel_with_letter(edition, name, say) for name in edition.racing_camels]
    if GREY_DIE in edition.dice:
        names.append(grey_name(say))
    where = say("in pyramid")
    lines = [line for line in rendered(game.start(3), None, 80, code).splitlines() if where in line]
    assert all(line.startswith(f"  {name} ") for line, name in zip(lines, names, strict=True))
    assert len({cell_len(line[: line.index(where)]) for line in lines}) == 1


def test_spaces_and_seats_are_in_the_digits_of_the_reader():
    text = rendered(SECOND.parse(TURN_2018), 0, 80, "fa")
    assert "│۱ " in text and "│۱۶ ▐" in text and "  ۳ Dora " in text and not re.search("[0-9]", text)


def test_the_end_shows_who_crossed_and_every_card():
    text = rendered(SECOND.parse(OVER), None, 80)
    assert "the game is over" in text and "backwards over the finish line, from the bottom: white, blue" in text
    assert row(text, "b blue")[:8] == "b blue 5" and "partner" not in text
    assert row(text, "overall winner") == "overall winner: Ann green" and "your finish cards" not in text
    assert "over the finish line, from the bottom: red, purple" in rendered(
        SECOND.parse(OVER.replace("-1:Wb,2:y,3:grp,14:K", "2:by,3:g,14:WK,17:rp")), 1, 80
    )


def test_a_spectator_sees_no_hidden_card():
    text = rendered(FIRST.parse(TURN), None, 80)
    assert row(text, "overall winner") == "overall winner: Ann ?" and "your race cards" not in text


def test_hidden_money_is_not_shown_until_the_end():
    text = rendered(FIRST.parse(TURN + " money=hidden"), 0, 80)
    assert row(text, "▸").startswith("▸ Ann 13") and row(text, "Bart") == "Bartholomew the… ? 0 9 mirage 4"
    assert "27" not in text
    assert "27" in rendered(SECOND.parse(OVER + " money=hidden"), 2, 80)


def test_the_set_up_can_be_shown():
    assert "the camels are set up" in rendered(FIRST.start(2), 0, 80)
    assert row(rendered(SECOND.start(8), None, 100), "b blue") == "b blue – in pyramid 5 3 2 2"


@pytest.mark.parametrize(("game", "players"), [(FIRST, 8), (SECOND, 8)])
def test_every_position_of_a_game_fits(game, players):
    for number, state in enumerate(play_randomly(game, players, seed=4).replay()):
        if number % 20 == 0 or state.actor == sarai.OVER:
            rendered(state, number % players, 80)


def test_the_marks_on_the_track_are_explained():
    first, second = (
        " ".join(rendered(game.parse(text), None, 80).split()) for game, text in ((FIRST, TURN), (SECOND, TURN_2018))
    )
    assert "16 ▐" in first and "▐ the finish line" in first and "‹" not in first
    assert "‹W white" in second and "‹ crazy, runs the other way" in second


def loud(message, /, **arguments):
    """Say a message in capitals: what is not in capitals was not said."""
    return plain(message, **arguments).upper()


def left_in_english(text: str) -> list[str]:
    """Return the words of a text that were not said, names of players aside."""
    return [word for word in re.findall("[a-z]{3,}", text) if word not in " ".join(NAMES)]


@pytest.mark.parametrize(("game", "position"), [(FIRST, TURN), (SECOND, TURN_2018), (SECOND, OVER)])
def test_everything_on_the_board_is_said(game, position):
    state = game.parse(position)
    console = Console(file=io.StringIO(), width=80, markup=False, emoji=False, highlight=False)
    console.print(board(state.view(0).to_json(), NAMES[: state.players], loud))
    text = console.file.getvalue()
    assert "START MARKER: BARTHOLOMEW" in text and "BLUE" in text and not left_in_english(text)


@pytest.mark.parametrize("game", [FIRST, SECOND])
def test_everything_that_is_asked_about_a_position_is_said(game):
    letters = "bgoyw" if game is FIRST else "bygrpWK"
    answers, told = iter([f"16:{letters}", "q", "b", "17+", "3+", "", "b2"]), list[str]()

    def ask(question: str) -> str:
        told.append(question)
        return next(answers)

    state = ask_position(game, ask, told.append, loud, lambda error: error.key.upper())
    assert " dice=b1 " in state.text() and next(answers, None) is None
    assert len(told) == 1 + 7 + 2 and not any(map(left_in_english, told))


def test_one_camel_is_asked_for_in_the_singular():
    answers, told = iter(["16:bgoy", "w3", "3:w", "", "", "", ""]), list[str]()

    def ask(question: str) -> str:
        told.append(question)
        return next(answers)

    ask_position(FIRST, ask, told.append)
    assert told[1] == "Where do b g o y w stand, from the bottom, like 3:bg?"
    assert told[2] == "Where does w stand, from the bottom, like 3:bg?"
