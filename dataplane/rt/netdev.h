/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel knows of a network device, asked by ioctl: sysfs shows the namespace that it was
 * mounted in, not the one this process is in. Control thread. */
#ifndef RY_RT_NETDEV_H
#define RY_RT_NETDEV_H

#include <stdbool.h>
#include <stddef.h>

/* Its kernel driver ("tun", "veth", "mlx5_core"); "" when there is no such device or none known. */
void rt_netdev_driver(const char *netdev, char *out, size_t size);
/* Its MTU in bytes; 0 when there is no such device. */
unsigned int rt_netdev_mtu(const char *netdev);
/* Up, with carrier, and the kernel lets it send. */
bool rt_netdev_running(const char *netdev);
/* Interface index of a veth's other end; 0 when it is none or in another namespace. */
unsigned int rt_netdev_veth_peer(const char *netdev);
/* The packet socket of this process that is bound to a netdev, -1 when there is none; the fd is its
 * owner's. */
int rt_netdev_packet_socket(unsigned int ifindex);
/* Frames that found the socket's ring full since this was last asked (man 7 packet). */
unsigned int rt_netdev_packet_drops(int fd);

#endif
