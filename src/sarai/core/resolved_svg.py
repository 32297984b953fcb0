"""SVG that needs nothing around it: what style sheets say of each element stands in its attributes.

Pieces are drawn once and used many times with other colours, by variables; here each use becomes a copy. So a picture
has no class, no reference but to its own patterns, and looks the same in a page, in an image and on paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from xml.etree.ElementTree import fromstring

from markupsafe import Markup, escape

from sarai.core.css_cascade import Node, StyleSheet, resolved
from sarai.core.markup import EMPTY, join, markup

INHERITED = {  # properties of which an attribute is made, and what they are without one
    "fill": "black",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-opacity": "1",
    "stroke-dasharray": "none",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "paint-order": "normal",
    "font-family": "",
    "font-size": "medium",
    "font-weight": "400",
    "letter-spacing": "normal",
    "text-anchor": "start",
    "dominant-baseline": "auto",
    "direction": "ltr",
}
OWN = {"opacity": "1", "unicode-bidi": "normal"}  # … that hold for one element only
GEOMETRY = frozenset({"d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "transform"}) | {
    "viewBox",
    "preserveAspectRatio",
    "overflow",
    "patternUnits",
    "patternTransform",
}
Variables = Mapping[str, str]
REFERENCE = re.compile(r"url\(#([\w-]+)\)")
OF_TEXT = frozenset(name for name in INHERITED if name.startswith(("font", "letter", "text", "dominant")))
HIDDEN = {"display": "none", "visibility": "hidden"}
UNSEEN = frozenset({"none", "transparent"})
DRAWN = frozenset({"path", "rect", "circle", "ellipse"})


def resolve(drawing: str, styles: StyleSheet, scheme: str) -> Markup:
    """Return a drawing, one SVG element, with all that style sheets say of it in attributes."""
    return Resolution(drawing, styles, scheme).picture()


class Resolution:
    """One drawing on its way to a picture."""

    def __init__(self, drawing: str, styles: StyleSheet, scheme: str) -> None:
        self._root, self._styles, self._scheme = Node(fromstring(drawing)), styles, scheme
        self._by_id = {node.attributes["id"]: node for node in self._root.every() if "id" in node.attributes}
        self._prefix = "p" + sha256(f"{scheme}{drawing}".encode()).hexdigest()[:10]  # several may stand in one page
        self._patterns: dict[str, Markup] = {}

    def picture(self) -> Markup:
        """Return the drawing, resolved."""
        root = self._root
        attributes, variables, inherited = self._styled(root, {}, INHERITED)
        inside = self._within(root, variables, inherited)
        patterns = join(self._patterns.values())
        return markup(
            '<svg xmlns="http://www.w3.org/2000/svg" role="img"{attributes}>{inside}{patterns}</svg>',
            attributes=attributes,
            inside=inside,
            patterns=markup("<defs>{patterns}</defs>", patterns=patterns) if patterns else EMPTY,
        )

    def _within(self, node: Node, variables: Variables, inherited: Variables) -> Markup:
        """Return what stands in an element."""
        parts = [escape(node.text)]
        for child in node.children:
            parts += [self._element(child, variables, inherited), escape(child.tail)]
        return join(parts)

    def _element(self, node: Node, variables: Variables, inherited: Variables) -> Markup:
        """Return an element with its attributes, nothing for one that is not seen; a use as a copy of what it uses."""
        if node.tag in ("defs", "symbol", "pattern"):
            return EMPTY
        declared = self._styles.declarations_for(node)
        if any(declared.get(name) == value for name, value in HIDDEN.items()) or "hidden" in node.attributes:
            return EMPTY
        attributes, variables, inherited = self._styled(node, variables, inherited, declared)
        if node.tag in DRAWN and inherited["fill"] in UNSEEN and inherited["stroke"] in UNSEEN:
            return EMPTY
        if node.tag == "use":
            return self._copy(node, attributes, variables, inherited)
        inside = self._within(node, variables, inherited)
        return element(node.tag, attributes, inside) if inside or node.tag in DRAWN else EMPTY

    def _styled(
        self, node: Node, variables: Variables, inherited: Variables, declared: Mapping[str, str] | None = None
    ) -> tuple[Markup, Variables, Variables]:
        """Return an element's attributes, and the variables and properties that hold within it."""
        if declared is None:
            declared = self._styles.declarations_for(node)
        own = {name: value for name, value in declared.items() if name.startswith("--")}
        if own:
            variables = {**variables, **own}
            variables |= {name: resolved(value, variables, self._scheme) for name, value in own.items()}
        said = {name: value for name, value in node.attributes.items() if name in INHERITED or name in OWN}
        said |= {
            name: resolved(value, variables, self._scheme)
            for name, value in declared.items()
            if (name in INHERITED or name in OWN) and value != "inherit"
        }
        if node.tag in DRAWN:
            said = {name: value for name, value in said.items() if name not in OF_TEXT}
        new = {name: value for name, value in said.items() if inherited.get(name, OWN.get(name)) != value}
        shown = {name: value for name, value in node.attributes.items() if name in GEOMETRY} | {
            name: REFERENCE.sub(self._pattern, value) for name, value in new.items()
        }
        inherited = {**inherited, **{name: value for name, value in new.items() if name in INHERITED}}
        return written(shown), variables, inherited

    def _copy(self, node: Node, attributes: Markup, variables: Variables, inherited: Variables) -> Markup:
        """Return what a use shows: a copy of the element, or a frame around the content of a symbol."""
        used = self._by_id[node.attributes["href"].removeprefix("#")]
        if used.tag != "symbol":
            return element("g", attributes, self._element(used, variables, inherited))
        frame = written({"viewBox": used.attributes["viewBox"]})
        return element("svg", attributes + frame, self._within(used, variables, inherited))

    def _pattern(self, found: re.Match[str]) -> str:
        """Return a reference to a pattern of this picture, which is resolved where it was drawn."""
        name = found[1]
        if name not in self._patterns:
            node = self._by_id[name]
            attributes, variables, inherited = self._styled(node, self._variables_around(node), INHERITED)
            named = written({"id": f"{self._prefix}-{name}"})
            self._patterns[name] = element("pattern", named + attributes, self._within(node, variables, inherited))
        return f"url(#{self._prefix}-{name})"

    def _variables_around(self, node: Node) -> Variables:
        """Return the variables that hold around an element where it was drawn."""
        if node.parent is None:
            return {}
        return self._styled(node.parent, self._variables_around(node.parent), INHERITED)[1]


def element(tag: str, attributes: Markup, inside: Markup) -> Markup:
    """Write an element."""
    if not inside:
        return markup("<{tag}{attributes}/>", tag=tag, attributes=attributes)
    return markup("<{tag}{attributes}>{inside}</{tag}>", tag=tag, attributes=attributes, inside=inside)


def written(attributes: Mapping[str, str]) -> Markup:
    """Write attributes, each after a space."""
    return join(markup(' {name}="{value}"', name=name, value=value) for name, value in attributes.items())
