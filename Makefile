# Everything a person or CI runs. Needs Python 3.11 or newer, pip and make; the rest is installed into .venv.
# The VS Code extension and its tests need Node 20 or newer with npm, too.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
VSCODE := editors/vscode
NODE_MODULES := $(VSCODE)/node_modules/.package-lock.json

.PHONY: try test quick lint format types imports generate generated check dist vsix examples editors docs screenshots bench fuzz audit sbom mutation promises silence versions clean

# Installs handoff-lsp from this clone and checks the example handoffs. Exit code 1 means "findings", which there are.
try: $(VENV)/.run
	$(BIN)/handoff-lsp check examples || test $$? -eq 1

# Installs what the tests need and runs them, on all processors. Arguments for pytest: make test ARGS="-k json -x -n 0"
test: $(VENV)/.dev $(if $(shell command -v npm),$(NODE_MODULES))
	$(BIN)/python -m pytest --numprocesses auto $(ARGS)

# Runs what a person wants to know between two edits, in about a minute and a half on two cores: all but what
# tests/conftest.py marks as heavy. It takes the same arguments.
quick: $(VENV)/.dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses auto -m "not heavy" $(ARGS)

lint: $(VENV)/.dev $(NODE_MODULES)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	cd $(VSCODE) && npm run --silent check

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# mypy checks the code; pyright, which runs on the Python of PATH, that every type of the package is declared.
types: $(VENV)/.dev
	$(BIN)/mypy
	PATH="$(abspath $(BIN)):$$PATH" PYTHONPATH=. $(BIN)/basedpyright --verifytypes handoff_lsp --ignoreexternal

imports: $(VENV)/.dev
	$(BIN)/lint-imports

# Writes schemas/*.json and docs/ from the contracts and rules; `generated` fails where that was forgotten.
generate: $(VENV)/.dev
	$(BIN)/python scripts/generate.py

generated: $(VENV)/.dev
	$(BIN)/python scripts/generate.py --check

check: lint types imports generated test

# The files for the package index: an sdist and a wheel in dist/.
dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation

# The VS Code extension: editors/vscode/dist/handoff-lsp.vsix, for `code --install-extension`. It brings this server along.
vsix: $(VENV)/.run $(NODE_MODULES)
	$(BIN)/python scripts/packed_server.py
	cd $(VSCODE) && npm run --silent package

# Installs what examples/library works with; without it the tests of those examples skip.
examples: $(VENV)/.examples

# Installs the editors that tests drive, and what drives them: without them those tests skip. Neovim is there anyway.
editors: $(VENV)/.editors
	bash .ci/editors

# The site of docs/: build/site, with every warning as an error and every link checked. No network.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --nitpicky --conf-dir docs/site --builder dirhtml docs build/site
	$(BIN)/python scripts/site_links.py build/site

# Makes the pictures of the README and the docs anew, from VS Code itself, and from Chromium.
screenshots: editors
	HANDOFF_LSP_IMAGES=docs/images $(BIN)/python -m pytest tests/editors/vscode/test_pictures.py tests/cli/test_report_in_chromium.py

# Random edits of all cases, and the laws that must hold: make fuzz ARGS="--seconds 120 --seed 13"
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz $(ARGS)

# The tests that docs/promises.md names, with new random examples: make promises ARGS="--hypothesis-seed=13"
promises: $(VENV)/.audit $(if $(shell command -v npm),$(NODE_MODULES))
	$(BIN)/python -m pytest --numprocesses auto --hypothesis-profile=default $(ARGS) $$($(BIN)/python tests/promises.py)

# Ordinary files of public repositories, fetched into build/silence, none of which may have a finding.
silence: $(VENV)/.dev
	$(BIN)/python tests/silence.py build/silence

# Slips in the code, and those that no test notices: make mutation ARGS="--seed 20 --count 100"
mutation: $(VENV)/.mutation
	$(BIN)/python -m tests.mutation $(ARGS)

# Known vulnerabilities of what is pinned. Needs the package indexes' own answers about them.
audit: $(VENV)/.audit
	$(BIN)/pip-audit --require-hashes --disable-pip --strict --requirement requirements/run.txt
	cd $(VSCODE) && npm audit

# What an installation contains, as CycloneDX: build/handoff-lsp.cdx.json.
sbom: $(VENV)/.audit
	mkdir -p build
	$(BIN)/cyclonedx-py requirements requirements/run.txt --pyproject pyproject.toml --mc-type application \
		--output-reproducible --output-file build/handoff-lsp.cdx.json

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The core of the tests with the lowest and the newest versions allowed, on each Python that is here, or on those named:
# make versions PYTHONS="python3.11 python3.13"
versions:
	PYTHON=$(PYTHON) bash .ci/versions $(PYTHONS)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml requirements/run.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

# What only some targets need, an extra of pyproject.toml each.
$(VENV)/.%: $(VENV)/.dev requirements/%.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/$*.txt
	touch $@

$(NODE_MODULES): $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci --no-audit --no-fund --loglevel=error
	touch $@

clean:
	rm -rf $(VENV) $(VSCODE)/node_modules $(VSCODE)/dist $(VSCODE)/server dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
