"""The command `sarai verify`: a record is checked move by move, and its dice too."""

from pathlib import Path

from sarai.cli.terminal_io import Screen, printable_name
from sarai.core.kernels.warm import TO_REPLAY
from sarai.core.records import Record, load
from sarai.core.result import CHANCE
from sarai.table.dice_proof import check, history_of
from sarai.table.dice_word_commitments import read_words
from sarai.table.history_types import take_backs


def verify(path: Path) -> None:
    """Check a record and say so."""
    from sarai.cli.warm import warm_game

    record = load(path, check=False)
    warm_game(record.game, TO_REPLAY)
    draws = check(record)
    moves = sum(seat != CHANCE for seat, _ in record.moves)
    Screen().tell(f"{record.game.title}: {moves} moves and {draws} draws are right; the dice were fair.")
    if record.resigned is not None:
        Screen().tell(f"{printable_name(record.names[record.resigned], record.resigned)} gave up, and so lost.")
    for line in words_said(record):
        Screen().tell(line)
    times, voided = take_backs(history_of(record))
    for seat in sorted(times):
        name = printable_name(record.names[seat], seat)
        Screen().tell(f"{name}: {times[seat]} taken back, {voided[seat]} draws voided by that.")


def words_said(record: Record) -> list[str]:
    """Say who gave a word for the dice, who lost it, and how many rounds there were."""
    words = read_words(record.fairness or {}, record.players)
    if words.version == 1:
        return [f"Version 1: {len(words.lines)} plain words, which the server knew before the game began."]

    def named(seats: list[int]) -> str:
        return ", ".join(printable_name(record.names[seat], seat) for seat in seats)

    said = [f"Words for the dice: {named([given.seat for given in words.given])}."] if words.given else []
    if not words.given:
        said.append("Nobody gave a word: the dice follow from the server's secret alone.")
    said += [f"Did not open in round {round}: {named([seat])}." for seat, round in words.lost]
    if words.missing:
        said.append(f"Did not make a new word: {named(list(words.missing))}.")
    return [*said, f"Rounds of opening words: {words.rounds}."] if words.rounds else said
