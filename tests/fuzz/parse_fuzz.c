/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a frame, through parse, the ICRC check and every edit that lookup and mark may ask
 * for. The sanitizers see reads outside the frame; what must hold of any frame is asserted here. */
#include "dataplane/model/hdr.h"
#include "dataplane/model/icrc.h"
#include "dataplane/model/sw_int.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check_bounds(const struct pkt *pkt)
{
	assert(pkt->kind < PKT_KINDS);
	assert(pkt->hdr_len <= 64 && pkt->hdr_len <= pkt->len);
	assert(pkt->vid < 4096 || pkt->vid == PKT_NO_VLAN);
	assert(!(pkt->flags & PKT_F_L4) || pkt->l4_off + HDR_L4_MIN <= pkt->len);
	assert(pkt->kind != PKT_ROCE || pkt->l4_off + HDR_UDP + HDR_BTH <= pkt->len);
	assert(pkt->kind != PKT_ND || pkt->l4_off + HDR_ND <= pkt->len);
	assert(pkt->kind != PKT_RUNT || pkt->flags == 0);
}

/* A frame that is marked or routed keeps its ICRC, right or wrong. */
static void check_edits(struct pkt *pkt)
{
	static const uint8_t router_mac[6] = {2};

	for (uint8_t edits = 0; edits < 8; edits++) {
		enum icrc before = icrc_check(pkt);

		if ((edits & PKT_EDIT_ECHO) && pkt->kind != PKT_ICMP)
			continue;
		if ((edits & PKT_EDIT_ROUTE) && !(pkt->flags & (PKT_F_V4 | PKT_F_V6)))
			continue;
		pkt->edit = edits;
		rewrite(pkt, router_mac);
		assert(icrc_check(pkt) == before);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct sw_port port;
	static struct sw sw = {.ports = &port, .n_ports = 1};
	struct pkt pkt, *burst = &pkt;

	if (len > UINT16_MAX)
		return 0;
	memset(&pkt, 0xa5, sizeof(pkt));
	pkt.len = (uint16_t)len;
	pkt.data = malloc(len); /* of just its length: the sanitizer sees the first byte beyond */
	if (len > 0)
		memcpy(pkt.data, bytes, len);
	sw_parse(&sw, 0, &burst, 1);
	check_bounds(&pkt);
	check_edits(&pkt);
	free(pkt.data);
	return 0;
}
