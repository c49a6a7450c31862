# SPDX-License-Identifier: BSD-3-Clause
# Thin: meson builds, scripts/ does the rest.
BUILD ?= build

all: ## build both programs: build/railyard, build/railyardd
	@scripts/setup.sh --check tools build
	@scripts/build.sh $(BUILD) -Ddaemon=enabled

tools: ## build railyard alone: no root, DPDK, libbpf or rdma-core
	@scripts/setup.sh --check tools
	@scripts/build.sh $(BUILD) -Ddaemon=disabled

demo: ## two RoCEv2 guests through a switch that congests (installs what is missing)
	@scripts/setup.sh --try tools build demo
	@scripts/demo-build.sh $(BUILD)
	@RAILYARD_BUILD=$(BUILD) scripts/hugepages.sh 512 scripts/demo.sh

test: ## everything CI runs (installs what is missing)
	@scripts/test.sh

nightly: ## test, lint, the guests' full matrix and the thread sanitizer
	@scripts/nightly.sh

lint: ## format, clang-tidy, cppcheck, shellcheck, include fence
	@scripts/lint.sh

format: ## write the format into the files
	@scripts/format.sh --fix

bench: ## measure; a table, and build/bench.json
	@scripts/setup.sh --try tools build bench
	@scripts/bench.sh

setup: ## install every package of scripts/packages.txt that is missing (root)
	@scripts/setup.sh tools build test demo lint bench

install: all ## into the prefix; DESTDIR is honoured
	@meson install -C $(BUILD)

clean: ## remove the build directories
	rm -rf $(BUILD) build-*/

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

.PHONY: all tools demo test nightly lint format bench setup install clean help
