/* SPDX-License-Identifier: BSD-3-Clause */
/* bth: which extension headers follow the BTH, by opcode.
 *
 * InfiniBand Architecture 1.2.1, table 38, annexes A14 (XRC) and A17 (CNP). Bytes: RETH 16, AETH 4,
 * AtomicETH 28, AtomicAckETH 8, ImmDt 4, IETH 4, DETH 8, RDETH 4, XRCETH 4. One more than their
 * sum, so that what is not listed is 0: unknown.
 */
#include "hdr.h"

/* clang-format off */
const uint8_t bth_ext[256] = {
	/* RC: SEND, WRITE, READ, acknowledge, atomics, SEND with invalidate */
	[0x00] = 1 + 0,         [0x01] = 1 + 0,         [0x02] = 1 + 0,         [0x03] = 1 + 4,
	[0x04] = 1 + 0,         [0x05] = 1 + 4,         [0x06] = 1 + 16,        [0x07] = 1 + 0,
	[0x08] = 1 + 0,         [0x09] = 1 + 4,         [0x0a] = 1 + 16,        [0x0b] = 1 + 16 + 4,
	[0x0c] = 1 + 16,        [0x0d] = 1 + 4,         [0x0e] = 1 + 0,         [0x0f] = 1 + 4,
	[0x10] = 1 + 4,         [0x11] = 1 + 4,         [0x12] = 1 + 4 + 8,     [0x13] = 1 + 28,
	[0x14] = 1 + 28,        [0x16] = 1 + 4,         [0x17] = 1 + 4,
	/* UC: SEND, WRITE */
	[0x20] = 1 + 0,         [0x21] = 1 + 0,         [0x22] = 1 + 0,         [0x23] = 1 + 4,
	[0x24] = 1 + 0,         [0x25] = 1 + 4,         [0x26] = 1 + 16,        [0x27] = 1 + 0,
	[0x28] = 1 + 0,         [0x29] = 1 + 4,         [0x2a] = 1 + 16,        [0x2b] = 1 + 16 + 4,
	/* RD: RDETH always, DETH in requests; then as RC; 55 is RESYNC */
	[0x40] = 1 + 12,        [0x41] = 1 + 12,        [0x42] = 1 + 12,        [0x43] = 1 + 12 + 4,
	[0x44] = 1 + 12,        [0x45] = 1 + 12 + 4,    [0x46] = 1 + 12 + 16,   [0x47] = 1 + 12,
	[0x48] = 1 + 12,        [0x49] = 1 + 12 + 4,    [0x4a] = 1 + 12 + 16,   [0x4b] = 1 + 12 + 16 + 4,
	[0x4c] = 1 + 12 + 16,   [0x4d] = 1 + 4 + 4,     [0x4e] = 1 + 4,         [0x4f] = 1 + 4 + 4,
	[0x50] = 1 + 4 + 4,     [0x51] = 1 + 4 + 4,     [0x52] = 1 + 4 + 4 + 8, [0x53] = 1 + 12 + 28,
	[0x54] = 1 + 12 + 28,   [0x55] = 1 + 12,
	/* UD: SEND_ONLY, with immediate */
	[0x64] = 1 + 8,         [0x65] = 1 + 8 + 4,
	/* CNP: 16 reserved bytes */
	[0x81] = 1 + 16,
	/* XRC: XRCETH in requests; then as RC */
	[0xa0] = 1 + 4,         [0xa1] = 1 + 4,         [0xa2] = 1 + 4,         [0xa3] = 1 + 4 + 4,
	[0xa4] = 1 + 4,         [0xa5] = 1 + 4 + 4,     [0xa6] = 1 + 4 + 16,    [0xa7] = 1 + 4,
	[0xa8] = 1 + 4,         [0xa9] = 1 + 4 + 4,     [0xaa] = 1 + 4 + 16,    [0xab] = 1 + 4 + 16 + 4,
	[0xac] = 1 + 4 + 16,    [0xad] = 1 + 4,         [0xae] = 1 + 0,         [0xaf] = 1 + 4,
	[0xb0] = 1 + 4,         [0xb1] = 1 + 4,         [0xb2] = 1 + 4 + 8,     [0xb3] = 1 + 4 + 28,
	[0xb4] = 1 + 4 + 28,    [0xb6] = 1 + 4 + 4,     [0xb7] = 1 + 4 + 4,
};
/* clang-format on */
