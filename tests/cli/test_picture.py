"""`sarai picture`: a position as one SVG."""

import sarai
from sarai.cli import run


def test_a_position_becomes_a_picture(capsys):
    text = sarai.game("desert").start(2).text()
    assert run(["picture", "desert", text, "--name", "Ann & Bo", "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<svg xmlns=") and "Ann &amp; Bo" in out and "Player 2" in out
    assert run(["picture", "desert", text.partition(" ")[2], "--dark", "--seat", "1", "--language", "fa"]) == 0
    dark = capsys.readouterr().out
    assert "بازیکن" in dark and dark != out


def test_what_is_wrong_is_said_in_one_sentence(capsys):
    assert run(["picture", "desert", "players=two", "--language", "en"]) == 2
    assert run(["picture", "desert", sarai.game("desert").start(2).text(), "--seat", "7", "--language", "en"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "There is no seat 7" in said[1]
