"""Texts in the source: each is said as a whole, none is put together, none left out; styles know no left and right."""

import pytest

from texts_in_source import (
    PACKAGE,
    glued,
    glued_in_template,
    name_of,
    physical_directions,
    source_files,
    unsaid,
    unsaid_in_template,
)

# How many places of a file are still to be done; these numbers only become smaller.
GLUED: dict[str, int] = {}
UNSAID: dict[str, int] = {}
PHYSICAL: dict[str, int] = {}


@pytest.mark.parametrize(
    "source",
    [
        'say("a {b}").format(b=1)', 'say("a") + "b"', '"b" + (say("a") if x else "")', "f\"{say('a')}: b\"",
        '"%s" % say("a")', '", ".join([say("a")])', '", ".join(say(x) for x in y)', 'say(", ").join(y)',
        'words = say("a {b}")\nwords.format(b=1)', 'self.a = say("a")\nf"{self.a}!"', "w.pile.format(n=1)",
        'phrase(language.say("a {b}"), b=1)', 'say("{a}").replace("{a}", "b")', 'say("a {b}", b=say("c"))',
    ],
)  # fmt: skip
def test_texts_that_are_put_together_are_found(source):
    assert glued(source)


def test_texts_that_a_template_puts_together_are_found():
    assert glued_in_template('{{ say("a {b}").format(b=1) }}') and glued_in_template('{{ say("a") ~ b }}')
    assert not glued_in_template('{{ say("a {b}", b=1) }}')


def test_whole_texts_are_left_alone():
    assert not glued('label = say("a {b}", b=Term("c", "d"))\nmarkup("<p>{label}</p>", label=label)\nf"{x}" + "y"')
    assert not glued('titles = [say("Player")] + names')


def test_texts_that_are_not_said_are_found():
    assert unsaid('markup("<p>Hello {name}</p>")') and unsaid("markup('<a title=\"Close\"></a>')")
    assert unsaid('Prompt("Choose.", x)') and unsaid('button(f"Go {n}")') and unsaid('screen.tell("Hi " + x)')
    assert not unsaid("markup(\"<p class='word'>{name}: {n} · A</p>\")") and not unsaid('button(say("Go"), "main")')
    assert unsaid_in_template('<p>{{ say("a") }} Hello</p>')
    assert not unsaid_in_template('<p class="x">{{ say("a") }}</p>')
    assert not unsaid_in_template('<p>{{ say("{n, plural, one {{a} day} other {{a} days}}", a=a, n=n) }}</p>')


def test_left_and_right_are_found():
    assert physical_directions("a { margin-left: 1px }\nb { inset-inline-start: 0; /* left: 0 */ }") == [1]
    assert physical_directions("a { text-align: left; }\nb { left: 0 }\nc { border-left-color: red }") == [1, 2, 3]
    assert not physical_directions("a { --left: 1px; transform: translateX(1px) }\n.left { color: red }")


def templates():
    return sorted(PACKAGE.rglob("templates/*.html"))


def more_than(allowed, found):
    """Return what is found in files beyond what is known to be left to do."""
    return {file: places for file, places in found.items() if len(places) > allowed.get(file, 0)}


def test_no_text_is_put_together_from_pieces():
    found = {name_of(path): glued(path.read_text(encoding="utf-8")) for path in source_files()}
    for path in templates():
        found[name_of(path)] = glued_in_template(path.read_text(encoding="utf-8"))
    assert more_than(GLUED, found) == {}


def test_every_text_that_people_read_is_said():
    found = {name_of(path): unsaid(path.read_text(encoding="utf-8"), name_of(path)) for path in source_files()}
    for path in templates():
        found[name_of(path)] = unsaid_in_template(path.read_text(encoding="utf-8"))
    assert more_than(UNSAID, found) == {}


def test_styles_know_no_left_and_right():
    found = {name_of(path): physical_directions(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.css")}
    assert more_than(PHYSICAL, found) == {}
