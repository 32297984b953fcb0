"""The journal of a match: it survives a kill, and no other file is taken for one."""

import pytest

from arena.matches import small
from sarai.arena import Journal, play_deal
from sarai.bots import Budget
from sarai.core.errors import Error


def reopened(path, match):
    book = Journal(path, match)
    book.close()
    return book.done


def test_a_journal_gives_back_what_was_written(journal):
    path, match, done = journal
    assert reopened(path, match) == done
    assert set(done) == {0, 1}


@pytest.mark.parametrize(
    "torn",
    [b'{"deal":2,"games":[[[1', b'{"deal":2,"games":[]}\n', b"\0\0\0\0", b"\xff\xfe\n", b'{"deal":2}\n', b"[]\n"],
)
def test_a_torn_last_line_is_forgotten(journal, torn):
    path, match, done = journal
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    book = Journal(path, match)
    assert book.done == done
    book.add(play_deal(match, 2))
    book.close()
    assert path.read_bytes().startswith(whole)
    assert set(reopened(path, match)) == {0, 1, 2}


def test_every_place_a_journal_can_be_torn(journal):
    path, match, done = journal
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        found = reopened(path, match)
        assert found.items() <= done.items()
        assert len(found) == max(0, whole[:length].count(b"\n") - 1)


def test_damage_in_the_middle_is_refused(journal):
    path, match, _ = journal
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"damage\n" + lines[2])
    with pytest.raises(Error) as error:
        Journal(path, match)
    assert (error.value.key, error.value.facts["line"]) == ("journal_unreadable", 2)


@pytest.mark.parametrize("text", ["notes", "notes\n", "notes\nmore notes\n", "{}\n", "[1]\n", '{"format": 1'])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(Error) as error:
        Journal(path, small())
    assert error.value.key == "journal_unreadable"
    assert path.read_text() == text


def test_a_journal_of_another_match_is_refused(journal):
    path, _, _ = journal
    before = path.read_bytes()
    for other, what in (
        (small(seed=2), "seed"),
        (small("novice", "random"), "seats"),
        (small(budget=Budget(simulations=5)), "simulations"),
    ):
        with pytest.raises(Error, match=what) as error:
            Journal(path, other)
        assert error.value.key == "journal_other_match"
    assert path.read_bytes() == before


def test_two_cannot_write_one_journal(journal):
    path, match, done = journal
    book = Journal(path, match)
    with pytest.raises(Error) as error:
        Journal(path, match)
    assert error.value.key == "journal_in_use"
    book.close()
    assert reopened(path, match) == done


def test_a_journal_that_cannot_be_written_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "such" / "folder"):
        with pytest.raises(Error) as error:
            Journal(path, small())
        assert error.value.key == "file_unwritable"
