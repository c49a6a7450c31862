/* SPDX-License-Identifier: BSD-3-Clause */
/* A life of one switch, drawn at random: a configuration, tables, stations on its ports, and frames,
 * control and time without end. What must hold whatever comes is checked on the way:
 *
 *	life*.c    the order of things: time, arrivals, control
 *	draw_*.c   what is drawn: configurations, tables, frames
 *	oracle.c   every record, against what a neighbour on the wire may demand
 *	audit.c    every thousand frames: the accounting, and the buffer recounted from the queues
 *
 * The switch is driven through sw.h alone; only the audit looks inside. A fault ends the program with
 * the words needed to repeat it. One thread; times ps.
 */
#ifndef RY_FUZZ_LIFE_H
#define RY_FUZZ_LIFE_H

#include "dataplane/model/sw_int.h"
#include "tests/fuzz/source.h"

#define LIFE_PORTS 32
#define STATIONS 4 /* on each port */
#define DOMAINS 2
#define FRAME_MAX 65535
#define LOOK_MAX 256 /* frames up to this length are compared byte by byte when they leave */

/* A frame on the heap, its bytes in a block of just their length. */
struct fuzz_pkt {
	struct pkt pkt; /* first: the model's pointer is ours */
	uint64_t id;    /* in order of arrival, from 1; copies have their original's */
	uint8_t *was;   /* its bytes when it came, NULL when it is longer than LOOK_MAX */
	const struct fuzz_pkt *of; /* restored: what it was before */
	uint16_t len;              /* as it came */
	bool in_model, valid;
	bool icrc; /* it came with a good one */
};

/* A frame before it is fed. */
struct frame {
	uint16_t port, len;
	bool valid; /* whole, by construction: only what it asks for may be its fate */
	uint8_t bytes[FRAME_MAX];
};

/* What a neighbour knows of a port: told by the frames that left and came. */
struct oracle_port {
	bool up, held;
	uint64_t last_ps, free_ps; /* of the last record: its time, the earliest end */
	uint8_t told;              /* classes that we were told to stop */
	uint64_t told_ps[SW_PRIOS];
	uint64_t until_ps[SW_PRIOS];            /* pauses that it must honour */
	uint64_t last_id[LIFE_PORTS][SW_PRIOS]; /* by ingress and priority */
};

struct oracle {
	uint64_t last_ps;
	uint64_t order_from; /* frames up to this one may be overtaken: classes were remapped */
	bool same_domains;   /* no port has changed its domain */
	struct oracle_port ports[LIFE_PORTS];
};

/* Questions that stations were asked and are about to answer. */
#define ANSWERS 64
struct answer {
	uint16_t port;
	struct sw_rec rec;
};

/* What all lives of a program did. */
struct report {
	uint64_t lives, frames, valid, valid_sent, mutated, control, copies, refused_copies;
	uint64_t sent, generated, audits, twice;
	uint64_t sets, refused_sets, refused_starts, refused_tables, installs, links, holds;
	uint64_t restores, odd_images, refused_images;
	uint64_t drops[SW_DROPS], port[SW_PORT_COUNTERS], prio[SW_PRIO_COUNTERS];
	uint64_t queue[SW_QUEUE_COUNTERS], watchdog[SW_WATCHDOG_COUNTERS];
};

struct life {
	struct source *source;
	uint64_t cadence; /* state of what must not matter: when and how often we ask */
	uint32_t frames;  /* to feed */
	struct report *report;

	/* what kind of life */
	bool polite;    /* stations honour our PFC */
	bool talkative; /* they answer ARP and ND */
	bool scans;     /* somebody looks for hosts that are not there */
	uint16_t hot;   /* the port that gets most */
	uint8_t heat;   /* in 1/8 */
	uint8_t fill;   /* of the shared pool that we let stand, in 1/8 */
	bool fixed;     /* nothing is reconfigured */
	bool busy;      /* for now: frames come faster than they leave */
	uint64_t gap_ps;
	uint32_t storm; /* bursts that come whatever the buffer is like */
	bool asks;      /* and all want to know who the gateway is */

	struct sw_config config;
	struct sw_port_config ports[LIFE_PORTS];
	const struct pipeline *pipeline;
	struct sw *sw;
	struct sw_tables *tables;
	uint64_t now_ps;
	bool refuse_copies;

	bool steady;  /* tables and domains are the first ones */
	bool resized; /* the buffer was: more may be in it than now fits */

	uint64_t fed, data_fed;
	uint64_t left;    /* records but PFC */
	uint64_t good;    /* good data frames among them, copies not counted */
	uint64_t waiting; /* frames, for neighbours; of the last audit */
	int64_t alive;    /* frames that the model has */
	struct oracle oracle;
	struct answer answers[ANSWERS];
	uint32_t n_answers;
	struct sw_stats stats;
	struct sw_port_stats port_stats[LIFE_PORTS];

	uint8_t *image; /* the last checkpoint */
	size_t image_len, image_cap;
	const struct fuzz_pkt **written;  /* its frames, in order */
	uint64_t n_written, n_read, room; /* frames that may be read */
	struct sw_latency latency[LIFE_PORTS * SW_PRIOS];
};

/* ---- life.c ---- */

/* Corpus frames that mutations start from (main may add some before the first life). */
void life_add_frame(const uint8_t *bytes, size_t len);

/* One whole life; the digest and the counts at its end are in *end. */
struct life_end {
	uint64_t time_ps;
	struct sw_stats stats;
	struct sw_port_stats ports[LIFE_PORTS];
};
void life_run(struct source *source, uint64_t cadence, uint32_t frames, struct report *report,
	      struct life_end *end);

/* ---- life_frames.c ---- */

struct fuzz_pkt *life_new_pkt(struct life *life, const uint8_t *bytes, uint16_t len);
/* What the switch borrows for floods: struct sw_env. */
struct pkt *life_copy(void *ctx, const struct pkt *pkt);
/* The model has given a frame, or a chain of them, back. */
void life_take_back(struct life *life, struct pkt *pkt);
void life_take_back_all(struct life *life, struct pkt *pkt);

/* ---- life_time.c ---- */

/* 0 .. n-1, of what must not matter: drawn apart from the script. */
uint32_t life_cadence(struct life *life, uint32_t n);
void life_advance(struct life *life, uint64_t t_ps);
/* To t, or as far as some thousand events go: a pause of hours is refreshed all the while. */
void life_walk(struct life *life, uint64_t t_ps);
/* When the next frames come; later than now. */
uint64_t life_draw_time(struct life *life);

/* ---- life_control.c ---- */

/* Anything that control may do or try. */
void life_control(struct life *life);
/* What was held is let go, links come back: else nothing would be left to see. */
void life_recover(struct life *life);

/* Ends the program unless ok. */
#define must(life, ok) ((ok) ? (void)0 : life_fault(life, #ok, __FILE__, __LINE__))
_Noreturn void life_fault(const struct life *life, const char *text, const char *file, int line);
/* Set by main: what repeats this life. */
extern char life_name[160];

/* ---- life_restore.c ---- */

/* For struct sw_env. */
uint32_t life_have(void *ctx, const struct pkt *pkt);
struct pkt *life_alloc(void *ctx, uint32_t len, uint32_t have);
void life_release(void *ctx, struct pkt *pkt);
/* Where control acts: another switch, made of this one's checkpoint, goes on in its place. */
void life_restore(struct life *life);
/* A checkpoint with a few bytes changed, or without memory for all of its frames. */
void life_restore_damaged(struct life *life);

/* ---- draw_config.c, draw_wrong.c ---- */

/* A configuration that must be accepted. */
void draw_config(struct life *life);
/* The same with a part drawn anew; accepted, but for its buffer perhaps. ports: config's. */
void draw_change(struct life *life, struct sw_config *config, struct sw_port_config *ports);
/* One that must be refused. */
void draw_wrong_config(struct life *life, struct sw_config *config, struct sw_port_config *ports);

/* ---- draw_tables.c ---- */

struct sw_tables *draw_tables(struct life *life);
/* A specification that must be refused is, and says why. */
void draw_wrong_tables(struct life *life);

void station_mac(uint8_t mac[6], uint16_t port, uint32_t station);
/* As 16 bytes; v4 mapped. */
void station_ip(const struct life *life, uint8_t ip[16], uint16_t port, uint32_t station, bool v6);
void gateway_ip(uint8_t ip[16], uint16_t domain, bool v6);

/* ---- draw_frame.c, draw_mutant.c ---- */

/* Any frame, on any port. */
void draw_frame(struct life *life, struct frame *frame);
/* The answer of a station to what the switch asked. */
void answer_frame(struct life *life, const struct answer *answer, struct frame *frame);
/* Makes of a frame what no host would send. */
void draw_mutant(struct life *life, struct frame *frame);

/* ---- oracle.c ---- */

void oracle_start(struct life *life);
void oracle_arrival(struct life *life, const struct fuzz_pkt *pkt);
void oracle_record(struct life *life, const struct sw_rec *rec);
/* After sw_set, sw_link. */
void oracle_changed(struct life *life, const struct sw_port_config *old);
void oracle_link(struct life *life, uint16_t port, bool up);
/* At any time: nobody was forgotten. */
void oracle_check(struct life *life);

/* ---- audit.c ---- */

void audit(struct life *life);
/* The frames that wait for neighbours. */
void audit_neighbours(const struct sw *sw, void (*f)(const struct life *life, struct pkt *chain),
		      const struct life *life);
/* Every number of them. */
bool audit_same(const struct sw_stats *a, const struct sw_stats *b);
bool life_ended_alike(const struct life_end *a, const struct life_end *b);
/* Adds the counters of a life to the program's. */
void audit_add(struct report *report, const struct sw_stats *stats);

#endif
