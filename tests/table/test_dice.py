"""Fair dice: what is drawn follows from secret, words and counter; a record proves it, and no changed record does."""

import copy
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import sarai
from in_memory_table import PEOPLE, SECRET, Sitting
from sarai.core import fair_dice
from sarai.core.records import from_json
from sarai.table import commands
from sarai.table.fairness import check

ROOT = Path(__file__).parents[2]
ADA, BAT = PEOPLE[:2]

spec = importlib.util.spec_from_file_location("verify", ROOT / "docs" / "verify.py")
alone = importlib.util.module_from_spec(spec)
spec.loader.exec_module(alone)


def test_the_message_is_what_the_document_says():
    import hashlib
    import hmac

    message = "caravan\nπέτρα\n17\n0".encode()
    number = int.from_bytes(hmac.new(bytes.fromhex(SECRET), message, hashlib.sha256).digest(), "big")
    assert fair_dice.number_below(SECRET, ["caravan", "πέτρα"], 17, 1000) == number % 1000
    assert fair_dice.commitment(SECRET) == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_numbers_that_would_favour_some_are_passed_over():
    limit = 2**255 + 1  # about every second number is too large for it
    import hashlib
    import hmac

    passed = 0
    for counter in range(64):
        first = int.from_bytes(
            hmac.new(bytes.fromhex(SECRET), f"{counter}\n0".encode(), hashlib.sha256).digest(), "big"
        )
        found = fair_dice.number_below(SECRET, [], counter, limit)
        assert found < limit
        assert (found == first) == (first < limit)
        assert found == alone.number_below(bytes.fromhex(SECRET), [], counter, limit)
        passed += first >= limit
    assert 10 < passed < 54


def test_outcomes_come_as_often_as_their_weights_say():
    chances = [(3, Fraction(1, 2)), (7, Fraction(1, 3)), (9, Fraction(1, 6))]
    assert fair_dice.whole_weights(chances) == [3, 2, 1]
    drawn = Counter(fair_dice.draw(SECRET, ["x"], counter, [3, 7, 9], [3, 2, 1]) for counter in range(6000))
    for outcome, chance in chances:
        assert abs(drawn[outcome] - 6000 * chance) < 200


@pytest.mark.parametrize(
    "other", [{"secret": "ff" + SECRET[2:]}, {"words": ["y"]}, {"words": []}, {"words": ["x", ""]}]
)
def test_everything_that_goes_in_matters(other):
    given = {"secret": SECRET, "words": ["x"]}
    one = [fair_dice.number_below(**given, counter=counter, limit=1 << 60) for counter in range(5)]
    two = [fair_dice.number_below(**given | other, counter=counter, limit=1 << 60) for counter in range(5)]
    assert not set(one) & set(two)
    assert len(set(one)) == 5


def made(taken_back=True):
    sitting = Sitting(options={"rounds": 2}).begin(words=["sand", "<b>"])
    if taken_back:
        while sitting.table.drawn < 40:  # until a second round was dealt
            sitting.play(1)
        for person, other in ((ADA, BAT), (BAT, ADA)):
            sitting.do(person, commands.AskBack())
            if sitting.table.take_back is not None:
                sitting.do(other, commands.AnswerBack(True))
    return json.loads(json.dumps(sitting.play().table.record(None)))


GOOD = made()


@pytest.mark.parametrize("game", sarai.game_ids())
def test_records_of_every_game_prove_their_dice(game):
    sitting = Sitting(game, 2, {"rounds": 1} if game == "sixnimmt" else {}).begin(words=["word"]).play(60, pick=3)
    if sitting.table.phase != "over":
        sitting.do(ADA, commands.Resign())
        sitting.do(BAT, commands.Resign())
    record = json.loads(json.dumps(sitting.table.record(None)))
    assert check(from_json(record)) == sitting.table.drawn == len(record["fairness"]["draws"])
    assert alone.check(record) == ""


def test_a_good_record_is_good():
    assert check(from_json(GOOD)) > 20
    assert alone.check(GOOD) == ""
    assert any(draw.get("voided") for draw in GOOD["fairness"]["draws"])
    assert GOOD["fairness"]["words"] == ["sand", "<b>"]


def changed(change):
    record = copy.deepcopy(GOOD)
    change(record, record["fairness"])
    return record


def other_secret(record, proof):
    proof["secret"] = "ff" * 32


def other_secret_and_promise(record, proof):
    proof["secret"] = "ff" * 32
    proof["commitment"] = fair_dice.commitment("ff" * 32)


def other_word(record, proof):
    proof["words"][0] = "gravel"


def another_word(record, proof):
    proof["words"].append("")


def swapped_words(record, proof):
    proof["words"].reverse()


def draw_left_out(record, proof):
    del proof["draws"][3]


def draw_added(record, proof):
    proof["draws"].append({"outcomes": [1], "drawn": 1})


def other_outcome(record, proof):
    """Another card came: in the moves and in the draws."""
    move = next(number for number, (seat, _) in enumerate(record["moves"]) if seat == -1)
    old, new = record["moves"][move][1], next(o for o in proof["draws"][0]["outcomes"] if o != record["moves"][move][1])
    record["moves"][move][1] = proof["draws"][0]["drawn"] = new
    assert old != new


def other_move_of_chance(record, proof):
    record["moves"][0][1] = (record["moves"][0][1] + 1) % 100


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (other_secret, "fairness_commitment"),
        (other_secret_and_promise, "fairness_draw"),
        (other_word, "fairness_draw"),
        (another_word, "fairness_draw"),
        (swapped_words, "fairness_draw"),
        (draw_left_out, "fairness_moves"),
        (draw_added, "fairness_moves"),
        (other_outcome, None),
        (other_move_of_chance, "fairness_moves"),
    ],
)
def test_changed_records_are_found_out_by_both(change, key):
    record = changed(change)
    assert alone.check(record)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert key in (None, refused.value.key)
    assert str(refused.value)


def loaded_dice(record, proof):
    """The only outcome that could come is the one that came: it follows, but the rules say otherwise."""
    proof["draws"][2] = {"outcomes": [proof["draws"][2]["drawn"]], "drawn": proof["draws"][2]["drawn"]}


def weighted(record, proof):
    draw = proof["draws"][0]
    draw["weights"] = [1000 if outcome == draw["drawn"] else 1 for outcome in draw["outcomes"]]


def without_history(record, proof):
    del proof["history"], proof["taken_back"]


def other_history(record, proof):
    proof["history"] = proof["history"][:-1]


def taken_back_twice(record, proof):
    proof["history"].append(proof["history"][proof["taken_back"][0]])
    proof["taken_back"].append(len(proof["history"]) - 1)


@pytest.mark.parametrize("change", [loaded_dice, weighted, without_history, other_history, taken_back_twice])
def test_what_only_the_rules_can_tell(change):
    record = changed(change)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key in ("fairness_outcomes", "fairness_moves")


@pytest.mark.parametrize(
    "proof",
    [
        {},
        {"secret": 7},
        {"secret": "xyz"},
        {"draws": 5},
        {"draws": [{}]},
        {"draws": [{"outcomes": [], "drawn": 1}]},
        {"words": None},
        {"taken_back": None},
    ],
)
def test_proofs_that_are_none(proof):
    record = changed(lambda *_: None)
    record["fairness"] = GOOD["fairness"] | proof if proof else {}
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key in ("fairness_form", "fairness_commitment")


def test_a_record_without_proof():
    record = changed(lambda record, _: record.update(fairness=None))
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == "fairness_missing"
    assert alone.check(record)


@pytest.mark.program
def test_the_checker_runs_by_itself(tmp_path):
    for name, record, code in (("good", GOOD, 0), ("bad", changed(other_word), 1)):
        path = tmp_path / f"{name}.sarai.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "-I", ROOT / "docs" / "verify.py", path], capture_output=True, text=True, check=False
        )
        assert ran.returncode == code, ran.stderr
        assert ("The dice were fair." in ran.stdout) == (code == 0)
