#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin swarm: what it finds, what it says when it finds nothing, the engines that run its searches, checkpoints, and that
# nothing is left however it ends.
#
#     usage: tests/swarm.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
programs=$root/tests/bench/ladder
shallow=$programs/lock_order.c

# All programs but GNU parallel.
mkdir without
for path in ${PATH//:/ }; do
	ln -s "$path"/* without/ 2>/dev/null
done
rm -f without/parallel

finds()
{
	run 1 swarm --max-time 20 --json r.json "$@" "$shallow" && last 'violated: deadlock at *lock_order.c:*' &&
		says '^found by: .*bitspin check --json - --(search|preemptions) ' && says 'waits for .*, held by thread' || return 1
	line=$(sed -n 's/^found by: //p' out)
	eval "$line" >again.json # it is a plain command line, and finds it again
	[ "$(jq -c '[.verdict, .violations[0].kind]' again.json)" = '["violated","deadlock"]' ]
}
here() { PATH=$PWD/without finds --engine local; }
machines() { finds --engine parallel --sshlogin 1/:,1/:; }
report() { jq -e '.violations[0].trace | length > 0' r.json >/dev/null; } # of what was found last

verified() { run 0 swarm --max-time 20 "$root/examples/barrier.c" && last verified; }
nothing()
{
	run 3 swarm --jobs 2 --max-time 5 --max-memory 600 -DFIXED "$shallow" &&
		last 'inconclusive: 2 searches of 2 ended; no violation* in * random walks, in 0 bitstate searches' &&
		says '^([0-9]+ states, [0-9]+ transitions, )?[0-9]+ random walks, [0-9]+ steps, [0-9.]+ s$' &&
		says '^1 of 2: --preemptions iterate: inconclusive' && says '^2 of 2: --search random --seed 1: inconclusive'
}
# What to do against a want of memory is told once.  The memory is full after a fraction of a second of CPU; on a machine that does
# much else the search may need more time.
advised_once()
{
	local seconds
	for seconds in 6 60 120; do
		RUN_TIMEOUT=200 run 3 swarm --jobs 1 --max-time $seconds --max-memory 20 --reduction none -DFIXED "$shallow" || return 1
		! says 'memory limit of 20 MB reached' || break
	done
	says 'memory limit of 20 MB reached' && equal advice "$(grep -c 'allow more with --max-memory' out)" 1 && ! grep -q 'look for what shows soon' out
}
arguments()
{
	cat >arguments.c <<'C'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) { assert(argc == 3 && strcmp(argv[1], "it's") == 0 && strcmp(argv[2], "--jobs") == 0); }
C
	run 0 swarm -q --max-time 10 arguments.c -- "it's" --jobs && last verified
}
refused()
{
	run 2 swarm --search bfs "$shallow" && grep -q 'leave it out' err && run 2 swarm --all "$shallow" && run 2 swarm --ltl '<> done(0)' "$shallow" &&
		run 2 swarm --sshlogin : "$shallow" && grep -q 'engine parallel' err && run 2 swarm --max-time 5 none.c && grep -q none.c err &&
		run 2 swarm --checkpoint "$shallow" "$shallow" && grep -q 'did you mean' err
}

# Searches that are lost are told, with the words of whoever lost them.
lost()
{
	run 2 swarm --engine parallel --sshlogin 2/nosuchhost.invalid --max-time 10 "$shallow" &&
		grep -q '^bitspin: no search has left a report; parallel on nosuchhost.invalid: .' err || { cat err; return 1; }
	run 3 swarm --engine parallel --sshlogin 1/:,1/nosuchhost.invalid --max-time 6 -DFIXED "$shallow" &&
		grep -Eq '^bitspin: [12] search(es)? of 2 left no report; parallel on nosuchhost.invalid: .' err && last 'inconclusive: 1 search of 2 ended; *' ||
		{ cat err; return 1; }
}
# says_of_sbatch WORDS COMMAND: what is said if that is all that sbatch does.
says_of_sbatch()
{
	mkdir -p fake
	printf '#!/bin/sh\n%s\n' "$2" >fake/sbatch
	chmod +x fake/sbatch
	PATH=$PWD/fake:$PATH run 2 swarm --engine slurm --max-time 10 "$shallow" && equal words "$(cat err)" "bitspin: no search has left a report; $1" &&
		equal left "$(ls -d .bitspin-swarm.* 2>/dev/null)" ''
}
no_slurm()
{
	says_of_sbatch 'sbatch ended with status 1, and said nothing' 'exit 1' &&
		says_of_sbatch 'sbatch: error: no partition' 'echo sbatch: error: no partition >&2; exit 1'
}

# Killed in the middle, it goes on with what is left; then there is nothing left to do.
resumed()
{
	local options=(--jobs 2 --max-time 10 --max-memory 600 --checkpoint saved -DFIXED "$shallow") pid
	"$bitspin" swarm "${options[@]}" >out 2>err &
	pid=$!
	for _ in $(seq 150); do
		[ -s saved ] && break
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid 2>/dev/null
	[ "$(jq '.done | length' saved)" -ge 1 ] || { echo 'nothing was saved'; return 1; }
	jq -r '.done[].search' saved | sort >before
	run 3 swarm "${options[@]}" || return 1
	while read -r search; do
		! grep -q "of [0-9]*: $search:" out || { echo "$search was done again"; return 1; }
	done <before
	last "inconclusive: 3 searches of 3 ended; *" || return 1
	local start=$SECONDS
	run 3 swarm "${options[@]}" && last "inconclusive: 3 searches of 3 ended; *" && [ $((SECONDS - start)) -le 2 ] || return 1
	run 2 swarm --max-time 11 "${options[@]:0:2}" --checkpoint saved -DFIXED "$shallow" && grep -q 'other options' err || return 1
	cp "$programs"/{padding.h,aba.c} .
	run 2 swarm "${options[@]:0:8}" aba.c && grep -Eq 'another program|other options' err
}

# The memory that is free differs from start to start: it is not compared, only what the user has said.
usual_memory()
{
	local options=(--jobs 1 --max-time 3 --checkpoint usual -DFIXED "$shallow")
	run 3 swarm "${options[@]}" || return 1
	jq -r .given usual | grep -q 'usual memory, 1 jobs$' || { jq .given usual; return 1; }
	run 3 swarm "${options[@]}" && last 'inconclusive: 3 searches of 3 ended; *' || return 1
	run 2 swarm --max-memory 600 "${options[@]}" && grep -q 'other options' err
}

ends()
{
	local signal=$1 pid processes
	"$bitspin" swarm "${@:2}" --jobs 2 --max-time 30 -DFIXED "$shallow" >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 300); do
		[ "$(family $pid | wc -l)" -ge 7 ] && break
		sleep 0.1
	done
	processes=$(family $pid | tail -n +2)
	[ "$(wc -w <<<"$processes")" -ge 4 ] || { echo "it has not started"; kill -9 $pid; return 1; }
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	# shellcheck disable=SC2086
	not_ours='^par' nothing_left 10 $processes || return 1 # GNU parallel's
	[ "$signal" = KILL ] || last 'inconclusive: interrupted*'
}
ends_here() { PATH=$PWD/without ends "$1" --engine local; }

ok here here
ok report report
ok machines machines
ok verified verified
ok nothing nothing
ok advised-once advised_once
ok arguments arguments
ok refused refused
ok lost lost
ok no-slurm no_slurm
ok resumed resumed
ok usual-memory usual_memory
ok ends-here-KILL ends_here KILL
ok ends-parallel-INT ends INT --engine parallel
ok ends-parallel-KILL ends KILL --engine parallel
finish
