"""The examples for hosting: systemd, nginx and Caddy take them, and all of them name what there is."""

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import typer.main

from sarai.cli import app
from sarai.web.live import stream as stream_module
from sarai.web.rate_limits_by_route import COSTS
from sarai.web.request_body import LARGEST_BODY
from served_house import ServedHouse

DEPLOY = Path(__file__).parent.parent / "deploy"
UNIT = (DEPLOY / "sarai.service").read_text(encoding="utf-8")


@pytest.mark.program
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / "sarai.service"
    unit.write_text(UNIT.replace("/opt/sarai/bin/sarai", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_uses_flags_and_variables_that_there_are():
    options = typer.main.get_command(app).commands["serve"].params
    flags = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    variables = {option.envvar for option in options} | {"SARAI_CACHE_DIR"}
    command = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1]
    assert set(re.findall(r"--[\w-]+", command)) <= flags
    assert set(re.findall(r"^Environment=(\w+)=", UNIT, re.MULTILINE)) <= variables
    assert "MemoryDenyWriteExecute=yes" not in UNIT, "compiled rules could not run"


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_passes_streams_on_and_has_limits(name):
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    assert "127.0.0.1:8080" in text
    assert ("proxy_buffering off;" in text) or ("reverse_proxy" in text and "flush_interval -1\n" not in text)
    kilobytes = int(re.search(r"(?:client_max_body_size|max_size) (\d+)k", text, re.IGNORECASE)[1])
    assert kilobytes * 1024 == LARGEST_BODY
    hosting = (DEPLOY.parent / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert f"../deploy/{name}" in hosting


# --- the proxies themselves -------------------------------------------------------------------------------------------

HOST = "play.example.org"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx here")
needs_caddy = pytest.mark.skipif(shutil.which("caddy") is None, reason="there is no Caddy here")


def make_certificate(folder):
    """Write a certificate that nobody vouches for, and its key."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(1)).sign(key, hashes.SHA256())
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "fullchain.pem").write_bytes(made.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return opened.getsockname()[1]


def caddy(folder, house_port):
    """Return the command that runs Caddy with our file, without HTTPS and with its ports changed, and its address."""
    text, port = (DEPLOY / "Caddyfile").read_text(encoding="utf-8"), free_port()
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{house_port}").replace(
        f"\n{HOST} {{", f"\nhttp://{HOST}:{port} {{"
    )
    (folder / "Caddyfile").write_text(text.replace("\n{\n", "\n{\n\tadmin off\n", 1), encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], f"http://127.0.0.1:{port}"


def nginx(folder, house_port, *more):
    """Return the command that runs nginx with our file, with its ports and its certificate changed, and its address."""
    make_certificate(folder)
    text, http, https = (DEPLOY / "nginx.conf").read_text(encoding="utf-8"), free_port(), free_port()
    text = text.replace(f"/etc/letsencrypt/live/{HOST}", str(folder)).replace(
        "127.0.0.1:8080", f"127.0.0.1:{house_port}"
    )
    text = re.sub(r"listen (\[::\]:)?80;", lambda found: f"listen {found[1] or ''}{http};", text)
    text = re.sub(r"listen (\[::\]:)?443 ssl;", lambda found: f"listen {found[1] or ''}{https} ssl;", text)
    assert "/etc/letsencrypt" not in text and text.count(f"{https} ssl;") == 2
    folders = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    around = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\nhttp {{\n{folders}{text}\n}}\n"
    (folder / "nginx.conf").write_text(around, encoding="utf-8")
    command = ["nginx", "-p", str(folder), "-e", f"{folder}/errors", "-c", str(folder / "nginx.conf"), *more]
    return command, f"https://127.0.0.1:{https}"


@pytest.mark.program
@needs_nginx
def test_nginx_takes_the_file(tmp_path):
    command, _ = nginx(tmp_path, 8080, "-t")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"\[(warn|error|emerg)\]", done.stderr + (tmp_path / "errors").read_text()), done.stderr


@pytest.mark.program
@needs_caddy
def test_caddy_takes_the_file(tmp_path):
    file = tmp_path / "Caddyfile"
    shutil.copy(DEPLOY / "Caddyfile", file)
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    for command in (["validate", "--adapter", "caddyfile", "--config"], ["fmt", "--diff"]):
        done = subprocess.run(
            ["caddy", *command, str(file)], capture_output=True, text=True, check=False, env=environment
        )
        assert done.returncode == 0, done.stderr
        assert not re.search(r'"level":"(warn|error)"', done.stderr), done.stderr


class Through:
    """Somebody who comes through the proxy from an address of this machine."""

    def __init__(self, proxy, address):
        unverified = ssl.create_default_context()
        unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
        self.http = httpx.Client(
            base_url=proxy,
            transport=httpx.HTTPTransport(verify=unverified, local_address=address),
            headers={"host": HOST, "origin": f"https://{HOST}"},
            timeout=60,
        )
        self.cookie = {}

    def name(self, name, **headers):
        answer = self.http.post("/api/me", json={"name": name}, headers=headers)
        self.http.cookies.clear()
        self.cookie = {"cookie": answer.headers.get("set-cookie", "").partition(";")[0]}
        return answer

    def post(self, path, body):
        return self.http.post(path, json=body, headers=self.cookie)


def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_open(address):
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0


@contextlib.contextmanager
def proxied(folder, proxy):
    with ServedHouse(folder, proxies=["127.0.0.1"], public_url=f"https://{HOST}") as house:
        house.house.limiter._now = lambda: 1000.0  # nothing comes back, however long a busy machine takes
        command, address = proxy(folder, house.port)
        environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as process:
            try:
                until(lambda: is_open(address) or process.poll() is not None)
                assert process.poll() is None
                yield house.house, address
            finally:
                process.terminate()


@pytest.mark.program
@pytest.mark.parametrize("proxy", [pytest.param(nginx, marks=needs_nginx), pytest.param(caddy, marks=needs_caddy)])
def test_through_a_proxy_streams_are_not_held_back_and_limits_are_by_the_visitors_address(tmp_path, proxy, monkeypatch):
    monkeypatch.setattr(stream_module, "HEARTBEAT", 1000.0)  # the house sends nothing by which it would notice
    with proxied(tmp_path, proxy) as (house, address), contextlib.ExitStack() as left:
        ada, eve, other = (Through(address, f"127.0.0.{number}") for number in (5, 6, 7))
        for person in (ada, eve, other):
            left.enter_context(person.http)
        assert "__Host-sarai=" in ada.name("Ada").headers["set-cookie"]
        table = ada.post("/api/tables", {"game": "sixnimmt", "players": 2}).json()["id"]
        with ada.http.stream("GET", f"/tables/{table}/stream", headers=ada.cookie) as stream:
            parts = stream.iter_text()
            while "gathering" not in next(parts):  # what there is at first
                pass
            said = ada.post(f"/api/tables/{table}/act", {"command": {"type": "Chat", "text": "marzipan"}, "key": "1"})
            assert said.status_code == 200
            while "marzipan" not in next(parts):  # it would wait for the end of the stream
                pass
            assert house.rooms.find(table).watches
        until(lambda: not house.rooms.find(table).watches)  # that a page was closed is passed on, too
        allowed = COSTS["new person"].address.most
        answers = [eve.name(f"Eve {number}", **{"x-forwarded-for": f"9.9.9.{number}"}) for number in range(allowed + 1)]
        assert {answer.status_code for answer in answers[:-1]} == {201}
        assert (answers[-1].status_code, answers[-1].json()["reason"]) == (429, "too_much"), "whatever it claims"
        assert other.name("Other").status_code == 201
        large = {"game": "x" * LARGEST_BODY}
        with ada.http.stream("POST", "/api/tables", json=large, headers=ada.cookie) as answer:  # Caddy may cut its body
            refused = answer.status_code
        assert refused == 413 or (proxy is caddy and refused == 502), "Caddy 2.6 has no better word for it"
