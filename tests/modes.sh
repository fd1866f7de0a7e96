#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The other searches that pan can be compiled for: the same programs must be violated, or not, in each; and where a search
# stores whole states and the reduction is a function of the state, it must store as many.  Persistent sets depend on the
# order of the search, so with them only verdicts are compared.  One pan a mode does for all programs: it reads the image.
#
#     usage: tests/modes.sh BITSPIN [FILTER]        FILTER: a regular expression over "MODE: FILE OPTIONS"
. "$(dirname "$0")/lib.sh"

PAN_TIMEOUT=${PAN_TIMEOUT:-30}

# mode, is its number of states exact, flags for the compiler
modes=(
	'plain exact'
	'BITSTATE inexact -DBITSTATE'
	'HC4 exact -DHC4'
	'HC4-all exact -DHC4 -DVM_WHOLE'
	'COLLAPSE exact -DCOLLAPSE'
	'MA exact -DMA=400'
	'BFS exact -DBFS'
	'BFS_PAR exact -DBFS_PAR'
	'NCORE inexact -DNCORE=2'
	'NCORE-apart inexact -DNCORE=2 -DSEP_STATE'
)

# Violations expected (0 or 1), file, options: small, of every sort, with much to put off and with cycles.
programs='
0 examples/barrier.c
0 examples/barrier.c -DTHREADS=3 -DSTEPS=2
0 examples/indexer.c -DTHREADS=3
0 examples/lost_update_fixed.c
1 examples/lost_update.c
1 examples/deadlock.c
0 examples/pool.c -DWORKERS=2
0 tests/threads/peterson.c
0 tests/threads/endless_spin.c --waits ignore
1 tests/threads/endless_spin.c
0 tests/threads/invisible_loop.c
0 tests/threads/philosophers.c -DN=3 -DLEFT
1 tests/threads/philosophers.c -DN=3
0 tests/threads/once.c
0 tests/threads/rwlock.c
0 tests/threads/trylock.c
0 tests/threads/timed_waits.c
0 tests/threads/message_passing.c
1 examples/lost_wakeup.c
1 examples/use_after_free.c --races ignore
0 tests/threads/preemptions.c --preemptions 3
1 tests/threads/preemptions.c --preemptions 4
1 tests/bounds/refused.c -DCIRCLE --preemptions iterate
'

# One pan for each mode, two compiled at a time.
make_pans()
{
	local mode
	"$bitspin" generate --quiet -o model "$root/examples/barrier.c" || return 1
	for mode in "${modes[@]}"; do
		set -- $mode
		cp -r model "pan-$1"
		echo "make -s -C pan-$1 PANFLAGS='-O0 ${*:3}' >pan-$1/log 2>&1"
	done | xargs -P2 -d '\n' -L1 timeout 120 bash -c
}

image() # options, file: the image of a program, which is made once
{
	local name
	name=$(tr -c 'A-Za-z0-9\n' _ <<<"$2 $1")
	[ -f "$name" ] || {
		timeout 60 "$bitspin" generate --quiet -o made $1 "$root/$2" >/dev/null && cmp -s made/model.pml model/model.pml &&
			cp made/program.image "$name"
	} || return 1
	echo "$scratch/$name"
}

# Pans that store hashes of states keep few states, and make room for others all the time here: BITSPIN_RENEW, in KB.
export BITSPIN_RENEW=4

# Runs a mode's pan: "errors states", or what went wrong.  A search takes a second or so.  A pan that hangs is killed with all of
# its processes, and not run again: what is left of its mode fails at once.
search()
{
	local log=pan-$1/out errors states status
	[ ! -e "pan-$1/hung" ] || { echo 'pan hung before'; return; }
	(cd "pan-$1" && rm -f result && BITSPIN_RESULT=result BITSPIN_IMAGE=$2 timeout -s KILL "$PAN_TIMEOUT" ./pan -m20000 -w20 >out 2>&1 </dev/null)
	status=$?
	[ $status != 137 ] || { touch "pan-$1/hung"; echo "pan hung: killed after $PAN_TIMEOUT s"; return; }
	[ $status = 0 ] || { echo "pan fails: $(tail -n 1 "$log")"; return; }
	! grep -Eq 'max search depth too small|out of memory|Search not completed' "$log" || grep -q 'errors: [1-9]' "$log" ||
		{ echo 'the search was cut'; return; }
	errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$log" | sort -n | tail -n 1)
	states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$log" | head -n 1)
	echo "$errors $states"
}

mode() # name, exact?, violations, file, options
{
	local name=$1 exact=$2 expected=$3 file=$4 options=${*:5} reduction got plain image
	for reduction in supersteps,persistent supersteps none; do
		image=$(image "$options --reduction $reduction" "$file") || { echo "no image of $file"; return 1; }
		got=$(search "$name" "$image")
		[ "${got%% *}" = "$expected" ] || { echo "$reduction: errors and states are '$got'"; return 1; }
		[ "$expected$exact" = 0exact ] && [ $reduction != supersteps,persistent ] || continue
		plain=$(search plain "$image")
		equal "states, $reduction" "$got" "$plain" || return 1
	done
}

vm_says() { jq -s "map(select(.type == \"statistics\").$2)[0]" "pan-$1/result"; }

# States that are needed no more go, where pan stores hashes alone, and nowhere else.
makes_room() # name
{
	local image bytes all BITSPIN_RENEW=64
	image=$(image '-DTHREADS=8 --reduction supersteps' examples/barrier.c) || return 1
	search plain "$image" >/dev/null
	all=$(vm_says plain bytes)
	search "$1" "$image" >/dev/null
	bytes=$(vm_says "$1" bytes)
	case $1 in
	BITSTATE | HC4) [ "$(vm_says "$1" renewed)" -ge 10 ] && [ "$bytes" -gt 0 ] && [ "$bytes" -lt $((all / 4)) ] ;;
	*) [ "$(vm_says "$1" renewed)" = null ] && [ "$bytes" -ge $((all / 2)) ] ;;
	esac || { echo "$bytes bytes, and where all is kept, $all; renewed: $(vm_says "$1" renewed)"; return 1; }
}

# What a pan has left that was run by hand leads to the violation.
replays() # name
{
	local image
	image=$(image '' examples/deadlock.c) && cp "$image" "pan-$1/program.image" || return 1
	(cd "pan-$1" && rm -f -- *trail && timeout -s KILL "$PAN_TIMEOUT" ./pan -m20000 -w20 >out 2>&1 </dev/null)
	run 1 replay -q "pan-$1" && last 'violated: deadlock at *examples/deadlock.c:34: *'
}

make_pans
for line in "${modes[@]}"; do
	set -- $line
	[ -x "pan-$1/pan" ] || { result "$1" "does not compile: $(grep -m1 error "pan-$1/log")"; continue; }
	ok "$1: makes room" makes_room "$1"
	ok "$1: replays" replays "$1"
	while read -r expected file options; do
		[ -z "$file" ] || ok "$1: $file $options" mode "$1" "$2" "$expected" "$file" $options
	done <<<"$programs"
done
finish
