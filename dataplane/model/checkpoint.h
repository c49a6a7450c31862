/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints from inside: checkpoint.c (the envelope, and in which order), restore.c (the way back),
 * checkpoint_config.c, checkpoint_tables.c (installed and learned) and checkpoint_ports.c (queues,
 * counters, frames).
 *
 * One function for each struct serves both ways: writing it passes every field to ck_*, reading it
 * gets every field from there, so that the two cannot differ. What follows from the configuration or
 * from other fields is not in it: it is worked out again. Numbers are little-endian and as wide as
 * their field.
 *
 * Reading never trusts: after the first thing that cannot be, all reads give 0 and `bad` says what
 * it was. Cold code; the switch's thread.
 */
#ifndef RY_CHECKPOINT_H
#define RY_CHECKPOINT_H

#include "sw_int.h"

#define CK_MAGIC                                                                                   \
	{                                                                                          \
		'R', 'Y', 'S', 'W', 'C', 'K', 'P', 'T'                                             \
	}
#define CK_HEAD_BYTES 32
#define CK_SUM_BYTES 8

struct ck_sink; /* checkpoint.c */

struct ck_head {
	char magic[8];
	uint32_t version, zero;
	uint64_t names, length;
};

struct ck {
	struct ck_sink *sink;    /* writing; NULL when reading */
	const uint8_t *at, *end; /* reading */
	const char *bad;         /* reading: what is wrong; NULL = nothing so far */
	bool no_memory;          /* reading: there is none, which is nobody's fault */
};

static inline bool ck_reading(const struct ck *ck)
{
	return ck->sink == NULL;
}

/* Bytes as they are. */
void ck_bytes(struct ck *ck, void *bytes, size_t n);
void ck_u8(struct ck *ck, uint8_t *value);
void ck_u16(struct ck *ck, uint16_t *value);
void ck_u32(struct ck *ck, uint32_t *value);
void ck_u64(struct ck *ck, uint64_t *value);
void ck_u64s(struct ck *ck, uint64_t *values, size_t n);
void ck_bool(struct ck *ck, bool *value);
/* A text of SW_NAME bytes with its NUL; what is behind that is not in it. */
void ck_name(struct ck *ck, char name[SW_NAME]);
/* Reading: this must hold. Returns whether all has been well so far. */
bool ck_check(struct ck *ck, bool holds, const char *what);
/* Reading: n items of at least `bytes` each are still to come, so that memory for them may be asked
 * for. */
bool ck_room(struct ck *ck, uint64_t n, size_t bytes);

/* ---- checkpoint.c ---- */
void ck_head(struct ck *ck, struct ck_head *head);
/* Of all counters' and drops' names, in their order: it is theirs in the file. */
uint64_t ck_names(void);
void ck_about(struct ck *ck, struct sw_about *about);
void ck_state(struct ck *ck, struct sw *sw);

/* ---- checkpoint_config.c ---- */
#define CK_PORT_BYTES 80 /* at least, of one port's configuration */
void ck_config(struct ck *ck, struct sw_config *config);
void ck_port_config(struct ck *ck, struct sw_port_config *port);

/* ---- checkpoint_tables.c ---- */
void ck_tables(struct ck *ck, struct sw *sw);
void ck_fdb(struct ck *ck, struct sw *sw);
void ck_neigh(struct ck *ck, struct sw *sw);

/* ---- checkpoint_ports.c ---- */
void ck_port(struct ck *ck, struct sw *sw, uint16_t index);
void ck_latency(struct ck *ck, struct sw *sw);
/* A frame that waits, without its link. Reading: a new one from the driver, NULL when it is none. */
void ck_write_frame(struct ck *ck, const struct sw *sw, struct pkt *pkt);
struct pkt *ck_read_frame(struct ck *ck, struct sw *sw);
/* Reading, when all is there: what follows from it, and whether it fits together. */
void ck_settle(struct ck *ck, struct sw *sw);

#endif
