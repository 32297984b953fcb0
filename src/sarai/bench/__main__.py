"""`python -m sarai.bench`: the command `sarai bench` alone."""

import sys

import typer

import sarai
from sarai.bench.command import bench

try:
    typer.run(bench)
except sarai.Error as error:
    print(error, file=sys.stderr)
    sys.exit(2)
