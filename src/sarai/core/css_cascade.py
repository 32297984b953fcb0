"""Style sheets as pictures need them: rules, which elements they hold for, and colours worked out.

Only what the drawing rules of boards use is understood. Blocks of `@media` and the like are left out: a picture stands
by itself, on no screen. A pseudo-class of a state, such as `:hover`, never holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple
from weakref import ref
from xml.etree.ElementTree import Element

LIGHT, DARK = SCHEMES = ("light", "dark")

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SIMPLE = re.compile(r"(?P<kind>::?|[.#]|)(?P<name>\*|-?[a-zA-Z][\w-]*)|\[(?P<attribute>[^\]]*)\]")
FUNCTION = re.compile(r"\b(var|light-dark|color-mix)\(")
SHORT_HEX, LONG_HEX = 4, 7  # letters of #fff and of #ffffff


class Node:
    """An element of a tree that knows what stands around it, as long as the root is kept: it leaves no cycles."""

    def __init__(self, element: Element, parent: Node | None = None) -> None:
        self.tag, self.attributes = element.tag, element.attrib
        self.text, self.tail = element.text or "", element.tail or ""
        self._parent = None if parent is None else ref(parent)
        self.classes = frozenset(element.get("class", "").split())
        self.children = [Node(child, self) for child in element]

    @property
    def parent(self) -> Node | None:
        """The element in which this one stands, None for the root."""
        return None if self._parent is None else self._parent()

    def before(self) -> list[Node]:
        """Return the elements before this one among its parent's, the nearest first."""
        if self.parent is None:
            return []
        siblings = self.parent.children
        return siblings[: siblings.index(self)][::-1]

    def every(self) -> Iterator[Node]:
        """Yield this element and all within it."""
        yield self
        for child in self.children:
            yield from child.every()


class Specificity(NamedTuple):
    """How much a selector weighs against others: ids, then classes, then tags."""

    ids: int = 0
    classes: int = 0
    tags: int = 0


@dataclass
class Compound:
    """What a selector asks of one element."""

    tag: str = "*"
    id: str = ""
    classes: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str | None]] = field(default_factory=list)
    among: list[list[Selector]] = field(default_factory=list)  # :is
    without: list[list[Selector]] = field(default_factory=list)  # :not
    is_root: bool = False
    never: bool = False  # a state that a picture cannot be in

    def holds_for(self, node: Node) -> bool:
        """Tell whether an element is what is asked for."""
        if self.never or not self.classes <= node.classes or self.tag not in ("*", node.tag):
            return False
        if (self.id and node.attributes.get("id") != self.id) or (self.is_root and node.parent is not None):
            return False
        return (
            all(
                name in node.attributes if value is None else node.attributes.get(name) == value
                for name, value in self.attributes
            )
            and all(any(one.holds_for(node) for one in choice) for choice in self.among)
            and not any(one.holds_for(node) for choice in self.without for one in choice)
        )

    def specificity(self) -> Specificity:
        """Return what this part of a selector weighs."""
        inner = [max(one.specificity for one in choice) for choice in chain(self.among, self.without)]
        own = Specificity(bool(self.id), len(self.classes) + len(self.attributes) + self.is_root, self.tag != "*")
        return Specificity(*map(sum, zip(own, *inner, strict=True)))


class Selector:
    """A chain of compounds, the last being the element that is styled; before each of the others how they relate."""

    def __init__(self, text: str) -> None:
        self.compounds, self.relations = read_selector(text)
        self.specificity = Specificity(*map(sum, zip(*(one.specificity() for one in self.compounds), strict=True)))

    @property
    def key(self) -> str:
        """A class that every element has for which this may hold, "" if it names none."""
        return min(self.compounds[-1].classes, default="")

    def holds_for(self, node: Node) -> bool:
        """Tell whether the selector holds for an element."""
        return self._holds(len(self.compounds) - 1, node)

    def _holds(self, at: int, node: Node) -> bool:
        if not self.compounds[at].holds_for(node):
            return False
        if at == 0:
            return True
        relation = self.relations[at - 1]
        if relation in "+~":
            others = node.before()
            return any(self._holds(at - 1, other) for other in (others[:1] if relation == "+" else others))
        parent = node.parent
        while parent is not None:
            if self._holds(at - 1, parent):
                return True
            parent = parent.parent if relation == " " else None
        return False


def read_selector(text: str) -> tuple[list[Compound], list[str]]:
    """Read a selector: its compounds and the relations between them."""
    compounds, relations = [Compound()], list[str]()
    at = 0
    while at < len(text):
        if gap := re.compile(r"\s*([>+~])\s*|\s+").match(text, at):
            relations.append(gap[1] or " ")
            compounds.append(Compound())
            at = gap.end()
            continue
        found = SIMPLE.match(text, at)
        if found is None:
            raise ValueError(f"a selector that pictures do not understand: {text!r}")
        at = found.end()
        inside = None
        if text[at : at + 1] == "(":
            end = closing(text, at)
            inside, at = text[at + 1 : end], end + 1
        add_to(compounds[-1], found, inside)
    return compounds, relations


def add_to(compound: Compound, found: re.Match[str], inside: str | None) -> None:
    """Add one simple selector to a compound."""
    name = found["name"]
    if found["attribute"] is not None:
        attribute, equals, value = found["attribute"].partition("=")
        compound.attributes.append((attribute, value.strip("\"'") if equals else None))
    elif found["kind"] == ".":
        compound.classes.add(name)
    elif found["kind"] == "#":
        compound.id = name
    elif found["kind"] == "":
        compound.tag = name
    elif name in ("is", "not") and inside is not None:
        (compound.among if name == "is" else compound.without).append([Selector(one) for one in split(inside)])
    elif name == "root":
        compound.is_root = True
    else:
        compound.never = True


class Rule(NamedTuple):
    """What holds for the elements of a selector; `order` is its place in the style sheet."""

    selector: Selector
    order: int
    declarations: Mapping[str, str]


class StyleSheet:
    """The rules of some style sheets, one after the other."""

    def __init__(self, *texts: str) -> None:
        self._by_class: dict[str, list[Rule]] = {}
        for order, (prelude, body) in enumerate(chain.from_iterable(map(read_rules, texts))):
            declarations = dict(read_declarations(body))
            for text in split(prelude):
                selector = Selector(text)
                self._by_class.setdefault(selector.key, []).append(Rule(selector, order, declarations))

    def declarations_for(self, node: Node) -> dict[str, str]:
        """Return what holds for an element: of two rules that say something of the same, that of the weightier one."""
        keys = ["", *node.classes]
        holding = [rule for key in keys for rule in self._by_class.get(key, ()) if rule.selector.holds_for(node)]
        found: dict[str, str] = {}
        for rule in sorted(holding, key=lambda rule: (rule.selector.specificity, rule.order)):
            found |= rule.declarations
        return found


def read_rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule; what begins with @ is left out."""
    text = COMMENT.sub("", text)
    at = 0
    while (start := text.find("{", at)) >= 0:
        end = closing(text, start)
        prelude = text[at:start].strip()
        if not prelude.startswith("@"):
            yield prelude, text[start + 1 : end]
        at = end + 1


def read_declarations(body: str) -> Iterator[tuple[str, str]]:
    """Yield the properties of a rule and their values; a font as what it consists of."""
    for declaration in split(body, ";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font" and value != "inherit":
            yield from read_font(value)
        elif name:
            yield name, value


def read_font(value: str) -> Iterator[tuple[str, str]]:
    """Yield what a font consists of: its weight, its size, and the families."""
    found = re.fullmatch(r"(?:(\d+)\s+)?([\d.]+\w+)(?:/\S+)?\s+(.*)", value)
    if found is None:
        raise ValueError(f"a font that pictures do not understand: {value!r}")
    yield "font-weight", found[1] or "400"
    yield "font-size", found[2]
    yield "font-family", found[3]


def closing(text: str, start: int) -> int:
    """Return where the bracket closes that is open at `start`."""
    opened, closed = text[start], {"(": ")", "{": "}"}[text[start]]
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == opened) - (text[at] == closed)
        if depth == 0:
            return at
    raise ValueError(f"a bracket that is not closed: {text[start : start + 40]!r}")


def split(text: str, between: str = ",") -> list[str]:
    """Return the parts of a text between separators that stand outside of brackets."""
    parts, depth, last = list[str](), 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == between and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    return [*parts, text[last:].strip()]


# --- values -----------------------------------------------------------------------------------------------------------


def resolved(value: str, properties: Mapping[str, str], scheme: str) -> str:
    """Return a value with its variables filled in, and its colours chosen for a scheme and mixed."""
    while found := FUNCTION.search(value):
        end = closing(value, found.end() - 1)
        name, arguments = found[1], split(value[found.end() : end])
        if name == "var":
            inside = properties.get(arguments[0], ", ".join(arguments[1:]))
        elif name == "light-dark":
            inside = arguments[SCHEMES.index(scheme)]
        else:
            inside = mixed([resolved(argument, properties, scheme) for argument in arguments])
        value = value[: found.start()] + inside + value[end + 1 :]
    return value


def mixed(arguments: Sequence[str]) -> str:
    """Return the mixture of two colours: `in srgb`, one with its share, another."""
    space, first, second = arguments
    colour, _, share = first.rpartition(" ")
    if space != "in srgb" or not share.endswith("%"):
        raise ValueError(f"a mixture that pictures do not understand: {arguments}")
    part = float(share[:-1]) / 100
    channels = zip(channels_of(colour), channels_of(second), strict=True)
    return "#" + "".join(f"{round(one * part + other * (1 - part)):02x}" for one, other in channels)


def channels_of(colour: str) -> list[int]:
    """Return the red, green and blue of a colour."""
    colour = colour.strip()
    if len(colour) == SHORT_HEX:
        colour = "#" + "".join(letter * 2 for letter in colour[1:])
    if len(colour) != LONG_HEX or colour[0] != "#":
        raise ValueError(f"a colour that pictures do not understand: {colour!r}")
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
