/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios that are nearly right, each judged:
 *
 *	scenario_mutants_test [INPUTS [SEED [INPUT]]]	default 20,000 and 1; INPUT: that one alone
 *
 * RAILYARD_FUZZ_INPUTS and RAILYARD_FUZZ_SEED are taken where there are no words. First the documents
 * themselves, then as many mutants of them. No input may take longer than 5 s of processor time, nor
 * leave memory behind. Last line: `N passed, N failed`; a finding ends the program, and says how to
 * repeat it.
 */
#include "judge.h"
#include "mutate.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define INPUTS 20000
#define LIMIT_S 5
#define LEAK_EVERY 1000

static struct input input;
static char name[96]; /* what repeats the input */

/* Of the address sanitizer, where it is linked. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static void tell(int signal_number)
{
	static const char words[] = "\nthe input:\n", late[] = "\nit takes too long\n";
	size_t rest = 0;

	rest += (size_t)write(2, "\nagain: ", 8);
	rest += (size_t)write(2, name, strlen(name));
	if (signal_number == SIGALRM)
		rest += (size_t)write(2, late, sizeof(late) - 1);
	rest += (size_t)write(2, words, sizeof(words) - 1);
	rest += (size_t)write(2, input.text, input.len);
	for (uint32_t i = 0; i < input.n_sets; i++) {
		rest += (size_t)write(2, "\nset ", 5);
		rest += (size_t)write(2, input.sets[i], strlen(input.sets[i]));
	}
	(void)rest;
	signal(SIGABRT, SIG_DFL);
	if (signal_number == SIGALRM)
		_exit(1);
}

static double processor_s(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Processor time, in seconds, and whether it was accepted. */
static double try(bool *accepted)
{
	const char *sets[SETS_MAX];
	double begin = processor_s(), took;

	for (uint32_t i = 0; i < input.n_sets; i++)
		sets[i] = input.sets[i];
	alarm(60); /* it hangs */
	*accepted = judge(input.text, input.len, sets, input.n_sets);
	alarm(0);
	took = processor_s() - begin;
	if (took > LIMIT_S)
		tell(SIGALRM);
	return took;
}

static void make(uint64_t seed, uint64_t i)
{
	struct source source = source_of_seed(seed * 1000003 + i);

	snprintf(name, sizeof(name), "scenario_mutants_test 0 %llu %llu", (unsigned long long)seed,
		 (unsigned long long)i);
	mutant(&source, &input);
}

static void check_leaks(void)
{
	if (__lsan_do_recoverable_leak_check == NULL || __lsan_do_recoverable_leak_check() == 0)
		return;
	fprintf(stderr, "memory is left behind by one of the %d before: %s\n", LEAK_EVERY, name);
	exit(1);
}

static uint64_t number(int argc, char **argv, int i, const char *variable, uint64_t otherwise)
{
	const char *text = argc > i ? argv[i] : getenv(variable);

	return text == NULL || text[0] == '\0' ? otherwise : strtoull(text, NULL, 0);
}

static uint64_t try_documents(void)
{
	uint64_t good = 0;

	for (uint32_t i = 0; i < pool.n_documents; i++) {
		bool accepted;

		snprintf(name, sizeof(name), "document %u", i);
		pool_input(pool.documents[i], &input);
		try(&accepted);
		good += accepted;
	}
	return good;
}

int main(int argc, char **argv)
{
	static const char *const directories[] = {
		"scenarios",   "tests/broken", "tests/fuzz/corpus/scenario", "tests/system",
		"tests/bench", "tests/soak",   "pipelines/presets",          NULL};
	static const char *const markdown[] = {"README.md", "docs/scenario.md", NULL};
	uint64_t inputs = number(argc, argv, 1, "RAILYARD_FUZZ_INPUTS", INPUTS);
	uint64_t seed = number(argc, argv, 2, "RAILYARD_FUZZ_SEED", 1), accepted = 0;
	double worst = 0;
	bool good;

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGABRT, tell);
	signal(SIGALRM, tell);
	pool_read(directories, markdown);
	printf("seed %llu: %u documents, %u paths, %u values, %u words\n", (unsigned long long)seed,
	       pool.n_documents, pool.n_paths, pool.n_values, pool.n_words);
	if (argc > 3) {
		make(seed, strtoull(argv[3], NULL, 0));
		try(&good);
		printf("%s\n", good ? "accepted" : "refused");
		inputs = 0;
	} else {
		printf("%llu documents are good\n", (unsigned long long)try_documents());
	}
	for (uint64_t i = 0; i < inputs; i++) {
		double took;

		make(seed, i);
		took = try(&good);
		accepted += good;
		worst = took > worst ? took : worst;
		if (i % LEAK_EVERY == LEAK_EVERY - 1)
			check_leaks();
	}
	printf("%llu mutants, %llu of them accepted; the slowest took %.0f ms\n",
	       (unsigned long long)inputs, (unsigned long long)accepted, worst * 1000);
	pool_free();
	/* Else they would not come further than the reading. */
	good = inputs < INPUTS || accepted * 20 >= inputs;
	printf("%d passed, %d failed\n", good, !good);
	return !good;
}
