"""Run by Alembic: bring the database, on the connection that is given, up to date."""

from alembic import context

from sarai.table.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
