#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Every search of the command (--search, --cores, --seed, --shortest): a violation is found in each, and its story ends in it; and where
# there is none, those that store all states verify, with as many states, and the others say what they have covered and never do.
# Nothing that goes wrong with one of several processes passes for a complete search.
#
#     usage: tests/searches.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
quick_pans

whole=('--search dfs' '--cores 1' '--search bfs' '--shortest' '--seed 3' '--cores 2' '--cores 3 --seed 5' '--search bfs --cores 2' '--search bfs --seed 2')
partial=('--search hash-compact' '--search hash-compact --seed 9' '--search bitstate' '--search bitstate --seed 4' '--search random --walks 300')

# Kind of violation or -, file, options.
programs='
- examples/barrier.c -DTHREADS=3 -DSTEPS=2
- tests/threads/peterson.c
deadlock tests/threads/philosophers.c -DN=3
assertion examples/lost_update.c
use-after-free examples/use_after_free.c --races ignore
'

# Searches that store hashes of states keep few states, and make room for others all the time here: BITSPIN_RENEW, in KB.
export BITSPIN_RENEW=4

states() { jq .statistics.states "$1"; }

verifies() # file options -- modes
{
	local mode expected
	run 0 check -q --json plain.json --reduction supersteps,ends,transactions "$root/$1" ${@:2} || return 1
	expected=$(states plain.json)
	for mode in "${whole[@]}"; do
		run 0 check -q --json mode.json --reduction supersteps,ends,transactions "$root/$1" ${@:2} $mode && last 'verified*' || { echo "$mode"; return 1; }
		equal "states with $mode" "$(states mode.json)" "$expected" || return 1
		[[ $mode != *cores* ]] || run 0 check -q "$root/$1" ${@:2} $mode && last 'verified*' || { echo "$mode, all reductions"; return 1; }
	done
	for mode in "${partial[@]}"; do
		run 3 check -q --json mode.json --reduction supersteps,ends,transactions "$root/$1" ${@:2} $mode || { echo "$mode"; return 1; }
		[[ $mode == *random* ]] || equal "states with $mode" "$(states mode.json)" "$expected" || return 1
		jq -e '.statistics | .bytes <= .resident' mode.json >/dev/null || { echo "$mode: more memory for states than in all"; return 1; }
		case $mode in
		*random*) last 'inconclusive: no violation in 300 random walks (* steps)*' ;;
		*) last 'inconclusive: no violation, more than 99.99 % of states estimated (* states seen)' ;;
		esac || { echo "$mode"; return 1; }
	done
}

violates() # kind file options
{
	local mode
	for mode in "${whole[@]}" "${partial[@]}"; do
		run 1 check --json mode.json "$root/$2" ${@:3} $mode &&
			jq -e --arg kind "$1" '.violations | length == 1 and .[0].kind == $kind and (.[0].trace | length > 0)' mode.json || { echo "$mode"; return 1; }
	done
}

# A hash of 32 bits would lose four or five of so many states.
many_states()
{
	run 3 check -q --search hash-compact --reduction supersteps --json compact.json -DTHREADS=9 "$root/examples/barrier.c" &&
		equal 'states with hash-compact' "$(states compact.json)" 204558
}

# The table of two processes gets a second index here, while both search: no state is in both.
many_on_cores()
{
	run 0 check -q --cores 2 --reduction none --json cores.json -DN=3 -DROUNDS=6 "$root/tests/bench/pairs/peterson.c" &&
		equal 'states on two cores' "$(states cores.json)" 517745
}

# The path of any process may be too long.
deep_on_cores()
{
	run 3 check -q --cores 2 --reduction none --max-depth 290 -DN=3 -DROUNDS=6 "$root/tests/bench/pairs/peterson.c" &&
		last 'inconclusive: depth limit 290 reached'
}

# Values that the program chooses are on the way that a step comes from, when another process gets it.
choices_on_cores()
{
	local wanted
	cat >numbers.c <<-'EOF'
	#include <assert.h>
	#include <bitspin.h>
	#include <pthread.h>
	#include <stdatomic.h>

	static atomic_int numbers[3];

	static void *choose(void *number)
	{
		for (int i = 0; i < 3; i++)
			*(atomic_int *)number = *(atomic_int *)number * 2 + bitspin_choose(0, 1);
		return 0;
	}

	int main(void)
	{
		pthread_t threads[3];
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], 0, choose, &numbers[i]);
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], 0);
		assert(numbers[0] * 100 + numbers[1] * 10 + numbers[2] != WANTED);
		return 0;
	}
	EOF
	local -x BITSPIN_CREW=eager
	for wanted in 17 73 135 223 276 346 402 457 561 567 634 702 750 763; do
		run 1 check -q --cores 4 --reduction none --keep chosen -DWANTED=$wanted numbers.c &&
			last 'violated: assertion at numbers.c:22: *' && run 0 confirm chosen || return 1
	done
}

# More threads than pan has room for when it hands over states, unless it is told.
many_threads_on_cores()
{
	cat >many.c <<-'EOF'
	#include <pthread.h>

	static int n;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	static void *add(void *unused)
	{
		pthread_mutex_lock(&lock);
		n++;
		pthread_mutex_unlock(&lock);
		return unused;
	}

	int main(void)
	{
		pthread_t threads[150];
		for (int i = 0; i < 150; i++)
			pthread_create(&threads[i], 0, add, 0);
		for (int i = 0; i < 150; i++)
			pthread_join(threads[i], 0);
		return n != 150;
	}
	EOF
	run 3 check -q --cores 2 --max-time 3 many.c && last 'inconclusive: time limit of 3 seconds*'
}

# With --shortest, there is no shorter schedule than what the depth-first search of all bounds finds.
shortest()
{
	local depth
	run 1 check -q --shortest --reduction none --json shortest.json "$root/tests/threads/philosophers.c" -DN=3 || return 1
	depth=$(jq .statistics.depth shortest.json)
	run 0 check -q --max-depth 1000 --search bfs -DN=3 -DLEFT --reduction none "$root/tests/threads/philosophers.c" || return 1
	[ "$depth" -le 12 ] || { echo "depth $depth"; return 1; }
}

# The walks depend on the seed alone.
walks_again()
{
	run 1 check --search random --seed 11 --json one.json -DN=4 "$root/tests/threads/philosophers.c" &&
		run 1 check --search random --seed 11 --json two.json -DN=4 "$root/tests/threads/philosophers.c" &&
		equal walks "$(jq '[.statistics.walks, .statistics.transitions, .violations[0].message]' one.json)" \
			"$(jq '[.statistics.walks, .statistics.transitions, .violations[0].message]' two.json)"
}
walks_time()
{
	local start=$SECONDS
	run 3 check -q --search random --max-time 2 "$root/examples/barrier.c" && last 'inconclusive: no violation in * random walks (* steps)*' &&
		[ $((SECONDS - start)) -le 4 ]
}
# A walk needs more threads than the model has, and pointers in disguise: the check begins again with what it needs.
walks_threads() { run 3 check -q --search random --walks 20 -DTHREADS=10 -DSTEPS=1 "$root/examples/barrier.c" && last 'inconclusive: no violation in 20 random walks*'; }
walks_kept()
{
	run 1 check -q --search random --keep kept "$root/examples/deadlock.c" && [ -s kept/schedule ]
}
kept()
{
	run 1 check -q $1 --keep "kept2" "$root/examples/deadlock.c" && run 1 replay -q kept2 && last 'violated: deadlock*'
}

# Reductions cost more than they save here, and rest: the same verdict and last line as without them, by more states than with them.  Who says which reductions are wanted gets these.
cat >rests.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int level[3], last[3], inside, order;

static void *work(void *number)
{
	int me = (int)(intptr_t)number;
	for (int i = 0; i < 2 + (me < 2); i++) {
		for (int l = 1; l < 3; l++) {
			level[me] = l;
			last[l] = me;
			for (int k = 0; k < 3; k++)
				while (k != me && level[k] >= l && last[l] == me)
					;
		}
		assert(++inside == 1);
		order = order * 4 + me + 1;
		inside--;
		level[me] = 0;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(order != WRONG);
	return 0;
}
C
states_are() # condition on the numbers of states by all, none, and the default
{
	jq -n --argjson all "$(jq .statistics.states all.json)" --argjson none "$(jq .statistics.states none.json)" \
		--argjson usual "$(jq .statistics.states usual.json)" -e "$1" >/dev/null || { echo "not $1: $(jq -c .statistics all.json none.json usual.json)"; return 1; }
}
rested() # condition on how many states the report of the default says, null if it does not
{
	jq -e ".statistics.rested $1" usual.json >/dev/null || { echo "rested: $(jq .statistics.rested usual.json)"; return 1; }
}
rests_and_finds() # status, last line, order
{
	local row
	for row in 'all --reduction all' 'none --reduction none' usual; do
		run $1 check --cores 1 --json ${row%% *}.json -DWRONG="$3" rests.c $(words "$row") && last "$2" || { echo "$row"; return 1; }
	done
	states_are '$usual > 1.5 * $all' && rested '> 0'
}
words() { [[ $1 != *' '* ]] || echo "${1#* }"; }
# Two threads, which end: rests after the second window.  Locks, threads that are alike, and thread ends keep the reductions.
rests_late()
{
	local file=$root/tests/bench/published/fib.c
	run 0 check -q --cores 1 --reduction all --json all.json "$file" -DN=5 && run 0 check -q --cores 1 --reduction slicing,exits --json none.json "$file" -DN=5 &&
		run 0 check -q --cores 1 --json usual.json "$file" -DN=5 && states_are '$usual > 2 * $all and $usual < $none'
}
keeps_reductions() # file in tests/bench or here, options
{
	local file=$1
	[ -e "$file" ] || file=$root/tests/bench/$1
	run 0 check -q --cores 1 --json usual.json "$file" "${@:2}" &&
		run 0 check -q --cores 1 --reduction all --json all.json "$file" "${@:2}" && cp all.json none.json && states_are '$usual == $all' && rested '== null'
}

# Long work on memory of one's own, and one step that the others see: a few runs, each of hundreds of steps.
cat >long_runs.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int own[3], newest;
static void work(intptr_t me)
{
	for (int i = 0; i < 250; i++)
		own[me] += i;
}
static void *tell(void *number)
{
	work((intptr_t)number);
	newest = (int)(intptr_t)number;
	work((intptr_t)number);
	return NULL;
}
int main(void)
{
	pthread_t threads[3];
	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, tell, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return newest > 2;
}
C

cat >large.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int values[5];
static void *work(void *number)
{
	for (int i = 0; i < 40; i++)
		values[(intptr_t)number] = i;
	return NULL;
}
int main(void)
{
	pthread_t threads[5];
	for (intptr_t i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
# One of the processes is killed: $1 which of them, first or last; the rest are options.
a_process_dies()
{
	local which=$1 pid victim=
	shift
	"$bitspin" check -q --reduction none "$@" large.c >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 100); do
		sleep 0.1
		victim=$(ps -eo pid,ppid,pgid,args | awk -v of="$pid" '$2 == of && / -m100000 / { group = $1 } { pids[NR] = $1; groups[NR] = $3; line[NR] = $0 }
			END { for (i = 1; i <= NR; i++) if (group && groups[i] == group && pids[i] != group && line[i] ~ / -m100000 /) print pids[i] }' | head -n 1)
		[ -z "$victim" ] || break
	done
	[ -n "$victim" ] || { echo 'there was no second process'; kill -9 $pid; return 1; }
	sleep 0.5
	kill -9 "$victim"
	wait $pid
	equal status $? 3 && last 'inconclusive: a process of the search was killed, perhaps for want of memory'
}
# What keeps hashes says so when it is stopped, and says to programs what it has covered.
told_apart()
{
	run 3 check -q --json stopped.json --reduction none --max-time 2 "$@" large.c &&
		last 'inconclusive: time limit of 2 seconds reached after [1-9]* states; of the states met, more than 99.99 % were told apart' &&
		jq -e '.coverage | .told_apart > 0.9999' stopped.json &&
		run 3 check -q --json ended.json "$@" "$root/examples/barrier.c" &&
		jq -e '.coverage.told_apart > 0.999' ended.json
}
several_time() { run 3 check -q --reduction none --max-time 2 "$@" large.c && last 'inconclusive: time limit of 2 seconds reached after [1-9]* states*'; }
# So little memory is full after some seconds of CPU.
several_memory() { RUN_TIMEOUT=200 run 3 check -q --reduction none --max-memory 60 "$@" large.c && last 'inconclusive: memory limit of 60 MB reached after [1-9]* states*'; }
nothing_stays() { ! ipcs -m 2>/dev/null | grep -E '^0x4[cd]'; }

refused() # text, options
{
	run 2 check -q ${@:2} "$root/examples/barrier.c" && grep -q -- "$1" err
}

while read -r expected file options; do
	[ -n "$expected" ] || continue
	if [ "$expected" = - ]; then
		ok "verifies $file $options" verifies "$file" $options
	else
		ok "violates $file $options" violates "$expected" "$file" $options
	fi
done <<<"$programs"
ok shortest shortest
ok rests rests_and_finds 1 "violated: assertion at rests.c:34: assertion ?order != WRONG' failed" 22443
ok rests-late rests_late
ok rests-locks keeps_reductions pairs/queue.c -DTHREADS=5 -DPRODUCERS=3 -DCELLS=2
ok rests-long keeps_reductions long_runs.c --max-time 30
ok rests-ends keeps_reductions pairs/treiber.c -DN=4
ok many-states many_states
ok many-on-cores many_on_cores
ok deep-on-cores deep_on_cores
ok choices-on-cores choices_on_cores
ok many-threads-on-cores many_threads_on_cores
ok walks-again walks_again
ok walks-time walks_time
ok walks-threads walks_threads
ok walks-kept walks_kept
for options in '--search bitstate' '--cores 2' '--search bfs --cores 2'; do
	ok "kept $options" kept "$options"
done
for options in '--search dfs --cores 2' '--search bfs --cores 2'; do
	ok "dies $options" a_process_dies last $options
	ok "time $options" several_time $options
	ok "memory $options" several_memory $options
done
ok told-apart-hash-compact told_apart --search hash-compact
ok told-apart-bitstate told_apart --search bitstate
ok nothing-stays nothing_stays
one_core()
{
	local options program=$root/examples/lost_update_fixed.c
	for options in --all '--ltl "<> terminated"' '--identity hb --races ignore' '--mask x'; do
		eval "run 0 check -q --cores 1 $options" '"$program"' || { echo "$options"; return 1; }
	done
	run 3 check -q --cores 1 --preemptions 0 "$program" && run 3 check -q --cores 1 --search bitstate "$program"
}
ok one-core-goes-with-all one_core
ok refused-formula refused 'search for cycles' --search bitstate --ltl '<> terminated'
ok refused-cores-formula refused 'search for cycles' --cores 2 --ltl '<> terminated'
ok refused-bounds refused 'search of its own' --cores 2 --preemptions 2
ok refused-bounds-bitstate refused 'search of its own' --search bitstate --preemptions 2
ok refused-identity refused 'identity needs' --search hash-compact --identity hb --races ignore
ok refused-views refused 'need --search dfs or bfs' --search bitstate --mask x
ok refused-all refused 'do not go together' --cores 2 --all
ok refused-walks refused 'is for --search random' --walks 3
ok refused-shortest refused 'shortest needs' --shortest --search bitstate
ok refused-partial-cores refused 'start several searches' --search bitstate --cores 2
finish
