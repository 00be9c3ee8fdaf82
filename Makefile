# Everything runs in .venv, which is made at the first need and kept. Packages are installed without being compiled,
# which takes a third of the time: Python compiles what is imported, and keeps the result.
PYTHON ?= python3
BIN := .venv/bin
# a process for each core, or one more, which takes whole files
PROCESSES := -n auto --dist loadfile --no-loadscope-reorder
# It is kept in .venv even where the machine forbids it, since hundreds of processes would each compile all imports.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/compiled
# Python for the browser, and all that the page is made of, where Node is there to run it; the platform is the one that
# this Pyodide's Python has
BROWSER := $(if $(WITHOUT_TOOLS),,$(if $(shell command -v npm),.venv/browser/stamp))
BROWSERS := --python-version 314 --abi cp314 --implementation cp --platform pyemscripten_2026_0_wasm32

.PHONY: demo test test-all tests style types types-of-tests quick quick-tests docs page page-libraries page-wheel dist vectors fix bench clean

demo: .venv/demo.stamp
	@$(BIN)/python examples/puma560_proof.py

# everything that protects correctness, on a bare machine, too
test: .venv/test.stamp
	@$(MAKE) --no-print-directory -j3 style types tests

# what takes other programs, or long: Coq, a browser, TeX, kills, clusters, every block and command line of the site
test-all: .venv/test.stamp $(BROWSER)
	@$(MAKE) --no-print-directory types-of-tests
	$(BIN)/pytest $(PROCESSES) -m thorough

# style, types and tests, which do not need each other
tests: .venv/test.stamp
	$(BIN)/pytest $(PROCESSES) -m "not thorough"
style: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
types: .venv/test.stamp
	$(BIN)/mypy
types-of-tests: .venv/test.stamp
	$(BIN)/mypy --config-file tests/mypy.ini

# what a contributor runs in a minute: style, types, the laws, the equations, and a file of tests for each other room
QUICK := tests/algebra tests/physics/test_newton_euler.py tests/physics/test_random_trees.py tests/exact/equations tests/test_architecture.py \
	tests/base/test_records.py tests/exact/forms/test_abbreviate.py tests/machine/test_floats.py tests/teach/check/judging/test_judge.py \
	tests/apps/cli/test_doctor.py tests/inspect/comparison/test_confusions.py tests/formats/conversions/test_refusals.py \
	tests/inspect/doctor/test_examined_satellites.py tests/papers/draw/test_scenes.py tests/formats/test_descriptions.py \
	tests/faces/notebook/test_shown.py tests/apps/page/test_page_in_chinese.py tests/apps/page/test_typed.py tests/exact/printing/test_forms.py \
	tests/papers/report/test_exam_words.py tests/robot/test_units.py tests/motion/simulate/test_motion.py tests/motion/sweeps/test_draws.py
quick: .venv/test.stamp
	@$(MAKE) --no-print-directory -j3 style types quick-tests
quick-tests:
	$(BIN)/pytest $(PROCESSES) --hypothesis-profile quick -m "not slow" $(QUICK)

# the site, whose every block of code runs: docs/_build/html/index.html; what did not change is not run again
docs: .venv/test.stamp $(BROWSER)
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html

# static files of the page in page/dist, which `qddot page` serves
page: .venv/page.stamp .venv/browser/stamp
	@node page/make/make.mjs $(BIN)/python .venv/browser/*.whl

# of the page, what needs Node alone and takes the longest: it may run beside the installation of all else
page-libraries: .venv/browser/stamp
	@node page/make/libraries.mjs $(BIN)/python .venv/browser/*.whl

# both distributions in dist, tried in empty environments with the newest versions of what they need and with the oldest
# that pyproject.toml allows, on each supported Python that is here
dist: | .venv/bin/python
	@$(BIN)/python tests/distributions/try_distributions.py dist

# the built page as a wheel in dist, which `qddot page` and notebooks find where it is installed
page-wheel: page
	@$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w dist ./page && ls dist

# conformance vectors of sixty robots in dist/vectors, and as dist/vectors.zip
vectors: .venv/test.stamp
	@$(BIN)/python bench/conformance_suite.py dist/vectors

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
	rm -rf .venv page/dist page/interim page/node_modules

.venv/bin/python:
	@$(PYTHON) -m venv .venv

.venv/demo.stamp: pyproject.toml | .venv/bin/python
	@echo "installing qddot into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -e ".[full]"
	@touch $@

.venv/test.stamp: pyproject.toml | .venv/bin/python
	@echo "installing qddot and its test tools into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -e ".[test]"
	@touch .venv/demo.stamp .venv/page.stamp $@

.venv/page.stamp: pyproject.toml | .venv/bin/python
	@echo "installing qddot with the font of mathematics into .venv ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -e ".[full,report]"
	@touch $@

.venv/browser/stamp: page/package.json | .venv/bin/python
	@echo "installing Python for the browser, with FLINT, and the page's packages into .venv/browser ..."
	@rm -rf $(@D) && mkdir -p $(@D) && cp $< $(@D)
	@npm install --prefix $(@D) --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error
	@$(BIN)/python -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: $(BROWSERS) -d $(@D) python-flint
	@rm -rf page/node_modules && ln -s ../.venv/browser/node_modules page/node_modules
	@touch $@
