# Two commands matter: `make lab` opens the course, `make test` checks it.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)

# uv installs in seconds where it is found; pip does the same in about half a minute.
ifdef UV
INSTALL = uv pip install --quiet --python $(BIN)/python
else
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.PHONY: lab test test-browser-full notebooks site benchmark clean

lab: $(VENV)/.lab
	$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(LAB_ARGS)

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	MPLBACKEND=agg $(BIN)/pytest -n 2 \
		--nbval-lax --nbval-current-env --nbval-cell-timeout=60 tests notebooks $(TEST_ARGS)

# Every control of every demo, to both ends: takes minutes.
test-browser-full: $(VENV)/.test
	$(BIN)/pytest tests/browser_full.py $(TEST_ARGS)

notebooks: $(VENV)/.test
	$(BIN)/python scripts/build_notebooks.py $(NOTEBOOKS)

site: $(VENV)/.site
	rm -rf build/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --fresh-env -d build/doctrees -c docs . build/site
	@echo "Open build/site/index.html"

benchmark: $(VENV)/.test
	$(BIN)/python -m benchmarks

$(BIN)/python:
ifdef UV
	uv venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

$(VENV)/.lab: pyproject.toml | $(BIN)/python
	@echo "Installing the course in $(VENV) (once, about half a minute) ..."
	$(INSTALL) -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "Installing the course and its test tools in $(VENV) (once, about half a minute) ..."
	$(INSTALL) -e ".[test,browser,site]"
	@touch $(VENV)/.lab $(VENV)/.site $@

$(VENV)/.site: pyproject.toml | $(BIN)/python
	@echo "Installing what makes the web pages in $(VENV) (once, about half a minute) ..."
	$(INSTALL) -e ".[site]"
	@touch $(VENV)/.lab $@

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache svt_lib.egg-info
