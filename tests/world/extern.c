/* SPDX-License-Identifier: MIT
 *
 * Functions without a body do what --extern says: nothing, any value of a range, a value that depends on the arguments alone,
 * or what the host's function of the same name does.
 *
 * RUN: check --extern log_line=nop --extern pick=choose:-2..2 --extern hash=pure:0..3 --extern abs=native
 * EXPECT: verified
 * RUN: check -DLOW --extern log_line=nop --extern pick=choose:-2..2 --extern hash=pure:0..3
 * EXPECT: violated assertion
 * RUN: check -DEQUAL --extern log_line=nop --extern pick=choose:-2..2 --extern hash=pure:0..3
 * EXPECT: violated assertion
 * RUN: check --extern log_line=nop --extern pick=choose:-2..2 --extern hash=choose:0..3
 * EXPECT: violated assertion
 * RUN: check --extern log_line=nop --extern pick=choose:-2..3 --extern hash=pure:0..3
 * EXPECT: violated assertion
 * RUN: check --extern log_line=nop --extern pick=choose:-2..2 --extern hash=native
 * EXPECT: inconclusive: this machine has no function hash to call
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int log_line(const char *line);
long pick(void);
unsigned char hash(int key, unsigned char salt);

static int seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	int h = hash(1, 2);
	pthread_mutex_lock(&lock);
	assert(seen == 0 || seen == h + 1); /* ERROR */
	seen = h + 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int (*volatile absolute)(int) = abs;
	assert(log_line("text") == 0 && absolute(-3) == 3);
	long n = pick();
	assert(n >= -2 && n <= 2); /* ERROR */
#ifdef LOW
	assert(n != -2); /* ERROR */
#endif
#ifdef EQUAL
	assert(hash(1, 2) == hash(2, 1)); /* ERROR */
#endif
	assert(hash(1, 2) <= 3);
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	return 0;
}
