"""People whose data is being erased: what was begun is finished, whatever happens in between."""

import sqlalchemy as sa
from alembic import op

revision = "erasures"
down_revision = "sessions"


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "erasures",
        sa.Column("person", sa.String(22), primary_key=True),
        sa.Column("stand_in", sa.String(22), nullable=False),
    )
