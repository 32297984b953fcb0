"""How far the time of each process is ahead of the database's clock."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Add it."""
    op.add_column("processes", sa.Column("ahead", sa.Double, nullable=False, server_default="0"))
