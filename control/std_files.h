/* SPDX-License-Identifier: BSD-3-Clause */
/* A program may be started with standard input, output or error closed. The next file that it opens
 * would then have the number of one of them, and what is written to that goes into the file.
 */
#ifndef RY_STD_FILES_H
#define RY_STD_FILES_H

/* First thing in main: puts /dev/null where one of the three is closed, opened so that using it
 * still fails (EBADF). */
void std_files(void);

#endif
