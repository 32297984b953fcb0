"""A person at the keyboard of the program, for its tests."""

import io
import re
from random import Random

ROUND = ("--option", "rounds=1")
PASS = "Pass the keyboard to "


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self):
        return True


def plain(text):
    """Return a text without its colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)


class Person:
    """Reads the screen and answers: first the lines of a script, then Enter or a move from the list."""

    def __init__(self, script=(), forever=True):
        self.script = list(script)
        self.forever = forever
        self.screen = None
        self.rng = Random(1)
        self.read = 0

    def isatty(self):
        return False

    def readline(self, limit):
        self.screen.seek(self.read)
        seen, self.read = plain(self.screen.read()), self.screen.tell()
        if self.script and PASS not in seen[-80:]:
            line = self.script.pop(0)
            if isinstance(line, BaseException):
                raise line
            return line + "\n"
        if not self.forever:
            return ""
        if "(? h q)" not in seen.splitlines()[-1]:  # a move is asked for, in any language
            return "\n"
        if seen.splitlines()[0] != "?":  # the list of moves comes right after its own echo
            return "?\n"
        return self.rng.choice([line.split()[0] for line in seen.splitlines()[1:-1]]) + "\n"


def sentences(text):
    """Return the lines of an error output, leaving out what the compiler announces."""
    return [line for line in text.splitlines() if not line.startswith("Compiling the rules")]
