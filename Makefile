# SPDX-License-Identifier: MIT
#
# bitspin: `make help` lists the targets.  Everything is built in build/llvmN, N being the version of LLVM, so that builds
# with several versions live side by side; ./bitspin is a link to the last one built.

CC           = gcc
CFLAGS       = -O2 -g
LDFLAGS      =
PREFIX       = /usr/local
DESTDIR      =
LLVM_CONFIG ?= $(firstword $(foreach v,14 15 16 17 18 19,$(if $(shell command -v llvm-config-$v),llvm-config-$v)) llvm-config-14)

VERSION      = 0.1.0
# Before it is installed, its name tells the version.
LLVM        := $(firstword $(subst ., ,$(shell $(LLVM_CONFIG) --version 2>/dev/null)) \
	$(patsubst llvm-config-%,%,$(filter llvm-config-%,$(notdir $(LLVM_CONFIG)))) 14)

# Debian packages: the only lists of them.  What building and checking needs; and what the tests need beside that.
PACKAGES = gcc make spin clang-$(LLVM) llvm-$(LLVM)-dev libcadical-dev libz3-4 libffi-dev libjansson-dev libedit-dev libxxhash-dev uthash-dev libzstd-dev zlib1g-dev
TEST_PACKAGES = jq parallel tmux libcmocka-dev tcc clang-format-14 gdb zsh mandoc python3 python3-jsonschema python3-yaml libxml2-utils

B            = build/llvm$(LLVM)
WARNINGS     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
	-Wconversion -Wsign-conversion
OWN_CFLAGS   = -std=gnu17 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -MMD -MP
LLVM_CFLAGS  = -isystem $(shell $(LLVM_CONFIG) --includedir)
# From archives where there are any: to relocate the whole of LLVM takes twice as long as all else that a command does at its start.
LLVM_PARTS   = core bitreader bitwriter irreader linker passes
LLVM_ARCHIVES = $(shell $(LLVM_CONFIG) --link-static --ldflags --libs $(LLVM_PARTS) 2>/dev/null)
LLVM_STATIC  = -Wl,--gc-sections,--as-needed $(LLVM_ARCHIVES) $(shell $(LLVM_CONFIG) --link-static --system-libs) -lstdc++
LLVM_SHARED  = $(shell $(LLVM_CONFIG) --ldflags --libs --system-libs)
LLVM_LIBS    = $(if $(LLVM_ARCHIVES),$(LLVM_STATIC),$(LLVM_SHARED))

# The objects of all sources in a folder and its rooms, except programs' own.
objects    = $(patsubst %.c,$B/%.o,$(sort $(filter-out %_main.c,$(shell find $(1) -name '*.c'))))
NATIVE    := $(call objects,runtime/native)
RUNTIME   := $(filter-out $(NATIVE),$(call objects,runtime))
TRANSLATOR := $(call objects,translator)
LTL       := $(call objects,ltl)
GLUE      := $(call objects,spin-glue)
LIBRARY    = $(patsubst libc/%.c,$B/libc/%.bc,$(wildcard libc/*.c))
CLANG      = $(firstword $(BITSPIN_CLANG) clang-$(LLVM))
KINDS      = $(patsubst spin-glue/report/%,$B/%,$(wildcard spin-glue/report/kinds/*.txt))
DATA       = $B/libc.bc $B/model.pml.in $B/bitspin_vm.h $B/bitspin.h $B/stdbit.h $B/page.html $B/bitspin_native.h

# As many jobs at a time as there are processors, unless the caller says how many.
PARALLEL   = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

all: present ## build the command; nothing is installed
	@$(MAKE) $(PARALLEL) --no-print-directory build

# Build, after installing what is missing: for targets that test.
ready: deps
	@$(MAKE) $(PARALLEL) --no-print-directory build

build: $B/libbitspin-native.a $B/libbitspin-sat.so $B/bitspin $B/bitspin-image $B/bitspin-ltl $B/bitspin-drive $(DATA) $(KINDS)
	@ln -sfn bitspin $B/bitspin-cc
	@ln -sfn $B/bitspin bitspin

$B/bitspin: $(GLUE) $(TRANSLATOR) $(LTL) $B/libbitspin-vm.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LLVM_LIBS) -ljansson -ledit -lm

$B/bitspin-image: $B/translator/dump_main.o $(TRANSLATOR) $B/libbitspin-vm.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LLVM_LIBS)

$B/bitspin-drive: $B/runtime/drive_main.o $B/libbitspin-vm.a
	$(CC) $(LDFLAGS) -o $@ $^ -lffi -ljansson -lm

$B/bitspin-ltl: $B/ltl/dump_main.o $(LTL)
	$(CC) $(LDFLAGS) -o $@ $^

$B/libbitspin-vm.a: $(RUNTIME)
	rm -f $@ && $(AR) rcs $@ $^

# The solver of --inputs symbolic, which is loaded when it is needed: Debian has an archive only.
$B/libbitspin-sat.so:
	@mkdir -p $(@D)
	$(CC) -shared -o $@ -Wl,--whole-archive -lcadical -Wl,--no-whole-archive -lstdc++ -lm

# What native runs are linked with (bitspin confirm): never with sanitizers, and never with calls of them.
$B/runtime/native/%.o: runtime/native/%.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -fsanitize% --coverage,$(OWN_CFLAGS)) -fPIC -c $< -o $@

$B/libbitspin-native.a: $(NATIVE)
	rm -f $@ && $(AR) rcs $@ $^

$B/bitspin_native.h: runtime/native/bitspin_native.h
	@cp $< $@

$B/translator/%.o: translator/%.c
	@mkdir -p $(@D)
	$(CC) $(OWN_CFLAGS) $(LLVM_CFLAGS) -c $< -o $@

$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(OWN_CFLAGS) -c $< -o $@

# The C library's functions that are written in C: bitcode for every checked program.
$B/libc/%.bc: libc/%.c libc/library.h libc/ducts.h libc/streams.h libc/disk.h libc/signals.h runtime/bitspin.h
	@mkdir -p $(@D)
	$(CLANG) -c -emit-llvm -O0 -Xclang -disable-O0-optnone -std=gnu17 -D_GNU_SOURCE -D__BITSPIN__ -U_FORTIFY_SOURCE \
		-fno-builtin -fno-stack-protector -fno-math-errno -w $< -o $@

$B/libc.bc: $(LIBRARY)
	$(shell $(LLVM_CONFIG) --bindir)/llvm-link $^ -o $@

$B/model.pml.in: spin-glue/model/model.pml.in
	@cp $< $@

# The page of --html: its parts in one file.
PAGE = spin-glue/report/page
PAGE_SCRIPTS = $(patsubst %,$(PAGE)/%.js,trace lanes panels page)
$B/page.html: $(PAGE)/page.html $(PAGE)/page.css $(PAGE_SCRIPTS)
	@sed -e '/^@STYLE@$$/{' -e 'r $(PAGE)/page.css' -e 'd' -e '}' \
		-e '/^@SCRIPT@$$/{' $(patsubst %,-e 'r %',$(PAGE_SCRIPTS)) -e 'd' -e '}' $< >$@

# The pages of `bitspin explain`.
$B/kinds/%.txt: spin-glue/report/kinds/%.txt
	@mkdir -p $(@D)
	@cp $< $@

$B/%.h: runtime/%.h
	@cp $< $@

$B/stdbit.h: libc/stdbit.h
	@cp $< $@

-include $(NATIVE:.o=.d) $(RUNTIME:.o=.d) $(TRANSLATOR:.o=.d) $(LTL:.o=.d) $(GLUE:.o=.d) $B/translator/dump_main.d $B/ltl/dump_main.d $B/runtime/drive_main.d

# The packages of a list that are missing; none where there is no dpkg to ask.
missing = $$(for p in $(1); do ! command -v dpkg-query >/dev/null || \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done)

present:
	@missing="$(call missing,$(PACKAGES))"; if [ -n "$$missing" ]; then \
		echo "these packages are missing:" $$missing >&2; \
		echo "install them with: make deps (as root)" >&2; exit 1; fi

deps: ## install the Debian packages that are missing, those of the tests included (as root), or name them
	@missing="$(call missing,$(PACKAGES) $(TEST_PACKAGES))"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then \
		echo "installing" $$missing; \
		(apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing) >/dev/null || \
			{ echo "cannot install" $$missing >&2; exit 1; }; \
	else echo "please install:" $$missing >&2; exit 1; fi

demo: ready ## install what is missing, build, and check an example
	@echo '$$ ./bitspin check examples/deadlock.c'; ./bitspin check examples/deadlock.c; [ $$? -eq 1 ]

check: ready ## the tests, less what takes long
	@man/check.sh
	@tests/check.sh quick ./bitspin

check-rest: ready ## the tests that `make check` leaves out
	@tests/check.sh rest ./bitspin

check-projects: ready ## the projects of docs/projects.md, from Debian's source packages to their verdicts
	@tests/bench/projects.sh ./bitspin

check-all: ## all tests
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory check-rest

core-check: ready ## run the verification tests only, or those that FILTER (a regular expression) names; PART: an option of tests/run.sh
	@tests/run.sh ./bitspin $(PART) $(if $(FILTER),'$(FILTER)')

language-check: ready ## the tests of golden images only
	@tests/golden/run.sh $B/bitspin-image

bench-ladder: ready ## how soon shallow faults in huge state spaces are found, a table
	@tests/bench/ladder.sh ./bitspin

linearize-check: ready ## bitspin linearize: data structures, and random objects against the definition (COUNT=100 SEED=1)
	@tests/linearize.sh ./bitspin
	@tests/linearize/random.py ./bitspin --count $(or $(COUNT),100) --seed $(or $(SEED),1)

bench-linearize: ready ## states with and without the monitor of linearize, and the smallest plan that shows each broken structure: tables
	@tests/bench/linearize.py ./bitspin

slurm-check: TEST_PACKAGES += slurm-wlm
slurm-check: ready ## bitspin swarm --engine slurm, with a Slurm of one node (as root)
	@tests/slurm.sh ./bitspin

docs-bless: all ## what commands print now goes into the sessions that the documentation quotes
	@tests/docs.sh ./bitspin --bless

walk: ready ## a walk of a new user: first bug, wrong command lines, inconclusive verdicts
	@tests/walk.sh ./bitspin

browser-check: TEST_PACKAGES += chromium fonts-dejavu-core python3 graphviz gnuplot-nox
browser-check: ready ## the pages of --html in headless Chromium
	@tests/browser/run.py ./bitspin

bench: ready ## speed and memory, beside models by hand; HISTORY=FILE: a line of JSON for each result goes there
	@tests/bench/pairs.sh $(if $(HISTORY),--history '$(HISTORY)') ./bitspin
	@tests/bench/barrier.sh ./bitspin
	@tests/bench/liveness.sh ./bitspin

bench-csmith: TEST_PACKAGES += csmith libcsmith-dev
bench-csmith: ready ## 1,000 random sequential programs: the VM's output must be the native program's
	@tests/bench/csmith.sh ./bitspin

bench-scale: ready ## the tables of the thesis on SCALE: published, simulated and our numbers (up to half an hour)
	@tests/bench/scale.sh ./bitspin

bench-mutants: ready ## each condition of the reductions, each rule of happens-before is left out: the campaigns must notice
	@tests/bench/mutants.sh ./bitspin

fuzz: TEST_PACKAGES += libclang-rt-$(LLVM)-dev
fuzz: ready ## the image loader and the translator with libFuzzer, each SECONDS=60 long; broken bitcode; random programs against Promela
	@tests/fuzz/image.sh $B/bitspin-image $(or $(SECONDS),60)
	@tests/fuzz/bitcode.sh $B/bitspin-image $(or $(SECONDS),60)
	@tests/fuzz/broken.sh ./bitspin $(or $(SECONDS),60)
	@tests/bench/random.sh ./bitspin

bench-soundness: ready ## 10,000 random concurrent programs: reductions and bounds change no answer
	@tests/bench/soundness.sh ./bitspin 10000

bench-cores: ready ## how much faster two cores are than one
	@tests/bench/pairs.sh --cores 2 ./bitspin

bench-before: ready ## states and CPU before a change and after it, a table: BEFORE=COMMIT, or a bitspin that has been built
	@tests/bench/against.sh $(or $(BEFORE),HEAD) ./bitspin

bench-prices: ready ## states and seconds of programs with weak memory orders, and with seq_cst
	@tests/bench/prices.sh --without ./bitspin

bench-states: ready ## states and seconds of programs with more and more threads, by reductions
	@tests/bench/states.sh ./bitspin

bench-options: ready ## states and seconds of four programs by options; one of no consequence for a program must not change its states
	@tests/bench/options.sh ./bitspin

bench-published: ready ## programs with the parameters that papers publish, beside the figures of the papers
	@tests/bench/published.sh ./bitspin

bench-weak: ready ## 2,000 random programs with weak atomics: races exactly where vector clocks find them
	@tests/bench/weak.sh ./bitspin 2000

bench-orders: ready ## lock-free algorithms with the orders that are published: which may be weaker, a table (docs/memory-models.md)
	@BITSPIN_CC=$${BITSPIN_CC:-$$PWD/tests/quick-cc} tests/bench/orders.sh ./bitspin

bench-executions: ready ## states under --memory c11 beside the executions that GenMC expects, a table (docs/memory-models.md)
	@BITSPIN_CC=$${BITSPIN_CC:-$$PWD/tests/quick-cc} tests/bench/executions.sh ./bitspin

bench-traces: ready ## numbers of Mazurkiewicz traces that papers publish (--traces)
	@tests/bench/traces.sh ./bitspin

bench-memory: ready ## random programs with atomics of all orders: under --memory c11 and tso the outcomes that the axioms allow
	@tests/bench/memory/run.sh ./bitspin 3000
	@STYLE=chain tests/bench/memory/run.sh ./bitspin 500
	@tests/bench/memory/run.sh --x86 ./bitspin 3000

bench-rules: ready ## random programs under --memory c11 and tso, without rules of the canonical form: the same outcomes; states that each saves
	@RULES=off tests/bench/memory/run.sh ./bitspin 1000
	@RULES=off STYLE=chain tests/bench/memory/run.sh ./bitspin 500

bench-native: TEST_PACKAGES += libclang-rt-$(LLVM)-dev util-linux
bench-native: ready ## random programs and those of the tests under ThreadSanitizer and AddressSanitizer: bitspin finds what they report
	@tests/bench/native.sh ./bitspin 200

bench-twin: ready ## 1,000 random formulas about random programs: SPIN alone says the same of their twins in Promela
	@tests/bench/ltl_twin.sh ./bitspin 100 1 10

bench-unset: ready ## 2,000 random programs with uninitialized values, against many patterns in their place
	@tests/bench/unset.sh ./bitspin 2000

bench-inputs: ready ## random programs with inputs: 1,000 of integers and of real numbers against native runs with all values, 5,000 with sets and with terms against values one by one
	@tests/bench/inputs.sh ./bitspin 1000
	@tests/bench/inputs.sh ./bitspin 1000 1 reals
	@tests/bench/sets.sh ./bitspin 5000
	@REALS=1 tests/bench/sets.sh ./bitspin 1000
	@tests/bench/sets.sh ./bitspin 5000 1 symbolic
	@ALIKE=1 tests/bench/sets.sh ./bitspin 2000
	@ALIKE=1 tests/bench/sets.sh ./bitspin 2000 1 symbolic
	@tests/bench/sets_ltl.sh ./bitspin 500
	@tests/bench/sets_ltl.sh ./bitspin 500 1 symbolic
	@MEMORY=c11:2 tests/bench/sets.sh ./bitspin 1000 1 symbolic
	@MEMORY=tso tests/bench/sets.sh ./bitspin 1000
	@tests/bench/terms.sh ./bitspin 20000

bench-canonical: ready ## states that behave alike and differ, and by what
	@tests/bench/canonical.sh ./bitspin

ASAN_BUILD = $(MAKE) $(PARALLEL) B=build/asan CFLAGS='-O1 -g -DVM_DEBUG -fsanitize=address,undefined -fno-omit-frame-pointer' \
	LDFLAGS='-fsanitize=address,undefined' build
# (pan.c itself passes null pointers where none may be.)
ASAN_RUN   = BITSPIN_CC='$(CURDIR)/tests/quick-cc -fsanitize=address,undefined -fno-sanitize=nonnull-attribute' \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 tests/run.sh

asan: deps ## build with sanitizers in build/asan and run the verification tests
	$(ASAN_BUILD)
	$(ASAN_RUN) build/asan/bitspin

asan-check: deps ## the same with some of the tests
	@$(ASAN_BUILD) >/dev/null
	@$(ASAN_RUN) build/asan/bitspin '^(examples/d|tests/(bugs/cr|threads/b|faults/mut|world/c|liveness/as|c/st|inputs/(reals_edges|identities)))'

records-check: ## the tests of threads again, with records of accesses kept in every program, as if it had weak atomics
	$(MAKE) B=build/records CFLAGS='-O2 -g -DALWAYS_RECORDS' build
	@ln -sfn $B/bitspin bitspin
	tests/run.sh build/records/bitspin -j2 'tests/(threads|faults)/'

confirm-check: PACKAGES += libclang-rt-$(LLVM)-dev gdb
confirm-check: all ## every violation of the examples, tests/bugs and tests/faults on the native program, or the reason why not
	@tests/confirm.sh ./bitspin --all

format: ## format the sources, with clang-format 14 whichever LLVM bitspin is built with
	clang-format-14 -i $(sort $(shell find runtime translator ltl spin-glue tests/unit -name '*.[ch]'))

install: all ## install under $(DESTDIR)$(PREFIX)
	@d=$(DESTDIR)$(PREFIX); while [ "$$d" != . ] && [ ! -e "$$d" ]; do d=$$(dirname "$$d"); done; [ -w "$$d" ] || \
		{ echo "cannot write to $$d; as root: sudo make install; without: make install PREFIX=\$$HOME/.local" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/bitspin $(DESTDIR)$(PREFIX)/lib/bitspin \
		$(DESTDIR)$(PREFIX)/include
	install $B/bitspin $B/bitspin-image $(DESTDIR)$(PREFIX)/bin
	ln -sfn bitspin $(DESTDIR)$(PREFIX)/bin/bitspin-cc
	install -m 644 $(DATA) $(DESTDIR)$(PREFIX)/share/bitspin
	install -d $(DESTDIR)$(PREFIX)/share/bitspin/kinds
	install -m 644 $(KINDS) $(DESTDIR)$(PREFIX)/share/bitspin/kinds
	install -m 644 $B/libbitspin-vm.a $B/libbitspin-native.a $(DESTDIR)$(PREFIX)/lib/bitspin
	install $B/bitspin-drive $(DESTDIR)$(PREFIX)/lib/bitspin
	install -m 644 $B/libbitspin-sat.so $(DESTDIR)$(PREFIX)/lib/bitspin
	install -m 644 runtime/bitspin.h $(DESTDIR)$(PREFIX)/include
	for n in 1 3 7; do install -d $(DESTDIR)$(PREFIX)/share/man/man$$n && \
		install -m 644 man/*.$$n $(DESTDIR)$(PREFIX)/share/man/man$$n || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions
	install -d $(DESTDIR)$(PREFIX)/share/doc/bitspin
	install -m 644 man/bitspin.schema.json docs/ci.md $(DESTDIR)$(PREFIX)/share/doc/bitspin
	$B/bitspin completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bitspin
	$B/bitspin completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_bitspin

uninstall: ## remove what install put there
	rm -rf $(DESTDIR)$(PREFIX)/share/bitspin $(DESTDIR)$(PREFIX)/lib/bitspin $(DESTDIR)$(PREFIX)/share/doc/bitspin
	rm -f $(DESTDIR)$(PREFIX)/bin/bitspin $(DESTDIR)$(PREFIX)/bin/bitspin-image $(DESTDIR)$(PREFIX)/bin/bitspin-cc $(DESTDIR)$(PREFIX)/include/bitspin.h \
		$(foreach n,1 3 7,$(patsubst man/%,$(DESTDIR)$(PREFIX)/share/man/man$n/%,$(wildcard man/*.$n))) \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bitspin \
		$(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_bitspin

clean: ## remove what was built
	rm -rf build bitspin

deb: present ## a Debian package, in build/
	@$(MAKE) --no-print-directory build
	@.packaging/deb.sh $B/bitspin $(VERSION) $(LLVM)

deb-check: TEST_PACKAGES += lintian dpkg-dev
deb-check: ready ## the same, and lintian must have nothing to say of it
	@.packaging/deb.sh $B/bitspin $(VERSION) $(LLVM)
	lintian --fail-on error,warning build/bitspin_$(VERSION)_*.deb

dist: ## an archive of the sources
	git archive --prefix=bitspin-$(VERSION)/ -o bitspin-$(VERSION).tar.gz HEAD

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

# All targets that are words.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)
.DEFAULT_GOAL = all
