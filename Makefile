# Everything is set up in .venv; nothing outside the folder is touched but apt packages, and those only as root.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than there are processors, since tests also wait; each takes some 600 MB.
WORKERS := $(shell cores=$$(nproc); echo $$((cores < 3 ? cores + 1 : 4)))
PACKAGES := bubblewrap chromium postgresql linux-libc-dev python3

.PHONY: dist setup packages demo docs test test-all test-matrix mutants suite check weights bench release clean

setup: $(VENV)/installed

$(VENV)/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

# Chromium drives the notebook tests; bubblewrap is the optional outer layer; the system Python and its headers serve tests as a user without rights.
packages:
	@if dpkg -s $(PACKAGES) >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null; \
	else echo "not installed: $(PACKAGES); tests that need them say so (apt-get install $(PACKAGES))"; fi

demo: setup
	$(BIN)/pandas-magic demo build/demo

# A warning, such as of a link that leads nowhere, ends it.
docs: setup
	$(BIN)/python -m sphinx -W --keep-going -q -b html -c docs . build/site
	@echo '<meta http-equiv="refresh" content="0; url=docs/index.html">' >build/site/index.html
	@echo 'the documentation: build/site/index.html'

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# On two cores: the system's packages come while Python's do, and types are checked while the first tests wait.
test:
	$(MAKE) --jobs=2 setup packages
	$(MAKE) --jobs=2 check suite

# Everything: the second seeds, the whole grids and the long soaks too.
test-all:
	$(MAKE) test THOROUGH=--thorough

# The built package, offline from a folder of wheels: lowest and newest versions, each Python that is found.
test-matrix: setup dist
	$(BIN)/python tests/matrix/try_versions.py

dist:
	rm -rf dist
	$(BIN)/python -m pip install --quiet 'build>=1.2' 'twine>=6.0'
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# Everything but what only a person may do, which it says at the end.
release: setup
	@test -n '$(VERSION)' || { echo 'say which: make release VERSION=0.2.0'; exit 2; }
	@git diff --quiet HEAD || { echo 'commit first: a release is made of what is committed'; exit 2; }
	sed -i 's/^__version__ = .*/__version__ = "$(VERSION)"/' pandas_magic/__init__.py
	$(BIN)/towncrier build --yes --version $(VERSION)
	$(MAKE) docs dist test-matrix
	@echo 'left to do: read the diff, git commit -am "Release $(VERSION)", git tag v$(VERSION), git push --tags, twine upload dist/*'

# The slow tests come first by their folders. Hundreds of processes start: each from compiled files, not from sources.
suite: export PYTHONDONTWRITEBYTECODE =
suite: setup
	$(BIN)/python -m compileall -q kernel_sandbox pandas_magic
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadgroup --no-loadscope-reorder $(THOROUGH)

# For each row of the feature inventory a fault is planted, and a test marked with the row must fail.
mutants: setup
	$(BIN)/python tests/mutants/plant.py

# The weights by which proposals are put in order, from the frozen sentences; the scores beside them are of sets held out.
weights: setup
	PYTHONPATH=. $(BIN)/python benchmarks/weights/make_weights.py

bench: setup
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
