# The front door: short names for what CMake and the scripts do. `make help` lists them.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
MUTANT_JOBS ?= 2
BASE ?= HEAD~1
MUTANTS ?= 30

.PHONY: all demo check test test-long mutants bench bench-gate reproduce install uninstall static \
	deb wheel test-wheel format lint fuzz clean help

all:            ## build the library and the program into build/release
	@tools/setup demo
	@tools/build release -DCMAKE_INSTALL_PREFIX="$(PREFIX)"

demo:           ## install what is missing, build, and show hcbr at work
	@tools/demo

test:           ## run every test, also under the sanitizers; ends with "N passed, N failed"
	@tools/test

check:          ## two minutes: the tests nearest to what changed (since BASE, or FILES), and style
	@tools/setup test
	@tools/check $(if $(filter command\ line environment,$(origin BASE)),--base $(BASE)) $(FILES)

test-long:      ## the same with the long random and exhaustive tests, then the mutants
	@HCBR_LONG=1 tools/test

mutants:        ## small defects in what changed since BASE, or in FILES: do tests notice them?
	@tools/setup test
	@tests/mutants/run --check
	@tests/mutants/run --made --base $(BASE) --most $(MUTANTS) --jobs $(MUTANT_JOBS) $(FILES)

bench: all      ## measure against wc, LIBLINEAR; prints the table of docs/BENCHMARKS.md
	@tools/setup bench
	@bench/run

bench-gate: all ## count instructions at T = 1e6; fails when a limit is exceeded
	@tools/setup bench
	@bench/gate

reproduce: all  ## every table and figure of the paper again, into docs/RESULTS.md (HCBR_DATA)
	@tools/setup python
	@build/venv/bin/python bench/reproduce/run $(REPRODUCE)

install: all    ## install below PREFIX (default /usr/local)
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

static:         ## build the program as a single file without dependencies: build/static/hcbr
	@tools/static

deb:            ## build the Debian packages hcbr, libhcbr0, libhcbr-dev into build/deb
	@tools/deb

wheel:          ## build wheels of the Python package for x86-64 and aarch64, and try them
	@tools/wheel

test-wheel: wheel ## run its tests with the wheel on every Python there is; build its sdist
	@tools/wheel_try --tests build/wheel/*.whl
	@tools/sdist_try

uninstall:      ## remove what the last `make install` installed
	@tools/uninstall build/release/install_manifest.txt "$(DESTDIR)"

format:         ## rewrite the C files in the style of .clang-format
	@tools/setup test
	@tools/format

lint:           ## clang-tidy over library and program
	@tools/setup test
	@tools/lint

fuzz:           ## run each fuzz target for FUZZ_SECONDS (default 60)
	@tools/setup test
	@tests/fuzz/run --seconds $(FUZZ_SECONDS)

clean:          ## remove what was built
	rm -rf build

help:           ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 20
