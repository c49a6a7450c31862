/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings for programs: JSON, SARIF 2.1.0, JUnit's XML, GitHub's workflow commands. */
#include "check.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

static const char *const level_names[] = {"error", "warning", "note"};

int check_format_by_name(const char *name)
{
	static const char *const names[] = {"text", "json", "sarif", "junit", "github"};

	for (int i = 0; i < 5; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

/* What is wrong, without the place. */
static const char *message(const struct finding *f, char *buf, size_t size)
{
	struct err bare = f->at;

	bare.file[0] = '\0';
	bare.line = 0;
	return err_text(&bare, buf, size);
}

static int dump(json_t *root, FILE *out)
{
	int rc = root == NULL || json_dumpf(root, out, JSON_INDENT(1)) != 0 ? -EIO : 0;

	fputc('\n', out);
	json_decref(root);
	return rc;
}

static json_t *json_finding(const struct finding *f)
{
	return json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "rule", f->rule, "level",
			 level_names[f->level], "line", f->at.line, "col", f->at.col, "path",
			 f->at.path, "found", f->at.found, "expected", f->at.expected);
}

static int print_json(const struct check_file *files, int n, FILE *out)
{
	json_t *list = json_array();

	for (int i = 0; i < n; i++) {
		json_t *findings = json_array();

		for (uint32_t k = 0; k < files[i].n_findings; k++)
			json_array_append_new(findings, json_finding(&files[i].findings[k]));
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:b, s:o}", "file", files[i].file,
						"scenario", files[i].name, "valid",
						files[i].name[0] != '\0', "findings", findings));
	}
	return dump(json_pack("{s:i, s:o}", "railyard", 1, "files", list), out);
}

static json_t *sarif_result(const struct check_file *file, const struct finding *f)
{
	char text[1024];
	/* A region begins at line 1 at least; what has no place gets the first. */
	int line = f->at.line > 0 ? f->at.line : 1, col = f->at.col > 0 ? f->at.col : 1;

	return json_pack("{s:s, s:s, s:{s:s}, s:[{s:{s:{s:s}, s:{s:i, s:i}}}]}", "ruleId", f->rule,
			 "level", level_names[f->level], "message", "text",
			 message(f, text, sizeof(text)), "locations", "physicalLocation",
			 "artifactLocation", "uri", file->file, "region", "startLine", line,
			 "startColumn", col);
}

static int print_sarif(const struct check_file *files, int n, FILE *out)
{
	json_t *results = json_array();

	for (int i = 0; i < n; i++)
		for (uint32_t k = 0; k < files[i].n_findings; k++)
			json_array_append_new(results,
					      sarif_result(&files[i], &files[i].findings[k]));
	return dump(json_pack("{s:s, s:s, s:[{s:{s:{s:s}}, s:o}]}", "$schema",
			      "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
			      "runs", "tool", "driver", "name", "railyard", "results", results),
		    out);
}

static void xml(FILE *out, const char *text)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			/* XML 1.0 has no way to write other control characters. */
			fputc((unsigned char)*text < 0x20 ? '?' : *text, out);
		}
}

static int print_junit(const struct check_file *files, int n, FILE *out)
{
	char text[1024];
	int failed = 0;

	for (int i = 0; i < n; i++)
		failed += files[i].n_findings > 0;
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	fprintf(out, "<testsuite name=\"railyard check\" tests=\"%d\" failures=\"%d\">\n", n,
		failed);
	for (int i = 0; i < n; i++) {
		fprintf(out, "  <testcase classname=\"check\" name=\"");
		xml(out, files[i].file);
		fprintf(out, "\">\n");
		for (uint32_t k = 0; k < files[i].n_findings; k++) {
			fprintf(out, "    <failure type=\"%s\" message=\"",
				files[i].findings[k].rule);
			xml(out, err_text(&files[i].findings[k].at, text, sizeof(text)));
			fprintf(out, "\"/>\n");
		}
		fprintf(out, "  </testcase>\n");
	}
	fprintf(out, "</testsuite>\n");
	return 0;
}

/* Values of a workflow command: %, line ends and, in properties, : and , are escaped. */
static void github(FILE *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++)
		if (strchr(special, *text) != NULL)
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, out);
}

static int print_github(const struct check_file *files, int n, FILE *out)
{
	static const char *const commands[] = {"error", "warning", "notice"};
	char text[1024];

	for (int i = 0; i < n; i++)
		for (uint32_t k = 0; k < files[i].n_findings; k++) {
			const struct finding *f = &files[i].findings[k];

			fprintf(out, "::%s file=", commands[f->level]);
			github(out, files[i].file, "%\r\n:,");
			if (f->at.line > 0)
				fprintf(out, ",line=%d,col=%d", f->at.line, f->at.col);
			fprintf(out, "::");
			github(out, message(f, text, sizeof(text)), "%\r\n");
			fputc('\n', out);
		}
	return 0;
}

int check_print(const struct check_file *files, int n, enum check_format format, FILE *out)
{
	switch (format) {
	case CHECK_JSON:
		return print_json(files, n, out);
	case CHECK_SARIF:
		return print_sarif(files, n, out);
	case CHECK_JUNIT:
		return print_junit(files, n, out);
	case CHECK_GITHUB:
		return print_github(files, n, out);
	default:
		return 0;
	}
}
