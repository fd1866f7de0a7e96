#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin profile: its figures against those of searches.  Where it has seen all states, it has seen as many as a search; and a search
# without a variable has no more states than the profile says would be left.
#
#     usage: tests/profile.sh BITSPIN [FILTER]
source "$(dirname "$0")/lib.sh"
own_cache
quick_pans
ln -s "$root/examples" .

cat >pool.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned hits, turn;
static int *box;
static void *work(void *argument)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		hits = hits * 3 + (unsigned)(long)argument;
		if (turn < 3)
			turn++;
		*box = i + 1;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	box = calloc(1, sizeof *box);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	hits = 0; /* a mask leaves final states as they are */
	free(box);
	return 0;
}
C

states() { "$bitspin" check --json - -q "$@" | jq .statistics.states; }

# as_many ARGUMENT...: all states, and as many as a search has.
as_many()
{
	run 0 profile --json result.json "$@" && says 'which are all that a search visits' &&
		[ "$(jq .states result.json)" = "$(states "$@")" ] && jq -e '.complete and (.parts | length > 0) and (.lines | length > 0)' result.json
}
unreduced() { as_many --reduction none pool.c; }
# Persistent sets depend on the order of a search.
reduced() { as_many --reduction supersteps,ends,transactions pool.c && as_many --reduction supersteps -DTHREADS=4 examples/barrier.c; }
# With all reductions a check stores fewer, and that is said.
fewer()
{
	run 0 profile --json result.json examples/barrier.c &&
		says '^[0-9]+ states, which are all; a check may store fewer \(by its reductions persistent, exits, sections, .*\)$' &&
		[ "$(states examples/barrier.c)" -lt "$(jq .states result.json)" ]
}
many_threads() { as_many --reduction supersteps,ends,transactions -DTHREADS=9 examples/barrier.c && jq -e '.threads | length == 9' result.json; }

# masked NAME: it saves something, and no less than the profile says.
masked()
{
	run 0 profile --json result.json --reduction none pool.c || return 1
	local without all masked
	without=$(jq --arg name "$1" '.parts[] | select(.name == $name) | .without' result.json)
	all=$(jq .states result.json)
	masked=$(states --reduction none --mask "$1" pool.c)
	echo "$all states, $without without $1, $masked under --mask"
	[ -n "$without" ] && [ "$without" -lt "$all" ] && [ "$masked" -le "$without" ]
}
history() { masked hits; }
names()
{
	run 0 profile --reduction none --json result.json pool.c && says 'hits \(global variable\)' && says 'pool.c:[0-9]+, threads 1-2 \(each' &&
		jq -e '[.parts[].name] | contains(["hits"]) and any(. != null and test("#")) ' result.json
}
values() { run 0 profile --reduction none --json result.json pool.c && jq -e '.parts[] | select(.name == "turn") | .values == 4' result.json; }
sample() { run 0 profile --states 50 --json result.json --reduction none pool.c && says '^50 states, drawn at random' && jq -e '.states == 50 and (.complete | not)' result.json; }
same_again()
{
	run 0 profile --states 200 --reduction none pool.c && cp out first && run 0 profile --states 200 --reduction none pool.c && cmp out first
}
advice() { run 0 profile --reduction none pool.c && says '^what may help:' && says '--mask leaves it out'; }
quiet() { run 0 profile -q pool.c && [ "$(wc -l <out)" = 1 ]; }
violated() { run 0 profile examples/deadlock.c && says 'what tells states apart'; }
one_thread() { printf 'int main(void) { return 0; }\n' >one.c && run 0 profile one.c && says '^(1 state, which is|2 states, which are) all'; }
no_number() { run 2 profile --states none pool.c && grep -q states err; }
no_file() { run 2 profile nothing.c && grep -q 'nothing.c' err; }

# It ends when its time is up, and says which run took it; each line names the loop around it.
late()
{
	cat >long.c <<'C'
static unsigned long sum;
int main(void)
{
	for (unsigned long i = 0; i < 10000000000; i++)
		sum += i;
	return (int)sum;
}
C
	run 0 profile --max-time 2 long.c && says 'drawn at random until the time was up' &&
		says '^thread 0 was in one uninterrupted run for [12] seconds \(at long.c:[45]\)$'
}
loops()
{
	run 0 profile --json result.json pool.c &&
		jq -e '[.lines[] | select(.function == "work")] | length > 0 and all(.loop.line == 8)' result.json
}
ok 'late' late
ok 'loops' loops
ok 'all states, unreduced' unreduced
ok 'all states, reduced' reduced
ok 'fewer in a check' fewer
ok 'more threads than eight' many_threads
ok 'a history that is masked' history
ok 'names' names
ok 'values' values
ok 'a sample' sample
threads_of_a_line() { run 0 profile --states 500 "$root/tests/stories/long.c" && says 'long.c:18, threads 1-6 \(each'; }
ok 'threads of a line' threads_of_a_line
ok 'the same sample again' same_again
ok 'advice' advice
ok 'quiet' quiet
ok 'a program that is wrong' violated
ok 'a program of one thread' one_thread
ok 'a number that is none' no_number
ok 'a file that is not there' no_file
finish
