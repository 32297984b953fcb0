"""Leases of processes that think for bots, and at which tables a bot is to act."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Add them; tables of before are found when somebody opens them."""
    op.create_table(
        "bot_leases",
        sa.Column("table_id", sa.String(10), primary_key=True),
        sa.Column("process", sa.String(16), nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.add_column("tables", sa.Column("bots", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("tables_by_bots", "tables", ["id"], postgresql_where=sa.text("bots"), sqlite_where=sa.text("bots"))
