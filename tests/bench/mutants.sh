#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Would the campaigns notice?  Each condition of the reductions and each rule of happens-before is taken out in turn, as
# mutants.txt says, in a copy of the tree; the campaign named there must then fail.  It gets more programs, a batch at a time,
# until it does.  What is known to make no difference stands in mutants.txt too, with the reason.
#
#     usage: tests/bench/mutants.sh BITSPIN [FILTER [MOST]]        FILTER: regular expression over "name campaign"
#                                                                  MOST: programs for each mutant (200)
#            tests/bench/mutants.sh --texts                        only whether the list fits the sources, which takes a second
set -u
if [ "${1-}" != --texts ] && [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/mutants.sh BITSPIN [FILTER [MOST]]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
filter=${2-} most=${3:-200}
FEW=20 # random programs that are tried first
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export BUGS=$scratch/bugs XDG_CACHE_HOME=$scratch/cache
export OTHERS=4 # sets of reductions beside all of them: what one reduction leaves out, another may, too
mkdir "$XDG_CACHE_HOME"
passed=0 failed=0

# mutate FILE OLD NEW: OLD must be there once.
mutate()
{
	OLD=$2 NEW=$3 awk '
		BEGIN { old = ENVIRON["OLD"] }
		at = index($0, old) {
			rest = substr($0, at + length(old))
			found += 1 + (index(rest, old) > 0)
			$0 = substr($0, 1, at - 1) ENVIRON["NEW"] rest
		}
		{ print }
		END { exit found != 1 }' "$root/$1" >"$scratch/tree/$1" || { echo "'$2' is not in $1, or more than once"; return 1; }
}

campaign() # name, first, count: its output
{
	local bitspin=$scratch/tree/$build/bitspin
	case $1 in
	soundness) "$here/soundness.sh" "$bitspin" "$3" "$2" ;;
	summaries) BITSPIN_SUMMARIES=check "$here/soundness.sh" "$bitspin" "$3" "$2" ;;
	blocking | deadlines | ends | exits | sections | spins | symmetric) "$here/soundness.sh" --of random_$1 "$bitspin" "$3" "$2" ;;
	rests) SAMPLE=1 OTHERS=0 "$here/soundness.sh" "$bitspin" "$(($3 / 2))" "$2" ;;
	exchanged) MEMORY=2 "$here/soundness.sh" --of random_symmetric "$bitspin" "$3" "$2" ;;
	signals) "$here/random_signals.sh" "$bitspin" "$(($3 / 4))" "$2" ;;
	creators) "$here/../run.sh" "$bitspin" reductions/creators ;;
	blind) "$here/../run.sh" "$bitspin" --quick 'reductions/blind' && "$here/soundness.sh" --of random_blind "$bitspin" "$3" "$2" ;;
	many) "$here/../run.sh" "$bitspin" --quick 'reductions/sets_of_many' ;;
	owned) "$here/../run.sh" "$bitspin" --quick 'reductions/owned' && "$here/soundness.sh" --of random_owned "$bitspin" "$3" "$2" ;;
	initial) "$here/../run.sh" "$bitspin" --quick 'reductions/initial_pointers' ;;
	print-steps) "$here/../run.sh" "$bitspin" --quick 'threads/printed_shared' ;;
	passed) "$here/../run.sh" "$bitspin" --quick 'reductions/creations' ;;
	cached) BITSPIN_SUMMARIES=check "$here/../run.sh" "$bitspin" --quick 'reductions/cached_steps' && "$here/cached.sh" "$bitspin" "$3" "$2" ;;
	linearize) "$here/../linearize.sh" "$bitspin" '^(buffer|conditions|counter|endless|exchange|weak_memory|treiber)' ;;
	crew) "$here/../searches.sh" "$bitspin" 'cores' && "$here/searches.sh" "$bitspin" "$(($3 / 4))" "$2" ;;
	input-waits) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/sets_waits' ;;
	sizes) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/sets[.]c' ;;
	pointers) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/pointers' ;;
	one-bit) "$here/../run.sh" "$bitspin" --quick '^tests/bugs/input_of_one_bit' ;;
	models) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/memory_models' && MEMORY=c11:2 "$here/sets.sh" "$bitspin" "$3" "$2" ;;
	reals) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/reals' && "$here/inputs.sh" "$bitspin" "$3" "$2" reals ;;
	sets) "$here/sets.sh" "$bitspin" "$3" "$2" ;;
	alike) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/alike' && ALIKE=1 "$here/sets.sh" "$bitspin" "$3" "$2" ;;
	sets-formulas) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/sets_formulas' && "$here/sets_ltl.sh" "$bitspin" "$3" "$2" ;;
	terms) RELATIONS=1 "$here/sets.sh" "$bitspin" "$3" "$2" symbolic ;;
	forms) "$here/terms.sh" "$bitspin" $((10 * $3)) $((10 * $2)) ;;
	relations) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/terms' ;;
	given) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/passed' ;;
	printed) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/printed' ;;
	regions) "$here/../run.sh" "$bitspin" --quick '^tests/inputs/' ;;
	unit) "$here/../unit/run.sh" "$bitspin" | sed "s/^\[  FAILED  \]/FAIL/" ;;
	ended) "$here/../run.sh" "$bitspin" --quick 'faults/variable_ends' ;;
	steps) "$here/../run.sh" "$bitspin" reductions/summaries ;;
	slices) BITSPIN_SLICING=unchecked "$here/../run.sh" "$bitspin" --quick '(reductions/(slices|useless)|bugs/part_of_pointer)' ;;
	caught) "$here/../run.sh" "$bitspin" --quick '(reductions/(slices|useless)|bugs/part_of_pointer)' | grep -q ' 0 failed' && echo FAIL on its own ;;
	useless) "$here/soundness.sh" --of random_useless "$bitspin" "$3" "$2" ;;
	sliced) "$here/soundness.sh" --of random_slices "$bitspin" "$3" "$2" ;;
	unread) "$here/../run.sh" "$bitspin" --quick 'reductions/unread' && "$here/soundness.sh" "$bitspin" "$3" "$2" ;;
	spurious) "$here/../run.sh" "$bitspin" --quick world/spurious ;;
	told) "$here/../untried.sh" "$bitspin" late_ends ;;
	waits) "$here/../run.sh" "$bitspin" --quick threads/weak_waits ;;
	hangs) "$here/../run.sh" "$bitspin" '^tests/threads/(waits|circular_waits)' ;;
	held) "$here/../run.sh" "$bitspin" --full '(reductions/sections_held|bugs/waits_in_section)' ;;
	weak) "$here/weak.sh" "$bitspin" "$3" "$2" ;;
	x86) "$here/../run.sh" "$bitspin" --quick '^tests/memory/(x86|buffered)' ;;
	stores) python3 "$here/memory/x86.py" "$bitspin" "$3" "$2" ;;
	tso) MODEL=tso python3 "$here/memory/compare.py" "$bitspin" "$3" "$2" ;;
	chain) STYLE=chain python3 "$here/memory/compare.py" "$bitspin" "$3" "$2" ;;
	memory) python3 "$here/memory/compare.py" "$bitspin" "$3" "$2" ;;
	histories) "$here/../run.sh" "$bitspin" --quick 'reductions/histories' ;;
	formulas) "$here/ltl_random.sh" "$bitspin" $(($3 / 4)) "$2" 1 ;;
	workers) "$here/ltl_random.sh" --workers "$bitspin" $(($3 / 4)) "$2" 2 ;;
	scale) FIRST=$2 COUNT=$3 "$here/../compare.sh" "$bitspin" '^SCALE, ' ;;
	snapshots) "$here/snapshots.sh" "$bitspin" $(($3 / 4)) "$2" ;;
	modes) "$here/../modes.sh" "$bitspin" '^(plain|BFS|NCORE):' ;;
	esac 2>&1
}

# Does the campaign try the same programs each time?
has_its_own_programs()
{
	[[ $1 =~ ^(creators|passed|steps|slices|spurious|waits|hangs|held|modes|ended|told|unit|regions|relations|histories)$ ]]
}

# The tests that were written for what the campaign is about: a regular expression for run.sh; none if it has no others.
written_for()
{
	case $1 in
	ends) echo 'reductions/(thread_ends|transactions(_woken)?|commuting)\.c' ;;
	exits) echo 'reductions/(exits|exits_after|detached)\.c' ;;
	sections) echo 'reductions/(sections|groups_known)\.c' ;;
	spins) echo 'reductions/(spins|spin_numbers|spin_rounds)\.c' ;;
	signals) echo 'signals/(calls|interrupts)\.c' ;;
	exchanged) echo '^tests/memory/symmetric' ;;
	symmetric) echo '(reductions/(symmetry|creations)|bugs/handles)' ;;
	formulas) echo 'reductions/formula' ;;
	workers) echo 'reductions/symmetry_formulas' ;;
	useless) echo 'reductions/(useless|failed_exchange)' ;;
	memory | tso) echo '^tests/memory/' ;;
	stores) echo '^tests/memory/(x86|buffered)' ;;
	weak) echo '(threads/weak_|reductions/(slices_weak|histories))' ;;
	esac
}

# first_failure COMMAND...: the first line in which it complains.  Then it and all that it has started are ended: the rest would
# take minutes.
first_failure()
{
	local group status
	rm -f "$scratch/said"
	mkfifo "$scratch/said"
	set -m # a process group of its own
	"$@" >"$scratch/said" 2>&1 &
	group=$!
	set +m
	grep -m1 '^FAIL' "$scratch/said"
	status=$?
	[ $status != 0 ] || kill -TERM -- "-$group" 2>/dev/null
	wait $group 2>/dev/null
	return $status
}

# The first complaint of a campaign, which gets programs from `first` on, so many.  Tests written by hand come after the first
# random programs, as most mutants need no more than those.
complaint() # campaign, first, count
{
	local tests
	tests=$(written_for "$1")
	if [ -n "$tests" ] && [ "$2" = "$((FEW + 1))" ]; then
		first_failure "$here/../run.sh" "$scratch/tree/$build/bitspin" --quick "$tests" && return
	fi
	first_failure campaign "$@"
}

try() # name, file, campaign, old, new
{
	local name=$1 file=$2 first batch reason began=$SECONDS
	reason=$(mutate "$file" "$4" "$5") || { echo "FAIL $name: $reason"; failed=$((failed + 1)); return; }
	reason=$(make -s -C "$scratch/tree" B="$build" "$build/bitspin" 2>&1) || reason="does not compile: $(grep -m1 error <<<"$reason")"
	if [[ $reason == 'does not compile'* ]]; then
		echo "FAIL $name: $reason"
		failed=$((failed + 1))
		return
	fi
	for ((first = 1, batch = FEW; first <= most; first += batch, batch = 60)); do
		reason=$(complaint "$3" "$first" "$batch") && break
		! has_its_own_programs "$3" || break
	done
	if [ -n "$reason" ]; then
		echo "noticed $name within $((first + batch - 1)) programs, $((SECONDS - began)) s: ${reason:0:100}"
		passed=$((passed + 1))
	else
		echo "FAIL $name survives $most programs of $3, $((SECONDS - began)) s"
		failed=$((failed + 1))
	fi
	cp -p "$root/$file" "$scratch/tree/$file"
	touch "$scratch/tree/$file"
}

# Does the mutant's text stand in its file, once?
fits() # name, file, campaign, old, new
{
	local reason
	reason=$(mutate "$2" "$4" "$5") && [ "$4" != "$5" ] && passed=$((passed + 1)) || {
		echo "FAIL $1: ${reason:-nothing changes}"
		failed=$((failed + 1))
	}
}

mkdir "$scratch/tree"
cp -a "$root"/{Makefile,runtime,translator,ltl,spin-glue,libc,man} "$scratch/tree"
judge=fits
if [ "$1" != --texts ]; then
	judge=try
	build=$(realpath --relative-to="$root" "$(dirname "$(realpath "$1")")")
	mkdir -p "$scratch/tree/$build"
	cp -a "$root/$build/." "$scratch/tree/$build"
fi
excused=0
while IFS= read -r line; do
	case $line in
	'= '*) read -r _ name file campaign <<<"$line" ;;
	-*) old=${line#-} ;;
	+*) [[ ! "$name $campaign" =~ $filter ]] || $judge "$name" "$file" "$campaign" "$old" "${line#+}" ;;
	'~ '*) excused=$((excused + 1)) ;;
	esac
done <"$here/mutants.txt"
echo "$passed passed, $failed failed ($excused conditions are known to make no difference)"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
