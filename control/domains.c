/* SPDX-License-Identifier: BSD-3-Clause */
#include "fabric_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_SUBNET UINT16_MAX

static uint16_t root_of(uint16_t *up, uint16_t i)
{
	while (up[i] != i) {
		up[i] = up[up[i]];
		i = up[i];
	}
	return i;
}

/* All of the subnet's ports on the switch hang together. */
static void join(const struct topology *t, const struct scenario_subnet *sub, uint16_t sw,
		 uint16_t *up)
{
	uint16_t first = NO_SUBNET;

	for (uint32_t i = 0; i < sub->n_ports; i++) {
		int32_t index = topology_port(t, sub->ports[i]);
		uint16_t port;

		if (index < 0 || t->ports[index].sw != sw)
			continue;
		port = t->ports[index].index;
		if (up[port] == NO_SUBNET)
			up[port] = port;
		if (first == NO_SUBNET)
			first = port;
		up[root_of(up, port)] = root_of(up, first);
	}
}

int domains_build(const struct scenario *s, const struct topology *t, uint16_t sw, uint16_t *domain,
		  bool *any_default, struct err *err)
{
	uint16_t n = t->switch_ports[sw], next = 1;
	uint16_t *up = malloc((n + 1u) * sizeof(*up)), *number = calloc(n + 1u, sizeof(*number));

	*any_default = false;
	if (up == NULL || number == NULL) {
		free(up);
		free(number);
		return err_set(err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory");
	}
	memset(up, 0xff, (n + 1u) * sizeof(*up));
	for (uint32_t i = 0; i < s->n_subnets; i++)
		join(t, &s->subnets[i], sw, up);
	for (uint16_t i = 0; i < n; i++) {
		uint16_t root;

		if (up[i] == NO_SUBNET) {
			domain[i] = 0;
			*any_default = true;
			continue;
		}
		root = root_of(up, i);
		if (number[root] == 0)
			number[root] = next++;
		domain[i] = number[root];
	}
	free(up);
	free(number);
	return 0;
}
