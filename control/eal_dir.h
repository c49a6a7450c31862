/* SPDX-License-Identifier: BSD-3-Clause */
/* DPDK makes a directory for each file prefix and leaves it, empty, when the process ends. */
#ifndef RY_EAL_DIR_H
#define RY_EAL_DIR_H

/* Removes it, and the directory of all prefixes when that is empty too. After rt_stop. */
void eal_dir_remove(const char *file_prefix);

#endif
