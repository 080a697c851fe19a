# The words people type. The build itself is CMake's (CMakePresets.json: release, dev, asan).
.PHONY: help build core python wheel test-wheel demo test test-long test-debian12 test-debian13 test-versions mutate fuzz threads bench lint format install dist package site clean
PREFIX ?= /usr/local
SECONDS ?= 600
OPTION_SECONDS ?= 1200
VERSION = $(shell awk '/^project/ { print $$3 }' CMakeLists.txt)
# Three at a time on two cores: some tests wait for servers, sandboxes and clocks.
CTEST = ctest --output-on-failure -j3

help:
	@echo "make demo       install what is missing, build, and show the main job on an embedded data set"
	@echo "make build      build/lossleak; installs what is missing by apt-get, not with LL_SETUP=no"
	@echo "make core       build/core/liblossleak.so alone: needs GMP, MPFR, FLINT and nettle, no other library"
	@echo "make test       every test that ends in seconds, plain and under sanitizers, a little of it under valgrind"
	@echo "make test-long  the tests that take minutes"
	@echo "make test-debian13  make demo, make test, the examples and make package in a bare Debian 13, by debootstrap; root; test-debian12 likewise"
	@echo "make test-versions  the profiles against the real packages in many versions, from PyPI (10 GB); writes docs/scorers.md"
	@echo "make mutate     single changes in bounds, each in a copy of the tree: which test notices? Hours; ONLY=TEXT takes some"
	@echo "make fuzz       libFuzzer over every reader, SECONDS each (now $(SECONDS)), or over TARGETS alone; then random command lines, OPTION_SECONDS (now $(OPTION_SECONDS))"
	@echo "make threads    ThreadSanitizer over the parallel parts"
	@echo "make bench      one table: ratios against named baselines, their limits, and the distance to them"
	@echo "make lint       clang-format, clang-tidy, cppcheck"
	@echo "make python     a wheel in build/python, with the library and what it needs: pip install build/python/*.whl"
	@echo "make wheel      a wheel for other systems in build/wheel/repaired, by auditwheel from PyPI; make test-wheel: with each Python that is there"
	@echo "make install    libraries, headers, pkg-config files, program, man pages and completion under PREFIX (now $(PREFIX))"
	@echo "make dist       a source archive of what is committed; make package: Debian packages of it"
	@echo "make site       the pages of docs/ as a site in build/site, an index by question, every link followed; by Debian's mkdocs"

build:
	@tools/setup build
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build build

core:
	@tools/setup core
	@cmake -S . -B build/core -G Ninja -DLL_CORE_ONLY=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build build/core

python: core
	@tools/setup python
	@mkdir -p build
	@cd python && LOSSLEAK_FROM=carry:../build/core /usr/bin/python3 -m build --wheel --no-isolation --outdir ../build/python . >../build/python.log 2>&1 \
	    || { cat ../build/python.log; false; }
	@ls build/python/*.whl

wheel:
	@tools/setup python
	@tools/wheel

test-wheel: wheel
	@cmake --preset release >/dev/null
	@cmake --build build --target lossleak
	@tests/python/wheels build/wheel/repaired/*.whl build/lossleak

mutate:
	@tools/setup test
	@tests/mutate/run --only "$(ONLY)"

demo: build
	@tools/demo build/lossleak

build/dev/.configured build/asan/.configured: build/%/.configured: CMakePresets.json
	@tools/setup test
	@cmake --preset $* >/dev/null
	@touch $@

test: build/dev/.configured build/asan/.configured
	@cmake --build build/dev
	@cmake --build build/asan
	@status=0; (cd build/dev && $(CTEST) -LE long) || status=1; (cd build/asan && $(CTEST) -L sanitized -LE long) || status=1; exit $$status

test-long: build/dev/.configured build/asan/.configured
	@tools/setup package
	@tools/setup browser
	@cmake --build build/dev
	@cmake --build build/asan
	@cd build/dev && LL_TEST_LONG=1 LL_TEST_MULTIPLIER=20 $(CTEST)
	@cd build/asan && $(CTEST) -L long
	@if [ "$$(id -u)" = 0 ]; then $(MAKE) test-debian13; else echo "test-debian13 was not run: it needs root"; fi

test-debian12: SUITE = bookworm
test-debian13: SUITE = trixie
test-debian12 test-debian13:
	@tools/setup bare
	@tests/debian/run $(SUITE) $(STEPS)

test-versions: build/dev/.configured
	@cmake --build build/dev --target lossleak lossleak_shared lossleak_python
	@tools/setup scorers
	@tests/versions/run build/dev $(NAMES)

fuzz:
	@tools/setup fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build build/fuzz --target fuzz
	@tests/fuzz/run build/fuzz $(SECONDS) $(TARGETS)
	@cmake --preset asan >/dev/null
	@cmake --build build/asan --target lossleak
	@tests/fuzz/options build/asan/lossleak $(OPTION_SECONDS)

# Archer tells ThreadSanitizer about OpenMP's own synchronisation; what GMP and FLINT do inside is not looked at.
PARALLEL = t-threads t-exhaustive t-meet t-lattice t-infer t-curator x-attack
threads:
	@tools/setup test
	@tools/setup fuzz
	@cmake --preset tsan >/dev/null
	@cmake --build build/tsan --target $(PARALLEL) lossleak
	@export OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=$$(clang -print-resource-dir)/../../libarcher.so \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1 LOSSLEAK=$$PWD/build/tsan/lossleak; \
	    (cd build/tsan && $(CTEST) -R "^($$(echo $(PARALLEL) | tr ' ' '|'))$$") && tests/reproduce/check threads

bench:
	@tools/setup test
	@cmake --preset release -DLL_BENCH=ON >/dev/null
	@cmake --build build
	@bench/run build

lint:
	@tools/setup lint
	@cmake --preset dev >/dev/null
	@tools/lint build/dev

format:
	@clang-format -i $$(git ls-files '*.[ch]')

install: build
	@cmake --install build --prefix $(PREFIX)

dist:
	@mkdir -p build
	@git archive --format=tar.gz --prefix=lossleak-$(VERSION)/ -o build/lossleak-$(VERSION).tar.gz HEAD
	@echo build/lossleak-$(VERSION).tar.gz

# From what is committed, in build/package: source package, the libraries, their headers, lossleak.
package: dist
	@tools/setup package
	@rm -rf build/package && mkdir -p build/package
	@tar xzf build/lossleak-$(VERSION).tar.gz -C build/package
	@cd build/package/lossleak-$(VERSION) && dpkg-buildpackage -us -uc
	@lintian --fail-on error build/package/*.changes

# A warning is an error; tools/site_pages.py follows the links.
site:
	@tools/setup site
	@mkdir -p build
	@PYTHONDONTWRITEBYTECODE=1 mkdocs build --strict --clean >build/site.log 2>&1 || { cat build/site.log; false; }
	@echo build/site/index.html

clean:
	@rm -rf build
