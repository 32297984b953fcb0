"""A partial index of public tables with a free seat: the front page lists them."""

import sqlalchemy as sa
from alembic import op

revision = "tables_to_join"
down_revision = "left_of_erased"


def upgrade() -> None:
    """Add it."""
    op.create_index(
        "tables_to_join",
        "tables",
        ["changed"],
        postgresql_where=sa.text("open AND public"),
        sqlite_where=sa.text("open = 1 AND public = 1"),
    )
