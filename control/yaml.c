/* SPDX-License-Identifier: BSD-3-Clause */
/* From libfyaml's events to the tree. Its documents are not used: the events let every limit be
 * checked before memory is spent. */
#include "yaml_int.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An anchor: its node once it is complete. */
struct anchor {
	struct anchor *next;
	const char *name;
	struct yaml_node *node;
	bool open;
};

struct builder {
	struct yaml *yaml;
	const char *file;
	struct err *err;
	struct yaml_node *root;
	struct yaml_node *open[YAML_DEPTH]; /* the maps and lists around the place we are at */
	struct yaml_node *key[YAML_DEPTH];  /* of open[i], when a key waits for its value */
	int depth;
	int documents;
	int line, col; /* of the last token that had a place */
	struct anchor *anchors;
};

__attribute__((format(printf, 3, 4))) static int fail(struct builder *b, const char *found,
						      const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(b->err, ERR_USAGE, EINVAL, "", found, "%s", text);
	err_at(b->err, b->file, b->line, b->col);
	return -EINVAL;
}

static int no_room(struct builder *b)
{
	if (b->yaml->n_nodes >= YAML_NODES)
		return fail(b, "too many values (aliases count as what they stand for)",
			    "at most %d", YAML_NODES);
	err_set(b->err, ERR_ENVIRONMENT, ENOMEM, "", "", "not enough memory to read the file");
	err_at(b->err, b->file, 0, 0);
	return -ENOMEM;
}

static void place(struct builder *b, struct fy_token *token)
{
	const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;

	if (mark != NULL) {
		b->line = mark->line + 1;
		b->col = mark->column + 1;
	}
}

static int by_key(const void *x, const void *y)
{
	const struct yaml_node *a = *(struct yaml_node *const *)x;
	const struct yaml_node *c = *(struct yaml_node *const *)y;
	int order = strcmp(a->key, c->key);

	if (order != 0)
		return order;
	return a->key_line != c->key_line ? a->key_line - c->key_line : a->key_col - c->key_col;
}

/* Sorted, so that a map with very many keys costs no square. */
static int check_duplicates(struct builder *b, const struct yaml_node *map)
{
	struct yaml_node **sorted;
	char found[160];
	int rc = 0;

	if (map->n < 2)
		return 0;
	sorted = yaml_alloc(b->yaml, map->n * sizeof(struct yaml_node *));
	if (sorted == NULL)
		return no_room(b);
	memcpy(sorted, map->items, map->n * sizeof(struct yaml_node *));
	qsort(sorted, map->n, sizeof(struct yaml_node *), by_key);
	for (uint32_t i = 1; i < map->n && rc == 0; i++)
		if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0) {
			snprintf(found, sizeof(found), "a second '%.100s'", sorted[i]->key);
			rc = yaml_error_key(sorted[i], b->err, found,
					    "each key once: the first is at line %d",
					    sorted[i - 1]->key_line);
		}
	return rc;
}

/* Puts a complete scalar, or a map or list that begins, where it belongs. */
static int attach(struct builder *b, struct yaml_node *node)
{
	struct yaml_node *in = b->depth ? b->open[b->depth - 1] : NULL, *key;

	if (in == NULL) {
		b->root = node;
		return 0;
	}
	node->parent = in;
	if (in->kind == YAML_LIST)
		return yaml_append(b->yaml, in, node) < 0 ? no_room(b) : 0;
	key = b->key[b->depth - 1];
	if (key == NULL) {
		if (node->kind != YAML_SCALAR)
			return fail(b, "a key that is not a word", "keys to be words or numbers");
		if (strcmp(node->text, "<<") == 0)
			return fail(b, "a merge key <<",
				    "the keys written out: merge keys are not read here");
		b->key[b->depth - 1] = node;
		return 0;
	}
	node->key = key->text;
	node->key_line = key->line;
	node->key_col = key->col;
	b->key[b->depth - 1] = NULL;
	return yaml_append(b->yaml, in, node) < 0 ? no_room(b) : 0;
}

static int add_anchor(struct builder *b, struct fy_token *token, struct yaml_node *node, bool open)
{
	struct anchor *anchor;
	const char *name;
	size_t len = 0;

	if (token == NULL)
		return 0;
	name = fy_token_get_text(token, &len);
	anchor = yaml_alloc(b->yaml, sizeof(*anchor));
	if (anchor == NULL || name == NULL)
		return no_room(b);
	anchor->name = yaml_strndup(b->yaml, name, len);
	if (anchor->name == NULL)
		return no_room(b);
	anchor->node = node;
	anchor->open = open;
	anchor->next = b->anchors;
	b->anchors = anchor;
	return 0;
}

/* A deep copy, which keeps the places of the original. Depth is bounded by YAML_DEPTH. */
static struct yaml_node *copy_tree(struct builder *b, const struct yaml_node *from, int depth)
{
	struct yaml_node *to =
		yaml_node_new(b->yaml, from->kind, from->file, from->line, from->col);

	if (to == NULL || depth > YAML_DEPTH)
		return NULL;
	to->text = from->text;
	to->null = from->null;
	for (uint32_t i = 0; i < from->n; i++) {
		struct yaml_node *item = copy_tree(b, from->items[i], depth + 1);

		if (item == NULL || yaml_append(b->yaml, to, item) < 0)
			return NULL;
		item->parent = to;
		item->key = from->items[i]->key;
		item->key_line = from->items[i]->key_line;
		item->key_col = from->items[i]->key_col;
	}
	return to;
}

static int on_alias(struct builder *b, const struct fy_event *event)
{
	struct anchor *anchor = b->anchors;
	struct yaml_node *copy;
	const char *name;
	size_t len = 0;

	place(b, event->alias.anchor);
	name = fy_token_get_text(event->alias.anchor, &len);
	while (anchor != NULL && (name == NULL || strlen(anchor->name) != len ||
				  memcmp(anchor->name, name, len) != 0))
		anchor = anchor->next;
	if (anchor == NULL)
		return fail(b, "an alias to an anchor that is not there", "&NAME before *NAME");
	if (anchor->open)
		return fail(b, "an alias inside what it stands for", "an end");
	copy = copy_tree(b, anchor->node, b->depth);
	return copy == NULL ? no_room(b) : attach(b, copy);
}

static int on_scalar(struct builder *b, const struct fy_event *event)
{
	enum fy_scalar_style style = fy_token_scalar_style(event->scalar.value);
	struct yaml_node *node;
	const char *text;
	size_t len = 0;

	place(b, event->scalar.value);
	/* libfyaml's mark is behind the quote; an editor's is on it. */
	if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && b->col > 1)
		b->col--;
	if (event->scalar.tag != NULL)
		return fail(b, "a tag", "none: a key's meaning is fixed here");
	text = fy_token_get_text(event->scalar.value, &len);
	node = yaml_node_new(b->yaml, YAML_SCALAR, b->file, b->line, b->col);
	if (node == NULL)
		return no_room(b);
	node->text = yaml_strndup(b->yaml, text, text ? len : 0);
	if (node->text == NULL)
		return no_room(b);
	for (size_t i = 0; text != NULL && i < len; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return fail(b, "a control character or line break in a value",
				    "a value on one line");
	node->null = style == FYSS_PLAIN &&
		     (len == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
	if (add_anchor(b, event->scalar.anchor, node, false) < 0)
		return -EINVAL;
	return attach(b, node);
}

static int on_start(struct builder *b, enum yaml_kind kind, struct fy_token *start,
		    struct fy_token *anchor, struct fy_token *tag)
{
	struct yaml_node *node;

	place(b, start);
	if (tag != NULL)
		return fail(b, "a tag", "none: a key's meaning is fixed here");
	if (b->depth == YAML_DEPTH)
		return fail(b, "maps and lists nested too deep", "at most %d levels", YAML_DEPTH);
	node = yaml_node_new(b->yaml, kind, b->file, b->line, b->col);
	if (node == NULL)
		return no_room(b);
	if (attach(b, node) < 0 || add_anchor(b, anchor, node, true) < 0)
		return -EINVAL;
	b->open[b->depth] = node;
	b->key[b->depth++] = NULL;
	return 0;
}

static int on_end(struct builder *b)
{
	struct yaml_node *node = b->open[--b->depth];

	for (struct anchor *anchor = b->anchors; anchor != NULL; anchor = anchor->next)
		if (anchor->node == node)
			anchor->open = false;
	return node->kind == YAML_MAP ? check_duplicates(b, node) : 0;
}

static int on_event(struct builder *b, const struct fy_event *event)
{
	switch (event->type) {
	case FYET_DOCUMENT_START:
		place(b, event->document_start.document_start);
		if (b->documents++ > 0)
			return fail(b, "a second document (---)", "one in a file");
		return 0;
	case FYET_SCALAR:
		return on_scalar(b, event);
	case FYET_ALIAS:
		return on_alias(b, event);
	case FYET_MAPPING_START:
		return on_start(b, YAML_MAP, event->mapping_start.mapping_start,
				event->mapping_start.anchor, event->mapping_start.tag);
	case FYET_SEQUENCE_START:
		return on_start(b, YAML_LIST, event->sequence_start.sequence_start,
				event->sequence_start.anchor, event->sequence_start.tag);
	case FYET_MAPPING_END:
	case FYET_SEQUENCE_END:
		return on_end(b);
	default:
		return 0;
	}
}

/* What the parser says, in one line, at its place. */
static int syntax_error(struct builder *b, struct fy_diag *diag, const char *text, size_t len)
{
	struct fy_diag_error *error;
	char found[160] = "text that is not YAML";
	void *iter = NULL;

	error = fy_diag_errors_iterate(diag, &iter);
	if (error != NULL) {
		b->line = error->line > 0 ? error->line : b->line;
		b->col = error->line > 0 ? error->column : b->col;
		if (b->col < 1)
			b->col = 1;
		snprintf(found, sizeof(found), "text that is not YAML (%.100s)", error->msg);
		for (char *c = found; *c != '\0'; c++)
			if (*c == '\n' || *c == '\r')
				*c = ' ';
	}
	for (int line = b->line; line > 0 && line >= b->line - 1; line--) {
		int col = yaml_tab_in_indent(text, len, line);

		if (col > 0) {
			b->line = line;
			b->col = col;
			return fail(b, "a tab", "spaces: YAML allows no tabs as indentation");
		}
	}
	return fail(b, found, "YAML: look for a quote, bracket, colon or indentation just before");
}

/* The parser's messages are collected; without this they would go to standard error. */
static void swallow(struct fy_diag *diag, void *user, const char *text, size_t len)
{
	(void)diag;
	(void)user;
	(void)text;
	(void)len;
}

static int run_parser(struct builder *b, struct fy_diag *diag, const char *text, size_t len)
{
	const struct fy_parse_cfg config = {
		.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
		.diag = diag,
	};
	struct fy_parser *parser = fy_parser_create(&config);
	struct fy_event *event;
	int rc = 0;

	if (parser == NULL || fy_parser_set_string(parser, text, len) != 0) {
		fy_parser_destroy(parser);
		return no_room(b);
	}
	while (rc == 0 && (event = fy_parser_parse(parser)) != NULL) {
		rc = on_event(b, event);
		fy_parser_event_free(parser, event);
	}
	if (rc == 0 && fy_parser_get_stream_error(parser))
		rc = syntax_error(b, diag, text, len);
	fy_parser_destroy(parser);
	return rc;
}

static int run(struct builder *b, const char *text, size_t len)
{
	struct fy_diag_cfg config;
	struct fy_diag *diag;
	int rc;

	fy_diag_cfg_default(&config);
	config.fp = NULL;
	config.output_fn = swallow;
	config.colorize = false;
	diag = fy_diag_create(&config);
	if (diag == NULL)
		return no_room(b);
	fy_diag_set_collect_errors(diag, true);
	rc = run_parser(b, diag, text, len);
	fy_diag_destroy(diag);
	return rc;
}

int yaml_parse(struct yaml *yaml, const char *name, const char *text, size_t len,
	       struct yaml_node **root, struct err *err)
{
	struct builder b = {.yaml = yaml, .err = err, .line = 1, .col = 1};
	const char *bad;
	int rc;

	b.file = yaml_strndup(yaml, name, strlen(name));
	if (b.file == NULL)
		return no_room(&b);
	if (len > YAML_BYTES)
		return fail(&b, "more than 16 MiB", "a scenario");
	/* A byte order mark is allowed and says nothing. */
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	bad = yaml_bad_text(text, len, &b.line, &b.col);
	if (bad != NULL)
		return fail(&b, bad, "text in UTF-8");
	if (yaml_many_quotes(text, len, &b.line, &b.col))
		return fail(&b, "a fourth '' in the file", "text with quotes in \"double quotes\"");
	b.line = b.col = 1;
	rc = run(&b, text, len);
	if (rc < 0)
		return rc;
	if (b.root == NULL || (b.root->kind == YAML_SCALAR && b.root->null)) {
		b.line = b.col = 1;
		return fail(&b, "nothing", "a scenario, which begins with `railyard: 1`");
	}
	*root = b.root;
	return 0;
}
