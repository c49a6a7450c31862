# SPDX-License-Identifier: BSD-3-Clause
# Thin: meson builds, scripts/ does the rest. `make help` lists the targets.
BUILD ?= build

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	meson setup $(BUILD)

.PHONY: all
