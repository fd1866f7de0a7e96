#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The first minute: words that a new user tries, and the messages that help on. Files without a command, names with typing errors, C++,
# times with units, other spellings.
#
#     usage: tests/minute.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
clang=$(command -v clang-14 || command -v clang-19 || command -v clang)
examples=$root/examples

says_error() { grep -Eqe "$1" err || { cat err; return 1; }; } # in one line
cp "$examples/lost_update_fixed.c" minute.c
means_check()
{
	run 0 minute.c && last verified && run 0 -q minute.c && equal lines "$(cat out)" verified &&
		run 0 -q --invariant 1 minute.c && equal value "$(cat out)" verified &&
		run 2 -q -x c++ minute.c && says_error 'only C can be checked' && run 0 -v --version && says '^bitspin' && run 0 -DX=1 -g --races ignore minute.c && last verified && run 2 absent.c && says_error "cannot read 'absent.c'" &&
		cp minute.c check && run 0 -q check minute.c && equal lines "$(cat out)" verified
}
meant_command()
{
	run 2 chekc minute.c && says_error "no command 'chekc'; did you mean 'check'\?" &&
		run 2 chk && says_error "did you mean 'check'\?" && run 2 simul && says_error "did you mean 'simulate'\?" && run 2 help cehck && says_error "did you mean 'check'\?" &&
		run 2 explain race && says_error "did you mean 'data-race'\?" && run 2 check --checks=-leak minute.c && says_error "did you mean 'memory-leak'\?" &&
		run 2 frobnicate && says_error "no command 'frobnicate' \(see"
}
meant_option()
{
	run 2 check --invariants=1 minute.c && says_error "check has no option '--invariants'; did you mean '--invariant'\?" &&
		run 2 check --max-tiem 9 minute.c && says_error "did you mean '--max-time'\?" &&
		run 2 check --optimse=1 minute.c && says_error "did you mean '--optimise'\?|did you mean '--optimize'\?" &&
		run 2 check --hlep && says_error "did you mean '--help'\?" && run 0 check --inv '1' minute.c && run 0 check --mask=--x --help &&
		run 2 replay --invariant 1 x && says_error "replay has no option '--invariant'; it is one of other commands"
}
# One run of a thread takes all the time.
cat >endless.c <<'C'
#include <pthread.h>
static unsigned hash;
static void *work(void *p)
{
	for (unsigned long i = 0; i < 1000000000000; i++)
		hash = hash * 31 + (unsigned)i;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
}
C
# What is inconclusive ends in commands, each of which leads on.
advice()
{
	next() { command=$(sed -n "s/^  \(bitspin [^#]*\)  #.*$1.*/\1/p" out | head -n 1) && [ -n "$command" ] && eval "'$bitspin' ${command#bitspin}" >out 2>err; }
	run 3 check --max-depth 2 minute.c && says '^what may lead to a verdict:$' && next 'as deep as' && last verified || return 1
	cat >deep.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *twice(void *p) { n = n * 2 + 1; n = n * 2; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, twice, 0);
	n = n + 3;
	n = n + 5;
	pthread_join(t, 0);
	assert(n < 1000);
}
C
	run 3 check --preemptions 0 deep.c && next 'one bound after the other' && last verified || return 1
	run 3 check --search random --walks 20 --json r.json deep.c -- 'a word' && jq -e '.next[0].command | endswith("deep.c -- '"'a word'"'")' r.json >jq.out &&
		next 'keeps whole states' && last verified || return 1
	cat >input.c <<'C'
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void)
{
	int n = __VERIFIER_nondet_int();
	if ((unsigned)n * 3u == 10u && n == 7)
		reach_error();
}
C
	run 3 check --profile svcomp --inputs few input.c && next 'as sets' && last verified || return 1
	cat >digits.c <<'C'
#include <assert.h>
#include <bitspin.h>
int main(void)
{
	unsigned n = 0;
	for (int i = 0; i < 8; i++)
		n = n * 16 + bitspin_any_uchar() % 16u;
	assert(n != 0x1234567 || n % 16 == 7);
}
C
	run 3 check --inputs sets --max-time 5 digits.c && next 'is not told apart' && last verified || return 1
	printf '#include <unistd.h>\nint main(void) { return chroot("/") > 1; }\n' >function.c
	run 3 check function.c && next 'returns 0 or 1' && last verified || return 1
	run 3 swarm -j 1 --max-time 2 endless.c && says '^  bitspin swarm --max-time 10 -j 1 endless.c  # more searches'
}
# Where one run takes all the time, its place is named, also by random walks; a command with another checkpoint's name would be refused.
one_run()
{
	run 3 check --max-time 2 endless.c && last 'inconclusive: * thread 1 was in one uninterrupted run for * (at endless.c:*)' &&
		says '^  # try fewer rounds of the loop at endless.c:[56], or less data there' || return 1
	timeout 60 script -qec "TERM=xterm '$bitspin' check --max-time 4 endless.c" shown >shown.out 2>&1 </dev/null
	tr '\r' '\n' <shown | grep -Eq '^[0-9] s: a thread is in its first run without a stop' || { cat shown; return 1; }
	run 3 check --search random --max-time 2 endless.c && last 'inconclusive: no random walk came to its end: *' &&
		says '^  bitspin check --max-time 2 endless.c  # keeps whole states'
}
checkpoint()
{
	cat >rounds.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *work(void *p)
{
	for (int i = 0; i < 40; i++)
		n = n * 3 + (int)(long)p;
	return p;
}
int main(void)
{
	pthread_t t[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	assert(n != 1);
}
C
	run 3 check --checkpoint bounds --preemptions iterate --max-time 2 rounds.c &&
		says '^  bitspin check --max-time 10 --checkpoint bounds --preemptions iterate rounds.c  # goes on from the checkpoint$' &&
		equal 'commands with the checkpoint' "$(grep -c '^  bitspin .*--checkpoint' out)" 1 || return 1
	run 3 check --checkpoint others --max-time 2 rounds.c && says "^note: 'others' keeps [0-9]+ bounds? on preemptions and .* not the exhaustive search" &&
		! says '^  bitspin .*--checkpoint'
}
meant_kind()
{
	run 2 check --checks=-data-rcae minute.c && says_error "no kind of violation 'data-rcae'; did you mean 'data-race'\? known are" &&
		run 2 check --checks=-nothing minute.c && says_error "no kind of violation 'nothing'; known are"
}
no_cplusplus()
{
	local suffix
	for suffix in cpp cc cxx C hpp; do
		echo 'int main() { return 0; }' >"minute.$suffix"
		run 2 check "minute.$suffix" && says_error "C\+\+ is not supported: 'minute.$suffix'" && run 2 "minute.$suffix" &&
			says_error 'C\+\+ is not supported' || return 1
	done
	"$clang" -c -emit-llvm -o bitcode.cc minute.c && run 0 check bitcode.cc
}
times()
{
	local time
	for time in 90:90 90s:90 1m:60 2h:7200 1m30s:90 1h5s:3605; do
		run 0 check --max-time "${time%:*}" --json r.json minute.c && equal "$time" "$(jq .options.max_time r.json)" "${time#*:}" || return 1
	done
	run 0 check --timeout 1m --json r.json minute.c && equal timeout "$(jq .options.max_time r.json)" 60 || return 1
	for time in '' 0 0m -1 1.5 1d 5s1m 1m1m 1m5 m 1000000001 277778h 99999999999999999999s; do
		run 2 check --max-time="$time" minute.c && says_error "^bitspin: --max-time takes a time .* as 90, 90s, 1m30s or 2h, not '$time'" || return 1
	done
}
cores()
{
	local word
	for word in -j2 '-j 2' '--cores 2'; do
		# shellcheck disable=SC2086
		run 0 check $word --json r.json minute.c && equal "$word" "$(jq .options.cores r.json)" 2 || return 1
	done
	run 2 check -j minute.c && says_error "cores takes a whole number" && run 0 help swarm && says '-j, --jobs=N' && says '^ +--cores=N'
}
cat >kinds.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *p)
{
	x++;
	return p;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	x++;
	pthread_join(thread, NULL);
	assert(x == 3);
}
C
all_kinds()
{
	run 1 check --checks=-all,+data-race kinds.c && last 'violated: data-race *' &&
		run 1 check --checks=-all,+assertion kinds.c && last 'violated: assertion *' &&
		run 0 check --checks=-all,+deadlock --json r.json kinds.c && last 'verified*' &&
		equal option "$(jq -r .options.checks r.json)" '-all,+deadlock' && run 0 check --checks=-data-race,-all kinds.c &&
		run 1 check --checks=-all,all kinds.c && last 'violated: data-race *' &&
		run 1 check --checks=all,-data-race kinds.c && last 'violated: assertion *' &&
		run 1 check --checks=-all --invariant 'x < 1' kinds.c && last 'violated: invariant *'
}
invariants()
{
	echo 'int count; static struct { int in; } s; int main(void) { count = 1; s.in = 2; return 0; }' >globals.c
	run 2 check --invariant 'countt < 3' globals.c &&
		equal unknown "$(cat err)" "bitspin: --invariant 'countt < 3': at column 1: use of undeclared identifier 'countt'; did you mean 'count'?" &&
		run 2 check --invariant 1 --invariant 's.im < 3' globals.c && says_error "^bitspin: --invariant 's.im < 3': at column 3: no member named 'im'" &&
		run 2 check --invariant 'count <' --invariant 1 globals.c && says_error "^bitspin: --invariant 'count <': at its end: expected expression" &&
		run 2 check --invariant $'count <\n 3 &&\n s.im' globals.c && says_error 'in line 3: no member' &&
		run 0 check --invariant 1 --invariant $'count < 1 // or\n|| count < 3' globals.c && run 0 check --invariant 'count < 3 // few' globals.c &&
		run 2 check --invariant 'conut() < 3' globals.c && says_error "^bitspin: in the invariant: function 'conut' is not defined" &&
		run 2 check --invariant 'count < 3' -Dcount='=' globals.c && says_error "'globals.c' does not compile"
}
ok invariants invariants
# The first lines of the help are what most people need, and each of them works.
begin_of_help()
{
	local words
	run 0 help check && head -n 17 out >begin && grep -q 'bitspin check prog.c ' begin && sed -n 's/^  \(-.*[^ ]\)   *[a-zA-Z.].*/\1/p' begin >options &&
		equal options "$(wc -l <options)" 8 || return 1
	while read -r words; do
		words=${words//DIR/kept} words=${words//n <=/1 <=}
		eval "run 0 check $words minute.c" || { echo "$words"; return 1; }
	done <options
}
ok help begin_of_help
# Who may not write where it goes is told what to do, before anything is written.
no_rights()
{
	local as=()
	[ "$(id -u)" != 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${as[@]}" test -r "$root/Makefile" || return 0 # nothing can be said for another user
	"${as[@]}" make -s -C "$root" -o all install PREFIX=/usr/nowhere/bitspin >out 2>err
	[ $? = 2 ] && says_error '^cannot write to /usr; .*without: make install PREFIX=\$HOME/.local$' && ! grep -q '^install:' err
}
ok no-rights no_rights
# The help of each command has no line of blanks only, and none that is too wide but examples.
help_lines()
{
	local command
	for command in check audit compare confirm linearize orders profile replay simulate swarm generate; do
		run 0 help "$command" && cp out help.txt && run 0 "$command" --help && cmp out help.txt && ! grep -n '^ \+$' out &&
			! grep -v '^  bitspin' out | grep -E '.{80}' || return 1
	done
}
ok help-lines help_lines
# A swarm knows other spellings and abbreviations, too, and keeps what is its own from its searches.
of_swarm()
{
	run 0 swarm --timeout 20s --max-mem 2000 -j 1 --inv 1 minute.c && last 'verified*' && says '^found by: .* --inv 1 minute.c$' &&
		! says '^found by: .*(--timeout|--max-mem |-j )'
}
meant_by_hand()
{
	printf '%s\n' setp 'help bactk' 'frobnicate 1' | timeout 60 "$bitspin" simulate minute.c >out 2>err
	cat err >>out
	says "no command 'setp'; did you mean 'step'\? 'help' lists them" && says "no command 'bactk'; did you mean 'back'\?" &&
		says "no command 'frobnicate 1'; 'help' lists them"
}
completed()
{
	"$bitspin" completion bash >completion && [ "$(bash -c '. ./completion; COMP_WORDS=(bitspin minut) COMP_CWORD=1; _bitspin; echo "${COMPREPLY[@]}"')" = minute.c ]
}
ok swarm of_swarm
ok by-hand meant_by_hand
ok completion completed
ok times times
ok cores cores
ok kinds all_kinds
ok check means_check
ok command meant_command
ok option meant_option
ok advice advice
ok one-run one_run
ok checkpoint checkpoint
ok kind meant_kind
ok cplusplus no_cplusplus
finish
