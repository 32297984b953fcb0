"""What style sheets say of a drawing stands in its attributes afterwards."""

import re

import pytest

from sarai.core.css_cascade import DARK, LIGHT, StyleSheet, resolved
from sarai.core.resolved_svg import resolve


def inside(drawing, css, scheme=LIGHT):
    """Return what stands in a resolved drawing."""
    return re.sub(r"^<svg[^>]*>|</svg>$", "", resolve(f"<svg>{drawing}</svg>", StyleSheet(css), scheme))


@pytest.mark.parametrize(
    ("selector", "holds"),
    [
        ("path", True),
        (".a", True),
        (".a.b", True),
        ("path.c", False),
        ("#one", True),
        ("g .a", True),
        ("g > .a", True),
        ("svg > .a", False),
        ("rect + .a", False),
        ("circle + .a", True),
        ("rect ~ .a", True),
        (".a:hover", False),
        (".a::before", False),
        (".a:not(.c)", True),
        (".a:not(.b, .c)", False),
        (":is(.c, g .b)", True),
        ('[d="M0 0"]', True),
        ("[r]", False),
        (":root > g > .a", True),
    ],
)
def test_selectors(selector, holds):
    found = inside('<g><rect/><circle/><path id="one" class="a b" d="M0 0"/></g>', f"{selector} {{ fill: #abc; }}")
    assert ('<path d="M0 0" fill="#abc"/>' in found) == holds


def test_the_weightier_rule_counts_and_among_equals_the_last():
    css = "g .a { fill: #111; } .a { fill: #222; } .b { stroke: #333; } .a { stroke: #444; } path { stroke: #555; }"
    assert inside('<g><path class="a b"/></g>', css) == '<g><path stroke="#444" fill="#111"/></g>'


def test_a_rule_counts_more_than_an_attribute_and_media_do_not_count():
    css = "@media print { path { fill: #111; } } /* path { fill: #222; } */ path { fill: #333; }"
    assert inside('<path fill="#999"/>', css) == '<path fill="#333"/>'


def test_what_is_inherited_is_not_written_again():
    css = "g { fill: #111; font: 600 12px/1 sans-serif; } path, text { fill: #111; } text { font-size: 12px; }"
    assert (
        inside("<g><path/><text>x</text></g>", css)
        == '<g fill="#111" font-weight="600" font-size="12px" font-family="sans-serif"><path/><text>x</text></g>'
    )


def test_a_use_is_a_copy_with_the_colours_around_it_styled_where_it_was_drawn():
    css = (
        ".red { --coat: #f00; } .blue { --coat: #00f; } .coat { fill: var(--coat, #777); } .red .coat { stroke: #123; }"
    )
    drawing = (
        '<defs><g id="camel"><path class="coat"/></g></defs>'
        '<g class="red"><use href="#camel" transform="scale(2)"/></g>'
        '<use href="#camel" class="blue"/><use href="#camel"/>'
    )
    assert inside(drawing, css) == (
        '<g><g transform="scale(2)"><g><path fill="#f00"/></g></g></g><g><g><path fill="#00f"/></g></g>'
        '<g><g><path fill="#777"/></g></g>'
    )


def test_a_symbol_keeps_its_frame_and_patterns_have_names_of_their_own():
    drawing = (
        '<defs><symbol id="s" viewBox="0 0 9 9"><rect/></symbol><pattern id="p" width="4"><path class="x"/></pattern>'
        '</defs><use href="#s" width="18"/><path fill="url(#p)"/>'
    )
    found = inside(drawing, ".x { stroke: #123; }")
    name = re.search(r'<pattern id="(p[0-9a-f]{10}-p)" width="4"><path stroke="#123"/></pattern>', found)[1]
    assert '<svg width="18" viewBox="0 0 9 9"><rect/></svg>' in found and f'<path fill="url(#{name})"/>' in found
    assert name not in inside(drawing + "<rect/>", ".x { stroke: #123; }")


def test_what_is_not_seen_is_left_out():
    css = ".no { display: none; } .off { visibility: hidden; } .clear { fill: transparent; }"
    assert (
        inside('<g class="no"><path/></g><path class="off"/><path class="clear"/><g><g/></g><rect/>', css) == "<rect/>"
    )


def test_values():
    properties = {"--a": "light-dark(#fff, #000)", "--b": "var(--a)", "--share": "25%"}
    assert resolved("var(--b)", properties, LIGHT) == "#fff" and resolved("var(--b)", properties, DARK) == "#000"
    assert resolved("var(--none, var(--a))", properties, DARK) == "#000"
    assert resolved("color-mix(in srgb, #ff0000 var(--share), var(--a))", properties, LIGHT) == "#ffbfbf"


@pytest.mark.parametrize(
    "css",
    ["g & path { fill: #111; }", "g { font: bold; }", "g { fill: color-mix(in oklab, #fff 5%, #000); }", "g {"],
)
def test_what_is_not_understood_is_an_error(css):
    with pytest.raises(ValueError, match=r"not understand|not closed"):
        inside("<g><path/></g>", css)
