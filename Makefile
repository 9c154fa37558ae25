# Each command sets up what it needs in .venv, from the locked versions in requirements/; none needs another first.

PYTHON ?= python3
# Further arguments for installing torch, such as the address of PyTorch's CPU wheel index: TORCH_ARGS="--index-url …".
TORCH_ARGS ?=
TORCH ?= $(shell sed -n 's/.*"\(torch==[0-9.]*\)".*/\1/p' pyproject.toml)
# Further arguments for single commands.
ADDRESS ?= 127.0.0.1:8000
RUNS ?=
PYTEST_ARGS ?=
LOCK_ARGS ?=
CHROMIUM ?= $(firstword $(shell command -v chromium chromium-browser google-chrome 2>/dev/null))

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-input
LOCKED := $(INSTALL) --require-hashes --requirement
# Root, as in a container, has no sandbox to give Chromium.
CHROMIUM_FLAGS := --headless --disable-gpu --disable-background-networking --no-first-run \
  $(if $(filter 0,$(shell id -u)),--no-sandbox)

# The theme's notice about another project's plans is no warning about this book.
export NO_MKDOCS_2_WARNING := 1
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# The sets share one .venv, and pip may not write to it twice at a time.
.NOTPARALLEL:
.PHONY: help site serve check test lint record pdf card lock clean bundle

help: ## show this list
	@echo "Commands (each sets up what it needs in $(VENV)):"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables:"
	@echo "  PYTHON      the interpreter to start from, 3.11 or newer (now: $(PYTHON))"
	@echo "  TORCH_ARGS  arguments for installing torch, e.g. --index-url and PyTorch's CPU wheel index"
	@echo "  RUNS        the runs to record (all by default)"
	@echo "  ADDRESS     where make serve listens (now: $(ADDRESS))"
	@echo "  CHROMIUM    the browser that prints (now: $(or $(CHROMIUM),none found))"
	@echo "  PYTEST_ARGS, LOCK_ARGS  further arguments for make test and make lock"

site: $(VENV)/site.done bundle ## build the book into site/
	$(BIN)/mkdocs build --strict --site-dir .cache/site || { echo "make check tells each fault's place" >&2; exit 1; }
	@$(BIN)/python -m plates check --site .cache/site
	@# Only a whole book takes the place of the last one: mkdocs empties its folder before it builds.
	@rm -rf site && mv .cache/site site && echo "The book is in site/"

serve: $(VENV)/site.done bundle ## show the book with live reload
	$(BIN)/mkdocs serve --dev-addr $(ADDRESS)

check: $(VENV)/site.done bundle ## the author's checks: every fault by file, line and column
	$(BIN)/python -m plates check

lint: $(VENV)/test.done $(VENV)/torch.done ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

test: lint bundle ## every test: style, types, training, book, browser
	$(BIN)/python -m pytest $(PYTEST_ARGS)

record: $(VENV)/training.done $(VENV)/torch.done ## record the runs into generated/
	$(BIN)/python -m training record $(RUNS)

pdf: site ## print each plate into pdf/, with Chromium
	@test -n "$(CHROMIUM)" || { \
	  echo "make: no Chromium found; install it, or name it: make pdf CHROMIUM=/path/to/chromium" >&2; exit 1; }
	@mkdir -p pdf
	@for page in site/plates/*/index.html; do \
	  name=$$(basename $$(dirname $$page)); \
	  "$(CHROMIUM)" $(CHROMIUM_FLAGS) --no-pdf-header-footer --print-to-pdf=pdf/$$name.pdf \
	    "file://$(CURDIR)/$$page" 2>/dev/null && echo "pdf/$$name.pdf" || exit 1; \
	done

card: $(VENV)/site.done ## draw anew the picture that stands for the volume where a link is shown
	@test -n "$(CHROMIUM)" || { \
	  echo "make: no Chromium found; install it, or name it: make card CHROMIUM=/path/to/chromium" >&2; exit 1; }
	$(BIN)/python -m plates.card "$(CHROMIUM) $(CHROMIUM_FLAGS)"

lock: $(VENV)/made.done ## write requirements/*.txt anew (LOCK_ARGS=--upgrade for the newest allowed)
	$(INSTALL) --requirement requirements/lock.in
	requirements/lock $(BIN)/uv $(LOCK_ARGS)

clean: ## remove all that make has made, but for the checkpoints in .recordings/
	rm -rf $(VENV) site pdf .cache node_modules docs/assets/vendor docs/assets/data \
	  .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# The chart library, under docs/ before the pages are collected; this checks what is there and fetches what is not.
bundle:
	@$(BIN)/python -m plates.bundle

$(VENV)/made.done:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: no command '$(PYTHON)'; name a Python of 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is $$($(PYTHON) --version 2>&1); wanted 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/site.done: requirements/site.txt | $(VENV)/made.done
	@echo "Installing the book's libraries into $(VENV) …"
	$(LOCKED) requirements/site.txt
	@touch $@

$(VENV)/training.done: requirements/training.txt | $(VENV)/made.done
	@echo "Installing the recording's libraries into $(VENV) …"
	$(LOCKED) requirements/training.txt
	@touch $@

$(VENV)/test.done: requirements/test.txt | $(VENV)/made.done
	@echo "Installing the tests' libraries into $(VENV) …"
	$(LOCKED) requirements/test.txt
	@touch $@ $(VENV)/site.done $(VENV)/training.done

# After the locked sets, which hold what torch needs: so this adds torch alone.
$(VENV)/torch.done: pyproject.toml | $(VENV)/made.done
	@echo "Installing $(TORCH) into $(VENV) (a build for GPUs takes gigabytes; TORCH_ARGS chooses) …"
	$(INSTALL) $(TORCH_ARGS) $(TORCH)
	@touch $@
