"""The database schema: an append-only log of events, and beside it what is needed to find tables and people."""

from sqlalchemy import Boolean, Column, Double, Index, Integer, LargeBinary, MetaData, String, Table, false, text, true

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("table_id", String(10), primary_key=True),
    Column("number", Integer, primary_key=True),  # two processes cannot write the same number: no lock is needed
    Column("body", LargeBinary, nullable=False),
    Column("person", String(22)),  # who asked for it, and by which key: asking twice does nothing twice
    Column("key", String(64)),
    Index("events_by_key", "table_id", "person", "key", unique=True),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(10), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("phase", String(10), nullable=False),  # "starting" too
    Column("open", Boolean, nullable=False),  # there is a free seat
    Column("number", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("due", Double),  # when the first clock runs out
    Column("bots", Boolean, nullable=False, server_default=false()),  # a bot is to act
    Column("summary", LargeBinary, nullable=False),
    Column("secret", String(64), nullable=False),  # of the dice; in the log only when the game is over
    Index("tables_by_phase", "phase", "public", "changed"),
    Index("tables_by_change", "changed"),
    Index("tables_by_due", "due"),
    Index("tables_by_bots", "id", postgresql_where=text("bots"), sqlite_where=text("bots")),
    # for the front page: public tables with a free seat are few among all that are kept
    Index(
        "tables_to_join",
        "changed",
        postgresql_where=text("open AND public"),
        sqlite_where=text("open = 1 AND public = 1"),
    ),
)

members = Table(
    "members",
    metadata,
    Column("person", String(22), primary_key=True),
    Column("table_id", String(10), primary_key=True),
    Column("told", Integer),  # the number of the last turn that a push message told the person of
)

people = Table(
    "people",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("language", String(8), nullable=False),
    Column("created", Double, nullable=False),
    Column("old_cookies", Boolean, nullable=False, server_default=true()),  # cookies that hold the id are accepted
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of what the cookie holds
    Column("person", String(22), nullable=False),
    Column("device", String(40), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),  # the day
    Index("sessions_by_person", "person"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", String(22), nullable=False),
    Column("until", Double, nullable=False),
)

settings = Table(
    "settings", metadata, Column("name", String(32), primary_key=True), Column("value", String(256), nullable=False)
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of the endpoint: a browser belongs to one person
    Column("person", String(22), nullable=False),
    Column("endpoint", String(1024), nullable=False),
    Column("p256dh", String(87), nullable=False),
    Column("auth", String(22), nullable=False),
    Column("created", Double, nullable=False),
    Column("failures", Integer, nullable=False),  # messages that did not arrive since one did
    Column("session", String(64)),  # that made it, and takes it along when it is ended
    Index("push_subscriptions_by_person", "person"),
)

processes = Table(
    "processes",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("kind", String(4), nullable=False),  # web or work
    Column("started", Double, nullable=False),
    Column("seen", Double, nullable=False),  # its last heartbeat
    Column("ended", Boolean, nullable=False),  # it was closed, and will not beat again
    Column("ahead", Double, nullable=False),  # seconds by which its time is ahead of the database's clock
)

bot_leases = Table(
    "bot_leases",
    metadata,
    Column("table_id", String(10), primary_key=True),
    Column("process", String(16), nullable=False),  # that thinks for the bots of this table
    Column("until", Double, nullable=False),  # unless it is renewed
)

mutes = Table(
    "mutes",
    metadata,
    Column("person", String(22), primary_key=True),
    Column("table_id", String(10), primary_key=True),
    Column("guest", Integer, primary_key=True),
    Column("on", Boolean, nullable=False),  # False: read again whom an old log says to be muted
)

news = Table(  # what other processes have to read again: all they know of a person, or a table
    "news",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("person", String(22)),
    Column("table_id", String(10)),
)

erasures = Table(  # people whose data is being erased; the row goes last
    "erasures",
    metadata,
    Column("person", String(22), primary_key=True),
    Column("stand_in", String(22), nullable=False),  # the id that takes the place of the person's
)
