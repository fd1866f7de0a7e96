#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random programs with a thread that signals interrupt, each written twice: in C for bitspin and in Promela for SPIN alone, where
# the thread may run a handler before each of its accesses.  Both must find the same kinds of violation among {assertion, deadlock}.
# Variables v are the thread's and its handlers', plain and volatile; a are atomic and everybody's; there are a mutex and a semaphore.
# Two signals have handlers, which may interrupt each other.
#
#     usage: tests/bench/random_signals.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/twins.sh"
campaign=random_signals
searches=('' '--interrupts all' '-O1 --interrupts shared' '--search bfs')

# Code is a list of words such as "add:v0:2"; random ones of these kinds, so many; in REPLY, as the numbers of a
# subshell would not follow from the seed.
code()
{
	local count=$1 kinds=($2) list=() n
	for ((n = 0; n < count; n++)); do
		list+=("${kinds[RANDOM % ${#kinds[@]}]}:$((RANDOM % 2)):$((1 + RANDOM % 3))")
	done
	[[ " ${list[*]} " != *" lock:"* ]] || list+=(unlock:0:0)
	REPLY="${list[*]}"
}

# The statement in C.  A second lock, or an unlock without one, are left out by the caller.
in_c()
{
	local kind i k
	IFS=: read -r kind i k <<<"$1"
	case $kind in
	set) echo "v$i = $k;" ;;
	get) echo "r = v$i;" ;;
	put) echo "v$i = r;" ;;
	add) echo "v$i = v$i + $k;" ;;
	count) echo "atomic_fetch_add(&a$i, $k);" ;;
	store) echo "a$i = $k;" ;;
	same) echo "assert(v0 != $k || v1 != $((i + 1)));" ;;
	post) echo "sem_post(&s);" ;;
	wait) echo "sem_wait(&s);" ;;
	lock) echo "pthread_mutex_lock(&m);" ;;
	unlock) echo "pthread_mutex_unlock(&m);" ;;
	block) echo "mask(SIG_BLOCK, $i);" ;;
	unblock) echo "mask(SIG_UNBLOCK, $i);" ;;
	kill) echo "pthread_kill(t, $i ? SIGUSR2 : SIGUSR1);" ;;
	esac
}

# Before this statement the thread may run the handlers in $2, any number of times; the statement ends the loop.
may_run()
{
	local h rest
	echo "do :: $1; break"
	for h in $2; do
		rest=${2/$h/}
		echo ":: atomic { pending[$h] && !blocked[$h] && !inside[$h] -> pending[$h] = false; inside[$h] = true };"
		in_promela "h$h" "$rest" "${handler[h]}"
		may_run "skip" "$rest"
		echo "inside[$h] = false"
	done
	echo "od;"
}

# Code in Promela, of a thread or handler (whose register is called $1), which the handlers in $2 may interrupt.
in_promela()
{
	local name=$1 handlers=$2 word kind i k
	for word in $3; do
		IFS=: read -r kind i k <<<"$word"
		case $kind in
		set) may_run "v[$i] = $k" "$handlers" ;;
		get) may_run "$name = v[$i]" "$handlers" ;;
		put) may_run "v[$i] = $name" "$handlers" ;;
		add)
			may_run "t$name = v[$i]" "$handlers"
			may_run "v[$i] = t$name + $k" "$handlers" ;;
		count) may_run "a[$i] = a[$i] + $k" "$handlers" ;;
		store) may_run "a[$i] = $k" "$handlers" ;;
		same)
			may_run "t$name = v[0]" "$handlers"
			echo "if :: t$name == $k ->"
			may_run "assert(v[1] != $((i + 1)))" "$handlers"
			echo ":: else fi;" ;;
		post) may_run "s++" "$handlers" ;;
		wait) may_run "atomic { s > 0 -> s-- }" "$handlers" ;;
		lock) may_run "atomic { !m -> m = true }" "$handlers" ;;
		unlock) may_run "m = false" "$handlers" ;;
		block) may_run "blocked[$i] = true" "$handlers" ;;
		unblock) # what is pending then is not late
			may_run "blocked[$i] = false" "$handlers"
			echo "do :: atomic { pending[$i] && !blocked[$i] && !inside[$i] -> pending[$i] = false; inside[$i] = true };"
			in_promela "h$i" "${handlers/$i/}" "${handler[i]}"
			may_run "skip" "${handlers/$i/}"
			echo "inside[$i] = false"
			echo ":: else -> break od;" ;;
		kill) echo "if :: ended -> skip :: else -> pending[$i] = true fi;" ;;
		esac
	done
}

# Leave out what does not fit: a lock that is held, the unlock of one that is not.
fitting()
{
	local held='' word list=()
	for word in $1; do
		case $word in
		lock:*) [ -z "$held" ] || continue; held=yes ;;
		unlock:*) [ -n "$held" ] || continue; held='' ;;
		esac
		list+=("$word")
	done
	echo "${list[@]}"
}

body() # code in C, a line each
{
	local word
	for word in $1; do
		printf '\t%s\n' "$(in_c "$word")"
	done
}

generate()
{
	RANDOM=$1
	local safe='set get put add add count' v=$((RANDOM % 4)) w=$((RANDOM % 4)) u=$((RANDOM % 4))
	[ $((RANDOM % 2)) = 0 ] || safe+=' post count store'
	code $((1 + RANDOM % 2)) "$safe same"
	handler=("$REPLY")
	code $((1 + RANDOM % 2)) "$safe"
	handler+=("$REPLY")
	code $((2 + RANDOM % 4)) "$safe set add same wait lock unlock block unblock"
	thread=$(fitting "$REPLY")
	code $((1 + RANDOM % 3)) "count store wait post lock unlock kill kill"
	sender=$(fitting "$REPLY")
	sender="kill:$((RANDOM % 2)):0 $sender"
	c="#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
static volatile int v0, v1;
static atomic_int a0, a1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static void mask(int how, int second)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, second ? SIGUSR2 : SIGUSR1);
	pthread_sigmask(how, &set, NULL);
}
static void first(int number) {
	int r = 0;
$(body "${handler[0]}")
	(void)r, (void)number;
}
static void second(int number) {
	int r = 0;
$(body "${handler[1]}")
	(void)r, (void)number;
}
static void *work(void *p) {
	int r = 0;
$(body "$thread")
	(void)r;
	return p;
}
int main(void) {
	pthread_t t;
	struct sigaction one = { .sa_handler = first, .sa_flags = SA_RESTART }, two = { .sa_handler = second, .sa_flags = SA_RESTART };
	sem_init(&s, 0, 0);
	sigaction(SIGUSR1, &one, NULL);
	sigaction(SIGUSR2, &two, NULL);
	(void)mask;
	pthread_create(&t, NULL, work, NULL);
$(body "$sender")
	pthread_join(t, NULL);
	assert(!(v0 == $v && v1 == $w) && a0 != $u);
	return 0;
}
"
	pml="int v[2], a[2], s;
bool m, pending[2], blocked[2], inside[2], ended;
active proctype worker() { int r, tr, h0, th0, h1, th1;
$(in_promela r '0 1' "$thread")
$(may_run "skip" '0 1')
ended = true }
active proctype sender() { int r, tr;
$(in_promela r '' "$sender")
ended; assert(!(v[0] == $v && v[1] == $w) && a[0] != $u) }
"
}

by_bitspin()
{
	timeout 100 "$BITSPIN" check --quiet --all --checks=-signal-unsafe-call --cores 1 --json r.json "$@" p.c >out 2>&1
	[ $? -le 1 ] || { echo "failed: $(tail -n 1 out)"; return; }
	jq -r '[.violations[].kind] | unique | map(. + " ") | join("")' r.json
}

compare_twins "$@"
