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
from sarai.table.dice_proof import check
from sarai.table.dice_word_commitments import GivenWord, draw_lines

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


def test_the_messages_of_version_2_are_what_the_document_says():
    import hashlib
    import hmac

    words = [GivenWord(0, "0a" * 16, "caravan"), GivenWord(2, "0b" * 32, "πέτρα")]
    committed = f"Sarai fair dice 2: a word\n2\n{'0b' * 32}\nπέτρα".encode()
    assert words[1].commitment == hashlib.sha256(committed).hexdigest()
    message = f"Sarai fair dice 2: a draw\n0\n{'0a' * 16}\ncaravan\n2\n{'0b' * 32}\nπέτρα\n17\n0".encode()
    number = int.from_bytes(hmac.new(bytes.fromhex(SECRET), message, hashlib.sha256).digest(), "big")
    assert fair_dice.number_below(SECRET, draw_lines(words), 17, 1000) == number % 1000


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


def test_weights_that_no_number_reaches_do_not_keep_the_script_for_ever():
    secret = "00" * 32
    proof = {"commitment": fair_dice.commitment(secret), "secret": secret, "words": []}
    proof["draws"] = [{"outcomes": [0, 1], "weights": [2**256, 1], "drawn": 0}]
    assert alone.check({"fairness": proof, "moves": [[-1, 0]]}) == "draw 0 has impossible outcomes or weights"


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


def made(fairness=2, taken_back=True):
    sitting = Sitting(options={"rounds": 2}, fairness=fairness).begin(words=["sand", "<b>"])
    if taken_back:
        while sitting.table.drawn < 40:  # until a second round was dealt
            sitting.play(1)
        for person, other in ((ADA, BAT), (BAT, ADA)):
            sitting.do(person, commands.AskBack())
            if sitting.table.take_back is not None:
                sitting.do(other, commands.AnswerBack(True))
    return json.loads(json.dumps(sitting.play().table.record(None)))


GOOD, GOOD_1 = made(), made(fairness=1)


@pytest.mark.parametrize(("name", "version"), [("sixnimmt-4-dice-1", 1), ("sixnimmt-5-dice-2", 2)])
def test_recorded_games_of_both_versions_prove_their_dice(name, version):
    record = json.loads((ROOT / "tests" / "records" / f"{name}.sarai.json").read_text(encoding="utf-8"))
    assert record["fairness"].get("version", 1) == version
    assert check(from_json(record)) > 30 and alone.check(record) == ""
    said = " ".join(alone.describe(record["fairness"]))
    assert ("Seat 1 did not open its word in round 1. Rounds of opening words: 2." in said) == (version == 2)


@pytest.mark.parametrize("game", sarai.game_ids())
def test_records_of_every_game_prove_their_dice(game):
    sitting = Sitting(game, 2, {"rounds": 1} if game == "sixnimmt" else {}).begin(words=["word"]).play(60, pick=3)
    if sitting.table.phase != "over":
        sitting.do(ADA, commands.Resign())
    record = json.loads(json.dumps(sitting.table.record(None)))
    assert check(from_json(record)) == sitting.table.drawn == len(record["fairness"]["draws"])
    assert alone.check(record) == ""


def test_good_records_are_good():
    for record in (GOOD, GOOD_1):
        assert check(from_json(record)) > 20
        assert alone.check(record) == ""
        assert any(draw.get("voided") for draw in record["fairness"]["draws"])
    assert "version" not in GOOD_1["fairness"] and GOOD_1["fairness"]["words"] == ["sand", "<b>"]
    assert [given["word"] for given in GOOD["fairness"]["words"]] == ["sand", "<b>"]
    assert (GOOD["fairness"]["version"], GOOD["fairness"]["rounds"]) == (2, 1)


def changed(change, good=GOOD):
    record = copy.deepcopy(good)
    change(record, record["fairness"])
    return record


def other_secret(record, proof):
    proof["secret"] = "ff" * 32


def other_secret_and_promise(record, proof):
    proof["secret"] = "ff" * 32
    proof["commitment"] = fair_dice.commitment("ff" * 32)


def other_word(record, proof):
    if "version" in proof:
        proof["words"][0]["word"] = "gravel"
    else:
        proof["words"][0] = "gravel"


def another_word(record, proof):
    if "version" in proof:
        proof["words"].append(worded(1, "twice"))
    else:
        proof["words"].append("")


def worded(seat, word, nonce="0c" * 16):
    """Return a word as records have it, with the right commitment."""
    given = GivenWord(seat, nonce, word)
    return {"seat": seat, "nonce": nonce, "word": word, "commitment": given.commitment}


def swapped_words(record, proof):
    proof["words"].reverse()


def draw_left_out(record, proof):
    del proof["draws"][3]


def draw_added(record, proof):
    proof["draws"].append({"outcomes": [1], "drawn": 1})


ABOUT_WORDS = (other_word, another_word, swapped_words)


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
@pytest.mark.parametrize("good", [GOOD, GOOD_1], ids=["version 2", "version 1"])
def test_changed_records_are_found_out_by_both(change, key, good):
    key = "fairness_words" if good is GOOD and change in ABOUT_WORDS else key
    record = changed(change, good)
    assert alone.check(record)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert key in (None, refused.value.key)
    assert str(refused.value)


def committed_word(record, proof):
    """A word that the seat did not choose, with a commitment that fits: the draws tell."""
    proof["words"][0] = worded(0, "gravel")


def word_left_out(record, proof):
    del proof["words"][1]


def other_nonce(record, proof):
    proof["words"][0]["nonce"] = "0d" * 16


def short_nonce(record, proof):
    proof["words"][0] = worded(0, "sand", "0c" * 4)


def two_lines(record, proof):
    proof["words"][0] = worded(0, "sand\n1")


def other_seat(record, proof):
    proof["words"][1] = worded(5, "<b>")


def seat_that_is_none(record, proof):
    """Two deals were passed over, and seats are named that nobody sat on."""
    proof["failed"], proof["rounds"] = [{"seat": 7, "round": 1}, {"seat": 8, "round": 2}], 3


def missing_for_nothing(record, proof):
    proof["missing"], proof["words"] = [0], []
    proof["rounds"] = 0


def secret_round(record, proof):
    proof["rounds"] = 2


def round_without_words(record, proof):
    proof.update(words=[], rounds=1)


def round_of_a_thousand(record, proof):
    proof["failed"], proof["words"] = [{"seat": 0, "round": 1000}], proof["words"][1:]


def seat_named_twice(record, proof):
    proof["failed"], proof["rounds"] = [{"seat": 0, "round": 1}], 2


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (committed_word, "fairness_draw"),
        (word_left_out, "fairness_draw"),
        (other_nonce, "fairness_words"),
        (short_nonce, "fairness_words"),
        (two_lines, "fairness_words"),
        (other_seat, "fairness_words"),
        (seat_that_is_none, "fairness_words"),
        (missing_for_nothing, "fairness_words"),
        (secret_round, "fairness_words"),
        (round_without_words, "fairness_words"),
        (round_of_a_thousand, "fairness_words"),
        (seat_named_twice, "fairness_words"),
    ],
)
def test_changed_words_are_found_out(change, key):
    record = changed(change)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == key and str(refused.value)
    assert alone.check(record)


@pytest.mark.parametrize("missing", ["commitment", "secret", "draws"])
def test_a_proof_that_lacks_something_is_refused(missing):
    record = changed(lambda _, proof: proof.pop(missing))
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == "fairness_form"


def test_a_version_that_is_not_known_is_refused():
    record = changed(lambda _, proof: proof.update(version=3))
    assert "version" in alone.check(record)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == "fairness_form"


def loaded_dice(record, proof):
    """The only outcome that could come is the one that came: it follows, but the rules say otherwise."""
    proof["draws"][2] = {"outcomes": [proof["draws"][2]["drawn"]], "drawn": proof["draws"][2]["drawn"]}


def weighted(record, proof):
    draw = proof["draws"][0]
    draw["weights"] = [1000 if outcome == draw["drawn"] else 1 for outcome in draw["outcomes"]]


def drawn_again(record, proof):
    """A draw did not bring what it should: it is called void, and the next counter brings another."""
    line = draw_lines([GivenWord(word["seat"], word["nonce"], word["word"]) for word in proof["words"]])
    moves = [*record["moves"]]
    del proof["history"], proof["taken_back"]
    draws = proof["draws"] = [draw for draw in proof["draws"] if not draw.get("voided")]
    draws.insert(0, {**draws[0], "voided": True})
    drawn = [place for place, (seat, _) in enumerate(moves) if seat == -1]
    for counter, draw in enumerate(draws):
        draw["drawn"] = fair_dice.draw(
            proof["secret"], line, counter, draw["outcomes"], draw.get("weights", [1] * len(draw["outcomes"]))
        )
        if counter:
            moves[drawn[counter - 1]] = [-1, draw["drawn"]]
    record["moves"] = moves


def without_history(record, proof):
    del proof["history"], proof["taken_back"]


def other_history(record, proof):
    proof["history"] = proof["history"][:-1]


def taken_back_twice(record, proof):
    proof["history"].append(proof["history"][proof["taken_back"][0]])
    proof["taken_back"].append(len(proof["history"]) - 1)


@pytest.mark.parametrize("change", [loaded_dice, weighted])
def test_what_only_the_rules_can_tell(change):
    record = changed(change)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == "fairness_outcomes"


@pytest.mark.parametrize("change", [drawn_again, without_history, other_history, taken_back_twice])
def test_draws_that_are_void_though_nobody_took_back_a_move_are_found_out_by_both(change):
    record = changed(change)
    with pytest.raises(sarai.BadRecord) as refused:
        check(from_json(record))
    assert refused.value.key == "fairness_moves"
    assert "taken back" in alone.check(record) or "nobody took back" in alone.check(record)


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
        {"words": ["plain"]},
        {"words": [{"seat": 0}]},
        {"rounds": None},
        {"rounds": float("inf")},
        {"version": 1, "words": ["\ud800"]},
        {"failed": [1]},
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
    files = (("good", GOOD, 0), ("plain", GOOD_1, 0), ("bad", changed(other_word), 1))
    for name, record, code in files:
        path = tmp_path / f"{name}.sarai.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "-I", ROOT / "docs" / "verify.py", path], capture_output=True, text=True, check=False
        )
        assert ran.returncode == code, ran.stderr
        assert ("The dice were fair." in ran.stdout) == (code == 0)
        assert ("Seat 1 gave the word '<b>'.\nRounds of opening words: 1.\n" in ran.stdout) == (name == "good")
        assert ("Version 1: 2 plain words" in ran.stdout) == (name == "plain")
    path.write_text(200_000 * "[", encoding="utf-8")
    command = [sys.executable, "-I", ROOT / "docs" / "verify.py", path]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr.startswith("This is no record")
