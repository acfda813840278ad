# Everything a person or CI runs. Needs Python 3.11 or newer, pip and make; the rest is installed into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: try test lint format types imports generate generated check bench clean

# Installs handoff-lsp from this clone and checks the example handoffs. Exit code 1 means "findings", which there are.
try: $(VENV)/.run
	$(BIN)/handoff-lsp check examples || test $$? -eq 1

# Installs what the tests need and runs them. Arguments for pytest: make test ARGS="-k json -x"
test: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

# Writes schemas/*.json and docs/ from the contracts and rules; `generated` fails where that was forgotten.
generate: $(VENV)/.dev
	$(BIN)/python scripts/generate.py

generated: $(VENV)/.dev
	$(BIN)/python scripts/generate.py --check

check: lint types imports generated test

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml requirements/run.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
