# Everything a contributor types. `make run` and `make test` need only Python >= 3.11 and make.

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= auto
REQUIREMENTS ?= ../shared/requirements.md
SIZES ?=
QUICK ?=
SIZE ?= ci
SEED ?=
TURNS ?=
CASES ?=
SHARE ?=
CLIENTS ?=
EMITS ?=

BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run test cover check fmt lint types imports docs requirements bench-recall bench-speed bench-accept bench-reflect bench-extract bench-proxy bench-refusals bench-neighbours isolation fuzz-api injection sockets chaos lock clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## Make .venv from the lock file (again only when the lock changed)
	@echo "==> $(VENV) is ready"

$(READY): requirements.lock requirements-files.lock pyproject.toml tools/setup.py
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Memweaver needs Python 3.11 or newer; this is %d.%d. Name another one: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	@$(PYTHON) tools/setup.py $(VENV)
	@touch $@

run: $(READY)  ## Serve on this machine, on SQLite, with no key and no service
	@$(BIN)/memweaver serve

test: check cover  ## Everything CI runs: the checks, then the tests
	@echo "==> Testing"
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal

cover: $(READY)  ## See that the core's own tests reach every branch of it
	@echo "==> Covering the core"
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --cov --cov-fail-under=100 --cov-report=term-missing:skip-covered tests/unit/domain tests/unit/services tests/unit/adapters/shard

check: lint types imports  ## Format, lint, types and layers, without the tests

fmt: $(READY)  ## Format and mend what can be mended by itself
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

lint: $(READY)  ## Format and lint, changing nothing
	@echo "==> Linting"
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/ruff check --quiet

types: $(READY)  ## Check the types, strictly
	@echo "==> Checking types"
	@$(BIN)/mypy

imports: $(READY)  ## Check which layer imports which
	@echo "==> Checking layers"
	@$(BIN)/lint-imports --no-logo

docs: $(READY)  ## Write the reference pages and the figures again from code and results
	@$(BIN)/python -m tools.reference
	@$(BIN)/python -m benchmarks.report

requirements: $(READY)  ## Show which requirement is proven by which test
	@$(BIN)/python tools/requirements.py --source $(REQUIREMENTS)

bench-recall: $(READY)  ## Measure recall: DATA=<file or folder> [PEERS=1]
	@$(if $(DATA),,$(error Say what to measure with: make bench-recall DATA=<file or folder>))
	@$(BIN)/python -m benchmarks.recall $(DATA) $(if $(PEERS),--peers)

bench-speed: $(READY)  ## Measure speed: [SIZES=600,10000] [PEERS=1] [QUICK=1]
	@$(BIN)/python -m benchmarks.speed $(if $(SIZES),--sizes $(SIZES)) $(if $(PEERS),--peers) $(if $(QUICK),--quick)

bench-accept: $(READY)  ## Measure what recording a turn costs its caller: [QUICK=1]
	@$(BIN)/python -m benchmarks.accept $(if $(QUICK),--quick)

bench-reflect: $(READY)  ## Measure how fast turns are reflected upon: [QUICK=1]
	@$(BIN)/python -m benchmarks.reflect $(if $(QUICK),--quick)

bench-extract: $(READY)  ## Measure extraction: DATA=<file> [MODEL=<OpenAI-compatible URL>] [TURNS=60]
	@$(if $(DATA),,$(error Say what to measure with: make bench-extract DATA=<file>))
	@$(BIN)/python -m benchmarks.extract $(DATA) $(if $(MODEL),--model $(MODEL)) $(if $(TURNS),--turns $(TURNS))

bench-proxy: $(READY)  ## Measure what memory costs a chat that is passed on: [QUICK=1]
	@$(BIN)/python -m benchmarks.proxy $(if $(QUICK),--quick)

bench-refusals: $(READY)  ## Measure whether the time of a refusal tells what was wrong: [QUICK=1]
	@$(BIN)/python -m benchmarks.refusals $(if $(QUICK),--quick)

bench-neighbours: $(READY)  ## Measure what a quiet user notices of a noisy one: [QUICK=1]
	@$(BIN)/python -m benchmarks.neighbours $(if $(QUICK),--quick)

isolation: $(READY)  ## Let everybody try every operation on everything, and count what leaks
	@$(BIN)/python -m tests.isolation

fuzz-api: $(READY)  ## Send every operation what nobody would: [CASES=100] [SEED=7]
	@$(BIN)/python -m tests.fuzz $(if $(CASES),--cases $(CASES)) $(if $(SEED),--seed $(SEED))

injection: $(READY)  ## Type every payload, in every disguise, in every place; 40 minutes: [SHARE=7]
	@$(BIN)/python -m tests.security.injection $(if $(SHARE),--share $(SHARE))

sockets: $(READY)  ## Tell many clients in many rooms, and count what goes astray: [CLIENTS=1000] [EMITS=100000]
	@$(BIN)/python -m tests.sockets.many $(if $(CLIENTS),--clients $(CLIENTS)) $(if $(EMITS),--emits $(EMITS))

chaos: $(READY)  ## Kill, stop and cut off everything and count what is lost: [SIZE=large] [SEED=7]
	@$(BIN)/python -m benchmarks.chaos --size $(SIZE) $(if $(SEED),--seed $(SEED))

lock: $(READY)  ## Choose the newest versions and write them with hashes into the lock file
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	  --all-extras --group dev --generate-hashes --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --output-file requirements.lock
	@$(PYTHON) tools/setup.py $(VENV)
	@$(BIN)/python -m tools.serving_lock
	@echo "==> requirements.lock is new; read the difference before committing it"

clean:  ## Remove the environment and every cache, not the data
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
