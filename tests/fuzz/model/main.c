/* SPDX-License-Identifier: BSD-3-Clause */
/* Lives one after the other, until so many frames were fed:
 *
 *	model_lives_test [FRAMES [SEED [LIFE]]]	default 1,000,000 and 1; LIFE: that one alone
 *
 * RAILYARD_FUZZ_FRAMES and RAILYARD_FUZZ_SEED are taken where there are no words. Says what was done and
 * what each frame met. From a million frames on, every name that the model has must have been met, and
 * half of the frames must have been good ones that left. Every eighth life is lived twice, polled
 * otherwise, and must end alike. Last line: `N passed, N failed`.
 */
#include "life.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 1000000
#define ENOUGH 1000000 /* frames from which on every name must have been met */
#define LIFE_LEAST 1000
#define LIFE_MOST 20000
#define CORPUS "tests/fuzz/corpus/parse"

/* ---- the corpus of frames ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name); /* in the same order everywhere */
}

static void read_corpus(void)
{
	struct dirent **list = NULL;
	int n = scandir(CORPUS, &list, NULL, by_name);
	uint8_t bytes[4096];
	char path[512];

	for (int i = 0; i < n; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s", CORPUS, list[i]->d_name);
		file = list[i]->d_name[0] == '.' ? NULL : fopen(path, "rbe");
		if (file != NULL) {
			life_add_frame(bytes, fread(bytes, 1, sizeof(bytes), file));
			fclose(file);
		}
		free(list[i]);
	}
	free(list);
}

/* ---- lives ---- */

static uint32_t length_of(uint64_t seed, uint64_t life)
{
	struct source source = source_of_seed(seed ^ life << 32 ^ 0x5bd1e995);

	return draw_between(&source, LIFE_LEAST, LIFE_MOST);
}

static void live(uint64_t seed, uint64_t life, uint64_t cadence, struct report *report,
		 struct life_end *end)
{
	struct source source = source_of_seed(seed * 1000003 + life);

	snprintf(life_name, sizeof(life_name), "model_lives_test 0 %llu %llu",
		 (unsigned long long)seed, (unsigned long long)life);
	life_run(&source, cadence, length_of(seed, life), report, end);
}

static void live_again(uint64_t seed, uint64_t life, struct report *report,
		       const struct life_end *end)
{
	static struct report aside;
	static struct life_end again;

	live(seed, life, life + 12345, &aside, &again);
	if (!life_ended_alike(&again, end)) {
		fprintf(stderr, "polled otherwise it ends otherwise: %s\n", life_name);
		abort();
	}
	report->twice++;
}

static void live_all(uint64_t frames, uint64_t seed, struct report *report)
{
	static struct life_end end;

	for (uint64_t life = 0; report->frames < frames; life++) {
		live(seed, life, life, report, &end);
		if (life % 8 == 0)
			live_again(seed, life, report, &end);
	}
}

/* ---- what was met ---- */

/* Names of other floors: the model never counts them. */
static bool is_outside(const struct sw_name *name)
{
	return name->stage != NULL && strchr(name->stage, '/') != NULL;
}

static int show_counts(const char *what, const struct sw_name *names, const uint64_t *counts, int n)
{
	int missing = 0;

	for (int i = 0; i < n; i++) {
		bool outside = is_outside(&names[i]);

		printf("%-8s %-20s %12llu%s%s\n", what, names[i].name,
		       (unsigned long long)counts[i], outside ? "  excepted: counted in " : "",
		       outside ? names[i].stage : "");
		missing += counts[i] == 0 && !outside;
	}
	return missing;
}

static void show_acts(const struct report *r)
{
	const struct {
		const char *what;
		uint64_t n;
	} rows[] = {
		{"lives", r->lives},
		{"lived twice, polled otherwise", r->twice},
		{"frames", r->frames},
		{"good data frames", r->valid},
		{"good data frames that left", r->valid_sent},
		{"MAC control frames", r->control},
		{"all that left", r->sent},
		{"the switch's own", r->generated},
		{"flood copies", r->copies},
		{"flood copies refused", r->refused_copies},
		{"audits", r->audits},
		{"reconfigurations", r->sets},
		{"reconfigurations refused", r->refused_sets},
		{"starts refused", r->refused_starts},
		{"tables swapped", r->installs},
		{"tables refused", r->refused_tables},
		{"restored in another's place", r->restores},
		{"checkpoints damaged, refused", r->refused_images},
		{"checkpoints damaged, sound", r->odd_images},
		{"links up or down", r->links},
		{"holds, releases", r->holds},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%-30s %12llu\n", rows[i].what, (unsigned long long)rows[i].n);
}

/* The number of things that should have happened and did not. */
static int judge(const struct report *r)
{
	int missing = 0;

	show_acts(r);
	missing += show_counts("drop", sw_drop_names, r->drops, SW_DROPS);
	missing += show_counts("port", sw_port_counter_names, r->port, SW_PORT_COUNTERS);
	missing += show_counts("priority", sw_prio_counter_names, r->prio, SW_PRIO_COUNTERS);
	missing += show_counts("queue", sw_queue_counter_names, r->queue, SW_QUEUE_COUNTERS);
	missing += show_counts("watchdog", sw_watchdog_counter_names, r->watchdog,
			       SW_WATCHDOG_COUNTERS);
	if (r->frames < ENOUGH)
		return 0;
	if (missing > 0)
		printf("%d names were not met\n", missing);
	if (r->valid_sent * 2 < r->frames)
		printf("less than half of the frames were good ones that left\n");
	return missing + (r->valid_sent * 2 < r->frames);
}

static uint64_t number(int argc, char **argv, int i, const char *variable, uint64_t otherwise)
{
	const char *text = argc > i ? argv[i] : getenv(variable);

	return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 0);
}

int main(int argc, char **argv)
{
	uint64_t frames = number(argc, argv, 1, "RAILYARD_FUZZ_FRAMES", FRAMES);
	uint64_t seed = number(argc, argv, 2, "RAILYARD_FUZZ_SEED", 1);
	static struct report report;
	static struct life_end end;
	int failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	read_corpus();
	printf("seed %llu\n", (unsigned long long)seed);
	if (argc > 3) {
		live(seed, strtoull(argv[3], NULL, 0), 0, &report, &end);
		live_again(seed, strtoull(argv[3], NULL, 0), &report, &end);
	} else {
		live_all(frames, seed, &report);
	}
	failed = judge(&report);
	printf("%d passed, %d failed\n", failed == 0, failed);
	return failed != 0;
}
