"""Messages: what stands in them is written as the language writes it, and as what it is."""

from datetime import date

import numpy as np
import pytest
from icu4py.messageformat import MessageFormat
from markupsafe import Markup

from sarai.core.icu_patterns import BadPattern, Field, fields, parse
from sarai.core.language import LANGUAGES, Language, find_language
from sarai.core.markup import isolated
from sarai.core.messages import Choice, Duration, Either, Message, Name, Notation, Series, Term

ENGLISH = find_language("en")
HEADS = "{n, plural, one {# head} other {# heads}}"
FSI, LRI, PDI = "\u2068", "\u2066", "\u2069"


def spoken(code, texts=None, terms=None):
    return Language(LANGUAGES[code], texts or {}, terms or {})


def test_a_text_without_arguments_stands_as_it_is():
    assert ENGLISH.say("It's {odd} ''here''.") == "It's {odd} ''here''."
    assert spoken("el", {"Rules": "Κανόνες"}).say("Rules") == "Κανόνες"


def test_numbers_are_counted_and_written_in_the_digits_of_the_language():
    assert [ENGLISH.say(HEADS, n=n) for n in (0, 1, 2, 1405)] == ["0 heads", "1 head", "2 heads", "1,405 heads"]
    assert ENGLISH.say("row {n}", n=np.uint8(4)) == "row 4" and ENGLISH.say(HEADS, n=np.int64(1)) == "1 head"
    hebrew = spoken("he", {HEADS: "{n, plural, one {ראש אחד} two {שני ראשים} other {# ראשים}}"})
    assert [hebrew.say(HEADS, n=n) for n in (1, 2, 3)] == ["ראש אחד", "שני ראשים", "3 ראשים"]
    persian = spoken("fa", {HEADS: "{n, plural, one {# کله} other {# کله}}", "row {n}": "ردیف {n}"})
    assert (persian.say(HEADS, n=12), persian.say("row {n}", n=-5)) == ("۱۲ کله", "ردیف \u200e−۵")
    assert [spoken(code).number(-5) for code in ("en", "el", "he")] == ["−5", "−5", "\u200e−5"]  # no hyphens


def test_names_are_isolated_where_directions_could_mix():
    said = [spoken(code).say("{name} wins.", name=Name(name)) for code in ("en", "he") for name in ("Ann", "דנה")]
    assert said == ["Ann wins.", f"{FSI}דנה{PDI} wins.", f"{FSI}Ann{PDI} wins.", f"{FSI}דנה{PDI} wins."]


def test_notation_is_never_translated_and_runs_from_left_to_right():
    assert ENGLISH.say("on {hex}", hex=Notation("a3")) == "on a3"
    persian = spoken("fa", {"on {hex}": "روی {hex}"})
    assert persian.say("on {hex}", hex=Notation("a3")) == f"روی {LRI}a3{PDI}"
    assert persian.say("{who} on {hex}", hex=Notation("a<3"), who=isolated("x")).endswith('<bdi dir="ltr">a&lt;3</bdi>')


def test_a_term_agrees_with_the_noun_it_describes():
    message, die = "the {camel} camel and the {die} die", "{die, select, red {το κόκκινο} other {το {die}}} ζάρι"
    terms = {Term("red", "camel"): "κόκκινη", Term("red", "die"): "κόκκινο", Term("blue", "die"): "μπλε"}
    greek = spoken("el", {message: "η {camel} καμήλα, " + die}, terms)
    red, blue = Term("red", "camel"), Term("blue", "die")
    assert greek.say(message, camel=red, die=Term("red", "die")) == "η κόκκινη καμήλα, το κόκκινο ζάρι"
    assert greek.say(message, camel=red, die=blue) == "η κόκκινη καμήλα, το μπλε ζάρι"
    assert ENGLISH.say("over: {why}", why=Term("move_limit", "ending")) == "over: move limit"


def test_a_choice_selects_and_is_never_shown():
    paid = "{how, select, die {with a die} other {with {n} jokers}}"
    assert [ENGLISH.say(paid, how=Choice(how), n=2) for how in ("die", "joker")] == ["with a die", "with 2 jokers"]


def test_lists_are_joined_as_the_language_does():
    assert [ENGLISH.say("{all}", all=list(range(n))) for n in range(4)] == ["", "0", "0 and 1", "0, 1 and 2"]
    assert ENGLISH.say("{all}", all=Either([1, 2, 3])) == "1, 2 or 3"
    assert ENGLISH.say("{all}", all=Series([1, 2, 3])) == "1, 2, 3"
    assert spoken("el").say("{all}", all=(1, 2, 3)) == "1, 2 και 3"
    assert spoken("fa").say("{all}", all=Either([1, 2])) == "۱ یا ۲"
    hebrew = spoken("he", terms={Term("red", "die"): "אדומה"})
    assert hebrew.say("{all}", all=[1, Term("red", "die")]) == "1 ואדומה"
    assert hebrew.say("{all}", all=[isolated("דנה"), isolated("Bo")]) == "<bdi>דנה</bdi> ו־<bdi>Bo</bdi>"


def test_times_are_said_in_the_largest_unit_that_says_them_well():
    said = [ENGLISH.say("{t}", t=Duration(s)) for s in (1, 119, 120, 7200, 86_400 * 3)]
    assert said == ["1 second", "119 seconds", "2 minutes", "2 hours", "3 days"]
    assert spoken("he").duration(7200) == "שעתיים" and spoken("fa").duration(300) == "۵ دقیقه"
    day = date(2026, 11, 17)
    assert ENGLISH.say("{day}", day=day) == "17 Nov 2026" and spoken("fa").say("{day}", day=day) == "۲۶ آبان ۱۴۰۵"
    assert ENGLISH.say(HEADS + " {day}", n=1, day=day) == "1 head 17 Nov 2026"


@pytest.mark.parametrize(
    "message", ["{who} < {name}: {n}", "{n, plural, one {{who} < {name}: #} other {{who} < {name}: #}}"]
)
def test_with_markup_among_its_arguments_a_message_is_markup_and_all_else_is_escaped(message):
    who, name = Markup("<b>A&amp;B</b>"), Name("<i>'#{n}")
    said = ENGLISH.say(message, who=who, name=name, n=7)
    assert type(said) is Markup and said == "<b>A&amp;B</b> &lt; <bdi>&lt;i&gt;&#39;#{n}</bdi>: 7"
    assert type(ENGLISH.say(message, who=[who, Markup("x")], name=name, n=7)) is Markup
    plain = ENGLISH.say(message, who=name, name=name, n=7)
    assert type(plain) is str and plain == "<i>'#{n} < <i>'#{n}: 7"


def test_a_text_of_no_type_is_refused():
    for message in ("{a}", "{a, select, b {c} other {d}}", HEADS + "{a}"):
        with pytest.raises(TypeError):
            ENGLISH.say(message, a="b", n=1)
    with pytest.raises(KeyError):
        ENGLISH.say("{a}", b=1)


def test_a_message_can_be_said_elsewhere_with_more_arguments():
    message = Message("You have chosen {card}. Waiting for {names}.", {"card": 5})
    assert ENGLISH.say_message(message, names=[Name("Ann"), Name("Bo")]) == "You have chosen 5. Waiting for Ann and Bo."


def test_what_is_rendered_with_a_message_can_be_memoised():
    assert hash(Message("a {b}", {"b": [1]})) == hash(Message("a {b}", {"b": [1]}))
    assert Message("a {b}", {"b": [1]}) != Message("a {b}", {"b": [2]})


# --- reading messages ---------------------------------------------------------------------------------------------


def test_apostrophes_quote_only_what_would_be_special():
    assert ENGLISH.say("it's '{'{n}'}' ''x'' # '#", n=1) == "it's {1} 'x' # '#"
    assert ENGLISH.say("{n, plural, one {it's '#' # ''} other {}}", n=1) == "it's # 1 '"
    assert parse("it's '{'{n}'}' ''x''") == ("it's {", Field("n"), "} 'x'")


EXAMPLES = [
    "{n, plural, =0 {nobody} one {# seat} other {# seats {m}}}",
    "{n, plural, offset:1 =0 {-} =1 {a} one {a, # more} other {a, # more {m, plural, one {#!} other {# '#' {n}}}}}",
    "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} it''s '{'{m}'}'",
    "{n, number, ::sign-always} {m, number, percent} {n, plural, one {{n, number, integer}} other {#}}",
    "{n, plural, one {<&'' #} two {#2} few {#f} many {#m} other {#o}} # '# {m}",
]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("message", EXAMPLES)
def test_messages_are_said_as_icu_says_them(code, message):
    language = spoken(code, {message: message})
    icu = MessageFormat(message, LANGUAGES[code].locale)
    for n in (0, 1, 2, 3, 5, 11, 21, 103, 1405, -1, -2):
        for m in (0, 1, 2):
            said, expected = language.say(message, n=n, m=m), icu.format({"n": n, "m": m})
            assert said.replace("−", "-") == expected.replace("−", "-")  # the minus sign is ours


def test_arguments_are_found_inside_forms():
    found = fields(
        parse("{a, plural, offset:1 =0 {{b}} one {#} other {{c, select, x {{d, number, integer}} other {}}}}")
    )
    assert [(field.name, field.kind) for field in found] == [
        ("a", "plural"), ("b", ""), ("c", "select"), ("d", "number")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["{", "{}", "{n", "a}", "{n!r}", "{n, plural, one {x}}", "{n, plural, one {x} one {y} other {z}}",
             "{n, plural, other {x}", "{n, plural, other {x", "{n, number"]
)  # fmt: skip
def test_what_is_no_message_is_refused(text):
    with pytest.raises(BadPattern):
        parse(text)
