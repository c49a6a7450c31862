/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios that are nearly right: documents of the repository with a few things done to them, and
 * assignments of values that stand elsewhere. One thread. */
#ifndef RY_FUZZ_MUTATE_H
#define RY_FUZZ_MUTATE_H

#include "tests/fuzz/source.h"

#define TEXT_MAX (1 << 16)
#define SETS_MAX 4
#define SET_BYTES 400

/* What is given to judge(). */
struct input {
	size_t len;
	char text[TEXT_MAX];
	uint32_t n_sets;
	char sets[SETS_MAX][SET_BYTES];
};

/* Documents to start from, and the words, paths and values in them: .yaml files of these directories,
 * and the YAML in these Markdown files. Lists end with NULL. Returns the number of documents. */
uint32_t pool_read(const char *const *directories, const char *const *markdown);
void pool_free(void);

/* A document as it is. */
void pool_input(const char *document, struct input *input);
/* A mutant of one of them: of a good one, mostly. */
void mutant(struct source *source, struct input *input);

/* What was read. good: those of the documents that are accepted, and each again as it is printed with
 * every default. */
struct pool {
	char **documents, **good, **words, **paths, **values, **pairs; /* PATH=VALUE */
	uint32_t n_documents, n_good, n_words, n_paths, n_values, n_pairs;
};
extern struct pool pool;

#endif
