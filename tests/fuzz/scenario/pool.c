/* SPDX-License-Identifier: BSD-3-Clause */
#include "mutate.h"

#include "control/scenario.h"
#include "control/yaml.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool pool;

/* A copy of text[len], unless it is there. */
static void keep(char ***list, uint32_t *n, const char *text, size_t len)
{
	for (uint32_t i = 0; i < *n; i++)
		if (strlen((*list)[i]) == len && memcmp((*list)[i], text, len) == 0)
			return;
	*list = realloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = strndup(text, len);
}

/* Keys and values, as words and with their paths. */
static void keep_node(const struct yaml_node *node)
{
	char path[256], pair[SET_BYTES];

	if (node->key != NULL) {
		keep(&pool.words, &pool.n_words, node->key, strlen(node->key));
		yaml_path(node, path, sizeof(path));
		keep(&pool.paths, &pool.n_paths, path, strlen(path));
	}
	if (node->kind == YAML_SCALAR && node->text != NULL) {
		keep(&pool.words, &pool.n_words, node->text, strlen(node->text));
		keep(&pool.values, &pool.n_values, node->text, strlen(node->text));
		yaml_path(node, path, sizeof(path));
		snprintf(pair, sizeof(pair), "%s=%s", path, node->text);
		keep(&pool.pairs, &pool.n_pairs, pair, strlen(pair));
	}
	for (uint32_t i = 0; i < node->n && node->kind != YAML_SCALAR; i++)
		keep_node(node->items[i]);
}

/* A good one as it is printed with every default. */
static void keep_effective(const struct scenario *scenario)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (out == NULL || scenario_effective(scenario, out) != 0)
		abort();
	fclose(out);
	keep(&pool.good, &pool.n_good, text, len);
	free(text);
}

static void keep_document(const char *text, size_t len)
{
	struct yaml *yaml = yaml_new();
	struct yaml_node *root = NULL;
	struct scenario scenario;
	struct err err = {0};

	if (len > 0 && len < TEXT_MAX / 2 && memchr(text, '\0', len) == NULL)
		keep(&pool.documents, &pool.n_documents, text, len);
	if (scenario_parse(&scenario, text, len, "pool", &err) == 0) {
		keep(&pool.good, &pool.n_good, text, len);
		keep_effective(&scenario);
		scenario_free(&scenario);
	}
	err = (struct err){0};
	if (yaml != NULL && yaml_parse(yaml, "pool", text, len, &root, &err) == 0)
		keep_node(root);
	yaml_free(yaml);
}

static char *read_all(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rbe");
	char *text = calloc(1, TEXT_MAX);

	*len = 0;
	if (file == NULL) {
		perror(path);
		exit(1);
	}
	*len = fread(text, 1, TEXT_MAX - 1, file);
	fclose(file);
	return text;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_directory(const char *directory)
{
	struct dirent **list = NULL;
	int n = scandir(directory, &list, NULL, by_name);
	char path[512], *text;
	size_t len;

	for (int i = 0; i < n; i++) {
		const char *end = strrchr(list[i]->d_name, '.');

		snprintf(path, sizeof(path), "%s/%s", directory, list[i]->d_name);
		if (end != NULL && strcmp(end, ".yaml") == 0) {
			text = read_all(path, &len);
			keep_document(text, len);
			free(text);
		}
		free(list[i]);
	}
	free(list);
}

static void read_markdown(const char *path)
{
	static const char open[] = "```yaml\n", close[] = "\n```";
	size_t len;
	char *text = read_all(path, &len), *at = text, *end;

	while ((at = strstr(at, open)) != NULL && (end = strstr(at, close)) != NULL) {
		at += sizeof(open) - 1;
		keep_document(at, (size_t)(end + 1 - at));
		at = end;
	}
	free(text);
}

uint32_t pool_read(const char *const *directories, const char *const *markdown)
{
	for (; *directories != NULL; directories++)
		read_directory(*directories);
	for (; *markdown != NULL; markdown++)
		read_markdown(*markdown);
	return pool.n_documents;
}

static void free_list(char **list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void pool_free(void)
{
	free_list(pool.documents, pool.n_documents);
	free_list(pool.pairs, pool.n_pairs);
	free_list(pool.good, pool.n_good);
	free_list(pool.words, pool.n_words);
	free_list(pool.paths, pool.n_paths);
	free_list(pool.values, pool.n_values);
}

void pool_input(const char *document, struct input *input)
{
	input->n_sets = 0;
	input->len = strlen(document);
	memcpy(input->text, document, input->len);
}
