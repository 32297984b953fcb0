"""What is counted and measured in this process, for Prometheus; no label holds a name, an id of a table or a secret."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
THINKING = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 60.0)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)

REQUESTS = Counter(
    "sarai_requests", "Requests, by the pattern of their route.", ["method", "route", "status"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "sarai_request_seconds", "Time until an answer begins.", ["route"], buckets=QUICK, registry=REGISTRY
)
REFUSALS = Counter("sarai_refusals", "Requests that were refused, by reason.", ["reason"], registry=REGISTRY)
MOVES = Counter("sarai_moves", "Moves on disk, by game and by who made them.", ["game", "by"], registry=REGISTRY)
TABLES = Gauge("sarai_tables_loaded", "Tables in memory.", registry=REGISTRY)
STREAMS = Gauge("sarai_streams_open", "Streams that are open.", registry=REGISTRY)
HANDED_OVER = Counter(
    "sarai_handed_over", "Connections that were sent to the worker of their table.", registry=REGISTRY
)
BOT_WAIT_SECONDS = Histogram(
    "sarai_bot_wait_seconds", "Time that a bot's turn waits for a process.", buckets=THINKING, registry=REGISTRY
)
BOT_SECONDS = Histogram(
    "sarai_bot_think_seconds", "Time that a bot thinks about a move.", ["level"], buckets=THINKING, registry=REGISTRY
)
BOT_QUEUE = Gauge("sarai_bot_queue", "Bots' turns that wait for a process.", registry=REGISTRY)
BATCH_SIZE = Histogram("sarai_writer_batch_size", "Writes in one transaction.", buckets=SIZES, registry=REGISTRY)
BATCH_SECONDS = Histogram(
    "sarai_writer_batch_seconds", "Time until a transaction is on disk.", buckets=QUICK, registry=REGISTRY
)
STORAGE_FAILURES = Counter(
    "sarai_storage_failures", "What the database could not do, by reason.", ["reason"], registry=REGISTRY
)
WRITER_QUEUE = Gauge("sarai_writer_queue", "Writes that wait for the writer.", registry=REGISTRY)
LOOP_LAG = Gauge("sarai_loop_lag_seconds", "The longest that the event loop was late lately.", registry=REGISTRY)
LOOP_LAGS = Histogram(
    "sarai_loop_lag", "How late the event loop was, in seconds, twice a second.", buckets=QUICK, registry=REGISTRY
)
PREPARED = Gauge("sarai_game_prepared", "1 if a game can be played, compiled.", ["game"], registry=REGISTRY)
PREPARATION_STEPS = Gauge("sarai_game_steps_done", "Steps of a game's preparation.", ["game"], registry=REGISTRY)
