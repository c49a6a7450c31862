/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a network device the one that this machine is reached by? Taking it away would cut the user
 * off. Pure functions over the text of /proc/net/route, /proc/net/ipv6_route and SSH_CONNECTION
 * (man 5 proc, man 1 ssh), so that they are tested with fixtures. Control thread.
 */
#ifndef RY_RT_NETDEV_GUARD_H
#define RY_RT_NETDEV_GUARD_H

#include "dataplane/model/err.h"

#include <stddef.h>

enum rt_guard { RT_GUARD_FREE, RT_GUARD_DEFAULT_ROUTE, RT_GUARD_SSH };

/* Texts may be NULL: not known. */
enum rt_guard rt_guard_netdev(const char *netdev, const char *route, const char *ipv6_route,
			      const char *ssh_connection);

/* Names of the kernel's netdevs behind a DPDK device string, at most n: from iface= and remote=
 * arguments, or of a PCI address. Returns how many. */
unsigned int rt_guard_names(const char *dev, char names[][64], unsigned int n);

/* Adds what stands on them (bridges, bonds, VLANs, and what stands on those), from the directory sys
 * that is laid out as /sys/class/net; n of room names are there. Returns how many there are then. */
unsigned int rt_guard_uppers(const char *sys, char names[][64], unsigned int n, unsigned int room);

/* The check itself on this machine: -EBUSY and *err with the cure; where names the port. */
int rt_guard_dev(const char *dev, const char *where, struct err *err);

#endif
