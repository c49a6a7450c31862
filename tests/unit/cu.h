/* SPDX-License-Identifier: BSD-3-Clause */
/* The main of a unit test: a table of named cases, run by CUnit.
 *
 *	static const struct cu_case cases[] = {
 *		{"err_set__first_wins", first_wins},
 *		{NULL, NULL},
 *	};
 *	int main(void) { return cu_main("model/err", cases); }
 *
 * A case's name is `function__case`. Returns 0 only if at least one case ran and none failed, so
 * an emptied table fails too. An argument to the program would be ignored: no globals, one thread.
 */
#ifndef RY_TEST_CU_H
#define RY_TEST_CU_H

#include <CUnit/Basic.h>
#include <stddef.h>
#include <stdio.h>

struct cu_case {
	const char *name; /* NULL ends the table */
	void (*run)(void);
};

static inline int cu_main(const char *suite_name, const struct cu_case *cases)
{
	unsigned int ran, failed;
	CU_pSuite suite;

	/* Line by line, so that what a crash interrupted can be read in the log. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 2;
	suite = CU_add_suite(suite_name, NULL, NULL);
	for (; suite != NULL && cases->name != NULL; cases++)
		if (CU_add_test(suite, cases->name, cases->run) == NULL)
			return 2;
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	ran = CU_get_number_of_tests_run();
	failed = CU_get_number_of_tests_failed() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return ran == 0 || failed != 0;
}

#endif
