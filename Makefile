# Fovea on Linux. On a fresh Debian or Ubuntu machine with Swift 6.2 or later:
#
#   make demo    sets up, builds, and reads the example receipts with the embedded model
#   make test    sets up, builds, and passes all tests
#
# What takes long is done once and kept in $XDG_CACHE_HOME/fovea (~/.cache/fovea).

SHELL := /bin/bash
PREFIX ?= /usr/local
JOBS ?= 2
SWIFT_FLAGS := -j $(JOBS)
# The pkg-config files that scripts/setup writes; evaluated when a rule runs, after set-up.
WITH_NATIVE = PKG_CONFIG_PATH="$$(scripts/setup --print-prefix)/lib/pkgconfig:$$PKG_CONFIG_PATH"
BINARY := .build/release/fovea

.PHONY: help setup build demo test unit-test accuracy corpus parity conformance fuzz templates-oracle \
  templates-fuzz bench-grammar bench-allocations bench-llama bench-server bench-batch bench-memory \
  check docs asan test-sanitized endurance memory-estimate model install clean

help:
	@sed -n '3,6s/^# \{0,1\}//p' Makefile; echo; echo "also: setup build check docs accuracy corpus parity conformance fuzz templates-oracle templates-fuzz bench-grammar bench-allocations bench-llama bench-server bench-batch bench-memory asan test-sanitized endurance memory-estimate model install clean"

setup:
	@scripts/setup

build: setup
	@$(WITH_NATIVE) swift build $(SWIFT_FLAGS) -c release

demo: build
	@scripts/demo $(BINARY)

test: build unit-test asan accuracy

unit-test: build
	@$(WITH_NATIVE) FOVEA_BINARY="$(CURDIR)/$(BINARY)" \
	  FOVEA_SMOLLM2="$$(scripts/fetch-models smollm2)" \
	  FOVEA_TINY_MODELS="$$(scripts/make-tiny-models)" \
	  FOVEA_LLAMA_SOURCE="$$(scripts/setup --print-source)" swift test $(SWIFT_FLAGS) -Xswiftc -warnings-as-errors

# 200 receipts that the embedded model has never seen, one at a time: beside others each would take longer.
accuracy: build
	@scripts/evaluate-receipts --fovea $(BINARY) --least vendor=98 date=98 total=98 item-fields=90 -- --parallel 1

# A real language model on public receipt texts: minutes. Says so where the texts are missing.
corpus: build
	@scripts/check-text-receipts $(BINARY)

# The same texts, token for token, as llama.cpp's own program, which is built once for it.
parity: build
	@scripts/setup-peers
	@scripts/check-parity $(BINARY) "$$(scripts/setup-peers --print-bin)/llama-mtmd-cli"

# What proves the grammar: public schemas, an independent validator, masks over real vocabularies.
conformance: setup
	@FOVEA_JOBS=$(JOBS) scripts/conformance

# Schemas that nobody would write, for FUZZ_SECONDS.
fuzz: setup
	@FOVEA_JOBS=$(JOBS) scripts/fuzz

# Chat templates of real models, and random ones, beside jinja2.
templates-oracle: setup
	@FOVEA_JOBS=$(JOBS) scripts/templates-oracle

templates-fuzz: setup
	@FOVEA_JOBS=$(JOBS) scripts/templates-oracle --fuzz

# Token masks beside llguidance and XGrammar; scripts/bench-grammar has more ways to ask. Times are noisy, so
# this is looked at by hand.
bench-grammar: build
	@scripts/vocabularies $(CURDIR)/.build/release/fovea-vocabulary > /dev/null
	@scripts/bench-grammar

# Beside llama.cpp's own tools, in turns; minutes each, and of use only where nothing else runs.
bench-llama bench-server bench-batch bench-memory: setup
	@scripts/$@

# The same in every run: what masks allocate once everything was seen before.
bench-allocations: build
	@scripts/vocabularies $(CURDIR)/.build/release/fovea-vocabulary > /dev/null
	@scripts/bench-grammar --allocations

# One loaded model through 500 cancels, 500 different pictures and 500 sessions: every answer right, memory flat.
endurance: setup
	@$(WITH_NATIVE) swift build $(SWIFT_FLAGS) -c release --product fovea-soak
	@.build/release/fovea-soak --endure Models/tiny-receipt/fovea-tiny-f16.gguf \
	  Models/tiny-receipt/mmproj-fovea-tiny-f16.gguf Examples/receipts $(or $(ROUNDS),500)

# What `fovea devices` says a model takes, beside what it takes; minutes.
memory-estimate: build
	@scripts/check-memory-estimate $(BINARY) "$$(scripts/fetch-models smollm2)"

asan: setup
	@scripts/check-memory

# The engine's tests under AddressSanitizer, with its leak check, and under ThreadSanitizer: an hour the first time.
test-sanitized: setup
	@scripts/test-sanitized --self-test
	@FOVEA_JOBS=$(JOBS) scripts/test-sanitized address
	@FOVEA_JOBS=$(JOBS) scripts/test-sanitized thread

check:
	@swift format lint --strict --recursive Sources Tests Examples Package.swift \
	  Benchmarks/Package.swift Benchmarks/GrammarBench
	@scripts/check-rooms
	@scripts/check-links
	@scripts/check-faults
	@scripts/check-snippets

docs: setup
	@scripts/check-docs

model:
	@scripts/make-model

install: build
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/fovea
	install -d $(DESTDIR)$(PREFIX)/share/fovea/tiny-receipt
	install -m 644 Models/tiny-receipt/*.gguf $(DESTDIR)$(PREFIX)/share/fovea/tiny-receipt/

clean:
	rm -rf .build
