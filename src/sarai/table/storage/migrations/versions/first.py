"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make everything."""
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(10), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("person", sa.String(22)),
        sa.Column("key", sa.String(64)),
    )
    op.create_index("events_by_key", "events", ["table_id", "person", "key"], unique=True)
    op.create_table(
        "tables",
        sa.Column("id", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "public", "changed"])
    op.create_index("tables_by_change", "tables", ["changed"])
    op.create_index("tables_by_due", "tables", ["due"])
    op.create_table(
        "members",
        sa.Column("person", sa.String(22), primary_key=True),
        sa.Column("table_id", sa.String(10), primary_key=True),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(256), nullable=False),
    )
