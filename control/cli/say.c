/* SPDX-License-Identifier: BSD-3-Clause */
#include "say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int say_err(const struct err *err)
{
	char text[1024];

	fprintf(stderr, "railyard: %s\n", err_text(err, text, sizeof(text)));
	return err->status;
}

const char *say_coloured(enum say_colour colour, const char *word)
{
	static _Thread_local char bufs[2][128];
	static _Thread_local int turn;
	const char *none = getenv("NO_COLOR");

	if (!isatty(STDOUT_FILENO) || (none != NULL && none[0] != '\0'))
		return word;
	turn = !turn;
	snprintf(bufs[turn], sizeof(bufs[turn]), "\033[%dm%s\033[0m", colour == SAY_GOOD ? 32 : 31,
		 word);
	return bufs[turn];
}

/* The value in the unit that leaves it below 1000. */
static const char *scaled(char buf[SAY_NUMBER], uint64_t value, const char *const *units, int last)
{
	double v = (double)value;
	int u = 0;

	while (u < last && v >= 999.95) {
		v /= 1000;
		u++;
	}
	if (u == 0)
		snprintf(buf, SAY_NUMBER, "%" PRIu64 " %s", value, units[0]);
	else
		snprintf(buf, SAY_NUMBER, "%.4g %s", v, units[u]);
	return buf;
}

const char *say_bytes(char buf[SAY_NUMBER], uint64_t bytes)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB"};

	return scaled(buf, bytes, units, 5);
}

const char *say_rate(char buf[SAY_NUMBER], uint64_t bps)
{
	static const char *const units[] = {"b/s", "Kb/s", "Mb/s", "Gb/s", "Tb/s"};

	return scaled(buf, bps, units, 4);
}

const char *say_time(char buf[SAY_NUMBER], uint64_t ps)
{
	static const char *const units[] = {"ps", "ns", "us", "ms", "s"};

	if (ps == 0)
		snprintf(buf, SAY_NUMBER, "0 s");
	else
		scaled(buf, ps, units, 4);
	return buf;
}

void say_json(const json_t *json)
{
	json_dumpf(json, stdout, JSON_INDENT(1));
	putchar('\n');
}

uint64_t get_u64(const json_t *object, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(object, name));
}

const char *get_str(const json_t *object, const char *name)
{
	const char *s = json_string_value(json_object_get(object, name));

	return s ? s : "";
}

bool get_bool(const json_t *object, const char *name)
{
	return json_is_true(json_object_get(object, name));
}
