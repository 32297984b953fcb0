# Each target makes .venv and installs what it needs on a fresh machine; a second run starts at once.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
ARGS ?=

.PHONY: run test lint pictures bench clean
.DEFAULT_GOAL := run

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Sarai needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

.venv/.run: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Sarai …"
	@$(PIP) --editable .
	@touch $@

.venv/.test: .venv/.run
	@echo "Installing what the tests need …"
	@$(PIP) --editable '.[dev,research,cluster]'
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name > /dev/null && exit 0; done; \
		echo "Installing a browser for the tests …"; (apt-get update -qq && apt-get install -y -qq chromium) > /dev/null 2>&1 || $(BIN)/playwright install chromium
	@touch $@

run: .venv/.run
	@$(BIN)/sarai $(ARGS)

lint: .venv/.test
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

# The rules uncompiled, for branch coverage; then everything compiled with bounds checked, kernels warmed before two workers start.
test: lint
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -q -m "not program" --ignore tests/test_cli.py --ignore tests/test_bench.py --ignore-glob "tests/test_web_*" --ignore-glob "tests/test_browser_*" --cov --cov-report=term --cov-fail-under=97
	NUMBA_BOUNDSCHECK=1 $(BIN)/sarai warm
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n 2 -v

# Pictures of all tables, as they are now, for the documents.
pictures: .venv/.test
	SARAI_PICTURES=docs/pictures $(BIN)/pytest -q tests/test_browser_pictures.py

bench: .venv/.test
	@$(BIN)/python -m sarai.bench $(ARGS)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
