"""What a monitor is told: health, readiness, metrics and log lines, none of them with a name, an id or a secret."""

import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from sarai.table.person import Person
from sarai.web.app import make_app
from sarai.web.log_lines import CONSEQUENCES, LOGGERS, MOST_ALIKE, JsonLines, PlainLines, set_up_log
from sarai.web.monitoring import TOO_LATE

METRICS = "http://127.0.0.1:9"
ROOT = Path(__file__).parents[2]


def monitor(house):
    """Return a client that asks at the port for metrics."""
    app = make_app(house.site, metrics_port=9)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=METRICS)


async def measured(client):
    answer = await client.get("/metrics")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_health_and_readiness(web):
    async def go(house):
        ann = house.visitor()
        assert (await ann.get("/health")).text == "ok\n"
        assert ((await ann.get("/ready")).status_code, (await ann.get("/ready")).json()) == (
            200,
            {"ready": True, "reason": None, "writing": "ok"},
        )
        house.site.monitoring.lag.note(TOO_LATE + 1)
        late = await ann.get("/ready")
        assert (late.status_code, late.json()["reason"]) == (503, "loop_blocked")
        for _ in range(20):
            house.site.monitoring.lag.note(0.0)
        assert (await ann.get("/ready")).status_code == 200, "it keeps up again"
        engine, house.house.store.engine = house.house.store.engine, BrokenEngine()
        away = await ann.get("/ready")
        assert (away.status_code, away.json()) == (503, {"ready": False, "reason": "database_away", "writing": "ok"})
        assert (await ann.get("/health")).status_code == 200
        house.house.store.engine = engine

    web(go)


class BrokenEngine:
    def connect(self):
        raise OSError("no such host")


def test_metrics_count_requests_moves_writes_and_refusals(web):
    async def go(house):
        async with monitor(house) as client:
            before = await measured(client)
            ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
            table = await house.playing(ann, bo)
            move = (await ann.sees(table))["moves"][0]
            assert (await ann.act(table, {"type": "Move", "move": move})).status_code == 200
            assert (await ann.act(table, {"type": "Move", "move": 9999})).status_code == 422
            after = await measured(client)

        def grown(name, **labels):
            key = (name, *sorted(labels.items()))
            return after[key] - before.get(key, 0)

        act = {"method": "POST", "route": "/api/tables/{id}/act"}
        assert grown("sarai_requests_total", **act, status="422") == 1
        assert grown("sarai_requests_total", **act, status="200") == 3  # sit, start, move
        assert grown("sarai_request_seconds_count", route="/api/tables/{id}/act") == 4
        assert grown("sarai_moves_total", game="sixnimmt", by="person") == 1
        assert grown("sarai_refusals_total", reason="unknown_move") == 1
        assert grown("sarai_writer_batch_seconds_count") >= 3
        assert after[("sarai_tables_loaded",)] == 1
        assert after[("sarai_game_prepared", ("game", "sixnimmt"))] == 1
        for name in ("sarai_streams_open", "sarai_bot_queue", "sarai_writer_queue", "sarai_loop_lag_seconds"):
            assert (name,) in after

    web(go)


def test_metrics_are_for_this_machine_only(web):
    async def go(house):
        assert (await house.visitor().get("/metrics")).status_code == 404
        app = make_app(house.site, metrics_port=9)
        public = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://house.test:8080")
        async with public, monitor(house) as client:
            assert (await public.get("/metrics", headers={"host": "127.0.0.1:9"})).status_code == 404
            assert (await client.get("/health")).text == "ok\n"
            assert (await client.get("/ready")).status_code == 200
            assert (await client.get("/api/games")).status_code == 404, "and it serves no pages"

    web(go)


NAMES = ("Wilhelmina", "Xanthippe")
TALK = "marzipan"


async def evening(house):
    """Do what people do, and what goes wrong; return everything that must be in no metric and in no line."""
    people = [await house.visitor().named(name) for name in NAMES]
    table = await house.playing(*people)
    await people[0].act(table, {"type": "Chat", "text": TALK})
    token = (await people[0].post("/api/me/link", {})).json()["token"]
    assert (await people[1].get(f"/come/{token}")).status_code == 200
    await people[0].get(f"/nothing/{TALK}?{TALK}")

    async def fail(*_, **__):
        raise ValueError(f"{NAMES[0]} {TALK} {table} {token}")

    house.house.sessions.redeem = house.house.table = house.house.rooms.get = fail
    for path in (f"/tables/{table}", f"/api/tables/{table}"):
        assert (await people[0].get(path)).status_code == 500
    assert (await people[0].form(f"/come/{token}")).status_code == 500
    cookies = [cookie for person in people for cookie in person.http.cookies.values()]
    return [*NAMES, TALK, token, table, *cookies, *(cookie.partition(".")[0] for cookie in cookies)]


def test_no_metric_holds_a_name_an_id_or_a_secret(web):
    async def go(house):
        async with monitor(house) as client:
            secrets = await evening(house)
            text = (await client.get("/metrics")).text
        assert [secret for secret in secrets if secret in text] == []
        assert 'route="/come/{token}"' in text

    web(go)


@pytest.fixture(params=["json", "plain"])
def lines(request):
    """What is logged, as it is written."""
    before = {name: (logging.getLogger(name).handlers, logging.getLogger(name).propagate) for name in LOGGERS}
    set_up_log(request.param)
    written = io.StringIO()
    logging.getLogger("sarai").handlers[0].setStream(written)
    yield request.param, written
    for name, (handlers, propagate) in before.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(logging.NOTSET)
    for name in ("sarai.requests", *CONSEQUENCES):
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_no_line_holds_a_name_an_id_or_a_secret(web, lines):
    form, written = lines

    async def go(house):
        return await evening(house)

    secrets, text = web(go), written.getvalue()
    assert [secret for secret in secrets if secret in text] == []
    assert "ValueError" in text and "test_monitoring.py" in text, "where it went wrong is told"
    if form == "json":
        told = [json.loads(line) for line in text.splitlines()]
        assert all({"time", "level", "logger", "message"} <= set(line) for line in told)
        requests = [line for line in told if line["logger"] == "sarai.requests"]
        assert {"method": "POST", "route": "/come/{token}", "status": 500}.items() <= requests[-1].items()
        errors = [line for line in told if line["level"] == "error"]
        assert errors and all(line["error"] == "ValueError" and line["places"] for line in errors)
    else:
        assert "/come/{token}" in text and "request" not in text.split("sarai.requests")[1:]


@pytest.mark.parametrize("lines_of", [JsonLines, PlainLines])
def test_what_asyncio_quotes_is_left_out(lines_of):
    person = Person("secret-id", "Wilhelmina", "en")
    quoted = f"Task exception was never retrieved\nfuture: <Task exception=ValueError({person!r})>"
    record = logging.LogRecord("asyncio", logging.ERROR, "", 1, quoted, (), None)
    text = lines_of().format(record)
    assert "never retrieved" in text and "Wilhelmina" not in text and "secret-id" not in text


def test_what_a_driver_says_of_a_lost_connection_is_not_told_beside_the_error(lines):
    form, written = lines
    logging.getLogger("psycopg").warning("error ignored terminating %r: %s", "pipeline", "the connection is lost")
    logging.getLogger("sqlalchemy.pool.impl.QueuePool").error("Exception during reset or similar")
    logging.getLogger("sqlalchemy.engine").error("something else")
    (line,) = written.getvalue().splitlines()
    assert "something else" in (json.loads(line)["message"] if form == "json" else line)


def test_the_same_is_not_written_without_end(lines):
    _, written = lines

    def log(at, text, *args):
        record = logging.LogRecord("sarai.web", logging.ERROR, "", 1, text, args, None)
        record.created = at
        logging.getLogger("sarai").handlers[0].handle(record)

    for number in range(500):
        log(1000.0 + number / 100, "%s %s", "GET", f"/{number}")
        log(1000.0 + number / 100, "something else")
    assert len(written.getvalue().splitlines()) == 2 * MOST_ALIKE
    log(1061.0, "%s %s", "GET", "/")
    assert f"GET / (and {500 - MOST_ALIKE} more like this before)" in written.getvalue().splitlines()[-1]


# `sarai work` without bots: its metrics are served as long as it works
WORK = """
from quick_bots import QuickBots
from sarai.cli import main
from sarai.web import bot_only_server

class NoProcesses(QuickBots):
    def __init__(self, *_, **__): pass
    def start(self): pass
    async def close(self): pass

async def nothing(house): pass

bot_only_server.BotPool, bot_only_server.prepare_all = NoProcesses, nothing
main()
"""


@pytest.mark.program
def test_a_process_that_thinks_for_bots_serves_metrics_too(postgres):
    postgres.psql("CREATE DATABASE thinking")
    port, paths = free_port(), os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    more = ["work", "--db", postgres.get_uri(database="thinking"), "--metrics-port", str(port)]
    with subprocess.Popen(
        [sys.executable, "-c", WORK, *more],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            assert "Thinking for the bots" in process.stdout.readline()
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=httpx.HTTPTransport(retries=5)) as client:
                assert "sarai_bot_think_seconds" in client.get("/metrics").text
                assert client.get("/ready").json() == {"ready": True, "reason": None, "writing": "ok"}
                assert client.get("/").status_code == 404, "and it serves no pages"
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        finally:
            process.kill()


@pytest.mark.program
def test_the_program_serves_metrics_at_a_port_of_their_own(tmp_path):
    command = [sys.executable, "-c", "from sarai.cli import main; main()", "serve", "--no-browser", "--port", "0"]
    with httpx.Client() as client:
        port = free_port()
        more = ["--metrics-port", str(port), "--log-format", "json", "--data-dir", str(tmp_path)]
        process = subprocess.Popen(
            [*command, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            address = re.search(r"http://\S+", process.stdout.readline())[0]
            assert client.get(f"{address}/metrics").status_code == 404
            assert "sarai_requests_total" in client.get(f"http://127.0.0.1:{port}/metrics").text
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            assert {"route": "none", "status": 404}.items() <= json.loads(errors.splitlines()[0]).items()
        finally:
            process.kill()


def free_port():
    from sarai.web.serve import listen

    with listen("127.0.0.1", 0) as opened:
        return opened.getsockname()[1]


@pytest.mark.parametrize(
    ("reason", "status", "passes"),
    [("disk_full", 507, False), ("disk_read_only", 503, False), ("database_busy", 503, True)],
)
def test_people_are_told_why_nothing_can_be_written_and_pages_go_on(web, reason, status, passes):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo)
        move = (await ann.sees(table))["moves"][0]
        writer = house.house.store.writer
        write, writer.transactions.write = writer.transactions.write, failing(reason)
        answer = await ann.act(table, {"type": "Move", "move": move}, key="one")
        assert (answer.status_code, answer.json()["reason"]) == (status, reason) and answer.json()["sentence"]
        page = await ann.form(f"/tables/{table}/act", {"type": "Move", "move": str(move)})
        assert page.status_code == status and answer.json()["sentence"] in page.text
        assert ("refresh" in page.headers) == ("retry-after" in answer.headers) == passes
        for path in ("/", f"/tables/{table}", f"/api/tables/{table}", "/api/me/tables", "/mine"):
            assert (await ann.get(path)).status_code == 200, path
        assert (await bo.get("/ready")).json() == {"ready": True, "reason": None, "writing": reason}
        writer.transactions.write = write
        assert (await ann.act(table, {"type": "Move", "move": move}, key="one")).status_code == 200
        assert (await bo.get("/ready")).json()["writing"] == "ok"

    web(go)


def failing(reason):
    from sarai.table.storage.failures import StorageFailed

    async def write(*_):
        raise StorageFailed(reason)

    return write
