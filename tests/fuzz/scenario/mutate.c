/* SPDX-License-Identifier: BSD-3-Clause */
#include "mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Values at the edge of what some key takes, or beyond it. */
static const char *const edges[] = {
	"0",
	"1",
	"-1",
	"2",
	"7",
	"8",
	"63",
	"64",
	"255",
	"256",
	"4095",
	"4096",
	"65534",
	"65535",
	"65536",
	"4294967295",
	"4294967296",
	"18446744073709551615",
	"18446744073709551616",
	"99999999999999999999999999",
	"0x10",
	"010",
	"1e9",
	"1.5",
	".5",
	"1.",
	"NaN",
	".inf",
	"1_0",
	"0B",
	"1B",
	"1KB",
	"1KiB",
	"1MB",
	"1GB",
	"1TB",
	"9999999TB",
	"1.5KB",
	"0.1B",
	"1kb",
	"1 KB",
	"0ps",
	"1ps",
	"1ns",
	"55us",
	"1ms",
	"1s",
	"3600s",
	"1000000s",
	"99999999999s",
	"0.1ps",
	"1bps",
	"1Kbps",
	"1Mbps",
	"200Gbps",
	"8Tbps",
	"9Tbps",
	"unlimited",
	"100G",
	"100Gbit",
	"0%",
	"20%",
	"100%",
	"101%",
	"0.0000001%",
	"1/16",
	"1/0",
	"0/1",
	"1/65536",
	"1/65537",
	"1024",
	"1025",
	"on",
	"off",
	"yes",
	"no",
	"true",
	"false",
	"null",
	"~",
	"''",
	"\"\"",
	"[]",
	"{}",
	"auto",
	"none",
	"default",
	"strict",
	"{dwrr: 0}",
	"{dwrr: 100}",
	"{dwrr: 101}",
	"10.0.0.1",
	"10.0.0.0/8",
	"10.0.0.1/8",
	"0.0.0.0/0",
	"10.0.0.0/33",
	"255.255.255.255",
	"224.0.0.1",
	"fd00::1",
	"fd00::/64",
	"::/0",
	"::ffff:10.0.0.1",
	"fe80::1",
	"02:00:00:00:00:01",
	"00:00:00:00:00:00",
	"01:80:c2:00:00:01",
	"ff:ff:ff:ff:ff:ff",
	"2:0:0:0:0:1",
	"s1-h1",
	"h1-s1",
	"h1-h4",
	"h4-h1",
	"s1",
	"h1",
	"s1-h1.2",
	"s9-h9",
	"net_null0",
	"net_ring0",
	"net_tap0,iface=x",
	"0000:3b:00.0",
	"&a 1",
	"*a",
	"!!int 1",
	"<<",
	"|",
	">",
	"? x",
	"# y",
	"- 1",
	"a: b",
	"{a: 1, a: 2}",
	"[1, [2, [3]]]",
};

/* Pieces that mean something to YAML. */
static const char *const pieces[] = {
	"{",
	"}",
	"[",
	"]",
	",",
	": ",
	"- ",
	"? ",
	"&x ",
	"*x",
	"!!str ",
	"|\n",
	">\n",
	"\"",
	"'",
	"#",
	"%",
	"@",
	"`",
	"\\",
	"\t",
	"\r\n",
	"\n\n",
	"---\n",
	"...\n",
	"%YAML 1.1\n",
	"<<: *x\n",
	"\xef\xbb\xbf",
	"\xc3\xa9",
	"\xe2\x80\xa8",
	"\xff",
	"\xc0\x80",
	"\xed\xa0\x80",
	"\xf4\x90\x80\x80",
	"\x01",
	"\x7f",
	"\xc2\x85",
	"\"\\x00\"",
	"\"\\u2028\"",
	"\"\\",
	"\xe2\x80\xae",
};

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* ---- places ---- */

/* What is from `at` on for `n` bytes becomes text. */
static void replace(struct input *in, size_t at, size_t n, const char *text, size_t len)
{
	if (in->len - n + len >= TEXT_MAX)
		return;
	memmove(in->text + at + len, in->text + at + n, in->len - at - n);
	memcpy(in->text + at, text, len);
	in->len += len - n;
}

static size_t line_begin(const struct input *in, size_t at)
{
	while (at > 0 && in->text[at - 1] != '\n')
		at--;
	return at;
}

/* With its newline. */
static size_t line_end(const struct input *in, size_t at)
{
	while (at < in->len && in->text[at] != '\n')
		at++;
	return at < in->len ? at + 1 : at;
}

static size_t any_place(struct source *s, const struct input *in)
{
	return draw(s, (uint32_t)in->len + 1);
}

static size_t any_line(struct source *s, const struct input *in)
{
	return line_begin(in, any_place(s, in));
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || strchr("_-./:%", c) != NULL;
}

/* The word at or behind a random place; 0 bytes when there is none. */
static size_t any_word(struct source *s, const struct input *in, size_t *at)
{
	size_t end;

	*at = any_place(s, in);
	while (*at < in->len && (in->text[*at] == '\0' || !is_word(in->text[*at])))
		(*at)++;
	while (*at > 0 && in->text[*at - 1] != '\0' && is_word(in->text[*at - 1]))
		(*at)--;
	end = *at;
	while (end < in->len && in->text[end] != '\0' && is_word(in->text[end]))
		end++;
	if (end > *at && in->text[end - 1] == ':') /* of a key */
		end--;
	return end - *at;
}

/* ---- what is done ---- */

static const char *any_value(struct source *s)
{
	if (one_in(s, 2))
		return edges[draw(s, N(edges))];
	return pool.values[draw(s, pool.n_values)];
}

static void other_word(struct source *s, struct input *in)
{
	size_t at, n = any_word(s, in, &at);
	const char *word = one_in(s, 3) ? pool.words[draw(s, pool.n_words)] : any_value(s);

	replace(in, at, n, word, strlen(word));
}

/* A digit of a number, or one more. */
static void other_number(struct source *s, struct input *in)
{
	size_t at = any_place(s, in);
	char digit = (char)('0' + draw(s, 10));

	while (at < in->len && !isdigit((unsigned char)in->text[at]))
		at++;
	if (at < in->len)
		replace(in, at, draw(s, 2), &digit, 1);
}

static void drop_line(struct source *s, struct input *in)
{
	size_t at = any_line(s, in);

	replace(in, at, line_end(in, at) - at, "", 0);
}

static void repeat_line(struct source *s, struct input *in)
{
	size_t at = any_line(s, in), n = line_end(in, at) - at;
	char line[1024];

	if (n > sizeof(line))
		return;
	memcpy(line, in->text + at, n);
	replace(in, one_in(s, 2) ? at : any_line(s, in), 0, line, n);
}

static void indent_line(struct source *s, struct input *in)
{
	size_t at = any_line(s, in);
	uint32_t n = draw_between(s, 1, 4);

	if (one_in(s, 2))
		replace(in, at, 0, "    ", n);
	else if (at + n <= in->len && strncmp(in->text + at, "    ", n) == 0)
		replace(in, at, n, "", 0);
}

/* Some lines of another document. */
static void graft(struct source *s, struct input *in)
{
	const char *other = pool.documents[draw(s, pool.n_documents)], *from, *to;
	size_t len = strlen(other);

	from = other + draw(s, (uint32_t)len + 1);
	while (from > other && from[-1] != '\n')
		from--;
	to = from;
	for (uint32_t n = draw_between(s, 1, 6); n > 0 && *to != '\0'; n--) {
		to += strcspn(to, "\n");
		to += *to == '\n';
	}
	replace(in, any_line(s, in), 0, from, (size_t)(to - from));
}

static void other_byte(struct source *s, struct input *in)
{
	char byte = (char)draw(s, 256);

	if (in->len > 0)
		in->text[draw(s, (uint32_t)in->len)] = byte;
}

static void piece(struct source *s, struct input *in)
{
	const char *text = pieces[draw(s, N(pieces))];

	replace(in, any_place(s, in), 0, text, strlen(text));
}

static void drop_some(struct source *s, struct input *in)
{
	size_t at = any_place(s, in), n = draw(s, 12);

	if (at + n <= in->len)
		replace(in, at, n, "", 0);
}

static void cut(struct source *s, struct input *in)
{
	in->len = any_place(s, in);
}

/* Nested too deep, too long, or too often. */
static void exaggerate(struct source *s, struct input *in)
{
	static const char *const units[] = {"[",  "{a: ", "- ",   "? ", "x",
					    "\"", "&a [", "*a, ", "  "};
	const char *unit = units[draw(s, N(units))];
	size_t at = any_place(s, in);

	for (uint32_t n = draw_between(s, 1, one_in(s, 4) ? 5000 : 60); n > 0; n--)
		replace(in, at, 0, unit, strlen(unit));
}

/* An assignment that would do in another document, or a value that is another key's. */
static void assign(struct source *s, struct input *in)
{
	char *set = in->sets[in->n_sets];
	const char *path = pool.paths[draw(s, pool.n_paths)];

	if (in->n_sets == SETS_MAX)
		return;
	in->n_sets++;
	if (!one_in(s, 3))
		snprintf(set, SET_BYTES, "%s", pool.pairs[draw(s, pool.n_pairs)]);
	else if (one_in(s, 8))
		snprintf(set, SET_BYTES, "%s.%s=%s", path, pool.words[draw(s, pool.n_words)],
			 any_value(s));
	else
		snprintf(set, SET_BYTES, "%s=%s", path, any_value(s));
	if (one_in(s, 40))
		set[draw(s, (uint32_t)strlen(set))] = (char)draw_between(s, 1, 255);
}

void mutant(struct source *s, struct input *in)
{
	static void (*const acts[])(struct source * s, struct input * in) = {
		other_word, other_word,  other_word,  other_number, other_number,
		drop_line,  repeat_line, indent_line, graft,        graft,
		other_byte, piece,       drop_some,
	};

	if (one_in(s, 4))
		pool_input(pool.documents[draw(s, pool.n_documents)], in);
	else
		pool_input(pool.good[draw(s, pool.n_good)], in);
	if (one_in(s, 2))
		for (uint32_t n = one_in(s, 2) ? 1 : draw_between(s, 1, SETS_MAX); n > 0; n--)
			assign(s, in);
	else if (one_in(s, 40))
		(one_in(s, 2) ? cut : exaggerate)(s, in);
	else
		for (uint32_t n = one_in(s, 2) ? 1 : draw_between(s, 1, 8); n > 0; n--)
			acts[draw(s, N(acts))](s, in);
}
