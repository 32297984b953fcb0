"""What happened, as steps for the page: what the viewer saw, in its order, with words, on elements that are there."""

import re
from random import Random

import msgspec
import pytest

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.animation import LONGEST, moments_of
from sarai.core.kernels.compile import COMPILED
from sarai.table import commands
from sarai.table.table import FINISHED
from sarai.testing.generators import option_sets
from sarai.web.live.animation import LAST_WORDS
from sarai.web.live.viewer import LiveInfo, Viewer
from sarai.web.live.viewer_page import RecentBlocks, ViewerPage

OPTIONS = {  # of other games each option
    "sixnimmt": [{"rounds": 2}, {"rounds": 1, "variant": "tactical"}],
    "camelup-2014": [{}, {"money": "hidden"}],
    "camelup-2018": [{}, {"money": "hidden"}],
    "desert": [{}, {"scores": "hidden"}],
    "anubixx": [{}],
}


class Watcher:
    """A viewer of a table, and what each look sends."""

    def __init__(self, sitting, seat):
        self.sitting = sitting
        self.page = ViewerPage(Viewer(seat, seat == 0, True, "en", ""), lambda *_: "", "", RecentBlocks())
        self.seen = self.page.snapshot(sitting.table, LiveInfo())

    def look(self):
        """Return the message since the last look, and the board before it."""
        before, self.seen = self.seen, self.page.snapshot(self.sitting.table, LiveInfo())
        block = self.page.update(before, self.seen)
        message = msgspec.json.decode(block.plain.split(b"data: ")[1] + b"}") if block else {}
        return message, before.board.whole()


def named(place):
    """Return the ids that a place or a name begins with: others come after a comma."""
    name = place if isinstance(place, str) else place[0]
    return [part.strip().lstrip("#").split(" ")[0] for part in name.split(",")]


def check_steps(steps, board):
    """Check that steps name only what is on the board, or what they put there."""
    ids = set(re.findall(r'\bid="([^"]+)"', board))
    for step in steps:
        assert step["ms"] > 0
        for action in step["do"]:
            if "put" in action:
                assert ids & set(named(action["at"])), action
                ids.add(action["put"])
            elif "move" in action:
                assert action["move"] and set(action["move"]) <= ids, action
                assert all(ids & set(named(place)) for place in action["to"]), action
            elif "pop" in action:
                assert ids & set(named(action["at"])) and action["pop"], action
            elif "point" in action:
                assert all(ids & set(named(place)) for place in action["point"]), action
            else:
                assert action.get("panel") or action.get("hide"), action


@pytest.mark.parametrize("game", sarai.game_ids())
def test_steps_name_what_is_on_the_board_and_last_as_long_as_the_server_waits(game):
    found, groups = sarai.game(game), set()
    for options in OPTIONS.get(game) or option_sets(found, 3):
        rng = Random(game)
        sitting = Sitting(game, 3, options).begin()
        watchers = [Watcher(sitting, seat) for seat in (0, None)]
        for _ in range(400 if COMPILED else 60):
            if sitting.table.phase == FINISHED:
                break
            seat = rng.choice(sitting.table.to_act)
            until = sitting.table.show_time.until
            sitting.move(rng.choice(sitting.table.state.legal(seat)), seat)
            for watcher in watchers:
                message, board = watcher.look()
                steps = message.get("steps", [])
                check_steps(steps, board)
                length = sum(step["ms"] for step in steps) / 1000
                if steps and sitting.table.phase == FINISHED:
                    assert steps[-1] == {"ms": LAST_WORDS, "do": []}, "the last words can be read"
                    length -= LAST_WORDS / 1000
                assert length <= LONGEST + 0.05
                if steps:
                    assert steps[0]["say"]
                    assert abs(sitting.table.show_time.until - sitting.now - length) < 0.1
                else:
                    assert sitting.table.show_time.until == until
                groups.update(action for step in steps for actions in step["do"] for action in actions)
    assert moments_of(found) is None or {"put", "move", "point"} & groups


def test_a_first_look_and_a_look_after_a_move_was_taken_back_have_no_steps():
    sitting = Sitting("sixnimmt", 2).begin()
    watcher = Watcher(sitting, 0)
    while not sitting.table.show_time.until:
        sitting.play(1)
    message, _ = watcher.look()
    assert message["steps"] and watcher.look()[0] == {}
    first = watcher.page.update(None, watcher.seen)
    assert b'"steps"' not in first.plain
    sitting.do(PEOPLE[1], commands.AskBack())
    if sitting.table.take_back is not None:
        sitting.do(PEOPLE[0], commands.AnswerBack(True))
    assert sitting.table.taken_back[1] == 1
    message, _ = watcher.look()
    assert message["parts"] and "steps" not in message


def test_F7_the_heads_of_a_taken_row_stay_while_others_choose_and_while_the_trick_goes_on():
    for seed in range(30):
        rng, sitting = Random(seed), Sitting("sixnimmt", 3).begin()
        taken = {}  # heads by card, of the last trick
        for _ in range(27):
            seat = rng.choice(sitting.table.to_act)
            before = len(sitting.table.seen(None))
            sitting.move(rng.choice(sitting.table.state.legal(seat)), seat)
            for _, event in sitting.table.seen(None)[before:]:
                if event.key == "turned_up":
                    taken = {}
                elif event.key.startswith("took_"):
                    taken[event.args["card"]] = event.args["heads"]
            board = Watcher(sitting, 0).seen.board.parts["trick"]
            shown = re.findall(r'id="turned-(\d+)".*?</li>', board)
            losses = dict(re.findall(r'id="turned-(\d+)"(?:(?!</li>).)*class="loss" dir="ltr">\+(\d+)', board))
            assert {int(card): int(heads) for card, heads in losses.items()} == {
                card: heads for card, heads in taken.items() if str(card) in shown
            }
