/* SPDX-License-Identifier: MIT
 *
 * Inputs that are sets or terms, under memory models: what is stored where older values can be read, or waits in a buffer, becomes
 * a number first; all else stays a set.
 *
 * MP        the order of a store depends on an input: for some it is too weak
 * MP_STRONG ... for none
 * DATA      the input is the data: 42 more than any unsigned char
 * WIDE      the data is any int, in plain memory: a set, as no message has it
 * WIDE_WEAK the data is any int, in an atomic
 * OLD       an input that is overwritten is read after that
 * EXPECTED  a compare-exchange expects an input
 * ADDED     two inputs are added to one atomic
 * INDEX     an input is the index of an atomic
 * SB        store buffering, of inputs that may be 0
 * DESIRED   a compare-exchange writes an input
 * COPIED    an input is in the memory of an atomic before threads run, by memcpy()
 * LATE      a thread that reads an old value decides by it and by an input
 *
 * RUN: check --memory c11 -DMP
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_STRONG
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_STRONG --inputs symbolic
 * EXPECT: verified
 * RUN: check --memory c11 -DDATA
 * EXPECT: verified
 * RUN: check --memory c11 -DWIDE
 * EXPECT: verified
 * RUN: check --memory c11 -DWIDE --inputs symbolic
 * EXPECT: verified
 * RUN: check --memory c11 -DWIDE -DWEAK
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DWIDE_WEAK
 * EXPECT: inconclusive: an atomic access that may meet older values asks for more of an input than
 * RUN: check --memory tso -DWIDE_WEAK
 * EXPECT: inconclusive: a store that waits in a buffer asks for more of an input than
 * RUN: check --memory c11 -DOLD
 * EXPECT: violated assertion
 * RUN: check --memory tso -DOLD
 * EXPECT: verified
 * RUN: check --memory c11 -DEXPECTED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DEXPECTED -DNOT_SEVEN
 * EXPECT: verified
 * RUN: check --memory c11 -DEXPECTED -DNOT_SEVEN --inputs symbolic
 * EXPECT: verified
 * RUN: check --memory tso -DEXPECTED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DADDED
 * EXPECT: verified
 * RUN: check --memory c11 -DINDEX
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DINDEX -DALL
 * EXPECT: verified
 * RUN: check --memory c11 -DINDEX -DONE --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DINDEX -DONE -DALL --inputs symbolic
 * EXPECT: verified
 * RUN: check --memory c11 -DDESIRED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DDESIRED -DTHERE
 * EXPECT: verified
 * RUN: check --memory c11 -DDESIRED -DTHERE --inputs symbolic
 * EXPECT: verified
 * RUN: check --memory c11 -DCOPIED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCOPIED --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCOPIED -DTHERE
 * EXPECT: verified
 * RUN: check --memory tso -DSB
 * EXPECT: violated assertion
 * RUN: check --memory tso -DSB -DFENCE
 * EXPECT: verified
 * RUN: check --memory c11 -DSB
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DFENCE
 * EXPECT: verified
 * RUN: check --memory c11 -DLATE
 * EXPECT: violated assertion
 * RUN: check --memory c11:1 -DLATE
 * EXPECT: inconclusive: no violation under sequential consistency, and weaker orders let threads read older values
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <bitspin.h>

#define LOAD(x, order)     atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, v, order) atomic_store_explicit(&(x), v, memory_order_##order)

static atomic_int data, flag, cells[2];
static int plain, input;

#if defined MP || defined MP_STRONG

static void *write(void *unused)
{
	STORE(data, 42, relaxed);
#ifdef MP
	if (input == 17)
		STORE(flag, 1, relaxed);
#else
	if (input == 17)
		STORE(flag, 1, seq_cst);
#endif
	else
		STORE(flag, 1, release);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, acquire))
		assert(LOAD(data, relaxed) == 42); /* ERROR */
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_int();
}

#elif defined DATA

static void *write(void *unused)
{
	STORE(data, input + 42, relaxed);
	STORE(flag, 1, release);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, acquire))
		assert(LOAD(data, relaxed) - 42 == input);
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar();
}

#elif defined WIDE

static void *write(void *unused)
{
	plain = input;
#ifdef WEAK
	STORE(flag, 1, relaxed);
#else
	STORE(flag, 1, release);
#endif
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, acquire))
		assert(plain == input); /* ERROR */
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_int();
}

#elif defined WIDE_WEAK

static void *write(void *unused)
{
	STORE(data, input, relaxed);
	STORE(flag, 1, release);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, acquire))
		assert(LOAD(data, relaxed) == input);
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_int();
}

#elif defined OLD

static void *write(void *unused)
{
	STORE(data, -1, relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, relaxed))
		assert(LOAD(data, relaxed) != 9); /* ERROR */
	return unused;
}

static void prepare(void)
{
	atomic_init(&data, bitspin_any_uchar());
}

#elif defined EXPECTED

static void *write(void *unused)
{
	STORE(data, 7, relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	int expected = input;
	if (atomic_compare_exchange_strong_explicit(&data, &expected, 100, memory_order_relaxed, memory_order_relaxed))
		assert(input == 0); /* ERROR */
	else
		assert(expected == 0 || expected == 7);
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar();
#ifdef NOT_SEVEN
	bitspin_assume(input != 7);
#endif
}

#elif defined ADDED

static void *write(void *unused)
{
	atomic_fetch_add_explicit(&data, bitspin_any_bool(), memory_order_relaxed);
	return unused;
}

static void *read(void *unused)
{
	int old = atomic_fetch_add_explicit(&data, input, memory_order_relaxed);
	assert(old == 0 || old == 1);
	assert(LOAD(data, relaxed) - input <= 1);
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar() & 7;
}

#elif defined INDEX

static void *write(void *unused)
{
	STORE(cells[input & 1], 1, relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, relaxed))
#ifdef ALL
		assert(LOAD(cells[0], relaxed) + LOAD(cells[1], relaxed) <= 1);
#else
		assert(LOAD(cells[0], relaxed) + LOAD(cells[1], relaxed) == 1); /* ERROR */
#endif
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_int();
#ifdef ONE /* as only a solver knows */
	int other = bitspin_any_uchar();
	bitspin_assume(0 < input && input < 10 && input * input == 1 + other * other - other * other);
#endif
}

#elif defined DESIRED

static void *write(void *unused)
{
	int expected = 0;
	atomic_compare_exchange_strong_explicit(&data, &expected, input, memory_order_relaxed, memory_order_relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	int seen = LOAD(flag, relaxed), value = LOAD(data, relaxed);
#ifdef THERE
	assert(seen <= 1 && (value == 0 || value == input));
#else
	assert(!seen || value == input); /* ERROR */
#endif
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar();
}

#elif defined COPIED

static void *write(void *unused)
{
	STORE(data, -1, relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	int seen = LOAD(flag, relaxed), value = LOAD(data, relaxed);
#ifdef THERE
	assert(seen <= 1 && (value == -1 || value == input));
#else
	assert(!seen || value == -1); /* ERROR */
#endif
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar();
	memcpy((void *)&data, &input, sizeof data);
}

#elif defined SB

static int seen[2];

static void *write(void *unused)
{
	STORE(data, input, relaxed);
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	seen[0] = LOAD(flag, relaxed);
	return unused;
}

static void *read(void *unused)
{
	STORE(flag, input, relaxed);
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	seen[1] = LOAD(data, relaxed);
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_uchar();
}

#elif defined LATE

static void *write(void *unused)
{
	STORE(data, 1, relaxed);
	STORE(data, 2, relaxed);
	STORE(flag, 1, relaxed);
	return unused;
}

static void *read(void *unused)
{
	if (LOAD(flag, relaxed) && LOAD(data, relaxed) == 1)
		assert(input != 123456); /* ERROR */
	return unused;
}

static void prepare(void)
{
	input = bitspin_any_int();
}

#endif

int main(void)
{
	pthread_t threads[2];
	prepare();
	pthread_create(&threads[0], NULL, write, NULL);
	pthread_create(&threads[1], NULL, read, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#ifdef SB
	assert(input == 0 || seen[0] || seen[1]); /* ERROR */
#endif
	(void)plain;
	return 0;
}
