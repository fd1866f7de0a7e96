/* SPDX-License-Identifier: MIT
 *
 * C11 atomics and __atomic/__sync built-ins: every size and operation, pointers, bool, floats, flags, fences.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static _Atomic int8_t a8 = -1;
static _Atomic uint16_t a16 = 65535;
static _Atomic int32_t a32 = 100;
static _Atomic uint64_t a64 = 1ull << 63;
static atomic_bool flag;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static int values[4] = {1, 2, 3, 4};
static int *_Atomic pointer = values;
static _Atomic double real = 1.5;
static int plain = 7;

#define OPERATIONS(type, object) do { \
	object = 12; \
	assert(atomic_fetch_add(&object, 5) == 12 && object == 17); \
	assert(atomic_fetch_sub(&object, 7) == 17 && object == 10); \
	assert(atomic_fetch_and(&object, 6) == 10 && object == 2); \
	assert(atomic_fetch_or(&object, 9) == 2 && object == 11); \
	assert(atomic_fetch_xor(&object, 3) == 11 && object == 8); \
	assert(atomic_exchange(&object, 20) == 8 && object == 20); \
	type expected = 21; \
	assert(!atomic_compare_exchange_strong(&object, &expected, 30) && expected == 20); \
	assert(atomic_compare_exchange_strong(&object, &expected, 30) && object == 30); \
	while (!atomic_compare_exchange_weak_explicit(&object, &(type){30}, 31, \
		memory_order_acq_rel, memory_order_relaxed)) \
		; \
	object++; \
	--object; \
	object += 2; \
	object |= 4; \
	object ^= 1; \
	assert(object == 36); \
} while (0)

int main(void)
{
	assert(a8 == -1 && a16 == 65535 && a32 == 100 && a64 == 1ull << 63);
	a8 += 1;
	a16 += 1;
	a64 += 1ull << 63;
	assert(a8 == 0 && a16 == 0 && a64 == 0);
	OPERATIONS(int8_t, a8);
	OPERATIONS(uint16_t, a16);
	OPERATIONS(int32_t, a32);
	OPERATIONS(uint64_t, a64);
	assert(!atomic_exchange(&flag, true) && flag);
	assert(!atomic_flag_test_and_set(&spin) && atomic_flag_test_and_set(&spin));
	atomic_flag_clear(&spin);
	assert(!atomic_flag_test_and_set(&spin));
	assert(*pointer++ == 1);
	assert(*pointer == 2);
	pointer = pointer + 2;
	assert(*pointer == 4);
	int *expected = values;
	assert(!atomic_compare_exchange_strong(&pointer, &expected, values) && expected == &values[3]);
	real = real + 2;
	assert(real == 3.5);
	assert(__sync_fetch_and_add(&plain, 3) == 7 && __sync_add_and_fetch(&plain, 1) == 11);
	assert(__sync_sub_and_fetch(&plain, 1) == 10);
	assert(__sync_bool_compare_and_swap(&plain, 10, 20) && __sync_val_compare_and_swap(&plain, 1, 2) == 20);
	assert(__atomic_load_n(&plain, __ATOMIC_ACQUIRE) == 20 && __atomic_fetch_nand(&plain, 4, __ATOMIC_SEQ_CST) == 20);
	assert(plain == ~4);
	__atomic_store_n(&plain, 1, __ATOMIC_RELEASE);
	assert(__atomic_exchange_n(&plain, 9, __ATOMIC_ACQ_REL) == 1);
	assert(__sync_lock_test_and_set(&plain, 3) == 9);
	__sync_lock_release(&plain);
	__sync_synchronize();
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_acquire);
	assert(plain == 0);
	atomic_init(&a32, 5);
	assert(atomic_load_explicit(&a32, memory_order_relaxed) == 5 && atomic_is_lock_free(&a32));
	return 0;
}
