"""Queries that need no transaction around them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine


def for_single_queries(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine on the same pool for queries that each stand by themselves.

    Such a query is one message to PostgreSQL; with the begin and the end of a transaction it is three.
    """
    is_shared = engine.dialect.name == "postgresql"
    return engine.execution_options(isolation_level="AUTOCOMMIT") if is_shared else engine


def replace_closed(engine: AsyncEngine) -> None:
    """Have a pool of connections to PostgreSQL open another one for a closed one.

    A closed connection cannot be set to go without a transaction, and the driver's error about that is not translated.
    """

    def check(connection: Any, *_: object) -> None:
        if connection.driver_connection.closed:
            raise DisconnectionError

    if engine.dialect.name == "postgresql":
        event.listen(engine.sync_engine, "checkout", check)
