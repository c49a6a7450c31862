/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/options.c"
#include "tests/unit/cu.h"

static const struct option_def own[] = {
	{"set", 0, OPTION_VALUE, "PATH=VALUE", "repeatable"},
	{"watch", 'w', OPTION_MAYBE, "SECONDS", "again"},
	{"verbose", 'v', OPTION_FLAG, NULL, "more"},
	{NULL, 0, OPTION_FLAG, NULL, NULL},
};
static const struct option_def shared[] = {
	{"help", 'h', OPTION_FLAG, NULL, "this"},
	{NULL, 0, OPTION_FLAG, NULL, NULL},
};
static const struct command command = {
	.name = "railyard try",
	.synopsis = "FILE [MORE]",
	.summary = "Tries.",
	.tables = {own, shared},
	.min_words = 1,
	.max_words = 2,
};

static struct err err;

/* Parses words ended by NULL. */
static int parse(struct args *args, char **words)
{
	int n = 0;

	while (words[n] != NULL)
		n++;
	memset(&err, 0, sizeof(err));
	return options_parse(args, &command, n, words, &err);
}

static void all_forms(void)
{
	char *words[] = {"--set", "a=1", "file", "--set=b=2", "-v", "--watch", "2", "more", NULL};
	const char *values[4];
	struct args args;

	CU_ASSERT_EQUAL_FATAL(parse(&args, words), 0);
	CU_ASSERT_EQUAL(args.n_words, 2);
	CU_ASSERT_STRING_EQUAL(args.words[0], "file");
	CU_ASSERT_STRING_EQUAL(args.words[1], "more");
	CU_ASSERT_EQUAL(options_values(&args, "set", values, 4), 2);
	CU_ASSERT_STRING_EQUAL(values[0], "a=1");
	CU_ASSERT_STRING_EQUAL(values[1], "b=2");
	CU_ASSERT_TRUE(options_given(&args, "verbose"));
	CU_ASSERT_FALSE(options_given(&args, "help"));
	CU_ASSERT_STRING_EQUAL(options_value(&args, "watch", ""), "2");
	options_free(&args);
}

/* --watch takes the next word only when that is a number. */
static void maybe_leaves_words(void)
{
	char *words[] = {"--watch", "file", NULL};
	struct args args;

	CU_ASSERT_EQUAL_FATAL(parse(&args, words), 0);
	CU_ASSERT_EQUAL(args.n_words, 1);
	CU_ASSERT_PTR_NULL(options_value(&args, "watch", NULL));
	CU_ASSERT_TRUE(options_given(&args, "watch"));
	options_free(&args);
}

static void double_dash_ends(void)
{
	char *words[] = {"--", "--set", "-", NULL};
	struct args args;

	CU_ASSERT_EQUAL_FATAL(parse(&args, words), 0);
	CU_ASSERT_EQUAL(args.n_words, 2);
	CU_ASSERT_STRING_EQUAL(args.words[0], "--set");
	options_free(&args);
}

static void help_stops(void)
{
	char *words[] = {"--help", "--unknown", NULL};
	struct args args;

	CU_ASSERT_EQUAL_FATAL(parse(&args, words), 0);
	CU_ASSERT_TRUE(options_given(&args, "help"));
	options_free(&args);
}

static void refused(char **words, const char *found, const char *in_expected)
{
	struct args args;

	CU_ASSERT_EQUAL(parse(&args, words), -EINVAL);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.path, "railyard try");
	CU_ASSERT_STRING_EQUAL(err.found, found);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.expected, in_expected));
}

static void refuses(void)
{
	char *unknown[] = {"file", "--wacth", NULL}, *letter[] = {"-q", NULL};
	char *value[] = {"file", "--set", NULL}, *flag[] = {"file", "--verbose=3", NULL};
	char *few[] = {NULL}, *many[] = {"a", "b", "c", NULL}, *far[] = {"--zzzzzzzz", NULL};

	refused(unknown, "--wacth", "did you mean --watch?");
	refused(letter, "-q", "an option it has");
	refused(far, "--zzzzzzzz", "--help lists them");
	refused(value, "--set", "--set PATH=VALUE");
	refused(flag, "--verbose=3", "without a value");
	refused(few, "nothing", "FILE [MORE]");
	refused(many, "c", "FILE [MORE]");
}

static void nearest(void)
{
	const char *names[] = {"status", NULL, "show", "set"};

	CU_ASSERT_STRING_EQUAL(options_nearest("stats", names, 4), "status");
	CU_ASSERT_STRING_EQUAL(options_nearest("shwo", names, 4), "show");
	CU_ASSERT_PTR_NULL(options_nearest("completely", names, 4));
	CU_ASSERT_PTR_NULL(options_nearest("", names, 4));
}

static void help_lists_all(void)
{
	char text[2048] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	options_help(&command, out);
	fclose(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "usage: railyard try FILE [MORE]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "--set PATH=VALUE"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "-w, --watch[=SECONDS]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "-h, --help"));
}

static const struct cu_case cases[] = {
	{"options_parse__all_forms", all_forms},
	{"options_parse__maybe_leaves_words", maybe_leaves_words},
	{"options_parse__double_dash_ends", double_dash_ends},
	{"options_parse__help_stops", help_stops},
	{"options_parse__refuses", refuses},
	{"options_nearest__near_and_far", nearest},
	{"options_help__lists_all", help_lists_all},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/options", cases);
}
