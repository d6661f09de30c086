# make lab    open the course          make test test-browser    everything that CI runs
# make help   the other commands

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
# uv, where it is there, takes half the time.
ifeq ($(origin UV),undefined)
UV := $(shell command -v uv 2>/dev/null)
endif
INSTALL = $(if $(UV),"$(UV)" pip install --quiet --compile-bytecode --python $(BIN)/python,\
	$(BIN)/python -m pip install --disable-pip-version-check)
LOCK := binder/requirements.txt
DIFFERS = grep -qiE 'do not match the hashes|hash mismatch' $(VENV)/install.log
LOGGED = > $(VENV)/install.log 2>&1 || { if $(DIFFERS); \
	then echo "A package is not the one that was tested: its digest differs. $(VENV)/install.log names it."; \
	else echo "Installing failed: is there a network connection? Run make again; $(VENV)/install.log has the details."; fi; exit 1; }
# The versions that were tested, each with its digest; where they cannot be had (a newer Python), what the ranges allow. A
# package with another digest is no reason to take one without any.
TESTED = { $(INSTALL) --require-hashes -r $(1) || { ! $(DIFFERS) && $(INSTALL) -r $(2); }; } $(LOGGED)
COMPILE = "$(or $(UV),build/uv/bin/uv)" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
CHAPTER ?= 03_roofline
SAMPLE ?= 300
SEED ?= 1
TRIES ?= 40
NEWEST ?= $(or $(firstword $(foreach p,python3.14 python3.13 python3.12,$(shell $(p) -c 'print("$(p)")' 2>/dev/null))),$(PYTHON))
SITE ?= build/site
RUNTIME ?= build/pyodide
PYODIDE = https://cdn.jsdelivr.net/pyodide/v314.0.6/full
PORT ?= 8000
TESTS = $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
UNITS = $(filter-out tests/test_browser% tests/test_notebooks.py,$(wildcard tests/test_*.py tests/*/test_*.py))
ALONE = -m pytest -p no:cacheprovider -n 2 --dist loadfile $(UNITS)

.PHONY: lab notebooks test test-browser test-newest test-lowest test-shuffled test-without-jax test-hosted test-nbgrader record lint \
	mutants attacks calibrate help present voila handout site serve-site site-link images readme lock \
	binder-badge class-link classroom measure-cell hosted-cell python

help:
	@echo "make lab            set up and open JupyterLab on the course"
	@echo "make test           set up, and run what has to hold before every commit"
	@echo "make test-browser   look at everything in a real browser; CI runs both"
	@echo "make test-newest    unit tests with the newest packages on NEWEST=$(NEWEST), in an environment of its own"
	@echo "make test-lowest    unit tests with the lowest versions that requirements.txt allows, likewise"
	@echo "make test-shuffled  the same tests in an order drawn with SEED=$(SEED), every warning an error, under LC_ALL=C"
	@echo "make test-without-jax   run all cells of all notebooks as where JAX is not installed"
	@echo "make test-hosted    run all cells of all notebooks with ipywidgets 7, as hosted notebooks have it, and move every control"
	@echo "make notebooks      fill the conclusions of the notebooks with what the library computes"
	@echo "make record         write anew what such a machine shows: runs the notebooks with JAX, on a quiet machine"
	@echo "make lint           ruff over code and notebooks"
	@echo "make mutants        change SAMPLE=$(SAMPLE) lines of the models, drawn with SEED=$(SEED): do the tests see it? (TOPIC=roofline)"
	@echo "make attacks        call every public function with TRIES=$(TRIES) hostile arguments, drawn with SEED=$(SEED) (TOPIC=roofline)"
	@echo "make calibrate      fit the models to published measurements anew, and print how far off they are (KIND=gemm)"
	@echo "make present        show CHAPTER=$(CHAPTER) to a hall: slides with live panels, one key forward (CUT=15: minutes)"
	@echo "make voila          read CHAPTER=$(CHAPTER) as a page, with live panels and little code"
	@echo "make handout        print CHAPTER=$(CHAPTER) to build/handouts as HTML, and PDF where Chromium is"
	@echo "make site           all chapters as pages for any static host, in $(SITE): Python runs in the reader's browser"
	@echo "make serve-site     show $(SITE) on this machine, port PORT=$(PORT)"
	@echo "make site-link      print the address at which the workflow publishes the site of this checkout's git remote"
	@echo "make images         take the pictures of the README and of 00_start_here anew (Chromium)"
	@echo "make readme         write the chapter table of the README, and head, folds and last line of the notebooks, anew"
	@echo "make lock           write $(LOCK) anew: the newest versions that requirements.txt allows"
	@echo "make binder-badge   print the Binder badge of this checkout's git remote"
	@echo "make class-link     print the link that brings this checkout to learners on HUB=https://..."
	@echo "make classroom      write the exercises of CHAPTER=$(CHAPTER) as an assignment for nbgrader, to class/"
	@echo "make test-nbgrader  let nbgrader hand out and grade one, in an environment of its own"
	@echo "make hosted-cell    print the cell that sets the course up in a hosted notebook"
	@echo "make measure-cell   print the cell that measures a hosted notebook's machine"

lab: $(VENV)/.ready
	@echo "Opening JupyterLab on this machine only. The address of the first notebook is printed below; Ctrl+C ends it."
	@$(BIN)/python -m accelerator_course.start.lab

test: $(VENV)/.ready-for-tests lint
	@echo "Running unit, property and notebook tests, and the first minute in a browser."
	@$(TESTS) -m "smoke or not browser"

test-browser: $(VENV)/.ready-for-tests
	@echo "Looking at everything in a browser."
	@$(TESTS) -m "browser and not smoke"

test-shuffled: $(VENV)/.ready-for-tests
	@CI=true LC_ALL=C PYTHONWARNINGS=error SHUFFLE="$(SEED)" $(BIN)/python -m pytest -p shuffled -n 2 --dist loadfile --no-loadscope-reorder

test-newest: | python
	@echo "Creating build/newest with $(NEWEST) and the newest packages that requirements.txt allows."
	@"$(NEWEST)" -m venv --clear build/newest
	@build/newest/bin/python -m pip install --disable-pip-version-check --quiet --upgrade -r tests/requirements.txt
	@PYTHONPATH="$(CURDIR)" build/newest/bin/python $(ALONE)

test-lowest: | python
	@echo "Creating build/lowest with $(PYTHON) and the lowest versions that requirements.txt allows (uv finds them)."
	@"$(PYTHON)" -m venv --clear build/lowest
	@build/lowest/bin/python -m pip install --disable-pip-version-check --quiet uv
	@build/lowest/bin/python -m uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct -r tests/requirements.txt
	@PYTHONPATH="$(CURDIR)" build/lowest/bin/python $(ALONE)

test-without-jax: $(VENV)/.ready-for-tests
	@ACCELERATOR_COURSE_SHORT=1 PYTHONPATH="$(CURDIR)" $(BIN)/python tests/without_jax.py

# What a hosted notebook has: its own front end, an older ipywidgets, no JAX asked for.
test-hosted: | python
	@echo "Creating build/hosted with ipywidgets 7, then running all notebooks and moving every control in it."
	@"$(PYTHON)" -m venv --clear build/hosted
	@grep -vE '^(#|jupyterlab|ipywidgets|voila|nbval|jax)' requirements.txt > build/hosted/requirements.txt
	@build/hosted/bin/python -m pip install --disable-pip-version-check --quiet "ipywidgets>=7.7.1,<8" ipykernel -r build/hosted/requirements.txt
	@ACCELERATOR_COURSE_SHORT=1 PYTHONPATH="$(CURDIR):$(CURDIR)/tests" build/hosted/bin/python tests/without_jax.py --sweep

notebooks: $(VENV)/.ready-for-tests
	@echo "Filling the conclusions of the notebooks with what the library computes."
	@$(BIN)/python tests/filled.py $(TOPIC)

record: $(VENV)/.ready-for-tests
	@PYTHONPATH="$(CURDIR)" $(BIN)/python tests/record.py

lint: $(VENV)/.ready-for-tests
	@echo "Checking code and notebooks with ruff."
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Run  $(BIN)/ruff format .  and try again."; exit 1; }

mutants: $(VENV)/.ready-for-tests
	@$(BIN)/python tests/mutants.py --sample "$(SAMPLE)" --seed "$(SEED)" $(TOPIC)

attacks: $(VENV)/.ready-for-tests
	@echo "Calling every public function with hostile arguments, $(TRIES) of each; half an hour on a small machine (Linux)."
	@$(BIN)/python tests/attacks/attack.py --tries "$(TRIES)" --seed "$(SEED)" $(TOPIC)

calibrate: $(VENV)/.ready
	@$(BIN)/python -m accelerator_lib.validation.calibrate $(KIND)
	@$(BIN)/python -m accelerator_lib.validation.calibrate --report
	@$(BIN)/python -m accelerator_course.measure.kernel_fits

present: $(VENV)/.ready
	@echo "Opening $(CHAPTER) for the hall; its address is printed below. Ctrl+C ends it."
	@$(BIN)/python -m accelerator_course.pages present $(CHAPTER) --cut=$(CUT)

voila: $(VENV)/.ready
	@echo "Opening $(CHAPTER) as a page; its address is printed below. Ctrl+C ends it."
	@$(BIN)/python -m accelerator_course.pages read $(CHAPTER)

handout: $(VENV)/.ready
	@$(BIN)/python -m accelerator_course.pages.handout $(CHAPTER)

# Pyodide, the Python that runs in a browser: each file has the digest that was tested.
build/pyodide/pyodide-lock.json: binder/pyodide.sha256 binder/pyodide-lock.json
	@mkdir -p build/pyodide
	@echo "Fetching Pyodide, 13 MB."
	@cd build/pyodide && sed 's/.* //' ../../binder/pyodide.sha256 | while read -r file; do curl -fsSLO "$(PYODIDE)/$$file" || exit 1; done
	@cd build/pyodide && sha256sum --check --quiet ../../binder/pyodide.sha256
	@cp binder/pyodide-lock.json build/pyodide/

site: $(VENV)/.ready-for-site $(if $(filter build/pyodide,$(RUNTIME)),build/pyodide/pyodide-lock.json)
	@echo "Running all chapters, and making pages of them; some minutes."
	@$(BIN)/python -m accelerator_course.pages.book --out "$(SITE)" --runtime "$(RUNTIME)"

serve-site: | python
	@test -f "$(SITE)/index.html" || { echo "There is no site in $(SITE) yet: run  make site  first."; exit 1; }
	@echo "The site is at http://127.0.0.1:$(PORT)/ on this machine only. Ctrl+C ends it."
	@"$(PYTHON)" -m http.server --bind 127.0.0.1 --directory "$(SITE)" $(PORT)

site-link: python
	@"$(PYTHON)" tests/badge.py site

images: $(VENV)/.ready-for-tests
	@CI=true $(BIN)/python -m pytest tests/test_browser.py tests/test_browser_predict.py
	@cp build/screenshots/roofline.png build/screenshots/browser.png notebooks/images/
	@$(BIN)/python tests/cover.py
	@echo "notebooks/images is up to date."

readme: $(VENV)/.ready-for-tests
	@$(BIN)/python tests/readme.py

lock: | python
	@$(if $(UV),:,"$(PYTHON)" -m venv build/uv && build/uv/bin/python -m pip install --disable-pip-version-check --quiet uv)
	@$(COMPILE) --output-file $(LOCK) requirements.txt
	@for part in hub site; do \
		$(COMPILE) --constraint $(LOCK) --output-file binder/$$part-requirements.txt binder/$$part-requirements.in || exit 1; done
	@echo "$(LOCK), binder/hub-requirements.txt and binder/site-requirements.txt are up to date."

binder-badge: python
	@"$(PYTHON)" tests/badge.py

class-link: python
	@"$(PYTHON)" tests/badge.py "$(HUB)"

classroom: $(VENV)/.ready
	@$(BIN)/python -m accelerator_course.pages.classroom $(CHAPTER)

test-nbgrader: | python
	@echo "Creating build/nbgrader with nbgrader; it brings a notebook server that the other tests do without."
	@"$(PYTHON)" -m venv --clear build/nbgrader
	@build/nbgrader/bin/python -m pip install --disable-pip-version-check --quiet -r tests/requirements.txt 'nbgrader>=0.9.5,<1'
	@PYTHONPATH="$(CURDIR)" build/nbgrader/bin/python -m pytest -p no:cacheprovider tests/test_nbgrader.py

measure-cell: python
	@"$(PYTHON)" tests/cell.py

hosted-cell: python
	@"$(PYTHON)" tests/cell.py course

python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found. Install one, or run  make PYTHON=/path/to/python3 ..."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "$(PYTHON) is not Python 3.11 or newer. Install one, or run  make PYTHON=/path/to/python3 ..."; exit 1; }

$(VENV)/bin/python: | python
	@echo "Creating the virtual environment $(VENV) with $(PYTHON)."
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); echo "python -m venv failed (Debian: apt install python3-venv)."; exit 1; }

$(VENV)/.ready: $(LOCK) requirements.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing what the notebooks need ($(LOCK)); a minute or two the first time."
	@$(call TESTED,$(LOCK),requirements.txt)
	@$(INSTALL) --no-deps -e . $(LOGGED)
	@touch $@

$(VENV)/.ready-for-tests: tests/requirements.txt $(VENV)/.ready
	@echo "Installing the test tools (tests/requirements.txt)."
	@$(INSTALL) -r tests/requirements.txt $(LOGGED)
	@touch $@

$(VENV)/.ready-for-site: binder/site-requirements.txt binder/site-requirements.in $(VENV)/.ready
	@echo "Installing what builds the site (binder/site-requirements.txt)."
	@$(call TESTED,binder/site-requirements.txt,binder/site-requirements.in)
	@touch $@
