/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/yaml.c"

#include "tests/unit/cu.h"

static struct yaml *yaml;
static struct err err;

static struct yaml_node *parse(const char *text)
{
	struct yaml_node *root = NULL;
	int rc;

	yaml_free(yaml);
	yaml = yaml_new();
	err = (struct err){0};
	rc = yaml_parse(yaml, "t.yaml", text, strlen(text), &root, &err);
	CU_ASSERT_EQUAL(rc == 0, err.status == ERR_NONE);
	return rc == 0 ? root : NULL;
}

static void refused(const char *text, int line, int col, const char *word)
{
	char whole[1024];

	CU_ASSERT_PTR_NULL(parse(text));
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	CU_ASSERT_STRING_EQUAL(err.file, "t.yaml");
	CU_ASSERT_EQUAL(err.line, line);
	CU_ASSERT_EQUAL(err.col, col);
	err_text(&err, whole, sizeof(whole));
	CU_ASSERT_PTR_NOT_NULL(strstr(whole, word));
	CU_ASSERT_PTR_NULL(strchr(whole, '\n'));
}

static void parse_places(void)
{
	struct yaml_node *root = parse("a: 1\nmap:\n  key: [x, 'y z']\n"), *list;

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_EQUAL(root->kind, YAML_MAP);
	CU_ASSERT_EQUAL(root->n, 2);
	CU_ASSERT_STRING_EQUAL(yaml_get(root, "a")->text, "1");
	CU_ASSERT_EQUAL(yaml_get(root, "a")->col, 4);
	list = yaml_get(yaml_get(root, "map"), "key");
	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	CU_ASSERT_EQUAL(list->key_line, 3);
	CU_ASSERT_EQUAL(list->key_col, 3);
	CU_ASSERT_EQUAL(list->n, 2);
	CU_ASSERT_STRING_EQUAL(list->items[1]->text, "y z");
	CU_ASSERT_EQUAL(list->items[1]->line, 3);
	CU_ASSERT_EQUAL(list->items[1]->col, 12);
}

static void parse_words_stay_text(void)
{
	static const char *const words[] = {
		"off", "yes",  "0x10",      "010", "1:30", "1_000", "02:00:00:00:00:01",
		"1e3", ".inf", "2001-01-01"};
	char text[64];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct yaml_node *root;

		snprintf(text, sizeof(text), "a: %s\n", words[i]);
		root = parse(text);
		CU_ASSERT_PTR_NOT_NULL_FATAL(root);
		CU_ASSERT_STRING_EQUAL(yaml_get(root, "a")->text, words[i]);
		CU_ASSERT_FALSE(yaml_get(root, "a")->null);
	}
}

static void parse_null(void)
{
	struct yaml_node *root = parse("a:\nb: ~\nc: null\nd: 'null'\ne: ''\n");

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_TRUE(yaml_get(root, "a")->null);
	CU_ASSERT_EQUAL(yaml_get(root, "a")->line, 1);
	CU_ASSERT_TRUE(yaml_get(root, "b")->null);
	CU_ASSERT_TRUE(yaml_get(root, "c")->null);
	CU_ASSERT_FALSE(yaml_get(root, "d")->null);
	CU_ASSERT_FALSE(yaml_get(root, "e")->null);
}

static void parse_alias_copies(void)
{
	struct yaml_node *root = parse("a: &x {k: [1]}\nb: *x\nc: &s word\nd: *s\n");

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_STRING_EQUAL(yaml_get(yaml_get(root, "b"), "k")->items[0]->text, "1");
	CU_ASSERT_PTR_NOT_EQUAL(yaml_get(root, "a"), yaml_get(root, "b"));
	CU_ASSERT_STRING_EQUAL(yaml_get(root, "b")->key, "b");
	CU_ASSERT_STRING_EQUAL(yaml_get(root, "d")->text, "word");
	/* The latest anchor of a name counts. */
	root = parse("a: &x 1\nb: &x 2\nc: *x\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_STRING_EQUAL(yaml_get(root, "c")->text, "2");
}

static void parse_byte_order_mark(void)
{
	struct yaml_node *root = parse("\xef\xbb\xbf"
				       "a: 1\n");

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_STRING_EQUAL(yaml_get(root, "a")->text, "1");
}

static void parse_refused(void)
{
	refused("", 1, 1, "nothing");
	refused("# only\n", 1, 1, "nothing");
	refused("a: 1\nb: 2\na: 3\n", 3, 1, "a second 'a'");
	refused("a: 1\n---\nb: 2\n", 2, 1, "second document");
	refused("a:\n\tb: 1\n", 2, 1, "a tab");
	refused("a: {b: 1\n", 2, 1, "not YAML");
	refused("a: \"x\n", 1, 5, "not YAML");
	refused("a: *x\n", 1, 5, "alias");
	refused("a: &x [*x]\n", 1, 9, "alias inside");
	refused("a: !!int 1\n", 1, 10, "a tag");
	refused("a: {<<: {b: 1}}\n", 1, 5, "merge key");
	refused("[a, b]: 1\n", 1, 1, "a key");
	refused("a: caf\xe9\n", 1, 7, "not UTF-8");
	refused("a: \xed\xa0\x80\n", 1, 4, "not UTF-8");
	refused("a: \x01\n", 1, 4, "control");
	refused("a: |\n  b\n  c\n", 2, 1, "one line");
	refused("a: \"b\\0c\"\n", 1, 4, "control");
	refused("a: 'b\n  ''''''''c'\n", 2, 9, "a fourth ''");
}

static void parse_nul(void)
{
	static const char text[] = "a: 1\0b: 2\n";
	struct yaml_node *root;

	parse("x: 1\n");
	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_parse(yaml, "t.yaml", text, sizeof(text) - 1, &root, &err), -EINVAL);
	CU_ASSERT_EQUAL(err.line, 1);
	CU_ASSERT_EQUAL(err.col, 5);
}

static void parse_depth(void)
{
	char text[256];

	memset(text, '[', YAML_DEPTH);
	memset(text + YAML_DEPTH, ']', YAML_DEPTH);
	text[2 * YAML_DEPTH] = '\0';
	CU_ASSERT_PTR_NOT_NULL(parse(text));
	memset(text, '[', YAML_DEPTH + 1);
	memset(text + YAML_DEPTH + 1, ']', YAML_DEPTH + 1);
	text[2 * YAML_DEPTH + 2] = '\0';
	refused(text, 1, YAML_DEPTH + 1, "too deep");
}

static void parse_alias_bomb(void)
{
	char text[2048];
	size_t n = (size_t)snprintf(text, sizeof(text), "a: &a [x, x, x, x, x, x, x, x, x, x]\n");

	for (char c = 'b'; c <= 'j'; c++)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n,
			"%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", c, c, c - 1,
			c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
	CU_ASSERT_PTR_NULL(parse(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(err.found, "too many values"));
	CU_ASSERT_TRUE(yaml->n_nodes <= YAML_NODES);
}

static void parse_too_long(void)
{
	struct yaml_node *root;

	parse("x: 1\n");
	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_parse(yaml, "t.yaml", "", YAML_BYTES + 1u, &root, &err), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.found, "16 MiB"));
}

static void merge_deep(void)
{
	struct yaml_node *root = parse("base: {a: 1, m: {x: 1, y: 1}, l: [1, 2], o: {z: 1}}\n"
				       "over: {m: {y: 2}, l: [3], o: off, n: 4}\n");
	struct yaml_node *base, *over, *out;

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	base = yaml_get(root, "base");
	over = yaml_get(root, "over");
	out = yaml_merge(yaml, base, over);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(out->n, 5);
	CU_ASSERT_STRING_EQUAL(yaml_get(out, "a")->text, "1");
	CU_ASSERT_STRING_EQUAL(yaml_get(yaml_get(out, "m"), "x")->text, "1");
	CU_ASSERT_STRING_EQUAL(yaml_get(yaml_get(out, "m"), "y")->text, "2");
	CU_ASSERT_EQUAL(yaml_get(out, "l")->n, 1);
	CU_ASSERT_EQUAL(yaml_get(out, "o")->kind, YAML_SCALAR);
	CU_ASSERT_STRING_EQUAL(yaml_get(out, "n")->text, "4");
	CU_ASSERT_EQUAL(yaml_get(base, "m")->n, 2);
	CU_ASSERT_STRING_EQUAL(yaml_get(yaml_get(base, "m"), "y")->text, "1");
	CU_ASSERT_PTR_EQUAL(yaml_merge(yaml, NULL, over), over);
	CU_ASSERT_PTR_EQUAL(yaml_merge(yaml, base, NULL), base);
}

static void set_values(void)
{
	struct yaml_node *root = parse("switch: {ecn: {3: {min: 1KB}}}\nroutes: [{on: s1}]\n");
	struct yaml_node *ports;
	char path[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "switch.ecn.3.min=2KB", &err), 0);
	CU_ASSERT_STRING_EQUAL(
		yaml_get(yaml_get(yaml_get(yaml_get(root, "switch"), "ecn"), "3"), "min")->text,
		"2KB");
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "switches.s1.pfc.priorities=[3, 4]", &err), 0);
	CU_ASSERT_EQUAL(
		yaml_get(yaml_get(yaml_get(yaml_get(root, "switches"), "s1"), "pfc"), "priorities")
			->n,
		2);
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "routes.0.on=s2", &err), 0);
	CU_ASSERT_STRING_EQUAL(yaml_get(yaml_get(root, "routes")->items[0], "on")->text, "s2");
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "ports.s1-s2.2.rate=1Gbps", &err), 0);
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "ports.s1-s2.2.mtu=1500", &err), 0);
	ports = yaml_get(root, "ports");
	CU_ASSERT_EQUAL(ports->n, 1);
	CU_ASSERT_STRING_EQUAL(ports->items[0]->key, "s1-s2.2");
	CU_ASSERT_EQUAL(ports->items[0]->n, 2);
	CU_ASSERT_STRING_EQUAL(yaml_path(yaml_get(ports->items[0], "mtu"), path, sizeof(path)),
			       "ports.s1-s2.2.mtu");
	CU_ASSERT_EQUAL(yaml_get(ports->items[0], "mtu")->line, 0);
}

static void set_one_refused(struct yaml_node *root, const char *assignment, const char *path,
			    const char *word)
{
	char text[1024];

	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_set(yaml, root, assignment, &err), -EINVAL);
	CU_ASSERT_STRING_EQUAL(err.path, path);
	err_text(&err, text, sizeof(text));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, word));
	CU_ASSERT_PTR_NULL(strchr(text, '\n'));
}

static void set_refused(void)
{
	struct yaml_node *root = parse("switch: {pfc: off}\nroutes: [{on: s1}]\n");
	char deep[400] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	set_one_refused(root, "switch.latency", "", "PATH=VALUE");
	set_one_refused(root, "=1", "", "PATH=VALUE");
	set_one_refused(root, "switch..x=1", "switch..x", "empty step");
	set_one_refused(root, "switch.pfc.asymmetric=on", "switch.pfc.asymmetric", "found 'off'");
	CU_ASSERT_EQUAL(yaml_set(yaml, root, "switch.trust=''", &err), 0);
	set_one_refused(root, "switch.trust.x=1", "switch.trust.x", "found '',");
	set_one_refused(root, "routes.1.on=s1", "routes.1", "list index");
	set_one_refused(root, "switch.latency={", "switch.latency", "a value in YAML");
	set_one_refused(root, "switch.latency=", "switch.latency", "a value in YAML");
	set_one_refused(root, "switch.la\ntency=1", "switch.la?tency", "a control character");
	set_one_refused(root, "switch.la\x1btency=1", "switch.la?tency", "a control character");
	set_one_refused(root, "switch.la\xfftency=1", "switch.la\xfftency", "not UTF-8");
	set_one_refused(root, "switch.\x1b[2J", "", "found switch.?[2J");
	set_one_refused(root, "switch.latency=\"\x1b", "switch.latency", "found '\"?'");
	for (int i = 0; i < 100; i++)
		strcat(deep, "a.");
	strcat(deep, "a=1");
	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_set(yaml, root, deep, &err), -EINVAL);
	CU_ASSERT_STRING_EQUAL(err.found, "too many steps");
}

static void error_one_line(void)
{
	struct yaml_node *root;
	char text[1024], whole[1024] = "a: ";

	for (int i = 0; i < 100; i++)
		strcat(whole, "\xc3\xa9");
	root = parse(strcat(whole, "\n"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	yaml_error(yaml_get(root, "a"), &err, NULL, "a word");
	err_text(&err, text, sizeof(text));
	/* Cut between characters. */
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\xc3\xa9...', expected a word"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "t.yaml:1:4: a: found '"));
}

static void read_file_cases(void)
{
	size_t len = 0;
	char *text;

	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_read_file("tests/no-such-file", &text, &len, &err), -ENOENT);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_read_file("tests", &text, &len, &err), -EISDIR);
	CU_ASSERT_EQUAL(err.status, ERR_USAGE);
	err = (struct err){0};
	CU_ASSERT_EQUAL(yaml_read_file("/dev/zero", &text, &len, &err), -EFBIG);
	CU_ASSERT_EQUAL_FATAL(yaml_read_file("LICENSE", &text, &len, &err), -EFBIG + EFBIG);
	CU_ASSERT_EQUAL(strlen(text), len);
	free(text);
}

static void done(void)
{
	yaml_free(yaml);
	yaml = NULL;
	CU_ASSERT_PTR_NULL(yaml);
	yaml_free(NULL);
}

static const struct cu_case cases[] = {
	{"yaml_parse__places", parse_places},
	{"yaml_parse__words_stay_text", parse_words_stay_text},
	{"yaml_parse__null", parse_null},
	{"yaml_parse__alias_copies", parse_alias_copies},
	{"yaml_parse__byte_order_mark", parse_byte_order_mark},
	{"yaml_parse__refused", parse_refused},
	{"yaml_parse__nul", parse_nul},
	{"yaml_parse__depth", parse_depth},
	{"yaml_parse__alias_bomb", parse_alias_bomb},
	{"yaml_parse__too_long", parse_too_long},
	{"yaml_merge__deep", merge_deep},
	{"yaml_set__values", set_values},
	{"yaml_set__refused", set_refused},
	{"yaml_error__one_line", error_one_line},
	{"yaml_read_file__cases", read_file_cases},
	{"yaml_free__all", done},
	{NULL, NULL},
};

int main(void)
{
	return cu_main("control/yaml", cases);
}
