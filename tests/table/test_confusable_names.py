"""Names at a table: those that look alike are told apart, tricks are refused, bots are not impersonated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from in_memory_table import PEOPLE, Sitting
from sarai.table.commands import AddBot, Chat, Sit, Stand
from sarai.table.confusable_names import BOT_NAMES, appearances
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.table import Table
from sarai.table.text_checks import clean

ALIKE = {  # what another person calls themselves to be taken for the first
    "Dana": [
        "Dana",
        "dana",
        "DANA",
        "D\u0430na",  # a Cyrillic a
        "\uff24\uff41\uff4e\uff21",  # full width
        "\U0001d403\U0001d41a\U0001d427\U0001d41a",
        "D\u03b1na",  # a Greek alpha
        "\u13a0ana",  # a Cherokee A
    ],
    "Leo": ["Le\u03bf", "L\u0435\u043e", "LEO", "\u216cEO", "L\u0435\u03bf"],
    "Ali": ["A1i", "AIi", "\u0410li", "A|i"],
    "Bob": ["B0b", "\u0412\u043e\u042c", "B\u041eB"],
    "Tom": ["Torn", "\u0422\u043em"],
    "علی": ["علي", "على", "عَلی", "علـی"],
    "דנה": ["דָנה"],
    "Zoë 7": ["Zoë  7", "Zoë 7", "zoë \uff17"],
}
DIFFERENT = [
    ("Dana", "Dena"),
    ("Ann", "Anna"),
    ("Bo", "Bob"),
    ("Una", "Yva"),
    ("علی", "عمر"),
    ("דנה", "דינה"),
    ("Zoë", "Zoe"),
]


def person(letter, name):
    return Person(letter * 22, clean(name, "name"), "en")


def seated(*names, players=4):
    """Seat people of some names; return the names of the seats."""
    sitting = Sitting(players=players, options={"rounds": 1})
    for place, name in enumerate(names):
        sitting.do(person("pqrst"[place], name), Sit())
    return sitting, sitting.table.names


@pytest.mark.parametrize(("name", "other"), [(name, other) for name, others in ALIKE.items() for other in others])
def test_the_second_of_two_names_that_look_alike_has_a_number(name, other):
    _, names = seated(name, other)
    assert names[:2] == [clean(name, "name"), f"{clean(other, 'name')} (2)"]
    _, names = seated(other, name)
    assert names[1] == f"{clean(name, 'name')} (2)"


@pytest.mark.parametrize(("name", "other"), DIFFERENT)
def test_names_that_look_different_stay_as_they_are(name, other):
    assert seated(name, other)[1][:2] == [name, other]


@settings(deadline=None, derandomize=True)
@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=12))
def test_a_name_looks_like_itself_in_capitals_and_after_every_normal_form(name):
    assert appearances(name) & appearances(name.casefold())


def test_nobody_takes_the_number_of_another():
    _, names = seated("Dana", "Dana", "Dana (2)", "dana")
    assert names == ["Dana", "Dana (2)", "Dana (2) (2)", "dana (3)"]
    assert seated("Dana (2)", "Dana", "Dana")[1][:3] == ["Dana (2)", "Dana", "Dana (3)"]


def test_a_name_stays_the_same_in_the_log_and_for_who_comes_back():
    sitting, _ = seated("Dana", "Dana")
    second = person("q", "Dana")
    sitting.do(second, Chat("it is me"))
    sitting.do(second, Stand())
    sitting.do(second, Sit(3))
    assert sitting.table.seats[3].name == sitting.table.chat[-1].name == "Dana (2)"
    sitting.do(person("p", "Nora"), Chat("I have another name now"))  # sits as Dana still
    sitting.do(second, Chat("and I?"))
    assert sitting.table.chat[-1].name == "Dana (2)"
    assert Table.fold("T" * 10, sitting.entries).names == sitting.table.names


def test_a_watcher_is_told_from_players_and_bots():
    sitting, _ = seated("Dana")
    sitting.do(PEOPLE[0], AddBot())
    bot = sitting.table.names[1]
    for letter, name in (("w", "D\u0430na"), ("v", bot), ("u", f"{bot[0].swapcase()}{bot[1:]}")):
        sitting.do(person(letter, name), Chat("hello"))
    assert [line.name for line in sitting.table.chat] == [
        "D\u0430na (2)",
        f"{bot} (2)",
        f"{bot[0].lower()}{bot[1:]} (3)",
    ]


def test_a_bot_takes_no_name_that_somebody_has():
    sitting = Sitting(players=3, options={"rounds": 1})
    for place, name in enumerate(BOT_NAMES):
        sitting.do(person("klmnopqrst"[place], name), Chat("I was here first"))
    sitting.do(PEOPLE[0], AddBot())
    sitting.do(PEOPLE[0], AddBot())
    names = [seat.name for seat in sitting.table.seats[:2]]
    taken = [appearances(name) for name in BOT_NAMES]
    assert not any(appearances(name) & look for name in names for look in taken) and names[0] != names[1]


def test_many_people_of_one_name_have_as_many_names():
    sitting = Sitting(players=2, options={"rounds": 1})
    for number in range(200):
        sitting.do(Person(f"{number:022}", "Dana", "en"), Chat("x"))
    assert len({guest.name for guest in sitting.table.participants}) == 201


@pytest.mark.parametrize(
    "name",
    [
        "Da\u200bna",  # no width
        "Da\u200cna",  # joiners between letters that are not joined
        "Da\u200dna",
        "\u200cDana",
        "D\ufe0fana",  # a selector that selects nothing
        "x\U000e0100",
        "\U0001f3f4\U000e0067\U000e007f",  # tags
        "\u0301Dana",  # marks on nothing
        "Da \u0301na",
        "D\u0316\u0317\u0318ana",  # three marks on one letter
        "Da\u034fna",
        "Da\u180bna",
        "Da\u2800na",
        "Da\u202ena",
    ],
)
def test_invisible_and_combining_tricks_are_refused(name):
    with pytest.raises(Refused) as error:
        clean(name, "name")
    assert error.value.key == "name_unprintable"


@pytest.mark.parametrize(
    "name", ["می‌خواهم", "שָּׁלוֹם", "مُحَمَّد", "Việt", "\u0395\u03bb\u03ad\u03bd\u03b7", "👩‍🚀 Ada", "❤️", "Zoë", "नमस्ते"]
)
def test_names_of_many_languages_are_fine(name):
    assert clean(name, "name") == name
