/* SPDX-License-Identifier: BSD-3-Clause */
#include "netdev_guard.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1 << 20)
#define LINE_MAX_BYTES 256
#define NAMES_MAX 32

/* A route of either family: v4 in network byte order in the first four bytes. */
struct route {
	char netdev[64];
	uint8_t prefix[16];
	unsigned int len;
};

typedef bool parse_fn(const char *line, struct route *out);

/* Cuts a copy of the line at its blanks; returns the words, at most n. */
static unsigned int cut(const char *line, char copy[LINE_MAX_BYTES], char **words, unsigned int n)
{
	unsigned int found = 0;
	char *rest, *word;

	snprintf(copy, LINE_MAX_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
	for (word = strtok_r(copy, " \t", &rest); word != NULL && found < n;
	     word = strtok_r(NULL, " \t", &rest))
		words[found++] = word;
	return found;
}

static bool is_hex(const char *word, size_t digits)
{
	return strlen(word) == digits && strspn(word, "0123456789abcdefABCDEF") == digits;
}

/* Iface Destination Gateway Flags RefCnt Use Metric Mask ...: hex words in memory order. */
static bool parse_v4(const char *line, struct route *out)
{
	char copy[LINE_MAX_BYTES], *words[8];
	uint32_t dst, mask;

	if (cut(line, copy, words, 8) != 8 || !is_hex(words[1], 8) || !is_hex(words[7], 8))
		return false;
	snprintf(out->netdev, sizeof(out->netdev), "%s", words[0]);
	dst = (uint32_t)strtoul(words[1], NULL, 16);
	mask = (uint32_t)strtoul(words[7], NULL, 16);
	memset(out->prefix, 0, sizeof(out->prefix));
	memcpy(out->prefix, &dst, sizeof(dst));
	out->len = (unsigned int)__builtin_popcount(mask);
	return (strtoul(words[3], NULL, 16) & 1) != 0; /* RTF_UP */
}

/* dst len src len next metric ref use flags device, addresses as 32 hex digits. */
static bool parse_v6(const char *line, struct route *out)
{
	char copy[LINE_MAX_BYTES], *words[10], byte[3] = "";
	unsigned int i;

	if (cut(line, copy, words, 10) != 10 || !is_hex(words[0], 32) || !is_hex(words[1], 2))
		return false;
	for (i = 0; i < 16; i++) {
		memcpy(byte, &words[0][2 * i], 2);
		out->prefix[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
	out->len = (unsigned int)strtoul(words[1], NULL, 16);
	if (out->len > 128)
		return false;
	snprintf(out->netdev, sizeof(out->netdev), "%s", words[9]);
	return (strtoul(words[8], NULL, 16) & 1) != 0 && strcmp(out->netdev, "lo") != 0;
}

static bool covers(const struct route *route, const uint8_t *address)
{
	unsigned int i;

	for (i = 0; i < route->len; i++)
		if (((route->prefix[i / 8] ^ address[i / 8]) >> (7 - i % 8)) & 1)
			return false;
	return true;
}

/* True when netdev has a default route; *ssh_netdev is by which address is reached, "" if none. */
static bool scan(const char *text, parse_fn *parse, const char *netdev, const uint8_t *address,
		 char *ssh_netdev)
{
	bool found = false;
	int best = -1;
	struct route route;
	const char *line;

	ssh_netdev[0] = '\0';
	for (line = text; line != NULL && *line != '\0';) {
		if (parse(line, &route)) {
			found |= route.len == 0 && strcmp(route.netdev, netdev) == 0;
			if (address != NULL && (int)route.len > best && covers(&route, address)) {
				best = (int)route.len;
				memcpy(ssh_netdev, route.netdev, sizeof(route.netdev));
			}
		}
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	return found;
}

enum rt_guard rt_guard_netdev(const char *netdev, const char *route, const char *ipv6_route,
			      const char *ssh_connection)
{
	char client[64] = "", ssh4[64], ssh6[64];
	uint8_t v4[16], v6[16];
	bool has_v4, has_v6, is_default;

	if (ssh_connection != NULL && sscanf(ssh_connection, "%63s", client) != 1)
		client[0] = '\0';
	client[strcspn(client, "%")] = '\0'; /* a link-local address has its zone behind it */
	has_v4 = inet_pton(AF_INET, client, v4) == 1;
	has_v6 = inet_pton(AF_INET6, client, v6) == 1;
	is_default = scan(route, parse_v4, netdev, has_v4 ? v4 : NULL, ssh4);
	is_default |= scan(ipv6_route, parse_v6, netdev, has_v6 ? v6 : NULL, ssh6);
	if (strcmp(ssh4, netdev) == 0 || strcmp(ssh6, netdev) == 0)
		return RT_GUARD_SSH;
	return is_default ? RT_GUARD_DEFAULT_ROUTE : RT_GUARD_FREE;
}

static unsigned int pci_names(const char *address, char names[][64], unsigned int n)
{
	char path[128];
	unsigned int found = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s%.32s/net",
		 strchr(address, ':') == strrchr(address, ':') ? "0000:" : "", address);
	dir = opendir(path);
	while (dir != NULL && found < n && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			snprintf(names[found++], 64, "%.63s", entry->d_name);
	if (dir != NULL)
		closedir(dir);
	return found;
}

unsigned int rt_guard_names(const char *dev, char names[][64], unsigned int n)
{
	static const char *const keys[] = {"iface", "remote"};
	char copy[512], *word, *rest = copy;
	unsigned int found = 0, i;
	size_t len;

	snprintf(copy, sizeof(copy), "%s", dev);
	word = strsep(&rest, ",");
	if (strncmp(word, "net_", 4) != 0)
		return pci_names(word, names, n);
	while ((word = strsep(&rest, ",")) != NULL)
		for (i = 0; i < 2; i++) {
			len = strlen(keys[i]);
			if (found < n && strncmp(word, keys[i], len) == 0 && word[len] == '=')
				snprintf(names[found++], 64, "%.63s", word + len + 1);
		}
	return found;
}

static char *read_whole(const char *path)
{
	char *text = calloc(1, TEXT_MAX);
	FILE *file = fopen(path, "r");

	if (file != NULL && text != NULL)
		text[fread(text, 1, TEXT_MAX - 1, file)] = '\0';
	if (file != NULL)
		fclose(file);
	return text;
}

unsigned int rt_guard_uppers(const char *sys, char names[][64], unsigned int n, unsigned int room)
{
	char path[384];
	unsigned int i;
	struct dirent *entry;
	DIR *dir;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", sys, names[i]);
		dir = opendir(path);
		while (dir != NULL && n < room && (entry = readdir(dir)) != NULL)
			if (strncmp(entry->d_name, "upper_", 6) == 0)
				snprintf(names[n++], 64, "%.63s", entry->d_name + 6);
		if (dir != NULL)
			closedir(dir);
	}
	return n;
}

static int refuse(enum rt_guard guard, const char *where, const char *name, struct err *err)
{
	if (guard == RT_GUARD_FREE)
		return 0;
	return err_set(err, ERR_ENVIRONMENT, EBUSY, where, name,
		       "a network device that this machine can spare: %s; choose another, or say "
		       "--force",
		       guard == RT_GUARD_SSH ? "your ssh session comes through it"
					     : "it has the default route");
}

int rt_guard_dev(const char *dev, const char *where, struct err *err)
{
	char *route = read_whole("/proc/net/route"), *route6 = read_whole("/proc/net/ipv6_route");
	char names[NAMES_MAX][64];
	unsigned int i, n = rt_guard_names(dev, names, NAMES_MAX);
	int ret = 0;

	n = rt_guard_uppers("/sys/class/net", names, n, NAMES_MAX);
	for (i = 0; i < n && ret == 0; i++)
		ret = refuse(rt_guard_netdev(names[i], route, route6, getenv("SSH_CONNECTION")),
			     where, names[i], err);
	free(route);
	free(route6);
	return ret;
}
