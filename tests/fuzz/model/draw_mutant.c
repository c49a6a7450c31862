/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutants: a good frame, one of the corpus, or no frame at all, with a few things done to it. Half of them
 * keep their stations' MACs, so that they reach what lies behind the parser. */
#include "life.h"

#include "dataplane/model/hdr.h"

#include <string.h>

#define CORPUS_MAX 256
#define CORPUS_BYTES 512

static struct {
	uint16_t len;
	uint8_t bytes[CORPUS_BYTES];
} corpus[CORPUS_MAX];
static uint32_t n_corpus;

void life_add_frame(const uint8_t *bytes, size_t len)
{
	if (n_corpus == CORPUS_MAX || len > CORPUS_BYTES)
		return;
	corpus[n_corpus].len = (uint16_t)len;
	memcpy(corpus[n_corpus++].bytes, bytes, len);
}

static void from_corpus(struct source *s, struct frame *f)
{
	uint32_t which = draw(s, n_corpus);

	f->len = corpus[which].len;
	memcpy(f->bytes, corpus[which].bytes, f->len);
}

static void from_nothing(struct source *s, struct frame *f)
{
	static const uint16_t types[] = {ETHERTYPE_IPV4,   ETHERTYPE_ARP,  ETHERTYPE_TAG,
					 ETHERTYPE_IPV6,   ETHERTYPE_STAG, ETHERTYPE_MAC_CTL,
					 ETHERTYPE_ROCEV1, 0x88f7,         46};

	f->len = (uint16_t)draw(s, 300);
	for (uint16_t i = 0; i < f->len; i++)
		f->bytes[i] = (uint8_t)draw(s, 256);
	if (f->len >= HDR_ETH)
		put_be16(f->bytes + ETH_TYPE, draw_of(s, types));
	if (f->len > HDR_ETH && one_in(s, 2)) /* IPv4 without options, IPv6 */
		f->bytes[HDR_ETH] = be16(f->bytes + ETH_TYPE) == ETHERTYPE_IPV6 ? 0x60 : 0x45;
}

static void insert(struct frame *f, uint16_t at, const uint8_t *bytes, uint16_t n)
{
	if (f->len < at || f->len > FRAME_MAX - n)
		return;
	memmove(f->bytes + at + n, f->bytes + at, f->len - at);
	memcpy(f->bytes + at, bytes, n);
	f->len += n;
}

static void add_tag(struct source *s, struct frame *f)
{
	const uint8_t tag[4] = {one_in(s, 4) ? 0x88 : 0x81, 0, (uint8_t)draw(s, 256),
				(uint8_t)draw(s, 256)};
	const uint8_t stag[4] = {0x88, 0xa8, tag[2], tag[3]};

	insert(f, ETH_TYPE, tag[0] == 0x88 ? stag : tag, 4);
}

/* An extension header, or several, behind the IPv6 header; the length follows. */
static void add_extension(struct source *s, struct frame *f)
{
	static const uint8_t kinds[] = {PROTO_HOP_BY_HOP, PROTO_ROUTING, PROTO_FRAGMENT,
					PROTO_DEST_OPTIONS};
	uint8_t ext[8] = {0}, *ip = f->bytes + HDR_ETH, kind;

	if (f->len < HDR_ETH + HDR_IPV6 || be16(f->bytes + ETH_TYPE) != ETHERTYPE_IPV6)
		return;
	for (uint32_t n = draw_between(s, 1, one_in(s, 8) ? 30 : 3); n > 0; n--) {
		kind = draw_of(s, kinds);
		ext[0] = ip[IPV6_NEXT];
		ext[1] = kind != PROTO_FRAGMENT && one_in(s, 8) ? (uint8_t)draw(s, 30) : 0;
		put_be16(ext + 2, kind == PROTO_FRAGMENT ? draw(s, 4) * 5 : 0);
		insert(f, HDR_ETH + HDR_IPV6, ext, 8);
		ip[IPV6_NEXT] = kind;
		put_be16(ip + IPV6_LEN, be16(ip + IPV6_LEN) + 8u);
	}
}

static void fragment(struct source *s, struct frame *f)
{
	if (f->len >= HDR_ETH + HDR_IPV4 && be16(f->bytes + ETH_TYPE) == ETHERTYPE_IPV4)
		put_be16(f->bytes + HDR_ETH + IPV4_FRAG, draw(s, 65536));
}

static void set_word(struct source *s, struct frame *f)
{
	static const uint16_t edges[] = {0, 1, 7, 8, 0x7fff, 0x8000, 0xffff};
	uint16_t at;

	if (f->len < 2)
		return;
	at = (uint16_t)draw(s, f->len < 90 ? f->len - 1u : 89);
	put_be16(f->bytes + at, one_in(s, 2) ? draw_of(s, edges) : f->len - at);
}

static void set_byte(struct source *s, struct frame *f)
{
	static const uint8_t edges[] = {0, 1, 0x3a, 0x7f, 0x80, 0xff};
	uint16_t at;

	if (f->len == 0)
		return;
	at = (uint16_t)draw(s, f->len < 90 ? f->len : 90);
	if (one_in(s, 2))
		f->bytes[at] ^= 1 << draw(s, 8);
	else
		f->bytes[at] = one_in(s, 2) ? draw_of(s, edges) : (uint8_t)draw(s, 256);
}

static void cut(struct source *s, struct frame *f)
{
	f->len = (uint16_t)draw(s, f->len + 1u);
}

static void extend(struct source *s, struct frame *f)
{
	uint16_t more = (uint16_t)draw(s, 200);

	if (f->len > FRAME_MAX - more)
		return;
	for (uint16_t i = 0; i < more; i++)
		f->bytes[f->len + i] = (uint8_t)draw(s, 256);
	f->len += more;
}

static void splice(struct source *s, struct frame *f)
{
	uint32_t which, n, at;

	if (n_corpus == 0)
		return;
	which = draw(s, n_corpus);
	at = draw(s, corpus[which].len + 1u);
	n = draw(s, corpus[which].len - at + 1);
	if (at + n <= f->len)
		memcpy(f->bytes + at, corpus[which].bytes + at, n);
}

void draw_mutant(struct life *life, struct frame *f)
{
	static void (*const acts[])(struct source * s, struct frame * f) = {
		set_byte, set_byte, set_byte,      set_word, set_word, cut,
		extend,   add_tag,  add_extension, fragment, splice,
	};
	struct source *s = life->source;
	uint8_t macs[12];

	memcpy(macs, f->bytes, sizeof(macs));
	if (n_corpus > 0 && one_in(s, 3))
		from_corpus(s, f);
	else if (one_in(s, 6))
		from_nothing(s, f);
	for (uint32_t n = draw_between(s, 1, 4); n > 0; n--)
		draw_of(s, acts)(s, f);
	if (f->len >= sizeof(macs) && one_in(s, 2))
		memcpy(f->bytes, macs, sizeof(macs));
}
