"""Queries that need no transaction around them."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine


def for_single_queries(engine: AsyncEngine) -> AsyncEngine:
    """Return an engine on the same pool for queries that each stand by themselves.

    Such a query is one message to PostgreSQL; with the begin and the end of a transaction it is three.
    """
    is_shared = engine.dialect.name == "postgresql"
    return engine.execution_options(isolation_level="AUTOCOMMIT") if is_shared else engine
