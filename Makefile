# ClipCanvas: `make demo` and `make test` are all that a newcomer needs; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=
# Where `make demo` puts what it makes.
DEMO ?= demo
DEMO_CLIPS := h264.mp4 rotated-90.mp4 anamorphic.mp4 vp9.webm mpeg2.ts 1080p.mp4

# Options of `make compare`: --markdown, --row N, --recordings FOLDER.
COMPARE ?=

SWIFT ?= swift
# The build itself holds ARCHITECTURE.md's table of who may import whom.
BUILD_FLAGS := --explicit-target-dependency-import-check error
RELEASE_FLAGS := $(BUILD_FLAGS) -c release --static-swift-stdlib
RELEASE_BIN := .build/release

# Debian's packages that building needs, and those that only the tests and fixtures need.
BUILD_PACKAGES := pkg-config libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libpng-dev
TEST_PACKAGES := ffmpeg python3 strace mount

.PHONY: help setup demo build release test compare lint format check fixtures check-fixtures install uninstall clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need (apt-get; sudo when not root)
	@.ci/setup $(BUILD_PACKAGES) $(TEST_PACKAGES)

demo: setup release ## Make covers of the fixtures and print where to look
	@$(RELEASE_BIN)/clipcanvas --version
	@echo
	@$(RELEASE_BIN)/clipcanvas cover --force --size 480 -o $(DEMO)/ $(addprefix Fixtures/,$(DEMO_CLIPS))
	@echo
	@echo "a clip without a picture tells why:"
	@$(RELEASE_BIN)/clipcanvas cover -o $(DEMO)/ Fixtures/sound-only.m4a || test $$? = 1
	@echo
	@echo "the covers are in $(DEMO)/: open $(DEMO)/rotated-90.mp4.png and see that it stands upright"
	@echo "make your own: $(RELEASE_BIN)/clipcanvas cover YOUR-CLIP.mp4"

build: ## Build for debugging
	$(SWIFT) build $(BUILD_FLAGS)

release: ## Build for use, with Swift's libraries inside
	$(SWIFT) build $(RELEASE_FLAGS) --product clipcanvas
	$(SWIFT) build $(RELEASE_FLAGS) --product clipcanvas-decoder

test: setup ## Run all tests
	$(SWIFT) test $(BUILD_FLAGS)

# Messages of the build go to standard error, so that `make compare COMPARE=--markdown` gives a table and nothing else.
compare: ## Compare covers with ffmpegthumbnailer's (apt-get install ffmpegthumbnailer) and ffmpeg's
	@$(MAKE) --no-print-directory release >&2
	@python3 Benchmarks/compare.py $(COMPARE)

lint: ## Check the format of the Swift code
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format: ## Put the Swift code into its format
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

check: setup lint check-fixtures ## Everything that must hold before a change is done
	CLIPCANVAS_STRICT=1 $(SWIFT) build $(BUILD_FLAGS) --build-tests
	CLIPCANVAS_STRICT=1 $(MAKE) --no-print-directory test

fixtures: ## Make the clips in Fixtures anew, with the ffmpeg command line
	python3 Fixtures/make.py

check-fixtures: ## Check that the clips in Fixtures are what their manifest says
	python3 Fixtures/make.py --check

install: ## Install what `make release` built into PREFIX (default /usr/local)
	@test -x $(RELEASE_BIN)/clipcanvas || { echo "install: nothing is built yet; run 'make release' first" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/clipcanvas
	install -m 755 $(RELEASE_BIN)/clipcanvas $(DESTDIR)$(PREFIX)/bin/
	install -m 755 $(RELEASE_BIN)/clipcanvas-decoder $(DESTDIR)$(PREFIX)/libexec/clipcanvas/

uninstall: ## Remove what `make install` put into PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/clipcanvas $(DESTDIR)$(PREFIX)/libexec/clipcanvas/clipcanvas-decoder
	-rmdir $(DESTDIR)$(PREFIX)/libexec/clipcanvas

clean: ## Remove what was built
	rm -rf .build $(DEMO)
