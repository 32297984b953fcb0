"""Triggers and views in a SQLite file that are not ours, and a newer version's tables: found, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import alembic.config
import alembic.script
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from sarai.core.errors import Error
from sarai.table.storage import schema
from sarai.table.storage.failures import MOVED

ACTIONS = ("INSERT", "UPDATE", "DELETE")
CLOSED = "CREATE TRIGGER {also}moved_{table}_{name} BEFORE {action} ON {table} BEGIN SELECT RAISE(ABORT, '{said}'); END"


class Foreign(NamedTuple):
    """Something in a SQLite file that would be run by our own statements: a `trigger` or a `view`."""

    kind: str
    name: str


def closing_trigger(table: str, action: str, also: str = "") -> str:
    """Return the statement that makes a trigger of a SQLite database that was moved."""
    return CLOSED.format(also=also, table=table, name=action.lower(), action=action, said=MOVED)


def foreign_parts(connection: Connection) -> list[Foreign]:
    """Return the triggers and views of a SQLite file that are not ours."""
    if connection.dialect.name != "sqlite":
        return []
    ours = {closing_trigger(table.name, action) for table in schema.metadata.sorted_tables for action in ACTIONS}
    found = connection.execute(text("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"))
    return [Foreign(kind, name) for kind, name, sql in found if sql not in ours]


def drop_foreign_parts(connection: Connection) -> None:
    """Take out what is not ours."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    for kind, name in foreign_parts(connection):
        connection.exec_driver_sql(f"DROP {kind.upper()} {quote(name)}")


def migrations(connection: Connection) -> alembic.config.Config:
    """Return the settings by which Alembic migrates a database."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def is_newer(connection: Connection) -> bool:
    """Say whether a database was migrated to a version that this program does not know."""
    script = alembic.script.ScriptDirectory.from_config(migrations(connection))
    known = {revision.revision for revision in script.walk_revisions()}
    return not known.issuperset(MigrationContext.configure(connection).get_current_heads())


def require_known(connection: Connection) -> None:
    """Refuse a database of a newer version."""
    if is_newer(connection):
        raise Error("database_newer")
