# Everything runs in .venv, made here; Python 3.11 or newer is all that is needed.
PORT ?= 8000
HOST ?= 127.0.0.1
ENVIRONMENT ?= development
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test lint format openapi conformance bench clean

run: .venv/run
	PORT=$(PORT) HOST=$(HOST) ENVIRONMENT=$(ENVIRONMENT) $(BIN)/python -m service

test: .venv/dev lint
	$(BIN)/pytest

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

openapi: .venv/dev
	$(BIN)/python -m service.api.openapi

conformance: .venv/dev
	$(BIN)/python tests/engine/conformance.py

bench: .venv/dev
	$(BIN)/python -m bench.small --http
	$(BIN)/python -m bench.floor
	$(BIN)/python -m bench.gpt
	$(BIN)/python -m bench.large
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.limits
	$(BIN)/python -m bench.grading --http

clean:
	rm -rf .venv build *.egg-info

.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/dev: .venv/run
	$(BIN)/pip install --quiet --editable .[dev]
	touch $@
