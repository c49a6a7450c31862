/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "eal.h"

#include <dirent.h>
#include <errno.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 64
#define WORD_BYTES 512
#define OWN_BYTES (256u << 20) /* device rings, mempool rings, DPDK's own tables */

struct words {
	char text[WORDS_MAX][WORD_BYTES];
	char *argv[WORDS_MAX + 1];
	int n;
};

/* One process has one EAL: this is its state, not the switch's. Only the control thread writes. */
static struct {
	struct words *words; /* EAL keeps pointers into them as long as the process lives */
	bool running, user_lcores;
	cpu_set_t cpus; /* of the process, before EAL pinned the caller */
	char complaint[200];
} eal;

__attribute__((format(printf, 2, 3))) static void word(struct words *words, const char *fmt, ...)
{
	va_list ap;

	if (words->n == WORDS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(words->text[words->n], WORD_BYTES, fmt, ap);
	va_end(ap);
	words->argv[words->n] = words->text[words->n];
	words->argv[++words->n] = NULL;
}

/* Keeps the first line: it tells the cause, those after it what came of that. DPDK writes a line in
 * one or several pieces. */
static ssize_t log_write(void *cookie, const char *text, size_t size)
{
	size_t used = strlen(eal.complaint), take = size;

	(void)cookie;
	if (used > 0 && eal.complaint[used - 1] == '\n')
		return (ssize_t)size;
	if (take > sizeof(eal.complaint) - 1 - used)
		take = sizeof(eal.complaint) - 1 - used;
	memcpy(eal.complaint + used, text, take);
	eal.complaint[used + take] = '\0';
	return (ssize_t)size;
}

static void quiet(void)
{
	static const cookie_io_functions_t io = {.write = log_write};
	FILE *stream = fopencookie(NULL, "w", io);

	if (stream == NULL)
		return;
	setvbuf(stream, NULL, _IOLBF, 0);
	rte_openlog_stream(stream);
}

const char *rt_eal_complaint(void)
{
	eal.complaint[strcspn(eal.complaint, "\n")] = '\0';
	return eal.complaint;
}

void rt_eal_forget(void)
{
	eal.complaint[0] = '\0';
}

static bool user_has(const struct rt_eal_config *config, const char *option)
{
	const char *const *w;

	for (w = config->words; w != NULL && *w != NULL; w++)
		if (strncmp(*w, option, strlen(option)) == 0)
			return true;
	return false;
}

/* "0@0-3,7": one lcore that may run where the process may. */
static void lcores_word(struct words *words)
{
	char list[WORD_BYTES] = "";
	size_t used = 0;
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE && used < sizeof(list) - 8; cpu++)
		if (CPU_ISSET(cpu, &eal.cpus))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%d",
						 used > 0 ? "," : "", cpu);
	word(words, "--lcores=0@(%s)", list);
}

static void fill_words(struct words *words, const struct rt_eal_config *config)
{
	const char *const *w;
	uint32_t i;

	word(words, "railyard");
	/* Without huge pages memory is anonymous anyway, and EAL takes the two for a contradiction. */
	word(words, config->no_huge ? "--no-shconf" : "--in-memory");
	word(words, "--no-telemetry");
	word(words, "--log-level=*:error");
	if (config->file_prefix != NULL)
		word(words, "--file-prefix=%s", config->file_prefix);
	if (config->no_huge) {
		word(words, "--no-huge");
		word(words, "-m");
		word(words, "%lu", (config->memory_bytes + OWN_BYTES) >> 20);
	}
	if (config->n_pci == 0 && !user_has(config, "-a"))
		word(words, "--no-pci");
	for (i = 0; i < config->n_pci; i++)
		word(words, "--allow=%s", config->pci[i]);
	if (!user_has(config, "-l") && !user_has(config, "-c") && !user_has(config, "--lcores"))
		lcores_word(words);
	else
		eal.user_lcores = true;
	for (w = config->words; w != NULL && *w != NULL; w++)
		word(words, "%s", *w);
}

static uint64_t read_number(const char *dir, const char *file)
{
	char path[512], text[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/%s/%s", dir, file);
	f = fopen(path, "r");
	if (f == NULL)
		return 0;
	if (fgets(text, sizeof(text), f) == NULL)
		text[0] = '\0';
	fclose(f);
	return strtoul(text, NULL, 10);
}

/* EAL's own message says neither how many pages nor how to get them, so look first. */
static int check_hugepages(const struct rt_eal_config *config, struct err *err)
{
	uint64_t need = config->memory_bytes + OWN_BYTES, have = 0;
	DIR *dir = opendir("/sys/kernel/mm/hugepages");
	struct dirent *entry;
	char found[64];

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, "hugepages-", 10) == 0)
			have += read_number(entry->d_name, "free_hugepages") *
					strtoul(entry->d_name + 10, NULL, 10)
				<< 10;
	if (dir != NULL)
		closedir(dir);
	if (have >= need)
		return 0;
	snprintf(found, sizeof(found), "%lu MiB in free hugepages", have >> 20);
	return err_set(err, ERR_ENVIRONMENT, ENOMEM, "real.memory", found,
		       "%lu MiB: echo %lu > /proc/sys/vm/nr_hugepages (2 MiB each), lower "
		       "real.memory, or run with --no-huge",
		       need >> 20, (need >> 21) + 1);
}

/* In memory, nothing is ever kept in EAL's directory: gone at once, it is not left by a kill. The one
 * above goes too when no other DPDK program has it. */
static void remove_runtime_dir(void)
{
	char path[512];
	char *slash;

	snprintf(path, sizeof(path), "%s", rte_eal_get_runtime_dir());
	rmdir(path);
	slash = strrchr(path, '/');
	if (slash == NULL)
		return;
	*slash = '\0';
	rmdir(path);
}

int rt_eal_start(const struct rt_eal_config *config, struct err *err)
{
	struct words *words;
	int ret;

	if (eal.running)
		return 0;
	/* A test may have started EAL itself; the CPUs are then those it chose. */
	if (rte_lcore_count() > 0) {
		eal.running = true;
		eal.user_lcores = true;
		return 0;
	}
	if (!config->no_huge && check_hugepages(config, err) != 0)
		return -ENOMEM;
	words = calloc(1, sizeof(*words));
	if (words == NULL)
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "memory for EAL's words");
	sched_getaffinity(0, sizeof(eal.cpus), &eal.cpus);
	fill_words(words, config);
	quiet();
	rt_eal_forget();
	eal.words = words;
	ret = rte_eal_init(words->n, words->argv);
	if (ret >= 0) {
		eal.running = true;
		remove_runtime_dir();
		return 0;
	}
	return err_set(err, ERR_ENVIRONMENT, rte_errno != 0 ? rte_errno : EIO, "real",
		       rte_strerror(rte_errno), "DPDK to start; it says: %s%s", rt_eal_complaint(),
		       geteuid() != 0 ? " (not root: ports and hugepages need it)" : "");
}

static uint32_t add_cpus(uint16_t *cpus, uint32_t n, const cpu_set_t *set)
{
	uint32_t i, cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		for (i = 0; i < n && cpus[i] != cpu; i++)
			;
		if (CPU_ISSET(cpu, set) && i == n)
			cpus[n++] = (uint16_t)cpu;
	}
	return n;
}

uint32_t rt_eal_cpus(uint16_t *cpus)
{
	unsigned int lcore;
	uint32_t n = 0, i;
	uint16_t first;
	cpu_set_t set;

	if (!eal.user_lcores) {
		/* The process's CPUs; the first is where control and the kernel's chores go. */
		n = add_cpus(cpus, 0, &eal.cpus);
		first = cpus[0];
		for (i = 1; i < n; i++)
			cpus[i - 1] = cpus[i];
		cpus[n - 1] = first;
		return n;
	}
	RTE_LCORE_FOREACH_WORKER(lcore)
	{
		set = rte_lcore_cpuset(lcore);
		n = add_cpus(cpus, n, &set);
	}
	set = rte_lcore_cpuset(rte_get_main_lcore());
	return add_cpus(cpus, n, &set);
}
