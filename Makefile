# The build of Trendy. Everything here runs with Swift, make, git and the system's core utilities alone.
# Two things need more: the examples Python 3, which one of their servers is written in, and the model spin and gcc.

SHELL := /bin/bash
SWIFT ?= swift

# What is built beside the default: TRAITS=default,Postgres, for which Scripts/setup --postgres installs what it needs.
TRAITED := $(if $(TRAITS),--traits $(TRAITS))
# The same flags for building and testing, so that the second finds what the first has built.
# The import check refuses an import of a target that Package.swift does not name as a dependency.
# Every test here is a Swift Testing test; XCTest would only add a line saying that it ran nothing.
CHECKED := --explicit-target-dependency-import-check error
TESTING := --disable-xctest $(TRAITED)
# Linked statically, the binary runs where no Swift is installed, and starts faster. Apple's systems bring Swift along.
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
RELEASE := -c release $(STATIC) --scratch-path .build-release $(TRAITED)
# At a fixed address, and with no names for libraries that nobody loads: the loader would otherwise mend 150,000 addresses
# at each start, which takes longer than to log an event. Docs/decisions/0016 says what that costs. What only a debugger
# reads is left out: it is half of the file, and backtraces have names without it.
LINKED := $(if $(STATIC),-Xlinker -no-pie -Xlinker --no-export-dynamic -Xlinker --strip-debug)
ARCHIVES := $(CURDIR)/.build-release/archives

FORMATTED := Package.swift Modules Tests Scripts $(wildcard Benchmarks) Docs/Examples
EXAMPLES := $(patsubst %/Package.swift,%,$(wildcard Docs/Examples/*/Package.swift))

.DEFAULT_GOAL := help
.PHONY: help setup build release install uninstall test postgres examples demo crash lint format layers model bench bench-server sim api clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Check for Swift and SQLite's headers; install the headers where that needs no password
	@Scripts/setup

build: setup ## Build every module and the trendy binary, debug; TRAITS=default,Postgres with PostgreSQL
	$(SWIFT) build $(CHECKED) $(TRAITED)

release: setup ## Build the trendy binary, optimised, in .build-release
	@$(if $(STATIC),Scripts/archives "$(ARCHIVES)")
	$(if $(STATIC),TRENDY_ARCHIVES="$(ARCHIVES)") $(SWIFT) build $(RELEASE) $(LINKED) --product trendy

# Where it is installed; DESTDIR goes before it for those who make packages. BINARY installs a binary that is there.
PREFIX ?= /usr/local
installed := $(DESTDIR)$(PREFIX)

install: $(if $(BINARY),,release) ## Install the binary, the manual and completions: PREFIX=/usr/local [DESTDIR=…]
	@BINARY="$(or $(BINARY),.build-release/release/trendy)" Scripts/install "$(installed)"

uninstall: ## Remove what make install has put there
	@Scripts/install --remove "$(installed)"

test: setup ## Run all tests
	$(SWIFT) build --build-tests $(CHECKED) $(TESTING)
	@SWIFT="$(SWIFT)" Scripts/test $(TESTING) --filter SimulationTests
	@# By themselves: histories keep every core busy, and these look at the clock.
	@SWIFT="$(SWIFT)" Scripts/test $(TESTING) --skip SimulationTests

postgres: setup ## Build with PostgreSQL, and run the tests that need it
	@Scripts/setup --postgres
	$(SWIFT) build --build-tests $(CHECKED) --disable-xctest --traits default,Postgres
	@SWIFT="$(SWIFT)" Scripts/test --disable-xctest --traits default,Postgres --filter 'Postgres|ThreeServers'

# In this package's own scratch folder and with its versions: what is built there already is not built again. The plan
# of the build that was last there is taken away, because SwiftPM would follow it where its own sources are unchanged.
examples: setup ## Build the packages in Docs/Examples, which use the modules as anyone would, and run their tests
	@set -e; for example in $(EXAMPLES); do \
		echo "$$example"; \
		rm -f .build/debug.yaml; \
		if [ -e Package.resolved ]; then cp Package.resolved "$$example"; fi; \
		$(SWIFT) build --package-path "$$example" --scratch-path .build --build-tests $(CHECKED) $(TESTING); \
		$(SWIFT) test --package-path "$$example" --scratch-path .build --skip-build $(TESTING); \
	done

demo: setup ## Two devices, one server, no network, kill -9, agreement: with real processes
	@Scripts/demo

crash: setup ## kill -9 at CRASHES=200 random moments (SEED=n to draw them again), and demand that nothing is lost
	@$(SWIFT) build --build-tests $(CHECKED) $(TESTING)
	@SWIFT="$(SWIFT)" CRASHES="$(CRASHES)" SEED="$(SEED)" Scripts/crash

lint: ## Check the formatting, strictly
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)

format: ## Format the sources in place
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

layers: ## Draw the graph of modules and check it, and every import, against the table of allowed edges
	@Scripts/layers

model: ## Check the exchange exhaustively, with spin; STORY=rule tells what happens without a rule
	@Scripts/model $(if $(STORY),story $(STORY))

sim: setup ## Hunt for broken promises: SEEDS=n [GATEWAY=rest] [FOLLOW=1] [COPIES=1] [FROM=k] [FULL=1] [STEPS=list] [WITHOUT=faults]
	$(SWIFT) build $(RELEASE) --product trendy-sim
	@.build-release/release/trendy-sim --seeds $(or $(SEEDS),1000) --from $(or $(FROM),1) \
		$(if $(GATEWAY),--gateway $(GATEWAY)) $(if $(FOLLOW),--follow) $(if $(COPIES),--copies) $(if $(FULL),--full) $(if $(STEPS),--steps $(STEPS)) $(if $(WITHOUT),--without $(WITHOUT)) $(SIMFLAGS)

bench: release ## Measure speed and size in a release build, each figure beside its target
	@Scripts/bench

bench-server: release ## Measure the server, each commit on the disk; TRENDY_BENCH_DATABASE=postgresql://… with PostgreSQL
	@Scripts/bench server

api: setup ## Compare the public API with that of the newest tag, or of BASE=revision
	@SWIFT="$(SWIFT)" BASE="$(BASE)" Scripts/api

clean: ## Remove everything that was built
	rm -rf .build .build-release
