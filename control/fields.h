/* SPDX-License-Identifier: BSD-3-Clause */
/* From a map of the document into a struct, by a table: one line a key says how it is read, where
 * it goes and what is allowed. Unknown keys name the nearest one; keys that the format has and this
 * version does not are told apart (not_yet.c). Control thread.
 */
#ifndef RY_FIELDS_H
#define RY_FIELDS_H

#include "yaml.h"

struct field;

/* out points at the field itself (the struct plus offset). */
typedef int (*field_read)(const struct yaml_node *node, const struct field *field, void *out,
			  struct err *err);

struct field {
	const char *key; /* NULL ends a table */
	field_read read; /* NULL: the key is allowed, something else reads it */
	size_t offset;
	uint64_t min, max;        /* in the unit of the field */
	const char *const *words; /* field_word: NULL-ended, in enum order */
};

/* Reads what is there, in the order of the file; what is not there stays as it is in out. scope
 * picks the keys that are not in this version ("" = the document, "host", "pfc", ...). */
int fields_read(const struct yaml_node *map, const struct field *table, const char *scope,
		void *out, struct err *err);
/* That the node is a map with no other keys than the table's. */
int fields_check(const struct yaml_node *map, const struct field *table, const char *scope,
		 struct err *err);
/* The whole map, its keys free. */
int fields_map(const struct yaml_node *node, const char *of_what, struct err *err);
int fields_list(const struct yaml_node *node, const char *of_what, struct err *err);
int fields_scalar(const struct yaml_node *node, const char *what, struct err *err);

/* Readers, named by the type of the field. */
int field_rate(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_time(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_time_or_auto(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_time_or_off(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_size(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_size32(const struct yaml_node *, const struct field *, void *uint32, struct err *);
int field_mtu(const struct yaml_node *, const struct field *, void *uint32, struct err *);
int field_count(const struct yaml_node *, const struct field *, void *uint64, struct err *);
int field_count32(const struct yaml_node *, const struct field *, void *uint32, struct err *);
int field_q16(const struct yaml_node *, const struct field *, void *uint32, struct err *);
int field_ppb(const struct yaml_node *, const struct field *, void *uint32, struct err *);
int field_bool(const struct yaml_node *, const struct field *, void *boolean, struct err *);
/* An int: the index in words. Where words have on or off, the YAML 1.1 booleans mean those. */
int field_word(const struct yaml_node *, const struct field *, void *integer, struct err *);
/* field->max bytes with the NUL; not empty. */
int field_text(const struct yaml_node *, const struct field *, void *chars, struct err *);

/* "on", "true", "yes" / "off", "false", "no", in any case: 1, 0; anything else -1. */
int yaml_switch(const struct yaml_node *node);

/* What to say about a key that the format has and this version does not read; NULL otherwise. */
const char *not_yet_key(const char *scope, const char *key);
const char *not_yet_value(const char *scope, const char *value);

#endif
