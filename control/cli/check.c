/* SPDX-License-Identifier: BSD-3-Clause */
#include "control/check.h"
#include "say.h"
#include "verbs.h"

#include <errno.h>

int verb_check(const struct args *args)
{
	const char *format =
		options_value(args, "format", options_given(args, "json") ? "json" : "text");
	struct check_options options = {
		.effective = options_given(args, "effective"),
		.strict = options_given(args, "strict"),
	};
	int number = check_format_by_name(format);
	struct err err = {0};

	if (number < 0) {
		err_set(&err, ERR_USAGE, EINVAL, "railyard check", format,
			"--format text, json, sarif, junit or github");
		return say_err(&err);
	}
	options.format = (enum check_format)number;
	return check_files(args->words, args->n_words, &options, stdout, stderr);
}
