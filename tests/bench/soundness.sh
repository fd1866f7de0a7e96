#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Reductions and bounds change no answer, on random programs (random_program.c).  Most of it is done without pan, by
# explore.c: sets of reductions (all together for each program, the others by turns), both orders of search, races reported and
# ignored, bounds on preemptions against all schedules one by one; and the same programs as clang's optimiser makes them.  Of
# every 40th program pan's own answers are compared too: kinds and lines of violations, and the set of final states, which a
# program can tell by errors at its end.
# A program on which two answers differ is left in tests/bugs/.
#
#     usage: tests/bench/soundness.sh [--of GENERATOR] BITSPIN [COUNT [FIRST]]        (200 and 1)
#     GENERATOR: random_program, random_blocking, random_ends, random_creators, random_sections, random_spins, random_slices,
#            random_useless, random_symmetric, random_exits, random_deadlines, random_lockfree, random_chained,
#            random_blind or random_owned; may be in PROGRAMS instead
#            tests/bench/soundness.sh --show SEED                    the program of a seed
#
# With RESULTS=FILE in the environment, what has been compared is kept there, and a campaign that was stopped goes on.  SAMPLE=N:
# pan's own answers are compared of every Nth program.  OTHERS=N: so many sets by turns (2).  MEMORY=K: the programs of
# random_symmetric, with orders weaker than seq_cst, under --memory c11:K.
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
if [ "${1-}" = --of ]; then
	export PROGRAMS=$2
	[[ ! $2 =~ ^random_(slices|useless|symmetric|owned)$ ]] || export BATCH=1 # by itself: what is known of one is lost with another
	shift 2
fi
[ -z "${MEMORY-}" ] || MARK="--slicing --memory $MEMORY"
MARK=${MARK---slicing} BATCH=${BATCH:-20} SAMPLE=${SAMPLE:-40}
UNOPTIMISED="-O0 -Xclang -disable-O0-optnone -Xclang -fsanitize-address-use-after-scope" # as spin-glue/program/compile.c
OPTIMISED="-O1 -fno-finite-loops -fsanitize=thread -Xclang -disable-llvm-passes" # likewise; the passes come after it

compile() # C file, image, options
{
	local file=$1 image=$2 library= bitcode=${1%.c}.bc build
	build=$(dirname "$(realpath "$BITSPIN")")
	shift 2
	! grep -q atexit "$file" || library="--library $build/libc.bc"
	rm -f "${file%.c}.O1.bc"
	"$CLANG" -c -emit-llvm -g -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -D__BITSPIN__ ${MEMORY:+-DWEAK} "$@" \
		-idirafter "$build" -o "$bitcode" "$file" 2>"$dir/clang.err" &&
		if [[ $1 = -O1 ]]; then
			"$build/bitspin-image" -O1 -o "${file%.c}.O1.bc" "$bitcode" 2>>"$dir/clang.err" && bitcode=${file%.c}.O1.bc
		fi &&
		"$build/bitspin-image" ${MARK-} $library -o "$image" "$bitcode" 2>>"$dir/clang.err" || {
		echo "FAIL $file does not compile: $(head -n 1 "$dir/clang.err")"
		return 1
	}
}

# Lines "result" of the plain program and of the optimised one, whose lines of assertions may have moved.  The optimiser may
# do as it likes with undefined behaviour, and with plain accesses of others than races know, unless they are volatile.
compare_optimised()
{
	join <(grep '^result' "$dir/plain" | sed -E 's/ /_/; s/ /_/; s/:[0-9]+//g' | sort) \
		<(grep '^result' "$dir/optimised" | sed -E 's/ /_/; s/ /_/; s/:[0-9]+//g; s/$/ |/' | sort) >"$dir/joined" || true
	while IFS= read -r line; do
		local seed mode class key=${line%% *} a b
		IFS=_ read -r _ seed mode <<<"$key"
		read -r _ class _ <<<"$line"
		[ "$class" = right ] || [ "$class" = wrong ] || continue
		[ "$mode" = report ] || [ $((seed % 2)) = 1 ] || continue
		[[ $line != *uninitialized-read* ]] || continue # the optimiser may take such a value for any other
		a=$(awk -v k="$key" '$1 == k' "$dir/a") b=$(awk -v k="$key" '$1 == k' "$dir/b")
		if [ "$a" = "$b" ]; then
			echo "ok $seed 1"
		else
			echo "FAIL $seed -O1, races $mode: '${b#* }' against '${a#* }'"
		fi
	done <"$dir/joined"
}

batch() # first seed, number of programs
{
	local first=$1 count=$2 seed rest
	"$GENERATOR" "$first" "$count" >"$dir/all.c"
	compile "$dir/all.c" "$dir/plain.image" $UNOPTIMISED || return
	BITSPIN_IMAGE=$dir/plain.image "$EXPLORE" "$first" "$count" "${OTHERS:-2}" >"$dir/plain" || echo "FAIL $first explore ends with status $?"
	compile "$dir/all.c" "$dir/optimised.image" $OPTIMISED || return
	BITSPIN_IMAGE=$dir/optimised.image "$EXPLORE" "$first" "$count" 0 >"$dir/optimised" || echo "FAIL $first explore -O1 ends with status $?"
	for file in plain optimised; do
		grep '^result' "$dir/$file" | sed -E 's/ /_/; s/ /_/; s/:[0-9]+//g' | uniq_words >"$dir/${file:0:1}"
	done
	mv "$dir/p" "$dir/a" && mv "$dir/o" "$dir/b"
	{
		grep -h '^[^r]' "$dir/plain"
		grep -h '^[^rp]' "$dir/optimised" | sed -E 's/^(FAIL [0-9]+)/\1 -O1/'
		compare_optimised
		for ((seed = first; seed < first + count; seed++)); do
			[ $((seed % SAMPLE)) != 0 ] || sample "$seed"
		done
	} | tee "$dir/lines"
	grep '^FAIL' "$dir/lines" | while read -r _ seed rest; do
		"$GENERATOR" "$seed" >"$dir/kept.c"
		keep_program soundness "$seed" "$rest" "$dir/kept.c"
	done
}

# Words of each line once: without their line numbers, assertions may be the same.
uniq_words()
{
	awk '{ delete seen; line = ""; for (i = 1; i <= NF; i++) if (!seen[$i]++) line = line (i > 1 ? " " : "") $i; print line }'
}

# Findings of pan: "!kind" or "!assertion:line", sorted; "?" for anything but a verdict.
findings()
{
	local resting=
	[ "${1-}" != resting ] || { resting=BITSPIN_REST_AFTER=2 && shift; } # reductions rest after every second state (worth.c)
	env $resting timeout 60 "$BITSPIN" check --deadlock total --waits ignore --quiet --all --json "$dir/r.json" --max-time 30 \
		${MEMORY:+--memory c11:$MEMORY -DWEAK} "$@" "$dir/p.c" >"$dir/out" 2>&1
	case $? in
	0 | 1) jq -r '.violations[] | if .kind == "assertion" then "!assertion:\(.line)" else "!\(.kind)" end' "$dir/r.json" |
		LC_ALL=C sort -u | tr '\n' ' ' ;;
	*) echo "? $(tail -n 1 "$dir/out")" ;;
	esac
}

# Code that ends with an error at line N+1 in the Nth of these final states, and at line 1 in any other.
write_final()
{
	local state condition
	echo "bitspin_atomic_begin(); int other = 1;"
	for state; do
		condition=1
		for name in a0 a1 ready x0 x1 rest pair.a pair.b; do
			grep -qw "${name%.*}" "$dir/p.c" || continue # not each generator has all
			value=$(tr , '\n' <<<"$state" | sed -n "s/^$name=//p")
			condition+=" && $name == ${value:-0}"
		done
		echo "if ($condition) { other = 0; bitspin_error(\"final\"); }"
	done
	echo 'if (other) bitspin_error("another final state");'
}

# Compare what pan finds in a program with what explore does, in kinds of violation and final states.
sample()
{
	local seed=$1 mode expected got kinds finals
	"$GENERATOR" "$seed" >"$dir/p.c"
	compile "$dir/p.c" "$dir/p.image" $UNOPTIMISED || return
	BITSPIN_IMAGE=$dir/p.image "$EXPLORE" "$seed" 1 0 >"$dir/p"
	for mode in report $([ -n "${MEMORY-}" ] || echo ignore); do
		expected=$(sed -n "s/^result $seed $mode [a-z]* //p" "$dir/p")
		[ -n "$expected" ] || continue
		kinds=$(tr ' ' '\n' <<<"$expected" | grep '^!' | tr '\n' ' ')
		for options in "" resting "--search bfs" "--reduction none" "--preemptions 200"; do
			[ -z "${MEMORY-}" ] || [ "$options" != "--preemptions 200" ] || continue
			got=$(findings $options --races "$mode")
			if [[ $got == \?* ]]; then
				echo "skip $seed pan: $got"
			elif [ "$got" = "$kinds" ] || { [[ $got == *!data-race* ]] && [[ $kinds == *!data-race* ]]; }; then
				echo "ok $seed 1"
			else
				echo "FAIL $seed pan, races $mode $options: '$got' against '$kinds'"
			fi
		done
	done
	grep -q FINAL "$dir/p.c" && [ -z "${MEMORY-}" ] || return # it cannot tell its final state
	finals=$(tr ' ' '\n' <<<"$expected" | grep -v '^[!~]' | grep .)
	set -- $finals
	[ $# -gt 0 ] && [ $# -le 40 ] || return
	write_final "$@" >"$dir/final.h"
	expected=$(for ((i = 2; i <= $# + 1; i++)); do echo "$i"; done | sort | tr '\n' ' ')
	for options in "" resting "--search bfs"; do
		findings $options --races ignore "-DFINAL=\"$dir/final.h\"" >/dev/null
		got=$(jq -r '.violations[] | select(.file | endswith("final.h")) | .line' "$dir/r.json" | sort -u | tr '\n' ' ')
		if [ "$got" = "$expected" ]; then
			echo "ok $seed 1"
		else
			echo "FAIL $seed pan $options: final states $got of $(tr '\n' ' ' <<<"$finals")"
		fi
	done
}

if [ "${1-}" = --batch ]; then
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	[ -x "$EXPLORE" ] || exit 255 # the campaign was stopped, and xargs goes on
	batch "$2" "$3" >"$dir/output" # which a batch that is stopped does not leave in RESULTS
	[ -x "$EXPLORE" ] || exit 255
	echo "done $2 $3" >>"$dir/output"
	cat "$dir/output"
	exit 0
fi
make_scratch
here=$root/tests/bench
export GENERATOR=$scratch/random_program EXPLORE=$scratch/explore
${CC:-cc} -o "$GENERATOR" "$here/${PROGRAMS:-random_program}.c" || exit 2
if [ "${1-}" = --show ]; then
	"$GENERATOR" "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/soundness.sh [--of GENERATOR] BITSPIN [COUNT [FIRST]] | --show SEED'
CLANG=$(clang_of_bitspin)
export CLANG BITSPIN=$bitspin BITSPIN_RESULT=/dev/null # else the VM writes about limits to standard output
${BITSPIN_CC:-${CC:-cc}} -O2 -g -o "$EXPLORE" "$here/explore.c" "$(dirname "$BITSPIN")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
count=${2:-200} first=${3:-1}
results=${RESULTS:-$scratch/results}
touch "$results" || exit 2
for ((at = first; at < first + count; at += BATCH)); do
	left=$((first + count - at))
	job="$at $((left < BATCH ? left : BATCH))"
	grep -qx "done $job" "$results" || echo "$job"
done | xargs -r -P "${JOBS:-2}" -L1 bash "$0" --batch >>"$results"
awk -v first="$first" -v end=$((first + count)) '$2 >= first && $2 < end' "$results" >"$scratch/these"
grep '^FAIL' "$scratch/these" | sort -k2n | cut -c1-400
passed=$(awk '/^ok/ { n += $3 } END { print n + 0 }' "$scratch/these")
failed=$(grep -c '^FAIL' "$scratch/these")
programs=$(awk '/^(ok|FAIL|skip)/ { print $2 }' "$scratch/these" | sort -u | wc -l)
if [ "$programs" != "$count" ]; then
	echo "FAIL only $programs of $count programs were looked at"
	failed=$((failed + 1))
fi
used=$(awk '/^persistent/ && $3 { print $2 }' "$scratch/these" | sort -u | wc -l)
sorted=$(awk '/^persistent/ && $4 { print $2 }' "$scratch/these" | sort -u | wc -l)
unlooked() { awk -v why="$1" '/^skip/ && $3 == why { print $2 }' "$scratch/these" | sort -u | wc -l; }
finish "$programs programs from $first on, persistent sets in $used, threads sorted in $sorted; $(unlooked large) too large without reductions, $(unlooked schedules) \
with too many schedules, some search not finished in $(unlooked unfinished), no answer of pan in $(unlooked pan:)"
