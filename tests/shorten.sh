#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Violations are told by the schedule that is easiest to follow: it has as many preemptions and switches as were derived by hand
# (stories/shortest.c), what it says that preemptions are needed for is so, and it has no more preemptions than a search under bounds
# (--preemptions iterate), which is another one, finds for the same violation of random programs.
#
#     usage: tests/shorten.sh BITSPIN [COUNT [FIRST]]        random programs: COUNT (6) from FIRST (1) on
own_arguments=yes
. "$(dirname "$0")/lib.sh"
need_command "${1-}" 'tests/shorten.sh BITSPIN [COUNT [FIRST]]'
make_scratch
quick_pans
own_cache
cd "$scratch" || exit 2
filter='' count=${2:-6} first=${3:-1}
stories=$root/tests/stories

# ask JQ-EXPRESSION FILE OPTIONS...: of the violation.
ask()
{
	local what=$1
	shift
	timeout 60 "$bitspin" check --json r.json "$@" >out 2>&1
	jq -r ".violations[0] | $what" r.json
}

# costs CASE PREEMPTIONS SWITCHES
costs()
{
	equal cost "$(ask '"\(.schedule.preemptions) \(.schedule.switches) \(.schedule.fewest)"' --races ignore "-DCASE=$1" "$stories/shortest.c")" "$2 $3 true"
}

# The line of shortest.c that has this text, and is the Nth.
line() { grep -nF "$1" "$stories/shortest.c" | sed -n "${2:-1}s/:.*//p"; }

# needs CASE TEXT...: the sentences, in order
needs()
{
	local case=$1
	shift
	equal sentences "$(ask '[.switches[].text] | join("; ")' --races ignore "-DCASE=$case" "$stories/shortest.c")" "$*"
}

update()
{
	needs 1 "thread 2 runs between shortest.c:$(line 'int v = atomic_load(&x);') and shortest.c:$(line 'atomic_store(&x, v + 1);') of thread 1"
}

freed()
{
	needs 10 "thread 1 runs between shortest.c:$(line 'pthread_create(&thread') and shortest.c:$(line 'atomic_exchange(&shared') of thread 0;" \
		"thread 0 runs between shortest.c:$(line 'atomic_load(&shared)') and shortest.c:$(line '*p);') of thread 1"
}

# With the whole story, the schedule is the one that was found.
as_found()
{
	equal schedule "$(ask '"\(.schedule) \(.switches)"' --story full --races ignore -DCASE=1 "$stories/shortest.c")" 'null null' &&
		! grep -q 'in this schedule, thread' out
}

long()
{
	ask '"\(.schedule.fewest) \(.schedule.preemptions) \(.schedule.given.preemptions)"' "$stories/long.c" >costs
	read -r fewest now given <costs
	[ "$fewest" = false ] && [ "$now" -le 2 ] && [ "$given" -gt "$now" ] || { cat costs; return 1; }
}

# The same each time.
stable()
{
	local once again
	once=$(ask '"\(.schedule) \(.trace)"' "$stories/long.c") again=$(ask '"\(.schedule) \(.trace)"' "$stories/long.c")
	[ "$once" = "$again" ] || { echo "it differs"; return 1; }
}

# A replay tells the same as the check.
replayed()
{
	"$bitspin" check -DCASE=12 --races ignore --keep kept --json check.json "$stories/shortest.c" >out
	run 1 replay --json replay.json kept && equal trace "$(jq -c '.violations[0].trace' replay.json)" "$(jq -c '.violations[0].trace' check.json)"
}

# No bound finds the same violation with fewer preemptions.
random()
{
	"$scratch/random_program" "$1" >p.c
	local ours bounded what='"\(.schedule.preemptions // "none") \(.kind) \(.line) \(.message)"' violation
	ours=$(ask "$what" p.c --races ignore --max-time 20)
	[[ $ours != none* ]] && [[ $ours != null* ]] || return 0
	compared=$((compared + 1))
	bounded=$(ask '"\(.preemptions) \(.kind) \(.line) \(.message)"' p.c --races ignore --preemptions iterate --max-time 20)
	violation=${ours#* }
	if [ "${bounded#* }" = "$violation" ]; then
		equal preemptions "${ours%% *}" "${bounded%% *}"
	else # another one, that may need fewer
		[ "${ours%% *}" -ge "${bounded%% *}" ] || { echo "$ours, bounded $bounded"; return 1; }
	fi
}

while read -r case preemptions switches; do
	ok "case-$case" costs "$case" "$preemptions" "$switches"
done < <(sed -nE 's/^ \* CASE ([0-9]+): ([0-9]+) ([0-9]+) .*/\1 \2 \3/p' "$stories/shortest.c")
ok needs-update update
ok needs-freed freed
ok as-found as_found
ok long long
ok stable stable
ok replayed replayed
${CC:-cc} -o random_program "$root/tests/bench/random_program.c" || exit 2
compared=0
for ((seed = first; seed < first + count; seed++)); do
	ok "random-$seed" random "$seed"
done
finish "of $count random programs, $compared have violations"
