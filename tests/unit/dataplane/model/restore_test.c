/* SPDX-License-Identifier: BSD-3-Clause */
/* What is no checkpoint is refused, whatever it is; what passes all the same is a sound switch. */
#include "dataplane/model/restore.c"

#include "checkpoint_busy.h"

#include "tests/unit/cu.h"

static struct rig origin;

/* A switch in the middle of everything, as bytes; exactly as long as they are, for the sanitizers. */
static uint8_t *busy_bytes(uint64_t seed, uint32_t acts, size_t *n)
{
	uint64_t t = 0;
	uint8_t *bytes, *exact;

	busy_init(&origin, "lossless");
	rig_start(&origin);
	for (uint32_t i = 0; i < acts; i++) {
		t += busy_gap(rig_random(&seed));
		busy_act(&origin, t, rig_random(&seed) << 24 ^ rig_random(&seed));
	}
	CU_ASSERT(rig_stats(&origin)->held > 10);
	bytes = rig_checkpoint(&origin, n);
	exact = malloc(*n);
	memcpy(exact, bytes, *n);
	free(bytes);
	return exact;
}

static bool refused(const uint8_t *bytes, size_t n, struct err *err)
{
	struct rig rig;

	memset(err, 0, sizeof(*err));
	if (rig_restore(&rig, &origin, bytes, n, err) != 0)
		return true;
	rig_stop(&rig);
	return false;
}

/* Each prefix, in memory that ends where it does. */
static void truncated(void)
{
	size_t n;
	uint8_t *bytes = busy_bytes(1, 1500, &n);
	struct err err;

	for (size_t cut = 0; cut < n; cut++) {
		uint8_t *part = malloc(cut + 1);

		memcpy(part, bytes, cut);
		CU_ASSERT(refused(part, cut, &err));
		CU_ASSERT_EQUAL(err.status, ERR_USAGE);
		free(part);
	}
	CU_ASSERT_FALSE(refused(bytes, n, &err));
	free(bytes);
	rig_stop(&origin);
}

static void longer(void)
{
	size_t n;
	uint8_t *bytes = busy_bytes(2, 1500, &n);
	struct err err;

	bytes = realloc(bytes, n + 100);
	memset(bytes + n, 0, 100);
	for (size_t more = 1; more <= 100; more++)
		CU_ASSERT(refused(bytes, n + more, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.expected, "bytes"));
	free(bytes);
	rig_stop(&origin);
}

static void flipped_bits(void)
{
	size_t n;
	uint64_t seed = 3;
	uint8_t *bytes = busy_bytes(3, 1500, &n);
	struct err err;

	for (int i = 0; i < 3000; i++) {
		size_t bit = rig_random(&seed) % (8 * n);

		bytes[bit / 8] ^= 1 << bit % 8;
		CU_ASSERT(refused(bytes, n, &err));
		bytes[bit / 8] ^= 1 << bit % 8;
	}
	CU_ASSERT_FALSE(refused(bytes, n, &err));
	free(bytes);
	rig_stop(&origin);
}

static void seal(uint8_t *bytes, size_t n)
{
	uint64_t sum = XXH64(bytes, n - CK_SUM_BYTES, 0);

	for (int i = 0; i < 8; i++)
		bytes[n - 8 + i] = (uint8_t)(sum >> (8 * i));
}

/* Another version, another build's counters, another pipeline: said so, not "damaged". */
static void of_another_kind(void)
{
	size_t n;
	uint8_t *bytes = busy_bytes(4, 1500, &n);
	struct err err;

	bytes[0] = 'X';
	seal(bytes, n);
	CU_ASSERT(refused(bytes, n, &err));
	CU_ASSERT_STRING_EQUAL(err.found, "something else");
	bytes[0] = 'R';
	bytes[8]++;
	seal(bytes, n);
	CU_ASSERT(refused(bytes, n, &err));
	CU_ASSERT_STRING_EQUAL(err.found, "version 2");
	bytes[8]--;
	bytes[16]++;
	seal(bytes, n);
	CU_ASSERT(refused(bytes, n, &err));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.found, "counters"));
	bytes[16]--;
	memcpy(bytes + CK_HEAD_BYTES, "credit", 7);
	seal(bytes, n);
	CU_ASSERT(refused(bytes, n, &err));
	CU_ASSERT_STRING_EQUAL(err.found, "'credit'");
	memset(bytes + CK_HEAD_BYTES, 0, 8);
	seal(bytes, n);
	CU_ASSERT(refused(bytes, n, &err));
	CU_ASSERT_STRING_EQUAL(err.found, "''");
	memcpy(bytes + CK_HEAD_BYTES, "lossless", 9);
	seal(bytes, n);
	CU_ASSERT_FALSE(refused(bytes, n, &err));
	free(bytes);
	rig_stop(&origin);
}

/* The driver has no buffer for the k-th frame: it gets those before back. */
static void no_buffers(void)
{
	size_t n;
	uint8_t *bytes = busy_bytes(5, 1500, &n);
	uint32_t frames = (uint32_t)rig_stats(&origin)->held;
	struct err err;

	for (uint32_t k = 0; k < frames; k++) {
		origin.allocs_left = k;
		CU_ASSERT(refused(bytes, n, &err));
		CU_ASSERT_EQUAL(err.status, ERR_ENVIRONMENT);
	}
	origin.allocs_left = frames;
	CU_ASSERT_FALSE(refused(bytes, n, &err));
	free(bytes);
	rig_stop(&origin);
}

static void about(void)
{
	size_t n;
	uint8_t *bytes = busy_bytes(6, 1500, &n);
	struct sw_about about;
	struct err err = {0};

	CU_ASSERT_EQUAL(sw_checkpoint_about(bytes, n, &about, &err), 0);
	CU_ASSERT_STRING_EQUAL(about.pipeline, "lossless");
	CU_ASSERT_STRING_EQUAL(about.name, "s1");
	CU_ASSERT_EQUAL(about.n_ports, BUSY_PORTS);
	CU_ASSERT_EQUAL(about.largest_mtu_bytes, 9000);
	CU_ASSERT_EQUAL(about.t_ps, origin.sw->now);
	CU_ASSERT_EQUAL(about.held, rig_stats(&origin)->held);
	CU_ASSERT_EQUAL(sw_checkpoint_about(bytes, n - 1, &about, &err), -EINVAL);
	free(bytes);
	rig_stop(&origin);
}

/* ---- forged: damaged, and sealed again ---- */

/* It goes on as a switch does: records in order and in time (rig.c looks), each frame once. */
static void live(struct rig *rig, uint64_t seed)
{
	uint64_t t = rig->sw->now;

	for (int i = 0; i < 60; i++) {
		t += busy_gap(rig_random(&seed));
		busy_act(rig, t, rig_random(&seed) << 24 ^ rig_random(&seed));
	}
	rig_to(rig, t + 10 * RIG_MS);
}

static void forge(uint8_t *bytes, size_t n, uint64_t *seed)
{
	uint32_t times = 1 + rig_random(seed) % 3;

	while (times-- > 0) {
		size_t at = CK_HEAD_BYTES + rig_random(seed) % (n - CK_HEAD_BYTES - CK_SUM_BYTES);
		uint64_t how = rig_random(seed) % 4;

		if (how == 0)
			bytes[at] ^= 1 << rig_random(seed) % 8;
		else if (how == 1)
			bytes[at] = 0xff;
		else if (how == 2)
			bytes[at] = 0;
		else
			bytes[at] = (uint8_t)rig_random(seed);
	}
	seal(bytes, n);
}

/* Most are refused. The others are sound switches: the sanitizers and the model's own assertions say
 * so. Their frames are counted by the rig and given back. */
static void forged(void)
{
	size_t n;
	uint64_t seed = 7, taken = 0;
	uint8_t *bytes = busy_bytes(7, 1500, &n), *copy = malloc(n);

	for (int i = 0; i < 4000; i++) {
		struct err err = {0};
		struct rig rig;

		memcpy(copy, bytes, n);
		forge(copy, n, &seed);
		if (rig_restore(&rig, &origin, copy, n, &err) != 0)
			continue;
		taken++;
		live(&rig, (uint64_t)i + 1);
		rig_discard(&rig);
	}
	CU_ASSERT(taken > 100 && taken < 3900);
	free(copy);
	free(bytes);
	rig_stop(&origin);
}

int main(void)
{
	static const struct cu_case cases[] = {
		{"sw_restore__truncated", truncated},
		{"sw_restore__longer", longer},
		{"sw_restore__flipped_bits", flipped_bits},
		{"sw_restore__of_another_kind", of_another_kind},
		{"sw_restore__no_buffers", no_buffers},
		{"sw_restore__forged", forged},
		{"sw_checkpoint_about__about", about},
		{NULL, NULL},
	};

	return cu_main("model/restore", cases);
}
