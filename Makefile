# Everything runs in .venv, which is made at the first need and kept.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test fix bench clean

demo: .venv/demo.stamp
	@$(BIN)/python examples/puma560_proof.py

test: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

fix: .venv/test.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/test.stamp
	@$(BIN)/python bench/derive.py
	@$(BIN)/python bench/textbook.py
	@$(BIN)/python bench/formats.py
	@$(BIN)/python bench/evaluate.py
	@$(BIN)/python bench/simulate.py

clean:
	rm -rf .venv

.venv/bin/python:
	@$(PYTHON) -m venv .venv

.venv/demo.stamp: pyproject.toml | .venv/bin/python
	@echo "installing qddot into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

.venv/test.stamp: pyproject.toml | .venv/bin/python
	@echo "installing qddot and its test tools into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[test]"
	@touch .venv/demo.stamp $@
