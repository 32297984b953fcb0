"""A position of Camel Up described by people: what odds need of it, in one line or asked for step by step."""

import re
from collections.abc import Callable

from sarai.core.errors import BadText
from sarai.core.game import Game
from sarai.core.language import ENGLISH, find_language
from sarai.core.messages import Say
from sarai.core.position_text import Fields
from sarai.core.state_and_view import State
from sarai.games.camelup.edition import GREY_LETTER, Edition, edition_of
from sarai.games.camelup.state import LAST_SPACE, MOST_PLAYERS, PARTNERSHIPS_FROM, RACING, WHITE
from sarai.games.camelup.words import ask_for_camels, camels_and_letters, questions

Ask = Callable[[str], str]  # a question, and what was answered
Tell = Callable[[str], None]
IN_ENGLISH = find_language(ENGLISH).say

# What a description may leave out; of all this only tickets change odds, and unmentioned ones are not taken.
DEFAULT_FIELDS = {
    "phase": "turn",
    "moves": "1000",
    "leg": "1",
    "turn": "0",
    "start": "0",
    "dice": "-",
    "tickets": "/".join("-" * RACING),
    "cards": "-",
}


def edition_of_game(game: Game) -> Edition:
    """Return the edition that a game is."""
    return edition_of(game.start(game.players[0])._cell)


def complete_position(game: Game, text: str) -> State:
    """Return the state of a position text in which all but the camels may be missing; BadText if it describes none.

    Without `players`, the tiles are those on the track, and belong to others than the player whose turn it is.
    """
    words = text.split()
    fields = Fields(text if not words or "=" not in words[0] else f"{game.id} {text}")
    if fields.game != game.id:
        raise BadText("text_other_game", found=fields.game, game=game.id)
    edition, given = edition_of_game(game), fields.left
    if "camels" not in given:
        raise BadText("text_missing_field", field="camels")
    given["camels"] = spell_camels(edition, given["camels"])
    given["dice"] = spell_dice(edition, given.get("dice", "-"))
    if "players" not in given:
        tiles = [tile for tile in given.get("tiles", "-").split(",") if tile != "-"]
        seats = ["-"] * (len(tiles) < MOST_PLAYERS) + tiles
        given["tiles"] = ",".join(seats + ["-"] * (game.players[0] - len(seats)))
        given["players"] = str(given["tiles"].count(",") + 1)
    if given["players"] in map(str, game.players):  # otherwise it is refused below
        players = int(given["players"])
        out = (given["dice"] != "-") * (given["dice"].count(".") + 1) + (given.get("phase") == "roll")
        given.setdefault("tiles", ",".join("-" * players))
        given.setdefault("pyramid", ",".join([str(out), *"0" * (players - 1)]))
        given.setdefault("pounds", ",".join("3" * players))
        if players >= PARTNERSHIPS_FROM and edition.has_crazy_camels and "partners" not in given:
            given["partnerships"] = "off"
    return game.parse(" ".join([game.id, *(f"{name}={value}" for name, value in (DEFAULT_FIELDS | given).items())]))


def spell(edition: Edition, text: str) -> str:
    """Return camels by their letters as the edition writes them, large or small."""
    return "".join(
        next((known for known in edition.letters if known.lower() == letter.lower()), letter) for letter in text
    )


def spell_camels(edition: Edition, text: str) -> str:
    """Return stacks in the order of their spaces."""
    stacks = [part.partition(":") for part in text.split(",")]
    if all(space.isdecimal() for space, _, _ in stacks):
        stacks.sort(key=lambda stack: int(stack[0][:9]))
    return ",".join(f"{space}{colon}{spell(edition, camels)}" for space, colon, camels in stacks)


def spell_dice(edition: Edition, text: str) -> str:
    """Return the dice that are out, each with a number, as a position needs it; the number changes no odds."""
    if text in ("", "-"):
        return "-"
    grey = edition.letters[WHITE] if edition.has_crazy_camels else GREY_LETTER
    dice = [
        grey + die[1:] if die[:1].lower() == GREY_LETTER else spell(edition, die[:1]) + die[1:]
        for die in text.replace(",", ".").split(".")
    ]
    return ".".join(die if die[1:] else f"{die}1" for die in dice)


# --- step by step ----------------------------------------------------------------------------------------------------


class Description:
    """What was answered about a position so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.edition = edition_of_game(game)
        self.answers = {"camels": "", "dice": "-", "others": "", "own": "-", "tickets": DEFAULT_FIELDS["tickets"]}

    def state(self, **more: str) -> State:
        """Return the position of the answers and some more of them; BadText if it is none."""
        answers = self.answers | more
        tiles = [answers["own"], *answers["others"].split()]
        tiles += ["-"] * (self.game.players[0] - len(tiles))
        seats = f"players={len(tiles)} tiles={','.join(tiles)}"
        return complete_position(
            self.game, f"{seats} camels={answers['camels']} dice={answers['dice']} tickets={answers['tickets']}"
        )

    def steps(self, say: Say) -> list[tuple[str, str, Callable[[str], str]]]:
        """Return what is asked for after the camels: its name, the question, and how an answer is read."""
        asked = questions(self.edition, say)
        return [
            ("dice", asked["dice"], lambda answer: ".".join(re.findall(r"[^\W\d_]", answer)) or "-"),
            ("others", asked["others"], lambda answer: answer.replace(",", " ")),
            ("own", asked["own"], lambda answer: answer or "-"),
            ("tickets", asked["tickets"], self.read_tickets),
        ]

    def read_stacks(self, answer: str, stood: dict[int, str]) -> dict[int, str]:
        """Return the stacks of camels that stood there and those of an answer, `3:by` each."""
        stacks = dict(stood)
        for part in answer.replace(",", " ").split():
            match = re.fullmatch(r"([0-9]{1,2}):?([^\W\d_]+)", part)
            if not match or not 1 <= int(match[1]) <= LAST_SPACE or int(match[1]) in stacks:
                raise BadText(
                    "text_bad_value",
                    field="camels",
                    value=part,
                    why="it is a space from 1 to 16, each once, and its camels",
                )
            stacks[int(match[1])] = spell(self.edition, match[2])
        placed = "".join(stacks.values())
        if len(set(placed)) < len(placed) or not set(placed) <= set(self.edition.letters):
            raise BadText(
                "text_bad_value",
                field="camels",
                value=answer,
                why="every letter stands for one camel, and each camel stands once",
            )
        return stacks

    def read_tickets(self, answer: str) -> str:
        """Return how many tickets of each camel are taken, as a position writes it; it does not matter by whom."""
        taken = dict.fromkeys(self.edition.letters[:RACING], 0)
        for part in answer.replace(",", " ").split():
            letter, number = spell(self.edition, part[:1]), part[1:] or "1"
            if letter not in taken or number not in "1234":
                raise BadText(
                    "text_bad_value",
                    field="tickets",
                    value=part,
                    why="it is a racing camel's letter and how many are taken",
                )
            taken[letter] += int(number)
        return "/".join("0" * count or "-" for count in taken.values())


def ask_position(
    game: Game, ask: Ask, tell: Tell, say: Say = IN_ENGLISH, say_error: Callable[[BadText], str] = str
) -> State:
    """Ask for camels, dice, tiles and tickets until they are a position."""
    description = Description(game)
    ask_camels(description, ask, tell, say, say_error)
    for name, question, read in description.steps(say):
        while True:
            try:
                answer = read(ask(question))
                description.state(**{name: answer})
            except BadText as error:
                tell(say_error(error))
            else:
                description.answers[name] = answer
                break
    return description.state()


def ask_camels(description: Description, ask: Ask, tell: Tell, say: Say, say_error: Callable[[BadText], str]) -> None:
    """Ask for stacks until every camel stands somewhere."""
    edition, stacks = description.edition, dict[int, str]()
    tell(camels_and_letters(edition, say))
    while missing := [letter for letter in edition.letters if letter not in "".join(stacks.values())]:
        answer = ask(ask_for_camels(edition, missing, say))
        try:
            stacks = {} if answer == "0" else description.read_stacks(answer, stacks)
        except BadText as error:
            tell(say_error(error))
    description.answers["camels"] = ",".join(f"{space}:{camels}" for space, camels in stacks.items())
