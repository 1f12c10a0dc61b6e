# make               every engine whose library is found; those skipped are named with their package
# make bench_lmdb    one engine
# make single        one C file for each engine, to carry away: build/single/bench_NAME.c
# make build/stats   the statistics of the scripts; build/hdrmerge merges the histograms of several clients
# make conform       the contract as a program for each engine
# make instruments   libraries to preload around each engine's calls, and what reads what they recorded
# make test          everything test.sh tests, once its tools are installed
# make bench-harness what the harness costs, against a peer's loop and a hand-written one
# make bench-device  bench_aio beside fio
# make bench-parity  RocksDB and LevelDB beside their own db_bench
# make bench-compare what compare.sh's test finds, and where there is nothing to be found
# make coverage      which lines the tests execute, and why not the others: in build/coverage/, 15 minutes
# make fuzz          a minute of wrong input for what reads command lines and results; fuzz-long: ten
# make mutate        plants faults one at a time, and sees that tests notice; MUTANTS='...': so many, or those
# make lint          cppcheck, clang-tidy, clang-format, shellcheck, and mypy and ruff for Python
# make format        brings all C into the style of .clang-format
# make bench.1       the manual page, printed by the program
# make man           a page for each program and script, in build/man/
# make install       to DESTDIR and PREFIX, /usr/local unless it is given; make uninstall
# make dist          the committed state as build/assay-VERSION.tar.gz
# make deb           Debian's source and binary packages of that, in build/deb/
# make clean
#
# PORTABLE=1 builds with nothing of Linux's own: what other systems get.
# CC=clang, OPT='-O3 -flto', DEBUG=1 (address and undefined behaviour) or DEBUG=thread.
# LMDB_PREFIX=/opt/lmdb takes a library from elsewhere; every engine has its own PREFIX.
# BUILD=dir/ keeps another build's objects, and BIN=dir/ its programs, apart.
#
# How bench_lmdb comes to be, in the order of the sections below:
# 1. Engines: the row `lmdb = ...` names the package that brings the library, its pkg-config
#    module, its header, and how to link it.
# 2. Found: an empty program that includes that header is compiled and linked. If that works,
#    lmdb is in FOUND, and `make` builds it; if not, `make` names the package.
# 3. Objects: engines/lmdb.c becomes build/engines/lmdb.o, with the flags that pkg-config has
#    for the module. All other sources become objects without such flags.
# 4. Programs: bench_lmdb is linked of build/engines/lmdb.o, of bench.o, baseline.o and all
#    objects of bench/ and util/, which are the same for each engine, and of the library.

# For GNU make this is a text, for BSD make the end.
define BSD_MAKE:
.error assay needs GNU make: run gmake
endef

# ---- settings ----

.DEFAULT_GOAL = all
# No rule by suffix is used. To try those that make has, for each file, takes a third of the time of
# a make that builds nothing.
.SUFFIXES:
BUILD = build/
BIN =
OPT = -O2
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
CFLAGS_thread = -O1 -g1 -fsanitize=thread
CFLAGS_fuzz = -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
CFLAGS_1 = -O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
PREFIX = /usr/local
SYSTEM := $(shell uname)
LIBDL := $(if $(filter NetBSD,$(SYSTEM)),,-ldl)
# Homebrew's directory on arm64 and on x86-64.
BREW := $(if $(filter Darwin,$(SYSTEM)),$(firstword $(wildcard /opt/homebrew /usr/local)))
VERSION := $(shell sed -n 's/^.define VERSION "\(.*\)"/\1/p' bench.c)
# The commit, which git writes here when it makes an archive; a clone asks git.
ARCHIVED = $Format:%h$
COMMIT := $(if $(findstring %,$(ARCHIVED)),$(shell git describe --always --dirty 2>/dev/null || echo unknown),$(ARCHIVED))
# Each system knows one of these names. PORTABLE hides from the sources that this is Linux.
FEATURES = $(if $(PORTABLE),-U__linux__ -DASSAY_PORTABLE -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE,-D_GNU_SOURCE -D_DARWIN_C_SOURCE -D_NETBSD_SOURCE)
COMPILE = $(CC) -std=c11 $(FEATURES) -pthread -g $(WARN) $(or $(CFLAGS_$(DEBUG)),$(OPT))
LINK = $(COMPILE) -rdynamic

# ---- functions ----

# same TEXT,FILE: it is what the file holds, which make before 4.2 cannot read
held = $(if $(filter 3.% 4.0% 4.1%,$(MAKE_VERSION)),,$(file <$1))
same = $(and $(findstring x$1x,x$(call held,$2)x),$(findstring x$(call held,$2)x,x$1x))
# kept FILE,TEXT: it is what the file holds, which is as old as that
kept = $(if $(call same,$2,$1),,$(shell mkdir -p $(BUILD); echo '$2' | cmp -s - $1 || echo '$2' > $1))
# of NAME,LIST: the values in a list of NAME=VALUE
of = $(patsubst $1=%,%,$(filter $1=%,$2))
# links FILE,FLAGS: a program with these flags of compiler and libraries can be made. One that could is not tried again before make clean.
links = $(if $(call same,$(CC) $2,$1),yes,$(shell echo 'int main(void) { return 0; }' | $(CC) -x c - $2 -o /dev/null 2>/dev/null && echo yes))

# Objects of other flags are stale.
FLAGS := $(BUILD)flags
ifeq ($(or $(call same,$(COMPILE),$(FLAGS)),$(shell $(COMPILE) -dM -E -x c /dev/null 2>/dev/null | sed -n 's/.*__SIZEOF_POINTER__ //p')),4)
$(error assay needs 64 bits, to map databases larger than memory and to count beyond 4 thousand million; '$(CC)' compiles for 32)
endif
$(call kept,$(FLAGS),$(COMPILE))

# ---- 1. engines ----

# An engine is a row: the package that brings it, its pkg-config name, its header, how to link it. Where Debian has no
# package it is - and the library comes by scripts/engine.sh, or by a PREFIX.
ENGINES = null lmdb rocksdb leveldb wiredtiger bdb sqlite kyoto aio mdbx tkrzw tidesdb lsm toku redis mongodb redb fjall sled bbolt pebble badger voron
lmdb = liblmdb-dev lmdb lmdb.h -llmdb
rocksdb = librocksdb-dev rocksdb rocksdb/c.h -lrocksdb
leveldb = libleveldb-dev leveldb leveldb/c.h -lleveldb
wiredtiger = libwiredtiger-dev wiredtiger wiredtiger.h -lwiredtiger
bdb = libdb-dev db db.h -ldb
sqlite = libsqlite3-dev sqlite3 sqlite3.h -lsqlite3
kyoto = libkyotocabinet-dev kyotocabinet kclangc.h -lkyotocabinet
aio = libaio-dev libaio libaio.h -laio
mdbx = - - mdbx.h -lmdbx
tkrzw = libtkrzw-dev tkrzw tkrzw_langc.h -ltkrzw
tidesdb = - tidesdb tidesdb/db.h -ltidesdb
lsm = - - lsm.h -llsm1
toku = - - db.h -ltokufractaltree -ltokuportability
redis = libhiredis-dev hiredis hiredis/hiredis.h -lhiredis
mongodb = libmongoc-dev libmongoc-1.0 mongoc/mongoc.h -lmongoc-1.0 -lbson-1.0
redb = - - - -lassay_redb
fjall = - - - -lassay_fjall
sled = - - - -lassay_sled
# Those in Go and for .NET are loaded, not linked.
bbolt = - - -
pebble = - - -
badger = - - -
voron = - - -
# Those of them that need a server (scripts/serve.sh), so that nothing runs them unasked.
SERVED = redis mongodb

comma := ,
package = $(filter-out -,$(word 1,$($(1))))
module = $(filter-out -,$(word 2,$($(1))))
header = $(word 3,$($(1)))
library = $(wordlist 4,9,$($(1)))
CAPITALS := $(join $(ENGINES:%=%=),$(shell echo $(ENGINES) | tr a-z A-Z))
capitals = $(call of,$(1),$(CAPITALS))
prefix = $($(capitals)_PREFIX)

# Those in other languages, with the newest version that scripts/engine.sh builds of the sources in this tree, by the
# language's tools: found once that is built, which `make bench_redb` does.
NEWEST := $(shell awk -F '\t' '$$5 ~ "^engines/" { newest[$$1] = $$1 "=" $$1 "-" $$2 } END { for (i in newest) print newest[i] }' engines/sources.tsv)
newest = $(call of,$(1),$(NEWEST))
# beside VERSION: link with the library of that build, and find it where it lies beside the program, built or installed
beside = -Lbuild/engines/$(1)/lib -Wl,-rpath,'$$ORIGIN/build/engines/$(1)/lib' -Wl,-rpath,'$$ORIGIN/../lib/assay/$(1)' \
	-Wl,-rpath,'$(CURDIR)/build/engines/$(1)/lib'

# How to get a library that was not found.
source = $(shell grep -q '^$(1)	' engines/sources.tsv && echo 'scripts/engine.sh build $(1), or ')
advice = $(if $(newest),scripts/engine.sh build $(1),$(unbuilt))
unbuilt = $(if $(package),$(if $(filter Linux,$(SYSTEM)),apt install $(package),install $(module))$(comma) or ,$(source))give $(capitals)_PREFIX=

# ---- 2. which are found ----

# NAME=FLAG for each flag; pkg-config is asked once for each engine.
flags_of = $(if $(module),$(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(module) 2>/dev/null)))
PACKAGED := $(foreach e,$(ENGINES),$(addprefix $(e)=,$(call flags_of,$(e))))
cflags = $(if $(prefix),-isystem $(prefix)/include,$(call of,$(1),$(PACKAGED)) $(BREW:%=-isystem %/include))
# For a library that cannot be asked for its version.
version = $(or $(shell PKG_CONFIG_PATH=$(if $(prefix),$(prefix)/lib/pkgconfig) pkg-config --modversion $(module) 2>/dev/null),unknown)
major = $(or $(shell echo $(version) | sed -n 's/^\([0-9][0-9]*\)\..*/\1/p'),999)
libs = $(if $(newest),$(call beside,$(newest)),$(if $(prefix),-L$(prefix)/lib -Wl$(comma)-rpath$(comma)$(prefix)/lib,$(BREW:%=-L%/lib))) $(library)
absent = $(if $(prefix),$(if $(wildcard $(prefix)/include/$(header)),,yes))
needed = -include $(header) $(cflags) $(libs)
found = $(if $(newest),$(if $(wildcard build/engines/$(newest)/facts),$(1)),$(looked_for))
looked_for = $(if $(header),$(if $(absent),,$(and $(call links,$(BUILD)$(1).flags,$(needed)),$(1))),$(1))

FOUND := $(foreach e,$(ENGINES),$(call found,$(e)))
MISSING := $(filter-out $(FOUND),$(ENGINES))

# An engine's objects and program are stale if its library is found with other flags, such as another PREFIX.
$(foreach e,$(FOUND),$(call kept,$(BUILD)$(e).flags,$(CC) $(or $(call newest,$(e)),$(call needed,$(e)))))

# ---- 3. objects ----

UTIL := $(patsubst %.c,$(BUILD)%.o,$(wildcard util/*.c util/*/*.c))
BENCH := $(patsubst %.c,$(BUILD)%.o,$(wildcard bench/*/*.c))

# bench.o holds the commit, so another one makes it stale.
COMMITTED := $(BUILD)commit
$(call kept,$(COMMITTED),$(COMMIT))

$(BUILD)bench.o: bench.c $(FLAGS) $(COMMITTED)
	@mkdir -p $(@D)
	$(COMPILE) -DASSAY_COMMIT='"$(COMMIT)"' -MMD -MP -c $< -o $@

# The null engine a second time, under another name: the baseline that every program carries.
$(BUILD)baseline.o: engines/null.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -Dengine=baseline_engine -MMD -MP -c $< -o $@

# A driver, which alone sees its engine's headers.
$(FOUND:%=$(BUILD)engines/%.o): $(BUILD)engines/%.o: $(BUILD)%.flags
$(BUILD)engines/%.o: engines/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) $(call cflags,$*) -DENGINE_VERSION='"$(call version,$*)"' -DENGINE_MAJOR=$(call major,$*) -MMD -MP -c $< -o $@

# All other sources.
$(BUILD)%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c $< -o $@

# ---- 4. programs ----

$(FOUND:%=$(BIN)bench_%): $(BIN)bench_%: $(BUILD)bench.o $(BUILD)baseline.o $(BUILD)engines/%.o $(BENCH) $(UTIL)
	@mkdir -p $(@D)
	$(LINK) $^ -o $@ $(call libs,$*) -lm $(LIBDL)

# Those whose sources are here are built then.
BUILDABLE := $(foreach e,$(MISSING),$(and $(call newest,$(e)),$(e)))
$(BUILDABLE:%=$(BIN)bench_%): $(BIN)bench_%:
	@scripts/engine.sh build $* && $(MAKE) -s $@
$(BUILDABLE:%=$(BUILD)conform_%): $(BUILD)conform_%:
	@scripts/engine.sh build $* --library && $(MAKE) -s $@

ABSENT := $(filter-out $(BUILDABLE),$(MISSING))
not_installed = @echo "$(@F): its library is not installed; $(call advice,$*)" >&2; false
$(ABSENT:%=$(BIN)bench_%): $(BIN)bench_%:
	$(not_installed)
$(ABSENT:%=$(BUILD)conform_%): $(BUILD)conform_%:
	$(not_installed)

# ---- engines at other versions ----

# What scripts/engine.sh has built, each with the facts of its build.
VERSIONS := $(patsubst build/engines/%/facts,%,$(wildcard build/engines/*/facts))
fact = $(shell sed -n 's/^$(2)	//p' build/engines/$(1)/facts)
CONFORM_OBJECTS := $(patsubst %,$(BUILD)test/%.o,conform crash iterators)

# The driver again, for that version; the program finds its library where it lies beside it, built or installed. The source,
# which the facts name, is in the dependencies that the compiler writes.
$(VERSIONS:%=$(BUILD)versions/%.o): $(BUILD)versions/%.o: build/engines/%/facts $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -isystem build/engines/$*/include $(call fact,$*,defines) -DENGINE_VERSION='"$(call fact,$*,version)"' \
		-DENGINE_MAJOR=$(firstword $(subst ., ,$(call fact,$*,version))) -MMD -MP -c engines/$(call fact,$*,driver).c -o $@

link_version = $(LINK) $(filter %.o,$^) -o $@ $(call beside,$*) $(call library,$(call fact,$*,driver)) -lm $(LIBDL)
$(VERSIONS:%=$(BIN)bench_%): $(BIN)bench_%: $(BUILD)bench.o $(BUILD)baseline.o $(BUILD)versions/%.o $(BENCH) $(UTIL) build/engines/%/facts
	@mkdir -p $(@D)
	$(link_version)
$(VERSIONS:%=$(BUILD)conform_%): $(BUILD)conform_%: $(CONFORM_OBJECTS) $(BUILD)versions/%.o $(UTIL) build/engines/%/facts
	$(link_version)

# Engines whose sources are in this tree are built anew when these change, before a program is linked. A program that was
# linked stays: its library is loaded.
OWN := $(shell grep -l '^sources	' /dev/null $(VERSIONS:%=build/engines/%/facts))
$(OWN): build/engines/%/facts: $(wildcard engines/*/*/*)
	@scripts/engine.sh build $* --library
OWN_FOUND := $(foreach e,$(FOUND),$(and $(call newest,$(e)),$(e)))
.SECONDEXPANSION:
$(OWN_FOUND:%=$(BIN)bench_%): $(BIN)bench_%: | build/engines/$$(call newest,$$*)/facts
$(OWN_FOUND:%=$(BUILD)conform_%): $(BUILD)conform_%: | build/engines/$$(call newest,$$*)/facts

# ---- programs of scripts ----

# Reading logs of histograms that others wrote needs zlib.
zlib_needed = -include zlib.h -lz
ZLIB := $(call links,$(BUILD)zlib.flags,$(zlib_needed))
# Disks are simulated by FUSE, on Linux.
fuse_cflags := $(if $(PORTABLE),,$(shell pkg-config --cflags fuse3 2>/dev/null))
fuse_needed = -DFUSE_USE_VERSION=31 $(fuse_cflags) -include fuse.h -include sys/prctl.h -lfuse3
FUSE := $(if $(fuse_cflags),$(and $(call links,$(BUILD)fuse.flags,$(fuse_needed)),$(fuse_cflags)))
HELPERS = stats tracecat $(if $(ZLIB),hdrmerge) $(if $(FUSE),simulated_disk)
$(if $(ZLIB),$(call kept,$(BUILD)zlib.flags,$(CC) $(zlib_needed)))$(if $(FUSE),$(call kept,$(BUILD)fuse.flags,$(CC) $(fuse_needed)))

# The statistics of the scripts.
$(BUILD)stats: $(BUILD)scripts/tools/stats.o $(patsubst %,$(BUILD)util/%.o,stats random option edit_distance message)
	$(LINK) $^ -o $@ -lm

# The traces of trace.sh, read as a replay reads them.
$(BUILD)tracecat: $(BUILD)scripts/tools/tracecat.o $(patsubst %,$(BUILD)util/%.o,trace trace_file trace_text trace_binary record length_table pareto random option \
		edit_distance message)
	$(LINK) $^ -o $@ -lm

# Merges logs of histograms; reading those of others needs zlib1g-dev.
$(BUILD)hdrmerge: $(BUILD)scripts/tools/hdrmerge.o $(patsubst %,$(BUILD)util/%.o,hdrlog hist option edit_distance message)
	$(LINK) $^ -o $@ -lz -lm

# The disk by numbers that can lose its power; needs libfuse3-dev.
$(BUILD)scripts/tools/simulated_disk.o: scripts/tools/simulated_disk.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) $(FUSE) -MMD -MP -c $< -o $@

$(BUILD)simulated_disk: $(BUILD)scripts/tools/simulated_disk.o $(patsubst %,$(BUILD)util/%.o,random option edit_distance message)
	$(LINK) $^ -o $@ -lfuse3 -lm

# Its functions at given times; the disk's source is a part of it.
$(BUILD)test/disk.o: test/disk.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -O0 $(FUSE) -MMD -MP -c $< -o $@

$(BUILD)disk: $(BUILD)test/disk.o $(patsubst %,$(BUILD)util/%.o,random option edit_distance message)
	$(LINK) $^ -o $@ -lfuse3 -lm

# ---- all, and single files ----

all: $(FOUND:%=$(BIN)bench_%) $(VERSIONS:%=$(BIN)bench_%) $(HELPERS:%=$(BUILD)%)
	@$(if $(ZLIB),,echo "skipped build/hdrmerge: zlib is not installed; apt install zlib1g-dev";)true
	@$(if $(FUSE),,echo "skipped build/simulated_disk: libfuse is not installed; apt install libfuse3-dev";)true
	@$(foreach e,$(MISSING),echo "skipped bench_$(e): its library is not installed; $(call advice,$(e))";)true

# One C file for each engine, found here or not.
single: $(ENGINES:%=$(BUILD)single/bench_%.c)
$(BUILD)single/bench_%.c: engines/%.c bench.c scripts/amalgamate.sh $(wildcard bench/*/*.[ch] util/*.[ch] util/*/*.[ch] engines/*.h)
	@mkdir -p $(@D)
	scripts/amalgamate.sh $* '$(COMMIT)' '$(call library,$*)' >$@

# ---- programs of tests ----

# Programs that measure or test the suite itself. Those that are run for their answers are not optimized, which would take
# most of their time.
ANSWERING = extras figures figures_servers monitor printed procedure smallbank
$(BUILD)test/%.o: test/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) $(if $(filter $(ANSWERING),$*),-O0) $(call cflags,$(patsubst handwritten_%,%,$*)) -MMD -MP -c $< -o $@

$(BUILD)peerloop: $(BUILD)test/peerloop.o $(BUILD)util/random.o
	$(LINK) $^ -o $@ -lm

$(BUILD)main.o: bench.c $(FLAGS)
	$(COMPILE) -Dmain=bench_main -MMD -MP -c $< -o $@

HANDWRITTEN := $(patsubst test/handwritten_%.c,$(BUILD)handwritten_%,$(filter $(FOUND:%=test/handwritten_%.c),$(wildcard test/handwritten_*.c)))
$(HANDWRITTEN): $(BUILD)handwritten_%: $(BUILD)test/handwritten.o $(BUILD)test/handwritten_%.o $(BUILD)main.o $(BUILD)baseline.o \
		$(BUILD)engines/%.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ $(hand_$*) $(call libs,$*) -lm $(LIBDL)

# The loop in C# lies where the runtime looks: beside links to the driver's assemblies.
hand_voron = -Wl,-rpath,'$(CURDIR)/$(BUILD)hand_voron'
$(BUILD)handwritten_voron: | $(BUILD)hand_voron/handwritten_voron.dll
$(BUILD)hand_voron/handwritten_voron.dll: test/handwritten_voron.cs
	@mkdir -p $(@D)
	@ln -sf $(CURDIR)/build/engines/$(call newest,voron)/lib/* $(@D)
	mcs -nologo -optimize -unsafe -target:library -nostdlib -noconfig -lib:$(@D) -r:System.Private.CoreLib.dll -r:System.Runtime.dll \
		-r:System.Runtime.InteropServices.dll -r:netstandard.dll -r:Voron.dll -r:Sparrow.dll -out:$@ $<

# The test engine, which keeps records in memory: for tests only.
$(BIN)bench_memstore: $(BUILD)bench.o $(BUILD)baseline.o $(BUILD)test/memstore.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# The test engine by which faults.sh and soak.sh are tested.
$(BIN)bench_flat: $(BUILD)bench.o $(BUILD)baseline.o $(BUILD)test/flat_engine.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# The contract held against each driver.
CONFORM := $(patsubst %,$(BUILD)conform_%,$(filter-out null,$(FOUND)))
conform: $(CONFORM) $(VERSIONS:%=$(BUILD)conform_%)

$(CONFORM): $(BUILD)conform_%: $(CONFORM_OBJECTS) $(BUILD)engines/%.o $(UTIL)
	$(LINK) $^ -o $@ $(call libs,$*) -lm $(LIBDL)

$(BUILD)conform_flat: $(CONFORM_OBJECTS) $(BUILD)test/flat_engine.o $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# A driver whose calls of its engine say themselves, each after those of the contract that it is asked for. What it includes
# comes first, as a declaration is no call. Where few have the library, a header of test/stand_in stands in for it, or a
# source.
STOOD_IN_RUST = redb fjall sled
# the last of them that a driver has code of its own for
STOOD_IN_CRATES = $(STOOD_IN_RUST) redb-2 fjall-2
STOOD_IN_GO = bbolt pebble badger
# libmongoc's documents are its own
STOOD_IN = mdbx lsm tidesdb toku redis voron $(filter mongodb,$(FOUND)) $(STOOD_IN_RUST) $(STOOD_IN_GO)
stands_in = $(and $(filter $1,$(STOOD_IN)),$2)
calls_flags = $(or $(call stands_in,$1,-DSTOOD_IN=1 -isystem test/stand_in -isystem test/stand_in/$1 $(if $(filter mongodb,$1),$(call cflags,$1))),-DSTOOD_IN=0 $(call cflags,$1))
calls_libs = $(or $(call stands_in,$1,$(and $(filter $1,$(STOOD_IN_RUST)),test/stand_in/rust.c) $(if $(filter mongodb,$1),-lbson-1.0) -Wl$(comma)-rpath$(comma)'$$ORIGIN/calls/$1'),\
	$(call libs,$1))
# .NET's runtime and the assemblies, of which the driver reads one's version
stood_in_runtime = $(COMPILE) -w -shared -fPIC test/stand_in/clr.c -o $1/libcoreclr.so && : >$1/assay_voron.dll && \
	printf 'ProductVersion|1.23.45|' | sed 's/[^|]/&\x00/g; s/|/\x00\x00/g' >$1/Voron.dll
# the Go module that a driver names
go_module = $(shell sed -n 's/^.define GO_MODULE "\(.*\)"/\1/p' engines/$1.c)
$(sort $(FOUND:%=$(BUILD)calls_%) $(STOOD_IN:%=$(BUILD)calls_%)): $(BUILD)calls_%: test/calls.c test/calls.h test/calls.sed \
		$(wildcard test/stand_in/*.[ch] test/stand_in/*/*.h test/stand_in/*/*/*.h) engines/%.c $(wildcard engines/*.h) $(UTIL)
	@mkdir -p $(BUILD)calls/$*
	@for source in $*.c lmdb_common.h leveldb_common.h; do sed -E -f test/calls.sed engines/$$source >$(BUILD)calls/$*/$$source || exit; done
	@sed -n '/^#include/{ /_names[.]h\|_common[.]h/!p; }' engines/$*.c >$(BUILD)calls/$*/includes
	$(and $(filter $*,$(STOOD_IN_GO)),$(COMPILE) -w -shared -fPIC -DGO_MODULE='"$(call go_module,$*)"' test/stand_in/go.c -o $(BUILD)calls/$*/libassay_$*.so)
	$(if $(filter voron,$*),$(call stood_in_runtime,$(BUILD)calls/voron))
	$(COMPILE) -std=gnu11 -O0 -w $(call calls_flags,$*) -DENGINE_VERSION='"$(if $(filter $*,$(STOOD_IN)),1.23.45,$(call version,$*))"' \
		-DENGINE_MAJOR=$(call major,$*) -iquote engines -I. \
		-include $(BUILD)calls/$*/includes -include engines/driver_common.h -include test/calls.h \
		$(BUILD)calls/$*/$*.c test/calls.c $(UTIL) -rdynamic -o $@ $(call calls_libs,$*) -lm $(LIBDL)

# The driver as it is, with the library of its own that lies in a directory of the program's name
crate = $(firstword $(subst -, ,$*))
calls_of_library = $(COMPILE) -O0 -DSTOOD_IN=1 engines/$(crate).c test/calls.c $(UTIL) -rdynamic -o $@ $1 \
	-Wl,-rpath,'$$ORIGIN/calls/$(@F:calls_%=%)' -lm $(LIBDL)

# Of an engine in Rust its library, too, of the crate that stands in for the engine: what it is asked for.
$(STOOD_IN_CRATES:%=$(BUILD)calls_%-crate): $(BUILD)calls_%-crate: test/calls.c $(wildcard engines/rust/*/lib.rs) \
		$(wildcard test/stand_in/crates/*.rs) $(STOOD_IN_RUST:%=engines/%.c) $(wildcard engines/*.h) $(UTIL)
	@mkdir -p $(BUILD)calls/$*-crate
	@printf 'name = "$(crate)"\nversion = "1.23.45"\n' >$(BUILD)calls/$*-crate/Cargo.lock
	cd $(BUILD)calls/$*-crate && unset MAKEFLAGS MFLAGS && export CARGO_MANIFEST_DIR=$(CURDIR)/$(BUILD)calls/$*-crate && \
		rust="rustc -A warnings --edition 2021 $(if $(filter %-2,$*),,--cfg feature=\"since3\") -L ." && \
		$$rust --crate-type rlib --crate-name shared $(CURDIR)/engines/rust/shared/lib.rs && \
		$$rust --crate-type rlib --crate-name $(crate) $(CURDIR)/test/stand_in/crates/$(crate).rs && \
		$$rust --crate-type cdylib --extern shared --extern $(crate) --crate-name assay_$(crate) $(CURDIR)/engines/rust/$(crate)/lib.rs
	$(call calls_of_library,-L$(BUILD)calls/$*-crate -lassay_$(crate))

# The same of one in Go, whose go.mod has the packages that stand in.
$(STOOD_IN_GO:%=$(BUILD)calls_%-package): $(BUILD)calls_%-package: test/calls.c $(wildcard engines/go/*/*.go) \
		$(wildcard test/stand_in/packages/*/*.go test/stand_in/packages/*/*/*.go) engines/%.c $(wildcard engines/*.h) $(UTIL)
	test/stand_in/packages/build.sh $* $(BUILD)calls/$*-package
	$(calls_of_library)

# And of Voron's in C#: what .NET counts in each run is a number here, as Mono does not count it.
$(BUILD)calls_voron-assembly: engines/dotnet/voron/voron.cs $(wildcard test/stand_in/dotnet/*)
	@mkdir -p $(BUILD)calls/voron-assembly
	sed 's/GC[.]GetTotalAllocatedBytes(false)/1017/; s/GC[.]GetTotalMemory(false)/1018/; s/GC[.]CollectionCount(i)/1019/; s/GC[.]MaxGeneration/2/' $< \
		>$(BUILD)calls/voron-assembly/voron.cs
	mcs -nologo -unsafe -warn:0 -out:$(BUILD)calls/voron-assembly/calls.exe $(BUILD)calls/voron-assembly/voron.cs test/stand_in/dotnet/*.cs
	cp test/stand_in/dotnet/run.sh $@

# What a driver makes of its engine's errors, messages and statistics: its source is a part of the test.
INSIDE := $(patsubst test/inside/%.c,$(BUILD)inside_%,$(filter $(FOUND:%=test/inside/%.c),$(wildcard test/inside/*.c)))
$(INSIDE): $(BUILD)inside_%: test/inside/%.c test/tap.h engines/%.c $(wildcard engines/*.h) $(UTIL)
	$(COMPILE) -O0 $(call cflags,$*) -DENGINE_VERSION='"$(call version,$*)"' -DENGINE_MAJOR=$(call major,$*) $< $(UTIL) -rdynamic -o $@ \
		$(call libs,$*) -lm $(LIBDL)

# What several parts of the tests run with the sanitizers.
sanitized:
	$(MAKE) -s DEBUG=1 BUILD=$(BUILD)asan/ BIN=$(BUILD)asan/ $(BUILD)asan/bench_null $(BUILD)asan/bench_lmdb \
		$(BUILD)asan/unit
sanitized-conform: sanitized
	$(MAKE) -s DEBUG=1 BUILD=$(BUILD)asan/ BIN=$(BUILD)asan/ conform

# What is preloaded into a bench to watch its calls, and what reads what it wrote.
INSTRUMENTS := $(patsubst test/instruments/%.c,$(BUILD)instruments/%.so,$(filter $(FOUND:%=test/instruments/%.c),$(wildcard test/instruments/*.c)))
instruments: $(INSTRUMENTS) $(BUILD)instruments/read_recording $(BUILD)instruments/sample_process

$(INSTRUMENTS): $(BUILD)instruments/%.so: test/instruments/%.c test/instruments/interpose.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) $(call cflags,$*) -fPIC -shared -fvisibility=hidden -MMD -MP -MF $@.d $(filter %.c,$^) -o $@ -ldl

$(BUILD)instruments/read_recording $(BUILD)instruments/sample_process: $(BUILD)instruments/%: test/instruments/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -MF $@.d $< -o $@

# Rows of runs that were not made, and what is printed of them in other programs' forms.
$(BUILD)figures $(BUILD)figures_servers $(BUILD)printed: $(BUILD)%: $(BUILD)test/%.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# Reports of threads that were not run; the monitor's source is a part of it.
$(BUILD)monitor: $(BUILD)test/monitor.o $(filter-out %/runner/monitor.o,$(BENCH)) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

INCLUDED_EXTRAS := aging backup commit_journal crossing device_limit engine_counters insert_benchmark long_reader maintenance queue \
	replay slow_calls soak trace trace_writer
# What extras make of runs that were not made; the sources of those are a part of it.
$(BUILD)extras: $(BUILD)test/extras.o $(filter-out $(patsubst %,$(BUILD)bench/extras/%.o,$(INCLUDED_EXTRAS)),$(BENCH)) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

$(BUILD)unit: $(BUILD)test/unit.o $(BUILD)engines/null.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# The transactions of SmallBank, on an engine in memory.
$(BUILD)smallbank: $(BUILD)test/smallbank.o $(BUILD)bench/workload/procedure.o $(BUILD)bench/extras/smallbank.o $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# What procedures ask of their engine, also those of the Insert Benchmark's statements.
$(BUILD)procedure: $(BUILD)test/procedure.o $(BUILD)bench/workload/procedure.o $(BUILD)bench/extras/insert_benchmark_table.o $(UTIL)
	$(LINK) $^ -o $@ -lm $(LIBDL)

# With DEBUG=fuzz and clang, as `make fuzz` does.
$(BUILD)fuzz: $(BUILD)test/fuzz.o $(patsubst %,$(BUILD)util/%.o,os/host list_parser record length_table pareto random option edit_distance message)
	$(LINK) -fsanitize=fuzzer $^ -o $@ -lm $(LIBDL)

FUZZ_SECONDS = 60
fuzz-long: FUZZ_SECONDS = 600
fuzz fuzz-long:
	$(MAKE) -s BUILD=build/ build/stats
	$(MAKE) -s CC=clang DEBUG=fuzz BUILD=$(BUILD)fuzzing/ $(BUILD)fuzzing/fuzz
	scripts/fuzz.sh --seconds=$(FUZZ_SECONDS) $(FUZZ) $(BUILD)fuzzing/fuzz

# ---- checks ----

SHELL_SCRIPTS = test.sh $(wildcard scripts/*.sh scripts/*/*.sh test/*.sh test/*/*.sh) .ci/run
# Style is left out of cppcheck's: it is about where variables are declared and what they are called like. The exceptions
# of clang-tidy are in .clang-tidy, each with its reason.
LINTED = bench.c $(wildcard bench/*/*.c util/*.c util/*/*.c engines/*.c scripts/tools/*.c test/*.c test/instruments/*.c)
lint: cppcheck formatted python-lint
	shellcheck -x $(SHELL_SCRIPTS)
	printf '%s\n' $(LINTED) | xargs -P 2 -I '{}' clang-tidy --quiet '{}' -- -std=c11 -D_GNU_SOURCE -DASSAY_COMMIT='""' \
		-DENGINE_VERSION='""' -DENGINE_MAJOR=1 $(foreach e,$(FOUND),$(call cflags,$(e))) $(FUSE)
cppcheck:
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr -D_GNU_SOURCE \
		-D__linux__ -D__x86_64__ $(LINTED)

# The types of the readers (.mypy.ini) and the style of all Python (.ruff.toml), by tools of these versions from PyPI, which
# are installed once. Without a network neither is looked at, and that is said.
PYTHON_TOOLS = mypy==2.4.1 ruff==0.17.6 jinja2==3.1.6
LINTERS = $(BUILD)linters/
$(LINTERS)installed: Makefile
	@python3 -m venv --without-pip $(LINTERS) && python3 -m pip --python $(LINTERS)bin/python install -q \
		--disable-pip-version-check --no-compile $(PYTHON_TOOLS) && touch $@
# the columns of a row as a type, which only mypy reads; .mypy.ini finds it there
build/row_columns.py: scripts/gen-docs.sh bench_null
	@mkdir -p $(@D)
	./scripts/gen-docs.sh --python >$@
python-lint: build/row_columns.py
	@if $(MAKE) -s $(LINTERS)installed 2>$(BUILD)linters.err; then \
		$(LINTERS)bin/mypy --cache-dir=$(LINTERS)mypy && $(LINTERS)bin/ruff check --cache-dir=$(LINTERS)ruff scripts test; \
	else echo "skipped mypy and ruff: $$(grep -v '^make' $(BUILD)linters.err | tail -n 1)"; fi

# Other versions of clang-format than that of .clang-format break other lines.
CLANG_FORMAT = clang-format-19 --style=file:.clang-format
FORMATTED = $(LINTED) $(wildcard bench/*/*.h util/*.h util/*/*.h engines/*.h test/*.h test/instruments/*.h)
format:
	$(CLANG_FORMAT) -i $(FORMATTED)
formatted:
	@$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED) || { echo "make format brings C into the style of .clang-format" >&2; false; }

# The null engine's program that writes down each operation of an open loop: test/waits.awk.
TRACED = $(BUILD)trace/
$(TRACED)bench.o: bench.c $(FLAGS) $(COMMITTED)
	@mkdir -p $(@D)
	$(COMPILE) -DASSAY_TRACE -DASSAY_COMMIT='"$(COMMIT)"' -MMD -MP -c $< -o $@

$(TRACED)bench_null: $(TRACED)bench.o $(BUILD)baseline.o $(BUILD)engines/null.o $(BENCH) $(UTIL)
	$(LINK) $^ -o $@ -lm -ldl

bench-harness: $(BIN)bench_null $(TRACED)bench_null $(BUILD)stats $(BUILD)peerloop $(HANDWRITTEN)
	scripts/harness-overhead.sh

bench-device: $(BIN)bench_aio $(BUILD)stats
	scripts/aio-vs-fio.sh

bench-parity: $(BIN)bench_rocksdb $(BIN)bench_leveldb $(BUILD)stats
	scripts/parity.sh

bench-compare: $(BIN)bench_null $(BUILD)stats
	scripts/compare-aa.sh

test:
	./test.sh

coverage:
	test/coverage.sh $(BUILD)coverage

mutate:
	test/mutate.sh $(MUTANTS)

# For scripts: the engines that were found and run by themselves, those that need a server, the versions that were built,
# the engines for whose library a stand-in is tested, and the packages that all of them need.
engines:
	@echo $(filter-out $(SERVED),$(FOUND))
served:
	@echo $(filter $(SERVED),$(FOUND))
versions:
	@echo $(VERSIONS)
stood-in:
	@echo $(STOOD_IN) $(if $(shell command -v rustc),$(STOOD_IN_CRATES:%=%-crate)) \
		$(if $(shell command -v go),$(STOOD_IN_GO:%=%-package)) $(if $(shell command -v mcs && command -v mono),voron-assembly)
packages:
	@echo $(foreach e,$(ENGINES),$(call package,$(e)))

bench.1: $(BIN)bench_null
	./$< --man > $@

# ---- what is installed and packed ----

# What is installed: programs, scripts as they lie here, and a page for each. Of a tree of sources only are those that
# build it, test it and measure the harness.
SOURCE_ONLY = aio-vs-fio amalgamate cleanroom compare-aa engine faults fuzz gen-docs harness-overhead install-deps man parity powerloss quickstart
SCRIPTS := $(filter-out $(SOURCE_ONLY:%=scripts/%.sh) $(addprefix scripts/tools/,lying-disk.sh engine-recipes.sh) %.bash %.c %.md,\
	$(filter-out scripts/repro/claims,$(wildcard scripts/*.* scripts/tools/* scripts/plot/* scripts/reading/*.py \
	scripts/reading/publications/*.py scripts/reading/templates/* scripts/repro/* scripts/repro/claims/*)))
COMMANDS = $(patsubst %.sh,%,$(notdir $(shell find $(SCRIPTS) -name '*.sh' -perm -u=x ! -name assay.sh)))
PUBLISHED := $(wildcard results/published/*)
DOCUMENTS = README.md CHANGELOG CONTRIBUTING.md LICENSE $(wildcard docs/*.md docs/figures/*)
PROGRAMS = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/assay
COMPLETIONS = $(SHARE)/bash-completion/completions

INSTALLED = $(FOUND) $(VERSIONS)
LIBRARIES = $(DESTDIR)$(PREFIX)/lib/assay

man: all
	@mkdir -p $(BUILD)man
	@rm -f $(BUILD)man/*.1
	@for e in $(INSTALLED); do $(BIN)./bench_$$e --man >$(BUILD)man/bench_$$e.1 || exit; done
	@scripts/man.sh assay >$(BUILD)man/assay.1
	@for c in $(COMMANDS) $(SOURCE_ONLY); do scripts/man.sh $$c >$(BUILD)man/assay-$$c.1 || exit; done

install: man
	install -d "$(PROGRAMS)" "$(SHARE)/assay" "$(SHARE)/man/man1" "$(SHARE)/doc/assay" "$(COMPLETIONS)"
	install $(INSTALLED:%=$(BIN)bench_%) "$(PROGRAMS)"
	for v in $(VERSIONS); do install -d "$(LIBRARIES)/$$v" && cp -P build/engines/$$v/lib/*.* "$(LIBRARIES)/$$v" && \
		install -m 644 build/engines/$$v/facts "$(LIBRARIES)/$$v" || exit; done
	for e in $(INSTALLED); do ln -sf ../../bin/bench_$$e "$(SHARE)/assay/bench_$$e" || exit; done
	install -d "$(LIBEXEC)" "$(SHARE)/assay/build"
	install $(HELPERS:%=$(BUILD)%) "$(LIBEXEC)"
	for h in $(HELPERS); do ln -sf ../../../libexec/assay/$$h "$(SHARE)/assay/build/$$h" || exit; done
	for f in $(SCRIPTS) $(PUBLISHED); do install -d "$(SHARE)/assay/$$(dirname $$f)" && \
		install -m $$(test -x $$f && echo 755 || echo 644) $$f "$(SHARE)/assay/$$f" || exit; done
	ln -sf ../share/assay/scripts/assay.sh "$(PROGRAMS)/assay"
	install -m 644 $(INSTALLED:%=$(BUILD)man/bench_%.1) $(BUILD)man/assay.1 $(COMMANDS:%=$(BUILD)man/assay-%.1) "$(SHARE)/man/man1"
	for f in $(DOCUMENTS); do install -d "$(SHARE)/doc/assay/$$(dirname $$f)" && install -m 644 $$f "$(SHARE)/doc/assay/$$f" || exit; done
	install -m 644 scripts/tools/completion.bash "$(COMPLETIONS)/assay"
	for e in $(INSTALLED); do ln -sf assay "$(COMPLETIONS)/bench_$$e" || exit; done

REMOVED = $(ENGINES) $(VERSIONS)
uninstall:
	for h in stats tracecat hdrmerge simulated_disk; do rm -f "$(LIBEXEC)/$$h" "$(SHARE)/assay/build/$$h"; done
	rm -f "$(PROGRAMS)/assay" $(REMOVED:%="$(PROGRAMS)/bench_%")
	rm -f $(patsubst %,"$(SHARE)/man/man1/%.1",assay $(COMMANDS:%=assay-%) $(REMOVED:%=bench_%))
	rm -f "$(COMPLETIONS)/assay" $(REMOVED:%="$(COMPLETIONS)/bench_%")
	rm -f $(patsubst %,"$(SHARE)/assay/%",$(SCRIPTS) $(PUBLISHED) $(REMOVED:%=bench_%)) $(DOCUMENTS:%="$(SHARE)/doc/assay/%")
	for v in $(VERSIONS); do rm -f "$(LIBRARIES)/$$v"/*.so* "$(LIBRARIES)/$$v"/*.dll "$(LIBRARIES)/$$v/facts" || exit; done
	[ ! -d "$(LIBRARIES)" ] || find "$(LIBRARIES)" -depth -type d -empty -delete
	find "$(SHARE)/assay" -path '*/__pycache__/*.pyc' -delete
	find "$(SHARE)/assay" "$(SHARE)/doc/assay" "$(LIBEXEC)" -depth -type d -empty -delete

ARCHIVE = $(BUILD)assay-$(VERSION).tar.gz
dist:
	@[ -e .git ] || { echo "make dist: this is no clone, and it is git that makes the archive" >&2; false; }
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are not in it" >&2
	@git archive --prefix=assay-$(VERSION)/ -o $(ARCHIVE) HEAD
	@echo $(ARCHIVE)

# The packaging lies in scripts/debian, and dpkg-buildpackage wants it at the top; what this make was given is not for it.
DEB = $(BUILD)deb
deb: dist
	@rm -rf $(DEB)
	@mkdir $(DEB)
	cp $(ARCHIVE) $(DEB)/assay_$(VERSION).orig.tar.gz
	tar -xf $(ARCHIVE) -C $(DEB)
	cp -r $(DEB)/assay-$(VERSION)/scripts/debian $(DEB)/assay-$(VERSION)/debian
	cd $(DEB)/assay-$(VERSION) && env -u MAKEFLAGS dpkg-buildpackage -us -uc
	@rm -r $(DEB)/assay-$(VERSION)
	@ls $(DEB)/*.dsc $(DEB)/*.deb

# the tables in pages that are printed by the programs
docs: all
	./scripts/gen-docs.sh >build/options.md
	./scripts/gen-docs.sh --columns >build/columns.md
	./scripts/gen-docs.sh --engines >build/engines.md
	./scripts/gen-docs.sh --from >build/from-db_bench.md
	mv build/options.md build/columns.md build/engines.md build/from-db_bench.md docs/

clean:
	rm -rf build bench.1 bench_memstore bench_flat $(ENGINES:%=bench_%) $(VERSIONS:%=bench_%)

.PHONY: all bench-compare bench-device bench-harness bench-parity clean conform coverage cppcheck deb dist docs engines format formatted fuzz fuzz-long install instruments lint man mutate packages python-lint sanitized sanitized-conform served single stood-in test uninstall versions
# what engine.sh is at work on has such files of its own
-include $(shell find $(BUILD) -name 'engine-*' -prune -o -name '*.d' -print 2>/dev/null)
