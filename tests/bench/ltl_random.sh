#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Formulas about random programs (random_program.c, which end or go on for ever), under no assumption on the scheduler and
# under weak fairness: reductions change no answer.  Without fairness, all formulas of a dozen shapes over six propositions
# or eight are evaluated on the graph of states, with and without reductions (evaluate.c), and pan's answers must be the same.
# Accesses are all visible (--races ignore), assertions compiled away, deadlocks no violations: only formulas matter.
#
#     usage: tests/bench/ltl_random.sh [--slices | --workers] BITSPIN [COUNT [FIRST [FORMULAS]]]
#
# (100, 1, 3.)  COUNT programs from seed FIRST on; FORMULAS of each are given to pan as well, each claim compiled once.  --slices:
# programs of random_slices.c, with slicing among the reductions.  --workers: those of random_workers.c, whose threads are
# symmetric, and formulas that name none of them; under strong fairness, too.
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
programs=random_program reductions=all
case ${1-} in
--slices) programs=random_slices reductions=all,slicing; shift ;;
--workers) programs=random_workers; shift ;;
esac
need_command "${1-}" 'tests/bench/ltl_random.sh [--slices | --workers] BITSPIN [COUNT [FIRST [FORMULAS]]]'
make_scratch
dir=$scratch here=$root/tests/bench count=${2:-100} first=${3:-1} formulas=${4:-3}
${CC:-cc} -o "$dir/random_program" "$here/$programs.c" || exit 2
${BITSPIN_CC:-${CC:-cc}} -O2 -g -o "$dir/evaluate" "$here/evaluate.c" "$(dirname "$bitspin")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
quick_pans
skipped=0
common=(--races ignore --no-deadlock -DNDEBUG)

fail()
{
	result "$seed" "$*"
	keep_program ltl_random "$seed" "$*" "$dir/p.c"
}

# Pan's answer to a formula: 1, 0, or what it says instead.
ask()
{
	local formula=$1 line
	shift
	line=$(timeout 100 "$bitspin" check --quiet --max-time 60 "${common[@]}" "$@" --ltl "$formula" "$dir/p.c" 2>&1 | tail -n 1)
	case $line in
	verified*) echo 1 ;;
	violated:*) echo 0 ;;
	*) echo "? $line" ;;
	esac
}

# Compare two answers to a formula; one that was not to be had is nothing.
compare() # formula, what, answer, expected
{
	if [[ $3$4 == *\?* ]]; then
		skipped=$((skipped + 1))
		[[ $3$4 != *internal* ]] || fail "$1, $2: $3 against $4"
	elif [ "$3" = "$4" ]; then
		passed=$((passed + 1))
	else
		fail "$1, $2: $3 against $4"
	fi
}

fairly() # formula, fairness
{
	compare "$1" "$2 fairness" "$(ask "$1" --fairness "$2" --reduction "$reductions")" "$(ask "$1" --fairness "$2" --reduction none)"
}

# Formulas that hold only if each thread gets its turn, and that are violated only by a loop in which each does.
fairly_by_all()
{
	local all="{n_$seed == $(grep -c 'pthread_create' "$dir/p.c")}" other="{a0_$seed == 7}" formula
	for formula in "<> $all" "<> ($all || $other)" "<> ({b_$seed == 1} || $other)" "[] <> {a0_$seed == 2}" "<> [] {a0_$seed == 0}"; do
		fairly "$formula" weak
		fairly "$formula" strong
	done
}

program()
{
	local names=("{a0_$seed == 1}" "{x0_$seed == 2}" "{x1_$seed == 1}" "terminated" "done(1)" "in(t1_$seed)") expected formula all
	case $programs in
	random_slices) names[1]="{d0_$seed == 2}" names[2]="{arr_$seed[1] == 1}" ;;
	random_workers)
		names=("{a0_$seed == 1}" "{n_$seed == 2}" "{b_$seed == 1}" terminated "in(part_$seed)" "in(await_$seed)" "at(half)")
		;;
	esac
	"$dir/random_program" "$seed" >"$dir/p.c"
	if grep -q 'own\[4\]' "$dir/p.c"; then # truth that comes and goes
		names+=("{own_$seed[0] == 1}" "{own_$seed[1] == 1}")
	fi
	all=$(printf ' || %s' "${names[@]}")
	rm -rf "$dir/model"
	"$bitspin" generate -o "$dir/model" "${common[@]}" --reduction "$reductions" --fairness none --ltl "[](${all:4})" "$dir/p.c" >"$dir/out" 2>&1 || {
		fail "generate: $(tail -n 1 "$dir/out")"
		return
	}
	BITSPIN_IMAGE=$dir/model/program.image "$dir/evaluate" "${names[@]}" >"$dir/answers"
	while IFS= read -r line; do
		fail "$line"
	done < <(sed -n 's/^FAIL //p' "$dir/answers")
	if grep -q '^?' "$dir/answers"; then
		skipped=$((skipped + 1))
		return
	fi
	passed=$((passed + $(grep -c '^[01]' "$dir/answers")))
	while IFS=$'\t' read -r expected formula; do
		compare "$formula" "pan" "$(ask "$formula" --fairness none --reduction "$reductions")" "$expected"
		compare "$formula" "pan, --reduction none" "$(ask "$formula" --fairness none --reduction none)" "$expected"
		fairly "$formula" weak
	done < <(grep '^[01]' "$dir/answers" | shuf -n "$formulas" --random-source=<(yes "$seed"))
	[ "$programs" != random_workers ] || fairly_by_all
}

for ((seed = first; seed < first + count; seed++)); do
	program
done
finish "$count programs, $skipped answers not to be had"
