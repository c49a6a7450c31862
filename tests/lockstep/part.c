/* SPDX-License-Identifier: BSD-3-Clause */
/* lockstep-part SCRIPT IN OUT UNTIL_PS: plays a part of a script in virtual time, and ends: from the
 * checkpoint IN ("-": from the start) to UNTIL_PS, where it writes the checkpoint OUT; OUT "-": to the
 * end, and prints what came of it. lockstep-part SCRIPT last: the time of the last event. */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file(const char *word)
{
	return strcmp(word, "-") == 0 ? NULL : word;
}

int main(int argc, char **argv)
{
	static struct result result;
	struct script script;
	int rc = 0;

	if ((argc != 3 && argc != 5) || script_load(&script, argv[1]) != 0 || script.n == 0) {
		fprintf(stderr, "usage: lockstep-part SCRIPT last | IN OUT UNTIL_PS\n");
		return 2;
	}
	if (argc == 3)
		printf("%llu\n", (unsigned long long)script.events[script.n - 1].t_ps);
	else
		rc = play_part(&script, file(argv[2]), file(argv[3]), strtoull(argv[4], NULL, 10),
			       &result);
	if (argc == 5 && rc == 0 && file(argv[3]) == NULL)
		result_print(&result);
	if (result.leaked != 0)
		fprintf(stderr, "%llu packets are lost in the books\n",
			(unsigned long long)result.leaked);
	script_free(&script);
	return rc == 0 && result.leaked == 0 ? 0 : 1;
}
