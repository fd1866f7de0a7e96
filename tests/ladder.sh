#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Searches beside a long exhaustive one: they find what that would not in its time, their violations are as good as any, what they
# have reached is told, and nothing of them is left.
#
#     usage: tests/ladder.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
programs=$root/tests/bench/ladder

# finds PROGRAM KIND: a violation at a line that is marked, found by one of the others.
finds()
{
	run 1 check --json r.json --max-time 40 --keep kept "$programs/$1" && last "violated: $2 at *" || return 1
	local line
	line=$(jq '.violations[0].line' r.json)
	sed -n "${line}p" "$programs/$1" | grep -q ERROR || { echo "line $line is not marked"; return 1; }
	jq -e '.ladder.found_by and (.violations[0].trace | length > 0)' r.json >/dev/null || { echo "the search has found it itself"; return 1; }
	says '^found by .*, beside the exhaustive'
}
three_finds() { finds aba.c assertion && finds use_after_free.c use-after-free && finds lock_order.c deadlock; }
replayed() { run 1 replay kept && last 'violated: deadlock at *lock_order.c:*'; } # what was found last
confirmed() { run 0 confirm kept && last 'confirmed: *'; }

# The search itself says the same, if it is asked to do it alone.
alone() { run 3 check -q --search dfs --max-time 4 "$programs/lock_order.c" && last 'inconclusive: time limit of 4 seconds reached after * states'; }

told()
{
	run 3 check --json r.json --max-time 6 -DFIXED "$programs/lock_order.c" &&
		last 'inconclusive: time limit of 6 seconds reached after * states; no violation * random run*' &&
		jq -e '.ladder.walks.walks > 10 and (.ladder | has("found_by") | not)' r.json >/dev/null
}

# So does the line on a terminal, while they go on.
line()
{
	timeout 60 script -qec "stty cols 200; TERM=xterm '$bitspin' check --max-time 6 -DFIXED '$programs/lock_order.c'" shown >/dev/null 2>&1 </dev/null
	tr '\r' '\n' <shown | grep -Eq '^[0-9] s: .* MB; beside it: no violation .*in [0-9]+ random runs' || { tail -c 300 shown; return 1; }
}

# A small space under each bound: the bounds are told, and no more of them than the search on its own completes.
bounds_told()
{
	run 3 check --json r.json --max-time 9 -DFIXED -DPADDING=3 -DROUNDS=40 "$programs/lock_order.c" &&
		last 'inconclusive: time limit of 9 seconds reached after * states; no violation @(with up to [0-9]*|without) preemption* (exhaustive), and in * random run*'
}

# A limit that cuts paths cuts those of bounds as well: nothing is exhaustive.
cut()
{
	run 3 check --max-time 5 --max-depth 60 -DFIXED -DPADDING=4 -DROUNDS=20 "$programs/lock_order.c" && ! grep -q '(exhaustive)' out
}

short() { run 0 check --json r.json "$root/examples/barrier.c" && jq -e 'has("ladder") | not' r.json >/dev/null; }

# Memory: all processes together.
memory()
{
	local sum=0 most=0 pid
	"$bitspin" check -q --max-memory 400 --max-time 6 -DFIXED "$programs/lock_order.c" >out 2>err &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		sum=$(family $pid | tail -n +2 | xargs -I{} cat /proc/{}/statm 2>/dev/null | awk '{ sum += $2 } END { print int(sum * 4 / 1024) }')
		[ "$sum" -gt "$most" ] && most=$sum
		sleep 0.1
	done
	wait $pid
	[ "$most" -gt 50 ] && [ "$most" -le 460 ] || { echo "$most MB"; return 1; }
}

# Does the climber walk at random?
climbs()
{
	local process
	for process in $(family "$1"); do
		grep -qsa bitspin-drive "/proc/$process/cmdline" && return 0
	done
	return 1
}
# However it ends, nothing is left of it.
ends()
{
	local signal=$1 pid processes
	"$bitspin" check -q -DFIXED "$programs/lock_order.c" >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 300); do
		climbs $pid && break
		sleep 0.1
	done
	processes=$(family $pid | tail -n +2)
	[ "$(wc -w <<<"$processes")" -ge 3 ] || { echo "the ladder was not put up"; kill -9 $pid; return 1; }
	kill -"$signal" $pid
	wait $pid 2>/dev/null
	# shellcheck disable=SC2086
	nothing_left 10 $processes || return 1
	[ "$signal" = KILL ] || last 'inconclusive: interrupted*'
}

ok finds three_finds
[ ! -d kept ] || ok replayed replayed
[ ! -d kept ] || ok confirmed confirmed
ok alone alone
ok told told
ok line line
ok bounds-told bounds_told
ok cut cut
ok short short
ok memory memory
ok ends-INT ends INT
ok ends-TERM ends TERM
ok ends-KILL ends KILL
finish
