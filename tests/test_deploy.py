"""The examples for hosting: the unit is one that systemd takes, and all of them name what there is."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from sarai.cli import app
from sarai.web.security import LARGEST_BODY

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
    assert ("proxy_buffering off;" in text) or ("flush_interval -1" in text)
    kilobytes = int(re.search(r"(?:client_max_body_size|max_size) (\d+)k", text, re.IGNORECASE)[1])
    assert kilobytes * 1024 == LARGEST_BODY
    hosting = (DEPLOY.parent / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert f"../deploy/{name}" in hosting
