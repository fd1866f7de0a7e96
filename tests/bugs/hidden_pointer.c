/* SPDX-License-Identifier: MIT
 *
 * A pointer is kept in a form that is no pointer (shifted, xored, in pieces, unaligned, as text, ...) and made a pointer again
 * elsewhere.  Its object once counted as private, so that interleavings and races were missed, and when it was freed, its address
 * was given to the next object, so that a use after free passed for a good access.
 *
 * Some of the combinations are run here.  The first -D is the form, the second what is done: -DAGAIN and -DALONE use memory that
 * has been freed and allocated again.
 *
 * RUN: check -DSHIFTED -DORDER
 * EXPECT: violated assertion
 * RUN: check -DXORED -DRACE
 * EXPECT: violated data-race
 * RUN: check -DHALVES -DAGAIN
 * EXPECT: violated use-after-free
 * RUN: check -DOVERLAID -DALONE
 * EXPECT: violated use-after-free
 * RUN: check -DPACKED -DORDER
 * EXPECT: violated assertion
 * RUN: check -DMOVED -DAGAIN
 * EXPECT: violated use-after-free
 * RUN: check -DFIELD -DRACE
 * EXPECT: violated data-race
 * RUN: check -DCOMPRESSED -DALONE
 * EXPECT: violated use-after-free
 * RUN: check -DLETTERS -DAGAIN
 * EXPECT: violated use-after-free
 * RUN: check -DBYTES -DORDER
 * EXPECT: violated assertion
 * RUN: check -DPRINTED -DAGAIN
 * EXPECT: violated use-after-free
 * RUN: check -DTAGGED -DSAFE
 * EXPECT: verified
 * RUN: check -DPACKED -DSAFE
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	atomic_int step;
	int value;
};

#define KEY UINT64_C(0x5a5a5a5a5a5a5a5a)

#if defined SHIFTED
static uintptr_t kept;
static void hide(struct node *p) { kept = (uintptr_t)p << 3; }
static struct node *show(void) { return (struct node *)(kept >> 3); }
#elif defined XORED
static uintptr_t kept;
static void hide(struct node *p) { kept = (uintptr_t)p ^ KEY; }
static struct node *show(void) { return (struct node *)(kept ^ KEY); }
#elif defined NEGATED
static intptr_t kept;
static void hide(struct node *p) { kept = -(intptr_t)p; }
static struct node *show(void) { return (struct node *)-kept; }
#elif defined INVERTED
static uintptr_t kept;
static void hide(struct node *p) { kept = ~(uintptr_t)p; }
static struct node *show(void) { return (struct node *)~kept; }
#elif defined ADDED
static uintptr_t kept;
static void hide(struct node *p) { kept = (uintptr_t)p + KEY; }
static struct node *show(void) { return (struct node *)(kept - KEY); }
#elif defined SWAPPED
static uintptr_t kept;
static void hide(struct node *p) { kept = __builtin_bswap64((uintptr_t)p); }
static struct node *show(void) { return (struct node *)__builtin_bswap64(kept); }
#elif defined ROTATED
static uintptr_t kept;
static void hide(struct node *p) { kept = (uintptr_t)p << 40 | (uintptr_t)p >> 24; }
static struct node *show(void) { return (struct node *)(kept >> 40 | kept << 24); }
#elif defined TAGGED /* and then shifted, the tag being stripped later */
static uintptr_t kept;
static void hide(struct node *p) { kept = (((uintptr_t)p | (uintptr_t)0x1234 << 48) >> 1); }
static struct node *show(void) { return (struct node *)((kept << 1) & 0x7fffffffffff); }
#elif defined HALVES
static uint32_t low, high;
static void hide(struct node *p) { low = (uint32_t)(uintptr_t)p; high = (uint32_t)((uintptr_t)p >> 32); }
static struct node *show(void) { return (struct node *)((uintptr_t)high << 32 | low); }
#elif defined OVERLAID
union overlay { struct node *pointer; uint32_t half[2]; };
static uint32_t kept[3];
static void hide(struct node *p) { union overlay u = { p }; kept[0] = u.half[1]; kept[2] = u.half[0]; }
static struct node *show(void) { union overlay u; u.half[0] = kept[2]; u.half[1] = kept[0]; return u.pointer; }
#elif defined PACKED
struct __attribute__((packed)) record { char tag; struct node *pointer; };
static struct record kept;
static void hide(struct node *p) { struct record r = { 1, p }; kept = r; }
static struct node *show(void) { struct record r = kept; return r.pointer; }
#elif defined MOVED
static char kept[16];
static void hide(struct node *p) { memcpy(kept + 3, &p, sizeof p); }
static struct node *show(void) { struct node *p; memcpy(&p, kept + 3, sizeof p); return p; }
#elif defined FIELD
static struct { uint64_t tag : 13, pointer : 48; } kept;
static void hide(struct node *p) { kept.tag = 5; kept.pointer = (uintptr_t)p; }
static struct node *show(void) { return (struct node *)(uintptr_t)kept.pointer; }
#elif defined COMPRESSED
static struct node *base;
static uint32_t kept;
static void hide(struct node *p) { kept = (uint32_t)(((uintptr_t)p - (uintptr_t)base) >> 4); }
static struct node *show(void) { return (struct node *)((uintptr_t)base + ((uintptr_t)kept << 4)); }
#elif defined LETTERS
static char kept[17];
static void hide(struct node *p)
{
	for (int i = 0; i < 16; i++)
		kept[i] = (char)('a' + ((uintptr_t)p >> 4 * i & 15));
}
static struct node *show(void)
{
	uintptr_t word = 0;
	for (int i = 0; i < 16; i++)
		word |= (uintptr_t)(kept[i] - 'a') << 4 * i;
	return (struct node *)word;
}
#elif defined BITS
static char kept[64];
static void hide(struct node *p)
{
	for (int i = 0; i < 64; i++)
		if ((uintptr_t)p & (uintptr_t)1 << i)
			kept[i] = 1;
}
static struct node *show(void)
{
	uintptr_t word = 0;
	for (int i = 0; i < 64; i++)
		word = word * 2 + (uintptr_t)kept[63 - i];
	return (struct node *)word;
}
#elif defined BYTES
static unsigned char kept[8];
static void hide(struct node *p)
{
	for (int i = 0; i < 8; i++)
		kept[7 - i] = ((unsigned char *)&p)[i];
}
static struct node *show(void)
{
	struct node *p;
	for (int i = 0; i < 8; i++)
		((unsigned char *)&p)[i] = kept[7 - i];
	return p;
}
#elif defined REAL
static double kept;
static void hide(struct node *p) { kept = (double)(uintptr_t)p; }
static struct node *show(void) { return (struct node *)(uintptr_t)kept; }
#elif defined PRINTED
static char kept[40];
static void hide(struct node *p) { snprintf(kept, sizeof kept, "%p", (void *)p); }
static struct node *show(void) { return (struct node *)(uintptr_t)strtoull(kept, NULL, 0); }
#elif defined SCANNED
static char kept[40];
static void hide(struct node *p) { sprintf(kept, "%lu", (unsigned long)(uintptr_t)p); }
static struct node *show(void) { unsigned long word = 0; sscanf(kept, "%lu", &word); return (struct node *)word; }
#elif defined EXCHANGED
static atomic_uintptr_t kept = KEY;
static void hide(struct node *p) { atomic_fetch_xor(&kept, (uintptr_t)p); }
static struct node *show(void) { return (struct node *)(atomic_load(&kept) ^ KEY); }
#elif defined DIFFERENCE
static struct node *other;
static uintptr_t kept;
static void hide(struct node *p) { kept = (uintptr_t)p ^ (uintptr_t)other; }
static struct node *show(void) { return (struct node *)(kept ^ (uintptr_t)other); }
#elif defined BRANCHES /* the one form that cannot be followed: only who compares learns the address */
static char kept[64];
static void hide(struct node *p)
{
	uintptr_t guess = 0;
	for (int i = 63; i >= 0; i--)
		if ((uintptr_t)p >= (guess | (uintptr_t)1 << i)) {
			guess |= (uintptr_t)1 << i;
			kept[i] = 1;
		}
}
static struct node *show(void)
{
	uintptr_t word = 0;
	for (int i = 0; i < 64; i++)
		word = word * 2 + (uintptr_t)kept[63 - i];
	return (struct node *)word;
}
#endif

static struct node *new(void)
{
	struct node *p = malloc(sizeof *p);
	if (!p)
		exit(0);
	p->step = p->value = 0;
	return p;
}

static atomic_int ready;

#if defined RACE
static void *use(void *unused)
{
	if (ready)
		show()->value++; /* ERROR */
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	ready = 1;
	p->value++; /* ERROR */
}
#elif defined ORDER
static void *use(void *unused)
{
	if (ready)
		assert(show()->step != 1); /* ERROR */
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	ready = 1;
	p->step = 1;
	p->step = 2;
}
#elif defined FREED
static void *use(void *unused)
{
	if (ready)
		show()->step = 7; /* ERROR */
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	free(p);
	ready = 1;
}
#elif defined AGAIN
static void *use(void *unused)
{
	if (ready)
		show()->step = 7; /* ERROR */
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	free(p);
	struct node *next = new();
	ready = 1;
	next->step = 1;
}
#elif defined ALONE
static void *use(void *unused)
{
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	free(p);
	struct node *next = new();
	next->value = 1;
	/* An optimiser may leave out a plain write to freed memory. */
	*(volatile int *)&show()->value = 2; /* ERROR */
	assert(next->value == 1);
}
#elif defined SAFE
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *unused)
{
	if (ready) {
		pthread_mutex_lock(&mutex);
		show()->value++;
		pthread_mutex_unlock(&mutex);
		show()->step++;
	}
	return unused;
}
static void own(struct node *p)
{
	hide(p);
	ready = 1;
	pthread_mutex_lock(&mutex);
	p->value++;
	pthread_mutex_unlock(&mutex);
	p->step++;
}
#endif

int main(void)
{
	pthread_t thread;
#ifdef COMPRESSED
	base = new();
#endif
#ifdef DIFFERENCE
	other = new();
#endif
	pthread_create(&thread, NULL, use, NULL);
	own(new());
	pthread_join(thread, NULL);
#ifdef SAFE
	assert(show()->step == show()->value && (show()->value == 1 || show()->value == 2));
	free(show());
#endif
	return 0;
}
