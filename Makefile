# Hibana on your machine. `make` alone lists what there is.

# For the tests of PKG. Two packages run at once: more would wait for each other at the one Firestore emulator.
TESTFLAGS ?= -race -vet=off -timeout 30m -p 2 -parallel 4

# Emulators that another program started, which `hibana dev` uses too.
RUNNING = $(if $(HIBANA_EVENTS_HOST),,$(and $(FIREBASE_AUTH_EMULATOR_HOST),$(FIRESTORE_EMULATOR_HOST)))

# A program with the race detector sleeps for a second before it ends. Tests end dozens of them.
export GORACE ?= atexit_sleep_ms=100

# Without gRPC's modules, the client of Cloud Storage leaves out xDS and Envoy, which a program that speaks JSON to it
# never uses: a third of the packages, a quarter of what the linker does. Without the path of the directory in them,
# compiled packages serve every clone and worktree on this machine.
export GOFLAGS := $(strip $(GOFLAGS) -tags=disable_grpc_modules -trimpath)

GOLANGCI_LINT = v2.12.2
# Packages whose tests read the source and run none of it. `make check` has them, and .ci/test leaves them out.
export CHECKS = ./lab/mutants ./lab/sizes ./tests/deps

# Flags of golangci-lint. Without this line it would be "lint", a variable that make itself defines.
LINT =
GOVULNCHECK = v1.8.0

# The programs know their revision where Git tracks this directory. Elsewhere Go would fail (a checkout of
# another user) or record the revision of a repository around it.
BUILD = go build -buildvcs=$(shell git ls-files --error-unmatch go.mod >/dev/null 2>&1 && echo auto || echo false)

.PHONY: help
help:
	@sed -n 's/^## \([^:]*\): /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

## dev: run everything; SEED=1 fills it, ARGS='--api-port 8001' passes flags
.PHONY: dev
dev: setup
	@exec bin/hibana dev $(if $(SEED),--seed) $(ARGS)

## test: run the tests but the slow ones; PKG=./store/users and TESTFLAGS='-run Like' narrow it down
.PHONY: test
test: setup-tests gcc
	@$(if $(RUNNING),$(info On the emulators that run at $(RUNNING): some tests are skipped (docs/contribute/testing.md).))exec $(if $(RUNNING),,bin/hibana exec -- )$(if $(PKG),go test $(TESTFLAGS) $(PKG),.ci/test)

## test-slow: run the slow tests, which `make test` leaves out
.PHONY: test-slow
test-slow: setup-tests gcc
	@exec bin/hibana exec -- .ci/test-slow

## soak: the slow tests with their large sizes, for a night; HISTORIES=200 STEPS=300 for others
.PHONY: soak
soak: setup-tests
	@HISTORIES=$(HISTORIES) STEPS=$(STEPS) .ci/soak

## check: formatting, go vet, go.mod, and the tests that read only the source: imports, exported names, mutants
.PHONY: check
check: go
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "not formatted, run gofmt -w:" $$unformatted >&2; exit 1; }
	go mod tidy -diff
	go vet ./...
	go test -vet=off $(CHECKS)

# The linter has a cache of its own: from one that clones share, it takes paths of another clone, which may be gone.
## lint: golangci-lint, and govulncheck where its database can be reached; LINT=--fix rewrites what it can
.PHONY: lint
lint: go
	GOLANGCI_LINT_CACHE=$(CURDIR)/bin/golangci-lint go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT) run $(LINT) ./...
	@.ci/govulncheck $(GOVULNCHECK)

## lint-web: tsc, eslint and prettier over the web client and the TypeScript client
.PHONY: lint-web
lint-web:
	@set -e; for dir in web clients/typescript; do \
		cd $$dir; \
		test -x node_modules/.bin/eslint || npm ci --no-audit --no-fund --prefer-offline; \
		npm run --silent --if-present check; npm run --silent lint; npm run --silent format:check; \
		cd - >/dev/null; \
	done

## screenshots: photograph the pages of the client with the seed into web/screenshots, and the README's; PAGES=home,thread takes some
.PHONY: screenshots
screenshots: setup-tests
	@PAGES=$(PAGES) exec .ci/screenshots

## build: the programs, into bin
.PHONY: build
build: go
	$(BUILD) -o bin/ ./cmd/...

## setup: install what the emulators need, as far as possible
.PHONY: setup
setup: bin/hibana
	@bin/hibana setup --packages

.PHONY: setup-tests
setup-tests: bin/hibana
	@bin/hibana setup --packages --tests

.PHONY: bin/hibana
bin/hibana: go
	@$(BUILD) -o $@ ./cmd/hibana

.PHONY: go
go:
	@command -v go >/dev/null || { echo "Go 1.26 or newer is missing: https://go.dev/doc/install" >&2; exit 1; }

# The race detector needs a C compiler.
.PHONY: gcc
gcc:
	@command -v "$$(go env CC)" >/dev/null || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev; \
	} || { echo "A C compiler is missing, which the race detector needs: apt-get install gcc libc6-dev, or xcode-select --install" >&2; exit 1; }

## sizes: the layout of the store: imports, exported names, who uses what; SIZES=-v lists every function
.PHONY: sizes
sizes: go
	@go run ./lab/sizes $(SIZES)
