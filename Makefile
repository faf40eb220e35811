# litmusgate: the two commands of the README are `make demo` and `make test`; each sets up everything it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest
JOBS ?= 2
# The rooms in which every branch must be tested: what they get wrong, a release gets wrong.
COVERED := */litmusgate/stats/*,*/litmusgate/admission/*,*/litmusgate/evidence/*,*/litmusgate/gate/*
# Compiled modules are kept, whatever the machine's own setting: every test that starts the command would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test check check-all sim bench docs clean

$(STAMP): pyproject.toml requirements/development.txt
	@echo "== setting up $(VENV) with every extra the tests need (first time: a few minutes, timed apart)"
	@start=$$(date +%s); \
	$(PYTHON) -c 'import sys; sys.exit("litmusgate needs Python 3.11 or newer, this is " + sys.version) if sys.version_info < (3, 11) else None' && \
	$(PYTHON) -m venv $(VENV) && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement requirements/development.txt && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . && \
	touch $(STAMP) && echo "== set up in $$(( $$(date +%s) - start )) s"

setup: $(STAMP)  ## build .venv

demo: $(STAMP)  ## admission, gate and report on the bundled suite, offline
	@$(BIN)/litmusgate demo

test: $(STAMP)  ## the whole test suite but for long simulations
	@echo "== tests (slow ones are in make check-all)"
	@$(PYTEST) -n $(JOBS) -m "not slow" -ra

check: $(STAMP)  ## formatting, types, floors, dependencies, generated docs
	$(BIN)/ruff format --check src tests tools bench
	$(BIN)/ruff check src tests tools bench
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry src
	$(BIN)/python tools/build_docs.py --check

check-all: check  ## everything: check, all tests with branch coverage, long simulations, rule mutants
	@echo "== all tests, the slow ones and the rule mutants too, with branch coverage"
	@$(PYTEST) -n $(JOBS) -ra --cov --cov-report=
	@$(BIN)/coverage report --skip-covered
	@echo "== every branch of $(COVERED)"
	@$(BIN)/coverage report --skip-covered --include="$(COVERED)" --fail-under=100

sim: $(STAMP)  ## the slow simulations alone
	@$(PYTEST) -n $(JOBS) -m slow -ra

bench: $(STAMP)  ## time and memory against limits and peers measured in the same run
	@$(BIN)/python bench/gate_scale.py
	@$(BIN)/python bench/start_up.py
	@$(BIN)/python bench/provenance_scale.py

docs: $(STAMP)  ## write the generated parts of docs/
	@$(BIN)/python tools/build_docs.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
