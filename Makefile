# Each target makes .venv and installs what it needs on a fresh machine; a second run starts at once.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
ARGS ?=
UNCOMPILED := NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -m "not program and not compiled" tests/core tests/games tests/cli/test_odds.py \
	tests/web/test_animation.py tests/web/test_score_sheet.py
# Two goals at a time; what each says comes in one piece.
BOTH := $(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: run test quick lint rules uncompiled kernels compiled soak pictures bench clean
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
	@$(PIP) --editable '.[dev,research,cluster,push]'
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

# Everything that a change must keep, in at most 12 minutes on two cores.
test: .venv/.run
	@$(BOTH) uncompiled kernels lint
	@$(MAKE) --no-print-directory compiled

# What is most often wrong after a change, in at most 90 seconds.
quick: .venv/.test
	@$(BOTH) rules lint

# The tests of rules and texts without the compiler, which they need not wait for.
rules: .venv/.test
	$(UNCOMPILED) -n 2

# The same, and how much of the rules they cover.
uncompiled: .venv/.test
	$(UNCOMPILED) -n 2 --cov --cov-report=term:skip-covered --cov-fail-under=97

# The kernels that the compiled tests need, two games at a time; they are compiled while the rest is installed.
kernels: .venv/.run
	NUMBA_BOUNDSCHECK=1 $(BIN)/sarai warm --jobs 2

# All tests, compiled with bounds checked; in three workers, since those that wait for a browser or a process leave a core idle.
compiled: .venv/.test
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -q -n 3 --durations=30

# Five hundred times kill -9 instead of thirty, and games that are clicked to their end: also by mouse, touch and keyboard.
soak: .venv/.test
	SARAI_KILLS=500 SARAI_CLICKS=5000 $(BIN)/pytest -q --durations=10 -o timeout=3600 -o faulthandler_timeout=3700 tests/web/test_kill.py tests/web/browser/test_table.py tests/web/browser/test_by_hand.py tests/web/browser/test_lessons.py -k "kill or clicking or by_mouse or lesson"

# Pictures of all tables and of all steps of lessons in every language, as they are now: for the documents, and in .pictures on many screens and in all colours, to look at.
pictures: .venv/.test
	SARAI_PICTURES=docs/pictures SARAI_SCREENS=.pictures SARAI_LANGUAGES=.pictures/languages $(BIN)/pytest -q tests/web/browser/test_pictures.py tests/web/browser/test_languages.py tests/web/browser/test_lessons.py

# The rates of the engine, and what an update costs in each language.
bench: .venv/.test
	@$(BIN)/python -m sarai.bench $(ARGS)
	@$(BIN)/python benchmarks/languages.py

clean:
	rm -rf .venv .pictures .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
