/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that need not be thread-safe (POSIX 2.9.1) race with each other, and order nothing else: -DHANDOVER
 * has getenv around a relaxed flag.  Readers alone do not race, nor do rand and the forms with a state of the caller's.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated data-race
 * RUN: check -DCASE=2
 * EXPECT: violated data-race
 * RUN: check -DCASE=3
 * EXPECT: violated data-race
 * RUN: check -DCASE=4
 * EXPECT: violated data-race
 * RUN: check -DCASE=5
 * EXPECT: violated data-race
 * RUN: check -DCASE=6
 * EXPECT: violated data-race
 * RUN: check -DCASE=7
 * EXPECT: violated data-race
 * RUN: check -DCASE=8
 * EXPECT: violated data-race
 * RUN: check -DCASE=9 --env B=1
 * EXPECT: verified
 * RUN: check -DCASE=10 --env B=1
 * EXPECT: verified
 * RUN: check -DCASE=11 --env B=1
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char text[2][8] = { "a b", "a b" }, assignment[] = "A=2";
static unsigned short seeds[2][3];
static int data;
static atomic_int flag;

static void act(int who)
{
	switch (CASE) {
	/* clang-format off */
	case 1: who ? (void)setenv("A", "b", 1) : (void)getenv("A"); break; /* ERROR */
	case 2: who ? (void)unsetenv("A") : (void)getenv("A"); break; /* ERROR */
	case 3: who ? (void)putenv(assignment) : (void)setenv("B", "b", 1); break; /* ERROR */
	case 4: who ? (void)clearenv() : (void)getenv("A"); break; /* ERROR */
	case 5: who ? srand48(1) : (void)lrand48(); break; /* ERROR */
	case 6: (void)drand48(); break; /* ERROR */
	case 7: (void)strtok(text[who], " "); break; /* ERROR */
	case 8: /* glibc takes no lock in getenv */
		if (who) {
			data = 1; /* ERROR */
			getenv("Q");
			atomic_store_explicit(&flag, 1, memory_order_relaxed);
		} else if (atomic_load_explicit(&flag, memory_order_relaxed)) {
			getenv("R");
			data = 2; /* ERROR */
		}
		break;
	case 9: (void)getenv("B"); break;
	case 10: (void)rand(); break;
	case 11: (void)erand48(seeds[who]); break;
	/* clang-format on */
	}
}

static void *thread(void *unused)
{
	act(1);
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, thread, NULL);
	act(0);
	pthread_join(other, NULL);
	return 0;
}
