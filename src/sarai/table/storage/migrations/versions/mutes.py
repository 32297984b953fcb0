"""Whom people do not read, and what other processes have to read again."""

import sqlalchemy as sa
from alembic import op

revision = "mutes"
down_revision = "5"


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "mutes",
        sa.Column("person", sa.String(22), primary_key=True),
        sa.Column("table_id", sa.String(10), primary_key=True),
        sa.Column("guest", sa.Integer, primary_key=True),
        sa.Column("on", sa.Boolean, nullable=False),
    )
    op.create_table(
        "news",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("person", sa.String(22)),
        sa.Column("table_id", sa.String(10)),
    )
