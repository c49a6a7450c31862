/* SPDX-License-Identifier: BSD-3-Clause */
#include "manpage.h"

#include "control/version.h"

#include <ctype.h>

/* Text as roff wants it: backslashes and dashes escaped, no line that starts as a request. */
static void text(FILE *out, const char *s)
{
	bool start = true;

	for (; *s != '\0'; s++) {
		if (start && (*s == '.' || *s == '\''))
			fputs("\\&", out);
		if (*s == '\\')
			fputs("\\e", out);
		else if (*s == '-')
			fputs("\\-", out);
		else if (*s == '\n' && s[1] == '\n')
			fputs("\n.PP", out);
		else
			fputc(*s, out);
		start = *s == '\n';
	}
}

void manpage_head(FILE *out, const char *program, int section, const char *summary)
{
	fputs(".\\\" Made from the option tables; do not edit.\n.TH ", out);
	for (const char *c = program; *c != '\0'; c++)
		fputc(toupper((unsigned char)*c), out);
	fprintf(out, " %d \"\" \"railyard %s\" \"railyard\"\n.SH NAME\n%s \\- ", section,
		RY_VERSION, program);
	text(out, summary);
	fputc('\n', out);
}

void manpage_section(FILE *out, const char *title, const char *body)
{
	fprintf(out, ".SH %s\n", title);
	text(out, body);
	fputc('\n', out);
}

void manpage_options(FILE *out, const struct option_def *table)
{
	for (const struct option_def *d = table; d->name != NULL; d++) {
		fputs(".TP\n", out);
		if (d->letter != 0)
			fprintf(out, "\\fB\\-%c\\fR, ", d->letter);
		fputs("\\fB\\-\\-", out);
		text(out, d->name);
		fputs("\\fR", out);
		if (d->kind == OPTION_MAYBE)
			fprintf(out, "[=\\fI%s\\fR]", d->value);
		else if (d->kind == OPTION_VALUE)
			fprintf(out, " \\fI%s\\fR", d->value);
		fputc('\n', out);
		text(out, d->help);
		fputc('\n', out);
	}
}

void manpage_command(FILE *out, const struct command *command, const struct option_def *shared)
{
	fputs(".SS ", out);
	text(out, command->name);
	fputs("\n.B ", out);
	text(out, command->name);
	fputs("\n", out);
	if (command->synopsis[0] != '\0') {
		text(out, command->synopsis);
		fputs("\n", out);
	}
	fputs(".PP\n", out);
	text(out, command->summary);
	fputs("\n", out);
	if (command->details != NULL) {
		fputs(".PP\n.nf\n", out);
		text(out, command->details);
		fputs("\n.fi\n", out);
	}
	for (int t = 0; t < OPTION_TABLES && command->tables[t] != NULL; t++)
		if (command->tables[t] != shared)
			manpage_options(out, command->tables[t]);
}
