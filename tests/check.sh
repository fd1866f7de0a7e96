#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The tests in two parts, as `make check` and `make check-rest` run them: the suites of a part, as many at a time as there are
# processors, those that take long first.  Ends with the line 'N passed, N failed'.  With SHARE=N in the environment, which
# run.sh explains, suites of the rest that take minutes try a part of what they have.
#
#     usage: tests/check.sh quick|rest BITSPIN
set -u
tests=$(cd "$(dirname "$0")" && pwd)

# The filter for a suite that takes minutes: none if all is run.
part()
{
	[ -z "${SHARE-}" ] || echo "$1"
}

# Part, name, and command of each suite.
suites()
{
	local part directories='reductions inputs threads memory faults liveness world programs|bugs bounds examples|c'
	for part in quick rest; do
		for directory in $directories; do
			row $part "$directory" run.sh "$bitspin" -j1 --$part "^(tests/)?($directory)/"
		done
		case $part in
		quick)
			row quick 'command line' cli.sh "$bitspin"
			row quick documentation docs.sh "$bitspin"
			row quick 'pages of kinds' explain.sh "$bitspin"
			row quick pages pages.sh "$bitspin"
			row quick stories story.sh "$bitspin"
			row quick 'forty stories' stories.sh "$bitspin"
			row quick 'names and values' names.sh "$bitspin"
			row quick 'native runs' confirm.sh "$bitspin"
			row quick 'formats for programs' formats.sh "$bitspin"
			row quick 'where output goes' outputs.sh "$bitspin"
			row quick builds builds.sh "$bitspin"
			row quick 'random programs' bench/soundness.sh "$bitspin" 8 1000
			row quick 'formulas as text' ltl.sh "$tool-ltl" --sessions
			row quick 'shortest schedules' shorten.sh "$bitspin"
			row quick 'unit tests' unit/run.sh "$bitspin"
			row quick 'house rules' house.sh
			row quick 'step by hand' simulate.sh "$bitspin"
			row quick 'where states come from' profile.sh "$bitspin"
			row quick 'what was not tried' untried.sh "$bitspin"
			row quick 'the first minute' minute.sh "$bitspin"
			row quick 'mutants fit' bench/mutants.sh --texts
			row quick rooms rooms.sh "$(dirname "$bitspin")"
			row quick 'golden images' golden/run.sh "$tool-image" ;;
		rest)
			row rest 'models for pan' generated.sh "$bitspin"
			row rest 'pan, being fair' bench/fair.sh "$bitspin" 2 4
			row rest 'other identities' compare.sh "$bitspin" "$(part '^(counts of program [1-9]$|verdicts by happens|SCALE: |a |rows|JSON)')"
			row rest 'other searches of pan' modes.sh "$bitspin" "$(part '^(plain|BFS):')"
			row rest 'summaries of steps' summaries.sh "$bitspin" "$(part '^tests/reductions/summaries')"
			row rest 'random programs' bench/soundness.sh "$bitspin" 20 1003921 # one of them has a run that loses its end
			row rest 'random ends of threads' bench/soundness.sh --of random_ends "$bitspin" 9
			row rest 'random creators of threads' bench/soundness.sh --of random_creators "$bitspin" 5 41
			row rest 'random deadlines' bench/soundness.sh --of random_deadlines "$bitspin" 20 51
			row rest 'random sections' bench/soundness.sh --of random_sections "$bitspin" 9
			row rest 'random slices' bench/soundness.sh --of random_slices "$bitspin" 6
			row rest 'random useless atomics' bench/soundness.sh --of random_useless "$bitspin" 6
			row rest 'random chained threads' bench/soundness.sh --of random_chained "$bitspin" 12
			row rest 'random blind stores' bench/soundness.sh --of random_blind "$bitspin" 12
			row rest 'random owners' bench/soundness.sh --of random_owned "$bitspin" 10
			row rest 'random lock-free threads' bench/soundness.sh --of random_lockfree "$bitspin" 12
			row rest 'random symmetric threads' bench/soundness.sh --of random_symmetric "$bitspin" 8 29
			row rest 'random waits' bench/soundness.sh --of random_spins "$bitspin" 8 28
			row rest packaging packaging.sh "$bitspin"
			row rest limits limits.sh "$bitspin" "$(part '^(time|long|memory-[slo]|units|interrupted|twice-at|by|reasons|kill-[a-z]*-[KT])')"
			row rest swarms swarm.sh "$bitspin"
			row rest linearize linearize.sh "$bitspin" "$(part '^([a-z_ ]*$|.*-1$)')"
			row rest 'memory models' memory.sh "$bitspin"
			row rest orders orders.sh "$bitspin"
			row rest 'random memory orders' bench/memory/run.sh "$bitspin" 40
			row rest 'random stores of x86' bench/memory/run.sh --x86 "$bitspin" 12 1082
			row rest 'searches beside a long one' ladder.sh "$bitspin" "$(part '^(finds|told|narrow|cut|short|killed|refuses|begun)')"
			row rest 'searches of the command' searches.sh "$bitspin" "$(part '^(verifies .*peterson|violates .*lost_update|kept|dies)')"
			row rest 'random programs, all searches' bench/searches.sh "$bitspin" 1
			row rest 'cached steps' bench/cached.sh "$bitspin" 24
			row rest 'searches that go on' bench/snapshots.sh "$bitspin" 3 2
			row rest 'endless waits' bench/waits.sh "$bitspin" 5
			row rest 'random signals' bench/random_signals.sh "$bitspin" 5
			row rest 'random formulas' bench/ltl_random.sh "$bitspin" 12 1 1
			row rest 'random formulas, slices' bench/ltl_random.sh --slices "$bitspin" 4 3 1
			row rest 'random formulas, workers' bench/ltl_random.sh --workers "$bitspin" 4 1 1
			row rest 'programs natively' native.sh
			[ -n "${SHARE-}" ] || row rest 'verdicts of formulas' ltl.sh "$tool-ltl" --agreement
			row rest 'automata of formulas' ltl.sh "$tool-ltl" --automata
			row rest 'bad input' bad_input.sh "$bitspin"
			row rest 'C library' libc.sh "$bitspin"
			row rest 'weak atomics' bench/weak.sh "$bitspin" 40
			row rest 'uninitialised values' bench/unset.sh "$bitspin" 60
			row rest 'inputs' bench/inputs.sh "$bitspin" 10
			row rest 'models by hand' bench/pairs.sh --small "$bitspin" ;;
		esac
	done
}

# A row: its fields are separated by tabs, the script is below tests/.
row()
{
	local IFS=$'\t'
	echo "$*"
}

# Run a row, and say how it ended; all that it said, if a test failed.
suite()
{
	local part name script arguments output line sums='0 1' start=$SECONDS
	IFS=$'\t' read -r part name script arguments <<<"$1"
	IFS=$'\t' read -r -a arguments <<<"$arguments"
	output=$(JOBS=1 timeout -k 10 1200 "$tests/$script" "${arguments[@]}" 2>&1 </dev/null)
	line=$(tail -n 1 <<<"$output")
	[[ ! $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]] || sums="${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
	exec 9>>"$sums_file"
	flock 9
	[[ $sums == *' 0' ]] || echo "$output"
	echo "$name: $line ($((SECONDS - start)) s)"
	echo "$sums" >&9
}

if [ "${1-}" = --suite ]; then
	suite "$2"
	exit 0
fi
if [[ ! ${1-} =~ ^(quick|rest)$ ]] || [ ! -x "${2-}" ]; then
	echo "usage: tests/check.sh quick|rest BITSPIN" >&2
	exit 2
fi
bitspin=$(realpath "$2") tool=$(dirname "$(realpath "$2")")/bitspin
sums_file=$(mktemp)
trap 'rm -f "$sums_file"' EXIT
export sums_file
suites | grep "^$1	" | xargs -r -d '\n' -P "$(nproc)" -I{} bash "$0" --suite {}
if [ "$1" = quick ]; then
	echo "covered: each test program as it stands, and some under other options; the command line; reductions on 8 random programs"
	echo "left to 'make check-rest': all under other options, the C library, limits, pan's other searches, random campaigns, ..."
fi
expected=$(suites | grep -c "^$1	")
awk -v expected="$expected" '{ passed += $1; failed += $2 }
	END { failed += expected - NR; print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 || passed == 0 }' "$sums_file"
