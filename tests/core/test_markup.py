"""Markup is put together by type: a text is escaped, markup is not, and nothing else gets in."""

import pytest
from markupsafe import Markup

from sarai.core.board import Board
from sarai.core.markup import join, markup, phrase


class Named:
    """An object with a text that is not markup."""

    name = "<b>"

    def __str__(self):
        return self.name


def test_texts_are_escaped_and_markup_and_numbers_are_not():
    made = markup("<p>{text}{part}{number:.1f}{count}</p>", text="<&'\">", part=Markup("<i>"), number=2.25, count=3)
    assert made == "<p>&lt;&amp;&#39;&#34;&gt;<i>2.23</p>" and isinstance(made, Markup)


@pytest.mark.parametrize("value", [Named(), ["<b>"], {"<b>": 1}, None, True], ids=str)
def test_values_of_other_types_are_escaped_too(value):
    assert "<b>" not in markup("<p>{value}</p>", value=value)


def test_a_template_cannot_reach_the_unescaped_attributes_of_a_value():
    with pytest.raises(KeyError):
        markup("<p>{value.name}</p>", value=Named())


def test_a_phrase_is_escaped_itself_but_not_the_markup_in_it():
    made = phrase("{name} < {other}", name=Markup("<bdi>Ann</bdi>"), other="<b>")
    assert made == "<bdi>Ann</bdi> &lt; &lt;b&gt;" and isinstance(made, Markup)


def test_a_text_and_equal_markup_are_not_confused():
    assert phrase(Markup("<u>{n}</u>"), n=1) == "<u>1</u>"
    assert phrase("<u>{n}</u>", n=1) == "&lt;u&gt;1&lt;/u&gt;"


def test_a_name_with_braces_stays_as_it_is():
    assert phrase("{name}!", name="{name} {{x}}") == "{name} {{x}}!"


def test_parts_are_joined_and_slots_filled():
    assert join([Markup("<i>"), Markup("<b>")], Markup(", ")) == "<i>, <b>"
    board = Board(Markup("<div><!--a--></div>"), {"a": Markup('<p id="a"></p>')}, {})
    assert board.whole() == '<div><p id="a"></p></div>' and isinstance(board.whole(), Markup)
