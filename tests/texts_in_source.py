"""Finding in the source what catalogs cannot translate: texts put together, and texts that are not said at all."""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import sarai

PACKAGE = Path(sarai.__file__).parent
SAYING = ("say", "say_message")
SPOKEN = ("aria-label", "aria-description", "title", "alt", "placeholder", "data-done", "data-turn", "data-ask")
SILENT = ("code", "script", "style", "kbd")
LETTERS = re.compile(r"[^\W\d_]{2,}")  # a word; single letters name camels, dice and sheets
NOT_TEXT = re.compile(r"\{[^{}]*\}|&\w+;|\bSarai\b|\bSHA-256\b")
LABELLING = {"Prompt": (0, 1), "Pick": (1,), "button": (0,), "pop": (0,)}  # functions, and which arguments people read
TERMINAL = ("tell", "ask", "ask_number")  # what a person is told in the terminal
SPOKEN_CODE = ("web", "games", "core", "table", "cli")
ENGLISH_COMMANDS = ("cli/warm.py", "cli/tables.py", "cli/database.py", "cli/games.py", "cli/verify.py", "cli/arena.py")
ATTRIBUTES = re.compile(r"\{% block (?:body_class|main_attributes) %\}.*?\{% endblock %\}", re.DOTALL)
STRING = r""""[^"]*"|'[^']*'|[^"']"""  # in an expression of Jinja; an ICU message in it may have double braces, too
JINJA = re.compile(rf"\{{\{{(?:{STRING})*?\}}\}}|\{{%(?:{STRING})*?%\}}|\{{#.*?#\}}", re.DOTALL)
PHYSICAL = re.compile(
    r"(?:^|[;{\s])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|(?:left|right)\s*:|"
    r"border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)"
)


def source_files():
    """Return the modules that may speak to people."""
    files = (path for folder in SPOKEN_CODE for path in (PACKAGE / folder).rglob("*.py"))
    return sorted(path for path in files if "storage" not in path.parts)  # its texts are SQL


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def called(node):
    """Return the name of the function that a node calls, "" if it is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


# --- texts put together -------------------------------------------------------------------------------------------


class Glue(ast.NodeVisitor):
    """Finds where the result of `say` becomes a part of another text, in one module."""

    def __init__(self, tree):
        self.found, self.said = [], set()
        for node in ast.walk(tree):  # names and attributes that hold what was said
            if isinstance(node, ast.Assign) and self.is_said(node.value):
                self.said |= {self.label(target) for target in node.targets}
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value and self.is_said(node.value):
                self.said.add(self.label(node.target))
        self.said.discard("")
        self.visit(tree)

    @staticmethod
    def label(node):
        return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

    def is_said(self, node):
        """Say whether an expression is, or holds, what was said."""
        if isinstance(node, ast.IfExp):
            return self.is_said(node.body) or self.is_said(node.orelse)
        if isinstance(node, ast.BoolOp):
            return any(map(self.is_said, node.values))
        if isinstance(node, ast.List | ast.Tuple):
            return any(map(self.is_said, node.elts))
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_said(node.elt)
        if isinstance(node, ast.Starred | ast.Subscript):
            return self.is_said(node.value)
        return called(node) in SAYING or self.label(node) in self.said

    def note(self, node, what):
        self.found.append((node.lineno, what))
        self.generic_visit(node)

    def visit_BinOp(self, node):
        is_text = isinstance(node.op, ast.Add | ast.Mod) and not isinstance(node.left, ast.List)
        if is_text and (self.is_said(node.left) or self.is_said(node.right)):
            return self.note(node, "an operand")
        return self.generic_visit(node)

    def visit_FormattedValue(self, node):
        return self.note(node, "in an f-string") if self.is_said(node.value) else self.generic_visit(node)

    def visit_Call(self, node):
        name, on = called(node), node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "format" and on is not None and not is_text(on) and node.keywords:
            return self.note(node, ".format")
        if name == "replace" and on is not None and self.is_said(on):
            return self.note(node, ".replace")
        if name == "join" and on is not None and any(map(self.is_said, [on, *node.args])):
            return self.note(node, "joined")
        if name == "phrase":
            return self.note(node, "phrase")
        if name in SAYING and any(called(word.value) in SAYING for word in node.keywords):
            return self.note(node, "said inside what is said")
        return self.generic_visit(node)


def glued(source):
    """Return where a module puts texts together from what was said: lines and how."""
    return Glue(ast.parse(source)).found


# --- texts that are not said --------------------------------------------------------------------------------------


class Words(HTMLParser):
    """Collects the texts of a piece of markup that people read or hear."""

    def __init__(self):
        super().__init__()
        self.texts, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in SILENT
        self.texts += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag):
        self.silent -= tag in SILENT

    def handle_data(self, data):
        if not self.silent:
            self.texts.append(data)


def words_in(markup):
    """Return the texts of a template of markup that hold words of their own."""
    reader = Words()
    reader.feed(markup)
    reader.close()
    return [text.strip() for text in reader.texts if LETTERS.search(NOT_TEXT.sub("", text))]


def unsaid(source, file=""):
    """Return texts of a module that people read and that are not said: lines and texts."""
    found = []
    for node in ast.walk(ast.parse(source)):
        name = called(node)
        if name.lower() == "markup" and node.args and is_text(node.args[0]) and "<" in node.args[0].value:
            found += [(node.lineno, text) for text in words_in(node.args[0].value)]
        elif name in LABELLING and isinstance(node.func, ast.Name) and not (name == "button" and "games/" in file):
            read = [node.args[at] for at in LABELLING[name] if at < len(node.args)]
            found += [(node.lineno, text) for text in written_out(read)]
        elif name in TERMINAL and file not in ENGLISH_COMMANDS:
            found += [(node.lineno, text) for text in written_out(node.args[:1])]
    return found


def written_out(nodes):
    """Return the texts with words that stand in expressions themselves."""
    found = []
    for node in nodes:
        if is_text(node) and LETTERS.search(node.value):
            found.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            found += written_out(node.values)
        elif isinstance(node, ast.BinOp):
            found += written_out([node.left, node.right])
        elif isinstance(node, ast.IfExp):
            found += written_out([node.body, node.orelse])
    return found


def glued_in_template(source):
    """Return where a page's template puts texts together."""
    return re.findall(r"\.format\(|\bsay\([^()]*\)\s*~|~\s*say\(", source)


def unsaid_in_template(source):
    """Return the texts of a page's template that are not said."""
    return words_in(JINJA.sub("", ATTRIBUTES.sub("", source)))


def physical_directions(css):
    """Return the lines where CSS says left or right instead of start or end."""
    without = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), css, flags=re.DOTALL)
    return [number for number, line in enumerate(without.splitlines(), 1) if PHYSICAL.search(line)]
