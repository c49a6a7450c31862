/* SPDX-License-Identifier: BSD-3-Clause */
/* show tables, hash. */
#include "say.h"
#include "show.h"
#include "table.h"

#include <inttypes.h>

static const char *vid(const json_t *row, char buf[SAY_NUMBER])
{
	const json_t *v = json_object_get(row, "vid");

	if (!json_is_integer(v))
		return "-";
	snprintf(buf, SAY_NUMBER, "%" PRIu64, get_u64(row, "vid"));
	return buf;
}

static const char *age(const json_t *row, char buf[SAY_NUMBER])
{
	if (!json_is_integer(json_object_get(row, "age_ps")))
		return "-";
	return say_time(buf, get_u64(row, "age_ps"));
}

static void routes(const json_t *sw, FILE *out)
{
	json_t *route, *via;
	char ports[512];
	struct table t;
	size_t i, v, n;

	table_begin(&t, "PREFIX KIND VIA", "lll");
	json_array_foreach(json_object_get(sw, "routes"), i, route) {
		n = 0;
		ports[0] = '\0';
		json_array_foreach(json_object_get(route, "via"), v, via)
			if (n < sizeof(ports))
				n += (size_t)snprintf(ports + n, sizeof(ports) - n, "%s%s",
						      v ? " " : "", get_str(via, "port"));
		table_row(&t, "%s\t%s\t%s", get_str(route, "prefix"), get_str(route, "kind"),
			  ports);
	}
	table_end(&t, out, "no routes");
}

static void gateways(const json_t *sw, FILE *out)
{
	json_t *g;
	size_t i;

	json_array_foreach(json_object_get(sw, "gateways"), i, g)
		fprintf(out, "answers as %s in domain %" PRIu64 "%s\n", get_str(g, "ip"),
			get_u64(g, "domain"), get_bool(g, "proxy") ? ", and for all others" : "");
}

static void neighbours(const json_t *sw, FILE *out)
{
	char buf[SAY_NUMBER], old[SAY_NUMBER];
	struct table t;
	json_t *row;
	size_t i;

	table_begin(&t, "NEIGHBOUR MAC VLAN PORT STATE AGE WAITING", "lllllrr");
	json_array_foreach(json_object_get(sw, "neighbours"), i, row)
		table_row(&t, "%s\t%s\t%s\t%s\t%s\t%s\t%" PRIu64, get_str(row, "ip"),
			  get_bool(row, "resolved") ? get_str(row, "mac") : "-", vid(row, buf),
			  get_str(row, "port"),
			  get_bool(row, "installed")  ? "installed"
			  : get_bool(row, "resolved") ? "learned"
						      : "asked",
			  age(row, old), get_u64(row, "waiting"));
	table_end(&t, out, "no neighbours");
}

static void fdb(const json_t *sw, FILE *out)
{
	char buf[SAY_NUMBER], old[SAY_NUMBER];
	struct table t;
	json_t *row;
	size_t i;

	table_begin(&t, "MAC VLAN DOMAIN PORT STATE AGE", "llrllr");
	json_array_foreach(json_object_get(sw, "fdb"), i, row)
		table_row(&t, "%s\t%s\t%" PRIu64 "\t%s\t%s\t%s", get_str(row, "mac"), vid(row, buf),
			  get_u64(row, "domain"), get_str(row, "port"),
			  get_bool(row, "installed") ? "installed" : "learned", age(row, old));
	table_end(&t, out, "no addresses learned");
}

void show_tables(const json_t *answer, bool all, FILE *out)
{
	json_t *sw;
	size_t s;

	(void)all;
	json_array_foreach(json_object_get(answer, "switches"), s, sw) {
		fprintf(out, "%s%s, version %" PRIu64 "\n", s ? "\n" : "", get_str(sw, "name"),
			get_u64(sw, "version"));
		routes(sw, out);
		gateways(sw, out);
		neighbours(sw, out);
		fdb(sw, out);
		if (get_u64(sw, "left_out") > 0)
			fprintf(out, "%" PRIu64 " more are not shown\n", get_u64(sw, "left_out"));
	}
}

void show_hash(const json_t *answer, bool all, FILE *out)
{
	json_t *sw, *field;
	size_t s, f;

	(void)all;
	json_array_foreach(json_object_get(answer, "switches"), s, sw) {
		fprintf(out, "%s:", get_str(sw, "name"));
		json_array_foreach(json_object_get(sw, "fields"), f, field)
			fprintf(out, " %s", json_string_value(field));
		fprintf(out, "  (seed %s)\n", get_str(sw, "seed"));
	}
}
