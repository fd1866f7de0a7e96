/* SPDX-License-Identifier: MIT
 *
 * Arguments and standard input as choices: every combination of what the options name is tried, nothing else is, and what is
 * chosen has its exact size, stays chosen, and may be written to.
 *
 * RUN: check --arg 2=slow --arg 3=1..3 --stdin tests/world/inputs/five --stdin tests/world/inputs/empty -- 8 fast
 * EXPECT: verified
 * RUN: check --arg 2=slow --arg 3=1..4 --stdin tests/world/inputs/five -- 8 fast
 * EXPECT: violated assertion
 * RUN: check -DONE --arg 2=slow --arg 3=1..3 --stdin tests/world/inputs/five -- 8 fast
 * EXPECT: violated assertion
 * RUN: check --arg 2=slow --arg 2=wrong --arg 3=2 -- 8 fast
 * EXPECT: violated assertion
 * RUN: check --arg 2=slow --arg 3=2 --stdin tests/world/inputs/five --stdin tests/world/inputs/seven -- 8 fast
 * EXPECT: violated assertion
 * RUN: check --arg 2=slow --arg 3=2 --stdin tests/world/inputs/seven --stdin tests/world/inputs/five -- 8 fast
 * EXPECT: violated assertion
 * RUN: check -DBEYOND --arg 2=fasten --arg 3=2 -- 8 slower
 * EXPECT: verified for empty standard input
 * RUN: check -DBEYOND --arg 2=slow --arg 3=2 -- 8 slower
 * EXPECT: violated out-of-bounds
 * RUN: check --arg 2=slow --arg 3=-1..3 --races ignore -- 8 fast
 * EXPECT: violated assertion
 * RUN: check --arg 2=slow --arg 3=1..3 --search dfs --identity hb,lcd -- 8 fast
 * EXPECT: verified for empty standard input
 * RUN: check --arg 2=slow --arg 3=1..3 --ltl '<> {finished == 1}' -- 8 fast
 * EXPECT: verified for empty standard input
 * RUN: check --arg 3=1..300 -DMANY -- 8 fast
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **arguments;
static int seen, finished;

static void *work(void *unused)
{
	int n = atoi(arguments[3]);
#ifdef MANY
	assert(n != 257); /* ERROR */
#else
	assert(n >= 1 && n <= 3); /* ERROR */
#endif
#ifdef ONE
	assert(n != 2 || arguments[2][0] != 's'); /* ERROR */
#endif
	arguments[2][0] = 'X';
	seen = n;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int number, again;
	assert(argc == 4 && !argv[4] && !strcmp(argv[1], "8"));
#ifdef BEYOND
	if (argv[2][5] == 'e') /* ERROR */
		return 1;
#else
	assert(!strcmp(argv[2], "fast") || !strcmp(argv[2], "slow")); /* ERROR */
#endif
	arguments = argv;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	assert(argv[2][0] == 'X' && atoi(argv[3]) == seen);
	int got = scanf("%d", &number);
	assert(got == EOF || (got == 1 && number == 5)); /* ERROR */
	if (got == 1) {
		rewind(stdin);
		assert(scanf("%d", &again) == 1 && again == 5);
	}
	finished = 1;
	return 0;
}
