# ClipCanvas: `make demo` and `make test` are all that a newcomer needs; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
# The output folder of `make demo`, and the clips of Packaging/demo-clips that it puts on the board.
DEMO ?= demo
DEMO_CLIPS := coast.mp4 hills.mp4 flower.mov aurora.mkv lanterns.webm

# Options of `make compare`: --markdown, --row N, --recordings FOLDER.
COMPARE ?=

# Options of `make compare-similar`: --seed N, --clips N, --copies N, --pictures.
SIMILAR ?=

# Options of `make bench`: --quick, --long, --only ROW, --rounds N, --host NAME.
BENCH ?=

# Patches for `make planted-faults`; all when empty.
FAULTS ?=

# Options of `make damage-sweep`: --copies N, --seed N, --list.
SWEEP ?=

# Options of `make mutants`: how many, which random choice, only those of a module, file or line, and whether to
# continue the last run.
MUTANTS ?= 200
SEED ?= 1
ONLY ?=
CONTINUE ?=

# The releases of Debian that `make check-systems` makes clean systems of, and whether it leaves out the package.
SUITES ?= bookworm trixie sid
QUICK ?=

# `make test` runs the quick tests; with SCOPE=full all of them, as `make check` does.
SCOPE ?= quick
# Whether `make test` runs one test after another and prints where the time goes.
TIMES ?=
# Whether the tests are built already: `swift test` does not know all flags of a check.
BUILT ?=

SWIFT ?= swift
# A first check of what each module imports; `.ci/check-modules` compares the whole table.
BUILD_FLAGS := --explicit-target-dependency-import-check error
# The folder of debug builds.
BUILD_PATH ?= .build
# Further flags of debug builds.
LEAN_FLAGS ?=
DEBUG_FLAGS := $(BUILD_FLAGS) --scratch-path $(BUILD_PATH) $(LEAN_FLAGS)
# Warnings are errors in a check. Without debug information, it builds in a sixth less processor time; the index, which
# editors use, is also how SwiftPM finds tests. Whole modules take another sixth less, and SwiftPM expects the object of
# each file that a number of threads makes. Other flags compile everything again, so a check has its own folder.
CHECK_PATH := .build/check
WHOLE_MODULES := $(addprefix -Xswiftc ,-whole-module-optimization -num-threads 1 -disable-batch-mode)
CHECKING = CLIPCANVAS_STRICT=1 BUILD_PATH=$(CHECK_PATH) LEAN_FLAGS='-debug-info-format none $(WHOLE_MODULES) $(LINKED_FLAGS)'
# The compiler, linker and sanitizers that Swift brings along.
SWIFT_FOLDER := $(dir $(realpath $(shell command -v $(SWIFT))))
# Debug builds optimise two packages; see .ci/swift-frontend. The compiler looks for its libraries beside that program.
FRONTEND := .build/frontend
DEBUG_SWIFT := $(if $(wildcard $(SWIFT_FOLDER)swift-frontend),env CLIPCANVAS_FRONTEND='$(SWIFT_FOLDER)swift-frontend' \
  SWIFT_DRIVER_SWIFT_FRONTEND_EXEC='$(CURDIR)/$(FRONTEND)/bin/swift-frontend') $(SWIFT)
# No table of addresses that stays writable. Package.swift adds checked calls of the C library to our own C code. The
# compiler makes position-independent programs and stacks that cannot be executed. Packaging/check-hardening checks all
# of it.
HARDENING_FLAGS := -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
# Without the local rpath: a program that is installed looks for no library beside itself.
# The relocations of position-independent programs fill a megabyte in each; packed (DT_RELR, glibc 2.36), almost nothing.
# Only Swift's own linker can pack them, and elsewhere the programs are merely larger.
LLD := $(wildcard $(SWIFT_FOLDER)ld.lld)
# With its static runtime, swiftc exports every public function of a program, and the linker then keeps those that nothing
# calls. Without that, the server is a tenth smaller and takes 2.4 MiB less memory.
SIZE_FLAGS := $(if $(LLD),-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs) -Xlinker --no-export-dynamic
# By name, types such as `Option<String>` are slow to find: for each, the runtime reads all protocol conformances of the
# program. Functions that know them save a sixth of the instructions of `clipcanvas --help` and of `board tap`.
START_FLAGS := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The tests start thousands of programs, and to load Swift's shared libraries is a fifth of the processor time of a cover.
# So a check links them into the programs, too, where there are archives of them; .ci/swift-frontend makes that possible.
# The archives that Foundation needs are named here because only its static modules name them.
FOUNDATION_ARCHIVES := $(wildcard $(SWIFT_FOLDER)../lib/swift_static/linux/lib_FoundationC*.a)
LINKED_FLAGS := $(if $(and $(LLD),$(FOUNDATION_ARCHIVES),$(wildcard $(SWIFT_FOLDER)swift-frontend)),--static-swift-stdlib \
  -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic $(addprefix -Xlinker ,$(FOUNDATION_ARCHIVES)) $(START_FLAGS))
# Libraries of C name their source files in errors. Relative to the project, they are the same wherever it is built.
PATH_FLAGS := $(foreach language,cc cxx,-X$(language) -ffile-prefix-map=$(CURDIR)/=)
RELEASE_FLAGS := $(BUILD_FLAGS) -c release --static-swift-stdlib --disable-local-rpath $(HARDENING_FLAGS) $(SIZE_FLAGS) \
  $(START_FLAGS) $(PATH_FLAGS)
RELEASE_BIN := .build/release
# The C++ runtime is linked into two programs, where there is an archive of it: `clipcanvas`, which is over in milliseconds,
# then starts a sixth sooner, and the server takes half a megabyte less. The others load it with FFmpeg's libraries.
STATIC_LIBRARIES := .build/static-libraries
WITH_CXX_RUNTIME := clipcanvas clipcanvas-serve
CXX_RUNTIME_FLAGS = $(if $(filter $(WITH_CXX_RUNTIME),$(1)),-Xlinker -L$(STATIC_LIBRARIES) -Xlinker -lgcc_eh)
# With FFMPEG=bundled, `make release` and `make install` take an FFmpeg that contains only the decoders on the allow-list,
# linked into the programs with all other libraries that there are archives of.
FFMPEG ?= system
BUNDLED := .build/ffmpeg
CHECKOUTS = $(BUILD_PATH)/checkouts
ifeq ($(FFMPEG),bundled)
RELEASE_FLAGS += --scratch-path .build/bundled
RELEASE_BIN := .build/bundled/release
CHECKOUTS := .build/bundled/checkouts
STATIC_LIBRARIES := $(BUNDLED)/lib
WITH_CXX_RUNTIME += clipcanvas-decoder clipcanvas-composer clipcanvas-view
# Pango, Cairo and libqrencode are shared libraries, which the archive of `make portable` has in a folder beside the programs.
# The archive of libpng needs zlib, and that of libcrypto in Debian 13 also zstd.
ZSTD = $(shell test -e $(BUNDLED)/lib/libzstd.a && echo -Xlinker -lzstd)
BESIDE_FLAGS = $(if $(filter clipcanvas-view clipcanvas-serve,$(1)),-Xlinker -lz $(ZSTD) -Xlinker -rpath -Xlinker '$$ORIGIN/lib' -Xlinker --disable-new-dtags)
export PKG_CONFIG_PATH := $(CURDIR)/$(BUNDLED)/lib/pkgconfig
else ifneq ($(FFMPEG),system)
$(error FFMPEG is '$(FFMPEG)'; use system or bundled)
endif
# Package.swift then takes the archive of libdeflate, so that users need not install that. Looked for when it is needed,
# because `make portable` may only just have installed it.
STATIC_DEFLATE = $(shell test -e "$$($(CC) -print-file-name=libdeflate.a)" && echo CLIPCANVAS_STATIC=1)
# The programs that clipcanvas runs; they are installed into libexec.
HELPERS := clipcanvas-decoder clipcanvas-composer clipcanvas-view
# The board in a browser needs a web server, which takes minutes to build: without it if empty (`make release SERVER=`).
SERVER ?= 1
ifneq ($(SERVER),)
export CLIPCANVAS_SERVER := 1
HELPERS += clipcanvas-serve
else
# Another make may have exported it.
unexport CLIPCANVAS_SERVER
endif
# As for a user of the libraries.
WITHOUT_SERVER := env -u CLIPCANVAS_SERVER
PLAIN_SWIFT = $(WITHOUT_SERVER) $(SWIFT)
# Manual pages and completions, generated from the program's description of its commands and from the schemas.
SHARE := $(RELEASE_BIN)/share
# Below PREFIX; where zsh looks depends on the system.
ZSH_COMPLETIONS ?= share/zsh/site-functions
DEMO_PROGRAM = $(RELEASE_BIN)/clipcanvas
DEMO_BOARD = CLIPCANVAS_BOARD=$(DEMO)/board.json $(DEMO_PROGRAM) board
VERSION := $(shell sed -n 's/.*static let current = "\(.*\)"/\1/p' Sources/Covers/Text/ClipCanvasVersion.swift)
# The time that goes into what is made: that of the last commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export PREFIX DESTDIR SOURCE_DATE_EPOCH
# Most tests wait for programs that they run, or for a moment: one at a time uses two thirds of a processor. Left to
# itself, `swift test` runs hundreds at once, and on a small machine each then takes as long as all of them.
TEST_WIDTH ?= $(shell echo $$((2 * $$(nproc))))
TEST_FLAGS = $(addsuffix $(space)$(TEST_WIDTH),$(shell $(SWIFT) test --help-hidden | \
	grep -o -m 1 -e --experimental-maximum-parallelization-width))
# What failed is far up in a log of thousands of lines, so it is repeated below the summary: the first issues of each
# test, the names of the tests, and errors of other programs.
CHECK_LOGS := $(patsubst %,.build/%.log,build test meanwhile-first meanwhile-c meanwhile-swift)
FAILURES = { printf '\nFailures (in $(1)):\n'; \
  awk '/ recorded an issue/ { test = $$0; sub(/ recorded an issue.*/, "", test); rest = ++issues[test] <= 3 ? 5 : 0 } \
       !/^(◇|✔)/ && rest-- > 0 && ++lines <= 200' $(1); echo; \
  awk '/^✘ Test .* failed after / && !/^✘ Test (run|case) / && ++tests <= 100' $(1); \
  awk '/error:|ERROR: |WARNING: ThreadSanitizer|^make.* \*\*\* / && ++lines <= 20' $(1); exit 1; }
# The web server and the packages below it take longer to build than everything else, so the quick tests do without them
# unless they are built.
TEST_SWIFT = $(if $(filter full,$(SCOPE))$(wildcard $(BUILD_PATH)/debug/BoardServer.build),,$(WITHOUT_SERVER)) $(DEBUG_SWIFT)
LEFT_OUT = echo "Left out: $$(grep -c '^➜ Test .* skipped\.$$' .build/test.log || true) slow tests, and those of the web" \
  "server; 'make test SCOPE=full' runs all"
# One test after another: then no test waits in a queue, and its time is its own.
TIMES_FILES := .build/test-events.jsonl .build/test-times
TIMES_FLAGS := --no-parallel --event-stream-version 0 --event-stream-output-path $(firstword $(TIMES_FILES))
ifneq ($(TIMES),)
export CLIPCANVAS_TEST_TIMES := $(CURDIR)/$(lastword $(TIMES_FILES))
endif
empty :=
space := $(empty) $(empty)
define newline


endef

# Debian's packages that building needs, and those that only the tests and fixtures need.
BUILD_PACKAGES := pkg-config libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libpng-dev libwebp-dev \
	libseccomp-dev libmd-dev libdeflate-dev libchafa-dev libglib2.0-dev libpango1.0-dev libcairo2-dev \
	libfontconfig-dev libssl-dev libqrencode-dev binutils python3
TEST_PACKAGES := ffmpeg netpbm strace mount e2fsprogs tmux zsh fish jq file mandoc openssl python3-pil python3-jsonschema \
	python3-yaml libraqm0 fonts-dejavu-core fonts-inter fonts-noto-color-emoji
# Those of the tests in a browser, which are skipped without them; `make check` installs them.
BROWSER_PACKAGES := chromium chromium-driver python3-selenium python3-tuspy zbar-tools iproute2
DEB_PACKAGES := dpkg-dev lintian
BUNDLED_PACKAGES := dpkg-dev debian-archive-keyring nasm meson ninja-build libvpx-dev libx264-dev libzstd-dev zlib1g-dev g++
DESKTOP_PACKAGES := gir1.2-gnomedesktop-3.0 python3-gi python3-pil bubblewrap tumbler dbus ffmpeg

# The C code with AddressSanitizer and UndefinedBehaviorSanitizer, driven by Tests/CCoverFuzz. The compiler and linker
# are those beside `swift`, which bring the sanitizers and libFuzzer along; else what is on the path.
CLANG ?= $(firstword $(wildcard $(SWIFT_FOLDER)clang) clang)
SANITIZE_MUTATIONS ?= 200
# Of the ways to exercise an intact clip, every how manyth is taken; a check takes every sixth.
SANITIZE_EVERY ?= 1
# In a check, everything that needs no Swift runs beside the build, whose last module leaves almost half of two processors
# idle, and the rest beside the tests, which leave a third. Their logs follow that of the tests.
MEANWHILE = nice -n $(1) $(MAKE) --no-print-directory meanwhile-$(2) BUILD_PATH=$(CHECK_PATH) \
  >.build/meanwhile-$(2).log 2>&1
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 900
FUZZ_FLAGS ?=
HARNESS := .build/sanitize
HARNESS_SHARED := $(wildcard Sources/CCover/*/*.c Sources/CComposer/*.c Sources/CComposer/*/*.c Sources/CPNG/*.c) \
	$(filter-out %/main.c %/sweep.c %/pixels.c %/fuzz.c,$(wildcard Tests/CCoverFuzz/*.c))
HARNESS_HEADERS := $(wildcard Sources/CCover/*/*.h Sources/CComposer/*.h Sources/CComposer/*/*.h Sources/CPNG/*.h \
	Sources/*/include/*.h Tests/CCoverFuzz/*.h)
# What the harness stands in for; see starved.c, guarded.c and sanitizers.c.
HARNESS_WRAPPED := malloc calloc av_malloc av_mallocz av_calloc av_malloc_array av_realloc_array \
	av_memdup av_free av_freep av_frame_alloc av_packet_alloc \
	avio_alloc_context avformat_alloc_context avcodec_alloc_context3 sws_alloc_context av_write_trailer
comma := ,
HARNESS_FLAGS := -std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Wconversion -Werror \
	-fno-sanitize-recover=all -ISources/CCover -ISources/CCover/include -ISources/CComposer -ISources/CComposer/include \
	-ISources/CPNG/include \
	$(if $(LLD),-fuse-ld=lld) $(addprefix -Wl$(comma)--wrap=,$(HARNESS_WRAPPED))
HARNESS_PACKAGES := libavformat libavcodec libswscale libswresample libavutil libpng libwebpmux libwebp
# All fixtures except huge-index.mp4, which needs gigabytes when memory is unlimited.
# Clips of codecs that few programs write, made when they are needed.
RARE_CLIPS := $(HARNESS)/rare
HARNESS_CLIPS := $(filter-out %.py %.md %.json %/__pycache__ %/huge-index.mp4,$(wildcard Fixtures/*))

DOCS = SWIFT='$(SWIFT)' Packaging/docs $(BUILD_PATH)/debug .build/docs

# Where `make bench` and `make compare` install what they run.
BENCH_PREFIX := PREFIX=$(CURDIR)/.build/bench/installed DESTDIR=
# The C peers of `make bench`.
BARE := .build/bench/bin
BARE_LOOPS := $(addprefix $(BARE)/,bare_loop each stat_all commit_bound \
	$(if $(wildcard $(BUNDLED)/sources.json),bare_loop_bundled))
BARE_FLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wconversion -Werror

.PHONY: help setup demo demo-board build release test torture compare compare-similar lint format check sanitize sanitize-swift sanitize-threads
.PHONY: bench bench-observing fuzz fixtures check-fixtures planted-faults mutants share install uninstall deb
.PHONY: build-tests meanwhile-first meanwhile-c meanwhile-swift
.PHONY: check-cluster check-deb check-desktop check-examples check-image check-portable check-systems docs clean frontend same-folder damage-sweep
.PHONY: archive image portable static-libraries

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need (apt-get; sudo when not root)
	@.ci/setup $(BUILD_PACKAGES) $(TEST_PACKAGES)

setup-browser: ## Install what the tests of the board in a browser need: Chromium, Selenium, tuspy and a reader of QR codes
	@.ci/setup $(BROWSER_PACKAGES)

demo: setup ## Make six clips, their covers, a gallery and a picture of a board, and print where they are
	@$(MAKE) --no-print-directory release SERVER=
	@echo "Making six short clips in $(DEMO)/clips ..."
	@Packaging/demo-clips $(DEMO)/clips
	@$(DEMO_PROGRAM) batch --animate --size 640 -o $(DEMO)/covers --gallery $(DEMO)/gallery.html $(DEMO)/clips
	@echo
	@echo "A file without video has no cover; clipcanvas reports why:"
	@$(DEMO_PROGRAM) cover -o $(DEMO)/covers/ Fixtures/sound-only.m4a || test $$? = 1
	@echo
	@$(MAKE) --no-print-directory demo-board
	@echo
	@echo "Open these:"
	@echo "  $(DEMO)/gallery.html                a page that shows all covers"
	@echo "  $(DEMO)/covers/clips/hills.mp4.png  upright, although the clip is stored lying on its side, as phones do"
	@echo "  $(DEMO)/board.png                   the board: five clips, and a canvas that is recording"
	@echo
	@echo "Try next:"
	@echo "  $(RELEASE_BIN)/clipcanvas cover YOUR-CLIP.mp4"
	@echo "  $(RELEASE_BIN)/clipcanvas board live --board $(DEMO)/board.json"

# The picture shows a canvas that is recording. The take is then discarded, so that the board is not left locked.
demo-board:
	@$(DEMO_BOARD) new --force --grid 3x2
	@number=0; for clip in $(DEMO_CLIPS); do \
	  $(DEMO_BOARD) clip import c$$((++number)) $(DEMO)/clips/$$clip; \
	done > $(DEMO)/board.log
	@$(DEMO_BOARD) tap c6 >> $(DEMO)/board.log
	@$(DEMO_BOARD) record start >> $(DEMO)/board.log
	@$(DEMO_BOARD) show
	@$(DEMO_BOARD) render --force -o $(DEMO)/board.png
	@$(DEMO_BOARD) record discard >> $(DEMO)/board.log

same-folder:
	@.ci/check-folder

# Replaced only when it changed, because another build may be running it.
frontend:
	@cmp -s .ci/swift-frontend $(FRONTEND)/bin/swift-frontend \
	  || install -D .ci/swift-frontend $(FRONTEND)/bin/swift-frontend
	@[[ $(FRONTEND)/lib -ef '$(SWIFT_FOLDER)../lib' ]] || ln -sfn '$(SWIFT_FOLDER)../lib' $(FRONTEND)/lib

build: same-folder frontend ## Build for debugging
	$(DEBUG_SWIFT) build $(DEBUG_FLAGS)

release: same-folder static-libraries ## Build for use: Swift's libraries linked statically, with manual pages and completions (FFMPEG=bundled: FFmpeg, too)
	$(foreach program,clipcanvas $(HELPERS),$(STATIC_DEFLATE) $(SWIFT) build $(RELEASE_FLAGS) \
	  $(call CXX_RUNTIME_FLAGS,$(program)) $(call BESIDE_FLAGS,$(program)) --product $(program)$(newline)	)
	@$(MAKE) --no-print-directory share

ifeq ($(FFMPEG),bundled)
# SwiftPM does not notice that an archive has changed, so it must link again.
static-libraries:
	@.ci/setup $(BUILD_PACKAGES) $(BUNDLED_PACKAGES)
	@Packaging/portable/ffmpeg.py $(BUNDLED)
	@for program in $(wildcard $(addprefix $(RELEASE_BIN)/,clipcanvas $(HELPERS))); do \
	  [[ $$program -nt $(BUNDLED)/sources.json ]] || rm "$$program"; \
	done
else
static-libraries:
	@mkdir -p $(STATIC_LIBRARIES)
	@for name in libstdc++.a libgcc_eh.a; do ln -sf "$$($(CC) -print-file-name=$$name)" $(STATIC_LIBRARIES)/; done
endif

share: $(SHARE)/made ## Make manual pages and completions of what was built, and collect the licences of its packages
	@:

$(SHARE)/made: $(RELEASE_BIN)/clipcanvas $(wildcard Packaging/*.py Packaging/schemas/*.json)
	@rm -rf $(addprefix $(SHARE)/,man1 man5 completions licences) && mkdir -p $(SHARE)/completions $(SHARE)/licences
	@Packaging/manual.py --version $(VERSION) --date "$$(date -u -d @$(SOURCE_DATE_EPOCH) +%F)" --helpers $(HELPERS) -- \
	  $< $(SHARE)/man1
	@Packaging/reference.py --version $(VERSION) --date "$$(date -u -d @$(SOURCE_DATE_EPOCH) +%F)" Packaging/schemas $(SHARE)/man5
	@for shell in bash zsh fish; do \
	  $< --generate-completion-script $$shell > $(SHARE)/completions/clipcanvas.$$shell; \
	done
	@sed -i '1{/^#!/d}' $(SHARE)/completions/clipcanvas.bash # it is read by a shell, not run
	@for text in $(wildcard $(CHECKOUTS)/*/LICENSE* $(CHECKOUTS)/*/NOTICE*); do \
	  package=$${text%/*}; cp -f "$$text" "$(SHARE)/licences/$${package##*/}-$${text##*/}"; \
	done
	@touch $@

# Clips that no test has needed for a month are those of another ffmpeg, or of former tests.
test: setup same-folder frontend ## Run the quick tests (SCOPE=full: all; TIMES=1: print where the time goes)
	$(if $(filter-out quick full,$(SCOPE)),$(error SCOPE is quick or full))
	@mkdir -p .build
	@find .build/test-clips -type f -mtime +30 -delete 2>/dev/null || true
	@rm -f $(TIMES_FILES)
	@CLIPCANVAS_TEST_SCOPE=$(SCOPE) $(TEST_SWIFT) test $(if $(BUILT),--skip-build --scratch-path $(BUILD_PATH),$(DEBUG_FLAGS)) \
	  $(if $(TIMES),$(TIMES_FLAGS),$(TEST_FLAGS)) 2>&1 \
	  | tee .build/test.log || $(call FAILURES,.build/test.log)
	@$(if $(TIMES),Tests/TestTimes/report.py .build/test.log $(TIMES_FILES))
	@$(if $(filter full,$(SCOPE)),,$(LEFT_OUT))

# Messages of the build go to standard error, so that `make compare COMPARE=--markdown` gives a table and nothing else.
compare: ## Compare covers with ffmpegthumbnailer's (apt-get install ffmpegthumbnailer) and ffmpeg's
	@$(MAKE) --no-print-directory release >&2
	@$(MAKE) --no-print-directory install $(BENCH_PREFIX) >/dev/null
	@python3 Benchmarks/compare.py $(COMPARE)

compare-similar: ## Check that `similar` finds 100 copies among 1000 different clips, three times (half an hour; SIMILAR: options)
	@$(MAKE) --no-print-directory release >&2
	@$(MAKE) --no-print-directory install $(BENCH_PREFIX) >/dev/null
	@nice python3 Benchmarks/similar.py $(SIMILAR)

torture: setup same-folder ## Run the long forms of tests: kills, limits, damaged clips and boards, 100 000 files, power cuts (an hour; see CONTRIBUTING.md)
	CLIPCANVAS_TORTURE=1 $(SWIFT) test $(BUILD_FLAGS) -c release --scratch-path .build/torture --no-parallel \
	  --filter 'Batch(Kill|Hostile|Walk|Output)Tests|Board(Concurrency|Fault|PowerCut)Tests|BoardStoreTests|Watch(Reader)?Tests' \
	  --filter 'ClipCanvasTests.(Limit|ShellCompletion|Shortage)Tests|HostileTextTests|RandomWalkTests|SavingsTests' \
	  --filter 'ClipCanvasTests.(EarlyEnd|LargeFrame|LateVideo|PrecededStream|Programme)Tests' \
	  --filter 'BoardPageTests/convergence|BoardServerTests.(Connection|Convergence)Tests'

damage-sweep: build ## Damage clips of all codecs and look for broken covers that are not reported as such (SWEEP: options)
	@nice python3 Tests/DamageSweep/damage_sweep.py $(SWEEP)

lint: ## Check the format of the code, what modules import, and the order of the folders of the C targets
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' Sources --include='*.c' --include='*.h'
	@.ci/check-modules
	@.ci/check-rooms

format: ## Format the Swift code
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

check: setup same-folder ## Run everything that must pass before a change is complete
	@truncate --size 0 $(CHECK_LOGS)
	@$(call MEANWHILE,0,first) & first=$$!; $(call MEANWHILE,10,c) & c=$$! swift= status=0; \
	  $(CHECKING) $(MAKE) --no-print-directory build-tests 2>&1 | tee .build/build.log || status=$$?; \
	  wait $$first || status=$$?; \
	  if [[ $$status == 0 ]]; then \
	    $(call MEANWHILE,5,swift) & swift=$$!; \
	    $(CHECKING) $(MAKE) --no-print-directory test SCOPE=full BUILT=1 || status=$$?; \
	  fi; \
	  for other in $$c $$swift; do wait $$other || status=$$?; done; \
	  cat .build/meanwhile-*.log; \
	  [[ $$status == 0 ]] && grep '^✔ Test run' .build/test.log || $(call FAILURES,$(CHECK_LOGS))

build-tests: same-folder frontend
	$(DEBUG_SWIFT) build $(DEBUG_FLAGS) --build-tests

# What the tests need, and what is over in a minute. To install packages mostly waits for the disk.
meanwhile-first:
	@$(MAKE) --no-print-directory --jobs 3 --output-sync setup-browser lint check-fixtures

# The fuzzer makes as many runs as it does in half a minute on an idle machine, so that it does not do less on a busy one.
meanwhile-c:
	$(MAKE) --no-print-directory --jobs 2 --output-sync $(HARNESS)/ccover-harness $(HARNESS)/ccover-fuzz
	$(MAKE) --no-print-directory fuzz FUZZ_FLAGS='-seed=1 -runs=2000'
	$(MAKE) --no-print-directory sanitize SANITIZE_EVERY=6

# The documentation is made from the check's build, because another command of SwiftPM would wait for the tests.
meanwhile-swift:
	$(MAKE) --no-print-directory sanitize-threads
	$(DOCS)

sanitize: $(HARNESS)/ccover-harness ## Run the C code on clips, damaged ones and all pixel formats, with sanitizers
	@Tests/CCoverFuzz/rare_codecs.py $(RARE_CLIPS)
	@$(HARNESS)/ccover-harness sweep --jobs $(JOBS) --mutations $(SANITIZE_MUTATIONS) --every $(SANITIZE_EVERY) \
	  $(HARNESS_CLIPS) $(RARE_CLIPS)/*
	@$(HARNESS)/ccover-harness pixels --jobs $(JOBS)

sanitize-swift: same-folder ## Run the tests that decode or draw in their own process, with AddressSanitizer
	$(SWIFT) test $(BUILD_FLAGS) --sanitize=address --scratch-path .build/asan --disable-xctest \
	  --filter 'CoverDecodingTests|ClipServiceTests|PicturesTests|PictureDrawingTests|CoversTests|DecoderWireTests'

# In a separate package, so that no other test is built.
sanitize-threads: same-folder ## Run the tests of KeyValueObserving with ThreadSanitizer
	$(PLAIN_SWIFT) test --package-path Benchmarks/Observing --sanitize=thread --scratch-path $(CURDIR)/.build/tsan \
	  --disable-xctest $(TEST_FLAGS)

bench: $(BARE_LOOPS) ## Measure everything against its peers, and write Benchmarks/runs/DATE-HOST.md (minutes; see CONTRIBUTING.md)
	@$(MAKE) --no-print-directory release >&2
	@$(MAKE) --no-print-directory install $(BENCH_PREFIX) >/dev/null
	@rm -rf .build/bench/unpacked && mkdir -p .build/bench/unpacked
	@for archive in $(wildcard .build/portable/*.tar.xz); do \
	  tar -C .build/bench/unpacked -xf "$$archive"; \
	  .build/bench/unpacked/*/install --prefix $(CURDIR)/.build/bench/portable >/dev/null; \
	done
	@SWIFT='$(SWIFT)' python3 Benchmarks/bench.py $(BENCH)

bench-observing: same-folder ## Measure what a write to an observed value costs, and check that an unobserved one allocates nothing
	$(PLAIN_SWIFT) run --package-path Benchmarks/Observing --scratch-path $(CURDIR)/.build/bench/observing -c release observing-benchmark

planted-faults: ## Check that the tests detect faults planted in a copy (FAULTS: some patches of Tests/PlantedFaults)
	@SWIFT='$(SWIFT)' Tests/PlantedFaults/run $(FAULTS)

mutants: ## Change MUTANTS (200) operators and constants in a copy, one at a time, and list those that no test notices (ONLY, SEED)
	@SWIFT='$(SWIFT)' Tests/Mutants/mutants.py --count $(MUTANTS) --seed $(SEED) $(if $(ONLY),--only '$(ONLY)') \
	  $(if $(CONTINUE),--continue)

fuzz: $(HARNESS)/ccover-fuzz ## Fuzz the C code for FUZZ_SECONDS (900); findings are kept in .build/fuzz
	@mkdir -p .build/fuzz/corpus .build/fuzz/seeds
	@cp $(HARNESS_CLIPS) .build/fuzz/seeds/
	@Tests/CCoverFuzz/rare_codecs.py .build/fuzz/seeds
	$(HARNESS)/ccover-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=120 -rss_limit_mb=2048 -max_len=131072 \
	  -print_final_stats=1 -verbosity=0 -artifact_prefix=.build/fuzz/ $(FUZZ_FLAGS) .build/fuzz/corpus .build/fuzz/seeds

$(HARNESS)/ccover-harness: $(HARNESS_SHARED) $(addprefix Tests/CCoverFuzz/,main.c sweep.c pixels.c) $(HARNESS_HEADERS)
	@mkdir -p $(@D)
	$(CLANG) -fsanitize=address,undefined $(HARNESS_FLAGS) -o $@ $(filter %.c,$^) \
	  $$(pkg-config --cflags --libs $(HARNESS_PACKAGES))

$(HARNESS)/ccover-fuzz: $(HARNESS_SHARED) Tests/CCoverFuzz/fuzz.c $(HARNESS_HEADERS)
	@mkdir -p $(@D)
	$(CLANG) -fsanitize=address,undefined,fuzzer $(HARNESS_FLAGS) -o $@ $(filter %.c,$^) \
	  $$(pkg-config --cflags --libs $(HARNESS_PACKAGES))

$(BARE)/bare_loop: BARE_PACKAGES := libavformat libavcodec libswscale libavutil libpng zlib

# The same loop with the libraries of the portable archive, if they were built.
$(BARE)/bare_loop_bundled: Benchmarks/bare/bare_loop.c $(wildcard $(BUNDLED)/sources.json)
	@mkdir -p $(@D)
	@$(CC) $(BARE_FLAGS) -o $@ $< $$(PKG_CONFIG_PATH=$(BUNDLED)/lib/pkgconfig pkg-config --cflags --libs \
	  libavformat libavcodec libswscale libavutil | sed 's/-I/-isystem /g') -lpng -lz -lm

$(BARE)/%: Benchmarks/bare/%.c
	@mkdir -p $(@D)
	@$(CC) $(BARE_FLAGS) -o $@ $< $(if $(BARE_PACKAGES),$$(pkg-config --cflags --libs $(BARE_PACKAGES)))

fixtures: ## Rebuild the clips in Fixtures with the ffmpeg command line
	python3 Fixtures/make.py

check-fixtures: ## Check the clips in Fixtures against their manifest
	python3 Fixtures/make.py --check

install: share ## Install what `make release` built into PREFIX (default /usr/local)
	@Packaging/install $(RELEASE_BIN) $(SHARE) $(ZSH_COMPLETIONS) $(HELPERS)

uninstall: ## Remove what `make install` put into PREFIX
	@Packaging/install --remove

$(RELEASE_BIN)/clipcanvas:
	@echo "nothing is built yet; run 'make release' first" >&2; exit 1

deb: ## Make a Debian package in .build/deb and check it with lintian
	$(if $(filter bundled,$(FFMPEG)),$(error the Debian package uses Debian's FFmpeg; leave out FFMPEG=bundled))
	@.ci/setup $(BUILD_PACKAGES) $(DEB_PACKAGES)
	@$(MAKE) --no-print-directory release
	@rm -rf .build/deb
	@$(MAKE) --no-print-directory share SHARE=.build/deb/share
	@Packaging/deb $(VERSION) $(RELEASE_BIN) .build/deb/share .build/deb $(HELPERS)
	@lintian --fail-on error,warning --tag-display-limit 0 .build/deb/*.deb

check-deb: deb ## Install the package in a clean Debian, use it there and remove it (root)
	@.ci/setup debootstrap
	@Packaging/check-deb .build/deb/*.deb Fixtures

# Each package compiles everything that it depends on again.
check-examples: build ## Build each package in Examples separately, as a user would, and run it once
	@SWIFT='$(PLAIN_SWIFT)' Examples/check $(CURDIR)/.build/examples $(BUILD_PATH)/debug/clipcanvas

check-systems: setup release ## Run make demo, test and deb in clean systems (SUITES=..., QUICK=1: no package), and compare covers (root)
	@for suite in $(SUITES); do Packaging/check-system $$suite $(if $(QUICK),--quick) || exit; done

portable: ## Make an archive of programs that run on any Linux with glibc 2.36 (2.38 if made on Debian 13), in .build/portable
	@$(MAKE) --no-print-directory release FFMPEG=bundled
	@$(MAKE) --no-print-directory archive FFMPEG=bundled

archive: share
	@Packaging/portable/archive $(VERSION) $(RELEASE_BIN) $(SHARE) $(BUNDLED) .build/portable $(HELPERS)

check-portable: portable ## Use the archive of `make portable` in clean roots of Debian, without installing packages (root)
	@.ci/setup debootstrap $(BROWSER_PACKAGES)
	@Packaging/check-portable .build/portable/*.tar.xz Fixtures

image: portable ## Make an OCI image of the programs of `make portable`, without a base system, in .build/portable
	@.ci/setup zstd
	@Packaging/portable/image .build/portable/clipcanvas-*.tar.xz .build/portable

check-image: image ## Run the image, and a job of `batch --print-kubernetes` in it, as Kubernetes does (root)
	@.ci/setup umoci crun zstd golang-github-containers-common python3-yaml
	@Packaging/check-image .build/portable/clipcanvas-*.oci.tar Fixtures

check-desktop: release ## Let the thumbnail factories of GNOME and Xfce use the release build, and compare the pictures
	@.ci/setup $(DESKTOP_PACKAGES)
	@rm -rf .build/desktop
	@$(MAKE) --no-print-directory install PREFIX=/usr/local DESTDIR=$(CURDIR)/.build/desktop >/dev/null
	@Packaging/check-desktop .build/desktop

check-cluster: release ## Run the script of `batch --print-slurm` on two node daemons of Slurm, and kill one (root)
	@Packaging/check-cluster $(RELEASE_BIN)/clipcanvas Fixtures

docs: build ## Build the documentation of the libraries in .build/docs; a warning is an error
	@$(DOCS)

clean: ## Remove what was built
	rm -rf .build $(DEMO)
