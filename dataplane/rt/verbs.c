/* SPDX-License-Identifier: BSD-3-Clause */
/* What control may ask of a switch: each verb is the owner's half and the sender's half. */
#include "buffers.h"
#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the owner's halves ---- */

static void run_set(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	uint16_t i;

	msg->result = sw_set(s->sw, t_ps, &msg->config, &msg->err);
	if (msg->result != 0)
		return;
	s->lossless_mask = s->lossless ? msg->config.qos.pfc_mask : 0;
	for (i = 0; i < s->n_ports; i++)
		rt_port_rate(&s->ports[i], t_ps, &msg->config.ports[i]);
}

static void run_hold(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	sw_hold(s->sw, t_ps, msg->port, msg->flag);
}

static void run_link(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	struct rt_port *port = &s->ports[msg->port];

	/* Nothing is plugged in: what it sent would have nowhere to go. */
	if (msg->flag && port->kind == RT_PORT_NONE) {
		msg->result = -ENODEV;
		return;
	}
	port->admin_up = msg->flag;
	sw_link(s->sw, t_ps, msg->port, port->admin_up && port->carrier);
}

static void run_install(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	msg->tables = sw_install(s->sw, t_ps, msg->tables);
}

static void run_call(struct rt_switch *s, struct rt_msg *msg, uint64_t t_ps)
{
	(void)t_ps;
	msg->call(msg->arg, s->sw);
}

/* ---- the sender's halves ---- */

static struct rt_msg *prepare(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port,
			      void (*run)(struct rt_switch *, struct rt_msg *, uint64_t), int *ret)
{
	struct rt_msg *msg;

	rt_msg_reap(rt);
	*ret = -EINVAL;
	if (sw >= rt->n_switches || port >= rt->switches[sw].n_ports)
		return NULL;
	*ret = -ENOMEM;
	msg = rt_msg_new(rt, run);
	if (msg == NULL)
		return NULL;
	*ret = 0;
	msg->at_ps = at_ps;
	msg->port = port;
	return msg;
}

static int wait_and_free(struct rt *rt, uint16_t sw, struct rt_msg *msg, int ret)
{
	if (msg == NULL)
		return ret;
	ret = rt_msg_wait(rt, sw, msg);
	if (ret != 0)
		return ret;
	ret = msg->result;
	rt_msg_free(rt, msg);
	return ret;
}

static struct rt_msg *prepare_set(struct rt *rt, uint16_t sw, uint64_t at_ps,
				  const struct sw_config *config, int *ret)
{
	struct rt_msg *msg = prepare(rt, sw, at_ps, 0, run_set, ret);
	struct sw_port_config *ports;
	uint16_t i;

	if (msg == NULL)
		return NULL;
	ports = calloc(config->n_ports + 1u, sizeof(*ports));
	if (ports == NULL) {
		rt_msg_free(rt, msg);
		*ret = -ENOMEM;
		return NULL;
	}
	memcpy(ports, config->ports, config->n_ports * sizeof(*ports));
	for (i = 0; i < config->n_ports && i < rt->switches[sw].n_ports; i++)
		ports[i].down |= rt->switches[sw].ports[i].kind == RT_PORT_NONE;
	msg->config = *config;
	msg->config.ports = ports;
	return msg;
}

int rt_set(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_config *config,
	   struct err *err)
{
	struct rt_msg *msg;
	int ret;

	if (sw < rt->n_switches) {
		ret = rt_buffers_hold(&rt->switches[sw], config, err);
		if (ret != 0)
			return ret;
	}
	msg = prepare_set(rt, sw, at_ps, config, &ret);
	if (msg == NULL)
		return err_set(err, ERR_USAGE, -ret, "", "", "a switch of this run, and memory");
	ret = rt_msg_wait(rt, sw, msg);
	if (ret != 0)
		return err_set(err, ERR_ENVIRONMENT, -ret, config->name,
			       "a worker that stands still",
			       "an answer within seconds; see `railyard status`, restart");
	ret = msg->result;
	if (ret != 0 && err != NULL && err->status == ERR_NONE)
		*err = msg->err;
	rt_msg_free(rt, msg);
	return ret;
}

int rt_hold(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool hold)
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, at_ps, port, run_hold, &ret);
	if (msg != NULL)
		msg->flag = hold;
	return wait_and_free(rt, sw, msg, ret);
}

int rt_link(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool up)
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, at_ps, port, run_link, &ret);
	if (msg != NULL)
		msg->flag = up;
	return wait_and_free(rt, sw, msg, ret);
}

int rt_install(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_tables *tables,
	       const struct sw_tables **old)
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, at_ps, 0, run_install, &ret);
	if (msg == NULL)
		return ret;
	msg->tables = tables;
	ret = rt_msg_wait(rt, sw, msg);
	if (ret != 0)
		return ret;
	*old = msg->tables;
	rt_msg_free(rt, msg);
	return 0;
}

int rt_with_switch(struct rt *rt, uint16_t sw, void (*f)(void *arg, const struct sw *), void *arg)
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, 0, 0, run_call, &ret);
	if (msg != NULL) {
		msg->call = f;
		msg->arg = arg;
	}
	return wait_and_free(rt, sw, msg, ret);
}

int rt_post_set(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_config *config)
{
	struct rt_msg *msg;
	int ret;

	if (sw < rt->n_switches && rt_buffers_hold(&rt->switches[sw], config, NULL) != 0)
		return -ENOMEM;
	msg = prepare_set(rt, sw, at_ps, config, &ret);
	return msg == NULL ? ret : rt_msg_post(rt, sw, msg);
}

static int post_flag(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool flag,
		     void (*run)(struct rt_switch *, struct rt_msg *, uint64_t))
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, at_ps, port, run, &ret);
	if (msg == NULL)
		return ret;
	msg->flag = flag;
	return rt_msg_post(rt, sw, msg);
}

int rt_post_hold(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool hold)
{
	return post_flag(rt, sw, at_ps, port, hold, run_hold);
}

int rt_post_link(struct rt *rt, uint16_t sw, uint64_t at_ps, uint16_t port, bool up)
{
	return post_flag(rt, sw, at_ps, port, up, run_link);
}

int rt_post_install(struct rt *rt, uint16_t sw, uint64_t at_ps, const struct sw_tables *tables)
{
	struct rt_msg *msg;
	int ret;

	msg = prepare(rt, sw, at_ps, 0, run_install, &ret);
	if (msg == NULL)
		return ret;
	msg->tables = tables;
	return rt_msg_post(rt, sw, msg);
}

uint64_t rt_post_refused(struct rt *rt)
{
	rt_msg_reap(rt);
	return rt->refused;
}
