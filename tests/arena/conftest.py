"""What the tests of the arena share: bots of a foreign module, and a journal."""

import sys

import pytest

from arena.matches import small
from sarai.arena import Journal, play_deal

BOTS = """
class First:
    def __init__(self, game, seed):
        self.seed = seed
    def choose(self, view, budget=None):
        return view.legal()[0]

class Last(First):
    def choose(self, view, budget=None):
        return view.legal()[-1]

class Broken(First):
    def choose(self, view, budget=None):
        raise RuntimeError("no idea")

class Cheat(First):
    def choose(self, view, budget=None):
        return 999

NOTHING = None
"""


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A module of bots that come from outside."""
    (tmp_path / "own_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("own_bots", None)


@pytest.fixture
def journal(tmp_path):
    """A journal of two deals."""
    match = small()
    book = Journal(tmp_path / "match.jsonl", match)
    for deal in (1, 0):
        book.add(play_deal(match, deal))
    book.close()
    return book.path, match, book.done
