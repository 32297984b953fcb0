"""`python -m sarai.bench`: the command without the house's other commands."""

import sys

import typer

import sarai
from sarai.bench.command import bench

try:
    typer.run(bench)
except sarai.Error as error:
    print(error, file=sys.stderr)
    sys.exit(2)
