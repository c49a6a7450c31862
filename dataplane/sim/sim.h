/* SPDX-License-Identifier: BSD-3-Clause */
/* Virtual time: one switch and what arrives at it, as real bytes at given times.
 *
 * A node feeds the very same sw_parse / sw_rx / sw_advance that the workers call. The caller gives
 * arrivals and control acts in time order (arrivals of one time by port); the node batches what
 * arrives at the same time. Times ps. One thread.
 *
 *	node = sim_node_new(&config, pipeline, tables, sent, arg, &err);
 *	sim_node_arrive(node, t, port, bytes, len);  ...  sim_node_hold(node, t, port, true);  ...
 *	sim_node_run(node, end);
 *	sim_node_stats(node, &stats);
 */
#ifndef RY_SIM_H
#define RY_SIM_H

#include "dataplane/model/pipeline.h"
#include "dataplane/model/sw.h"

struct sim_node;

/* Called for each record in time order; rec->pkt is valid during the call only. */
typedef void (*sim_sent)(void *arg, const struct sw_rec *rec);

/* The node's own switch; tables stay the caller's. sent may be NULL. NULL and *err on failure. */
struct sim_node *sim_node_new(const struct sw_config *config, const struct pipeline *pipeline,
			      const struct sw_tables *tables, sim_sent sent, void *arg,
			      struct err *err);
/* Frees all; returns the number of packets that did not come back: 0 is right. */
uint64_t sim_node_free(struct sim_node *node);

/* A frame of len bytes (no FCS) arrives at t; bytes are copied. -EMSGSIZE above 65,000, -ENOMEM. */
int sim_node_arrive(struct sim_node *node, uint64_t t_ps, uint16_t port, const uint8_t *bytes,
		    uint32_t len);

/* Control at t: before arrivals at t that are given later. */
void sim_node_hold(struct sim_node *node, uint64_t t_ps, uint16_t port, bool hold);
void sim_node_link(struct sim_node *node, uint64_t t_ps, uint16_t port, bool up);
void sim_node_clear_watermarks(struct sim_node *node, uint64_t t_ps);
int sim_node_set(struct sim_node *node, uint64_t t_ps, const struct sw_config *config,
		 struct err *err);
const struct sw_tables *sim_node_install(struct sim_node *node, uint64_t t_ps,
					 const struct sw_tables *tables);

/* The switch as bytes at t (sw_checkpoint), and a node that goes on from there; the tables are in it:
 * the caller's as if he had installed them. NULL and *err when the bytes are refused. */
int sim_node_checkpoint(struct sim_node *node, uint64_t t_ps, const struct sw_writer *writer);
struct sim_node *sim_node_restore(const void *bytes, size_t n,
				  const struct pipeline *(*pipeline)(const char *name),
				  sim_sent sent, void *arg, struct err *err);
const struct sw_tables *sim_node_tables(const struct sim_node *node);

/* Everything that is due before t (rule 2 of sw.h). */
void sim_node_run(struct sim_node *node, uint64_t t_ps);
/* When the switch next has something to do; SW_NEVER when it is at rest. */
uint64_t sim_node_next(const struct sim_node *node);
/* stats->ports: the caller's array of n_ports. */
void sim_node_stats(const struct sim_node *node, uint64_t t_ps, struct sw_stats *stats);

#endif
