"""Sessions of people's browsers; cookies of before, which held a person's id, are good until that person ends them."""

import sqlalchemy as sa
from alembic import op

revision = "sessions"
down_revision = "mutes"


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_index("sessions_by_person", "sessions", ["person"])
    op.add_column("people", sa.Column("old_cookies", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("push_subscriptions", sa.Column("session", sa.String(64)))
