"""What people typed or chose in a form, read and checked."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sarai.table import commands
from sarai.table.refusals import Refused
from sarai.table.text_checks import clean


def read_name(raw: object) -> str:
    """Return a name as it is shown; refuse one that is empty, too long, has markup or invisible characters."""
    name = clean(raw if isinstance(raw, str) else "", "name")
    if set("<>") & set(name):
        raise Refused("name_markup")
    return name


def command_from(fields: Mapping[str, str]) -> commands.Command:
    """Read a command from a form, where everything is text."""
    given = {name: value for name, value in fields.items() if name not in ("number", "key")}
    try:
        command: commands.Command = msgspec.convert(given, commands.Command, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("bad_form", why=str(error)) from None
    return command
